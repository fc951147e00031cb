"""Identify: which ruleset an implementation plays, and where it departs from it, rule by rule.

The distinct positions of a game are put to it once each (`positions`, `asking`), and its answers are kept as they are.
They are then judged under many rules (`judging`): under all rulesets with their options, and under those with single
rules changed (`changes`) to what other sources or readings have, until the fewest changes account for the most
answers (`explaining`). `identified` puts the whole together, `shown` says it in words, `written` as a table.
"""
