"""The suite: ledgers, rule tables and scenarios, read, checked and made ready to run."""
