"""Checks of a ruleset recomputed under house rules that change it.

If the changed rules do not affect the outcome, the check is that of the ruleset, with its clauses. If they do, the
outcome is that of the interpreter, and the check is marked as computed. A dispute among the sources remains open unless
the house rules settle it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, Final

from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.fill import VARIANTS
from hoyle_conformance.checks.setup.trace import Traced, observations, trace
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.model import Check, Expectation, Expected, Followed, Outcome, Reading
from hoyle_conformance.suite.suite import JoinedRules, Suite
from hoyle_reference import Cells, Malformed

_OBSERVED_AS: Final = {"scores": "score", "total": "score"}
#: The names of readings of disputed cells, by the paths.
ReadingNames = Mapping[str, str]
#: Further seeds for the open cards of a deck, since other packets deal other cards.
_SEEDS: Final = ("a", "b", "c", "d", "e", "f", "g", "h")
_BECAUSE: Final = "The house rules leave this open, and no source decides it."


class Inexpressible(Exception):
    """Some acts of one step are refused and others are not: no expectation can say so."""


def observed_expectation(plan: RunRequest, wanted: Sequence[Expected], traced: Sequence[Traced]) -> Expected:
    """Return the observations of a check's steps, for the keys that were expected before; raises Inexpressible.

    An act that is now accepted instead of refused also shows the points, if scores are observed.
    """
    score: Mapping[str, int] = plan.message["position"]["score"]
    expected: dict[int, Expectation] = {}
    for step, end in enumerate(plan.ends, start=1):
        singles = traced[plan.start(step) : end]
        observed = _step_expectation(singles, [each[step] for each in wanted if step in each], score)
        if observed:
            expected[step] = observed
        score = singles[-1].observation.get("score", score)
    return expected


def _step_expectation(
    singles: Sequence[Traced], before: Sequence[Expectation], score: Mapping[str, int]
) -> dict[str, Any]:
    last = singles[-1].observation
    if "answer" in last:
        return {"answer": last["answer"]}
    refused = [each.refusal for each in singles]
    if any(refused) and not all(refused):
        raise Inexpressible
    if refused[-1]:
        return {"refused": refused[-1].code}
    keys = {key for each in before for key in each}
    wanted = (keys - {"refused"}) | ({"scores"} if "refused" in keys and "score" in last else set())
    return {key: _expected_value(key, last, before, score) for key in sorted(wanted)}


def _expected_value(key: str, last: Mapping[str, Any], before: Sequence[Expectation], score: Mapping[str, int]) -> Any:
    value = last[_OBSERVED_AS.get(key, key)]
    if key == "scores":
        made = {seat: points - score.get(seat, 0) for seat, points in value.items()}
        return {seat: points for seat, points in made.items() if points}
    named = {name for each in before if isinstance(each.get(key), Mapping) for name in each[key]}
    return {name: value[name] for name in value if name in named} if isinstance(value, Mapping) and named else value


def check_under(suite: Suite, house: JoinedRules, base: Check) -> Check | None:
    """Return a ruleset's check under house rules that change it; None if its position is impossible under them, or a
    step makes no sense or cannot be judged."""
    try:
        check = _Recomputation(suite, house, base).check()
        return None if _depends_on_open_cards(suite, check) else check
    except (CannotSetUp, Malformed, Inexpressible, AssertionError, LookupError, TypeError, ValueError):
        return None  # the last four: the interpreter cannot continue, since these rules contradict each other here


def _depends_on_open_cards(suite: Suite, check: Check) -> bool:
    """Whether a check has another outcome if the open cards are dealt otherwise."""
    rules, only = suite.rules.of(check.ruleset), replace(check, branches={check.follows: check.expect})
    deals = any(step.get("do") == "deal" for step in check.scenario.steps)
    for variant in (*range(1, len(VARIANTS)), *(_SEEDS if deals else ())):
        other = plan(check, rules, suite.capabilities, variant)
        if judge(only, other, observations(rules, other.message), trusted=True).mismatch:
            return True
    return False


@dataclass(frozen=True)
class _Recomputation:
    """A check of a ruleset, played by the interpreter under house rules that change it."""

    suite: Suite
    house: JoinedRules
    base: Check
    _traces: dict[frozenset[tuple[str, str]], Sequence[Traced]] = field(default_factory=dict)

    def check(self) -> Check:
        """Return the check under these rules."""
        if self._holds:
            branches = {
                frozenset(self._disputed_cells(each).items()): (each.name, each.expect) for each in self._open_readings
            }
            ways = {name: (dict(way), expect) for way, (name, expect) in branches.items()}
            return self._make_check(ways or {"": ({}, self.base.expect)}, computed=False)
        return self._make_check(dict(self._outcomes()), computed=True)

    @cached_property
    def _cells(self) -> Cells:
        return self.suite.rules.cells(self.house.ruleset.id)

    @cached_property
    def _plan(self) -> RunRequest:
        """The request, with the position completed under the house rules."""
        under = replace(self.base, ruleset=self.house.ruleset.id)
        return plan(under, self.suite.rules.of(self.house.ruleset.id), self.suite.capabilities)

    def _trace(self, way: ReadingNames) -> Sequence[Traced]:
        """Return what happens with these readings, computed once; raises Malformed if the position is impossible
        with them."""
        key = frozenset(way.items())
        if key not in self._traces:
            self._traces[key] = trace(self.suite.rules.of(self.house.ruleset.id, way), self._plan.message)
        return self._traces[key]

    # ---- whether the outcome is that of the ruleset

    @cached_property
    def _open_readings(self) -> Sequence[Reading]:
        """The readings of the scenario that the house rules leave possible; none if a source decides."""
        cells, readings = self.suite.rules.cells(self.base.ruleset), self.base.readings
        return [
            reading
            for reading in (readings if self.base.follows else ())
            if all(
                self._cells[path].readings or self._cells[path].value == cells[path].read_as(name).value
                for path, name in reading.cells.items()
                if path in self._cells
            )
        ]

    def _disputed_cells(self, reading: Reading) -> ReadingNames:
        """Return the cells of a reading that are still disputed."""
        return {
            path: name for path, name in reading.cells.items() if path in self._cells and self._cells[path].readings
        }

    @cached_property
    def _holds(self) -> bool:
        """Whether the expectations still hold, under each reading that is left."""
        undecided = [(self._disputed_cells(each), each.expect) for each in self._open_readings]
        branches = undecided if self.base.follows else [({}, self.base.expect)]
        followed = next((expect for way, expect in branches if self._is_followed(way)), None)
        if followed is None or not all(self._agrees(way, expect) for way, expect in branches):
            return False
        ways = {frozenset(way.items()) for way, _ in branches}
        named = {path for way, _ in branches for path in way} if len(ways) > 1 else set[str]()
        return not self._changes_are_at_work or all(self._agrees(way, followed) for way in self._other_ways(named))

    def _is_followed(self, way: ReadingNames) -> bool:
        return all(self._cells[path].follows == name for path, name in way.items())

    def _agrees(self, way: ReadingNames, expect: Expected) -> bool:
        """Whether these expectations hold with these readings, or the position is impossible with them."""
        only = replace(self.base, branches={"": expect}, follows="")
        try:
            observed = [each.observation for each in self._trace(way)]
        except Malformed:
            return bool(way)
        return judge(only, self._plan, observed, trusted=True).mismatch is None

    @property
    def _changes_are_at_work(self) -> bool:
        """Whether a changed rule is at work in what happens."""
        return any(path in self.house.changed for each in self._trace({}) for path in each.grounds)

    def _other_ways(self, named: set[str]) -> Iterator[ReadingNames]:
        """Yield each reading that is not followed of each disputed cell, except the cells `named`."""
        for cell in self._cells:
            others = (each.name for each in cell.readings if each.name != cell.follows and cell.path not in named)
            yield from ({cell.path: name} for name in others)

    # ---- what the interpreter shows instead

    def _expectation(self, way: ReadingNames) -> Expected | None:
        """Return the observations with these readings; None if the position is impossible or the steps make no sense
        with them."""
        try:
            return observed_expectation(self._plan, list(self.base.branches.values()), self._trace(way))
        except (Malformed, Inexpressible):
            return None

    def _outcomes(self) -> Iterator[tuple[str, tuple[ReadingNames, Expected]]]:
        """Yield the outcomes by the readings that they depend on, each with a name; by no readings, under ""."""
        as_followed = observed_expectation(self._plan, list(self.base.branches.values()), self._trace({}))
        decisive = {path for way in self._other_ways(set()) if self._expectation(way) != as_followed for path in way}
        paths = sorted(decisive.union(*map(self._disputed_cells, self._open_readings)))
        every = product(*([each.name for each in self._cells[path].readings] for path in paths))
        ways = [dict(zip(paths, names, strict=True)) for names in every]
        outcomes = [(way, each) for way in ways if (each := self._expectation(way)) is not None]
        if all(each == as_followed for _, each in outcomes):
            yield "", ({}, as_followed)
            return
        yield from (("-and-".join(way.values()), (way, each)) for way, each in outcomes)

    def _make_check(self, ways: Mapping[str, tuple[ReadingNames, Expected]], *, computed: bool) -> Check:
        """Return the check with a branch for each of these ways."""
        name, cites = self.house.ruleset.id, () if computed else self.base.cites
        bare = replace(self.base.scenario, outcomes=(), readings=(), followed_by=())
        branches = {way: expect for way, (_, expect) in ways.items()}
        if len(ways) == 1:
            (expect,) = branches.values()
            scenario = replace(bare, outcomes=(Outcome((name,), cites, expect),))
            return Check(scenario, name, cites, {"": expect}, "", computed=computed)
        readings = tuple(Reading(each, way, self._argument(each), expect) for each, (way, expect) in ways.items())
        follows = next(name for name, (way, _) in ways.items() if self._is_followed(way))
        followed = Followed((name,), follows, cites, _BECAUSE)
        scenario = replace(bare, readings=readings, followed_by=(followed,))
        return Check(scenario, name, cites, branches, follows, computed=computed)

    def _argument(self, reading: str) -> str:
        return next((each.argument for each in self.base.readings if each.name == reading), "")
