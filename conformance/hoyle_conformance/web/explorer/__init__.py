"""The table: set up a position, play on, and compare the answers of all rulesets; requests and answers
are plain data."""
