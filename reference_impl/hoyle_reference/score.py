"""The score of tricks: what they count as such, the cards in them that count, and the last trick."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from .cards import Card, rank_of, read_rank
from .cells import Cells
from .deal import NEXT_DEALER, next_dealer
from .events import BroughtNothing, DealEnded, Event, LastTrickWon, Scored
from .refusals import Grounds
from .seats import Seat, ring
from .table import Table

TRICK: Final[Grounds] = ("score.trick",)
COUNTING_CARDS: Final[Grounds] = ("score.brisques.ranks", "score.brisques.points")
WHEN_COUNTED: Final[Grounds] = ("score.brisques.when",)
IN_LAST: Final[Grounds] = ("score.brisques.in_the_last_tricks",)
WHO_COUNTS_FIRST: Final[Grounds] = ("score.brisques.counted_first_by",)  # not given where the order decides nothing
WHICH_IS_LAST: Final[Grounds] = ("score.last_trick.which",)
LAST_TRICK: Final[Grounds] = ("score.last_trick.points", "score.last_trick.which")


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """What tricks count (points). `counting` tells for each rank what a card of it counts to the trick's winner."""

    trick: int
    counting: tuple[int, ...]
    as_won: bool
    somebody_counts_first: bool
    last_trick: int
    last_trick_ends_the_drawing: bool


def read(cells: Cells) -> ScoreRules:
    """The rules of this chapter, from the table."""
    counting = [0] * 8
    for rank in cells.words("score.brisques.ranks"):
        counting[read_rank(rank)] = cells.number("score.brisques.points")
    return ScoreRules(
        trick=cells.number("score.trick"),
        counting=tuple(counting),
        as_won=cells.word("score.brisques.when") == "as-won",
        somebody_counts_first="score.brisques.counted_first_by" in cells,
        last_trick=cells.number("score.last_trick.points"),
        last_trick_ends_the_drawing=cells.word("score.last_trick.which") == "last-before-the-stock-is-gone",
    )


def counted(table: Table, cards: Iterable[Card]) -> int:
    """The points that cards count for the player who has won them in tricks."""
    counting = table.rules.score.counting
    return sum(counting[rank_of(card)] for card in cards)


def after_trick(table: Table, taker: Seat) -> Iterator[Event]:
    """What the trick just taken scores; after the last of them, what is counted at the end of the deal."""
    rules, over = table.rules.score, not any(table.hands)
    is_last = table.last_draw if rules.last_trick_ends_the_drawing else over
    points, in_last = counted(table, table.won[taker][-table.players :]), () if table.drawing else IN_LAST
    if rules.trick:
        yield Scored(taker, rules.trick, "trick", TRICK)
    if rules.as_won and points:
        yield Scored(taker, points, "brisques", COUNTING_CARDS + WHEN_COUNTED + in_last)
    elif not rules.trick and not is_last:
        yield BroughtNothing(taker, WHEN_COUNTED if points else TRICK)
    if is_last:
        yield LastTrickWon(taker, WHICH_IS_LAST)
        yield Scored(taker, rules.last_trick, "last-trick", LAST_TRICK + in_last)
    if over:
        yield from _count_at_the_end(table)
        yield DealEnded(next_dealer(table), NEXT_DEALER)


def _count_at_the_end(table: Table) -> Iterator[Event]:
    if table.rules.score.as_won:
        return
    first = table.leader if table.last_trick_won_by is None else table.last_trick_won_by
    order = WHO_COUNTS_FIRST if table.rules.score.somebody_counts_first else ()
    for seat in ring(first, table.players):
        if points := counted(table, table.won[seat]):
            yield Scored(seat, points, "brisques", COUNTING_CARDS + WHEN_COUNTED + order)
