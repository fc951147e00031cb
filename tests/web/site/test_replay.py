"""The pages of the positions: the different answers, the tracks, their steps, and what is outlined on the table."""

import re
from collections import Counter

import pytest

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import positions as reference_positions
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.replay import replay
from hoyle_conformance.web.site.scenario_pages import answers
from hoyle_conformance.wording.events import CardPlace, cards_named, lay_out
from hoyle_conformance.wording.walkthrough import Track, hide_other_cards, tracks, walk

Some = list[tuple[Scenario, tuple[Check, ...], tuple[Track, ...]]]
#: Every so many positions are looked at one by one: laws that take a walk each.
_EVERY = 90


@pytest.fixture(scope="module")
def some(suite: Suite) -> Some:
    """Some positions of every topic, with their tracks."""
    chosen = [*list(suite.scenarios.values())[::_EVERY], suite.scenarios["to-score.the-example"]]
    checks = [suite.index.checks_of(each) for each in chosen]
    return [
        (each, of_it, tracks(suite, [walk(suite, check) for check in of_it]))
        for each, of_it in zip(chosen, checks, strict=True)
    ]


@pytest.mark.slow
def test_every_position_asks_shows_the_cards_answers_and_then_has_the_steps(
    suite: Suite, made: dict[str, Page]
) -> None:
    parts = re.compile('class="asks".*class="felt".*<table class="answers">.*table.html#p=.*<hoyle-replay', re.DOTALL)
    for scenario in suite.scenarios.values():
        assert parts.search(made[f"scenarios/{scenario.id.replace('.', '/')}.md"].body), scenario.id


def test_every_ruleset_has_an_answer_at_each_step_in_which_any_differ(suite: Suite) -> None:
    for scenario in list(suite.scenarios.values())[::5]:
        found = answers(suite, suite.index.checks_of(scenario))
        assert set(found) == set(scenario.rulesets)
        every = [says for some in found.values() for says in some]
        assert len({tuple(number for number, _ in says) for says in every}) == 1
        assert len(every[0]) == 1 or len(set(every)) > 1


@pytest.mark.slow
def test_every_step_of_each_track_is_there_once(suite: Suite, some: Some) -> None:
    for scenario, checks, found in some:
        shown = replay(suite, checks, "scenarios/a/b.md")
        assert sorted(check.id for track in found for check in track.checks) == sorted(check.id for check in checks)
        for track in found:
            ids = re.findall(rf'<li id="{re.escape(track.name)}-(\d+)"', shown)
            assert ids == [str(n) for n in range(len(scenario.steps) + 1)]


def test_what_is_outlined_is_the_difference_of_two_positions(suite: Suite, some: Some) -> None:
    outlined = 0
    for scenario, _, found in some:
        known = cards_named((scenario.given, scenario.steps))
        for track in found:
            check = track.checks[0]
            plan, rules, melds = (
                planner_of(suite).request(check),
                suite.rules.of(check.ruleset),
                suite.rules.meld_names(check.ruleset),
            )
            traced = trace(rules, plan.message)
            before = lay_out(reference_positions(rules, plan.message, ())[0], known, melds)
            assert track.table == before
            for step, end in zip(track.steps, plan.ends, strict=True):
                after = lay_out(traced[end - 1].position, known, melds)
                for place, lie in after.cards.items():
                    fresh = set(Counter(lie) - Counter(before.cards.get(place, ())))
                    assert set(step.table.new_cards.get(place, ())) == fresh
                    outlined += len(fresh)
                assert set(step.table.new_facts) == {place for place, _ in after.facts.items() - before.facts.items()}
                before = after
    assert outlined > len(some)


def test_cards_left_open_have_no_face(suite: Suite) -> None:
    (track,) = tracks(suite, [walk(suite, suite.index.checks_of(suite.scenarios["to-score.the-example"])[0])])
    hand = track.table.cards[CardPlace("hand", "A")]
    assert {"KS", "QS", "JD", "AC"} == set(hand) - {"..."}
    assert hide_other_cards("A draws 8♣². B draws Q♠.", {"Q♠"}) == "A draws a card. B draws Q♠."
    assert hide_other_cards("A is dealt 8♣ 10♦ 9♥.", set()) == "A is dealt 3 cards."
