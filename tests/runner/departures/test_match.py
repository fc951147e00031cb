"""A fit that is taken over from rules that differ in a few cells is the fit that would be computed."""

import random

import pytest

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.departures.candidates import make_candidate, sourced_changes
from hoyle_conformance.runner.departures.forms import forms
from hoyle_conformance.runner.departures.match import Answer, EngineAnswers
from hoyle_conformance.suite.suite import Suite

#: So many checks, and so many changes of rules, are tried with each other.
CHECKS, CHANGES = 60, 40


def right_answers(suite: Suite, ruleset: str) -> list[Answer]:
    """The right answers to some checks of a ruleset."""
    ids = sorted(name for name in suite.index.checks if name.endswith(f"@{ruleset}"))
    found = []
    for name in random.Random(ruleset).sample(ids, CHECKS):
        message = planner_of(suite).request(suite.index.checks[name]).message
        seen = observations(suite.rules.of(ruleset), message)
        steps = message["steps"]
        found.append(Answer(message["position"], steps, seen, message["observe"], steps, range(len(steps))))
    return found


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", ["bezique-hoyle", "rubicon-hoyle", "piquet-rubicon-parlett"])
def test_fit_that_is_taken_over_is_the_one_that_would_be_computed(suite: Suite, ruleset: str) -> None:
    form = next(form for form in forms(suite) if ruleset in form.rulesets)
    evidence, base = EngineAnswers(right_answers(suite, ruleset), deals=True), make_candidate(suite, ruleset)
    assert base
    for at in range(CHECKS):
        assert evidence.fit(base, at).is_whole
    before, differing = evidence.judged, 0
    for change in random.Random(ruleset).sample(sourced_changes(suite, form, ruleset), CHANGES):
        near = make_candidate(suite, ruleset, [change], [(base, change)])
        for at in range(CHECKS) if near else ():
            assert near
            taken = evidence.fit(near, at)
            differing += not taken.is_whole
            alone = make_candidate(suite, ruleset, [change])
            assert alone
            assert EngineAnswers([evidence.answers[at]], deals=True).fit(alone, 0) == taken
    assert differing > 0
    assert evidence.judged - before < CHECKS * CHANGES * 2 // 3, "many are taken over"
