"""The number of players and packs, and the sides that score together.

Implements SEMANTICS.md, players-1 to players-3, card-2 and seat-2.
"""

from collections.abc import Callable
from typing import Any

from ..cards import MOST_PACKS
from ..cells import Rule, cell, number
from ..frozen import frozen
from ..seats import SEATS
from .chapter import Chapter


def _up_to(most: int) -> Callable[[Any], int]:
    """Return a reader of a number from one to a maximum."""

    def read(value: Any) -> int:
        if not 1 <= number(value) <= most:
            raise ValueError(f"there can be 1 to {most}, not {value}")
        return number(value)

    return read


@frozen
class PlayerRules:
    """The numbers of players and packs; whether players opposite each other are partners; and the rule that partners
    see no more of each other's cards than anybody does."""

    number: Rule[int] = cell("players.number", _up_to(len(SEATS)))
    packs: Rule[int] = cell("cards.packs", _up_to(MOST_PACKS))
    partners: Rule[bool] = cell("players.partners", bool, otherwise=False)
    partners_see: Rule[bool] = cell("players.partners_see", bool, otherwise=False)


CHAPTER: Chapter = Chapter(
    "players",
    lambda cells: cells.compiled(PlayerRules),
    always=True,
    sight=lambda rules: rules.partners_see.grounds,
)
