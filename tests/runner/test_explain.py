"""The search for the rules behind answers: it finds what an engine plays, within its work, and plays nothing twice."""

import random

import pytest

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.answers import Answer, Answers
from hoyle_conformance.runner.explain import Work, search
from hoyle_conformance.runner.rule_changes import RuleChange, sourced_changes
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Rules

#: So many checks, and so many changes of rules, are tried with each other.
CHECKS, CHANGES = 60, 12
RULESET = "bezique-hoyle"


def change_to(suite: Suite, path: str) -> RuleChange:
    """The first change of one cell that another source has."""
    return next(each for each in sourced_changes(suite, RULESET) if [path] == [new.path for new in each.cell_values])


def answers_of(suite: Suite, ruleset: str, rules: Rules) -> Answers:
    """The answers by some rules to some checks of a ruleset."""
    ids = sorted(name for name in suite.index.checks if name.endswith(f"@{ruleset}"))
    found = []
    for name in random.Random(ruleset).sample(ids, CHECKS):
        plan = planner_of(suite).request(suite.index.checks[name])
        found.append(Answer.to(plan, observations(rules, plan.message)))
    return Answers(suite, found, deals=True)


@pytest.fixture
def played(suite: Suite) -> tuple[Answers, RuleChange]:
    """The answers of an engine that has one rule of another source."""
    change = change_to(suite, "tricks.without_drawing.win")
    changed = Answers(suite, (), deals=True).candidate(RULESET, [change])
    assert changed
    return answers_of(suite, RULESET, changed.rules), change


def test_rule_that_an_engine_has_otherwise_is_found_and_known_before_the_search_ends(
    played: tuple[Answers, RuleChange],
) -> None:
    answers, change = played
    first, found = search(answers, RULESET, Work(10_000))
    assert [each.key for each in first.changes] == [each.key for each in found.changes] == [change.key]
    assert first.departures[0].shows
    assert not found.unexplained
    assert not found.cut_short


def test_a_search_ends_when_its_work_is_done(played: tuple[Answers, RuleChange]) -> None:
    """What is played to compare all answers once, and without each change, comes in addition."""
    answers, _ = played
    work = CHECKS // 2
    *_, found = search(answers, RULESET, Work(work))
    assert found.cut_short
    assert answers.replays <= work + (2 + len(found.departures)) * CHECKS


def test_known_rules_are_taken_back_if_nothing_needs_them(suite: Suite, played: tuple[Answers, RuleChange]) -> None:
    answers, change = played
    needless = change_to(suite, "declare.tricks_won_first")
    (found,) = search(answers, RULESET, Work(10_000), known=[needless, change], only=())
    assert [each.key for each in found.changes] == [change.key]


def test_right_answers_need_no_explanation(suite: Suite) -> None:
    answers = answers_of(suite, RULESET, suite.rules.of(RULESET))
    (found,) = search(answers, RULESET, Work(10_000))
    assert found.departures == found.unexplained == ()
    assert answers.replays == CHECKS


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", [RULESET, "piquet-rubicon-parlett"])
def test_fit_that_is_taken_over_is_the_one_that_would_be_computed(suite: Suite, ruleset: str) -> None:
    """From rules that differ in a few cells."""
    answers = answers_of(suite, ruleset, suite.rules.of(ruleset))
    assert answers.agreeing(answers.table(ruleset)) == frozenset(range(CHECKS))
    before, differing = answers.replays, 0
    for change in random.Random(ruleset).sample(sourced_changes(suite, ruleset), CHANGES):
        near = answers.candidate(ruleset, [change])
        for at in range(CHECKS) if near else ():
            assert near
            taken = answers.fit(near, at)
            differing += not taken.is_whole
            alone = Answers(suite, [answers.answers[at]], deals=True)
            candidate = alone.candidate(ruleset, [change])
            assert candidate
            assert alone.fit(candidate, 0) == taken
    assert differing > 0
    assert answers.replays - before < CHECKS * CHANGES * 2 // 3, "many are taken over"
