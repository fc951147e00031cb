"""Events of calling the classes of combinations."""

from dataclasses import replace

from ..frozen import frozen
from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.states import Called, Combination
from ..table.table import Table


@frozen
class Announced:
    """A player says how good the best combination of a class is: how many cards it has (none at all: 0), and, where
    that is asked or belongs to the call, how high it is."""

    seat: Seat
    count: int
    height: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.to_show = [set() for _ in table.to_show]  # after the first call no blank is shown
        table.called = replace(table.called, count=self.count, height=self.height, asked=False)


@frozen
class Asked:
    """A player holds as many cards, and asks how high the combination announced is."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.called = replace(table.called, asked=True)


@frozen
class ClassDecided:
    """It is settled whose combinations of a class are good: a player's, or nobody's."""

    seat: Seat | None
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        called = table.called
        announced = (*called.announced, (called.count, called.height))
        table.called = Called((*called.decided, self.seat), announced)


@frozen
class Specified:
    """A player names a combination with its very cards, and scores it."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.scored[self.seat].append(Combination(self.meld, self.cards))
