"""Every rule matters: each cell of each table is changed, and some scenario must notice."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hoyle_conformance.model import Check
from hoyle_conformance.positions.prepared import Plan
from hoyle_conformance.positions.trace import trace
from hoyle_conformance.report.rulebook import parameter
from hoyle_conformance.run.trying import changed, tried
from hoyle_conformance.suite.value import Suite
from hoyle_reference import Cell, Malformed, Rules

pytestmark = [pytest.mark.interpreter, pytest.mark.slow]

_NO_OTHER = "no other row of this kind, or of one that it is superior to or that is to it, could share its cards"
_OF_THE_OTHER_READING = "equal scores come only of the other reading of settle.winner"
_A_SET_OF_RANKS = "which ranks they are matters, and not their order"
_TOUCHES_NOTHING = "what is superior matters nothing where both orders are allowed"
#: Changes that change nothing in any table, each with its reason.
EQUIVALENT = {
    ("score.brisques.ranks", "T A"): "brisques are a set of ranks",
    **{("carte_blanche.without", other): _A_SET_OF_RANKS for other in ("Q K J", "K J Q", "K Q J K")},
    **{
        (f"declare.melds.{meld}", "kind"): _NO_OTHER
        for meld in (
            *("common-marriage", "double-common-marriage", "double-royal-marriage", "plain-sequence", "sequence"),
            *("double-bezique", "quadruple-bezique", "four-aces", "four-kings", "four-queens", "four-knaves"),
        )
    },
}
_IN_PIQUET = {
    ("deal.trumps_made_by", "declaration"): "nothing is declared that could make trumps",
    **{("blank.without", other): _A_SET_OF_RANKS for other in ("Q K J", "K J Q", "K Q J K")},
    **{("classes.set.ranks", other): _A_SET_OF_RANKS for other in ("K A Q J T", "A Q K J T", "A K J Q T", "A K Q T J")},
}
#: Where each plays alone.
_ALONE = {
    ("declare.cards", cards): "nobody has a partner"
    for cards in ("own-and-partners-on-the-table", "own-with-partners-on-the-table")
}
#: Where won cards lie face down.
_FACE_DOWN = {("tricks.heap", "not-looked-at"): "nobody looks at them either way"}
_RANKS = ("knaves", "queens", "kings", "tens", "aces")
_OF_TRUMPS = {(f"declare.melds.four-{rank}-of-trumps", "kind"): _NO_OTHER for rank in _RANKS}
#: Changes that change nothing in one table.
EQUIVALENT_IN = {
    "bezique-bicycle": {
        **_ALONE,
        **{
            ("seven.second.which", which): "both sevens score the same and may do the same"
            for which in ("after-one-that-is-gone", "while-a-seven-is-turned-up")
        },
    },
    "bezique-britannica": {
        **_ALONE,
        ("declare.melds.royal-marriage", "kind"): _TOUCHES_NOTHING,
        ("declare.melds.bezique", "kind"): _TOUCHES_NOTHING,
        ("declare.melds.sequence", "over"): _TOUCHES_NOTHING,
        ("declare.melds.double-bezique", "over"): _TOUCHES_NOTHING,
    },
    "bezique-h2g2": {
        **_ALONE,
        **_FACE_DOWN,
        ("declare.lower_after_higher", "refused-to-the-same-cards"): "a double meld holds every card its single could",
    },
    "bezique-hoyle": {
        **_ALONE,
        **{
            ("settle.equal_scores", other): _OF_THE_OTHER_READING
            for other in ("two-more-deals", "brisques-decide", "drawn")
        },
    },
    "eight-deck-h2g2": {
        **_ALONE,
        **_FACE_DOWN,
        ("declare.melds.quintuple-bezique", "kind"): _NO_OTHER,
        **{(f"declare.melds.five-{rank}-of-trumps", "kind"): _NO_OTHER for rank in _RANKS},
    },
    "four-handed-h2g2": {
        **_FACE_DOWN,
        ("declare.melds.four-tens", "kind"): _NO_OTHER,
        ("declare.melds.sextuple-bezique", "kind"): _NO_OTHER,
    },
    "piquet-rubicon-parlett": _IN_PIQUET,
    "rubicon-h2g2": {**_ALONE, **_FACE_DOWN},
    "rubicon-hoyle": {**_ALONE},
    "six-deck-h2g2": {**_ALONE, **_FACE_DOWN, **_OF_TRUMPS},
    "three-handed-h2g2": {
        **_ALONE,
        **_FACE_DOWN,
        ("declare.lower_after_higher", "refused-to-the-same-cards"): "as in the game for two",
        ("declare.melds.treble-bezique", "kind"): _NO_OTHER,
        ("declare.melds.triple-common-marriage", "kind"): _NO_OTHER,
        ("declare.melds.triple-royal-marriage", "kind"): _NO_OTHER,
    },
    "piquet-saunt-parlett": {
        **_IN_PIQUET,
        **{
            ("settle.equal_scores", other): _OF_THE_OTHER_READING
            for other in ("another-deal", "brisques-decide", "drawn")
        },
    },
}
#: Cells for which the vocabulary has one value as yet: no source that has been written down says anything else. There
#: is nothing to change them to; that each is at work in some scenario is tested with the suite.
ONLY_ONE_VALUE = {
    "deal.equal_cuts",
    "deal.names",
    "deal.next_dealer",
    "tricks.cards",
    "tricks.next_lead",
    "tricks.won_by",
    "draw.when",
    "draw.until",
    "draw.first",
    "draw.turn_up",
    "referee.card_too_few",
    "referee.card_too_many",
    "referee.odd_card",
    "declare.when",
    "declare.laid",
    "declare.declared_cards",
    "declare.higher_after_lower",
    "declare.other_kind",
    "score.brisques.in_the_last_tricks",
    "score.brisques.counted_first_by",
    "blank.announced",
    "players.partners",
    "players.partners_see",
    "blank.elder_shows",
    "classes.equal",
    "classes.first",
    "classes.order",
    "classes.point.best",
    "classes.point.points",
    "classes.replies",
    "classes.sequence.best",
    "classes.sequence.of",
    "classes.set.best",
    "classes.specified",
    "classes.younger_scores",
    "reckoning.order",
    "reckoning.pique.by",
    "score.cards.for",
    "talon.drawn_from",
    "talon.first",
    "talon.younger.most",
}


def mutants(suite: Suite, cell: Cell) -> Iterator[tuple[str, Any]]:
    """Each other value that a cell could have: a name for the change, and the value."""
    value = cell.value
    schema = parameter(suite, cell.path).get("properties", {}).get("is", {})
    if isinstance(value, dict):
        yield from _of_called(value) if "class" in value else _of_ruling(value) if "until" in value else _of_row(value)
    elif "enum" in schema:
        yield from ((other, other) for other in schema["enum"] if other != value)
    elif isinstance(value, int):
        steps = (1, 10, -10, -1 if value < 10 else -10)  # points go by tens: one less than a target is the same target
        yield from ((str(value + step), value + step) for step in steps if value + step >= schema["minimum"])
    elif isinstance(value, str):
        yield from _of_ranks(value.split())
    elif isinstance(value[0], int):
        for at, number in enumerate(value):
            yield f"number {at + 1}", [*value[:at], number + 1, *value[at + 1 :]]
    else:
        ways: list[list[list[int]]] = [[[2, 3, 3]], [[3, 3, 2]], [[4, 4]], [[3, 2, 2]], value[:-1], value[1:]]
        yield from ((str(other), other) for other in ways if other)


def _of_row(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "points", {**row, "points": row["points"] + 10}
    yield "kind", {**row, "kind": "another"}
    if "unused" in row:
        yield "unused", {**row, "unused": row["unused"] + 1}
    if "cards_by_trumps" in row:
        yield "by trumps", {key: field for key, field in row.items() if key != "cards_by_trumps"}
    if "over" in row:
        yield "over", {key: field for key, field in row.items() if key != "over"}
    for at in range(len(row["cards"])):
        yield f"cards without number {at + 1}", {**row, "cards": row["cards"][:at] + row["cards"][at + 1 :]}
    for suits in {"trumps", "plain", "any", "one-each"} - {row.get("suits")} if "suits" in row else ():
        yield f"suits {suits}", {**row, "suits": suits}


def _of_called(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in ("points", "cards"):
        yield f"more {key}", {**row, key: row[key] + 1}
        yield f"less {key}", {**row, key: row[key] - 1}


def _of_ruling(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """An irregularity ruled on otherwise: at another time, by another player, with other remedies."""
    yield "until", {**row, "until": "end-of-the-deal" if row["until"] != "end-of-the-deal" else "play-begins"}
    yield "chooses", {**row, "chooses": "both" if row.get("chooses") != "both" else "other"}
    for key, step in (("at_least", 1), ("at_most", -1)):
        if key in row:
            yield key, {**row, key: row[key] + step}
    for code in row.get("breaks", ()):
        yield f"not {code}", {**row, "breaks": [each for each in row["breaks"] if each != code]}
    for at, remedy in enumerate(row["remedies"]):
        others = row["remedies"][:at], row["remedies"][at + 1 :]
        if len(row["remedies"]) > 1:
            yield f"not {remedy['option']}", {**row, "remedies": [*others[0], *others[1]]}
        for what, other in _of_remedy(remedy):
            yield f"{remedy['option']}: {what}", {**row, "remedies": [*others[0], other, *others[1]]}


def _of_remedy(remedy: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if "only_if" in remedy:
        yield "always", {key: value for key, value in remedy.items() if key != "only_if"}
    for at, effect in enumerate(remedy["does"]):
        before, after = remedy["does"][:at], remedy["does"][at + 1 :]
        yield f"not {effect['effect']}", {**remedy, "does": [*before, *after]}
        if "points" in effect:
            yield "points", {**remedy, "does": [*before, {**effect, "points": effect["points"] + 100}, *after]}


def _of_ranks(ranks: list[str]) -> Iterator[tuple[str, Any]]:
    for at in range(len(ranks) - 1):
        swapped = " ".join([*ranks[:at], ranks[at + 1], ranks[at], *ranks[at + 2 :]])
        yield swapped, swapped
    if len(ranks) < 8:
        yield ranks[0], ranks[0]
        yield " ".join([*ranks, "K"]), " ".join([*ranks, "K"])


class Breaks(Exception):
    """A changed table on which the interpreter does not play at all: nothing that scenarios have noticed."""


def noticed(rules: Rules, planned: list[tuple[Check, Plan]]) -> bool:
    """Whether some check sees another outcome; raises Breaks where that is not what goes wrong."""
    broken: Exception | None = None
    for check, prepared in planned:
        became = tried(rules, check, prepared)
        if became.noticed:
            return True
        broken = became.broken or broken
    if broken:
        raise Breaks from broken
    return False


def in_order(rules: Rules, planned: list[tuple[Check, Plan]]) -> Callable[[Cell], list[tuple[Check, Plan]]]:
    """All the checks for the changes of a cell, in the order in which they are likely to notice: first those of which
    something rests on the cell, and among them those of the fewest cells."""
    rest = [{path for step in trace(rules, each.message) for path in step.grounds} for _, each in planned]

    def likely(cell: Cell) -> list[tuple[Check, Plan]]:
        first = sorted(range(len(planned)), key=lambda at: (cell.path not in rest[at], len(rest[at])))
        return [planned[at] for at in first]

    return likely


@pytest.mark.parametrize("name", sorted(EQUIVALENT_IN))
def test_every_changed_cell_is_noticed(suite: Suite, name: str) -> None:
    rules = suite.rules(name)
    likely = in_order(rules, [(c, suite.plan(c)) for c in suite.checks.values() if c.ruleset == name])
    survivors, unchangeable, tried = [], set(), 0
    for cell in rules.cells:
        changes = list(mutants(suite, cell))
        if not changes:
            unchangeable.add(cell.path)
        planned = likely(cell)
        for change, value in changes:
            if (cell.path, change) in EQUIVALENT or (cell.path, change) in EQUIVALENT_IN[name]:
                continue
            tried += 1
            try:
                mutant = changed(rules, {cell.path: value})
            except Malformed:
                continue  # the table says itself that it cannot be so
            if not noticed(mutant, planned):
                survivors.append((cell.path, change))
    assert survivors == []
    assert unchangeable <= ONLY_ONE_VALUE
    assert tried > 120


def test_the_changes_of_the_options_are_noticed(suite: Suite) -> None:
    """A control: the plain table, run against the checks of each option, is noticed."""
    for name in suite.ruleset_names:
        base, _, option = name.partition("+")
        if option:
            rules = suite.rules(name)
            planned = [(c, suite.plan(c)) for c in suite.checks.values() if c.ruleset == name]
            assert planned
            assert noticed(suite.rules(base), planned)
            assert not noticed(rules, planned)
