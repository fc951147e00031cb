"""Scores that count three times what the table has (cell `score.tripled`)."""

from typing import Final

from ..cells import Cells, Rule, number, word

TIMES: Final = 3
_COMBINATIONS: Final = frozenset({"combinations", "every-score"})
_OTHERS: Final = frozenset({"every-score"})


def of_combinations(cells: Cells) -> Rule[int]:
    """How often the points of a combination count, unless it has points of its own."""
    return _times(cells, _COMBINATIONS)


def points(cells: Cells, path: str) -> Rule[int]:
    """The points of a cell for anything but a combination: a seven, a brisque or the last trick."""
    once, times = cells.rule(path, number), _times(cells, _OTHERS)
    return Rule(once.value * times.value, once.grounds + times.grounds)


def _times(cells: Cells, words: frozenset[str]) -> Rule[int]:
    tripled = cells.rule_if_any("score.tripled", word, otherwise="")
    return Rule(TIMES if tripled.value in words else 1, tripled.grounds)
