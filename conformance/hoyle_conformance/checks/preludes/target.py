"""The position that a history must lead to, completed, and which of its cards are given."""

from collections.abc import Iterator
from dataclasses import dataclass

from hoyle_conformance.checks.setup.given import REST, Given
from hoyle_conformance.checks.setup.layout import lay_out
from hoyle_reference import Table
from hoyle_reference.table.cards import Card, read_card
from hoyle_reference.table.seats import Seat, ring, seat_name
from hoyle_reference.table.table import GameRules


@dataclass(frozen=True, slots=True)
class PreludeTarget:
    """A completed table, what was given of it, and the cards that are given a place."""

    table: Table
    given: Given
    told: frozenset[Card]

    @property
    def rules(self) -> GameRules:
        """The rules of the table."""
        return self.table.rules

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All the seats, A first."""
        return ring(Seat(0), self.table.players)

    @property
    def tricks(self) -> int:
        """The number of complete tricks in the completed position."""
        return sum(map(len, self.table.won)) // self.table.players

    def is_open(self, key: str, seat: Seat) -> bool:
        """Whether a pile of a player may hold more cards than are given."""
        return REST in self.given.get(key, {}).get(seat_name(seat), (REST,))

    @property
    def stock_is_open(self) -> bool:
        """Whether the stock may hold more cards than are given."""
        return REST in self.given.get("stock", (REST,))


def wanted(table: Table, given: Given) -> PreludeTarget:
    """Return the target of a history that leads to this table, which was completed from what is given."""
    told = {*lay_out(table.rules, given).cards(), *_of_combinations(given), *table.claimed}
    return PreludeTarget(table, given, frozenset(told))


def _of_combinations(given: Given) -> Iterator[Card]:
    for key in ("scored", "kept"):
        for each in given.get(key, {}).values():
            for combination in each:
                yield from (card for card in map(read_card, combination["cards"]) if card is not None)
