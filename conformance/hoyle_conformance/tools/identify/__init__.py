"""Identify: find out which ruleset an engine plays, and where it differs from it, rule by rule.

Each distinct position of a game is sent once (`positions`, `ask`). `match` compares the responses with the answers of
many rulesets: those of the suite with their options, and those with single rules changed to the values of other sources
or readings (`candidates`). The search continues until the fewest changes explain the most responses (`explain`).
`identify` runs the whole process; `report` prints the result and can write it as house rules.

Counting passing checks would not be enough: most positions do not distinguish rulesets, and two differences can hide
each other. The search first chooses the change that explains the most responses, and drops a change that later proves
unnecessary. A number of comparisons limits the search, never a time, so its result is the same on every machine.
"""
