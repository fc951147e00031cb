"""The page of the vocabulary: every parameter of a rule table, what it decides, and what each of its values means."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site.fill import fill
from hoyle_conformance.web.site.links import ParagraphPlace, paragraph_place
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import NOTHING, Markup, joined, tag
from hoyle_reference import Cells
from hoyle_reference.frozen import frozen

HERE: Final = "vocabulary.md"
_TITLE: Final = "The vocabulary of rules"
_ABOUT: Final = "Every parameter that a rule of Bézique or Piquet can have, and what each of its values means."


@frozen
class ParameterValue:
    """A value of a parameter, what it means, and which tables have it where not all have it."""

    word: str
    says: str
    used_by: Markup


@frozen
class Parameter:
    """A parameter: what it decides and where that is defined; its values, or the ids of its rows by table."""

    path: str
    anchor: str
    says: str
    defined: ParagraphPlace | None
    values: tuple[ParameterValue, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@frozen
class VocabularyChapter:
    """A chapter of the vocabulary."""

    name: str
    title: str
    parameters: tuple[Parameter, ...]


def page(suite: Suite) -> Page:
    """Return the page: the vocabulary, chapter by chapter, as the schema of rulesets has it."""
    tables = {name: suite.rules.of(name).cells for name in suite.rules.names}
    chapters = [
        VocabularyChapter(name, schema["title"], tuple(_parameters(suite, schema, name, tables)))
        for name, schema in suite.schemas.documents["ruleset"]["properties"].items()
        if "title" in schema and "properties" in schema
    ]
    body = fill("vocabulary", suite, HERE, title=_TITLE, chapters=chapters)
    return Page(HERE, body=body, title=_TITLE, about=_ABOUT, kind="vocabulary")


def _parameters(suite: Suite, schema: Mapping[str, Any], path: str, tables: Mapping[str, Cells]) -> Iterator[Parameter]:
    for name, each in schema["properties"].items():
        inner = f"{path}.{name}"
        is_list = each.get("type") == "array"
        if not is_list and "$ref" not in each:
            yield from _parameters(suite, each, inner, tables)
            continue
        values = () if is_list else tuple(_values(suite, each, inner, tables))
        rows = tuple(_rows(inner, tables)) if is_list else ()
        defined = paragraph_place(each.get("$comment", ""))
        yield Parameter(inner, inner.replace(".", "-"), each["description"], defined, values, rows)


def _values(
    suite: Suite, schema: Mapping[str, Any], path: str, tables: Mapping[str, Cells]
) -> Iterator[ParameterValue]:
    """Yield each word a parameter can have; or, of numbers and ranks, each that some table has."""
    having = {name: cells[path].value for name, cells in tables.items() if path in cells}
    words = schema["properties"]["is"].get("enum") or {repr(value): value for value in having.values()}.values()
    for word in words:
        used = [name for name, value in having.items() if repr(value) == repr(word)]
        names = used if len(used) < len(having) else []
        yield ParameterValue(str(word), rulebook.sentence(schema, word), _used_by(suite, names, path))


def _used_by(suite: Suite, names: Sequence[str], path: str) -> Markup:
    """Return the tables of these names, and of their options those that change it."""
    plain = [name for name in names if "+" not in name]
    changed = [tag("code", name) for name in names if "+" in name and name.partition("+")[0] not in plain]
    said = [books.listed(suite, plain, HERE, path)] if plain else []
    said += [joined(changed, ", ")] if changed else []
    return joined(said, "; ") if said else NOTHING


def _rows(path: str, tables: Mapping[str, Cells]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the tables that have rows, each with the ids of these."""
    for name, cells in tables.items():
        rows = tuple(row.path.rpartition(".")[2] for row in cells.rows(path))
        if "+" not in name and rows:
            yield name, rows
