"""Events of a blank that is announced before the exchange."""

from ..frozen import frozen
from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.states import BlankState
from ..table.table import Table


@frozen
class BlankAnnounced:
    """A player says that the hand is blank, and will show it later; `cards`, where they may be exchanged before."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.ANNOUNCED
        table.to_show[self.seat] = set(self.cards)


@frozen
class BlankShown:
    """A player shows a blank hand, card by card; the others have seen it."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.SCORED
        table.to_show[self.seat] = set()
        for other, seen in enumerate(table.seen):
            if other != self.seat:
                seen.update(self.cards)
