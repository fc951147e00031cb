"""Departures: the rules in which an engine departs from a ruleset, found from its answers.

`match` compares answers with what some rules would answer, `candidates` changes single rules, and `explain` looks for
the fewest changes that explain the answers. `watch` sees which cells an answer depends on, so that a change of another
cell need not be tried on it. `hoyle identify` and the causes of `hoyle check` use the same search.
"""
