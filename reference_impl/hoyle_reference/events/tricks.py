"""Events of playing tricks."""

from ..frozen import frozen
from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.states import BeforeTheLead
from ..table.table import Table


@frozen
class Played:
    """A player leads a card, or plays it to the trick; the table remembers how it was before a lead."""

    seat: Seat
    card: Card
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        if not table.trick:
            kept = tuple(map(tuple, table.kept))
            table.referee.before_the_lead = BeforeTheLead(self.card in table.shown[self.seat], kept, table.trumps)
        table.hands[self.seat].remove(self.card)
        table.shown[self.seat].discard(self.card)
        table.trick.append(self.card)
        table.named_suit = None


@frozen
class TrickWon:
    """A player takes the trick and will lead to the next; it may lie open, perhaps upon those before it, or be turned
    with all that lie so."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()
    lies_open: bool = False
    covers: bool = False

    def change(self, table: Table) -> None:
        table.won[self.seat].extend(self.cards)
        if not table.stock:
            table.referee.last_tricks[self.seat] += not table.drawing
        table.trick = []
        if self.covers:
            table.referee.heap = []
        if self.lies_open:
            table.referee.heap.extend(self.cards)
        elif table.referee.heap:
            table.referee.heap = []
        table.leader = self.seat
        table.combinations_since_trick = table.sevens_since_trick = 0


@frozen
class HeapTakenUp:
    """A player takes up all the tricks that lie open, whoever has won them, and turns them; perhaps for good, even if a
    card played before that is taken back."""

    seat: Seat
    grounds: Grounds = ()
    for_good: bool = False

    def change(self, table: Table) -> None:
        self._take_up(table, frozenset(table.referee.heap))

    def _take_up(self, table: Table, cards: frozenset[Card]) -> None:
        heap = cards.intersection(table.referee.heap)
        others = [pile for seat, pile in enumerate(table.won) if seat != self.seat]
        taken = [card for pile in others for card in pile if card in heap]
        table.won = [[card for card in pile if card not in taken] for pile in table.won]
        table.won[self.seat] += taken
        table.referee.heap = [card for card in table.referee.heap if card not in heap]
        for error, before in list(table.referee.before.items()) if self.for_good else ():
            table.referee.before[error] = before.copy()
            self._take_up(table.referee.before[error], cards)


@frozen
class LastTrickWon:
    """The trick just won is the one that counts as the last."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.last_trick_won_by = self.seat
