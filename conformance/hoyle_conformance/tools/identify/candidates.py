"""Changes: what single rules of a table could be instead, as other tables, options and readings of the same game have
them, or as the vocabulary allows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.cell_mutants import alternative_values
from hoyle_conformance.tools.identify.games import Form, game_of
from hoyle_conformance.tools.identify.match import Candidate
from hoyle_reference import Cell, Cells, Malformed, compile_cells
from hoyle_reference.frozen import frozen

#: Stands for a cell, or a field of a row, that is left out.
LEFT_OUT: Final[Any] = object()
#: Fields of rows that are words for people, and change no outcome.
_WORDS: Final = frozenset({"name", "title", "ruling"})
#: What makes a form what it is.
_OF_THE_FORM: Final = ("players.", "cards.packs")
_RULINGS: Final = "referee.irregularities."


class RuleOwner(NamedTuple):
    """Who has a rule so: a ruleset, plain or with an option, by the reading that it names, if it is disputed there and
    the table follows another."""

    ruleset: str
    reading: str = ""


class CellValue(NamedTuple):
    """One cell, or one field of a row, with another value."""

    path: str
    field: str
    value: Any

    @property
    def written(self) -> str:
        """The path of it as a person writes it."""
        return f"{self.path}.{self.field}" if self.field else self.path


@frozen
class RuleChange:
    """A rule that is otherwise: what is put into the table, and who has it so; nobody, where only the vocabulary has
    it."""

    puts: tuple[CellValue, ...]
    origins: tuple[RuleOwner, ...] = ()

    @property
    def path(self) -> str:
        """The cell that it changes, or the first of them."""
        return self.puts[0].path

    @property
    def key(self) -> str:
        """What tells it from other changes."""
        return repr([tuple(put) for put in self.puts])

    def applied(self, cells: Cells) -> Cells:
        """The cells with this change."""
        for put in self.puts:
            cells = _with(cells, put)
        return cells


def _with(cells: Cells, put: CellValue) -> Cells:
    if put.value is LEFT_OUT and not put.field:
        return Cells({cell.path: cell for cell in cells if cell.path != put.path})
    cell = cells[put.path] if put.path in cells else Cell(put.path, None, ())
    value = put.value
    if put.field:
        row = {key: each for key, each in (cell.value or {}).items() if key != put.field}
        value = row if put.value is LEFT_OUT else {**row, put.field: put.value}
    return cells.with_cells([replace(cell, value=value, readings=(), follows="")])


def candidate(suite: Suite, ruleset: str, changes: Iterable[RuleChange] = ()) -> Candidate | None:
    """A ruleset with these changes; nothing where its table cannot be so."""
    changes = tuple(changes)
    try:
        if not changes:
            return Candidate(ruleset, suite.rules(ruleset))
        cells = suite.cells(ruleset)
        for each in changes:
            cells = each.applied(cells)
        return Candidate(ruleset, compile_cells(ruleset, cells))
    except (Malformed, LookupError, TypeError, ValueError):
        return None


def sourced(suite: Suite, form: Form, ruleset: str) -> list[RuleChange]:
    """Every change of one rule to what another table, option or reading of the game has; those that need several cells
    at once, since one alone makes no table, as a whole."""
    cells = suite.cells(ruleset)
    found: dict[str, RuleChange] = {}
    for origin, puts in _wherever(suite, form, cells):
        key = repr([(put.path, put.field, _without_words(put.value)) for put in puts])
        before = found.get(key, RuleChange(puts))
        found[key] = replace(before, origins=(*before.origins, origin))
    return [each for each in found.values() if candidate(suite, ruleset, [each])]


def _wherever(suite: Suite, form: Form, cells: Cells) -> Iterator[tuple[RuleOwner, tuple[CellValue, ...]]]:
    for name in suite.ruleset_names:
        if game_of(suite, name) != form.game:
            continue
        others = suite.cells(name)
        for origin, cell in _said_by(suite, name, others):
            yield from ((origin, (put,)) for put in _puts(cells, cell))
        if name in form.rulesets:
            for cell in cells:
                if cell.path not in others and not cell.path.startswith(_OF_THE_FORM):
                    yield RuleOwner(name), (CellValue(cell.path, "", LEFT_OUT),)
            yield from ((RuleOwner(name), puts) for puts in _together(cells, others))


def _said_by(suite: Suite, name: str, cells: Cells) -> Iterator[tuple[RuleOwner, Cell]]:
    """Each cell of a table, as it is and as it may be read; under an option, those that the option changes."""
    base, _, option = name.partition("+")
    below = suite.cells(base)
    for cell in cells:
        if cell.path.startswith(_OF_THE_FORM):
            continue
        if option and cell.path in below and below[cell.path].value == cell.value:
            continue
        yield RuleOwner(name), cell
        for reading in cell.readings:
            if reading.name != cell.follows:
                yield RuleOwner(name, reading.name), replace(cell, value=reading.value)


def _puts(cells: Cells, other: Cell) -> Iterator[CellValue]:
    """How a table would have to be changed to have a cell as another has it: a row field by field."""
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


def _together(cells: Cells, others: Cells) -> Iterator[tuple[CellValue, ...]]:
    """What stands under one heading, as a whole, where one table has more rules there than the other."""
    groups: dict[str, list[CellValue]] = {}
    for path in sorted({cell.path for cell in (*cells, *others)}):
        if path.startswith((*_OF_THE_FORM, _RULINGS)):
            continue
        value = others[path].value if path in others else LEFT_OUT
        if path not in cells or cells[path].value != value:
            for above in _above(path):
                groups.setdefault(above, []).append(CellValue(path, "", value))
    for puts in groups.values():
        if len(puts) > 1 and any(put.value is LEFT_OUT or put.path not in cells for put in puts):
            yield tuple(puts)


def _above(path: str) -> Iterator[str]:
    parts = path.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts)))


def of_the_vocabulary(suite: Suite, cells: Cells, paths: Iterable[str]) -> Iterator[RuleChange]:
    """Every other value that these cells could have, whoever has it so."""
    for path in paths:
        if path not in cells or path.startswith((*_OF_THE_FORM, _RULINGS)):
            continue
        cell = cells[path]
        for _, value in alternative_values(suite, cell):
            yield RuleChange(tuple(_puts(cells, replace(cell, value=value))))


def by_points(cells: Cells, paths: Iterable[str], points: int) -> Iterator[RuleChange]:
    """The numbers of these cells with so many points more."""
    for path in paths:
        value = cells[path].value if path in cells else None
        if isinstance(value, int) and value + points >= 0:
            yield RuleChange((CellValue(path, "", value + points),))
        elif isinstance(value, Mapping) and "points" in value and value["points"] + points >= 0:
            yield RuleChange((CellValue(path, "points", value["points"] + points),))
