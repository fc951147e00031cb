"""Candidate changes: what single rules of a table could be instead, in other tables, options and readings of the
same game, or by the schema."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.cell_mutants import alternative_values
from hoyle_conformance.tools.identify.match import Candidate
from hoyle_conformance.tools.identify.positions import Form, game_of
from hoyle_reference import Cell, Cells, Malformed, compile_cells
from hoyle_reference.frozen import frozen

#: The value of a cell, or of a field of a row, that is left out.
LEFT_OUT: Final[Any] = object()
#: Texts for people, which change no outcome.
_WORDS: Final = frozenset({"name", "title", "ruling"})
#: The rules that define a form.
_FORM_PATHS: Final = ("players.", "cards.packs")
_RULINGS: Final = "referee.irregularities."


class RuleOwner(NamedTuple):
    """An owner of a rule: a ruleset, plain or with an option; and the name of the reading, if the rule is disputed
    there and the table follows another."""

    ruleset: str
    reading: str = ""


class CellValue(NamedTuple):
    """Another value of one cell, or of one field of a row."""

    path: str
    field: str
    value: Any

    @property
    def full_path(self) -> str:
        """The path as a person writes it."""
        return f"{self.path}.{self.field}" if self.field else self.path


@frozen
class RuleChange:
    """A change of one rule: the values to new into the table, and the owners of the changed rule; none if only the
    schema allows it."""

    cell_values: tuple[CellValue, ...]
    owners: tuple[RuleOwner, ...] = ()

    @property
    def path(self) -> str:
        """The cell that the change concerns, or the first of several."""
        return self.cell_values[0].path

    @property
    def key(self) -> str:
        """A text that is equal for equal changes only."""
        return repr([tuple(new) for new in self.cell_values])

    def apply_to(self, cells: Cells) -> Cells:
        """Return the cells with this change."""
        for new in self.cell_values:
            cells = _put(cells, new)
        return cells


def _put(cells: Cells, new: CellValue) -> Cells:
    if new.value is LEFT_OUT and not new.field:
        return Cells({cell.path: cell for cell in cells if cell.path != new.path})
    cell = cells[new.path] if new.path in cells else Cell(new.path, None, ())
    value = new.value
    if new.field:
        row = {key: each for key, each in (cell.value or {}).items() if key != new.field}
        value = row if new.value is LEFT_OUT else {**row, new.field: new.value}
    return cells.with_cells([replace(cell, value=value, readings=(), follows="")])


def make_candidate(suite: Suite, ruleset: str, changes: Iterable[RuleChange] = ()) -> Candidate | None:
    """Return a ruleset with these changes; None if its table cannot be so."""
    changes = tuple(changes)
    try:
        if not changes:
            return Candidate(ruleset, suite.rules.of(ruleset))
        cells = suite.rules.cells(ruleset)
        for each in changes:
            cells = each.apply_to(cells)
        return Candidate(ruleset, compile_cells(ruleset, cells))
    except (Malformed, LookupError, TypeError, ValueError):
        return None


def sourced_changes(suite: Suite, form: Form, ruleset: str) -> list[RuleChange]:
    """Return every change of one rule to its value in another table, option or reading of the game. Changes of
    several cells are combined if one alone makes no valid table."""
    cells = suite.rules.cells(ruleset)
    found: dict[str, RuleChange] = {}
    for origin, cell_values in _changes_elsewhere(suite, form, cells):
        key = repr([(new.path, new.field, _without_words(new.value)) for new in cell_values])
        before = found.get(key, RuleChange(cell_values))
        found[key] = replace(before, owners=(*before.owners, origin))
    return [each for each in found.values() if make_candidate(suite, ruleset, [each])]


def _changes_elsewhere(suite: Suite, form: Form, cells: Cells) -> Iterator[tuple[RuleOwner, tuple[CellValue, ...]]]:
    for name in suite.rules.names:
        if game_of(suite, name) != form.game:
            continue
        others = suite.rules.cells(name)
        for origin, cell in _cells_and_readings(suite, name, others):
            yield from ((origin, (new,)) for new in _cell_values(cells, cell))
        if name in form.rulesets:
            for cell in cells:
                if cell.path not in others and not cell.path.startswith(_FORM_PATHS):
                    yield RuleOwner(name), (CellValue(cell.path, "", LEFT_OUT),)
            yield from ((RuleOwner(name), cell_values) for cell_values in _grouped_values(cells, others))


def _cells_and_readings(suite: Suite, name: str, cells: Cells) -> Iterator[tuple[RuleOwner, Cell]]:
    """Yield each cell of a table, as it is and as it may be read; under an option, the cells that the option
    changes."""
    base, _, option = name.partition("+")
    below = suite.rules.cells(base)
    for cell in cells:
        if cell.path.startswith(_FORM_PATHS):
            continue
        if option and cell.path in below and below[cell.path].value == cell.value:
            continue
        yield RuleOwner(name), cell
        for reading in cell.readings:
            if reading.name != cell.follows:
                yield RuleOwner(name, reading.name), replace(cell, value=reading.value)


def _cell_values(cells: Cells, other: Cell) -> Iterator[CellValue]:
    """Yield the changes that give a table another table's cell, field by field for a row."""
    if other.path not in cells:
        yield CellValue(other.path, "", other.value)
        return
    own = cells[other.path].value
    if not isinstance(own, Mapping) or other.path.startswith(_RULINGS):
        if _without_words(own) != _without_words(other.value):
            yield CellValue(other.path, "", other.value)
        return
    for field in own.keys() | other.value.keys():
        value = other.value.get(field, LEFT_OUT)
        if field not in _WORDS and own.get(field, LEFT_OUT) != value:
            yield CellValue(other.path, field, value)


def _without_words(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {key: each for key, each in value.items() if key not in _WORDS}


def _grouped_values(cells: Cells, others: Cells) -> Iterator[tuple[CellValue, ...]]:
    """Yield all differences under one heading together, if one table has more rules there than the other."""
    groups: dict[str, list[CellValue]] = {}
    for path in sorted({cell.path for cell in (*cells, *others)}):
        if path.startswith((*_FORM_PATHS, _RULINGS)):
            continue
        value = others[path].value if path in others else LEFT_OUT
        if path not in cells or cells[path].value != value:
            for above in _headings_above(path):
                groups.setdefault(above, []).append(CellValue(path, "", value))
    for cell_values in groups.values():
        if len(cell_values) > 1 and any(new.value is LEFT_OUT or new.path not in cells for new in cell_values):
            yield tuple(cell_values)


def _headings_above(path: str) -> Iterator[str]:
    parts = path.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts)))


def vocabulary_changes(suite: Suite, cells: Cells, paths: Iterable[str]) -> Iterator[RuleChange]:
    """Yield every other value that the schema allows for these cells."""
    for path in paths:
        if path not in cells or path.startswith((*_FORM_PATHS, _RULINGS)):
            continue
        cell = cells[path]
        for _, value in alternative_values(suite, cell):
            yield RuleChange(tuple(_cell_values(cells, replace(cell, value=value))))


def point_changes(cells: Cells, paths: Iterable[str], points: int) -> Iterator[RuleChange]:
    """Yield these cells with so many points more."""
    for path in paths:
        value = cells[path].value if path in cells else None
        if isinstance(value, int) and value + points >= 0:
            yield RuleChange((CellValue(path, "", value + points),))
        elif isinstance(value, Mapping) and "points" in value and value["points"] + points >= 0:
            yield RuleChange((CellValue(path, "points", value["points"] + points),))
