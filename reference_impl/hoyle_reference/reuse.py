"""Re-use: which cards may score which combination again, given what they have scored.

It is read from the combinations each side has scored in this deal, which the table keeps with their very cards. An
earlier combination stands in one of five relations to the one that is to be scored now (`Uses`), and each relation has
its rule. What cards may do in their own kind again is one rule with a scale of settings (`AGAIN`), from the ordinary
games, where each card scores once in a kind, to those where any other set of cards may score.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from .acts import Declare, Hold
from .cards import Card
from .cells import Cells
from .melds import Meld
from .refusals import Grounds, Violation
from .seats import Seat
from .table import Combination, Table

NEW_CARD: Final[Grounds] = ("declare.new_card",)
SAME_KIND: Final[Grounds] = ("declare.same_kind",)
OTHER_KIND: Final[Grounds] = ("declare.other_kind",)
HIGHER: Final[Grounds] = ("declare.higher_after_lower",)
LOWER: Final[Grounds] = ("declare.lower_after_higher",)
INFERIOR: Final[Grounds] = ("declare.inferior",)
LOWER_KEPT: Final[Grounds] = ("declare.lower_kept_when_higher_scores",)


Cards = frozenset[Card]
#: Whether cards may score a combination, given those of its kind that some of them have scored, and what is still held.
Again = Callable[[Cards, Sequence[Cards], Cards], bool]


def _nothing_used(_cards: Cards, _earlier: Sequence[Cards], _held: Cards) -> bool:
    return False


def _a_new_card(cards: Cards, earlier: Sequence[Cards], _held: Cards) -> bool:
    return not cards <= frozenset().union(*earlier)


def _another_set(cards: Cards, earlier: Sequence[Cards], _held: Cards) -> bool:
    return cards not in earlier


def _in_place_of_one_played(cards: Cards, earlier: Sequence[Cards], held: Cards) -> bool:
    return cards not in earlier and any(not each <= held for each in earlier)


def _a_new_card_or_one_played(cards: Cards, earlier: Sequence[Cards], held: Cards) -> bool:
    return _a_new_card(cards, earlier, held) or _in_place_of_one_played(cards, earlier, held)


def _any_cards(_cards: Cards, _earlier: Sequence[Cards], _held: Cards) -> bool:
    return True


#: The scale of freedom that the cell `declare.same_kind` sets.
AGAIN: Final[Mapping[str, Again]] = MappingProxyType(
    {
        "unused-cards-only": _nothing_used,
        "a-new-card": _a_new_card,
        "in-place-of-one-played": _in_place_of_one_played,
        "a-new-card-or-one-played": _a_new_card_or_one_played,
        "another-set": _another_set,
        "any-cards": _any_cards,
    }
)


@dataclass(frozen=True, slots=True)
class ReuseRules:
    """What cards that have scored may score again."""

    new_card_needed: bool
    #: Whether cards may score their kind again, and whether the answer is never.
    again: "Again"
    kind_once: bool
    other_kind: bool
    higher_after_lower: bool
    lower_after_higher: bool
    only_the_same_cards_are_barred: bool
    worth_less_is_inferior: bool
    lower_stays_kept: bool


def read(cells: Cells) -> ReuseRules:
    """The rules of this section, from the table."""

    def allowed(path: str) -> bool:
        return cells.word(path) == "allowed"

    inferiors, keeps = not allowed("declare.lower_after_higher"), cells.word("declare.to_score") != "refused"
    return ReuseRules(
        new_card_needed=cells.word("declare.new_card") == "needed",
        again=AGAIN[cells.word("declare.same_kind")],
        kind_once=cells.word("declare.same_kind") == "unused-cards-only",
        other_kind=allowed("declare.other_kind"),
        higher_after_lower=allowed("declare.higher_after_lower"),
        lower_after_higher=allowed("declare.lower_after_higher"),
        only_the_same_cards_are_barred=cells.word("declare.lower_after_higher") == "refused-to-the-same-cards",
        worth_less_is_inferior=inferiors and cells.word("declare.inferior") == "any-that-scores-less",
        lower_stays_kept=inferiors and keeps and cells.word("declare.lower_kept_when_higher_scores") == "stays",
    )


@dataclass(frozen=True, slots=True)
class Uses:
    """What the cards of a combination have scored already in this deal: in combinations of the same kind, in those of
    its family superior to it, in those it is superior to, in those of other families that score more, and in others."""

    same: frozenset[Card]
    higher: frozenset[Card]
    lower: frozenset[Card]
    richer: frozenset[Card]
    other: frozenset[Card]


def uses(table: Table, meld: Meld, cards: Iterable[Card], scored: Iterable[Combination]) -> Uses:
    """The uses that `cards` have had in the combinations scored."""
    melds = table.rules.declare.melds.by_id
    found: dict[str, set[Card]] = {name: set() for name in Uses.__slots__}
    for combination in scored:
        found[_relation(melds[combination.meld], meld)].update(combination.cards)
    wanted = frozenset(cards)
    return Uses(**{relation: wanted & used for relation, used in found.items()})


def _relation(earlier: Meld, meld: Meld) -> str:
    if earlier.kind == meld.kind:
        return "same"
    if meld.kind in earlier.over:
        return "higher"
    if earlier.kind in meld.over:
        return "lower"
    return "richer" if earlier.points > meld.points else "other"


def refusal(table: Table, act: Declare | Hold) -> Violation | None:
    """What the cards have scored already may bar them from this combination."""
    scored = _history(table, act.by)
    if not scored:
        return None
    meld = table.rules.declare.melds.by_id[act.meld]
    used = uses(table, meld, act.cards, scored)
    return (
        _barred_by_a_superior(table, meld, act, used)
        or _barred_by_its_kind(table, meld, act, used)
        or _barred_by_another(table, used)
        or _lacks_new_cards(table, meld, act, used)
    )


def _barred_by_a_superior(table: Table, meld: Meld, act: Declare | Hold, used: Uses) -> Violation | None:
    rules = table.rules.reuse
    if rules.lower_after_higher:
        return None
    superior = _superior_that_bars(table, meld, act)
    if superior and not (rules.lower_stays_kept and _kept_before(table, meld, act)):
        kept = LOWER_KEPT if isinstance(act, Hold) else ()
        return Violation("used-in-a-higher-combination", (*LOWER, *kept, meld.path, superior.path))
    if used.richer and rules.worth_less_is_inferior and not _kept_before(table, meld, act):
        return Violation("used-in-a-higher-combination", (*LOWER, *INFERIOR, meld.path))
    return None


def bars(table: Table, superior: Iterable[Card], inferior: Iterable[Card]) -> bool:
    """Whether the cards of a combination superior to it bar an inferior one of these cards (cell
    `declare.lower_after_higher`)."""
    if table.rules.reuse.only_the_same_cards_are_barred:
        return set(inferior).issubset(superior)
    return not set(inferior).isdisjoint(superior)


def _superior_that_bars(table: Table, meld: Meld, act: Declare | Hold) -> Meld | None:
    melds = table.rules.declare.melds.by_id
    return next(
        (
            melds[combination.meld]
            for combination in _history(table, act.by)
            if _relation(melds[combination.meld], meld) == "higher" and bars(table, combination.cards, act.cards)
        ),
        None,
    )


def _kept_before(table: Table, meld: Meld, act: Declare | Hold) -> bool:
    """Whether the combination was kept to score before, or is being kept beside, the superior one."""
    if Combination(act.meld, act.cards) in table.kept[table.rules.side_of[act.by]]:
        return True
    before = _history(table, act.by)[: -table.scored_now or None]
    earlier = uses(table, meld, act.cards, before)
    return isinstance(act, Hold) and not earlier.higher and not earlier.richer


def _barred_by_its_kind(table: Table, meld: Meld, act: Declare | Hold, used: Uses) -> Violation | None:
    if not used.same:
        return None
    cards, melds = frozenset(act.cards), table.rules.declare.melds.by_id
    of_kind = (frozenset(each.cards) for each in _history(table, act.by) if melds[each.meld].kind == meld.kind)
    earlier = [each for each in of_kind if not each.isdisjoint(cards)]
    held = frozenset(card for seat in table.rules.side(act.by) for card in table.hands[seat])
    if table.rules.reuse.again(cards, earlier, held):
        return None
    the_same = cards in earlier and not table.rules.reuse.kind_once
    return Violation("same-cards-again" if the_same else "used-in-this-kind", (*SAME_KIND, meld.path))


def _history(table: Table, seat: Seat) -> Sequence[Combination]:
    """What a player has scored in this deal, with a partner, if there is one."""
    return table.scored[table.rules.side_of[seat]]


def _barred_by_another(table: Table, used: Uses) -> Violation | None:
    rules = table.rules.reuse
    if used.lower and not rules.higher_after_lower:
        return Violation("used-in-a-lower-combination", HIGHER)
    if (used.other or used.richer) and not rules.other_kind:
        return Violation("used-in-another-kind", OTHER_KIND)
    return None


def _lacks_new_cards(table: Table, meld: Meld, act: Declare | Hold, used: Uses) -> Violation | None:
    if len(act.cards) - len(used.same | used.lower) < meld.unused:
        return Violation("no-unused-card", (meld.path,))
    if table.rules.reuse.new_card_needed and not _has_new_card(act.cards, _history(table, act.by)):
        return Violation("no-unused-card", NEW_CARD)
    return None


def _has_new_card(cards: Iterable[Card], scored: Iterable[Combination]) -> bool:
    return not set(cards) <= {card for combination in scored for card in combination.cards}


def liberties(table: Table, act: Declare | Hold) -> Grounds:
    """Which freedoms of re-use this declaration takes: the cells without which it would be refused."""
    scored, rules = _history(table, act.by), table.rules.reuse
    used = uses(table, table.rules.declare.melds.by_id[act.meld], act.cards, scored)
    return (
        *(SAME_KIND if used.same else ()),
        *(OTHER_KIND if used.other or used.richer else ()),
        *(INFERIOR if used.richer and not rules.lower_after_higher else ()),
        *(HIGHER if used.lower else ()),
        *((LOWER_KEPT if rules.lower_stays_kept else LOWER) if used.higher else ()),
        *(() if _has_new_card(act.cards, scored) else NEW_CARD),
    )
