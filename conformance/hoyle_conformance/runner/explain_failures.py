"""Failures that a rule explains: the engine plays another rule than the ruleset, and what it answers fits that rule.

The search is that of `hoyle identify`, for each ruleset in which checks fail; a few checks that pass speak against a
rule. Counts limit its work, so that its result is the same on every machine:

- Of failures that are alike, a few are searched. The rules that are found are then tried on all of them.
- The rules that explain failures of one ruleset are tried on the next. Others are searched there only for ways to fail
  that no earlier search has left unexplained.
- All searches together play rules for an answer a few times as often as checks ran.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.answers import Answer, Answers
from hoyle_conformance.runner.explain import Explanation, Work, search
from hoyle_conformance.runner.features import has_rules, kind_of
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.runner.rule_changes import RuleChange
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed

#: How often rules are played to compare an answer: for each check that ran, and at least in all.
_WORK: Final = 4
_LEAST: Final = 3_000
#: With less work than this for each answer, only the rules that explain failures of another ruleset are tried.
_LEAST_WORK: Final = 4
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
    searches = _Searches(suite, max(_LEAST, _WORK * sum(each.ran for each in results)))
    nearest_first = sorted(failed, key=lambda name: len(failed[name]) / (len(failed[name]) + len(passed[name])))
    for ruleset in nearest_first:
        searches.explain(ruleset, failed[ruleset], passed[ruleset], is_last=ruleset == nearest_first[-1])
    searches.try_later_rules()
    return searches.found


@dataclass(slots=True)
class _Searches:
    """The searches in one ruleset after the other: the work that is left, the rules that explain failures, and the ways
    to fail that a search has left unexplained."""

    suite: Suite
    work: int
    found: ExplainedFailures = field(default_factory=ExplainedFailures)
    _rules: dict[str, RuleChange] = field(default_factory=dict)
    _unexplained: set[_Way] = field(default_factory=set)
    _without: list["_Failures"] = field(default_factory=list)
    _in_vain: int = 0

    def explain(self, ruleset: str, failed: Sequence[Result], passed: Sequence[Check], *, is_last: bool) -> None:
        """Explain the failures of one ruleset: by the rules that are known, and then by others, if a search for them
        promises anything."""
        results = [each for each in failed if each.mismatch and has_rules(kind_of(each.mismatch))]
        if not results:
            self.found.searched.add(ruleset)
            return
        limit = self.work if is_last else self.work * 3 // 4
        failures = _failures(self.suite, ruleset, results, passed)
        failures.try_rules([*self._rules.values()], limit)
        is_new = not self._unexplained.issuperset(map(_way, failures.unexplained()))
        is_near = not self._rules or len(failed) <= len(passed)  # else the engine plays another ruleset
        may_search = is_near and limit >= _LEAST_WORK * len(failures.answers) and self._in_vain < _MOST_IN_VAIN
        if is_new and may_search:
            self._search_rules(failures, limit)
        if not is_new or (may_search and not failures.found.cut_short):
            self.found.searched.add(ruleset)
        self._take(failures)
        if not failures.found.departures:
            self._without.append(failures)

    def _search_rules(self, failures: "_Failures", limit: int) -> None:
        """Search for rules that explain what the known ones do not."""
        known = len(failures.found.departures)
        *_, failures.found = search(failures.answers, failures.ruleset, Work(limit), known=failures.found.changes)
        left = failures.unexplained()
        self._unexplained.update(map(_way, left))
        self._in_vain = 0 if len(failures.found.departures) > known else self._in_vain + len(left)

    def try_later_rules(self) -> None:
        """Try the rules that were found later on the rulesets without any."""
        for failures in self._without if self._rules else ():
            failures.try_rules([*self._rules.values()], 0)
            self._take(failures)

    def _take(self, failures: "_Failures") -> None:
        """Take over which failures are explained, and by which rules."""
        self._rules |= {each.key: each for each in failures.found.changes}
        self.found.by_check.update(failures.explained())
        self.work -= failures.answers.replays


@dataclass(slots=True)
class _Failures:
    """The failures of one ruleset: those that are searched, the others that are like them, the answers in the former,
    after the right answers in as many `passes`, and the rules that are found."""

    ruleset: str
    sample: Sequence[Result]
    others: Sequence[Result]
    answers: Answers
    passes: int
    found: Explanation

    def try_rules(self, rules: Sequence[RuleChange], limit: int) -> None:
        """Find those of some rules that explain failures."""
        work = Work(max(limit, len(self.answers) * (1 + len(rules))))
        *_, self.found = search(self.answers, self.ruleset, work, only=rules)

    def unexplained(self) -> list[Result]:
        """Return the failures of the sample that no rule explains."""
        every = enumerate(self.sample, start=self.passes)
        return [each for at, each in every if not self._explained(at, each)]

    def explained(self) -> Iterator[tuple[str, ExplainedFailure]]:
        """Yield each failure that rules explain, by its check."""
        if not self.found.departures:
            return
        self.answers.answers = [*self.answers.answers[: self.passes], *map(_answer, (*self.sample, *self.others))]
        for at, result in enumerate((*self.sample, *self.others), start=self.passes):
            if known := self._explained(at, result):
                yield result.check.id, known

    def _explained(self, at: int, result: Result) -> ExplainedFailure | None:
        """Return the rules without which an answer fits less, and how far they explain it; None if there are none."""
        assert result.sent, "only what was sent has failed so"
        fit, fits_before = self.answers.fit(self.found.rules, at), self.answers.fit(self.found.base, at)
        needed = tuple(change for change in self.found.changes if self._agree_without(change, at) < fit.agree)
        if not needed or fit.agree <= fits_before.agree:
            return None
        if fit.first is None:
            return ExplainedFailure(needed, 0)
        ends, first = result.sent.plan.ends, fit.first.at
        return ExplainedFailure(needed, next((step for step, end in enumerate(ends, 1) if first < end), len(ends)))

    def _agree_without(self, change: RuleChange, at: int) -> int:
        """Return how much of an answer agrees with all the rules but one."""
        others = [each for each in self.found.changes if each is not change]
        rules = self.answers.candidate(self.ruleset, others) or self.found.base
        return self.answers.fit(rules, at).agree


def _failures(suite: Suite, ruleset: str, failed: Sequence[Result], passed: Sequence[Check]) -> _Failures:
    """Return the failures of a ruleset, of which a few of those that are alike are searched."""
    counts, sample, others = Counter[_Way](), list[Result](), list[Result]()
    for each in failed:
        way = (each.check.scenario.topic, *_way(each)[1:])
        (sample if counts[way] < _ALIKE else others).append(each)
        counts[way] += 1
    right = [*_right_answers(suite, passed[:: len(passed) // _PASSES + 1])]
    answers = Answers(suite, [*right, *map(_answer, sample)], deals=True)
    base = answers.table(ruleset)
    return _Failures(ruleset, sample, others, answers, len(right), Explanation(base, base, (), ()))


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
    return Answer.to(result.sent.plan, result.sent.observed)


def _right_answers(suite: Suite, checks: Sequence[Check]) -> Iterator[Answer]:
    """Yield the right answers to checks, as the reference has them."""
    for check in checks:
        try:
            plan = planner_of(suite).request(check)
            seen = observations(suite.rules.of(check.ruleset), plan.message)
        except (CannotSetUp, Malformed):
            continue
        yield Answer.to(plan, seen)
