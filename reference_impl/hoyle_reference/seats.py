"""The order of players round the table, and the sides of those who score together."""

from typing import Final, NewType

from .frozen import frozen

Seat = NewType("Seat", int)

SEATS: Final = "ABCD"


def seat_name(seat: Seat) -> str:
    """Return the letter of a seat: A, B, C or D."""
    return SEATS[seat]


def seat_or_none(seat: Seat | None) -> str | None:
    """Return the letter of a seat, or None where there is no seat."""
    return None if seat is None else SEATS[seat]


def after(seat: Seat, players: int) -> Seat:
    """Return the seat that follows, going round the table."""
    return Seat((seat + 1) % players)


def sides(players: int, *, partners: bool) -> tuple[tuple[Seat, ...], ...]:
    """Return the sides: each player alone, or those who sit opposite each other."""
    count = players // 2 if partners else players
    return tuple(tuple(Seat(seat) for seat in range(first, players, count)) for first in range(count))


#: For so many players, and the seat that is first.
_RINGS: Final = tuple(
    tuple(tuple(Seat((first + n) % players) for n in range(players)) for first in range(players))
    for players in range(len(SEATS) + 1)
)


def ring(first: Seat, players: int) -> tuple[Seat, ...]:
    """Return all the seats in turn, beginning with `first`."""
    return _RINGS[players][first]


@frozen
class Setting:
    """For how many players and with how many packs a game is, who score together, which combinations it names, and how
    many deals must be ended before it may be decided, one at least."""

    players: int
    packs: int
    #: Who score together; and for each seat the first of its side, which has their score.
    sides: tuple[tuple[Seat, ...], ...]
    side_of: tuple[Seat, ...]
    combinations: frozenset[str]
    least_deals: int

    def side(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the player in a seat, and the partner, where there is one."""
        return self.sides[self.side_of[seat]]

    @property
    def letters(self) -> str:
        """The letters of the seats that are taken."""
        return SEATS[: self.players]

    @property
    def side_letters(self) -> str:
        """The letters under which scores stand: those of the seats, or of the first of each two partners."""
        return SEATS[: len(self.sides)]
