"""The order of players around the table, and the sides that score together."""

from typing import Final, NewType

from .frozen import frozen

Seat = NewType("Seat", int)

SEATS: Final = "ABCD"


def seat_name(seat: Seat) -> str:
    """Return the letter of a seat: A, B, C or D."""
    return SEATS[seat]


def seat_or_none(seat: Seat | None) -> str | None:
    """Return the letter of a seat, or None if there is no seat."""
    return None if seat is None else SEATS[seat]


def after(seat: Seat, players: int) -> Seat:
    """Return the next seat around the table."""
    return Seat((seat + 1) % players)


def sides(players: int, *, partners: bool) -> tuple[tuple[Seat, ...], ...]:
    """Return the sides: each player alone, or the two players opposite each other."""
    count = players // 2 if partners else players
    return tuple(tuple(Seat(seat) for seat in range(first, players, count)) for first in range(count))


#: The seats in turn, for a number of players and a first seat.
_RINGS: Final = tuple(
    tuple(tuple(Seat((first + n) % players) for n in range(players)) for first in range(players))
    for players in range(len(SEATS) + 1)
)


def ring(first: Seat, players: int) -> tuple[Seat, ...]:
    """Return all the seats in turn, beginning with `first`."""
    return _RINGS[players][first]


@frozen
class Setting:
    """The setting of a game: the numbers of players and packs, the sides, the names of combinations, and the number of
    deals (at least one) before the game may be decided."""

    players: int
    packs: int
    #: The sides; and for each seat the first of its side, which has their score.
    sides: tuple[tuple[Seat, ...], ...]
    side_of: tuple[Seat, ...]
    combinations: frozenset[str]
    least_deals: int

    def side(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the player in a seat, and the partner, if there is one."""
        return self.sides[self.side_of[seat]]

    @property
    def letters(self) -> str:
        """The letters of the occupied seats."""
        return SEATS[: self.players]

    @property
    def side_letters(self) -> str:
        """The letters of the scores: those of the seats, or of the first seat of each side."""
        return SEATS[: len(self.sides)]
