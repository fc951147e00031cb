"""Declarations: who may declare what and when, what is scored, and what is kept "to score".

What cards that have scored already may score again is the business of `reuse`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from .seats import Seat, ring
from .table import Combination, Phase, Table

WHEN: Final[Grounds] = ("declare.when",)
WHO: Final[Grounds] = ("declare.by",)
UNTIL: Final[Grounds] = ("declare.until",)
IN_HAND: Final[Grounds] = ("declare.cards",)
LAID: Final[Grounds] = ("declare.laid",)
STAY_IN_HAND: Final[Grounds] = ("declare.declared_cards",)
PER_TRICK: Final[Grounds] = ("declare.scored_per_trick",)
KEPT: Final[Grounds] = ("declare.to_score",)
TIMES: Final[Grounds] = ("declare.every_score_times",)
AFTER_THE_STOCK: Final[Grounds] = ("declare.when_the_stock_is_gone",)


@dataclass(frozen=True, slots=True)
class DeclareRules:
    """What may be declared, when, and how often; `tricks_won_first` is a number of tricks."""

    melds: Melds
    #: Why the points are those of the table, or some multiple of them, where that is a question.
    multiplied: Grounds
    several_after_one_trick: bool
    tricks_won_first: int
    before_the_last_draw: bool
    #: Whether the trick winner's partner may declare, and cards of the partner that lie on the table may be used.
    by_the_partner: bool
    who: Grounds
    with_the_partners_cards: bool
    may_keep: bool
    kept_from_what_is_shown: bool
    taken_up_after_the_stock: bool


def read(cells: Cells) -> DeclareRules:
    """The rules of this chapter, from the table."""
    return DeclareRules(
        melds=Melds(_melds(cells)),
        multiplied=TIMES if TIMES[0] in cells else (),
        several_after_one_trick=cells.word("declare.scored_per_trick") == "any-that-share-no-card",
        tricks_won_first=cells.number("declare.tricks_won_first"),
        before_the_last_draw=cells.word("declare.until") == "stock-is-gone",
        who=WHO if WHO[0] in cells else (),
        by_the_partner="declare.by" in cells and cells.word("declare.by") == "trick-winner-or-partner",
        with_the_partners_cards=cells.word("declare.cards") == "own-and-partners-on-the-table",
        may_keep=cells.word("declare.to_score") != "refused",
        kept_from_what_is_shown=cells.word("declare.to_score") == "from-cards-already-shown",
        taken_up_after_the_stock=cells.word("declare.when_the_stock_is_gone") == "are-taken-up",
    )


def _melds(cells: Cells) -> Iterator[Meld]:
    """The combinations, at the points that they score: those of the table, or some multiple of them (cell
    `declare.every_score_times`)."""
    times = cells.number(TIMES[0]) if TIMES[0] in cells else 1
    for row in cells.rows("declare.melds"):
        meld = compile_meld(row)
        yield meld if row.value.get("own_score") else replace(meld, points=times * meld.points)


def within_reach(table: Table, seat: Seat) -> Sequence[Card]:
    """The cards of which a player may make combinations: the own, and those of a partner that lie on the table, where
    these may be used (cell `declare.cards`)."""
    own = table.hands[seat]
    if not table.rules.declare.with_the_partners_cards:
        return own
    return own + sorted(card for each in table.rules.side(seat) if each != seat for card in table.shown[each])


def declarers(table: Table) -> tuple[Seat, ...]:
    """Who may declare after the trick: its winner, and perhaps the partner (cell `declare.by`)."""
    if not table.rules.declare.by_the_partner:
        return (table.turn,)
    return tuple(seat for seat in ring(table.turn, table.players) if seat in table.rules.side(table.turn))


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
    history = table.scored[table.rules.side_of[act.by]]
    scored = history[len(history) - table.scored_now :]
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
    if Combination(act.meld, act.cards) in table.kept[table.rules.side_of[act.by]]:
        return Violation("already-kept", KEPT)
    if table.rules.declare.kept_from_what_is_shown and not set(act.cards) <= _on_the_table(table, act.by):
        return Violation("not-shown-yet", KEPT)
    return reuse.refusal(table, act)


def _on_the_table(table: Table, seat: Seat) -> set[Card]:
    """Those of the cards within a player's reach that lie on the table."""
    shown = set().union(*(table.shown[each] for each in table.rules.side(seat)))
    return shown.intersection(within_reach(table, seat))


def not_the_moment(table: Table, seat: Seat) -> Violation | None:
    """Why a player may declare nothing now, whatever the cards."""
    if table.phase is Phase.PLAY and not table.drawing:
        return Violation("stock-is-gone", UNTIL)
    if table.phase is not Phase.DECLARE:
        return Violation("only-after-winning-a-trick", WHEN)
    if seat not in declarers(table):
        return Violation("only-after-winning-a-trick", WHEN + table.rules.declare.who)
    if table.last_draw and not table.rules.declare.before_the_last_draw:
        return Violation("too-late-to-declare", UNTIL)
    return Violation("too-few-tricks-won", TRICKS_FIRST) if too_early(table, seat) else None


def _may_lay(table: Table, seat: Seat, meld: str, cards: tuple[Card, ...]) -> Violation | None:
    closed = not_the_moment(table, seat)
    if closed is not None:
        return closed
    if not set(cards) <= set(within_reach(table, seat)):
        return Violation("card-not-held", IN_HAND)
    row = table.rules.declare.melds.by_id[meld]
    return None if row.pattern.fits(cards, table.trumps) else Violation("not-a-combination", (row.path,))


def declare(table: Table, act: Declare) -> Iterator[Event]:
    """The combination is laid on the table and scored; it may make trumps; inferior ones kept with its cards may be
    lost by it."""
    meld = table.rules.declare.melds.by_id[act.meld]
    yield Declared(act.by, act.meld, act.cards, (meld.path, *WHEN, *_liberties(table, act)))
    if meld.makes_trumps and table.trumps is None and table.rules.deal.declarations_make_trumps:
        yield TrumpsMade(suit_of(act.cards[0]), TRUMPS_MADE)
        yield from _no_more_of_trumps(table)
    yield from _lapses_under(table, act.by, meld, act.cards)
    yield Scored(act.by, meld.points, meld.id, (meld.path, *table.rules.declare.multiplied))


def hold(table: Table, act: Hold) -> Iterator[Event]:
    """The combination is laid on the table and waits."""
    meld = table.rules.declare.melds.by_id[act.meld]
    yield Held(act.by, act.meld, act.cards, (meld.path, *KEPT, *_liberties(table, act)))


def _liberties(table: Table, act: Declare | Hold) -> Grounds:
    """Where its cards go, and which freedoms this declaration takes: the cells without which it would be refused."""
    kept = Combination(act.meld, act.cards) in table.kept[table.rules.side_of[act.by]]
    partners = set(act.cards).difference(table.hands[act.by])
    return (
        *LAID,
        *table.rules.declare.who,
        *(IN_HAND if partners else ()),
        *(KEPT if kept else ()),
        *(PER_TRICK if table.scored_now and isinstance(act, Declare) else ()),
        *TRICKS_FIRST,
        *(UNTIL if table.last_draw else ()),
        *(STAY_IN_HAND if partners or table.shown[act.by].intersection(act.cards) else ()),
        *(BESIDE if table.claimed_now else ()),
        *reuse.liberties(table, act),
    )


def lapses_by_playing(table: Table, seat: Seat, card: Card) -> Iterable[Lapsed]:
    """What the player kept to score with a card that has now been played is lost (cell `declare.cards`)."""
    side = table.rules.side_of[seat]
    if not table.kept[side]:
        return ()
    return _lapses(side, [kept for kept in table.kept[side] if card in kept.cards], IN_HAND)


def _no_more_of_trumps(table: Table) -> Iterator[Lapsed]:
    """What was kept to score as a combination of trumps, and is of another suit now that there are trumps."""
    melds = table.rules.declare.melds.by_id
    for seat, kept in enumerate(table.kept):
        lost = [each for each in kept if not melds[each.meld].pattern.fits(each.cards, table.trumps)]
        yield from _lapses(Seat(seat), lost, TRUMPS_MADE)


def left_lying(table: Table) -> Grounds:
    """Why cards that lie on the table stay there when the stock is gone, if some do (cell
    `declare.when_the_stock_is_gone`)."""
    return AFTER_THE_STOCK if any(table.shown) and not table.rules.declare.taken_up_after_the_stock else ()


def ends_with_the_stock(table: Table) -> Iterator[Lapsed | TakenUp]:
    """What anyone still keeps to score when the last card is drawn is lost, and what lies on the table may be taken up
    (cells `declare.until`, `declare.when_the_stock_is_gone`)."""
    for seat, kept in enumerate(table.kept):
        yield from _lapses(Seat(seat), list(kept), UNTIL)
    if table.rules.declare.taken_up_after_the_stock:
        yield TakenUp(AFTER_THE_STOCK)


def _lapses_under(table: Table, seat: Seat, meld: Meld, cards: tuple[Card, ...]) -> Iterator[Lapsed]:
    rules = table.rules.reuse
    side = table.rules.side_of[seat]
    if rules.lower_stays_kept or rules.lower_after_higher or not table.kept[side]:
        return
    melds = table.rules.declare.melds.by_id
    lost = [
        kept for kept in table.kept[side] if melds[kept.meld].kind in meld.over and reuse.bars(table, cards, kept.cards)
    ]
    yield from _lapses(side, lost, reuse.LOWER_KEPT)


def _lapses(seat: Seat, lost: Iterable[Combination], grounds: Grounds) -> Iterator[Lapsed]:
    for combination in lost:
        yield Lapsed(seat, combination.meld, combination.cards, grounds)


def choices_to_declare(table: Table) -> Iterator[Declare]:
    """Every combination that may be scored now, each with its very cards."""
    for seat in declarers(table):
        yield from choices_of(table, seat)


def choices_of(table: Table, seat: Seat) -> Iterator[Declare]:
    """Every combination that this player may score now."""
    if not_the_moment(table, seat) is not None:
        return
    if spent(table) and not table.rules.declare.several_after_one_trick:
        return
    for meld, cards in table.rules.declare.melds.held(within_reach(table, seat), table.trumps):
        act = Declare(seat, meld.id, cards)
        if _beside_the_others(table, act) is None and reuse.refusal(table, act) is None:
            yield act


def choices_to_hold(table: Table) -> Iterator[Hold]:
    """Every combination that may be kept to score now."""
    if table.rules.declare.may_keep and spent(table):
        for seat in (each for each in declarers(table) if not_the_moment(table, each) is None):
            yield from _to_hold(table, seat)


def _to_hold(table: Table, seat: Seat) -> Iterator[Hold]:
    rules, kept = table.rules.declare, table.kept[table.rules.side_of[seat]]
    cards_ = sorted(_on_the_table(table, seat)) if rules.kept_from_what_is_shown else within_reach(table, seat)
    for meld, cards in rules.melds.held(tuple(cards_), table.trumps):
        act = Hold(seat, meld.id, cards)
        if Combination(act.meld, act.cards) not in kept and reuse.refusal(table, act) is None:
            yield act
