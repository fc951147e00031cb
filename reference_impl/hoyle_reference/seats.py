"""Seats: who sits where, and who follows whom round the table."""

from typing import Final, NewType

Seat = NewType("Seat", int)

SEATS: Final = "ABCD"


def seat_name(seat: Seat) -> str:
    """The letter of a seat: A, B, C or D."""
    return SEATS[seat]


def seat_or_none(seat: Seat | None) -> str | None:
    """The letter of a seat, where there is one."""
    return None if seat is None else SEATS[seat]


def after(seat: Seat, players: int) -> Seat:
    """The seat that follows, going round the table."""
    return Seat((seat + 1) % players)


def sides(players: int, *, partners: bool) -> tuple[tuple[Seat, ...], ...]:
    """Who score together: each player alone, or those who sit opposite each other."""
    count = players // 2 if partners else players
    return tuple(tuple(Seat(seat) for seat in range(first, players, count)) for first in range(count))


def ring(first: Seat, players: int) -> tuple[Seat, ...]:
    """All the seats in turn, beginning with `first`."""
    return tuple(Seat((first + n) % players) for n in range(players))
