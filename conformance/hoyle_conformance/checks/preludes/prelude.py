"""A prelude as a value: the deal it begins with, the acts that lead from there, and where they lead; or why there is
none."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from hoyle_reference.frozen import frozen

Act = Mapping[str, Any]
Position = Mapping[str, Any]


class Why(StrEnum):
    """Why there is no prelude, by its code; of several the last one says most."""

    BEFORE_THE_DEAL = "before-the-deal"
    IRREGULAR = "irregular"
    NOT_FOUND = "not-found"
    SCORE = "score"
    MATTERS = "another-outcome"
    IMPOSSIBLE = "impossible"


@frozen
class NoPrelude:
    """That a position has no prelude: why, by a code, and in words."""

    why: Why
    reason: str


@frozen
class Prelude:
    """A history of a position: from `start`, just dealt, `acts`, all accepted, lead to `reached`.

    `before` is the position before that deal, and `deal` the act that deals the cards so, with its `deck`. With
    `from_new_game` it is that of a new game: nobody has points, and it is the first deal; so an implementation that
    only plays whole games from a given pack can play it. `tricks` is how many tricks are complete in it. Where no other
    history was found it `rests_on` how these cells are read: whoever follows another reading may refuse an act of it,
    or come to another score, and is not wrong. All as the protocol writes them.
    """

    start: Position
    acts: tuple[Act, ...]
    reached: Position
    before: Position
    deal: Act
    from_new_game: bool
    tricks: int
    rests_on: tuple[str, ...] = ()
