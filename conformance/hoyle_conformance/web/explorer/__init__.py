"""The table: set up a position, play on, and see what every ruleset says of it; questions and answers as plain data."""
