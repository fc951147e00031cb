"""Declarations: who may declare what and when, what is scored, and what is kept "to score".

What cards that have scored already may score again is the business of `reuse`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from . import reuse
from .acts import Declare, Hold
from .cards import Card
from .cells import Cells
from .events import Declared, Event, Held, Lapsed, Scored
from .exchange import BESIDE, spent
from .melds import Meld, Melds, compile_meld
from .refusals import Grounds, Violation
from .seats import Seat
from .table import Combination, Phase, Table

WHEN: Final[Grounds] = ("declare.when",)
UNTIL: Final[Grounds] = ("declare.until",)
IN_HAND: Final[Grounds] = ("declare.cards",)
LAID: Final[Grounds] = ("declare.laid",)
STAY_IN_HAND: Final[Grounds] = ("declare.declared_cards",)
PER_TRICK: Final[Grounds] = ("declare.scored_per_trick",)
KEPT: Final[Grounds] = ("declare.to_score",)


@dataclass(frozen=True, slots=True)
class DeclareRules:
    """What may be declared, and how often."""

    melds: Melds
    scored_per_trick: int
    may_keep: bool


def read(cells: Cells) -> DeclareRules:
    """The rules of this chapter, from the table."""
    return DeclareRules(
        melds=Melds(map(compile_meld, cells.rows("declare.melds"))),
        scored_per_trick=cells.number("declare.scored_per_trick"),
        may_keep=cells.word("declare.to_score") == "allowed",
    )


def may_declare(table: Table, act: Declare) -> Violation | None:
    """A combination is scored by the winner of a trick, before drawing, from cards that may (still) score it."""
    refused = _may_lay(table, act.by, act.meld, act.cards)
    if refused is not None:
        return refused
    if spent(table) >= table.rules.declare.scored_per_trick:
        return Violation("one-score-a-trick", PER_TRICK if table.scored_now else BESIDE)
    return reuse.refusal(table, act)


def may_hold(table: Table, act: Hold) -> Violation | None:
    """A combination is kept to score beside another that is scored after the same trick."""
    if not table.rules.declare.may_keep:
        return Violation("nothing-is-kept", KEPT)
    refused = _may_lay(table, act.by, act.meld, act.cards)
    if refused is not None:
        return refused
    if not spent(table):
        return Violation("score-one-first", KEPT)
    if Combination(act.meld, act.cards) in table.kept[act.by]:
        return Violation("already-kept", KEPT)
    return reuse.refusal(table, act)


def _may_lay(table: Table, seat: Seat, meld: str, cards: tuple[Card, ...]) -> Violation | None:
    if table.phase is Phase.PLAY and not table.drawing:
        return Violation("stock-is-gone", UNTIL)
    if table.phase is not Phase.DECLARE or seat != table.turn:
        return Violation("only-after-winning-a-trick", WHEN)
    if not set(cards) <= set(table.hands[seat]):
        return Violation("card-not-held", IN_HAND)
    row = table.rules.declare.melds.by_id[meld]
    return None if row.pattern.fits(cards, table.trumps) else Violation("not-a-combination", (row.path,))


def declare(table: Table, act: Declare) -> Iterator[Event]:
    """The combination is laid on the table and scored; inferior ones kept with its cards may be lost by it."""
    meld = table.rules.declare.melds.by_id[act.meld]
    yield Declared(act.by, act.meld, act.cards, (meld.path, *WHEN, *_liberties(table, act)))
    yield from _lapses_under(table, act.by, meld, act.cards)
    yield Scored(act.by, meld.points, meld.id, (meld.path,))


def hold(table: Table, act: Hold) -> Iterator[Event]:
    """The combination is laid on the table and waits."""
    meld = table.rules.declare.melds.by_id[act.meld]
    yield Held(act.by, act.meld, act.cards, (meld.path, *KEPT, *_liberties(table, act)))


def _liberties(table: Table, act: Declare | Hold) -> Grounds:
    """Where its cards go, and which freedoms this declaration takes: the cells without which it would be refused."""
    kept = Combination(act.meld, act.cards) in table.kept[act.by]
    return (
        *LAID,
        *(KEPT if kept else ()),
        *(STAY_IN_HAND if table.shown[act.by].intersection(act.cards) else ()),
        *(BESIDE if table.claimed_now else ()),
        *reuse.liberties(table, act),
    )


def lapses_by_playing(table: Table, seat: Seat, card: Card) -> Iterator[Lapsed]:
    """What the player kept to score with a card that has now been played is lost (cell `declare.cards`)."""
    yield from _lapses(seat, [kept for kept in table.kept[seat] if card in kept.cards], IN_HAND)


def lapses_with_the_stock(table: Table) -> Iterator[Lapsed]:
    """What anyone still keeps to score when the last card is drawn is lost (cell `declare.until`)."""
    for seat, kept in enumerate(table.kept):
        yield from _lapses(Seat(seat), list(kept), UNTIL)


def _lapses_under(table: Table, seat: Seat, meld: Meld, cards: tuple[Card, ...]) -> Iterator[Lapsed]:
    if table.rules.reuse.lower_stays_kept or not table.kept[seat]:
        return
    melds = table.rules.declare.melds.by_id
    lost = [
        kept
        for kept in table.kept[seat]
        if melds[kept.meld].kind in meld.over and not set(kept.cards).isdisjoint(cards)
    ]
    yield from _lapses(seat, lost, reuse.LOWER_KEPT)


def _lapses(seat: Seat, lost: Iterable[Combination], grounds: Grounds) -> Iterator[Lapsed]:
    for combination in lost:
        yield Lapsed(seat, combination.meld, combination.cards, grounds)


def choices_to_declare(table: Table) -> Iterator[Declare]:
    """Every combination that may be scored now, each with its very cards."""
    if table.phase is Phase.DECLARE and spent(table) < table.rules.declare.scored_per_trick:
        for meld, cards in table.rules.declare.melds.held(table.hands[table.turn], table.trumps):
            act = Declare(table.turn, meld.id, cards)
            if reuse.refusal(table, act) is None:
                yield act


def choices_to_hold(table: Table) -> Iterator[Hold]:
    """Every combination that may be kept to score now."""
    if table.rules.declare.may_keep and spent(table):
        for meld, cards in table.rules.declare.melds.held(table.hands[table.turn], table.trumps):
            act = Hold(table.turn, meld.id, cards)
            if Combination(act.meld, act.cards) not in table.kept[act.by] and reuse.refusal(table, act) is None:
                yield act
