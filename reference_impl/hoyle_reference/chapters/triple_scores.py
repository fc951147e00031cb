"""Scores that count three times the points of the table (cell `score.tripled`).

Implements SEMANTICS.md, points-2.
"""

from typing import Final

from ..cells import Cells, Rule, number, word

TIMES: Final = 3
_COMBINATIONS: Final = frozenset({"combinations", "combinations-and-sevens"})
_SEVENS: Final = frozenset({"combinations-and-sevens"})


def of_combinations(cells: Cells) -> Rule[int]:
    """Return how often the points of a combination count, unless it has points of its own."""
    return _times(cells, _COMBINATIONS)


def of_a_seven(cells: Cells, path: str) -> Rule[int]:
    """Return the points of a cell for a seven of trumps."""
    once, times = cells.rule(path, number), _times(cells, _SEVENS)
    return Rule(once.value * times.value, once.grounds + times.grounds)


def _times(cells: Cells, words: frozenset[str]) -> Rule[int]:
    tripled = cells.rule_if_any("score.tripled", word, otherwise="")
    return Rule(TIMES if tripled.value in words else 1, tripled.grounds)
