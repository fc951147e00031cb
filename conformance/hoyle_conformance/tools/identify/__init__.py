"""Identify: find out which ruleset an engine plays, and where it differs from it, rule by rule.

Each distinct position of a game is sent once (`positions`, `ask`). `match` compares the responses with the answers of
many rulesets: those of the suite with their options, and those with single rules changed (`candidates`) to the values
of other sources or readings, until the fewest changes explain the most responses (`explain`). `identify` runs the
whole; `report` prints the result, and writes it as house rules.

To count passing checks says little, since most positions do not distinguish rulesets and two differences hide each
other. The change that explains most responses is chosen first, and one that proves needless is taken back. The search
is limited by a number of responses, never by time, so it finds the same on every machine.
"""
