"""Readings that an engine follows: any reading of a disputed cell is valid, but an engine must follow the same one
throughout.

Each check of a disputed cell leaves some of its readings possible. A reading that remains after all checks is the one
that the engine follows; if none remains, the engine has followed different readings in different checks.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.consensus import JointReadings
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Contradiction, Result, Status
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed

ANOTHER_READING: Final = "another-reading"


class DisputedCell(NamedTuple):
    """A disputed cell of a ruleset; a cell that an option does not change belongs to the plain ruleset."""

    ruleset: str
    path: str


#: One way to read some cells: each with the name of its reading.
Way = frozenset[tuple[DisputedCell, str]]


@dataclass(frozen=True, slots=True)
class _Left:
    """The remaining ways to read some `cells` together, and the checks that allow them."""

    cells: frozenset[DisputedCell]
    ways: frozenset[Way]
    checks: tuple[tuple[Result, frozenset[Way]], ...]


@dataclass(slots=True)
class Readings:
    """The remaining readings of every disputed cell in a run."""

    suite: Suite
    left: list[_Left] = field(default_factory=list)

    def take(self, result: Result) -> Result:
        """Record the readings that a check allows, and return its result: a failure if no reading remains."""
        if not (result.reading or result.together):
            return result
        allowed = _allowed(self.suite, result)
        cells = frozenset(cell for way in allowed for cell, _ in way)
        shared = [each for each in self.left if not each.cells.isdisjoint(cells)]
        joined = _join([*(left for left in shared), _Left(cells, allowed, ((result, allowed),))])
        if not joined.ways:
            wider = [_left(each, _widened(self.suite, each)) for each, _ in joined.checks]
            joined = _join(wider)
        if not joined.ways:
            return _contradiction(result, allowed, [each for left in shared for each in left.checks])
        self.left = [each for each in self.left if each not in shared] + [joined]
        return result

    def followed(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Return the readings that fit all results, by ruleset and cell, in the order of the table."""
        found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
        left = {cell: _names(each.ways, cell) for each in self.left for cell in each.cells}
        for cell in sorted(left):
            readings = self.suite.rules.cells(cell.ruleset)[cell.path].readings
            found[cell.ruleset][cell.path] = tuple(each.name for each in readings if each.name in left[cell])
        return found


def _left(result: Result, allowed: frozenset[Way]) -> _Left:
    return _Left(frozenset(cell for way in allowed for cell, _ in way), allowed, ((result, allowed),))


def _join(parts: Sequence[_Left]) -> _Left:
    """Return the readings that several checks allow together."""
    first, *others = parts
    for each in others:
        first = _Left(first.cells | each.cells, _joined(first.ways, each.ways), (*first.checks, *each.checks))
    return first


def _allowed(suite: Suite, result: Result) -> frozenset[Way]:
    """Return the ways to read the cells of a scenario that fit its result, including ways that the result does not
    mention."""
    check, cells = result.check, suite.rules.cells(result.check.ruleset)
    if result.together:
        paths = sorted({path for way in result.together for path, _ in way})
        return frozenset(_way(suite, check.ruleset, paths, dict(way)) for way in result.together)
    readings = {each.name: each.cells for each in check.readings}
    paths = sorted({path for ways in readings.values() for path in ways})
    disputed = {path: _disputed(suite, check.ruleset, path) for path in paths}
    spoken_of = {
        frozenset((disputed[path], ways.get(path, cells[path].follows)) for path in paths): name
        for name, ways in readings.items()
    }
    every = product(*([(disputed[path], each.name) for each in cells[path].readings] for path in paths))
    return frozenset(way for way in map(frozenset, every) if spoken_of.get(way) in {None, *result.readings})


def _widened(suite: Suite, result: Result) -> frozenset[Way]:
    """Return the ways to read all cells at work in a check that fit its result, according to the reference. If one more
    cell is read differently, the outcome may be that of another reading."""
    check, known = result.check, suite.derived(_known_ways)
    key = check.id, check.turned, result.readings, result.together
    if key not in known:
        known[key] = frozenset(_fitting_ways(suite, result)) or _allowed(suite, result)
    return known[key]


def _known_ways(_suite: Suite) -> dict[Any, frozenset[Way]]:
    """Return a new cache of the ways that fit results."""
    return {}


def _fitting_ways(suite: Suite, result: Result) -> Iterator[Way]:
    check = result.check
    plan = planner_of(suite).request(check)
    joint = JointReadings(suite, check, plan.message)
    for way in ({}, *joint.ways(joint.all_at_work)):
        try:
            seen = observations(suite.rules.of(check.ruleset, way), plan.message)
        except Malformed:
            continue
        fit = set(judge(check, plan, seen, trusted=False).readings)
        if frozenset(way.items()) in result.together or not fit.isdisjoint(result.readings):
            yield _way(suite, check.ruleset, joint.all_at_work, way)


def _way(suite: Suite, ruleset: str, paths: Iterable[str], way: Mapping[str, str]) -> Way:
    """Return the reading of each of these cells: from the way or, if the way lacks the cell, the one that the table
    follows."""
    cells = suite.rules.cells(ruleset)
    return frozenset((_disputed(suite, ruleset, path), way.get(path, cells[path].follows)) for path in paths)


def _disputed(suite: Suite, ruleset: str, path: str) -> DisputedCell:
    base = ruleset.partition("+")[0]
    below = suite.rules.cells(base)
    as_below = path in below and below[path].readings == suite.rules.cells(ruleset)[path].readings
    return DisputedCell(base if as_below else ruleset, path)


def _joined(some: frozenset[Way], others: frozenset[Way]) -> frozenset[Way]:
    """Return the ways to read the cells of both sets that agree on their common cells."""
    joined = (one | other for one in some for other in others)
    return frozenset(way for way in joined if len({cell for cell, _ in way}) == len(way))


def _contradiction(result: Result, allowed: frozenset[Way], before: list[tuple[Result, frozenset[Way]]]) -> Result:
    """Return the failure of a check that fits none of the remaining readings, with the cell and an opposing check."""
    other, ways = next((each for each in before if not _joined(each[1], allowed)), before[-1])
    both = sorted({cell for way in allowed for cell, _ in way} & {cell for way in ways for cell, _ in way})
    cell = next((cell for cell in both if _names(ways, cell).isdisjoint(_names(allowed, cell))), both[0])
    here, there = (tuple(sorted(_names(some, cell))) for some in (allowed, ways))
    contradiction = Contradiction(cell.path, here, there, other.check.id)
    return replace(result, status=Status.FAIL, code=ANOTHER_READING, contradiction=contradiction)


def _names(ways: frozenset[Way], cell: DisputedCell) -> frozenset[str]:
    """Return the readings of a cell in these ways."""
    return frozenset(name for way in ways for each, name in way if each == cell)
