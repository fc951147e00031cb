"""Checks under changed rules.

A person writes other values for cells of a rule table, which are checked against the schema as if a table that extends
the ruleset had them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import Traced, trace
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Mismatch
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Cells, Malformed, Rules, compile_cells

#: A clause in place of those of a rule, which the schema does not look up.
_A_CLAUSE: Final = "house/rule"


@dataclass(frozen=True, slots=True)
class ChangedCheck:
    """A check under changed rules.

    `mismatch` is the first that differs, and `refused` the reason if an act that is to be accepted is refused;
    `senseless` says why the position, or a step, is not valid under these rules; `broken` is the error of an
    interpreter that cannot play by them.
    """

    check: Check
    mismatch: Mismatch | None = None
    refused: str = ""
    senseless: str = ""
    broken: Exception | None = None

    @property
    def noticed(self) -> bool:
        """Whether the check tells the changed rules from its own; not if they cannot be played at all."""
        return bool(self.mismatch or self.senseless)


def change_rules(rules: Rules, values: Mapping[str, Any], more: Iterable[Cell] = ()) -> Rules:
    """Return the rules with other values in some of their cells, and with `more` cells; raises Malformed if there is no
    such cell, or the table is not valid then."""
    others = [replace(rules.cells[path], value=value) for path, value in values.items()]
    return compile_cells(rules.id, rules.cells.with_cells([*more, *others]))


def try_check(rules: Rules, check: Check, plan: RunRequest) -> ChangedCheck:
    """Return what a check, as it was prepared for its own ruleset, comes to under these rules."""
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


# ---- other values for cells, as a person writes them


class NoChange(Exception):
    """The words change no cell of the table; the message has the reason, and the nearest name."""


def read_values(suite: Suite, rules: Rules, words: Iterable[str]) -> dict[str, Any]:
    """Return the values that ``CELL=VALUE`` gives to cells, by path; a combination is changed field by field.

    Raises NoChange if there is no such cell, or it cannot have such a value.
    """
    values: dict[str, Any] = {}
    for word in words:
        written, equals, text = word.partition("=")
        if not equals:
            raise NoChange(f"'{word}' gives no value: write CELL=VALUE.")
        _cell(rules.cells, written)  # a missing cell is reported before a wrong value
        path, value = change_cell(suite, rules.id, rules.cells, written, _value(word, text), values)
        values[path] = value
    return values


def change_cell(
    suite: Suite, name: str, cells: Cells, written: str, value: Any, before: Mapping[str, Any]
) -> tuple[str, Any]:
    """Return the path of the cell that is named, or whose field is, and its whole value; `before` has the values that
    others were given. Raises NoChange likewise."""
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
    """Return the cell of this path; or the combination with the field of this path, and the name of the field."""
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
    """Check a value against the schema, as if a table that extends this ruleset had it; raises NoChange."""
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
    """Return a complaint about a table as one about the cell."""
    row = f"changes.cells.{'.'.join(chapters)}[0]"
    return complaint.replace(row, cell.path).replace(f"changes.cells.{cell.path}.is", cell.path)
