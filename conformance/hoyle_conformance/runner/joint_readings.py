"""Disputed rules read otherwise together: the ways to read all those at work in a check, and not one of them alone.

A scenario gives the outcome of each reading of the rule that it is about. An engine that reads another rule at work
otherwise too may come to an outcome of its own: it is right if it does all that the reference does by these readings.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice, product
from typing import Any, Final

from hoyle_conformance.checks.setup.trace import TracedAct, trace_acts
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed

#: Readings of some disputed cells, by their paths.
Way = Mapping[str, str]
#: So many ways are tried at the most, those that change the fewest cells first.
MOST_WAYS: Final = 64


class JointReadings:
    """The disputed cells at work in the steps of a check, and the ways to read them otherwise together."""

    def __init__(self, suite: Suite, check: Check, message: Mapping[str, Any]) -> None:
        self._suite, self._check, self._message = suite, check, message
        self._known: dict[tuple[tuple[str, str], ...], Sequence[TracedAct] | None] = {}
        cells = suite.rules.cells(check.ruleset)
        self._others: Mapping[str, Sequence[str]] = {
            cell.path: [each.name for each in cell.readings if each.name != cell.follows]
            for cell in cells
            if cell.readings
        }

    @cached_property
    def at_work(self) -> tuple[str, ...]:
        """The disputed cells that the scenario names or that are at work in the reference, by any reading of these."""
        found = self.named | self._reached({})
        return tuple(sorted(found.union(*map(self._reached, self._singles(found)))))

    @cached_property
    def named(self) -> frozenset[str]:
        """The disputed cells that the scenario names."""
        return frozenset(path for each in self._check.readings for path in each.cells) & self._others.keys()

    @cached_property
    def all_at_work(self) -> tuple[str, ...]:
        """The same cells, and each that changes something when it is read otherwise too: all are tried, which takes
        longer."""
        ways = [{}, *self._singles(self.named)]
        changing = {
            path
            for way in ways
            for single in self._singles(self._others.keys() - way.keys())
            for path in single
            if self._seen({**way, **single}) != self._seen(way)
        }
        return tuple(sorted(changing.union(self.at_work)))

    def ways(self, paths: Sequence[str]) -> Iterator[Way]:
        """Yield the ways to read some of these cells otherwise, those that change the fewest first."""
        return islice(self._ways(paths), MOST_WAYS)

    def _ways(self, paths: Sequence[str]) -> Iterator[Way]:
        for count in range(1, len(paths) + 1):
            for some in combinations(paths, count):
                yield from (
                    dict(zip(some, names, strict=True)) for names in product(*(self._others[path] for path in some))
                )

    def _singles(self, paths: Iterable[str]) -> list[Way]:
        return [{path: name} for path in sorted(paths) for name in self._others[path]]

    def _reached(self, way: Way) -> frozenset[str]:
        """Return the disputed cells behind what happens when the cells are read so."""
        return frozenset(path for each in self._taken(way) or () for path in each.grounds) & self._others.keys()

    def _seen(self, way: Way) -> Sequence[Mapping[str, Any]] | None:
        taken = self._taken(way)
        return [each.observation for each in taken] if taken else None

    def _taken(self, way: Way) -> Sequence[TracedAct] | None:
        """Return the steps as the reference takes them when the cells are read so; None if that cannot be."""
        key = tuple(sorted(way.items()))
        if key not in self._known:
            try:
                rules = self._suite.rules.of(self._check.ruleset, way)
                self._known[key] = trace_acts(rules, self._message, self._message["observe"])
            except Malformed:
                self._known[key] = None
        return self._known[key]
