"""The pages of what each book leaves open; other tests look at the pages of its ledger."""

from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.source_pages import choices

#: A rule that is implied, with a reason against other values, and one that is disputed.
IMPLIED: Final = ("bezique-bicycle", "seven.shown")
DISPUTED: Final = ("bezique-bicycle", "settle.equal_scores")


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
