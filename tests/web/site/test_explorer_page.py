"""The page of the table: what it holds before anybody has answered, and that this is true of every book."""

import json
import re

import pytest

from conftest import ROOT
from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.setup.given import not_given
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.games import forms, inline
from hoyle_conformance.web.explorer.layout import with_trumps
from hoyle_conformance.web.site import front_pages as front
from hoyle_conformance.web.site.navigation import TABLE, tabs
from hoyle_conformance.web.site.page import scripts_of, styles_of
from hoyle_conformance.web.site.pages import guide
from hoyle_reference.cards import RANKS, SUITS

Form = dict[str, object]
PARTS = ["head", "laying", "felt", "acting", "verdict", "playing", "log", "answers", "trying", "taking"]


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


def test_books_that_are_asked_together_are_played_with_the_same_cards_by_as_many(suite: Suite) -> None:
    for each in inline(suite)["sets"]:
        rules = [suite.rules.of(name) for name in each["rulesets"]]
        assert len({(of.players, of.packs, of.deal.hand_size) for of in rules}) == 1, each["title"]


def test_an_empty_table_is_a_position_under_every_book_of_its_form(suite: Suite, made: list[Form]) -> None:
    for form in made:
        for name in _rulesets(form):
            assert complete(suite.rules.of(name), with_trumps(suite.rules.of(name), form["start"]), []), name  # type: ignore[arg-type] -- JSON


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


def test_the_ranks_of_a_form_are_those_of_the_pack_from_the_lowest(suite: Suite, made: list[Form]) -> None:
    for form in made:
        ranks = str(form["ranks"])
        assert sorted(ranks) == sorted(RANKS)
        for name in _rulesets(form):
            tricks = suite.rules.of(name).tricks
            duties = tricks.while_drawing if suite.rules.of(name).draws else tricks.without_drawing
            strength = [duties.strength.value[RANKS.index(rank)] for rank in ranks]
            assert strength == sorted(strength), name
        assert [each["value"] for each in form["suits"]] == list(SUITS)  # type: ignore[attr-defined] -- read as JSON


def test_every_combination_of_a_book_can_be_named(suite: Suite, made: list[Form]) -> None:
    for form in made:
        melds = {each["id"] for each in form["melds"]}  # type: ignore[attr-defined] -- read as JSON
        assert melds == set().union(*(suite.rules.of(name).combinations for name in _rulesets(form)))


def test_what_cannot_be_told_before_the_deal_is_what_the_schema_forbids(made: list[Form]) -> None:
    for form in made:
        before = [each for each in form["stands"] if each["key"] == "before"]  # type: ignore[attr-defined] -- as JSON
        assert {each["value"] for each in before} == {"deal", "cut"}
        for each in before:
            assert {"hands", "trick", "trumps"} <= set(each["without"])
            assert set(each["without"]).isdisjoint({"score", "dealer", "deal", "packets", "before"})


def test_the_page_has_its_parts_and_its_data(suite: Suite) -> None:
    body = str(front.table(suite).body)
    assert re.findall(r'<section id="table-(\w+)"', body) == PARTS
    assert body.count('id="table-spoken"') == 1
    found = re.search(r'<script type="application/json" id="table-forms">(.*?)</script>', body, re.DOTALL)
    assert found
    assert json.loads(found[1]) == json.loads(json.dumps(inline(suite)))
    assert "<" not in found[1]


def test_without_a_script_the_page_says_so_and_leads_on(suite: Suite) -> None:
    body = str(front.table(suite).body)
    without = body.partition("<noscript>")[2].partition("</noscript>")[0]
    assert "JavaScript" in without
    assert 'href="scenarios/index.html"' in without


@pytest.mark.slow
def test_the_table_is_a_door_and_in_the_guide(suite: Suite) -> None:
    assert TABLE in tabs(suite)
    assert f"({TABLE.path}): {front.table(suite).about}" in guide(suite, [front.table(suite)]).text


def test_the_scripts_and_styles_of_the_page_are_there() -> None:
    assets = ROOT / "docs/assets"
    for name in scripts_of("table"):
        assert (assets / f"{name}.js").is_file(), name
        assert len((assets / f"{name}.js").read_text("utf-8").splitlines()) < 400, name
    for name in styles_of("table"):
        assert (assets / f"{name}.css").is_file(), name
