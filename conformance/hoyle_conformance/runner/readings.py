"""Readings that an engine follows: of a disputed cell it may follow any reading, but the same throughout.

Each check of a disputed cell leaves some of the cell's readings possible. The engine follows one that is left after all
checks; if none is left, it has followed one reading here and another there.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final, NamedTuple

from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.frozen import frozen

ANOTHER_READING: Final = "another-reading"


class DisputedCell(NamedTuple):
    """A disputed cell of a ruleset; a cell that an option leaves as it is belongs to the plain ruleset."""

    ruleset: str
    path: str


#: One way to read some cells: each with the name of its reading.
Way = frozenset[tuple[DisputedCell, str]]


@frozen
class _Left:
    """The ways to read some `cells` together that are left, and the checks that have left them."""

    cells: frozenset[DisputedCell]
    ways: frozenset[Way]
    checks: tuple[tuple[Check, frozenset[Way]], ...]


@dataclass(slots=True)
class Readings:
    """The readings that are left of every disputed cell in a run."""

    suite: Suite
    left: list[_Left] = field(default_factory=list)

    def take(self, result: Result) -> Result:
        """Note the readings that a check has left, and return its result: a failure if none is left."""
        if not result.reading:
            return result
        allowed = _allowed(self.suite, result)
        cells = frozenset(cell for way in allowed for cell, _ in way)
        joined = _Left(cells, allowed, ((result.check, allowed),))
        shared = [each for each in self.left if not each.cells.isdisjoint(cells)]
        for each in shared:
            ways = _joined(each.ways, joined.ways)
            joined = _Left(each.cells | joined.cells, ways, (*each.checks, *joined.checks))
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


def _allowed(suite: Suite, result: Result) -> frozenset[Way]:
    """Return the ways to read the cells of a scenario that fit its result; ways that it does not mention fit too."""
    check, cells = result.check, suite.rules.cells(result.check.ruleset)
    readings = {each.name: each.cells for each in check.readings}
    paths = sorted({path for ways in readings.values() for path in ways})
    disputed = {path: _disputed(suite, check.ruleset, path) for path in paths}
    spoken_of = {
        frozenset((disputed[path], ways.get(path, cells[path].follows)) for path in paths): name
        for name, ways in readings.items()
    }
    every = product(*([(disputed[path], each.name) for each in cells[path].readings] for path in paths))
    return frozenset(way for way in map(frozenset, every) if spoken_of.get(way) in {None, *result.readings})


def _disputed(suite: Suite, ruleset: str, path: str) -> DisputedCell:
    base = ruleset.partition("+")[0]
    below = suite.rules.cells(base)
    as_below = path in below and below[path].readings == suite.rules.cells(ruleset)[path].readings
    return DisputedCell(base if as_below else ruleset, path)


def _joined(some: frozenset[Way], others: frozenset[Way]) -> frozenset[Way]:
    """Return the ways to read the cells of both that agree in the cells that both read."""
    joined = (one | other for one in some for other in others)
    return frozenset(way for way in joined if len({cell for cell, _ in way}) == len(way))


def _contradiction(result: Result, allowed: frozenset[Way], before: list[tuple[Check, frozenset[Way]]]) -> Result:
    """Return the failure of a check that fits no reading that is left, with the cell, and an opposing check."""
    other, ways = next((each for each in before if not _joined(each[1], allowed)), before[-1])
    both = sorted({cell for way in allowed for cell, _ in way} & {cell for way in ways for cell, _ in way})
    cell = next((cell for cell in both if _names(ways, cell).isdisjoint(_names(allowed, cell))), both[0])
    here, there = (" or ".join(f"'{name}'" for name in sorted(_names(some, cell))) for some in (allowed, ways))
    reason = f"{cell.path} is read as {here} here, but as {there} in {other.id}: one rule in two ways"
    remedy = "Follow the same reading of a rule throughout; you may choose which."
    return replace(result, status=Status.FAIL, code=ANOTHER_READING, reason=reason, remedy=remedy)


def _names(ways: frozenset[Way], cell: DisputedCell) -> frozenset[str]:
    """Return the readings of a cell in some of these ways."""
    return frozenset(name for way in ways for each, name in way if each == cell)
