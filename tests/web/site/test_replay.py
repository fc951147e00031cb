"""The pages of the positions: the different answers, the tracks, their steps, and what is outlined on the table."""

import re
from collections import Counter
from dataclasses import replace
from html import unescape

import pytest

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import positions as reference_positions
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import scenario_pages as scenarios
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.replay import replay
from hoyle_conformance.web.site.scenario_pages import answers
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.events import CardPlace, ShownTable, cards_named, lay_out
from hoyle_conformance.wording.walkthrough import Track, hide_other_cards, tracks, walk

#: Every so many positions are looked at one by one: laws that take a walk each.
_EVERY = 90


@pytest.fixture(scope="module")
def some(suite: Suite) -> list[tuple[Scenario, tuple[Check, ...], tuple[Track, ...]]]:
    """Some positions of every topic, with their tracks."""
    chosen = [*list(suite.scenarios.values())[::_EVERY], suite.scenarios["to-score.the-example"]]
    checks = [suite.index.checks_of(each) for each in chosen]
    return [
        (each, of_it, tracks(suite, [walk(suite, check) for check in of_it]))
        for each, of_it in zip(chosen, checks, strict=True)
    ]


@pytest.mark.slow
def test_every_position_has_one_table_of_answers_or_the_line(suite: Suite, made: dict[str, Page]) -> None:
    for scenario in suite.scenarios.values():
        body = made[f"scenarios/{scenario.id.replace('.', '/')}.md"].body
        assert body.count('<table class="answers">') + body.count('class="one-answer"') == 1, scenario.id
        assert body.count("<hoyle-replay>") == 1


def test_groups_are_those_who_answer_alike(suite: Suite) -> None:
    for scenario in suite.scenarios.values():
        checks = suite.index.checks_of(scenario)
        found = answers(suite, checks)
        voices = [(check.ruleset, name) for check in checks for name in check.branches]
        given = [(check.ruleset, name) for answer in found for check, name in answer.given_by]
        assert sorted(given) == sorted(voices)
        assert len({tuple(answer.says.items()) for answer in found}) == len(found)
        for answer in found:
            assert len({tuple(other.says) for other in found}) == 1  # all speak of the same steps
            assert bool(answer.says) == (len(found) > 1)


def test_what_not_all_expect_is_in_the_answers(suite: Suite) -> None:
    for scenario in suite.scenarios.values():
        checks = suite.index.checks_of(scenario)
        branches = [branch for check in checks for branch in check.branches.values()]
        numbers = range(1, len(scenario.steps) + 1)
        steps = {number for number in numbers if any(each.get(number) != branches[0].get(number) for each in branches)}
        said = set(answers(suite, checks)[0].says)
        assert said <= steps
        assert steps == said or len(answers(suite, checks)) == 1  # put otherwise, and the same in words


@pytest.mark.slow
def test_every_step_of_each_track_is_there_once(
    suite: Suite, some: list[tuple[Scenario, tuple[Check, ...], tuple[Track, ...]]]
) -> None:
    for scenario, checks, found in some:
        shown = replay(suite, checks, "scenarios/a/b.md")
        assert sorted(check.id for track in found for check in track.checks) == sorted(check.id for check in checks)
        for track in found:
            ids = re.findall(rf'<li id="{re.escape(track.name)}-(\d+)"', shown)
            assert ids == [str(n) for n in range(len(scenario.steps) + 1)]


def test_what_is_outlined_is_the_difference_of_two_positions(
    suite: Suite, some: list[tuple[Scenario, tuple[Check, ...], tuple[Track, ...]]]
) -> None:
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


def test_those_on_a_track_show_the_same_tables(
    suite: Suite, some: list[tuple[Scenario, tuple[Check, ...], tuple[Track, ...]]]
) -> None:
    shared = 0
    for _, _, found in some:
        for track in found:
            for check in track.checks[1:]:
                (alone,) = tracks(suite, [walk(suite, check)])
                assert [each.table for each in alone.steps] == [each.table for each in track.steps]
                assert [each.follows for each in alone.steps] == [each.follows for each in track.steps]
                shared += 1
    assert shared


def test_a_step_is_marked_where_the_books_part(suite: Suite) -> None:
    checks = suite.index.checks_of(suite.scenarios["to-score.the-example"])
    found = tracks(suite, [walk(suite, check) for check in checks])
    assert next(step.number for step in found[0].steps if step.parts) == 2
    assert len(found) > 1
    (alone,) = tracks(suite, [walk(suite, checks[0])])
    assert not any(step.parts for step in alone.steps)


def test_a_finished_trick_is_shown_with_who_takes_it(suite: Suite) -> None:
    scenario = suite.scenarios["to-score.the-example"]
    checks = suite.index.checks_of(scenario)
    (track,) = tracks(suite, [walk(suite, checks[0])])
    tricks = [step.number for step in track.steps if any(place.kind == "taken" for place in step.table.cards)]
    assert tricks == [n for n, step in enumerate(scenario.steps, start=1) if step.get("do") == "trick"]
    played = scenario.steps[tricks[0] - 1]["cards"]
    (taken,) = [lie for place, lie in track.steps[tricks[0] - 1].table.cards.items() if place.kind == "taken"]
    assert list(taken) == played
    assert f"trick to A {' '.join(map(printed.card, played))}" in re.sub("<[^>]*>", "", replay(suite, checks, "a.md"))


def test_what_follows_is_not_said_again_as_what_the_book_decides(suite: Suite) -> None:
    checks = suite.index.checks_of(suite.scenarios["to-score.the-example"])
    shown = replay(suite, checks, "scenarios/a/b.md")
    assert '<p class="must">By the book: A scores 40.</p>' in shown
    checks = suite.index.checks_of(suite.scenarios["reuse.no-marriage-after-the-sequence"])
    shown = replay(suite, checks, "scenarios/a/b.md")
    assert "<li>Refused: a card of it has already scored" in shown
    assert "By the book: Refused" not in shown


def test_cards_left_open_have_no_face(suite: Suite) -> None:
    (track,) = tracks(suite, [walk(suite, suite.index.checks_of(suite.scenarios["to-score.the-example"])[0])])
    hand = track.table.cards[CardPlace("hand", "A")]
    assert {"KS", "QS", "JD", "AC"} == set(hand) - {"..."}
    assert hide_other_cards("A draws 8♣². B draws Q♠.", {"Q♠"}) == "A draws a card. B draws Q♠."
    assert hide_other_cards("A is dealt 8♣ 10♦ 9♥.", set()) == "A is dealt 3 cards."


def test_what_is_new_is_what_was_not_there() -> None:
    hand, score = CardPlace("hand", "A"), CardPlace("score", "A")
    before = ShownTable(("A",), {hand: ("KS", "...")}, {score: "0"})
    after = ShownTable(("A",), {hand: ("KS", "QS", "...")}, {score: "40"}).since(before)
    assert after.new_cards == {hand: {"QS"}}
    assert set(after.new_facts) == {score}
    assert not before.since(before).new_cards


def test_nothing_hostile_gets_out(suite: Suite) -> None:
    hostile = "</script><script>x</script><!-- \" onload='x' {{ x }}"
    scenario = replace(suite.scenarios["to-score.the-example"], title=hostile, why=hostile, id="a.b")
    page = scenarios.page(suite, scenario)
    assert "<script" not in page.body
    assert "<!--" not in page.body
    assert unescape(page.body).count(hostile) >= 2


@pytest.mark.slow
def test_positions_are_marked_whose_answers_differ(suite: Suite, made: dict[str, Page]) -> None:
    body = made["scenarios/index.md"].body
    marks = dict(re.findall(r'href="([a-z0-9/-]+)\.html">[^<]*</a>(?: <b>(.*?)</b>)?', body))
    assert len(marks) == len(suite.scenarios)
    assert "≠" in marks["cut/equal-cards"]  # another answer in another ruleset
    assert "≠" in marks["seven/exchanged-after-being-shown"]  # and in another reading
    assert "≠" not in marks["settlement/saved-by-brisques"]  # one answer, in two entries
    for scenario in suite.scenarios.values():
        assert ("?" in marks[scenario.id.replace(".", "/")]) == bool(scenario.readings)
    games = {game: body.count("<section") for game in suite.rules.games}
    assert set(games.values()) == {len(suite.rules.games)}
    assert scenarios.topic_title("piquet-deal") == "Deal"
