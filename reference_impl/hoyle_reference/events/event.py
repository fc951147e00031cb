"""The form of an event, and the event that the table waits for a player.

A state is a fold of events: an event is frozen, names the cells of the table that produced it (`grounds`), and is the
only thing that changes a `Table`. Played again from the start, the events give the same table. They move cards and
points, and remember; whom the table waits for after them, and for what, is an event of its own (`Awaits`).

A table is mutable because an immutable one would be copied for each of some 150 events of a deal, which takes longer
than everything else. A refused act has no events, so it changes nothing.
"""

from functools import cache
from typing import Final, Protocol

from ..frozen import frozen
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.states import Phase
from ..table.table import Table

#: What the table waits for when a deal is over.
_AFTER_A_DEAL: Final = frozenset({Phase.DEAL, Phase.OVER})


class Event(Protocol):
    """Something that has happened; `change` makes the table show it."""

    @property
    def grounds(self) -> Grounds: ...

    def change(self, table: Table, /) -> None: ...


@frozen
class Awaits:
    """The table now waits for a player, in this phase; what comes next follows from what has happened, and so it has no
    grounds of its own."""

    phase: Phase
    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.phase = self.phase
        table.turn = self.seat
        if self.phase in _AFTER_A_DEAL:  # there is one more at least, or none
            table.deals_left = max(1, table.deals_left) if self.phase is Phase.DEAL else 0


@cache
def awaits(phase: Phase, seat: Seat) -> Awaits:
    """Return the event that the table waits for a player, in this phase: one event for each, since most acts end with
    one."""
    return Awaits(phase, seat)
