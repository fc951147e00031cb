"""Events of the seven of trumps."""

from ..frozen import frozen
from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@frozen
class Exchanged:
    """A player puts a card in the place of the turn-up and takes the turn-up into the hand; it may be what is declared
    after the trick."""

    seat: Seat
    card: Card
    taken: Card
    declared: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        hand = table.hands[self.seat]
        hand[hand.index(self.card)] = self.taken
        table.shown[self.seat].discard(self.card)
        table.turn_up = self.card
        table.claimed.add(self.card)
        table.sevens_since_trick += self.declared


@frozen
class SevenShown:
    """A player shows a card that scores by itself, and keeps it; it may lie on the table from then on, and may be the
    declaration of the trick."""

    seat: Seat
    card: Card
    lies: bool
    declared: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        if self.lies:
            table.shown[self.seat].add(self.card)
        table.claimed.add(self.card)
        table.sevens_since_trick += self.declared
