"""Declarations: who may declare what and when, what is scored, and what is kept "to score".

The heart of it is re-use: which cards may score which combination again, given what they have scored. It is read from
the combinations each player has scored in this deal, which the table keeps with their very cards.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

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
STAY_IN_HAND: Final[Grounds] = ("declare.declared_cards",)
PER_TRICK: Final[Grounds] = ("declare.scored_per_trick",)
KEPT: Final[Grounds] = ("declare.to_score",)
NEW_CARD: Final[Grounds] = ("declare.new_card",)
SAME_KIND: Final[Grounds] = ("declare.same_kind",)
OTHER_KIND: Final[Grounds] = ("declare.other_kind",)
HIGHER: Final[Grounds] = ("declare.higher_after_lower",)
LOWER: Final[Grounds] = ("declare.lower_after_higher",)
LOWER_KEPT: Final[Grounds] = ("declare.lower_kept_when_higher_scores",)


@dataclass(frozen=True, slots=True)
class DeclareRules:
    """What may be declared, and how often."""

    melds: Melds
    scored_per_trick: int
    may_keep: bool
    new_card_needed: bool
    kind_once: bool
    other_kind: bool
    higher_after_lower: bool
    lower_after_higher: bool
    lower_stays_kept: bool


def read(cells: Cells) -> DeclareRules:
    """The rules of this chapter, from the table."""

    def allowed(path: str) -> bool:
        return cells.word(path) == "allowed"

    return DeclareRules(
        melds=Melds(map(compile_meld, cells.rows("declare.melds"))),
        scored_per_trick=cells.number("declare.scored_per_trick"),
        may_keep=allowed("declare.to_score"),
        new_card_needed=cells.word("declare.new_card") == "needed",
        kind_once=cells.word("declare.same_kind") == "unused-cards-only",
        other_kind=allowed("declare.other_kind"),
        higher_after_lower=allowed("declare.higher_after_lower"),
        lower_after_higher=allowed("declare.lower_after_higher"),
        lower_stays_kept=cells.word("declare.lower_kept_when_higher_scores") == "stays",
    )


@dataclass(frozen=True, slots=True)
class Uses:
    """What the cards of a combination have scored already in this deal: in the same kind, in combinations superior to
    it, in combinations it is superior to, and in others."""

    same: frozenset[Card]
    higher: frozenset[Card]
    lower: frozenset[Card]
    other: frozenset[Card]


def uses(table: Table, meld: Meld, cards: Iterable[Card], scored: Iterable[Combination]) -> Uses:
    """The uses that `cards` have had in the combinations scored."""
    melds = table.rules.declare.melds.by_id
    found: dict[str, set[Card]] = {"same": set(), "higher": set(), "lower": set(), "other": set()}
    for combination in scored:
        earlier = melds[combination.meld]
        if earlier.kind == meld.kind:
            relation = "same"
        elif meld.kind in earlier.over:
            relation = "higher"
        elif earlier.kind in meld.over:
            relation = "lower"
        else:
            relation = "other"
        found[relation].update(combination.cards)
    wanted = frozenset(cards)
    return Uses(**{relation: wanted & used for relation, used in found.items()})


def may_declare(table: Table, act: Declare) -> Violation | None:
    """A combination is scored by the winner of a trick, before drawing, from cards that may (still) score it."""
    refused = _may_lay(table, act.by, act.meld, act.cards)
    if refused is not None:
        return refused
    if spent(table) >= table.rules.declare.scored_per_trick:
        return Violation("one-score-a-trick", PER_TRICK if table.scored_now else BESIDE)
    return _reusable(table, act)


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
    return _reusable(table, act)


def _may_lay(table: Table, seat: Seat, meld: str, cards: tuple[Card, ...]) -> Violation | None:
    if not table.drawing:
        return Violation("stock-is-gone", UNTIL)
    if table.phase is not Phase.DECLARE or seat != table.turn:
        return Violation("only-after-winning-a-trick", WHEN)
    if not set(cards) <= set(table.hands[seat]):
        return Violation("card-not-held", IN_HAND)
    row = table.rules.declare.melds.by_id[meld]
    return None if row.pattern.fits(cards, table.trumps) else Violation("not-a-combination", (row.path,))


def _reusable(table: Table, act: Declare | Hold) -> Violation | None:
    """What the cards have scored already may bar them from this combination."""
    scored = table.scored[act.by]
    if not scored:
        return None
    meld = table.rules.declare.melds.by_id[act.meld]
    used = uses(table, meld, act.cards, scored)
    return _barred_by_use(table, meld, act, used) or _lacks_new_cards(table, meld, act, used)


def _barred_by_use(table: Table, meld: Meld, act: Declare | Hold, used: Uses) -> Violation | None:
    rules = table.rules.declare
    if used.same and rules.kind_once:
        return Violation("used-in-this-kind", (*SAME_KIND, meld.path))
    if used.higher and not rules.lower_after_higher and not _kept_beside_higher(table, meld, act):
        kept = LOWER_KEPT if isinstance(act, Hold) else ()
        return Violation("used-in-a-higher-combination", (*LOWER, *kept, meld.path))
    if used.lower and not rules.higher_after_lower:
        return Violation("used-in-a-lower-combination", HIGHER)
    return Violation("used-in-another-kind", OTHER_KIND) if used.other and not rules.other_kind else None


def _lacks_new_cards(table: Table, meld: Meld, act: Declare | Hold, used: Uses) -> Violation | None:
    if len(act.cards) - len(used.same | used.lower) < meld.unused:
        return Violation("no-unused-card", (meld.path,))
    if table.rules.declare.new_card_needed and not _has_new_card(act.cards, table.scored[act.by]):
        return Violation("no-unused-card", NEW_CARD)
    return None


def _has_new_card(cards: Iterable[Card], scored: Iterable[Combination]) -> bool:
    return not set(cards) <= {card for combination in scored for card in combination.cards}


def _kept_beside_higher(table: Table, meld: Meld, act: Declare | Hold) -> bool:
    """Whether a combination may be scored after one superior to it, because it was kept to score before or with it."""
    if not table.rules.declare.lower_stays_kept:
        return False
    if Combination(act.meld, act.cards) in table.kept[act.by]:
        return True
    before = table.scored[act.by][: -table.scored_now or None]
    return isinstance(act, Hold) and not uses(table, meld, act.cards, before).higher


def declare(table: Table, act: Declare) -> Iterator[Event]:
    """The combination is laid on the table and scored; inferior ones kept with its cards may be lost by it."""
    meld = table.rules.declare.melds.by_id[act.meld]
    yield Declared(act.by, act.meld, act.cards, (meld.path, *WHEN, *_liberties(table, meld, act)))
    yield from _lapses_under(table, act.by, meld, act.cards)
    yield Scored(act.by, meld.points, meld.id, (meld.path,))


def hold(table: Table, act: Hold) -> Iterator[Event]:
    """The combination is laid on the table and waits."""
    meld = table.rules.declare.melds.by_id[act.meld]
    yield Held(act.by, act.meld, act.cards, (meld.path, *KEPT, *_liberties(table, meld, act)))


def _liberties(table: Table, meld: Meld, act: Declare | Hold) -> Grounds:
    """Which freedoms this declaration makes use of: the cells without which it would be refused."""
    seat, scored = act.by, table.scored[act.by]
    used = uses(table, meld, act.cards, scored)
    return (
        *(KEPT if Combination(act.meld, act.cards) in table.kept[seat] else ()),
        *STAY_IN_HAND,
        *(OTHER_KIND if used.other else ()),
        *(HIGHER if used.lower else ()),
        *(LOWER_KEPT if used.higher else ()),
        *(() if _has_new_card(act.cards, scored) else NEW_CARD),
        *(BESIDE if table.claimed_now else ()),
    )


def lapses_by_playing(table: Table, seat: Seat, card: Card) -> Iterator[Lapsed]:
    """What the player kept to score with a card that has now been played is lost (cell `declare.cards`)."""
    yield from _lapses(seat, [kept for kept in table.kept[seat] if card in kept.cards], IN_HAND)


def lapses_with_the_stock(table: Table) -> Iterator[Lapsed]:
    """What anyone still keeps to score when the last card is drawn is lost (cell `declare.until`)."""
    for seat, kept in enumerate(table.kept):
        yield from _lapses(Seat(seat), list(kept), UNTIL)


def _lapses_under(table: Table, seat: Seat, meld: Meld, cards: tuple[Card, ...]) -> Iterator[Lapsed]:
    if table.rules.declare.lower_stays_kept or not table.kept[seat]:
        return
    melds = table.rules.declare.melds.by_id
    lost = [
        kept
        for kept in table.kept[seat]
        if melds[kept.meld].kind in meld.over and not set(kept.cards).isdisjoint(cards)
    ]
    yield from _lapses(seat, lost, LOWER_KEPT)


def _lapses(seat: Seat, lost: Iterable[Combination], grounds: Grounds) -> Iterator[Lapsed]:
    for combination in lost:
        yield Lapsed(seat, combination.meld, combination.cards, grounds)


def choices_to_declare(table: Table) -> Iterator[Declare]:
    """Every combination that may be scored now, each with its very cards."""
    if table.phase is Phase.DECLARE and spent(table) < table.rules.declare.scored_per_trick:
        for meld, cards in table.rules.declare.melds.held(table.hands[table.turn], table.trumps):
            act = Declare(table.turn, meld.id, cards)
            if _reusable(table, act) is None:
                yield act


def choices_to_hold(table: Table) -> Iterator[Hold]:
    """Every combination that may be kept to score now."""
    if table.rules.declare.may_keep and spent(table):
        for meld, cards in table.rules.declare.melds.held(table.hands[table.turn], table.trumps):
            act = Hold(table.turn, meld.id, cards)
            if Combination(act.meld, act.cards) not in table.kept[act.by] and _reusable(table, act) is None:
                yield act
