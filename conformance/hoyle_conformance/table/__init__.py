"""The table: a position laid out and played, and what every ruleset says of it, asked and answered as plain data."""
