"""What happens in tricks."""

from dataclasses import dataclass

from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@dataclass(frozen=True, slots=True)
class Played:
    """A player leads a card, or plays it to the trick."""

    seat: Seat
    card: Card
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.hands[self.seat].remove(self.card)
        table.shown[self.seat].discard(self.card)
        table.trick.append(self.card)


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A player takes the trick and will lead to the next."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.won[self.seat].extend(self.cards)
        table.last_tricks[self.seat] += not table.drawing
        table.trick = []
        table.leader = self.seat
        table.combinations_since_trick = table.sevens_since_trick = 0


@dataclass(frozen=True, slots=True)
class LastTrickWon:
    """The trick just won is the one that counts as the last."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.last_trick_won_by = self.seat
