"""Group the failures of a run by cause, across scenarios and rulesets.

The parts are: failures that another rule explains; mismatches of the same kind, distinguished by the features at work;
the order of causes; and failures with nothing to compare. Failures of the same kind may have several causes. A cause is
marked by a feature that is at work in many of these failures and in few checks where the same kind of observable was
right. The feature with the highest f²/(f + p), at work in f failures and in p passes, becomes a cause; then the next is
chosen from the remaining failures.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.messages import FAULTS
from hoyle_conformance.runner.answers import Answer, Answers
from hoyle_conformance.runner.explain import Explanation, Work, search
from hoyle_conformance.runner.features import (
    MISSING,
    RANK,
    Feature,
    Single,
    has_rules,
    kind_of,
    reference_steps,
    simplify_reason,
    single_of,
)
from hoyle_conformance.runner.results import PLAYS_OTHERWISE, UNEXPECTED, Failure, FailureGroup, Result, Status
from hoyle_conformance.runner.rule_changes import RuleChange
from hoyle_conformance.runner.select import is_game
from hoyle_conformance.suite.model import Check, Heading
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed
from hoyle_reference.refusals import Grounds

# ---- failures that another rule explains
#
# The engine plays another rule than the ruleset, and its answers fit that rule. The search of `hoyle identify` runs for
# each ruleset with failing checks; a few passing checks serve as evidence against a rule. Counts limit its work, so the
# result is the same on every machine:
#
# - Of similar failures, only a few are searched. The rules found are then tried on all of them.
# - The rules that explain failures of one ruleset are tried on the next. There, other rules are searched for only if
#   some failures differ from those that an earlier search left unexplained.
# - All searches together may compare only a few times as many answers as there were checks.


#: The maximum number of comparisons with an answer: for each check that ran, and the minimum of that limit.
_WORK: Final = 4
_LEAST: Final = 3_000
#: With less work than this for each answer, only the rules that explain failures of another ruleset are tried.
_LEAST_WORK: Final = 4
#: The number of failures in a row that searches may leave unexplained before no further search is made.
_MOST_IN_VAIN: Final = 60
#: The maximum number of similar failures of one topic, and of passing checks, that a rule is compared with.
_ALIKE: Final = 6
_PASSES: Final = 120

#: A way to fail: the scenario, the observable, the act or question, and the combination or class concerned.
_Way = tuple[str, ...]


class ExplainedFailure(NamedTuple):
    """The rules that explain the first mismatches of a failure, and the last step that they explain; 0 if they explain
    every step."""

    changes: tuple[RuleChange, ...]
    until: int


@dataclass(slots=True)
class ExplainedFailures:
    """The explained failures by check, and the rulesets whose failures were searched completely."""

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
    """The searches through the rulesets, one after another: the remaining work, the rules that explain failures, and
    the ways to fail that a search has left unexplained."""

    suite: Suite
    work: int
    found: ExplainedFailures = field(default_factory=ExplainedFailures)
    _rules: dict[str, RuleChange] = field(default_factory=dict)
    _unexplained: set[_Way] = field(default_factory=set)
    _without: list["_Failures"] = field(default_factory=list)
    _in_vain: int = 0

    def explain(self, ruleset: str, failed: Sequence[Result], passed: Sequence[Check], *, is_last: bool) -> None:
        """Explain the failures of one ruleset: first by the known rules, then by a search for others if one is
        promising."""
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
        """Search for rules that explain the failures that the known rules do not."""
        known = len(failures.found.departures)
        *_, failures.found = search(failures.answers, failures.ruleset, Work(limit), known=failures.found.changes)
        left = failures.unexplained()
        self._unexplained.update(map(_way, left))
        self._in_vain = 0 if len(failures.found.departures) > known else self._in_vain + len(left)

    def try_later_rules(self) -> None:
        """Try the rules found later on the rulesets that have none."""
        for failures in self._without if self._rules else ():
            failures.try_rules([*self._rules.values()], 0)
            self._take(failures)

    def _take(self, failures: "_Failures") -> None:
        """Record the explained failures and the rules that explain them."""
        self._rules |= {each.key: each for each in failures.found.changes}
        self.found.by_check.update(failures.explained())
        self.work -= failures.answers.replays


@dataclass(slots=True)
class _Failures:
    """The failures of one ruleset: the `sample` that is searched, and the `others` similar to them. `answers` has the
    right answers of as many checks as `passes`, then those of the sample; `found` has the rules that explain them."""

    ruleset: str
    sample: Sequence[Result]
    others: Sequence[Result]
    answers: Answers
    passes: int
    found: Explanation

    def try_rules(self, rules: Sequence[RuleChange], limit: int) -> None:
        """Find those of these rules that explain failures."""
        work = Work(max(limit, len(self.answers) * (1 + len(rules))))
        *_, self.found = search(self.answers, self.ruleset, work, only=rules)

    def unexplained(self) -> list[Result]:
        """Return the failures of the sample that no rule explains."""
        every = enumerate(self.sample, start=self.passes)
        return [each for at, each in every if not self._explained(at, each)]

    def explained(self) -> Iterator[tuple[str, ExplainedFailure]]:
        """Yield each explained failure, with the id of its check."""
        if not self.found.departures:
            return
        self.answers.answers = [*self.answers.answers[: self.passes], *map(_answer, (*self.sample, *self.others))]
        for at, result in enumerate((*self.sample, *self.others), start=self.passes):
            if known := self._explained(at, result):
                yield result.check.id, known

    def _explained(self, at: int, result: Result) -> ExplainedFailure | None:
        """Return the rules without which less of an answer fits, and the last step that they explain; None if there are
        no such rules."""
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
        """Return how much of an answer agrees with all the rules except one."""
        others = [each for each in self.found.changes if each is not change]
        rules = self.answers.candidate(self.ruleset, others) or self.found.base
        return self.answers.fit(rules, at).agree


def _failures(suite: Suite, ruleset: str, failed: Sequence[Result], passed: Sequence[Check]) -> _Failures:
    """Return the failures of a ruleset, with a sample of the similar ones to be searched."""
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
    """Return the way in which a check first failed."""
    assert result.sent, "only what was sent has failed so"
    assert result.mismatch, "only a mismatch is explained"
    plan = result.sent.plan
    step = plan.message["steps"][plan.ends[result.mismatch.step - 1] - 1]
    about = (str(step.get(key, "")) for key in ("do", "ask", "meld", "class"))
    return result.check.scenario.id, kind_of(result.mismatch), *about


def _answer(result: Result) -> Answer:
    """Return the answer of an engine in a check."""
    assert result.sent, "only what was sent has failed so"
    return Answer.to(result.sent.plan, result.sent.observed)


def _right_answers(suite: Suite, checks: Sequence[Check]) -> Iterator[Answer]:
    """Yield the right answers to checks, as the reference gives them."""
    for check in checks:
        try:
            plan = planner_of(suite).request(check)
            seen = observations(suite.rules.of(check.ruleset), plan.message)
        except (CannotSetUp, Malformed):
            continue
        yield Answer.to(plan, seen)


# ---- mismatches of the same kind


#: The observables that are compared after every act, so that later mismatches cannot come from an unseen error in them.
_SEEN_AT_ONCE: Final = frozenset({"accepted", "refused"})
NOW_PASSES: Final = "this-known-failure-now-passes"
#: The faults of a conversation that are grouped by their names; others and errors are grouped by their reasons.
_NAMED: Final = FAULTS.keys() - {"crashed", "crashed-later", "not-a-message", "invalid-answer"}
#: The order of observables within one act: a mismatch may come from one in an earlier place. Any observable not in the
#: list comes last.
_FIRST: Final = ("trick_won_by", "trumps", "turn_up", "hands", "shown", "cards lie", "turn", "score")
_PLACES: Final = MappingProxyType(
    dict.fromkeys(_SEEN_AT_ONCE, 0) | {kind: place for place, kind in enumerate(_FIRST, start=1)}
)


@dataclass(frozen=True, slots=True)
class _Unit:
    """One mismatch: its kind, the part of an answer that is wrong by its amount, the steps before it, its features, and
    the cells that it concerns, the main one first."""

    failure: Failure
    kind: str
    part: str
    single: Single
    before: Sequence[Single]
    about: frozenset[Feature]
    cells: Grounds

    @property
    def at_work(self) -> int:
        """The number of rules at work up to the mismatch."""
        return len({cell for each in (*self.before, self.single) for cell in each.taken.grounds})


@dataclass(frozen=True, slots=True)
class _Group:
    """The failures of one cause, and the feature that distinguishes them."""

    cause: FailureGroup
    feature: Feature
    units: Sequence[_Unit] = ()

    def with_units(self, units: Sequence[_Unit]) -> "_Group":
        """Return the same cause with these mismatches; its example is the simplest one in which its rule is the main
        one."""
        named = (self.cause.cell,)
        example = min(units, key=lambda unit: (unit.cells[:1] != named, unit.at_work, len(unit.before)))
        failures = (example.failure, *(unit.failure for unit in units if unit is not example))
        return replace(self, cause=replace(self.cause, failures=failures), units=units)

    def with_more(self, other: "_Group") -> "_Group":
        """Return the same cause with the mismatches of another, which are of the same rule."""
        unexplained = self.cause.change is not None or (self.cause.unexplained and other.cause.unexplained)
        failures = (*self.cause.failures, *other.cause.failures)
        cause = replace(self.cause, failures=failures, unexplained=unexplained)
        return replace(self, cause=cause, units=(*self.units, *other.units))


def group_failures(suite: Suite, results: Iterable[Result]) -> tuple[FailureGroup, ...]:
    """Return the causes of all failures: broken conversations first, then the largest, then those that may follow from
    others. A cause is `unexplained` if no rule could explain it, or if other rules were tried in all of its rulesets. A
    game is not compared with other rules, since an engine that plays another rule soon plays
    another game."""
    every = [each for each in results if is_game(each.check) or each.check.scenario.id in suite.scenarios]
    of_suite = [each for each in every if not is_game(each.check)]
    failed = [each for each in every if each.status in UNEXPECTED]
    units = [unit for each in failed if each.mismatch for unit in _units(suite, each)]
    right = _right(suite, of_suite, units) if units else {}
    explained = explain_failures(suite, of_suite)
    groups, left = _explained_groups(explained, units)
    alike = defaultdict[tuple[str, str], list[_Unit]](list)
    for unit in left:
        alike[unit.kind, unit.part].append(unit)
    for (kind, _part), some in alike.items():
        for group in _told_apart(suite, some, right[kind]):
            searched = not has_rules(kind) or explained.searched.issuperset(group.cause.rulesets)
            groups.append(replace(group, cause=replace(group.cause, unexplained=searched)))
    others = [_Group(cause, Feature(RANK.anything)) for cause in _without_mismatch(failed)]
    return tuple(_in_order([*_one_for_each_rule(_one_cause_each(groups)), *others]))


def _one_cause_each(groups: Sequence[_Group]) -> list[_Group]:
    """Leave each failing check to one cause, so that the numbers of checks add up. First, each cause keeps one check if
    it can, beginning with the rarest; the other checks are left to another value of a rule, or else to the rarest."""
    by_size = sorted(groups, key=lambda group: (len(group.cause.checks), not group.cause.change))
    owners: dict[str, _Group] = {}
    for group in by_size:
        owners |= dict.fromkeys([each for each in group.cause.checks if each not in owners][:1], group)
    for group in sorted(by_size, key=lambda group: not group.cause.change):
        owners = dict.fromkeys(group.cause.checks, group) | owners
    own = [[unit for unit in each.units if owners[unit.failure.result.check.id] is each] for each in groups]
    return [group.with_units(units) for group, units in zip(groups, own, strict=True) if units]


def _one_for_each_rule(groups: Iterable[_Group]) -> list[_Group]:
    """Put the causes together that are one rule and one part of an answer, seen in several ways; with another value of
    this rule, also what that value does not explain."""
    found: list[_Group] = []
    for group in sorted(groups, key=lambda group: _order(group.cause)):
        alike = [at for at, each in enumerate(found) if each.feature == group.feature]
        same = [at for at in alike if found[at].cause.change or found[at].cause.part == group.cause.part]
        if same and group.feature.rank == RANK.cell and not group.cause.change:
            found[same[0]] = found[same[0]].with_more(group)
        else:
            found.append(group)
    return found


# ---- causes that are other values of rules


def _explained_groups(explained: ExplainedFailures, units: Sequence[_Unit]) -> tuple[list[_Group], list[_Unit]]:
    """Return the causes that are other values of rules, and the mismatches that these leave unexplained."""
    found: dict[str, tuple[RuleChange, list[_Unit]]] = {}
    left = []
    for unit in units:
        result, mismatch = unit.failure.result, unit.failure.mismatch
        known = explained.by_check.get(result.check.id)
        if known and mismatch is result.mismatch:
            for change in known.changes:
                found.setdefault(change.key, (change, []))[1].append(unit)
        elif known is None or mismatch is None or (known.until and mismatch.step >= known.until):
            left.append(unit)
    causes = (FailureGroup(PLAYS_OTHERWISE, (), cell=change.path, change=change) for change, _ in found.values())
    groups = (_Group(cause, Feature(RANK.cell, cause.cell)) for cause in causes)
    return [group.with_units(some) for group, (_, some) in zip(groups, found.values(), strict=True)], left


# ---- causes distinguished by features


def _units(suite: Suite, result: Result) -> Iterator[_Unit]:
    singles = reference_steps(suite, result.check)
    for mismatch in result.independent:
        kind, (at, single) = kind_of(mismatch), single_of(suite, result.check, singles, mismatch)
        about = set(single.about(kind, mismatch))
        if kind == "accepted" and mismatch.reason:
            about.add(Feature(RANK.reason, simplify_reason(mismatch.reason)))
        cells, part = single.cells(kind, mismatch), single.part(mismatch)
        yield _Unit(Failure(result, mismatch), kind, part, single, singles[:at], frozenset(about), cells)


def _right(suite: Suite, results: Iterable[Result], units: Iterable[_Unit]) -> Mapping[str, Counter[Feature]]:
    """Count, for each kind of observable that failed, the features at work where it was right, in the rulesets with
    failures."""
    kinds = {unit.kind for unit in units}
    rulesets = {unit.failure.result.check.ruleset for unit in units}
    before = {unit.failure.result.check.id: unit.before for unit in reversed(list(units))}
    counts: dict[str, Counter[Feature]] = {kind: Counter() for kind in kinds}
    for each in results:
        if each.check.ruleset in rulesets and (each.status is Status.PASS or each.check.id in before):
            right = reference_steps(suite, each.check) if each.status is Status.PASS else before[each.check.id]
            for kind in kinds:
                counts[kind].update(f for single in right if single.is_compared(kind) for f in single.about(kind))
    return counts


def _told_apart(suite: Suite, units: Sequence[_Unit], right: Counter[Feature]) -> Iterator[_Group]:
    # A reason that the engine always gives tells nothing apart.
    reasons = {feature for unit in units for feature in unit.about if feature.rank == RANK.reason}
    idle = reasons if units[0].kind == "accepted" and len(reasons) == 1 else set()
    left = [(unit, unit.about - idle) for unit in units]
    while left:
        found = Counter(feature for _, about in left for feature in about)
        feature = _most_telling(suite, left, found, right)
        some = [unit for unit, about in left if feature in about]
        yield _group(suite, feature, some, right)
        left = [each for each in left if feature not in each[1]]


_Told = tuple[_Unit, frozenset[Feature]]


def _most_telling(
    suite: Suite, units: Sequence[_Told], found: Counter[Feature], right: Mapping[Feature, int]
) -> Feature:
    """Return the feature that best separates failures from passes; among equals, the most specific."""
    telling = {feature: Fraction(f * f, f + right.get(feature, 0)) for feature, f in found.items()}
    best = max(telling.values())
    alike = [feature for feature, each in telling.items() if each == best]
    return max(alike, key=lambda each: (each.rank, _cited(suite, units, each), -_place(units, each), each.name))


def _cited(suite: Suite, units: Sequence[_Told], feature: Feature) -> int:
    """Return the number of checks that cite a clause of this rule, and so are about it."""
    if feature.rank != RANK.cell:
        return 0
    checks = (_of_a_source(suite, unit.failure.result.check) for unit, about in units if feature in about)
    cells = ((each.cites, suite.rules.cells(each.ruleset)) for each in checks)
    return sum(feature.name in of and not of.clauses([feature.name]).isdisjoint(cites) for cites, of in cells)


def _of_a_source(suite: Suite, check: Check) -> Check | Heading:
    """Return the check of a source from which a check under house rules was made; any other check itself."""
    house = suite.house
    if house is None or house.ruleset.id != check.ruleset:
        return check
    headings = suite.index.headings
    return next(headings[name] for each in house.checked_as if (name := f"{check.scenario.id}@{each}") in headings)


def _place(units: Sequence[_Told], feature: Feature) -> int:
    """Return the place of a rule among those that the first mismatch concerns; the interpreter names the main one
    first."""
    cells = next(unit.cells for unit, about in units if feature in about)
    return cells.index(feature.name) if feature.name in cells else len(cells)


def _group(suite: Suite, feature: Feature, units: Sequence[_Unit], right: Mapping[Feature, int]) -> _Group:
    """Return the cause for a feature."""
    common = frozenset.intersection(*(unit.about for unit in units))
    cells = frozenset(each for each in common if each.rank == RANK.cell)
    if feature.rank != RANK.cell and cells:
        shared = _most_telling(suite, [(unit, cells) for unit in units], Counter(cells), right)
    else:
        shared = feature
    named = shared.name if shared.rank == RANK.cell else ""
    refusals, kind = {unit.single.refusal for unit in units}, units[0].kind
    refusal = refusals.pop() if len(refusals) == 1 else ""
    reason = feature.name if feature.rank == RANK.reason and kind == "accepted" else ""
    words = {(unit.single.word, unit.single.asks) for unit in units}
    word, asks = words.pop() if len(words) == 1 else ("", all(each for _, each in words))
    cause = FailureGroup(kind, (), word=word, asks=asks, refusal=refusal, reason=reason, cell=named, part=units[0].part)
    return _Group(cause, feature).with_units(units)


# ---- causes that may follow from others


def _in_order(groups: Iterable[_Group]) -> Iterator[FailureGroup]:
    """Yield broken conversations and errors first, then the largest cause; then those that may follow from others, each
    after these. Causes with the same words get numbers."""
    left, alike = list[_Group](), Counter[str]()
    for group in sorted(groups, key=lambda group: -len(group.cause.checks)):
        alike[group.cause.id] += 1
        left.append(replace(group, cause=replace(group.cause, nth=alike[group.cause.id])))
    sources = {each.cause.id: tuple(other.cause.id for other in left if _is_source(other, each)) for each in left}
    left.sort(key=lambda each: (not each.cause.broke, each.cause.kind != Status.ERROR, bool(sources[each.cause.id])))
    placed: set[str] = set()
    while left:
        group = next((each for each in left if placed.issuperset(sources[each.cause.id])), left[0])
        left.remove(group)
        placed.add(group.cause.id)
        yield replace(group.cause, comes_from=sources[group.cause.id])


def _is_source(other: _Group, group: _Group) -> bool:
    """Return whether a cause may follow from another, which also fails elsewhere, and was at work before most of its
    failures. Another value of a rule follows from nothing, and neither does a missing report."""
    if group is other or group.cause.change or group.cause.kind.endswith(MISSING):
        return False
    part = _part(group, other)
    return part * 2 >= 1 and part > _part(other, group)


def _part(group: _Group, other: _Group) -> Fraction:
    """Return the share of one cause's failures before which the other was at work without being seen."""
    if not (group.units and other.units) or other.cause.kind in _SEEN_AT_ONCE or other.cause.kind.endswith(MISSING):
        return Fraction(0)
    return Fraction(sum(_went_before(unit, other) for unit in group.units), len(group.units))


def _went_before(unit: _Unit, other: _Group) -> bool:
    acts = [each for each in unit.before if not each.asks]
    if not unit.single.asks and _place_of(other.cause.kind) < _place_of(unit.kind):
        acts.append(unit.single)
    return any(other.feature in each.features for each in acts)


def _order(cause: FailureGroup) -> tuple[bool, bool, int, int]:
    """Return the sort key of causes with one rule: another value of it first, then questions before acts, then the
    earliest observable, then the largest."""
    return not cause.change, not cause.asks, _place_of(cause.kind), -len(cause.checks)


def _place_of(kind: str) -> int:
    return _PLACES.get(kind, len(_PLACES))


# ---- failures without a mismatch


def _without_mismatch(failed: Iterable[Result]) -> list[FailureGroup]:
    """Return the causes of broken conversations, errors and other failures that have only a reason, grouped by that
    reason."""
    reasons: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in failed:
        if not result.mismatch:
            reasons[str(result.status), _said(result)].append(result)
    return [FailureGroup(kind, tuple(map(Failure, some)), reason=reason) for (kind, reason), some in reasons.items()]


def _said(result: Result) -> str:
    """Return the reason of a failure without the parts that vary."""
    if result.contradiction:
        return result.contradiction.path
    if result.status is Status.UNEXPECTED_PASS:
        return NOW_PASSES
    return FAULTS[result.code][0] if result.code in _NAMED else simplify_reason(result.reason, result.output)
