"""The events of every game, and their base classes.

A state is a fold of events: an event is frozen, names the cells of the table that produced it (`grounds`), and is the
only thing that changes a `Table`. Replayed from the start, the events give the same table. They move cards and points,
and record facts; a separate event (`Awaits`) names the player and the act to come.

A table is mutable because copying it for each of some 150 events of a deal would take longer than everything else. A
refused act has no events, so it changes nothing.
"""

from functools import cache
from typing import Final, Protocol

from ..cards import Card, Suit
from ..frozen import frozen
from ..refusals import Grounds
from ..seats import Seat
from ..table.states import BeforeTheLead, Cause, Error, Phase
from ..table.table import Table

#: The phases that may follow the end of a deal.
_AFTER_A_DEAL: Final = frozenset({Phase.DEAL, Phase.OVER})


class Event(Protocol):
    """An event; `change` applies it to the table."""

    @property
    def grounds(self) -> Grounds: ...

    def change(self, table: Table, /) -> None: ...


class NoChange:
    """An event that changes nothing, unless its class defines a change."""

    __slots__ = ()

    def change(self, table: Table, /) -> None:
        """Apply the event to the table."""


@frozen
class RulesEvent(NoChange):
    """An event that follows from the rules."""

    grounds: Grounds = ()


@frozen
class PlayerEvent(NoChange):
    """An event of one player."""

    seat: Seat
    grounds: Grounds = ()


@frozen
class CardsEvent(NoChange):
    """An event of one player and of cards."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()


@frozen
class CombinationEvent(NoChange):
    """An event of one player and of a combination."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()


@frozen
class ErrorEvent(NoChange):
    """An event of an irregularity."""

    error: Error
    grounds: Grounds = ()


@frozen
class Awaits:
    """The table now waits for a player, in this phase. The events before it determine this, so it has no grounds of its
    own."""

    phase: Phase
    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.phase = self.phase
        table.turn = self.seat
        if self.phase in _AFTER_A_DEAL:  # there is at least one more, or none
            table.deals_left = max(1, table.deals_left) if self.phase is Phase.DEAL else 0


@cache
def awaits(phase: Phase, seat: Seat) -> Awaits:
    """Return the event that the table waits for a player, in this phase; cached, since most acts end with one."""
    return Awaits(phase, seat)


@frozen
class CardsCut(NoChange):
    """The players cut; this may decide who wins the cut."""

    cards: tuple[Card, ...]
    grounds: Grounds = ()


@frozen
class DealerFound(PlayerEvent):
    """The dealer is determined."""

    def change(self, table: Table) -> None:
        table.dealer = self.seat


@frozen
class Dealt:
    """Every player has been dealt a hand, in packets of which the first has this many cards; the rest of the pack is
    the stock (top card last), and the leader acts first."""

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
    """The top card of the stock is turned up, and its suit is trumps; it may score by itself."""

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


@frozen
class Offered:
    """A player receives an offer of choices."""

    seat: Seat
    choices: tuple[str, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.choices = self.choices


@frozen
class Chosen:
    """The player has taken one of the choices."""

    seat: Seat
    choice: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.choices = ()


@frozen
class Drew:
    """A player draws the top card of the stock, the turn-up after the last card, or a chosen card."""

    seat: Seat
    card: Card
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        if self.card == table.turn_up:
            table.turn_up = None
        elif self.card == table.stock[-1]:
            table.stock.pop()
        else:
            table.stock.remove(self.card)
        if table.referee.seen_ahead:
            table.referee.seen_ahead -= 1
        table.hands[self.seat].append(self.card)


@frozen
class Played:
    """A player leads a card, or plays it to the trick; a lead stores the table's previous state."""

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
    """A player takes the trick and will lead to the next. It may lie open, perhaps upon earlier ones, or be turned with
    all open tricks."""

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
    """A player takes up and turns all open tricks, whoever has won them; perhaps permanently, even if a card played
    earlier is taken back."""

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
class LastTrickWon(PlayerEvent):
    """The trick just won is the one that counts as the last."""

    def change(self, table: Table) -> None:
        table.last_trick_won_by = self.seat


#: The points of a deal that count once more at its end.
DOUBLED: Final = "a-doubled-deal"
#: The bonus that points for tricks may complete, and are not part of.
PIQUE: Final = "pique"


@frozen
class Scored:
    """A player marks points for `what`: a combination, a trick's cards, the last trick. If a bonus depends on how
    points were made, they have one of these causes, or count towards none."""

    seat: Seat
    points: int
    what: str
    grounds: Grounds = ()
    cause: Cause = Cause.BESIDE

    def change(self, table: Table) -> None:
        table.score[table.rules.side_of[self.seat]] += self.points
        table.made_of[self.seat][self.cause] += self.points


@frozen
class BroughtNothing(PlayerEvent):
    """The trick has brought its winner no points."""


@frozen
class NobodyScores(NoChange):
    """Nobody scores for something: both players are equal in it, or it does not count."""

    what: str
    grounds: Grounds = ()


@frozen
class NoBonus(NoChange):
    """A player reaches the points for a bonus without getting it."""

    seat: Seat
    what: str
    grounds: Grounds = ()


@frozen
class DealEnded:
    """The last trick of the deal has been played, and everything in it has been counted."""

    dealer: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.deals_left = max(0, table.deals_left - 1)
        table.dealer = self.dealer


@frozen
class FirstToTarget:
    """A player has been the first to reach the target, and the deal is played out before the game ends and is settled
    for this many points."""

    seat: Seat
    settled: int | None
    grounds: Grounds

    def change(self, table: Table) -> None:
        table.first_to_target = self.seat
        table.settled = self.settled


@frozen
class GameWon:
    """A player (the first of partners) has won the game, and settles for this many points in games
    settled by points."""

    seat: Seat
    settled: int | None = None
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.game_won_by = self.seat
        table.settled = self.settled


@frozen
class GameReopened(RulesEvent):
    """A game to a target is no longer won, because the tricks that won it are lost."""

    def change(self, table: Table) -> None:
        table.game_won_by = None
        table.deals_left = 1


@frozen
class GameDrawn(RulesEvent):
    """The game is over, and nobody has won it."""

    def change(self, table: Table) -> None:
        table.settled = 0


@frozen
class GameVoid(RulesEvent):
    """The game is over and does not count, as if it had not been played."""


@frozen
class Tied:
    """The game could be won now, but the players are equal, so it continues for this many deals."""

    deals: int
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.deals_left = self.deals
