"""What happens to a blank that is announced before the exchange."""

from dataclasses import dataclass

from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.states import BlankState
from ..table.table import Table


@dataclass(frozen=True, slots=True)
class BlankAnnounced:
    """A player says that the hand is blank, and will show it later."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.ANNOUNCED


@dataclass(frozen=True, slots=True)
class BlankShown:
    """A player shows a blank hand, card by card; the others have seen it."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.SCORED
        for other, seen in enumerate(table.seen):
            if other != self.seat:
                seen.update(self.cards)
