"""Changing: other values for cells of a table, as a person writes them, held against the vocabulary."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Cells, Rules

#: Stands for the clauses of a rule: the vocabulary says nothing of which they are.
_A_CLAUSE: Final = "house/rule"


class NoChange(Exception):
    """What was written changes no cell of the table; the message says why, and what may have been meant."""


def values_from(suite: Suite, rules: Rules, words: Iterable[str]) -> dict[str, Any]:
    """The values that ``CELL=VALUE`` gives to cells, by path; a combination is changed field by field.

    Raises NoChange where there is no such cell, or it cannot have such a value.
    """
    values: dict[str, Any] = {}
    for word in words:
        written, equals, text = word.partition("=")
        if not equals:
            raise NoChange(f"'{word}' gives no value: write CELL=VALUE.")
        _cell(rules.cells, written)  # that there is no such cell is told before what is wrong with its value
        path, value = changed_cell(suite, rules.id, rules.cells, written, _value(word, text), values)
        values[path] = value
    return values


def changed_cell(
    suite: Suite, name: str, cells: Cells, written: str, value: Any, before: Mapping[str, Any]
) -> tuple[str, Any]:
    """The path of the cell that is written, or whose field is, and all that it holds with this value; `before` has the
    values that others were given. Raises NoChange where there is no such cell, or it cannot have such a value."""
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
    """The cell of this path; or the combination that has the field of this path, and the name of the field."""
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
    """Hold a value against the vocabulary, as if a table that extends this ruleset had it."""
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
        said = _as_written(complaint, cell, chapters)
        raise NoChange(said if said.endswith("?") else f"{said}.")


def _as_written(complaint: str, cell: Cell, chapters: Sequence[str]) -> str:
    """A complaint about a table as one about the cell."""
    row = f"changes.cells.{'.'.join(chapters)}[0]"
    return complaint.replace(row, cell.path).replace(f"changes.cells.{cell.path}.is", cell.path)
