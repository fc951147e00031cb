"""Declarations: who may declare what and when, what is scored, and what is kept "to score".

What cards that have scored already may score again is the business of `reuse`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from . import reuse
from .acts import Declare, Hold
from .cards import Card, suit_of
from .cells import Cells
from .deal import TRUMPS_MADE
from .events import Declared, Event, Held, Lapsed, Scored, TakenUp, TrumpsMade
from .melds import Meld, Melds, compile_meld
from .moments import BESIDE, TRICKS_FIRST, spent, too_early
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
AFTER_THE_STOCK: Final[Grounds] = ("declare.when_the_stock_is_gone",)


@dataclass(frozen=True, slots=True)
class DeclareRules:
    """What may be declared, when, and how often; `tricks_won_first` is a number of tricks."""

    melds: Melds
    several_after_one_trick: bool
    tricks_won_first: int
    before_the_last_draw: bool
    may_keep: bool
    kept_from_what_is_shown: bool
    taken_up_after_the_stock: bool


def read(cells: Cells) -> DeclareRules:
    """The rules of this chapter, from the table."""
    return DeclareRules(
        melds=Melds(map(compile_meld, cells.rows("declare.melds"))),
        several_after_one_trick=cells.word("declare.scored_per_trick") == "any-that-share-no-card",
        tricks_won_first=cells.number("declare.tricks_won_first"),
        before_the_last_draw=cells.word("declare.until") == "stock-is-gone",
        may_keep=cells.word("declare.to_score") != "refused",
        kept_from_what_is_shown=cells.word("declare.to_score") == "from-cards-already-shown",
        taken_up_after_the_stock=cells.word("declare.when_the_stock_is_gone") == "are-taken-up",
    )


def may_declare(table: Table, act: Declare) -> Violation | None:
    """A combination is scored by the winner of a trick, before drawing, from cards that may (still) score it."""
    refused = _may_lay(table, act.by, act.meld, act.cards)
    if refused is not None:
        return refused
    return _beside_the_others(table, act) or reuse.refusal(table, act)


def _beside_the_others(table: Table, act: Declare) -> Violation | None:
    """What has been scored after the same trick may leave no room for another, or only for one of other cards."""
    if not table.rules.declare.several_after_one_trick:
        return Violation("one-score-a-trick", PER_TRICK if table.scored_now else BESIDE) if spent(table) else None
    scored = table.scored[act.by][len(table.scored[act.by]) - table.scored_now :]
    shared = any(not set(act.cards).isdisjoint(each.cards) for each in scored)
    return Violation("shares-a-card", PER_TRICK) if shared else None


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
    if table.rules.declare.kept_from_what_is_shown and not table.shown[act.by].issuperset(act.cards):
        return Violation("not-shown-yet", KEPT)
    return reuse.refusal(table, act)


def not_the_moment(table: Table, seat: Seat) -> Violation | None:
    """Why a player may declare nothing now, whatever the cards."""
    if table.phase is Phase.PLAY and not table.drawing:
        return Violation("stock-is-gone", UNTIL)
    if table.phase is not Phase.DECLARE or seat != table.turn:
        return Violation("only-after-winning-a-trick", WHEN)
    if table.last_draw and not table.rules.declare.before_the_last_draw:
        return Violation("too-late-to-declare", UNTIL)
    return Violation("too-few-tricks-won", TRICKS_FIRST) if too_early(table, seat) else None


def _may_lay(table: Table, seat: Seat, meld: str, cards: tuple[Card, ...]) -> Violation | None:
    closed = not_the_moment(table, seat)
    if closed is not None:
        return closed
    if not set(cards) <= set(table.hands[seat]):
        return Violation("card-not-held", IN_HAND)
    row = table.rules.declare.melds.by_id[meld]
    return None if row.pattern.fits(cards, table.trumps) else Violation("not-a-combination", (row.path,))


def declare(table: Table, act: Declare) -> Iterator[Event]:
    """The combination is laid on the table and scored; it may make trumps; inferior ones kept with its cards may be
    lost by it."""
    meld = table.rules.declare.melds.by_id[act.meld]
    yield Declared(act.by, act.meld, act.cards, (meld.path, *WHEN, *_liberties(table, act)))
    if meld.makes_trumps and table.trumps is None:
        yield TrumpsMade(suit_of(act.cards[0]), TRUMPS_MADE)
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
        *(PER_TRICK if table.scored_now and isinstance(act, Declare) else ()),
        *TRICKS_FIRST,
        *(UNTIL if table.last_draw else ()),
        *(STAY_IN_HAND if table.shown[act.by].intersection(act.cards) else ()),
        *(BESIDE if table.claimed_now else ()),
        *reuse.liberties(table, act),
    )


def lapses_by_playing(table: Table, seat: Seat, card: Card) -> Iterable[Lapsed]:
    """What the player kept to score with a card that has now been played is lost (cell `declare.cards`)."""
    if not table.kept[seat]:
        return ()
    return _lapses(seat, [kept for kept in table.kept[seat] if card in kept.cards], IN_HAND)


def ends_with_the_stock(table: Table) -> Iterator[Lapsed | TakenUp]:
    """What anyone still keeps to score when the last card is drawn is lost, and what lies on the table may be taken up
    (cells `declare.until`, `declare.when_the_stock_is_gone`)."""
    for seat, kept in enumerate(table.kept):
        yield from _lapses(Seat(seat), list(kept), UNTIL)
    if table.rules.declare.taken_up_after_the_stock:
        yield TakenUp(AFTER_THE_STOCK)


def _lapses_under(table: Table, seat: Seat, meld: Meld, cards: tuple[Card, ...]) -> Iterator[Lapsed]:
    rules = table.rules.reuse
    if rules.lower_stays_kept or rules.lower_after_higher or not table.kept[seat]:
        return
    melds = table.rules.declare.melds.by_id
    lost = [
        kept for kept in table.kept[seat] if melds[kept.meld].kind in meld.over and reuse.bars(table, cards, kept.cards)
    ]
    yield from _lapses(seat, lost, reuse.LOWER_KEPT)


def _lapses(seat: Seat, lost: Iterable[Combination], grounds: Grounds) -> Iterator[Lapsed]:
    for combination in lost:
        yield Lapsed(seat, combination.meld, combination.cards, grounds)


def choices_to_declare(table: Table) -> Iterator[Declare]:
    """Every combination that may be scored now, each with its very cards."""
    if not_the_moment(table, table.turn) is not None:
        return
    if spent(table) and not table.rules.declare.several_after_one_trick:
        return
    for meld, cards in table.rules.declare.melds.held(table.hands[table.turn], table.trumps):
        act = Declare(table.turn, meld.id, cards)
        if _beside_the_others(table, act) is None and reuse.refusal(table, act) is None:
            yield act


def choices_to_hold(table: Table) -> Iterator[Hold]:
    """Every combination that may be kept to score now."""
    rules = table.rules.declare
    if rules.may_keep and spent(table) and not_the_moment(table, table.turn) is None:
        hand = table.shown[table.turn] if rules.kept_from_what_is_shown else table.hands[table.turn]
        for meld, cards in rules.melds.held(tuple(hand), table.trumps):
            act = Hold(table.turn, meld.id, cards)
            if Combination(act.meld, act.cards) not in table.kept[act.by] and reuse.refusal(table, act) is None:
                yield act
