"""The page of the table: what it holds before anybody has answered, and that this is true of every book."""

import pytest

from hoyle_conformance.checks.setup.given import not_given
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.games import forms, inline

Form = dict[str, object]


@pytest.fixture(scope="module")
def made(suite: Suite) -> list[dict[str, object]]:
    return forms(suite)


def _rulesets(form: Form) -> list[str]:
    return [each["id"] for each in form["rulesets"]]  # type: ignore[attr-defined] -- read as JSON


def _keys(form: Form) -> set[str]:
    """Everything that can be told of a position of a form."""
    parts = (form[part] for part in ("stands", "places", "facts"))
    return {each["key"] for part in parts for each in part}  # type: ignore[attr-defined] -- read as JSON


def test_every_book_is_of_one_form_and_in_one_choice(suite: Suite, made: list[Form]) -> None:
    assert sorted(name for form in made for name in _rulesets(form)) == sorted(suite.rulesets)
    sets = inline(suite)["sets"]
    assert sorted(name for each in sets for name in each["rulesets"]) == sorted(suite.rulesets)
    assert len({form["key"] for form in made}) == len(made)


def test_whatever_a_position_may_be_given_can_be_told_and_nothing_else(suite: Suite, made: list[Form]) -> None:
    known = set(suite.schemas.documents["scenario"]["$defs"]["given"]["properties"])
    for form in made:
        possible = set().union(*(known - set(not_given(suite.rules.of(name))) for name in _rulesets(form)))
        assert _keys(form) == possible, form["key"]


def test_every_position_of_the_suite_can_be_laid_out(suite: Suite, made: list[Form]) -> None:
    by_ruleset = {name: form for form in made for name in _rulesets(form)}
    for scenario in suite.scenarios.values():
        given = scenario.document.data["given"]
        for name in {each.partition("+")[0] for each in scenario.rulesets}:
            assert set(given) <= _keys(by_ruleset[name]), scenario.id


def test_what_cannot_be_told_before_the_deal_is_what_the_schema_forbids(made: list[Form]) -> None:
    for form in made:
        before = [each for each in form["stands"] if each["key"] == "before"]  # type: ignore[attr-defined] -- as JSON
        assert {each["value"] for each in before} == {"deal", "cut"}
        for each in before:
            assert {"hands", "trick", "trumps"} <= set(each["without"])
            assert set(each["without"]).isdisjoint({"score", "dealer", "deal", "packets", "before"})
