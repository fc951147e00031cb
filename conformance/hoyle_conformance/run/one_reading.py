"""One reading at a time: where no source decides an implementation may follow any reading, but the same throughout.

Each check of a disputed cell leaves some of the cell's readings possible. What is left over after all of them is what
the implementation plays; where nothing is left, it has followed one reading here and another there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final

from ..model import Check
from ..suite.value import Suite
from .results import Result, Status

#: One way to read some cells: each cell's path with the name of its reading.
Ways = tuple[tuple[str, str], ...]
CODE: Final = "another-reading"


@dataclass(frozen=True, slots=True)
class _Left:
    """The ways to read some cells together that are left over, and the checks that have left them."""

    ways: frozenset[Ways]
    checks: tuple[tuple[Check, frozenset[Ways]], ...]

    @property
    def cells(self) -> frozenset[str]:
        """The cells that are read."""
        return frozenset(cell for way in self.ways for cell, _ in way)


@dataclass(slots=True)
class Readings:
    """What is left over of the readings of every disputed cell that a run has come upon, ruleset by ruleset; the
    options of a ruleset are read as it is."""

    suite: Suite
    left: dict[str, list[_Left]] = field(default_factory=dict)

    def take(self, result: Result) -> Result:
        """Note which readings a check has left; the result, or the failure that it is if none is left over."""
        if not result.readings[:1] or not result.check.follows:
            return result
        ruleset = result.check.ruleset.partition("+")[0]
        allowed = _allowed(self.suite, result)
        new = _Left(allowed, ((result.check, allowed),))
        left = self.left.setdefault(ruleset, [])
        shared = [each for each in left if not each.cells.isdisjoint(new.cells)]
        joined = new
        for each in shared:
            joined = _Left(_joined(each.ways, joined.ways), (*each.checks, *joined.checks))
        if not joined.ways:
            return _contradiction(result, new, shared)
        self.left[ruleset] = [each for each in left if each not in shared] + [joined]
        return result

    def followed(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """By ruleset and cell, the readings that fit all that was seen, in the order of the table."""
        return {ruleset: dict(sorted(self._of(ruleset))) for ruleset in sorted(self.left)}

    def _of(self, ruleset: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        for left in self.left[ruleset]:
            for cell in left.cells:
                fit = {dict(way)[cell] for way in left.ways}
                yield cell, tuple(each.name for each in self.suite.cells(ruleset)[cell].readings if each.name in fit)


def _allowed(suite: Suite, result: Result) -> frozenset[Ways]:
    """The ways to read the cells of a scenario that fit what was seen; those that it does not speak of fit too."""
    check, cells = result.check, suite.cells(result.check.ruleset)
    readings = {each.name: each.cells for each in check.scenario.readings}
    paths = sorted({path for ways in readings.values() for path in ways})
    spoken_of = {
        tuple((path, ways.get(path, cells[path].follows)) for path in paths): name for name, ways in readings.items()
    }
    every = product(*([(path, each.name) for each in cells[path].readings] for path in paths))
    return frozenset(way for way in every if spoken_of.get(way) in {None, *result.readings})


def _joined(some: frozenset[Ways], others: frozenset[Ways]) -> frozenset[Ways]:
    """The ways to read the cells of both that agree in those that both read."""
    pairs = ((dict(one), dict(other)) for one in some for other in others)
    fit = ((one, other) for one, other in pairs if all(one[cell] == other[cell] for cell in one.keys() & other.keys()))
    return frozenset(tuple(sorted((one | other).items())) for one, other in fit)


def _contradiction(result: Result, new: _Left, shared: list[_Left]) -> Result:
    """The failure of a check that fits no reading that is left: it names the cell, and a check that is against it."""
    before = [each for left in shared for each in left.checks]
    other, ways = next((each for each in before if not _joined(each[1], new.ways)), before[-1])
    shared_cells = sorted(cell for cell in new.cells if _names(ways, cell))
    apart = (cell for cell in shared_cells if _names(ways, cell).isdisjoint(_names(new.ways, cell)))
    cell = next(apart, shared_cells[0])
    here, there = (" or ".join(f"'{name}'" for name in sorted(_names(some, cell))) for some in (new.ways, ways))
    reason = f"{cell} is read as {here} here, and as {there} in {other.id}: one rule in two ways"
    remedy = "Follow one reading of a rule throughout; which, is yours to choose."
    return replace(result, status=Status.FAIL, code=CODE, reason=reason, remedy=remedy)


def _names(ways: frozenset[Ways], cell: str) -> frozenset[str]:
    return frozenset(name for way in ways for path, name in way if path == cell)
