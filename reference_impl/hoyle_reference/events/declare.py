"""Events of declaring combinations, and of keeping them to score."""

from ..frozen import frozen
from ..table.cards import Card, Suit
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.states import Combination
from ..table.table import Table


def _lay(table: Table, seat: Seat, cards: tuple[Card, ...]) -> None:
    """Lay the player's own cards on the table; those of a partner lie there already."""
    table.shown[seat].update(set(cards).intersection(table.hands[seat]))


@frozen
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
        table.combinations_since_trick += 1


@frozen
class TrumpsMade:
    """A declaration has made its suit trumps."""

    suit: Suit
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.trumps = self.suit


@frozen
class KeptToScore:
    """A player lays a combination on the table and keeps it to score later; or says again that it waits."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        combination, kept = Combination(self.meld, self.cards), table.kept[table.rules.side_of[self.seat]]
        _lay(table, self.seat, self.cards)
        if combination not in kept:
            kept.append(combination)


@frozen
class Lapsed:
    """A combination kept to score can be scored no more."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.kept[table.rules.side_of[self.seat]].remove(Combination(self.meld, self.cards))


@frozen
class TakenUp:
    """The players take the cards that lie on the table back into their hands."""

    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        for shown in table.shown:
            shown.clear()
