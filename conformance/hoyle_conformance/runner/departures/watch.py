"""Rules that note which of their cells are read while a game is played by them.

An answer that was computed without reading a cell is the same whatever that cell says. A cell that is read as the table
is compiled, or in another way than as a `Rule`, may matter anywhere. `checks.setup.watched` says which cells a check
depends on; here each cell must also be known that does not matter, one that the table lacks among them.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

from hoyle_reference import Cell, Cells, Rules, compile_cells
from hoyle_reference.cells import Rule

T = TypeVar("T")

#: The chapter in which functions remember what they have made, and do not read the cells again.
_REMEMBERED: Final = "classes."


class _WatchedRule(Rule[Any]):
    """A rule that notes its cell in `reads` when its value is taken."""

    path: str
    reads: set[str]

    @property
    def value(self) -> Any:
        """Return what the rule says."""
        self.reads.add(self.path)
        return self[0]

    def __iter__(self) -> Iterator[Any]:
        self.reads.add(self.path)
        return super().__iter__()


class _WatchedCells(Cells):
    """Cells whose rules are watched; `touched` are the paths that are asked for in any way."""

    __slots__ = ("reads", "touched", "watched")

    def __init__(self, cells: Cells) -> None:
        super().__init__({cell.path: cell for cell in cells})
        self.reads: set[str] = set()
        self.watched: set[str] = set()
        self.touched: set[str] = set()

    def __getitem__(self, path: str) -> Cell:
        self.touched.add(path)
        return super().__getitem__(path)

    def rows(self, path: str) -> Iterator[Cell]:
        """Yield the rows at a path."""
        for cell in super().rows(path):
            self.touched.add(cell.path)
            yield cell

    def rule(self, path: str, read: Callable[[Any], T]) -> Rule[T]:
        """Return a rule that notes when its value is taken."""
        return self._watched(path, super().rule(path, read))

    def rule_if_any(self, path: str, read: Callable[[Any], T], otherwise: T) -> Rule[T]:
        """Return a rule that notes when its value is taken, or when it is missed."""
        return self.rule(path, read) if path in self else self._watched(path, Rule(otherwise))

    def _watched(self, path: str, rule: Rule[T]) -> Rule[T]:
        self.watched.add(path)
        self.touched.add(path)
        watched = _WatchedRule(rule[0], rule[1])
        watched.path, watched.reads = path, self.reads
        return watched


class NotingRules(NamedTuple):
    """Rules, the set in which they note what is read, the cells of which it is certain that nothing else reads them,
    and the cells that have any part in the game."""

    rules: Rules
    reads: set[str]
    certain: frozenset[str]
    touched: frozenset[str]

    def started(self) -> set[str]:
        """Begin to note what is read anew, and return where it is noted."""
        self.reads.clear()
        return self.reads


def watch_rules(name: str, cells: Cells) -> NotingRules:
    """Return the watched rules of these cells; raises Malformed if they make no table."""
    watched = _WatchedCells(cells)
    rules = compile_cells(name, watched)
    certain = frozenset(path for path in watched.watched - watched.reads if not path.startswith(_REMEMBERED))
    return NotingRules(rules, watched.reads, certain, frozenset(watched.touched))
