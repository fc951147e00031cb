"""The rule table as data: each cell a value with its grounds.

A table is a document of chapters, whose cells are values with their grounds: the clauses cited and the certainty. This
module flattens a document, overlays the chosen options, and gives disputed cells the chosen readings. The chapter that
reads a cell interprets its value and turns it into a `Rule` for play.

No cell has a default: the interpreter knows only the rules in a table. A table omits a rule that cannot arise in its
game: a value without effect would look like a statement of the source, and no scenario could detect it.

A table may extend one that extends another, as the sources describe their games as changes of each other. Extending
tables and options are merged in the same way.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields, replace
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from .frozen import frozen
from .refusals import Grounds, Malformed

Document = Mapping[str, Any]
T = TypeVar("T")

#: The keys of a table that are not chapters.
_ABOUT = frozenset({"id", "title", "game", "form", "summary", "sources", "extends", "changes", "options"})
_GROUNDS = frozenset({"is", "cites", "status", "because", "open", "readings"})


@frozen
class Reading:
    """One reading of a disputed cell: its name, the cell's value under it, and the argument for it."""

    name: str
    value: Any
    argument: str


class LeftOpen(NamedTuple):
    """A point that a source leaves open: the `rule`, a `part` of it or a `case`, and the point in words, as an indirect
    question."""

    scope: str
    words: str


@frozen
class Cell:
    """One rule: its path in the table, its value, the clauses it cites, its certainty (`stated`, `implied`, `supplied`
    or `disputed`), and the point that the source leaves open if it is supplied or disputed."""

    path: str
    value: Any
    cites: tuple[str, ...]
    status: str = "stated"
    because: str = ""
    readings: tuple[Reading, ...] = ()
    follows: str = ""
    open: LeftOpen | None = None

    def read_as(self, name: str) -> "Cell":
        """Return the cell under another of its readings; raise Malformed if it has none of that name."""
        for reading in self.readings:
            if reading.name == name:
                return replace(self, value=reading.value, follows=name)
        known = ", ".join(reading.name for reading in self.readings) or "none"
        raise Malformed(f"no reading '{name}' (it has: {known})", self.path)


class Rule(NamedTuple, Generic[T]):
    """One rule in the form for play: its value, and the cells behind it (none if the table has no such rule)."""

    value: T
    grounds: Grounds = ()

    def __bool__(self) -> bool:
        raise TypeError("a rule is neither true nor false: ask for its value")


def cell(path: str, read: Callable[[Any], T], otherwise: T | None = None) -> Rule[T]:
    """Declare a field of a chapter's rules as the rule that the cell at a path states (`Cells.compiled`); without
    `otherwise` every table with the chapter has the cell."""
    declared: Rule[T] = field(metadata={"path": path, "read": read, "otherwise": otherwise})
    return declared


def equals(*words: str) -> Callable[[Any], bool]:
    """Return a reader that says whether a cell holds one of these words."""
    return words.__contains__


def number(value: Any) -> int:
    """Return a whole number (points, cards, tricks, deals or packs); raise TypeError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a whole number is needed, not {value!r}")
    return value


def word(value: Any) -> str:
    """Return a word of the vocabulary; raise TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"a word is needed, not {value!r}")
    return value


def words(value: Any) -> tuple[str, ...]:
    """Return several words, in order; raise TypeError for anything else."""
    return tuple(word(value).split())


class Cells:
    """The cells of one ruleset, by path, with what the chapters need to read them."""

    __slots__ = ("_cells",)

    def __init__(self, cells: Mapping[str, Cell]) -> None:
        self._cells = MappingProxyType(dict(cells))

    def __getitem__(self, path: str) -> Cell:
        try:
            return self._cells[path]
        except KeyError:
            raise Malformed("the table has no such cell", path) from None

    def __contains__(self, path: object) -> bool:
        return path in self._cells

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    def rule(self, path: str, read: Callable[[Any], T]) -> Rule[T]:
        """Return the cell at a path as a `Rule`, read by `read`; raise Malformed if it is missing or invalid."""
        try:
            return Rule(read(self[path].value), (path,))
        except (TypeError, ValueError) as error:
            raise Malformed(str(error), path) from error

    def rule_if_any(self, path: str, read: Callable[[Any], T], otherwise: T) -> Rule[T]:
        """Return the cell at a path as a `Rule`, or `otherwise` without grounds if the table has no such cell."""
        return self.rule(path, read) if path in self else Rule(otherwise)

    def compiled(self, kind: Callable[..., T], **others: object) -> T:
        """Return the compiled rules of a chapter: those that its class declares (`cell`), and others, by name."""
        declared: Any = kind
        rules = {
            each.name: self.rule(about["path"], about["read"])
            if about["otherwise"] is None
            else self.rule_if_any(about["path"], about["read"], about["otherwise"])
            for each in fields(declared)
            if (about := each.metadata)
        }
        return kind(**rules, **others)

    def grounds(self, *paths: str) -> Grounds:
        """Return those of these paths that the table has, as grounds."""
        return tuple(path for path in paths if path in self)

    def rows(self, path: str) -> Iterator[Cell]:
        """Return the rows of a list, in the table's order."""
        head = f"{path}."
        return (cell for cell in self if cell.path.startswith(head))

    def clauses(self, grounds: Iterable[str]) -> frozenset[str]:
        """Return the clauses that the cells at these paths cite."""
        return frozenset(clause for path in grounds for clause in self[path].cites)

    def changed_by(self, option: Mapping[str, Any]) -> "Cells":
        """Return these cells overlaid with those of an option, rows field by field, and without the cells or whole
        chapters that the option removes."""
        kept = self.without(option.get("without", ()))
        return kept.with_cells(map(kept.merged, _walk(option["cells"], "")))

    def without(self, paths: Iterable[str]) -> "Cells":
        """Return these cells without those at some paths, or in whole chapters at some paths."""
        left_out = tuple(paths)
        heads = tuple(f"{path}." for path in left_out)
        return Cells(
            {path: cell for path, cell in self._cells.items() if path not in left_out and not path.startswith(heads)}
        )

    def merged(self, cell: Cell) -> Cell:
        """Return a cell with missing fields from the cell at its path, if both are rows."""
        below = self._cells.get(cell.path)
        if below is None or not isinstance(cell.value, Mapping):
            return cell
        readings = tuple(replace(each, value={**below.value, **each.value}) for each in cell.readings)
        return replace(cell, value={**below.value, **cell.value}, readings=readings)

    def with_cells(self, others: Iterable[Cell]) -> "Cells":
        """Return these cells overlaid with others."""
        return Cells({**self._cells, **{cell.path: cell for cell in others}})


def lay_flat(document: Document, options: Iterable[str] = (), readings: Mapping[str, str] | None = None) -> Cells:
    """Return the cells of a table with the named options over them, and disputed cells under the given readings (by
    path).

    A table that extends another holds that other document under `extends`, and has its options too. No option restores
    a cell that another one removes. Raise Malformed for an option, a cell or a reading that the table does not have.
    """
    cells, offered = _plain(document), offered_by(document)
    left_out: list[str] = []
    for option in options:
        if option not in offered:
            known = ", ".join(offered) or "none"
            raise Malformed(f"no option '{option}' (it has: {known})", str(document["id"]))
        cells = cells.changed_by(offered[option])
        left_out += offered[option].get("without", ())
    cells = cells.without(left_out)
    return cells.with_cells(cells[path].read_as(name) for path, name in (readings or {}).items())


def offered_by(document: Document) -> Mapping[str, Any]:
    """Return the options of a table: its own, and those of the table it extends, except some that it removes."""
    below = offered_by(document["extends"]) if "extends" in document else {}
    dropped = document.get("changes", {}).get("without_options", ())
    return {**{name: below[name] for name in below if name not in dropped}, **document.get("options", {})}


def _plain(document: Document) -> Cells:
    """Return the cells of a table without options: its own, or those of the table it extends with its changes."""
    if "extends" in document:
        return _plain(document["extends"]).changed_by(document["changes"])
    return Cells({cell.path: cell for cell in _walk(document, "")})


def _walk(branch: Mapping[str, Any], path: str) -> Iterator[Cell]:
    for key, value in branch.items():
        here = f"{path}.{key}" if path else key
        if not path and key in _ABOUT:
            continue
        if isinstance(value, list):
            yield from (_row(here, row) for row in value)
        elif "is" in value:
            yield _cell(here, value["is"], value)
        else:
            yield from _walk(value, here)


def _row(path: str, row: Mapping[str, Any]) -> Cell:
    value = {key: field for key, field in row.items() if key not in _GROUNDS}
    return _cell(f"{path}.{row['id']}", value, row)


def _cell(path: str, value: Any, grounds: Mapping[str, Any]) -> Cell:
    def as_read(reading: Mapping[str, Any]) -> Any:
        return {**value, **reading["is"]} if isinstance(value, Mapping) else reading["is"]

    readings = tuple(
        Reading(name, as_read(reading), reading["argument"]) for name, reading in grounds.get("readings", {}).items()
    )
    follows = next((reading.name for reading in readings if reading.value == value), "")
    if readings and not follows:
        raise Malformed("its value is none of its readings", path)
    return Cell(
        path,
        value,
        tuple(grounds.get("cites", ())),
        grounds.get("status", "stated"),
        grounds.get("because", ""),
        readings,
        follows,
        next((LeftOpen(*each) for each in grounds.get("open", {}).items()), None),
    )
