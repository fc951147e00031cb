"""A prelude as a value: the deal it begins with, the acts that lead from there, and where they lead; or why there is
none."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Act = Mapping[str, Any]
Position = Mapping[str, Any]


class Why(StrEnum):
    """Why there is no prelude, by its code; `IMPOSSIBLE` is a position that no history comes to."""

    BEFORE_THE_DEAL = "before-the-deal"
    IRREGULAR = "irregular"
    IMPOSSIBLE = "impossible"
    MATTERS = "another-outcome"
    DISPUTED = "disputed"
    NOT_FOUND = "not-found"


@dataclass(frozen=True, slots=True)
class NoPrelude:
    """That a position has no prelude, why by a code, and in words."""

    why: Why
    reason: str


@dataclass(frozen=True, slots=True)
class Prelude:
    """A history of a position: it begins with `start`, just dealt, and `acts`, all accepted, lead to `reached`.

    `deal` is the act that deals the cards so. With `from_new_game` it is the first deal of a game in which nobody has
    points, so that whoever can only play whole games from a given pack can play it; `tricks` is how many are complete.
    """

    start: Position
    acts: tuple[Act, ...]
    reached: Position
    deal: Act
    before: Position
    from_new_game: bool
    tricks: int
