"""Observation: what one player may see, and nothing else."""

from dataclasses import dataclass

from .cards import Card, Suit
from .seats import Seat
from .table import Blank, Called, Combination, Phase, Table


@dataclass(frozen=True, slots=True)
class Observation:
    """A position as one seat sees it: its own hand, what lies open, and how many cards lie hidden elsewhere."""

    seat: Seat
    phase: Phase
    turn: Seat
    dealer: Seat | None
    trumps: Suit | None
    turn_up: Card | None
    hand: tuple[Card, ...]
    #: The declared cards in front of each seat.
    shown: tuple[tuple[Card, ...], ...]
    #: How many cards each seat holds, shown ones included.
    held: tuple[int, ...]
    stock: int
    trick: tuple[Card, ...]
    #: How many cards each seat has won.
    won: tuple[int, ...]
    #: What each side has scored and keeps, under its first seat, and its points.
    scored: tuple[tuple[Combination, ...], ...]
    kept: tuple[tuple[Combination, ...], ...]
    score: tuple[int, ...]
    #: Who leads to the trick, or has won the last one.
    leader: Seat
    #: Who has won the trick that counts as the last, once it is over.
    last_trick_won_by: Seat | None
    #: The cards that have scored by themselves.
    claimed: frozenset[Card]
    #: How many combinations, and how many such cards, have scored since the last trick.
    scored_now: int
    claimed_now: int
    #: What the player has put away, and how many cards each has.
    discarded: tuple[Card, ...]
    discards: tuple[int, ...]
    #: Cards elsewhere that the player has seen.
    seen: frozenset[Card]
    blanks: tuple[Blank, ...]
    called: Called
    made: tuple[int, ...]


def _own_discards(table: Table, seat: Seat) -> tuple[Card, ...]:
    """What a player has put away, if it may be looked at again (cell `talon.discards`)."""
    away = table.discards[seat]
    return tuple(sorted(away)) if away and table.rules.talon.discards_may_be_seen else ()


def _blank(table: Table, seat: Seat, other: int) -> Blank:
    """What has become of a carte blanche, as far as a player knows: a card drawn by another lies hidden."""
    blank = table.blanks[other]
    return Blank.SCORED if other != seat and blank in {Blank.DRAWN, Blank.OVER} else blank


def observe(table: Table, seat: Seat) -> Observation:
    """The position as the player in `seat` sees it."""
    return Observation(
        seat=seat,
        phase=table.phase,
        turn=table.turn,
        dealer=table.dealer,
        trumps=table.trumps,
        turn_up=table.turn_up,
        hand=tuple(sorted(table.hands[seat])),
        shown=tuple(tuple(sorted(cards)) for cards in table.shown),
        held=tuple(map(len, table.hands)),
        stock=len(table.stock),
        trick=tuple(table.trick),
        won=tuple(map(len, table.won)),
        scored=tuple(map(tuple, table.scored)),
        kept=tuple(map(tuple, table.kept)),
        score=tuple(table.score),
        leader=table.leader,
        last_trick_won_by=table.last_trick_won_by,
        claimed=frozenset(table.claimed),
        scored_now=table.scored_now,
        claimed_now=table.claimed_now,
        discarded=_own_discards(table, seat),
        discards=tuple(map(len, table.discards)),
        seen=frozenset(table.seen[seat]),
        blanks=tuple(_blank(table, seat, other) for other in range(table.players)),
        called=table.called,
        made=tuple(table.made),
    )
