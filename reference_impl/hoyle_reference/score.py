"""The score of tricks: what they count as such, the cards in them that count, the last trick, and winning most or all.

A table has the parts of this chapter that its game has.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from . import settle
from .brisques import counted
from .cards import Card, read_rank
from .cells import Cells
from .deal import next_dealer
from .endings import DealEnded
from .events import BroughtNothing, Event, LastTrickWon, NobodyScores, Scored
from .refusals import Grounds
from .seats import Seat, ring
from .table import Table

TRICK: Final[Grounds] = ("score.trick",)
LEAD: Final[Grounds] = ("score.lead",)
CAPTURE: Final[Grounds] = ("score.capture",)
COUNTING_CARDS: Final[Grounds] = ("score.brisques.ranks", "score.brisques.points")
WHEN_COUNTED: Final[Grounds] = ("score.brisques.when",)
IN_LAST: Final[Grounds] = ("score.brisques.in_the_last_tricks",)
WHO_COUNTS_FIRST: Final[Grounds] = ("score.brisques.counted_first_by",)  # not given where the order decides nothing
WHICH_IS_LAST: Final[Grounds] = ("score.last_trick.which",)
LAST_TRICK: Final[Grounds] = ("score.last_trick.points", "score.last_trick.which")
CARDS: Final[Grounds] = ("score.cards.points", "score.cards.for", "score.cards.when")
CAPOT: Final[Grounds] = ("score.capot.points",)
CAPOT_AND_CARDS: Final[Grounds] = ("score.capot.and_cards",)


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """What tricks count (points; 0 for what does not score in this game). `counting` tells for each rank what a card of
    it counts to the trick's winner."""

    lead: int
    capture: int
    trick: int
    a_trick_may_bring_nothing: bool
    counting: tuple[int, ...]
    as_won: bool
    at_the_end: bool
    somebody_counts_first: bool
    last_trick: int
    last_trick_ends_the_drawing: bool
    cards: int
    capot: int
    cards_beside_capot: bool
    #: Why cards still count in the tricks after which nobody draws.
    in_the_last_tricks: Grounds
    #: Why cards count what they count.
    counted_by: Grounds


def read(cells: Cells) -> ScoreRules:
    """The rules of this chapter, from the table."""

    def points(path: str) -> int:
        return cells.number(path) if path in cells else 0

    return ScoreRules(
        lead=points("score.lead"),
        capture=points("score.capture"),
        trick=points("score.trick"),
        a_trick_may_bring_nothing=points("score.trick") == 0 and "score.trick" in cells,
        counting=_counting(cells),
        as_won="score.brisques.when" not in cells or cells.word("score.brisques.when") == "as-won",
        at_the_end="score.brisques.when" in cells and cells.word("score.brisques.when") == "end-of-deal",
        somebody_counts_first="score.brisques.counted_first_by" in cells,
        last_trick=cells.number("score.last_trick.points"),
        last_trick_ends_the_drawing=cells.word("score.last_trick.which") == "last-before-the-stock-is-gone",
        cards=points("score.cards.points"),
        capot=points("score.capot.points"),
        cards_beside_capot="score.capot.and_cards" in cells and cells.word("score.capot.and_cards") == "both",
        in_the_last_tricks=IN_LAST if IN_LAST[0] in cells else (),
        counted_by=COUNTING_CARDS if COUNTING_CARDS[0] in cells else TRICK,
    )


def _counting(cells: Cells) -> tuple[int, ...]:
    counting = [0] * 8
    for rank in cells.words("score.brisques.ranks") if "score.brisques.ranks" in cells else ():
        counting[read_rank(rank)] = cells.number("score.brisques.points")
    return tuple(counting)


def for_leading(table: Table, seat: Seat, _card: Card) -> Iterable[Event]:
    """What leading to a trick scores (cell `score.lead`)."""
    return _for_tricks(table, seat, table.rules.score.lead, "lead", LEAD) if len(table.trick) == 1 else ()


def _for_tricks(table: Table, seat: Seat, points: int, what: str, grounds: Grounds) -> Iterator[Event]:
    """Points for tricks, and whatever follows from them."""
    yield Scored(seat, points, what, grounds)
    for follows in table.rules.on_trick_points:
        yield from follows(table, seat, points)


def after_trick(table: Table, taker: Seat, leader: Seat) -> Iterator[Event]:
    """What the trick just taken scores; after the last of them, what is counted at the end of the deal."""
    rules, over = table.rules.score, not any(table.hands)
    is_last = table.last_draw if rules.last_trick_ends_the_drawing else over
    points = counted(table, table.won[taker][-table.players :])
    in_last = () if table.drawing else rules.in_the_last_tricks
    if rules.trick:
        yield from _for_tricks(table, taker, rules.trick, "trick", TRICK)
    if rules.capture and taker != leader:
        yield from _for_tricks(table, taker, rules.capture, "capture", CAPTURE)
    if rules.as_won and points:
        yield Scored(taker, points, "brisques", COUNTING_CARDS + WHEN_COUNTED + in_last)
    elif rules.a_trick_may_bring_nothing and not is_last:
        yield BroughtNothing(taker, WHEN_COUNTED if points else TRICK)
    if is_last:
        yield LastTrickWon(taker, WHICH_IS_LAST)
        yield from _for_tricks(table, taker, rules.last_trick, "last-trick", LAST_TRICK + in_last)
    if over:
        yield from _count_at_the_end(table)
        why = table.rules.deal.passes_on + settle.of_deals(table)
        yield DealEnded(next_dealer(table), why or settle.GAME)


def _count_at_the_end(table: Table) -> Iterator[Event]:
    if table.rules.score.cards or table.rules.score.capot:
        yield from _cards_or_capot(table)
    if not table.rules.score.at_the_end:
        return
    first = table.leader if table.last_trick_won_by is None else table.last_trick_won_by
    order = WHO_COUNTS_FIRST if table.rules.score.somebody_counts_first else ()
    for seat in ring(first, table.players):
        if points := counted(table, table.won[seat]):
            yield Scored(seat, points, "brisques", COUNTING_CARDS + WHEN_COUNTED + order)


def _cards_or_capot(table: Table) -> Iterator[Event]:
    """The bonus for winning most of the tricks, or all of them (cells `score.cards.*`, `score.capot.*`)."""
    rules, all_tricks = table.rules.score, table.rules.deal.hand_size
    seat = max(ring(Seat(0), table.players), key=lambda seat: len(table.won[seat]))
    won = len(table.won[seat]) // table.players
    capot = bool(rules.capot) and won == all_tricks
    if capot:
        yield Scored(seat, rules.capot, "capot", CAPOT + (CAPOT_AND_CARDS if rules.cards else ()))
    if rules.cards and 2 * won == all_tricks:
        yield NobodyScores("cards", CARDS)
    elif rules.cards and (rules.cards_beside_capot or not capot):
        yield Scored(seat, rules.cards, "cards", CARDS + (CAPOT_AND_CARDS if capot else ()))
