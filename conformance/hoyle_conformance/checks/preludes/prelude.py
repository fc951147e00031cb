"""A prelude as a value: the deal it begins with, the acts that lead from there, and the position they lead to; or the
reason for having none."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

Act = Mapping[str, Any]
Position = Mapping[str, Any]


class Why(StrEnum):
    """The reason why there is no prelude, by its code; of several the last one says most."""

    BEFORE_THE_DEAL = "before-the-deal"
    IRREGULAR = "irregular"
    NOT_FOUND = "not-found"
    SCORE = "score"
    MATTERS = "another-outcome"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class NoPrelude:
    """The reason why a position has no prelude, by its code and in words."""

    why: Why
    reason: str


#: A prelude that the spec does not have yet.
NOT_STORED: Final = NoPrelude(Why.NOT_FOUND, "none is stored; 'make preludes' in a checkout finds it")


@dataclass(frozen=True, slots=True)
class Prelude:
    """A history of a position: from `start`, just dealt, `acts`, all accepted, lead to `reached`.

    `before` is the position before that deal, and `deal` the act that deals the cards so, with its `deck`. With
    `from_new_game`, `before` is the position of a new game: nobody has points, and it is the first deal; so an adapter
    that only plays whole games from a given pack can play it. `tricks` is the number of complete tricks. If no other
    history was found, it `rests_on` these cells: an adapter that follows another reading of them may refuse an act, or
    come to another score, and is not wrong. All values are as the protocol writes them.
    """

    start: Position
    acts: tuple[Act, ...]
    reached: Position
    before: Position
    deal: Act
    from_new_game: bool
    tricks: int
    rests_on: tuple[str, ...] = ()
