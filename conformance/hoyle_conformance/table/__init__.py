"""The table: a position laid out, what every ruleset says of it, and how it is taken away. It knows no rule itself."""
