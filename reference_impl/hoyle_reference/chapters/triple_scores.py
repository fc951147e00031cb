"""Tripling of the table's points (cell `score.tripled`).

Implements SEMANTICS.md, points-2.
"""

from typing import Final

from ..cells import Cells, Rule, number, word

TIMES: Final = 3
#: The settings that triple penalties, scores in tricks, sevens and combinations; each includes all those before it.
_PENALTIES: Final = frozenset({"all-scores-and-penalties"})
_TRICKS: Final = _PENALTIES | {"all-scores"}
_SEVENS: Final = _TRICKS | {"combinations-and-sevens"}
_COMBINATIONS: Final = _SEVENS | {"combinations"}


def of_combinations(cells: Cells) -> Rule[int]:
    """Return the factor for the points of a combination, unless it has points of its own."""
    return _times(cells, _COMBINATIONS)


def of_a_seven(cells: Cells, path: str) -> Rule[int]:
    """Return the points of a cell for a seven of trumps."""
    return _tripled(cells, path, _SEVENS)


def in_tricks(cells: Cells, path: str) -> Rule[int]:
    """Return the points of a cell for cards in tricks or for the last trick; 0 where the table has no such cell."""
    return _tripled(cells, path, _TRICKS) if path in cells else Rule(0)


def of_penalties(cells: Cells) -> Rule[int]:
    """Return the factor for the points of a penalty."""
    return _times(cells, _PENALTIES)


def _tripled(cells: Cells, path: str, words: frozenset[str]) -> Rule[int]:
    once, times = cells.rule(path, number), _times(cells, words)
    return Rule(once.value * times.value, once.grounds + times.grounds)


def _times(cells: Cells, words: frozenset[str]) -> Rule[int]:
    tripled = cells.rule_if_any("score.tripled", word, otherwise="")
    return Rule(TIMES if tripled.value in words else 1, tripled.grounds)
