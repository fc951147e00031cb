"""Candidate changes: what single rules of a table could be instead, in other tables, options and readings of the
same game, or by the schema."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.runner.departures.alternatives import alternative_values
from hoyle_conformance.runner.departures.changes import LEFT_OUT, CellValue, RuleChange, RuleOwner
from hoyle_conformance.runner.departures.forms import Form, game_of
from hoyle_conformance.runner.departures.match import IRREGULARITIES, MELDS, Candidate, NearTable
from hoyle_conformance.runner.departures.watch import watch_rules
from hoyle_conformance.runner.what_if import NoChange, change_cell
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Cells, Malformed

#: Texts for people, which change no outcome.
_WORDS: Final = frozenset({"name", "title", "ruling"})
#: The rules that define a form.
_FORM_PATHS: Final = ("players.", "cards.packs")


def make_table(suite: Suite, ruleset: str, near: Candidate | None = None) -> Candidate:
    """Return a ruleset with its options as it is; `near` is a table that may differ in a few cells."""
    cells = suite.rules.cells(ruleset)
    if near is None:
        return Candidate(ruleset, watch_rules(ruleset, cells))
    others = near.rules.cells
    paths = {cell.path for cell in (*cells, *others)}
    differ = frozenset(path for path in paths if _value(cells, path) != _value(others, path))
    return Candidate(ruleset, watch_rules(ruleset, cells), (NearTable(near, differ),))


def _value(cells: Cells, path: str) -> Any:
    return cells[path].value if path in cells else LEFT_OUT


def make_candidate(
    suite: Suite, ruleset: str, changes: Iterable[RuleChange] = (), near: Iterable[tuple[Candidate, RuleChange]] = ()
) -> Candidate | None:
    """Return a ruleset with these changes; None if its table cannot be so. `near` are candidates that lack one of the
    changes."""
    cells = suite.rules.cells(ruleset)
    try:
        for each in changes:
            cells = each.apply_to(cells)
        tables = tuple(NearTable(candidate, change.paths) for candidate, change in near)
        return Candidate(ruleset, watch_rules(ruleset, cells), tables)
    except (Malformed, LookupError, TypeError, ValueError):
        return None


def is_in_vocabulary(suite: Suite, ruleset: str, cells: Cells, changes: Iterable[RuleChange]) -> bool:
    """Whether the schema allows the values of all cells after these changes, so that house rules may set them."""
    changes = tuple(changes)
    for each in changes:
        cells = each.apply_to(cells)
    try:
        for path in {new.path for each in changes for new in each.cell_values if new.path in cells}:
            change_cell(suite, ruleset, cells, path, cells[path].value, {})
    except NoChange:
        return False
    return True


def sourced_changes(suite: Suite, form: Form, ruleset: str) -> list[RuleChange]:
    """Return every change of one rule to its value in another table, option or reading of the game. Changes of
    several cells are combined if one alone makes no valid table."""
    cells = suite.rules.cells(ruleset)
    found: dict[str, RuleChange] = {}
    for origin, cell_values in _changes_elsewhere(suite, form, cells):
        key = repr([(new.path, new.field, _without_words(new.value)) for new in cell_values])
        before = found.get(key, RuleChange(cell_values))
        found[key] = replace(before, owners=(*before.owners, origin))
    return list(found.values())


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
    if not isinstance(own, Mapping) or other.path.startswith(IRREGULARITIES):
        if _without_words(own) != _without_words(other.value):
            yield CellValue(other.path, "", other.value)
        return
    for field in dict.fromkeys((*own, *other.value)):
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
        if path.startswith((*_FORM_PATHS, IRREGULARITIES)):
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
        if path not in cells or path.startswith((*_FORM_PATHS, IRREGULARITIES)):
            continue
        cell = cells[path]
        if path.startswith(MELDS):
            yield RuleChange((CellValue(path, "", LEFT_OUT),))
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
