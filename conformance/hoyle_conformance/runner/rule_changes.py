"""Changes of single rules: to the values of other tables, options and readings of the same game, or to others that the
schema allows.

The parts are: checks under changed rules, values written by a person, the changes, the forms of the games, the values
that sources have, and the values that the schema allows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import Traced, trace
from hoyle_conformance.files.diagnostics import Invalid, nearest
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Mismatch
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import WORDS, RuleOwner, parameter_schema, without_words
from hoyle_reference import Cell, Cells, Malformed, Rules, compile_cells
from hoyle_reference.cards import RANKS

# ---- checks under changed rules
#
# A person writes other values for cells of a rule table. They are validated as if they were in a table that extends the
# ruleset.


#: A clause in place of those of a rule; the schema does not look it up.
_A_CLAUSE: Final = "house/rule"


@dataclass(frozen=True, slots=True)
class ChangedCheck:
    """A check under changed rules.

    `mismatch` is the first difference, and `refused` the reason if an act that should be accepted is refused.
    `senseless` is the reason if the position or a step is invalid under these rules. `broken` is the error of an
    interpreter that cannot play by them.
    """

    check: Check
    mismatch: Mismatch | None = None
    refused: str = ""
    senseless: str = ""
    broken: Exception | None = None


def change_rules(rules: Rules, values: Mapping[str, Any], more: Iterable[Cell] = ()) -> Rules:
    """Return the rules with other values in some cells, and with `more` cells; raises Malformed if a cell does not
    exist or the changed table is invalid."""
    others = [replace(rules.cells[path], value=value) for path, value in values.items()]
    return compile_cells(rules.id, rules.cells.with_cells([*more, *others]))


def try_check(rules: Rules, check: Check, plan: RunRequest) -> ChangedCheck:
    """Return the outcome of a check under these rules, as it was prepared for its own ruleset."""
    own = replace(check, branches={check.follows: check.expect})
    try:
        traced = trace(rules, plan.message)
    except Malformed as malformed:
        return ChangedCheck(check, senseless=str(malformed))
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        return ChangedCheck(check, broken=error)
    mismatch = judge(own, plan, [each.observation for each in traced], trusted=True).mismatch
    return ChangedCheck(check, mismatch, _refused(mismatch, plan, traced))


def _refused(mismatch: Mismatch | None, plan: RunRequest, traced: list[Traced]) -> str:
    """Return the word for the refusal of an act that should have been accepted."""
    if mismatch is None or mismatch.what != "accepted":
        return ""
    return next((each.refusal.code for each in traced[plan.start(mismatch.step) :] if each.refusal), "")


# ---- values written by a person


class NoChange(Exception):
    """The words change no cell of the table; the message has the reason and the nearest name."""


def read_values(suite: Suite, rules: Rules, words: Iterable[str]) -> dict[str, Any]:
    """Return the values that ``CELL=VALUE`` gives to cells, by path; each ``CELL`` may be a field of a combination.

    Raises NoChange if there is no such cell, or if it cannot have that value.
    """
    values: dict[str, Any] = {}
    for word in words:
        written, equals, text = word.partition("=")
        if not equals:
            raise NoChange(f"'{word}' gives no value: write CELL=VALUE.")
        _cell(rules.cells, written)  # report a missing cell before an invalid value
        path, value = change_cell(suite, rules.id, rules.cells, written, _value(word, text), values)
        values[path] = value
    return values


def change_cell(
    suite: Suite, name: str, cells: Cells, written: str, value: Any, before: Mapping[str, Any]
) -> tuple[str, Any]:
    """Return the path and the whole new value of the cell that is named directly or by one of its fields. `before` has
    the values already given to other cells. Raises NoChange if there is no such cell, or if it cannot have that
    value."""
    cell, field = _cell(cells, written)
    if field:
        value = {field: value}
    if isinstance(cell.value, Mapping):
        value = _over(cell, before.get(cell.path, cell.value), value)
    elif cell.path in before:
        raise NoChange(f"'{cell.path}' is given twice: give it one value.")
    _check(suite, name, cell, value)
    return cell.path, value


def _cell(cells: Cells, written: str) -> tuple[Cell, str]:
    """Return the cell with this path; or the combination that has the field with this path, and the name of the
    field."""
    if written in cells:
        return cells[written], ""
    above, _, field = written.rpartition(".")
    if above in cells and isinstance(cells[above].value, Mapping):
        return cells[above], field
    raise NoChange(f"no cell '{written}'. {_perhaps(written, [cell.path for cell in cells])}")


def _perhaps(written: str, paths: Sequence[str]) -> str:
    near = nearest(written, paths)
    return f"Did you mean '{near}'?" if near else "'hoyle rules RULESET --cells' names them all."


def _value(word: str, text: str) -> Any:
    try:
        return load(text, word).data
    except Invalid as invalid:
        (diagnostic,) = invalid.diagnostics
        empty = diagnostic.code == "empty"
        raise NoChange(f"'{word}' gives no value{'' if empty else f': {diagnostic.message}'}.") from invalid


def _over(cell: Cell, row: Mapping[str, Any], value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        known = ", ".join(row)
        raise NoChange(f"{cell.path} has fields ({known}): write {cell.path}.points=… or {cell.path}={{points: …}}.")
    if value.get("id", row["id"]) != row["id"]:
        raise NoChange("The id of a combination cannot be changed.")
    return {**row, **value}


def _check(suite: Suite, ruleset: str, cell: Cell, value: Any) -> None:
    """Validate a value against the schema, as if it were in a table that extends this ruleset; raises NoChange."""
    *chapters, name = cell.path.split(".")
    grounds = {"cites": [_A_CLAUSE]}
    is_row = isinstance(cell.value, Mapping)
    changes: Any = [{**value, **grounds}] if is_row else {name: {"is": value, **grounds}}
    for chapter in reversed(chapters):
        changes = {chapter: changes}
    name = ruleset.partition("+")[0]
    about = {key: suite.rulesets[name].document.data[key] for key in ("id", "title", "game", "summary", "sources")}
    table = {**about, "extends": name, "changes": {"cells": changes}}
    complaint = suite.schemas.complaint("ruleset", table)
    if complaint:
        text = _as_written(complaint, cell, chapters)
        raise NoChange(text if text.endswith("?") else f"{text}.")


def _as_written(complaint: str, cell: Cell, chapters: Sequence[str]) -> str:
    """Return a complaint about a table, reworded for the cell."""
    row = f"changes.cells.{'.'.join(chapters)}[0]"
    return complaint.replace(row, cell.path).replace(f"changes.cells.{cell.path}.is", cell.path)


# ---- changes of single rules


#: The lists of rules for combinations and for irregularities, each read as a whole.
MELDS: Final = "declare.melds."
IRREGULARITIES: Final = "referee.irregularities."
#: Fields that only some rules need, and that have no meaning under the others.
OPTIONAL_FIELDS: Final = frozenset({"last_tricks", "last_trick_won_by", "heap"})
#: The rules that define a form.
_FORM_PATHS: Final = ("players.", "cards.packs")
#: The unit of scores: all are multiples of ten.
_TEN: Final = 10
#: The value of a cell, or of a field of a row, that is missing.
LEFT_OUT: Final[Any] = object()


class CellValue(NamedTuple):
    """Another value of one cell, or of one field of a row."""

    path: str
    field: str
    value: Any

    @property
    def full_path(self) -> str:
        """The path, written as a person does."""
        return f"{self.path}.{self.field}" if self.field else self.path


@dataclass(frozen=True)
class RuleChange:
    """A change of one rule: the values to write into the table, and the owners of the changed rule, if any. Without
    owners, only the schema allows the change."""

    cell_values: tuple[CellValue, ...]
    owners: tuple[RuleOwner, ...] = ()

    @property
    def path(self) -> str:
        """The cell that the change affects, or the first of several."""
        return self.cell_values[0].path

    @property
    def paths(self) -> frozenset[str]:
        """All cells that the change affects."""
        return frozenset(new.path for new in self.cell_values)

    @cached_property
    def key(self) -> str:
        """A text that is equal only for equal changes."""
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


def is_in_vocabulary(suite: Suite, ruleset: str, cells: Cells, changes: Iterable[RuleChange]) -> bool:
    """Return whether the schema allows the values of all cells after these changes, so that house rules may set
    them."""
    changes = tuple(changes)
    for each in changes:
        cells = each.apply_to(cells)
    try:
        for path in {new.path for each in changes for new in each.cell_values if new.path in cells}:
            change_cell(suite, ruleset, cells, path, cells[path].value, {})
    except NoChange:
        return False
    return True


# ---- the forms of the games


class Form(NamedTuple):
    """A game for a number of players with a number of packs, and its rulesets, plain and with each option."""

    game: str
    players: int
    packs: int
    rulesets: tuple[str, ...]

    @property
    def plain(self) -> tuple[str, ...]:
        """The rulesets without options."""
        return tuple(name for name in self.rulesets if "+" not in name)


def forms(suite: Suite) -> list[Form]:
    """Return the forms that the rulesets of a suite have, in its order."""
    found: dict[tuple[str, int, int], list[str]] = {}
    for name in suite.rules.names:
        rules = suite.rules.of(name)
        found.setdefault((game_of(suite, name), rules.players, rules.packs), []).append(name)
    return [Form(*about, tuple(names)) for about, names in found.items()]


def form_of(suite: Suite, ruleset: str) -> Form:
    """Return the form of a ruleset, with any options."""
    return next(form for form in forms(suite) if ruleset.partition("+")[0] in form.rulesets)


def game_of(suite: Suite, ruleset: str) -> str:
    """Return the game of a ruleset."""
    return suite.rulesets[ruleset.partition("+")[0]].game


def fit_position(position: Mapping[str, Any], rules: Rules) -> dict[str, Any] | None:
    """Return a position with the fields that these rules have; None if a field that they lack is filled."""
    known = {field.name for field in rules.fields}
    unknown = position.keys() - known
    if any(name not in OPTIONAL_FIELDS and _is_filled(position[name]) for name in unknown):
        return None
    fit = {name: value for name, value in position.items() if name in known}
    if "hands" in position:
        lacking = (each for each in rules.fields if each.of == "deal" and not (each.left_out or each.name in fit))
        fit |= {field.name: field.kind.write(rules, rules.first[field.name]) for field in lacking}
    return fit


def _is_filled(value: Any) -> bool:
    return any(map(_is_filled, value.values())) if isinstance(value, Mapping) else bool(value)


# ---- values that sources have


def sourced_changes(suite: Suite, ruleset: str) -> list[RuleChange]:
    """Return every change of one rule to its value in another table, option or reading of the game. Changes of several
    cells are combined if one alone gives an invalid table."""
    cells = suite.rules.cells(ruleset)
    found: dict[str, RuleChange] = {}
    for owner, cell_values in _changes_elsewhere(suite, form_of(suite, ruleset), cells):
        key = repr([(new.path, new.field, without_words(new.value)) for new in cell_values])
        before = found.get(key, RuleChange(cell_values))
        found[key] = replace(before, owners=(*before.owners, owner))
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
    """Yield each cell of a table as it is, and under each of its readings; for an option, only the cells that it
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
    """Yield the changes that give a table the value of another table's cell, field by field for a row."""
    if other.path not in cells:
        yield CellValue(other.path, "", other.value)
        return
    own = cells[other.path].value
    if not isinstance(own, Mapping) or other.path.startswith(IRREGULARITIES):
        if without_words(own) != without_words(other.value):
            yield CellValue(other.path, "", other.value)
        return
    for field in dict.fromkeys((*own, *other.value)):
        value = other.value.get(field, LEFT_OUT)
        if field not in WORDS and own.get(field, LEFT_OUT) != value:
            yield CellValue(other.path, field, value)


def _grouped_values(cells: Cells, others: Cells) -> Iterator[tuple[CellValue, ...]]:
    """Yield all differences under a heading as one change, if one of the tables has more rules there."""
    groups: dict[str, list[CellValue]] = {}
    for path in sorted({cell.path for cell in (*cells, *others)}):
        if path.startswith((*_FORM_PATHS, IRREGULARITIES)):
            continue
        value = others[path].value if path in others else LEFT_OUT
        if path not in cells or cells[path].value != value:
            parts = path.split(".")
            for count in range(1, len(parts)):
                groups.setdefault(".".join(parts[:count]), []).append(CellValue(path, "", value))
    for cell_values in groups.values():
        if len(cell_values) > 1 and any(new.value is LEFT_OUT or new.path not in cells for new in cell_values):
            yield tuple(cell_values)


# ---- values that the schema allows


def vocabulary_changes(suite: Suite, cells: Cells, paths: Iterable[str]) -> Iterator[RuleChange]:
    """Yield every other value that the schema allows for these cells."""
    for path in paths:
        if path not in cells or path.startswith((*_FORM_PATHS, IRREGULARITIES)):
            continue
        cell = cells[path]
        if isinstance(cell.value, Mapping):
            yield RuleChange((CellValue(path, "", LEFT_OUT),))
        for value in (*_absent_values(suite, cell), *(value for _, value in alternative_values(suite, cell))):
            yield RuleChange(tuple(_cell_values(cells, replace(cell, value=value))))


def _absent_values(suite: Suite, cell: Cell) -> Iterator[Any]:
    """Yield the value of a cell for an engine without its rule: no points, or ranks that all count the same."""
    schema = parameter_schema(suite, cell.path).get("properties", {}).get("is", {})
    if isinstance(cell.value, int) and schema["minimum"] == 0 != cell.value:
        yield 0
    elif schema.get("items", {}).get("minimum") == 0:
        yield [0] * len(cell.value)


def words_of_other_games(suite: Suite, ruleset: str) -> frozenset[tuple[str, str]]:
    """Return the values, each with its cell, that tables of other games have and none of the game of a ruleset."""
    own, others = set[tuple[str, str]](), set[tuple[str, str]]()
    for name in suite.rules.names:
        words = ((cell.path, cell.value) for cell in suite.rules.cells(name) if isinstance(cell.value, str))
        (own if game_of(suite, name) == game_of(suite, ruleset) else others).update(words)
    return frozenset(others - own)


def point_changes(cells: Cells, paths: Iterable[str], points: int) -> Iterator[RuleChange]:
    """Yield the changes that add this number of points to each of these cells."""
    for path in paths:
        value = cells[path].value if path in cells else None
        if isinstance(value, int) and value + points >= 0:
            yield RuleChange((CellValue(path, "", value + points),))
        elif isinstance(value, Mapping) and "points" in value and value["points"] + points >= 0:
            yield RuleChange((CellValue(path, "points", value["points"] + points),))


def alternative_values(suite: Suite, cell: Cell) -> Iterator[tuple[str, Any]]:
    """Yield each other value that the schema allows for a cell that is no irregularity, with a name for the change."""
    value = cell.value
    schema = parameter_schema(suite, cell.path).get("properties", {}).get("is", {})
    if isinstance(value, dict):
        yield from _called_values(value) if "class" in value else _row_values(value)
    elif "enum" in schema:
        yield from ((other, other) for other in schema["enum"] if other != value)
    elif isinstance(value, int):
        steps = (1, _TEN, -_TEN, -1 if value < _TEN else -_TEN)  # subtracting one from a target has no effect
        yield from ((str(value + step), value + step) for step in steps if value + step >= schema["minimum"])
    elif isinstance(value, str):
        yield from _rank_values(value.split())
    elif isinstance(value[0], int):
        for at, number in enumerate(value):
            yield f"number {at + 1}", [*value[:at], number + 1, *value[at + 1 :]]
    else:
        ways: list[list[list[int]]] = [[[2, 3, 3]], [[3, 3, 2]], [[4, 4]], [[3, 2, 2]], value[:-1], value[1:]]
        yield from ((str(other), other) for other in ways if other)


def _row_values(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "points", {**row, "points": row["points"] + 10}
    yield "kind", {**row, "kind": "another"}
    if "unused" in row:
        yield "unused", {**row, "unused": row["unused"] + 1}
    if "cards_by_trumps" in row:
        yield "by trumps", {key: field for key, field in row.items() if key != "cards_by_trumps"}
    if "over" in row:
        yield "over", {key: field for key, field in row.items() if key != "over"}
    for at in range(len(row["cards"])):
        yield f"cards without number {at + 1}", {**row, "cards": row["cards"][:at] + row["cards"][at + 1 :]}
    for suits in ("trumps", "plain", "any", "one-each") if "suits" in row else ():
        if suits == row["suits"]:
            continue
        yield f"suits {suits}", {**row, "suits": suits}


def _called_values(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in ("points", "cards"):
        yield f"more {key}", {**row, key: row[key] + 1}
        yield f"less {key}", {**row, key: row[key] - 1}


def _rank_values(ranks: list[str]) -> Iterator[tuple[str, Any]]:
    for at in range(len(ranks) - 1):
        swapped = " ".join([*ranks[:at], ranks[at + 1], ranks[at], *ranks[at + 2 :]])
        yield swapped, swapped
    if len(ranks) < len(RANKS):
        yield ranks[0], ranks[0]
        yield " ".join([*ranks, "K"]), " ".join([*ranks, "K"])
