"""Failures that a rule explains: the engine plays another rule than the ruleset, and what it answers fits that rule.

The search is that of `hoyle identify`, for each ruleset in which checks fail; a few checks that pass speak against a
rule. It is limited by the number of checks that ran.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hoyle_conformance.checks.adapt.grouping import reference_steps
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.departures.candidates import make_table, sourced_changes
from hoyle_conformance.runner.departures.changes import RuleChange
from hoyle_conformance.runner.departures.explain import Explainer
from hoyle_conformance.runner.departures.forms import Form, forms
from hoyle_conformance.runner.departures.match import Answer, Candidate, EngineAnswers
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed

#: How often rules are played to compare an answer: for each check that ran, and at least in all.
_EFFORT: Final = 6
_LEAST: Final = 3_000
#: With less effort than this for each answer, only the rules that explain failures of another ruleset are tried.
_LEAST_EFFORT: Final = 4
#: The most checks that pass with which a rule is compared, in each ruleset.
_PASSES: Final = 120


class ExplainedFailure(NamedTuple):
    """The rules by which the first mismatches of a failure are explained, and the step up to which they are; 0 if they
    explain all of it."""

    changes: tuple[RuleChange, ...]
    until: int


@dataclass(slots=True)
class ExplainedFailures:
    """The explained failures by their checks, and the rulesets whose failures were searched to the end."""

    by_check: dict[str, ExplainedFailure] = field(default_factory=dict)
    searched: set[str] = field(default_factory=set)


def explain_failures(suite: Suite, results: Sequence[Result]) -> ExplainedFailures:
    """Return the failures that other rules explain."""
    failed: dict[str, list[Result]] = defaultdict(list)
    for each in results:
        if each.mismatch and each.sent:
            failed[each.check.ruleset].append(each)
    found, hints = ExplainedFailures(), list[RuleChange]()
    by_form = {name: form for form in forms(suite) for name in form.rulesets} if failed else {}
    effort = max(_LEAST, _EFFORT * sum(each.ran for each in results))
    passed_in: dict[str, list[Check]] = defaultdict(list)
    for each in results:
        if each.status is Status.PASS and each.check.ruleset in failed:
            passed_in[each.check.ruleset].append(each.check)
    nearest_first = sorted(failed.items(), key=lambda each: len(each[1]) / (len(each[1]) + len(passed_in[each[0]])))
    without = list[tuple[Explainer, Sequence[Result]]]()
    for ruleset, some in nearest_first:
        if ruleset in by_form:
            passed = passed_in[ruleset]
            limit = effort if ruleset == nearest_first[-1][0] else effort // 2
            explainer = _explainer(suite, by_form[ruleset], some, passed, hints, limit)
            hints += [each for each in _explain_in(explainer, some, found) if each not in hints]
            effort -= explainer.evidence.judged
            if not explainer.chosen:
                without.append((explainer, some))
    for explainer, unexplained in without if hints else ():  # what was found later may explain them
        explainer.sourced, explainer.by_the_schema = hints, False
        _explain_in(explainer, unexplained, found)
    return found


def _explainer(
    suite: Suite, form: Form, failed: Sequence[Result], passed: Sequence[Check], hints: Sequence[RuleChange], limit: int
) -> Explainer:
    """Return the search for the rules that explain the failures of one ruleset: first those that explain failures of
    another, and only those if most checks fail, since the engine plays another ruleset, or if much has been tried."""
    ruleset = failed[0].check.ruleset
    answers = [_answer(each) for each in failed]
    answers += _right_answers(suite, passed[:: len(passed) // _PASSES + 1])
    evidence, base, tried = EngineAnswers(answers, deals=True), make_table(suite, ruleset), list(hints)
    search = limit >= _LEAST_EFFORT * len(answers) and (not hints or len(failed) <= len(passed))
    if search:
        known = {each.key for each in hints}
        tried += [each for each in sourced_changes(suite, form, ruleset) if each.key not in known]
    most = max(limit, len(answers) * (1 + len(hints)))
    return Explainer(suite, evidence, base, tried, limit=most, by_the_schema=search)


def _explain_in(explainer: Explainer, failed: Sequence[Result], found: ExplainedFailures) -> list[RuleChange]:
    """Explain the failures of one ruleset, and return the rules that do."""
    for _ in explainer.search():
        pass
    if explainer.by_the_schema and not explainer.cut_short:
        found.searched.add(explainer.base.ruleset)
    for at, result in enumerate(failed):
        explained = _explained(explainer, at, result)
        if explained:
            found.by_check[result.check.id] = explained
    return explainer.chosen


def _answer(result: Result) -> Answer:
    """Return what an engine has answered in a check."""
    assert result.sent, "only what was sent has failed so"
    plan, observed = result.sent.plan, result.sent.observed
    course = reference_steps(plan)
    return Answer(
        course.begins, plan.message["steps"], observed, plan.message["observe"], course.message["steps"], course.at
    )


def _right_answers(suite: Suite, checks: Sequence[Check]) -> Iterator[Answer]:
    """Yield the right answers to checks, as the reference has them."""
    for check in checks:
        try:
            plan = planner_of(suite).request(check)
            seen = observations(suite.rules.of(check.ruleset), plan.message)
        except (CannotSetUp, Malformed):
            continue
        steps = plan.message["steps"]
        yield Answer(plan.position, steps, seen, plan.message["observe"], steps, range(len(steps)))


def _explained(explainer: Explainer, at: int, result: Result) -> ExplainedFailure | None:
    """Return the rules without which an answer fits less, and how far they explain it; None if there are none."""
    assert result.sent, "only what was sent has failed so"
    rules = explainer.rules_with(explainer.chosen)
    fit = explainer.evidence.fit(rules, at)
    needed = tuple(change for change in explainer.chosen if _is_needed(explainer, rules, change, at))
    if not needed or fit.agree <= explainer.evidence.fit(explainer.base, at).agree:
        return None
    if fit.first is None:
        return ExplainedFailure(needed, 0)
    ends = result.sent.plan.ends
    return ExplainedFailure(needed, next((step for step, end in enumerate(ends, 1) if fit.first.at < end), len(ends)))


def _is_needed(explainer: Explainer, rules: Candidate, change: RuleChange, at: int) -> bool:
    """Whether an answer fits less without one of the changes."""
    fewer = explainer.rules_without(change)
    return explainer.evidence.fit(fewer, at).agree < explainer.evidence.fit(rules, at).agree
