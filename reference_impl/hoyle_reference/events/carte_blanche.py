"""Events of a carte blanche that is shown before a card is played."""

from ..frozen import frozen
from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.states import BlankState
from ..table.table import Table


@frozen
class CarteBlancheShown:
    """A player shows a hand that is carte blanche, or the card drawn to it; what is shown may lie on the table."""

    seat: Seat
    cards: tuple[Card, ...]
    lies: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.SCORED
        table.drawn[self.seat] = None
        if self.lies:
            table.shown[self.seat].update(self.cards)


@frozen
class CarteBlancheDrawn:
    """The card that a player has drawn leaves a carte blanche as it was, or puts an end to it."""

    seat: Seat
    card: Card
    ends: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.OVER if self.ends else BlankState.DRAWN
        table.drawn[self.seat] = None if self.ends else self.card


@frozen
class CarteBlancheResumed:
    """A carte blanche is again what it was before its player drew: what has been drawn goes back to the stock."""

    seat: Seat
    blank: BlankState
    drawn: Card | None
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = self.blank
        table.drawn[self.seat] = self.drawn


@frozen
class CarteBlancheLapsed:
    """A player who has drawn no card can no longer show the card drawn before; it may end the carte blanche."""

    seat: Seat
    ends: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.OVER if self.ends else BlankState.SCORED
        table.drawn[self.seat] = None
