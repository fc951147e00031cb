"""Re-use of cards: which combinations cards may score, given those they have already scored.

The table stores the combinations that each side has scored in this deal, with their very cards. Each of them has one of
five relations to the combination to be scored (`Uses`), and each relation has its rule. The rule for the same kind has
a scale of settings (`AGAIN`), from ordinary games, where each card scores once in a kind, to those where any other set
of cards may score. In every game, cards may score in another kind and in a superior combination.

The marriages of law 35 that score again after a play are not a setting of this scale, which compares sets of cards;
they have a cell of their own (`declare.old_couple`).

Implements SEMANTICS-BEZIQUE.md, reuse-1 to reuse-7.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ...acts import Hold, Lay
from ...cards import Card, suit_of
from ...cells import Cells, Rule, cell, equals, word
from ...frozen import frozen
from ...refusals import Grounds, Refusal
from ...table.states import Combination
from ...table.table import Table
from .melds import Meld, Melds

Cards = frozenset[Card]
#: Whether cards may score a combination, given those of its kind that some of them have scored, and the cards held.
Again = Callable[[Cards, Sequence[Cards], Cards], bool]


def _another_set(cards: Cards, earlier: Sequence[Cards], _held: Cards) -> bool:
    return cards not in earlier


def _in_place_of_one_played(cards: Cards, earlier: Sequence[Cards], held: Cards) -> bool:
    return cards not in earlier and any(not each <= held for each in earlier)


def _a_new_card_or_one_played(cards: Cards, earlier: Sequence[Cards], held: Cards) -> bool:
    return not cards <= frozenset().union(*earlier) or _in_place_of_one_played(cards, earlier, held)


def _a_new_card_or_couples_paired_anew(cards: Cards, earlier: Sequence[Cards], held: Cards) -> bool:
    new = not cards <= frozenset().union(*earlier)
    return new or (_is_a_couple(cards) and _another_set(cards, earlier, held))


_COUPLE: Final = 2


def _is_a_couple(cards: Cards) -> bool:
    """Whether these are a king and a queen of one suit, the only combination of two cards of one suit."""
    return len(cards) == _COUPLE and len(set(map(suit_of, cards))) == 1


#: The scale of freedom that the cell `declare.same_kind` sets.
AGAIN: Final[Mapping[str, Again]] = MappingProxyType(
    {
        "unused-cards-only": lambda _cards, _earlier, _held: False,
        "in-place-of-one-played": _in_place_of_one_played,
        "a-new-card-or-one-played": _a_new_card_or_one_played,
        "a-new-card-or-couples-paired-anew": _a_new_card_or_couples_paired_anew,
        "another-set": _another_set,
    }
)


def _setting(value: object) -> str:
    if value not in AGAIN:
        raise ValueError(f"one of {', '.join(AGAIN)} is needed, not {value!r}")
    return word(value)


@frozen
class ReuseRules:
    """The rules for cards that have already scored; `same_kind` is a setting of `AGAIN`."""

    lower_after_higher: Rule[str]
    worth_less_is_inferior: Rule[bool]
    lower_stays_kept: Rule[bool]
    lower_kept_beside: Rule[bool]
    new_card_needed: Rule[bool] = cell("declare.new_card", equals("needed"))
    same_kind: Rule[str] = cell("declare.same_kind", _setting)
    old_couple: Rule[bool] = cell(
        "declare.old_couple", equals("scores-when-a-card-of-the-suit-is-played"), otherwise=False
    )
    other_kind: Rule[str] = cell("declare.other_kind", word)
    higher_after_lower: Rule[str] = cell("declare.higher_after_lower", word)

    @property
    def bars_inferiors(self) -> bool:
        """Whether a superior combination that has scored may bar an inferior one."""
        return self.lower_after_higher.value != "allowed"


def read(cells: Cells, *, keeps: bool) -> ReuseRules:
    """Compile the cells of this section; `keeps` is whether combinations may be kept to score."""
    lower = cells.rule("declare.lower_after_higher", word)
    bars = lower.value != "allowed"
    no: Rule[bool] = Rule(value=False)
    kept = cells.rule("declare.lower_kept_when_higher_scores", word) if bars and keeps else Rule("lost")
    return cells.compiled(
        ReuseRules,
        lower_after_higher=lower,
        worth_less_is_inferior=cells.rule("declare.inferior", equals("any-that-scores-less")) if bars else no,
        lower_stays_kept=Rule(kept.value != "lost", kept.grounds),
        lower_kept_beside=Rule(kept.value == "stays", kept.grounds),
    )


@frozen
class Uses:
    """The combinations that some cards have already scored in this deal: of the same kind, of superior and inferior
    kinds of its family, of other families that score more, and others."""

    same: frozenset[Card]
    higher: frozenset[Card]
    lower: frozenset[Card]
    richer: frozenset[Card]
    other: frozenset[Card]


def uses(melds: Melds, meld: Meld, cards: Iterable[Card], scored: Sequence[Combination]) -> Uses:
    """Return the uses that `cards` have had in the combinations scored."""
    if not scored:
        return _UNUSED
    found: dict[str, set[Card]] = {relation: set() for relation in _RELATIONS}
    for combination in scored:
        found[_relation(melds.by_id[combination.meld], meld)].update(combination.cards)
    wanted = frozenset(cards)
    return Uses(**{relation: wanted & used for relation, used in found.items()})


_RELATIONS: Final = ("same", "higher", "lower", "richer", "other")
_UNUSED: Final = Uses(*(frozenset[Card]() for _ in _RELATIONS))


def _relation(earlier: Meld, meld: Meld) -> str:
    if earlier.kind == meld.kind:
        return "same"
    if meld.kind in earlier.over:
        return "higher"
    if earlier.kind in meld.over:
        return "lower"
    return "richer" if earlier.points > meld.points else "other"


@frozen
class Attempt:
    """A combination that a player would score or keep, and the earlier scores of its cards."""

    table: Table
    rules: ReuseRules
    melds: Melds
    act: Lay
    meld: Meld
    history: Sequence[Combination]
    used: Uses


def attempt(table: Table, rules: ReuseRules, melds: Melds, act: Lay) -> Attempt:
    """Return the attempt that an act makes, with the earlier scores of the player or partner in this deal."""
    history, meld = table.scored[table.rules.side_of[act.by]], melds.by_id[act.meld]
    return Attempt(table, rules, melds, act, meld, history, uses(melds, meld, act.cards, history))


def refusal(tried: Attempt) -> Refusal | None:
    """Return why the earlier scores of the cards bar them from this combination, or None."""
    return (
        _barred_by_a_superior(tried)
        or _barred_by_its_kind(tried)
        or _parted_from_the_first(tried)
        or _lacks_new_cards(tried)
    )


def _barred_by_a_superior(tried: Attempt) -> Refusal | None:
    rules, meld = tried.rules, tried.meld
    if not rules.bars_inferiors:
        return None
    of = tried.melds.by_id
    superior = next(
        (
            of[each.meld]
            for each in tried.history
            if _relation(of[each.meld], tried.meld) == "higher" and bars(tried.rules, each.cards, tried.act.cards)
        ),
        None,
    )
    lower = rules.lower_after_higher.grounds
    stays_kept = rules.lower_stays_kept.value and _is_kept(tried)  # or may be kept now, if it may lie next to the other
    if superior and not (_kept_before(tried) if rules.lower_kept_beside.value else stays_kept):
        kept = rules.lower_stays_kept.grounds if isinstance(tried.act, Hold) else ()
        return Refusal("used-in-a-higher-combination", (*lower, *kept, meld.path, superior.path))
    if tried.used.richer and rules.worth_less_is_inferior.value and not _kept_before(tried):
        inferior = rules.worth_less_is_inferior.grounds
        return Refusal("used-in-a-higher-combination", (*lower, *inferior, meld.path))
    return None


def bars(rules: ReuseRules, superior: Iterable[Card], inferior: Iterable[Card]) -> bool:
    """Whether the cards of a superior combination bar an inferior one of these cards (cell
    `declare.lower_after_higher`)."""
    if rules.lower_after_higher.value == "refused-to-the-same-cards":
        return set(inferior).issubset(superior)
    return not set(inferior).isdisjoint(superior)


def _is_kept(tried: Attempt) -> bool:
    table, act = tried.table, tried.act
    return Combination(act.meld, act.cards) in table.kept[table.rules.side_of[act.by]]


def _kept_before(tried: Attempt) -> bool:
    """Whether the combination was kept to score before the superior one scored, or is being kept together with it."""
    table, act = tried.table, tried.act
    if _is_kept(tried):
        return True
    before = tried.history[: -table.combinations_since_trick or None]
    earlier = uses(tried.melds, tried.meld, act.cards, before)
    return isinstance(act, Hold) and not earlier.higher and not earlier.richer


def _barred_by_its_kind(tried: Attempt) -> Refusal | None:
    if not tried.used.same:
        return None
    cards, melds, rule = frozenset(tried.act.cards), tried.melds.by_id, tried.rules.same_kind
    of_kind = (frozenset(each.cards) for each in tried.history if melds[each.meld].kind == tried.meld.kind)
    earlier = [each for each in of_kind if not each.isdisjoint(cards)]
    table = tried.table
    held = frozenset(card for seat in table.rules.side(tried.act.by) for card in table.hands[seat])
    if AGAIN[rule.value](cards, earlier, held) or _marries_again(tried, held):
        return None
    the_same = cards in earlier and rule.value != "unused-cards-only"
    why = (*rule.grounds, *_why_an_old_couple(tried), tried.meld.path)
    return Refusal("same-cards-again" if the_same else "used-in-this-kind", why)


def _marries_again(tried: Attempt, held: Cards) -> bool:
    """Whether an old couple scores once more: one does for each card played from the marriages of its suit, if there
    are several (cell `declare.old_couple`)."""
    if not (tried.rules.old_couple.value and _why_an_old_couple(tried)):
        return False
    suit, of = suit_of(tried.act.cards[0]), tried.melds.by_id
    couples = [
        frozenset(each.cards)
        for each in tried.history
        if of[each.meld].kind == tried.meld.kind and suit_of(each.cards[0]) == suit
    ]
    played, repeated = frozenset().union(*couples) - held, len(couples) - len(set(couples))
    return len(couples) > 1 and repeated < len(played)


def _why_an_old_couple(tried: Attempt) -> Grounds:
    """Return the cells that decide whether these cards, a king and queen that have scored together, may score again."""
    cards, of = frozenset(tried.act.cards), tried.melds.by_id
    if not tried.rules.old_couple.grounds:
        return ()
    old = any(of[each.meld].kind == tried.meld.kind and cards == frozenset(each.cards) for each in tried.history)
    return tried.rules.old_couple.grounds if old and _is_a_couple(cards) else ()


def _parted_from_the_first(tried: Attempt) -> Refusal | None:
    """Return why cards may not score in this superior combination without all cards of the inferior one that they have
    scored, or None (cell `declare.higher_after_lower`)."""
    rule, of, cards = tried.rules.higher_after_lower, tried.melds.by_id, frozenset(tried.act.cards)
    if not tried.used.lower or rule.value != "with-all-cards-of-the-first":
        return None
    inferior = (each.cards for each in tried.history if _relation(of[each.meld], tried.meld) == "lower")
    if all(cards.isdisjoint(each) or cards.issuperset(each) for each in inferior):
        return None
    return Refusal("used-with-other-cards", (*rule.grounds, tried.meld.path))


def _lacks_new_cards(tried: Attempt) -> Refusal | None:
    if len(tried.act.cards) - len(tried.used.same | tried.used.lower) < tried.meld.unused:
        return Refusal("no-unused-card", (tried.meld.path,))
    if tried.rules.new_card_needed.value and not _has_new_card(tried):
        return Refusal("no-unused-card", tried.rules.new_card_needed.grounds)
    return None


def _has_new_card(tried: Attempt) -> bool:
    return not set(tried.act.cards) <= {card for combination in tried.history for card in combination.cards}


def liberties(tried: Attempt) -> Grounds:
    """Return the re-use cells without which this declaration would be refused."""
    rules, used = tried.rules, tried.used
    kept_or_lower = rules.lower_stays_kept if rules.lower_stays_kept.value else rules.lower_after_higher
    return (
        *(rules.same_kind.grounds if used.same else ()),
        *_why_an_old_couple(tried),
        *(rules.other_kind.grounds if used.other or used.richer else ()),
        *(rules.worth_less_is_inferior.grounds if used.richer and rules.bars_inferiors else ()),
        *(rules.higher_after_lower.grounds if used.lower else ()),
        *(kept_or_lower.grounds if used.higher else ()),
        *(() if _has_new_card(tried) else rules.new_card_needed.grounds),
    )
