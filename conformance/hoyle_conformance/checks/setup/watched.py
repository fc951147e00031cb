"""Rules that record which of their cells the interpreter reads."""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, SupportsIndex, TypeVar

from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Cells, Rules, compile_cells
from hoyle_reference.cells import Rule

T = TypeVar("T")


def watched_rules(suite: Suite, ruleset: str) -> "WatchedRules":
    """Return the watched rules of a ruleset, compiled once; raises Malformed where there is no such ruleset."""
    compiled = suite.derived(_watched)
    if ruleset not in compiled:
        compiled[ruleset] = WatchedRules(ruleset, suite.rules.cells(ruleset))
    return compiled[ruleset]


def _watched(_suite: Suite) -> dict[str, "WatchedRules"]:
    """Return a new cache of watched rules, by ruleset."""
    return {}


class WatchedRules:
    """Rules compiled from some cells, and the paths of the cells that the interpreter reads when it compiles them, and
    so depends on in every game."""

    def __init__(self, name: str, cells: Cells) -> None:
        watching = _Watching({cell.path: cell for cell in cells})
        self._read = watching.read
        self._rules: Rules = compile_cells(name, watching)
        self._always = frozenset(self._read)

    def cells_read(self, message: Mapping[str, Any]) -> frozenset[str]:
        """Return the paths of the cells that a `run` message and its observations can depend on; raises Malformed where
        the message makes no sense."""
        for cached in _caches():
            cached.cache_clear()  # a function that remembers what it made would not read the cells again
        self._read.clear()
        observations(self._rules, message)
        return self._always.union(self._read)


@cache
def _caches() -> tuple[Any, ...]:
    """Return the functions of the interpreter that remember what they have made."""
    modules = [
        each for name, each in sys.modules.items() if name.partition(".")[0] == Rules.__module__.partition(".")[0]
    ]
    return tuple(each for module in modules for each in vars(module).values() if hasattr(each, "cache_clear"))


class _Watching(Cells):
    """Cells that record in `read` the paths whose values are read."""

    __slots__ = ("read",)

    def __init__(self, cells: Mapping[str, Cell]) -> None:
        super().__init__(cells)
        self.read: set[str] = set()

    def __getitem__(self, path: str) -> Cell:
        self.read.add(path)
        return super().__getitem__(path)

    def rule(self, path: str, read: Callable[[Any], T]) -> Rule[T]:
        """Return a rule that records its path when its value is read, and not before."""
        known = path in self.read
        plain = super().rule(path, read)
        if not known:
            self.read.discard(path)
        noting = _Noting(*plain)
        noting.read = self.read
        return noting

    def rows(self, path: str) -> Iterator[Cell]:
        """Yield the rows, each recorded as read: they are compiled as a whole."""
        for cell in super().rows(path):
            self.read.add(cell.path)
            yield cell


class _Noting(Rule[Any]):
    """A rule that records its grounds in `read` whenever its value is read in one of the ways of a tuple."""

    read: set[str]

    @property
    def value(self) -> Any:
        """The value of the rule."""
        return self[0]

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        self.read.update(tuple.__getitem__(self, 1))
        return tuple.__getitem__(self, at)

    def __iter__(self) -> Iterator[Any]:
        self.read.update(tuple.__getitem__(self, 1))
        return tuple.__iter__(self)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))
