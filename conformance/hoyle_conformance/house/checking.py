"""Checking: what a check of a ruleset is under house rules that change it.

Where the changed rules do not touch its outcome it is the check of the ruleset, with its clauses. Where they do, the
outcome is what the interpreter shows, and the check is marked as computed. What no source decides stays undecided,
unless the house rules decide it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Final

from hoyle_reference import Cells, Malformed

from ..model import Check, Expected, Followed, Outcome, Reading, Scenario
from ..positions.plan import plan
from ..positions.prepared import Incomplete, Plan
from ..positions.trace import Traced, trace
from ..run.judge import judge
from ..suite.value import House, Suite
from .showing import NotSaid, shown

#: One way to read some disputed cells: the readings' names by the paths.
Way = Mapping[str, str]

_BECAUSE: Final = "The house rules leave open what no source decides."


def check_under(suite: Suite, house: House, base: Check) -> Check | None:
    """A check of the ruleset that house rules change, as it is under them; nothing where its position cannot be, or a
    step makes no sense or cannot be judged."""
    try:
        return _Trial(suite, house, base).check()
    except (Incomplete, Malformed, NotSaid, AssertionError, LookupError, TypeError, ValueError):
        return None  # of the last four: the interpreter cannot play on, since these rules do not go together here


@dataclass(frozen=True)
class _Trial:
    """A check of a ruleset, taken through the interpreter under house rules that change it."""

    suite: Suite
    house: House
    base: Check

    def check(self) -> Check:
        """The check as it is under these rules."""
        if self._stands:
            branches = {frozenset(self._left(each).items()): (each.name, each.expect) for each in self._fitting}
            ways = {name: (dict(way), expect) for way, (name, expect) in branches.items()}
            return self._made(ways or {"": ({}, self.base.expect)}, computed=False)
        return self._made(dict(self._computed()), computed=True)

    @cached_property
    def _cells(self) -> Cells:
        return self.suite.cells(self.house.ruleset.id)

    @cached_property
    def _plan(self) -> Plan:
        """What is sent: the position is completed under the house rules."""
        under = replace(self.base, ruleset=self.house.ruleset.id)
        return plan(under, self.suite.rules(self.house.ruleset.id), self.suite.capabilities)

    def _traced(self, way: Way) -> Sequence[Traced]:
        return trace(self.suite.rules(self.house.ruleset.id, way), self._plan.message)

    # ---- whether the outcome is that of the ruleset

    @cached_property
    def _fitting(self) -> Sequence[Reading]:
        """The readings of the scenario that the house rules leave possible; none where a source decides."""
        cells, readings = self.suite.cells(self.base.ruleset), self.base.scenario.readings
        return [
            reading
            for reading in (readings if self.base.follows else ())
            if all(
                self._cells[path].readings or self._cells[path].value == cells[path].read_as(name).value
                for path, name in reading.cells.items()
                if path in self._cells
            )
        ]

    def _left(self, reading: Reading) -> Way:
        """The cells of a reading that are disputed still."""
        return {
            path: name for path, name in reading.cells.items() if path in self._cells and self._cells[path].readings
        }

    @cached_property
    def _stands(self) -> bool:
        """Whether all that was expected still comes out, by each reading that is left."""
        if self.base.follows and not any(map(self._is_followed, self._fitting)):
            return False
        branches = [(self._left(each), each.expect) for each in self._fitting] or [({}, self.base.expect)]
        if not all(self._comes_out(way, expect) for way, expect in branches):
            return False
        ways = {frozenset(way.items()) for way, _ in branches}
        named = {path for way, _ in branches for path in way} if len(ways) > 1 else set[str]()
        return not self._at_work or not any(self._rests_on(named))

    def _is_followed(self, reading: Reading) -> bool:
        return all(self._cells[path].follows == name for path, name in self._left(reading).items())

    def _comes_out(self, way: Way, expect: Expected) -> bool:
        only = replace(self.base, branches={"": expect}, follows="")
        observed = [each.observation for each in self._traced(way)]
        return judge(only, self._plan, observed, trusted=True).mismatch is None

    @property
    def _at_work(self) -> bool:
        """Whether a rule that is changed has a hand in what happens."""
        return any(path in self.house.changed for each in self._traced({}) for path in each.grounds)

    def _rests_on(self, named: set[str]) -> Iterator[str]:
        """The disputed cells, beside those named, of which another reading changes what is shown."""
        as_followed = self._shown({})
        for cell in self._cells:
            others = (each.name for each in cell.readings if each.name != cell.follows and cell.path not in named)
            if any(self._shown({cell.path: name}) != as_followed for name in others):
                yield cell.path

    # ---- what the interpreter shows instead

    def _shown(self, way: Way) -> Expected | None:
        """What is shown with these readings; nothing where the position cannot be then, or the steps make no sense."""
        try:
            return shown(self._plan, self._keys, self._traced(way))
        except (Malformed, NotSaid):
            return None

    @cached_property
    def _keys(self) -> Mapping[int, frozenset[str]]:
        """What is expected of each step that anything is expected of, by any reading."""
        found: dict[int, frozenset[str]] = {}
        for expected in self.base.branches.values():
            for step, expectation in expected.items():
                found[step] = found.get(step, frozenset()) | expectation.keys()
        return found

    def _computed(self) -> Iterator[tuple[str, tuple[Way, Expected]]]:
        """What the interpreter shows, by the readings that it rests on, with a name for each; by none, under ""."""
        as_followed = shown(self._plan, self._keys, self._traced({}))
        paths = sorted({*(path for each in self._fitting for path in self._left(each)), *self._rests_on(set())})
        every = product(*([each.name for each in self._cells[path].readings] for path in paths))
        ways = [dict(zip(paths, names, strict=True)) for names in every]
        outcomes = [(way, each) for way in ways if (each := self._shown(way)) is not None]
        if all(each == as_followed for _, each in outcomes):
            yield "", ({}, as_followed)
            return
        yield from (("-and-".join(way.values()), (way, each)) for way, each in outcomes)

    def _made(self, ways: Mapping[str, tuple[Way, Expected]], *, computed: bool) -> Check:
        """The check with a branch for each of these ways."""
        name, cites = self.house.ruleset.id, () if computed else self.base.cites
        branches = {way: expect for way, (_, expect) in ways.items()}
        if len(ways) == 1:
            (expect,) = branches.values()
            scenario = _scenario(self.base.scenario, outcomes=(Outcome((name,), cites, expect),))
            return Check(scenario, name, cites, {"": expect}, "", computed=computed)
        readings = tuple(Reading(each, way, self._argument(each), expect) for each, (way, expect) in ways.items())
        follows = next(each.name for each in readings if self._is_followed(each))
        followed = Followed((name,), follows, cites, _BECAUSE)
        scenario = _scenario(self.base.scenario, readings=readings, followed_by=(followed,))
        return Check(scenario, name, cites, branches, follows, computed=computed)

    def _argument(self, reading: str) -> str:
        return next((each.argument for each in self.base.scenario.readings if each.name == reading), "")


def _scenario(
    scenario: Scenario,
    *,
    outcomes: tuple[Outcome, ...] = (),
    readings: tuple[Reading, ...] = (),
    followed_by: tuple[Followed, ...] = (),
) -> Scenario:
    """A scenario with what is expected under house rules alone."""
    return replace(scenario, outcomes=outcomes, readings=readings, followed_by=followed_by)
