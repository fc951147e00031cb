"""The rulesets of a layout, with readings or as house rules; and the rules that may be changed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite, meld_names
from hoyle_conformance.web.explorer.layout import HOUSE, HouseLayout, Layout, Wrong
from hoyle_conformance.web.explorer.shapes import Shapes
from hoyle_conformance.wording import citations as citing
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_reference import Cell, Cells, Malformed, Rules, compile_cells

#: The name of house rules.
WITH_CHANGES = "With your changes"


@dataclass(frozen=True, slots=True)
class AskedRuleset:
    """One ruleset of a layout: its rules, the names of its combinations, its name and its address; `key` distinguishes
    it from the same ruleset with other readings or changes."""

    id: str
    key: str
    name: str
    title: str
    href: str
    rules: Rules = field(repr=False)
    melds: Mapping[str, str] = field(repr=False)

    @property
    def shown(self) -> dict[str, str]:
        """The data by which a page names it."""
        return {"id": self.id, "name": self.name, "title": self.title, "href": self.href}


def asked(suite: Suite, layout: Layout, ruleset: str) -> AskedRuleset:
    """Return a ruleset of a layout; raise Wrong if there is none of that name, or it has no such reading."""
    if ruleset == HOUSE and layout.house:
        rules = compiled(suite, layout.house, layout.readings.get(HOUSE, {}))
        base, name, title = layout.house.extends, WITH_CHANGES, WITH_CHANGES
        key = f"{HOUSE}:{base}:{sorted(layout.house.rules.items())!r}"
    else:
        rules = _rules(suite, ruleset, layout.readings.get(ruleset, {}))
        base, name, title, key = ruleset, citing.with_options(suite, ruleset), suite.rules.title(ruleset), ruleset
    key += repr(sorted(layout.readings.get(ruleset, {}).items()))
    return AskedRuleset(ruleset, key, name, title, citing.ruleset_path(base), rules, meld_names(rules.cells))


def _rules(suite: Suite, ruleset: str, readings: Mapping[str, str]) -> Rules:
    try:
        suite.rules.cells(ruleset)
    except Malformed:
        raise Wrong("The table does not have these rules.", "Choose others, or reload the page.") from None
    try:
        return suite.rules.of(ruleset, readings)
    except Malformed as malformed:
        title = suite.rules.title(ruleset)
        raise Wrong(f"{title} cannot have this reading: {malformed.message}.", "Choose another reading.") from malformed


# ---- house rules


#: The numeric fields of a combination or call that may be changed individually.
_POINTS: Final = "points"
#: The cells that define a form and cannot be changed: a change would make another form.
_OF_THE_FORM: Final = ("players.", "cards.packs", "referee.")


def compiled(suite: Suite, house: HouseLayout, readings: Mapping[str, str]) -> Rules:
    """Return a ruleset with changes; raise Wrong if they do not fit it."""
    try:
        cells = suite.rules.cells(house.extends, readings)
    except Malformed:
        raise Wrong("The table does not have the rules that yours change.", "Choose others to change.") from None
    changed = cells.with_cells(_changed(suite, cells, path, value) for path, value in house.rules.items())
    try:
        return compile_cells(HOUSE, changed)
    except (Malformed, LookupError, TypeError, ValueError, AssertionError) as error:
        raise Wrong(f"These rules cannot be used: {error}.", "Undo the last change.") from error


def _changed(suite: Suite, cells: Cells, path: str, value: Any) -> Cell:
    above, _, field = path.rpartition(".")
    if path not in cells and (above not in cells or not isinstance(cells[above].value, Mapping)):
        raise Wrong("One of the changes is to a rule that this ruleset does not have.", "Undo that change.")
    cell = cells[path] if path in cells else cells[above]
    schema = rulebook.parameter_schema(suite, cell.path)
    if cell.path != path:
        if field != _POINTS or not _is_points(value):
            raise Wrong("Only the points of a combination can be changed here.", "Give it a number of points.")
        value = {**cell.value, field: value}
    elif isinstance(cell.value, Mapping) or _wrong(suite, schema, value):
        raise Wrong(f"{schema.get('title', 'The rule')} cannot have this value.", "Choose one of the values offered.")
    return replace(cell, value=value, status="house rule", readings=(), follows="")


def _is_points(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1_000_000  # noqa: PLR2004 -- far more than any game has


def _wrong(suite: Suite, schema: Mapping[str, Any], value: Any) -> bool:
    """Return whether a cell of this kind cannot have a value."""
    shapes, kind = Shapes(suite.schemas.documents), schema.get("properties", {}).get("is", {})
    return next(shapes.of_cell(kind, value), None) is not None or len(json.dumps(value)) > 1_000  # noqa: PLR2004 -- no list is so long


def changeable(suite: Suite, ruleset: str) -> list[dict[str, Any]]:
    """Return every rule of a ruleset that may be changed, in the order of the rule book."""
    chapters = rulebook.chapters(suite, suite.rules.cells(ruleset))
    return [
        row
        for chapter in chapters
        for entry in chapter.entries
        if not entry.cell.path.startswith(_OF_THE_FORM)
        for row in _rows(suite, ruleset, chapter.title, entry)
    ]


def _rows(suite: Suite, ruleset: str, chapter: str, entry: rulebook.Entry) -> Iterator[dict[str, Any]]:
    cell, schema = entry.cell, rulebook.parameter_schema(suite, entry.cell.path)
    shown = {"cell": cell.path, "group": chapter, "says": entry.sentence}
    shown["title"] = f"{entry.group}: {entry.heading}" if entry.group else entry.heading
    href = citing.rule_path(ruleset, cell.path)
    if isinstance(cell.value, Mapping):
        if _POINTS in cell.value:
            path = f"{cell.path}.{_POINTS}"
            yield {**shown, "cell": path, "value": cell.value[_POINTS], "href": href, "type": "number", "choices": []}
        return
    kind = schema.get("properties", {}).get("is", {})
    values = [True, False] if isinstance(cell.value, bool) else list(kind.get("enum", ()))
    choices = [{"value": value, "says": rulebook.sentence(schema, value)} for value in values]
    if choices or isinstance(cell.value, int):  # lists cannot be changed here
        type_ = "flag" if isinstance(cell.value, bool) else "choice" if choices else "number"
        yield {**shown, "value": cell.value, "href": href, "type": type_, "choices": choices}
