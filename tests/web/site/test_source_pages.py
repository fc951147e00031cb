"""What each book leaves open, and why an engine may fail there; other tests look at the pages of the ledger."""

import re
from typing import Final

import pytest

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.source_pages import Reason, choices, reasons

#: A rule that is implied, with a reason against other values, and one that is disputed.
IMPLIED: Final = ("bezique-bicycle", "seven.shown")
DISPUTED: Final = ("bezique-bicycle", "settle.equal_scores")
REASON: Final = Reason(["bezique-*"], ["seven.until", "seven.shown"], ["stock-*"], "the other value contradicts a/b/c")


def test_each_book_with_a_ruleset_has_a_page_of_what_it_leaves_open(suite: Suite) -> None:
    based = {source for ruleset in suite.rulesets.values() for source in ruleset.sources}
    assert {page.path for page in choices(suite, {})} == {f"sources/{each}/open.md" for each in based}


def test_only_checks_of_rules_without_readings_rest_on_our_choice(suite: Suite) -> None:
    shown, equal = "seven.shown", "game.equal-far-above-fifteen-hundred"
    at_work = {each: {name: suite.scenarios[name]} for each, name in ((IMPLIED, shown), (DISPUTED, equal))}
    page = next(page for page in choices(suite, at_work) if page.path == "sources/bicycle/open.md")
    assert " ".join(page.body.split()).count("At work in 1 check") == len(at_work)
    assert "1 check of" in " ".join(page.body.split())
    assert suite.scenarios[shown].title in page.body
    assert "Against other values" in page.body


@pytest.mark.parametrize(
    ("ruleset", "cell", "value", "fits"),
    [
        ("bezique-hoyle", "seven.until", "stock-is-gone", True),
        ("bezique-hoyle", "seven.until", "one-card-each-is-left", False),
        ("bezique-hoyle", "seven.when", "stock-is-gone", False),
        ("rubicon-hoyle", "seven.until", "stock-is-gone", False),
    ],
)
def test_a_reason_is_for_its_rulesets_cells_and_values(ruleset: str, cell: str, value: str, fits: bool) -> None:
    assert REASON.fits(ruleset, cell, value) is fits


def test_a_reason_names_clauses_of_the_ledgers(suite: Suite) -> None:
    for each in reasons():
        named = re.findall(r"[a-z0-9]+/[a-z-]+/[a-z0-9-]+", each.because)
        assert named, each
        assert [clause for clause in named if clause not in suite.clauses] == []
