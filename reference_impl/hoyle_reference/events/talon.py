"""Events of exchanging cards for others of the talon."""

from ..frozen import frozen
from ..table.cards import Card, Suit
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@frozen
class Discarded:
    """A player puts cards away face down and draws as many from the stock."""

    seat: Seat
    cards: tuple[Card, ...]
    drawn: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        hand = table.hands[self.seat]
        table.hands[self.seat] = [card for card in hand if card not in self.cards]
        table.hands[self.seat] += self.drawn
        table.discards[self.seat] += self.cards
        del table.stock[len(table.stock) - len(self.drawn) :]


@frozen
class Peeped:
    """A player looks at cards of the stock that could have been drawn, without showing them."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.seen[self.seat].update(self.cards)


@frozen
class SuitNamed:
    """Elder names the suit that the first lead must be of."""

    seat: Seat
    suit: Suit
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.named_suit = self.suit


@frozen
class RestExposed:
    """The cards left in the stock are turned up for everyone to see."""

    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        for seen in table.seen:
            seen.update(self.cards)


@frozen
class RestLeft:
    """The cards left in the stock stay face down."""

    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: nobody has seen them."""
