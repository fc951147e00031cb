"""Events of the cut and the deal."""

from ..frozen import frozen
from ..table.cards import Card, Suit
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@frozen
class CardsCut:
    """The players cut; it may be settled by this who wins the cut."""

    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: the cards go back into the pack."""


@frozen
class DealerFound:
    """It is settled who deals."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.dealer = self.seat


@frozen
class Dealt:
    """Every player has been dealt a hand, in packets that begin with one of so many cards, and the rest of the pack is
    the stock (top card last); the leader acts first."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    leader: Seat
    dealer: Seat
    packets: int
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.clear_the_deal()
        table.deals += 1
        table.hands = [list(hand) for hand in self.hands]
        table.stock = list(self.stock)
        table.packets[self.dealer] = self.packets
        table.leader = self.leader


@frozen
class TurnedUp:
    """The top card of the stock is turned, and its suit is trumps; it may be one that scores by itself."""

    card: Card
    trumps: Suit
    scores: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.stock.pop()
        table.turn_up = self.card
        table.trumps = self.trumps
        if self.scores:
            table.claimed.add(self.card)
