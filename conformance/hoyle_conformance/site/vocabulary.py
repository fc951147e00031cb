"""The page of the vocabulary: every parameter a rule can have, what it decides, and what each of its values means."""

from collections.abc import Iterator, Mapping
from typing import Any

from hoyle_reference import Cell, Cells

from ..report import rulebook
from ..suite.value import Suite
from .page import Page, code_link, link
from .text import code, prose

HERE = "vocabulary.md"


def page(suite: Suite) -> Page:
    """The vocabulary, chapter by chapter, as the schema of rulesets has it."""
    lines = [
        "# The vocabulary of rules",
        "",
        "A rule table is written in these words, and no others: `spec/schemas/ruleset.schema.json`. The reference",
        "interpreter reads nothing else. A parameter and its value in a table are a *cell*.",
        "",
    ]
    tables = {name: suite.rules(name).cells for name in suite.ruleset_names}
    for name, schema in suite.schemas.documents["ruleset"]["properties"].items():
        if "title" in schema and "properties" in schema:
            lines += [f"## {prose(schema['title'])}", "", *_parameters(suite, schema, name, tables)]
    return Page(HERE, "\n".join(lines))


def parameter_link(cell: Cell, here: str) -> str:
    """A link from a cell to its parameter, or to the list that its row stands in."""
    parameter = cell.path.rpartition(".")[0] if isinstance(cell.value, Mapping) else cell.path
    return code_link(cell.path, f"{HERE}#{_anchor(parameter)}", here)


def _anchor(path: str) -> str:
    return path.replace(".", "-")


def _parameters(suite: Suite, schema: Mapping[str, Any], path: str, tables: Mapping[str, Cells]) -> Iterator[str]:
    for name, each in schema["properties"].items():
        inner = f"{path}.{name}"
        if each.get("type") != "array" and "$ref" not in each:
            yield from _parameters(suite, each, inner, tables)
            continue
        yield f'<div class="rule" markdown id="{_anchor(inner)}">'
        yield ""
        yield f"{code(inner)} {prose(each['description'])}"
        yield ""
        yield from _rows(inner, tables) if each.get("type") == "array" else _values(each, inner, tables)
        yield ""
        yield "</div>"
        yield ""


def _values(schema: Mapping[str, Any], path: str, tables: Mapping[str, Cells]) -> Iterator[str]:
    """Each word it can have, and what it means; or, of numbers and ranks, each that some table has."""
    used: dict[str, list[str]] = {}
    for name, cells in tables.items():
        if path in cells:
            used.setdefault(repr(cells[path].value), []).append(name)
    some = {repr(cells[path].value): cells[path].value for cells in tables.values() if path in cells}
    words = {repr(word): word for word in schema["properties"]["is"].get("enum", some.values())}
    for key, value in words.items():
        spelt = value if isinstance(value, str) else str(value)
        yield f"- {code(spelt)}: {prose(rulebook.sentence(schema, value))}{_used_by(used.get(key, []), tables)}"


def _used_by(names: list[str], tables: Mapping[str, Cells]) -> str:
    """Which tables have a value, where it is not the same in all of them."""
    if len(names) == len(tables) or not names:
        return ""
    return f" *{', '.join(link(name, _page_of(name), HERE) for name in names)}*"


def _page_of(name: str) -> str:
    return f"rulesets/{name.partition('+')[0]}.md"


def _rows(path: str, tables: Mapping[str, Cells]) -> Iterator[str]:
    """The ids of the rows that tables have, with where they are spelt out."""
    for name, cells in tables.items():
        if "+" not in name:
            ids = ", ".join(code(row.path.rpartition(".")[2]) for row in cells.rows(path))
            yield f"- {link(name, _page_of(name), HERE)}: {ids}"
