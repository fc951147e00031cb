"""The page of the vocabulary: every parameter a rule can have, what it decides, and what each of its values means."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.html_tables import coded
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import NOTHING, Markup, joined, tag
from hoyle_reference import Cells

HERE: Final = "vocabulary.md"
_TITLE: Final = "The vocabulary of rules"
_ABOUT: Final = (
    "A table of rules is written in these words, and no others: `spec/schemas/ruleset.schema.json`. The reference "
    "interpreter reads nothing else. A parameter and its value in a table are a *cell*."
)


def page(suite: Suite) -> Page:
    """The vocabulary, chapter by chapter, as the schema of rulesets has it."""
    tables = {name: suite.rules.of(name).cells for name in suite.rules.names}
    properties = suite.schemas.documents["ruleset"]["properties"]
    chapters = {name: each for name, each in properties.items() if "title" in each and "properties" in each}
    contents = tag("ul", *(tag("li", links.a(each["title"], f"#part-{name}", HERE)) for name, each in chapters.items()))
    words = [tag("h1", _TITLE), tag("p", coded(_ABOUT.replace("*", "")))]
    words += [tag("details", tag("summary", "Chapters"), contents, class_="folded")]
    for name, schema in chapters.items():
        words += [tag("h2", schema["title"], id=f"part-{name}"), *_parameters(suite, schema, name, tables)]
    nav = tag("nav", contents, class_="beside", aria_label="Chapters")
    body = tag("div", nav, tag("div", *words), class_="ledger")
    return Page(HERE, body=body, title=_TITLE, about=_about(), kind="vocabulary")


def _about() -> str:
    return "Every parameter that a rule of Bézique or Piquet can have, and what each of its values means."


def _anchor(path: str) -> str:
    return path.replace(".", "-")


def _parameters(suite: Suite, schema: Mapping[str, Any], path: str, tables: Mapping[str, Cells]) -> Iterator[Markup]:
    for name, each in schema["properties"].items():
        inner = f"{path}.{name}"
        if each.get("type") != "array" and "$ref" not in each:
            yield from _parameters(suite, each, inner, tables)
            continue
        values = _rows(suite, inner, tables) if each.get("type") == "array" else _values(suite, each, inner, tables)
        about = tag("p", tag("code", inner), " ", coded(each["description"]), *_meaning(each))
        yield tag("div", about, tag("dl", *values), class_="parameter", id=_anchor(inner))


def _meaning(schema: Mapping[str, Any]) -> Iterator[Markup]:
    """A link to the paragraph of the semantics that defines a parameter, if there is one."""
    if address := schema.get("$comment"):
        document, _, paragraph = address.partition("#")
        yield joined([" ", links.a(paragraph, f"{document.lower()}#{paragraph}", HERE, title="What it means in full")])


def _values(suite: Suite, schema: Mapping[str, Any], path: str, tables: Mapping[str, Cells]) -> Iterator[Markup]:
    """Each word it can have, and what it means; or, of numbers and ranks, each that some table has."""
    used: dict[str, list[str]] = {}
    for name, cells in tables.items():
        if path in cells:
            used.setdefault(repr(cells[path].value), []).append(name)
    some = {repr(cells[path].value): cells[path].value for cells in tables.values() if path in cells}
    words = {repr(word): word for word in schema["properties"]["is"].get("enum", some.values())}
    for key, value in words.items():
        spelt = value if isinstance(value, str) else str(value)
        yield tag("dt", tag("code", spelt))
        having = [name for name, cells in tables.items() if path in cells]
        names = used.get(key, []) if len(used.get(key, [])) < len(having) else []
        yield tag("dd", coded(rulebook.sentence(schema, value)), _used_by(suite, names, path))


def _used_by(suite: Suite, names: Sequence[str], path: str) -> Markup:
    """Which tables have a value, where it is not the same in all that have the rule; and of their options those that
    change it."""
    plain = [name for name in names if "+" not in name]
    changed = [tag("code", name) for name in names if "+" in name and name.partition("+")[0] not in plain]
    said = [books.listed(suite, plain, HERE, path)] if plain else []
    said += [joined(changed, ", ")] if changed else []
    return tag("p", joined(said, "; "), class_="small") if said else NOTHING


def _rows(suite: Suite, path: str, tables: Mapping[str, Cells]) -> Iterator[Markup]:
    """The ids of the rows that tables have, with where they are spelt out."""
    for name, cells in tables.items():
        rows = [tag("code", row.path.rpartition(".")[2]) for row in cells.rows(path)]
        if "+" not in name and rows:
            yield tag("dt", books.listed(suite, [name], HERE), class_="small")
            yield tag("dd", joined(rows, ", "))
