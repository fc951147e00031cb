"""The file of house rules that `identify --write` writes always loads, and says what was found."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import the_suite
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.answers import Answers, Candidate
from hoyle_conformance.runner.explain import Departure, Explanation
from hoyle_conformance.runner.rule_changes import (
    RuleChange,
    form_of,
    is_in_vocabulary,
    point_changes,
    sourced_changes,
    vocabulary_changes,
)
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import house_rules_from
from hoyle_conformance.tools.identify.identify import Identification, Standing
from hoyle_conformance.tools.identify.positions import PositionResponses
from hoyle_conformance.tools.identify.report import house_rules_text
from hoyle_reference import Cells


def candidate(suite: Suite, ruleset: str, changes: Sequence[RuleChange] = ()) -> Candidate | None:
    return Answers(suite, (), deals=True).candidate(ruleset, changes)


def values(cells: Cells) -> dict[str, Any]:
    return {cell.path: cell.value for cell in cells}


def assert_loads(suite: Suite, base: Candidate, changes: Sequence[RuleChange], name: str = "an engine") -> None:
    rules = candidate(suite, base.ruleset, changes)
    assert rules
    explanation = Explanation(base, rules, tuple(Departure(each, (), (), ()) for each in changes), ())
    form, responses = form_of(suite, base.ruleset), PositionResponses(deals=False)
    found = Identification(
        suite, form, base.ruleset, responses, [Standing(base.ruleset, 0)], _found={base.ruleset: explanation}
    )
    ready = AdapterInfo(name, "1", "Python", frozenset({base.ruleset}), frozenset())
    house = house_rules_from(suite, load(house_rules_text(suite, found, ready), "mine.yaml"))
    loaded = house.joined(suite).rules.cells(house.ruleset.id)
    assert values(loaded) == values(rules.rules.cells)


#: One of each kind of game, and some with options.
RULESETS = ("bezique-hoyle", "bezique-h2g2+three-tricks-first", "eight-deck-h2g2", "piquet-saunt-parlett+nought")


@cache
def known_changes(ruleset: str) -> Sequence[RuleChange]:
    """All changes that a search may try on a ruleset."""
    suite = the_suite()
    cells = suite.rules.cells(ruleset)
    paths = [cell.path for cell in cells]
    ours = [*vocabulary_changes(suite, cells, paths), *point_changes(cells, paths, 30)]
    return [*sourced_changes(suite, ruleset), *(each for each in ours if each.cell_values)]


@pytest.mark.whole
@settings(max_examples=100, deadline=None)
@given(chance=st.data())
def test_every_written_file_loads(suite: Suite, chance: st.DataObject) -> None:
    """A law, of any ruleset and any few changes that a search may choose."""
    ruleset = chance.draw(st.sampled_from(RULESETS))
    base, known = candidate(suite, ruleset), known_changes(ruleset)
    assert base
    chosen: list[RuleChange] = []
    for change in chance.draw(st.lists(st.sampled_from(range(len(known))), min_size=1, max_size=4, unique=True)):
        more = [*chosen, known[change]]
        if candidate(suite, ruleset, more) and is_in_vocabulary(suite, ruleset, base.rules.cells, more):
            chosen = more
    assert_loads(suite, base, chosen)


@pytest.mark.parametrize("name", ["'\"", "#: {", "a\nb", "\x85\u2028\u202e\x07", "Bézique ♥", ""])
def test_an_engine_may_have_any_name(suite: Suite, name: str) -> None:
    base = candidate(suite, "bezique-hoyle")
    assert base
    assert_loads(suite, base, known_changes("bezique-hoyle")[:1], name)


def test_what_house_rules_may_not_set_is_not_chosen(suite: Suite) -> None:
    cells = suite.rules.cells("piquet-hoyle")
    longer, shorter = (next(iter(point_changes(cells, ["talon.elder.most"], points))) for points in (1, 35))
    assert is_in_vocabulary(suite, "piquet-hoyle", cells, [longer])
    assert not is_in_vocabulary(suite, "piquet-hoyle", cells, [shorter])
