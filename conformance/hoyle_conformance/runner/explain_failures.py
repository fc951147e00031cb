"""Failures that a rule explains: the engine plays another rule than the ruleset, and what it answers fits that rule.

The search is that of `hoyle identify`, for each ruleset in which checks fail; a few checks that pass speak against a
rule. Counts limit its cost, so that its result is the same on every machine:

- Of failures that are alike, a few are searched. The rules that are found are then tried on all of them.
- The rules that explain failures of one ruleset are tried on the next. Others are searched there only for ways to fail
  that no earlier search has left unexplained.
- All searches together play rules for an answer a few times as often as checks ran.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.departures.candidates import make_table, sourced_changes
from hoyle_conformance.runner.departures.changes import RuleChange
from hoyle_conformance.runner.departures.explain import Explainer
from hoyle_conformance.runner.departures.forms import Form, forms
from hoyle_conformance.runner.departures.match import Answer, Candidate, EngineAnswers
from hoyle_conformance.runner.features import has_rules, kind_of
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed

#: How often rules are played to compare an answer: for each check that ran, and at least in all.
_EFFORT: Final = 4
_LEAST: Final = 3_000
#: With less effort than this for each answer, only the rules that explain failures of another ruleset are tried.
_LEAST_EFFORT: Final = 4
#: After searches for the rules behind so many failures have found none, one after the other, no other is made.
_MOST_IN_VAIN: Final = 60
#: The most failures of one topic that are alike, and the most checks that pass, with which a rule is compared.
_ALIKE: Final = 6
_PASSES: Final = 120

#: A way to fail: the scenario, the observable, the act or question, and the combination or class that this is about.
_Way = tuple[str, ...]


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
    failed, passed = defaultdict[str, list[Result]](list), defaultdict[str, list[Check]](list)
    for each in results:
        if each.mismatch and each.sent:
            failed[each.check.ruleset].append(each)
        elif each.status is Status.PASS:
            passed[each.check.ruleset].append(each.check)
    if not failed:
        return ExplainedFailures()
    by_form = {name: form for form in forms(suite) for name in form.rulesets}
    search = _Search(suite, by_form, max(_LEAST, _EFFORT * sum(each.ran for each in results)))
    nearest_first = sorted(failed, key=lambda name: len(failed[name]) / (len(failed[name]) + len(passed[name])))
    for ruleset in nearest_first:
        search.explain(ruleset, failed[ruleset], passed[ruleset], is_last=ruleset == nearest_first[-1])
    search.try_later_rules()
    return search.found


@dataclass(slots=True)
class _Search:
    """The search in one ruleset after the other: the effort that is left, the rules that explain failures, and the ways
    to fail that a search has left unexplained."""

    suite: Suite
    by_form: Mapping[str, Form]
    effort: int
    found: ExplainedFailures = field(default_factory=ExplainedFailures)
    _rules: dict[str, RuleChange] = field(default_factory=dict)
    _unexplained: set[_Way] = field(default_factory=set)
    _without: list["_Failures"] = field(default_factory=list)
    _in_vain: int = 0

    def explain(self, ruleset: str, failed: Sequence[Result], passed: Sequence[Check], *, is_last: bool) -> None:
        """Explain the failures of one ruleset: by the rules that are known, and then by others, if a search for them
        promises anything."""
        results = [each for each in failed if each.mismatch and has_rules(kind_of(each.mismatch))]
        if not results or ruleset not in self.by_form:
            self.found.searched.add(ruleset)
            return
        limit = self.effort if is_last else self.effort * 3 // 4
        failures = _failures(self.suite, ruleset, results, passed)
        failures.try_rules([*self._rules.values()], limit)
        is_new = not self._unexplained.issuperset(map(_way, failures.unexplained()))
        is_near = not self._rules or len(failed) <= len(passed)  # else the engine plays another ruleset
        may_search = is_near and limit >= _LEAST_EFFORT * len(failures.answers) and self._in_vain < _MOST_IN_VAIN
        if is_new and may_search:
            self._search_rules(failures, limit)
        if not is_new or (may_search and not failures.explainer.cut_short):
            self.found.searched.add(ruleset)
        self._take(failures)

    def _search_rules(self, failures: "_Failures", limit: int) -> None:
        """Search for rules that explain what the known ones do not."""
        ruleset, known = failures.explainer.base.ruleset, len(failures.explainer.chosen)
        failures.search_rules(sourced_changes(self.suite, self.by_form[ruleset], ruleset), limit)
        left = failures.unexplained()
        self._unexplained.update(map(_way, left))
        self._in_vain = 0 if len(failures.explainer.chosen) > known else self._in_vain + len(left)

    def try_later_rules(self) -> None:
        """Try the rules that were found later on the rulesets without any."""
        for failures in tuple(self._without) if self._rules else ():
            failures.try_rules([*self._rules.values()], 0)
            self._take(failures)

    def _take(self, failures: "_Failures") -> None:
        """Take over which failures are explained, and by which rules."""
        self._rules |= {each.key: each for each in failures.explainer.chosen}
        self.found.by_check.update(failures.explained())
        self.effort -= failures.explainer.evidence.judged
        if not failures.explainer.chosen:
            self._without.append(failures)


@dataclass(slots=True)
class _Failures:
    """The failures of one ruleset: those that are searched, the others that are like them, and how many answers of
    checks that pass come before them in the explainer."""

    explainer: Explainer
    answers: list[Answer]
    sample: Sequence[Result]
    others: Sequence[Result]
    passes: int

    def try_rules(self, rules: Sequence[RuleChange], limit: int) -> None:
        """Find those of some rules that explain failures."""
        self._run(rules, max(limit, len(self.answers) * (1 + len(rules))), by_the_schema=False)

    def search_rules(self, sourced: Sequence[RuleChange], limit: int) -> None:
        """Find further rules: of other sources, and then by the schema."""
        chosen = {each.key for each in self.explainer.chosen}
        self._run([each for each in sourced if each.key not in chosen], limit, by_the_schema=True)

    def _run(self, rules: Sequence[RuleChange], limit: int, *, by_the_schema: bool) -> None:
        self.explainer.sourced, self.explainer.by_the_schema = rules, by_the_schema
        self.explainer.limit = limit
        for _ in self.explainer.search():
            pass

    def unexplained(self) -> list[Result]:
        """Return the failures of the sample that no rule explains."""
        every = enumerate(self.sample, start=self.passes)
        return [each for at, each in every if not _explained(self.explainer, at, each)]

    def explained(self) -> Iterator[tuple[str, ExplainedFailure]]:
        """Yield each failure that rules explain, by its check."""
        if not self.explainer.chosen:
            return
        if len(self.answers) == self.passes + len(self.sample):
            self.answers += [_answer(each) for each in self.others]
        for at, result in enumerate((*self.sample, *self.others), start=self.passes):
            if known := _explained(self.explainer, at, result):
                yield result.check.id, known


def _failures(suite: Suite, ruleset: str, failed: Sequence[Result], passed: Sequence[Check]) -> _Failures:
    """Return the failures of a ruleset, of which a few of those that are alike are searched."""
    counts, sample, others = Counter[_Way](), list[Result](), list[Result]()
    for each in failed:
        way = (each.check.scenario.topic, *_way(each)[1:])
        (sample if counts[way] < _ALIKE else others).append(each)
        counts[way] += 1
    answers = [*_right_answers(suite, passed[:: len(passed) // _PASSES + 1])]
    passes = len(answers)
    answers += [_answer(each) for each in sample]
    explainer = Explainer(suite, EngineAnswers(answers, deals=True), make_table(suite, ruleset), ())
    return _Failures(explainer, answers, sample, others, passes)


def _way(result: Result) -> _Way:
    """Return the way in which a check failed first."""
    assert result.sent, "only what was sent has failed so"
    assert result.mismatch, "only a mismatch is explained"
    plan = result.sent.plan
    step = plan.message["steps"][plan.ends[result.mismatch.step - 1] - 1]
    about = (str(step.get(key, "")) for key in ("do", "ask", "meld", "class"))
    return result.check.scenario.id, kind_of(result.mismatch), *about


def _answer(result: Result) -> Answer:
    """Return what an engine has answered in a check."""
    assert result.sent, "only what was sent has failed so"
    plan, observed = result.sent.plan, result.sent.observed
    course = plan.reference_steps
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
