"""Rules that record which of their cells the interpreter reads."""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, SupportsIndex, TypeVar

from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Cells, Rules, compile_cells
from hoyle_reference.cells import Rule

T = TypeVar("T")

#: The chapter in which functions remember what they have made, and do not read the cells again.
_REMEMBERED: Final = "classes."


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
    """Rules compiled from some cells, which note in `read` which of these the interpreter reads in a game.

    It is `certain` of some cells, those that the table lacks among them, that they do not matter unless they are noted;
    only the cells that are `touched` have any part in the game.
    """

    def __init__(self, name: str, cells: Cells) -> None:
        watching = _Watching({cell.path: cell for cell in cells})
        self.rules: Rules = compile_cells(name, watching)
        self.read = watching.read
        self.certain = frozenset(path for path in watching.watched - watching.read if not path.startswith(_REMEMBERED))
        self.touched = frozenset(watching.watched | watching.read)
        self._always = frozenset(watching.read)

    def cells_read(self, message: Mapping[str, Any]) -> frozenset[str]:
        """Return the paths of the cells that a `run` message and its observations can depend on; raises Malformed where
        the message makes no sense."""
        for cached in _caches():
            cached.cache_clear()  # a function that remembers what it made would not read the cells again
        self.read.clear()
        observations(self.rules, message)
        return frozenset(path for path in self._always | self.read if path in self.rules.cells)


@cache
def _caches() -> tuple[Any, ...]:
    """Return the functions of the interpreter that remember what they have made."""
    modules = [
        each for name, each in sys.modules.items() if name.partition(".")[0] == Rules.__module__.partition(".")[0]
    ]
    return tuple(each for module in modules for each in vars(module).values() if hasattr(each, "cache_clear"))


class _Watching(Cells):
    """Cells that record in `read` the paths whose values are read, and in `watched` those that have a rule."""

    __slots__ = ("read", "watched")

    def __init__(self, cells: Mapping[str, Cell]) -> None:
        super().__init__(cells)
        self.read: set[str] = set()
        self.watched: set[str] = set()

    def __getitem__(self, path: str) -> Cell:
        self.read.add(path)
        return super().__getitem__(path)

    def rule(self, path: str, read: Callable[[Any], T]) -> Rule[T]:
        """Return a rule that records its path when its value is read, and not before."""
        known = path in self.read
        plain = super().rule(path, read)
        if not known:
            self.read.discard(path)
        return self._noting(path, plain)

    def rule_if_any(self, path: str, read: Callable[[Any], T], otherwise: T) -> Rule[T]:
        """Return a rule that records its path when its value is read, or when it is missed."""
        return self.rule(path, read) if path in self else self._noting(path, Rule(otherwise))

    def _noting(self, path: str, rule: Rule[T]) -> Rule[T]:
        self.watched.add(path)
        noting = _Noting(*rule)
        noting.path, noting.read = path, self.read
        return noting

    def rows(self, path: str) -> Iterator[Cell]:
        """Yield the rows, each recorded as read: they are compiled as a whole."""
        for cell in super().rows(path):
            self.read.add(cell.path)
            yield cell


class _Noting(Rule[Any]):
    """A rule that records its path in `read` whenever its value is read in one of the ways of a tuple."""

    path: str
    read: set[str]

    @property
    def value(self) -> Any:
        """The value of the rule."""
        self.read.add(self.path)
        return tuple.__getitem__(self, 0)

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        self.read.add(self.path)
        return tuple.__getitem__(self, at)

    def __iter__(self) -> Iterator[Any]:
        self.read.add(self.path)
        return tuple.__iter__(self)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))
