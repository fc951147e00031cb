"""What happens before the play where cards are exchanged and combinations called: further events, beside `events`."""

from dataclasses import dataclass, replace

from .cards import Card
from .refusals import Grounds
from .seats import Seat, after
from .table import Blank, Called, Combination, Phase, Table


@dataclass(frozen=True, slots=True)
class BlankAnnounced:
    """A player says that the hand is blank, and will show it later."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = Blank.ANNOUNCED


@dataclass(frozen=True, slots=True)
class BlankShown:
    """A player shows a blank hand, card by card; the others have seen it."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = Blank.SCORED
        for other, seen in enumerate(table.seen):
            if other != self.seat:
                seen.update(self.cards)


@dataclass(frozen=True, slots=True)
class Discarded:
    """A player puts cards away face down and draws as many from the stock; after the last player the calling begins."""

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
        table.turn = after(self.seat, table.players)
        if table.turn == table.leader:
            table.phase = Phase.ANNOUNCE


@dataclass(frozen=True, slots=True)
class Peeped:
    """A player looks at cards of the stock that could have been drawn, without showing them."""

    seat: Seat
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.seen[self.seat].update(self.cards)


@dataclass(frozen=True, slots=True)
class RestExposed:
    """The cards left in the stock are turned up for everyone to see."""

    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        for seen in table.seen:
            seen.update(self.cards)
        _begin_calling(table)


@dataclass(frozen=True, slots=True)
class RestLeft:
    """The cards left in the stock stay face down."""

    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        _begin_calling(table)


def _begin_calling(table: Table) -> None:
    table.options = ()
    table.phase = Phase.ANNOUNCE
    table.turn = table.leader


@dataclass(frozen=True, slots=True)
class Announced:
    """A player says how good the best combination of a class is: how many cards it has (none at all: 0), and, where
    that is asked or belongs to the call, how high it is."""

    seat: Seat
    count: int
    height: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.called = replace(table.called, count=self.count, height=self.height, asked=False)
        table.turn = after(self.seat, table.players)


@dataclass(frozen=True, slots=True)
class Asked:
    """A player holds as many cards, and asks how high the combination announced is."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.called = replace(table.called, asked=True)
        table.turn = table.leader


@dataclass(frozen=True, slots=True)
class ClassDecided:
    """It is settled whose combinations of a class are good: a player's, or nobody's; after the last class the play
    begins."""

    seat: Seat | None
    last: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        called = table.called
        announced = (*called.announced, (called.count, called.height))
        table.called = Called((*called.decided, self.seat), announced)
        table.turn = table.leader
        if self.last:
            table.phase = Phase.PLAY


@dataclass(frozen=True, slots=True)
class Specified:
    """A player names a combination with its very cards, and scores it."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.scored[self.seat].append(Combination(self.meld, self.cards))


@dataclass(frozen=True, slots=True)
class NoBonus:
    """A player reaches the points for a bonus and does not get it."""

    seat: Seat
    what: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: no points are marked."""
