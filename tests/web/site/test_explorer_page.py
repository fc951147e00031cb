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
