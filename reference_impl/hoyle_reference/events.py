"""Events: what has happened at the table.

A state is a fold of events: an event is frozen, names the cells of the table that produced it (`grounds`), and is the
only thing that changes a `Table`. Played again from the start, the events give the same table.
"""

from dataclasses import dataclass
from typing import Protocol

from .cards import Card, Suit
from .refusals import Grounds
from .seats import Seat, after
from .table import Blank, Combination, Phase, Table


class Event(Protocol):
    """Something that has happened; `change` makes the table show it."""

    @property
    def grounds(self) -> Grounds: ...

    def change(self, table: Table, /) -> None: ...


@dataclass(frozen=True, slots=True)
class CardsCut:
    """The players cut, and nobody has won the cut yet."""

    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.phase = Phase.CUT


@dataclass(frozen=True, slots=True)
class Offered:
    """A player is given a choice between options."""

    seat: Seat
    options: tuple[str, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.phase = Phase.CHOOSE
        table.turn = self.seat
        table.options = self.options


@dataclass(frozen=True, slots=True)
class DealerFound:
    """It is settled who deals."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.phase = Phase.DEAL
        table.dealer = table.turn = self.seat
        table.options = ()


@dataclass(frozen=True, slots=True)
class Dealt:
    """Every player has been dealt a hand, in packets that begin with one of so many cards, and the rest of the pack is
    the stock (top card last); the leader acts first, in the phase that follows the deal."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    leader: Seat
    dealer: Seat
    packets: int
    opens: Phase
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.clear_the_deal()
        table.deals += 1
        table.hands = [list(hand) for hand in self.hands]
        table.stock = list(self.stock)
        table.packets[self.dealer] = self.packets
        table.leader = table.turn = self.leader
        table.phase = self.opens


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Scored:
    """A player marks points, for `what`: a combination, a trick's cards, the last trick; they may stand `beside` those
    that are reckoned towards a bonus."""

    seat: Seat
    points: int
    what: str
    grounds: Grounds = ()
    beside: bool = False

    def change(self, table: Table) -> None:
        table.score[table.rules.side_of[self.seat]] += self.points
        if not self.beside:
            table.made[self.seat] += self.points


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
        table.turn = after(self.seat, table.players)


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A player takes the trick and will lead to the next."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.won[self.seat].extend(self.cards)
        table.trick = []
        table.leader = table.turn = self.seat
        table.scored_now = table.claimed_now = 0
        table.phase = Phase.DECLARE if table.drawing else Phase.PLAY


@dataclass(frozen=True, slots=True)
class LastTrickWon:
    """The trick just won is the one that counts as the last."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.last_trick_won_by = self.seat


@dataclass(frozen=True, slots=True)
class BroughtNothing:
    """The trick has brought its winner no points."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: a trick as such has no value."""


@dataclass(frozen=True, slots=True)
class NobodyScores:
    """Both players are equal in what would score, and neither does."""

    what: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: no points are marked."""


def _lay(table: Table, seat: Seat, cards: tuple[Card, ...]) -> None:
    """The player's own cards are laid on the table; those of a partner lie there already."""
    table.shown[seat].update(set(cards).intersection(table.hands[seat]))


@dataclass(frozen=True, slots=True)
class Declared:
    """A player lays a combination on the table and scores it."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        combination, side = Combination(self.meld, self.cards), table.rules.side_of[self.seat]
        _lay(table, self.seat, self.cards)
        table.scored[side].append(combination)
        if combination in table.kept[side]:
            table.kept[side].remove(combination)
        table.scored_now += 1


@dataclass(frozen=True, slots=True)
class TrumpsMade:
    """A declaration has made its suit trumps."""

    suit: Suit
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.trumps = self.suit


@dataclass(frozen=True, slots=True)
class Held:
    """A player lays a combination on the table and keeps it to score later."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        _lay(table, self.seat, self.cards)
        table.kept[table.rules.side_of[self.seat]].append(Combination(self.meld, self.cards))


@dataclass(frozen=True, slots=True)
class Lapsed:
    """A combination kept to score can be scored no more."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.kept[table.rules.side_of[self.seat]].remove(Combination(self.meld, self.cards))


@dataclass(frozen=True, slots=True)
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
        table.claimed_now += self.declared


@dataclass(frozen=True, slots=True)
class Shown:
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
        table.claimed_now += self.declared


@dataclass(frozen=True, slots=True)
class Drew:
    """A player draws the top card of the stock, or the turn-up after the last of them."""

    seat: Seat
    card: Card
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        if table.stock:
            table.stock.pop()
        else:
            table.turn_up = None
        table.hands[self.seat].append(self.card)
        table.turn = after(self.seat, table.players)
        table.phase = Phase.PLAY if table.turn == table.leader else Phase.DRAW


@dataclass(frozen=True, slots=True)
class CarteBlancheShown:
    """A player shows a hand that is carte blanche, or the card drawn to it; nothing of it stays on the table."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = Blank.SCORED
        table.drawn[self.seat] = None


@dataclass(frozen=True, slots=True)
class CarteBlancheDrawn:
    """The card that a player has drawn leaves a carte blanche as it was, or puts an end to it."""

    seat: Seat
    card: Card
    ends: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = Blank.OVER if self.ends else Blank.DRAWN
        table.drawn[self.seat] = None if self.ends else self.card


@dataclass(frozen=True, slots=True)
class TakenUp:
    """The players take the cards that lie on the table back into their hands."""

    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        for shown in table.shown:
            shown.clear()
