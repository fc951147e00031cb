"""Checking: what a check of a ruleset is under house rules that change it.

Where the changed rules do not touch its outcome it is the check of the ruleset, with its clauses. Where they do, the
outcome is what the interpreter shows, and the check is marked as computed. What no source decides stays undecided,
unless the house rules decide it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Final

from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.fill import VARIANTS
from hoyle_conformance.checks.setup.trace import Traced, observations, trace
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.model import Check, Expected, Followed, Outcome, Reading
from hoyle_conformance.suite.suite import JoinedRules, Suite
from hoyle_conformance.tools.house_rules.expectation import NotSaid, shown
from hoyle_reference import Cells, Malformed

#: One way to read some disputed cells: the readings' names by the paths.
Way = Mapping[str, str]

#: By these too the open cards of a deck are laid, since other packets deal out other ones.
_SEEDS: Final = ("a", "b", "c", "d", "e", "f", "g", "h")
_BECAUSE: Final = "The house rules leave open what no source decides."


def check_under(suite: Suite, house: JoinedRules, base: Check) -> Check | None:
    """A check of the ruleset that house rules change, as it is under them; nothing where its position cannot be, or a
    step makes no sense or cannot be judged."""
    try:
        check = _Trial(suite, house, base).check()
        return None if _rests_on_open_cards(suite, check) else check
    except (CannotSetUp, Malformed, NotSaid, AssertionError, LookupError, TypeError, ValueError):
        return None  # of the last four: the interpreter cannot play on, since these rules do not go together here


def _rests_on_open_cards(suite: Suite, check: Check) -> bool:
    """Whether a check comes out otherwise when the cards that it leaves open are others."""
    rules, only = suite.rules(check.ruleset), replace(check, branches={check.follows: check.expect})
    deals = any(step.get("do") == "deal" for step in check.scenario.steps)
    for variant in (*range(1, len(VARIANTS)), *(_SEEDS if deals else ())):
        other = plan(check, rules, suite.capabilities, variant)
        if judge(only, other, observations(rules, other.message), trusted=True).mismatch:
            return True
    return False


@dataclass(frozen=True)
class _Trial:
    """A check of a ruleset, taken through the interpreter under house rules that change it."""

    suite: Suite
    house: JoinedRules
    base: Check
    _known: dict[frozenset[tuple[str, str]], Sequence[Traced]] = field(default_factory=dict)

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
    def _plan(self) -> RunRequest:
        """What is sent: the position is completed under the house rules."""
        under = replace(self.base, ruleset=self.house.ruleset.id)
        return plan(under, self.suite.rules(self.house.ruleset.id), self.suite.capabilities)

    def _traced(self, way: Way) -> Sequence[Traced]:
        """What happens with these readings, looked at once; raises Malformed where the position cannot be then."""
        key = frozenset(way.items())
        if key not in self._known:
            self._known[key] = trace(self.suite.rules(self.house.ruleset.id, way), self._plan.message)
        return self._known[key]

    # ---- whether the outcome is that of the ruleset

    @cached_property
    def _fitting(self) -> Sequence[Reading]:
        """The readings of the scenario that the house rules leave possible; none where a source decides."""
        cells, readings = self.suite.cells(self.base.ruleset), self.base.readings
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
        undecided = [(self._left(each), each.expect) for each in self._fitting]
        branches = undecided if self.base.follows else [({}, self.base.expect)]
        followed = next((expect for way, expect in branches if self._is_followed(way)), None)
        if followed is None or not all(self._comes_out(way, expect) for way, expect in branches):
            return False
        ways = {frozenset(way.items()) for way, _ in branches}
        named = {path for way, _ in branches for path in way} if len(ways) > 1 else set[str]()
        return not self._at_work or all(self._comes_out(way, followed) for way in self._other_ways(named))

    def _is_followed(self, way: Way) -> bool:
        return all(self._cells[path].follows == name for path, name in way.items())

    def _comes_out(self, way: Way, expect: Expected) -> bool:
        """Whether this is shown with these readings, unless the position cannot be with them."""
        only = replace(self.base, branches={"": expect}, follows="")
        try:
            observed = [each.observation for each in self._traced(way)]
        except Malformed:
            return bool(way)
        return judge(only, self._plan, observed, trusted=True).mismatch is None

    @property
    def _at_work(self) -> bool:
        """Whether a rule that is changed has a hand in what happens."""
        return any(path in self.house.changed for each in self._traced({}) for path in each.grounds)

    def _other_ways(self, named: set[str]) -> Iterator[Way]:
        """Each reading that is not followed of each disputed cell, but for those named."""
        for cell in self._cells:
            others = (each.name for each in cell.readings if each.name != cell.follows and cell.path not in named)
            yield from ({cell.path: name} for name in others)

    # ---- what the interpreter shows instead

    def _shown(self, way: Way) -> Expected | None:
        """What is shown with these readings; nothing where the position cannot be then, or the steps make no sense."""
        try:
            return shown(self._plan, list(self.base.branches.values()), self._traced(way))
        except (Malformed, NotSaid):
            return None

    def _computed(self) -> Iterator[tuple[str, tuple[Way, Expected]]]:
        """What the interpreter shows, by the readings that it rests on, with a name for each; by none, under ""."""
        as_followed = shown(self._plan, list(self.base.branches.values()), self._traced({}))
        rests_on = {path for way in self._other_ways(set()) if self._shown(way) != as_followed for path in way}
        paths = sorted(rests_on.union(*map(self._left, self._fitting)))
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
