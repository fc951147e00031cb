"""The position that a history must lead to, completed, and which of its cards are given."""

from collections.abc import Iterator
from dataclasses import dataclass

from hoyle_conformance.checks.setup.given import REST, Given
from hoyle_conformance.checks.setup.layout import lay_out
from hoyle_reference import Rules, Table, rules_of
from hoyle_reference.cards import Card, read_card
from hoyle_reference.seats import Seat, ring, seat_name


@dataclass(frozen=True, slots=True)
class PreludeTarget:
    """A completed table, what was given of it, and the cards that are given a place."""

    table: Table
    given: Given
    told: frozenset[Card]

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return rules_of(self.table)

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
    told = {*lay_out(rules_of(table), given).cards(), *_of_combinations(given), *table.claimed}
    return PreludeTarget(table, given, frozenset(told))


def _of_combinations(given: Given) -> Iterator[Card]:
    for key in ("scored", "kept"):
        for each in given.get(key, {}).values():
            for combination in each:
                yield from (card for card in map(read_card, combination["cards"]) if card is not None)
