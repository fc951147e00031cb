"""The generated parts of the specification's pages: tables of the schemas; lists, an index and examples of the suite.

A page is handwritten except for the text between `<!-- made: NAME -->` and `<!-- end -->`. `make protocol` generates
that text, so that only the schemas describe fields and values.

A generated table is in the page itself, so that readers of the repository find the whole text in one file.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.reports.claims import ALL_IT_DOES, KINDS, observables
from hoyle_conformance.suite.load import read_document
from hoyle_conformance.suite.semantics import RUNGS, SemanticParagraph, defined_in, documents, paragraphs, rung_of_topic
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import sentence
from reading_lists import needed_by

Schema = Mapping[str, Any]
_FOLDER: Final = "vocabulary"
_ENDING: Final = ".vocabulary.yaml"
_WIDTH: Final = 120
#: The keys of a cell for which JSON Schema has no keyword.
_SAID: Final = ("sentence", "short", "question", "questions")
#: The pages with generated tables, next to the schemas' folder; the semantics are found by their names.
PAGES: Final = ("PROTOCOL.md", "PROTOCOL-REFERENCE.md", "README.md", "READING-LISTS.md", "INDEX.md")
_MADE: Final = re.compile(r"(<!-- made: ([a-z-]+)(?: (\S+))? -->\n).*?(<!-- end -->)", re.DOTALL)
_MESSAGES: Final = ("hello", "ready", "run", "observed", "unsupported", "skipped", "error", "bye")
#: The fields of every act or question, which its own table does not repeat.
_COMMON: Final = frozenset({"do", "ask", "irregular"})
#: Schemas described where they are used.
_VALUES: Final = ("card", "seat", "suit", "rank", "points", "word", "ruleset", "phase", "combination")
_MORE_VALUES: Final = ("points_of_each", "settlement", "irregularity", "ruling")
#: The documents that a reference without a document may mean.
_HOMES: Final = ("common", "message-observed", "message-run", "suite", "ruleset")
#: The pattern by which a schema says that an object has the letters of the seats as keys.
_SEATS: Final = {"$ref": "common.schema.json#/$defs/seat"}
_TYPES: Final = {"string": "a string", "integer": "a number", "boolean": "true or false", "null": "null"}
Rows = Iterable[Sequence[str]]
#: The maximum length of a series of paragraphs whose members are named one by one.
_PAIR: Final = 2
#: The indices of a paragraph's words in its facts: heading, first column, and the fact.
_FACTS: Final = (
    ("Acts", "act", "Act"),
    ("Questions", "question", "Question"),
    ("Phases", "phase", "Phase"),
    ("Fields of the position", "field", "Fields"),
)


def pages(spec: Path) -> list[Path]:
    """Return the pages of a spec folder with generated parts; those with the lists and the index come last, since they
    depend on the others."""
    return [*documents(spec), *(spec / name for name in PAGES)]


def write(spec: Path) -> None:
    """Generate the files made from the vocabulary of a spec folder, and then the parts of its pages."""
    for path, text in written(spec, Schemas(spec / "schemas")):
        path.write_text(text, "utf-8", newline="\n")
    suite = load_suite(spec)
    for page in pages(spec):
        page.write_text(made(suite, page.read_text("utf-8")), "utf-8", newline="\n")


def made(suite: Suite, text: str) -> str:
    """Return a page with its generated parts remade; raise KeyError for an unknown part."""

    def anew(found: re.Match[str]) -> str:
        part = _OF_THE_SUITE.get(found[2])
        lines = part(suite, found[3]) if part else _PARTS[found[2]](suite.schemas, found[3])
        return "\n".join([found[1], *lines, "", found[4]])

    return _MADE.sub(anew, text)


# ---- files from the vocabulary


def vocabulary(spec: Path, schemas: Schemas) -> Mapping[str, Mapping[str, Any]]:
    """Return the whole vocabulary of a spec folder, by the paths of the cells; raises Invalid."""
    return {
        path: says
        for file in sorted((spec / _FOLDER).glob(f"*{_ENDING}"))
        for path, says in read_document(schemas, _FOLDER, file, f"spec/{_FOLDER}/{file.name}").data.items()
    }


def written(spec: Path, schemas: Schemas) -> Iterator[tuple[Path, str]]:
    """Yield each file generated from the vocabulary, with its text. Raises Invalid, and KeyError for a cell that the
    schema of rule tables lacks."""
    defined, more = defined_in(spec), {}
    path = spec / "schemas" / "ruleset.schema.json"
    ruleset = json.loads(path.read_text("utf-8"))
    for cell, says in vocabulary(spec, schemas).items():
        node = ruleset
        for part in cell.split("."):
            node = node["properties"][part]
        node.update(title=says["title"], description=says["about"])
        if cell in defined:
            node["$comment"] = defined[cell].address
        if "values" in says:
            choices = [{"const": value, "description": means} for value, means in says["values"].items()]
            node["properties"]["is"] = {"oneOf": choices}
        if said := {key: says[key] for key in _SAID if key in says}:
            more["".join(f"/properties/{part}" for part in cell.split("."))] = said
    yield path, json_text(ruleset) + "\n"
    yield path.with_name("vocabulary.json"), json_text({"ruleset": more}) + "\n"


def json_text(data: Any, indent: int = 0) -> str:
    """Return data as JSON; values that fit into a line of 120 characters are on one line."""
    line = json.dumps(data, ensure_ascii=False)
    if indent + len(line) <= _WIDTH or not isinstance(data, (dict, list)):
        return line
    keys = [f"{json.dumps(key)}: " for key in data] if isinstance(data, dict) else [""] * len(data)
    values = zip(keys, data.values() if isinstance(data, dict) else data, strict=True)
    inside = ",\n".join(f"{'':{indent + 2}}{key}{json_text(value, indent + 2)}" for key, value in values)
    return f"{line[0]}\n{inside}\n{'':{indent}}{line[-1]}"


# ---- parts from the schemas


def _kinds() -> Iterator[str]:
    """Yield a table of the words to claim for each kind of engine."""
    heads = ("your engine has", "claim", "`position`")
    yield from table(heads, ((each.has, _code(*each.claims) or ALL_IT_DOES, _code(each.position)) for each in KINDS))


def _messages(schemas: Schemas) -> Iterator[str]:
    """Yield every message with its fields, each under a heading."""
    for name in _MESSAGES:
        schema = schemas.documents[f"message-{name}"]
        yield from (f"### {name}", "", schema["description"], "")
        yield from _fields(schemas, schema, {"type"})
        yield ""


def _capabilities(schemas: Schemas) -> Iterator[str]:
    known = _words(schemas)["capability"]
    rows = ((_code(name), known["sentences"][name], _code(*known["words"][name])) for name in known["enum"])
    yield from table(("shorthand", "meaning", "words"), rows)


def _further_words(schemas: Schemas) -> Iterator[str]:
    """Yield the words that are not names of acts, questions or observables."""
    words = _words(schemas)
    choices = words["do"]["choose"]["properties"]["choice"]["words"]
    for word, says in words["claimed"]["sentences"].items():
        of = _code(*(choice for choice, needs in choices.items() if needs == word))
        yield f"- `{word}`: {says}{f' Its choices: {of}.' if of else ''}"


def _acts(acts: Iterable[tuple[str, Schema]]) -> Iterator[str]:
    yield from table(("act", "with", "meaning"), ((_code(name), _with(act), _says(act)) for name, act in acts))


def _ways(schemas: Schemas) -> Iterator[str]:
    """Yield the acts that Hoyle sends only to an adapter that claims them."""
    known = schemas.documents["message-run"]["$defs"].values()
    return _acts((each["title"], each) for each in known if "do" in each.get("properties", {}))


def _questions(schemas: Schemas) -> Iterator[str]:
    asks = _words(schemas)["ask"].items()
    rows = ((_code(name), _with(ask), _says(ask), ask["answer"]) for name, ask in asks)
    yield from table(("question", "with", "meaning", "answer"), rows)


def _observation(schemas: Schemas) -> Schema:
    of: Schema = schemas.documents["message-observed"]["$defs"]["observation"]
    return of


def _observables(schemas: Schemas) -> Iterator[str]:
    known = observables(_words(schemas), _observation(schemas)["properties"])
    rows = ((_code(name), _shape(schemas, each), each["description"]) for name, each in known.items())
    yield from table(("observable", "type", "meaning"), rows)


def _refusals(schemas: Schemas) -> Iterator[str]:
    """Yield the meaning of each refusal code."""
    return _sentences("code", schemas.documents["scenario"]["$defs"]["expectation"]["properties"]["refused"])


def _sentences(head: str, schema: Schema) -> Iterator[str]:
    """Yield a table of the values of a fixed set with their meanings."""
    known = schema["sentences"]
    return table((head, "meaning"), ((_code(word), known[word]) for word in schema.get("enum", known)))


def _values(schemas: Schemas) -> Iterator[str]:
    for name in (*_VALUES, *_MORE_VALUES):
        schema = _words(schemas)[name]
        says = schema["description"]
        yield f"- {says}" if says.lower().startswith(schema["title"]) else f"- **{sentence(schema['title'])}** {says}"


# ---- cells and lists of the semantics


def rules_of(schemas: Schemas) -> Iterator[tuple[str, Schema]]:
    """Yield the schema of every cell and list of rows of a rule table, by its path."""
    for name, chapter in schemas.documents["ruleset"]["properties"].items():
        if "title" in chapter and "properties" in chapter:
            yield from _rules_in(name, chapter)


def _rules_in(path: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
    for name, each in schema["properties"].items():
        inner = f"{path}.{name}"
        if "$ref" in each or each.get("type") == "array":
            yield inner, each
        else:
            yield from _rules_in(inner, each)


def _cell(schemas: Schemas, path: str) -> Iterator[str]:
    """Yield the decision of a cell, and each of its values or their bounds; raise KeyError if there is no such cell."""
    schema = dict(rules_of(schemas))[path]
    value = schema["properties"]["is"]
    yield f"`{path}`: {schema['description']}"
    if "enum" in value:
        yield from ("", *_sentences("value", value))
    else:
        yield f"The value is {_bounds(schemas, value)}."


def _bounds(schemas: Schemas, value: Schema) -> str:
    if "minimum" in value:
        return f"a number from {value['minimum']:,} to {value['maximum']:,}"
    if value.get("type") == "array":
        least, most = value.get("minItems", 0), value.get("maxItems")
        count = f"{least}" if least == most else f"{least} or more" if most is None else f"{least} to {most}"
        return f"a list of {count} values, each {_bounds(schemas, value['items'])}"
    return str(_referred(schemas, value).get("description", _shape(schemas, value))).removesuffix(".").lower()


def _rows(schemas: Schemas, path: str) -> Iterator[str]:
    """Yield every key of a list's rows, and the values of keys with a fixed set; raise KeyError if there is no such
    list."""
    schema = dict(rules_of(schemas))[path]
    row = schemas.documents["ruleset"]["$defs"][schema["items"]["$ref"].rpartition("/")[2]]
    yield from (f"`{path}`: {schema['description']}", "")
    keys = [*_keys(row, "")]
    rows = ((name, _values_of_key(schemas, each), each.get("description", "")) for name, _, each in keys)
    yield from table(("key", "is", "meaning"), rows)
    tables: dict[str, list[str]] = {}
    for _, key, each in keys:
        if "sentences" in each:
            tables.setdefault("\n".join(_sentences("value", {"sentences": each["sentences"]})), []).append(f"`{key}`")
    for known, of in tables.items():
        yield from ("", f"Values of {' and '.join(of)}:", "", known)


def _values_of_key(schemas: Schemas, schema: Schema) -> str:
    if "sentences" in schema:
        return "one of the values below"
    fixed = schema.get("items", schema).get("enum")
    words = _code(*map(_spelt, fixed or ()))
    return (f"some of {words}" if "items" in schema else words) if fixed else _shape(schemas, schema)


def _keys(row: Schema, before: str) -> Iterator[tuple[str, str, Schema]]:
    """Yield every key of a row and of its objects, as displayed, as a path, and with its schema."""
    for name, each in row["properties"].items():
        key = f"{before}{name}"
        yield (f"`{key}`" if name in row.get("required", ()) else f"`{key}`?", key, each)
        items = each.get("items", each)
        if "properties" in items:
            yield from _keys(items, f"{key}.")


# ---- the ladder and the reading lists


def ladder(suite: Suite) -> Iterator[str]:
    """Yield a table of the rungs with the topics of their checks."""
    of_rung: dict[str, list[str]] = {rung.name: [] for rung in RUNGS}
    for topic in sorted(suite.index.checks_by_topic):
        of_rung[rung_of_topic(topic).name].append(topic)
    yield from table(("rung", "topics of its checks"), ((name, _code(*topics)) for name, topics in of_rung.items()))


def reading_lists(suite: Suite) -> Iterator[str]:
    """Yield the number of words that each ruleset needs, rung by rung, and the list of its paragraphs, chapter by
    chapter."""
    lists = {name: needed_by(suite, name) for name in suite.rulesets}
    counted = ([*_counted(name, needed)] for name, needed in lists.items())
    yield from table(("ruleset", *(rung.name for rung in RUNGS), "all words"), counted)
    for name, needed in lists.items():
        yield from ("", f"## {name}", "", f"{sentence(suite.rules.title(name))}", "")
        yield from table(("rung", "chapter", "paragraphs", "words"), _chapters(needed))
        yield from _options(suite, name, {each.id for each in needed})


def _counted(name: str, needed: Sequence[SemanticParagraph]) -> Iterator[str]:
    yield f"[{name}](#{name})"
    yield from (_count(each for each in needed if each.rung is rung) for rung in RUNGS)
    yield _count(needed)


def _count(of: Iterable[SemanticParagraph]) -> str:
    return f"{sum(each.words for each in of):,}"


def _chapters(needed: Sequence[SemanticParagraph]) -> Iterator[Sequence[str]]:
    for (rung, chapter), each in groupby(needed, lambda each: (each.rung.name, each.chapter)):
        of = list(each)
        yield rung, chapter, _in_runs(of), _count(of)


def _in_runs(of: Sequence[SemanticParagraph]) -> str:
    """Return links to paragraphs, with series as ``trick-1 to trick-9``."""
    numbers = {each.id: int(each.id.rpartition("-")[2]) for each in of}
    runs: list[list[SemanticParagraph]] = []
    for each in of:
        follows = runs and numbers[runs[-1][-1].id] + 1 == numbers[each.id]
        if follows and runs[-1][-1].id.rpartition("-")[0] == each.id.rpartition("-")[0]:
            runs[-1].append(each)
        else:
            runs.append([each])
    return ", ".join(f"{_links(run[:1])} to {_links(run[-1:])}" if len(run) > _PAIR else _links(run) for run in runs)


def _options(suite: Suite, ruleset: str, plain: set[str]) -> Iterator[str]:
    for option in suite.rules.options(ruleset):
        more = [each for each in needed_by(suite, f"{ruleset}+{option}") if each.id not in plain]
        if more:
            yield from ("", f"With `+{option}` also {_in_runs(more)}: {_count(more)} words.")


# ---- index of the semantics


def index(suite: Suite) -> Iterator[str]:
    """Yield the tables that lead from a term or a word to the paragraphs that define it."""
    known = list(paragraphs(suite.root))
    yield from _section("Terms", ("term", "paragraphs"), _by_word(((each, each.terms) for each in known), "{}"))
    yield from _section("Cells and values", ("cell", "value", "rulesets", "paragraph"), _cells(suite, known))
    in_rows = set(_words_of(suite.schemas.documents["ruleset"]["$defs"]))
    rows = _by_word((each, each.defines & in_rows) for each in known)
    yield from _section("Words of rows", ("word", "paragraphs"), rows)
    for heading, word, fact in _FACTS:
        defining = ((each, each.facts.get(fact, ())) for each in known)
        yield from _section(heading, (word, "paragraphs"), _by_word(defining))
    codes = {code for each in known for code in each.facts.get("Refused", ())}
    refused = _by_word((each, {*each.facts.get("Refused", ()), *each.defines & codes}) for each in known)
    yield from _section("Refusals", ("code", "paragraphs"), refused)


def _section(heading: str, heads: Sequence[str], rows: Rows) -> Iterator[str]:
    yield from ("", f"## {heading}", "", *table(heads, rows))


def _by_word(
    defining: Iterable[tuple[SemanticParagraph, Iterable[str]]], shown: str = "`{}`"
) -> Iterator[Sequence[str]]:
    """Yield each word, as `shown`, with links to the paragraphs that define it."""
    found: dict[str, dict[str, SemanticParagraph]] = {}
    for paragraph, defined in defining:
        for word in defined:
            found.setdefault(word, {})[paragraph.id] = paragraph
    return ((shown.format(word), _links(found[word].values())) for word in sorted(found, key=str.lower))


def _cells(suite: Suite, known: Iterable[SemanticParagraph]) -> Iterator[Sequence[str]]:
    """Yield every value that some ruleset gives a cell, with the rulesets; for a list of rows, the ids of its rows."""
    having = {name: suite.rules.cells(name) for name in suite.rules.names}
    for path, paragraph in sorted((path, each) for each in known for path in each.cells):
        values: dict[str, list[str]] = {}
        for name, cells in having.items():
            for value in [cells[path].value] if path in cells else [row.value["id"] for row in cells.rows(path)]:
                word = value if isinstance(value, str) else json.dumps(value)
                values.setdefault(word, []).append(name)
        for word, names in values.items():
            named = [name for name in names if "+" not in name or name.partition("+")[0] not in names]
            having_it = "all" if set(suite.rulesets) <= set(named) else ", ".join(named)
            yield f"`{path}`", f"`{word}`", having_it, _links([paragraph])


def _words_of(schema: Any) -> Iterator[str]:
    """Yield every word of a fixed set in a schema."""
    if isinstance(schema, Mapping):
        yield from (str(word) for word in schema.get("enum", ()))
        yield from (word for each in schema.values() for word in _words_of(each))


# ---- worked examples


def example(suite: Suite, name: str) -> Iterator[str]:
    """Yield a check, by its id, as an example: the position, and each step with the expected result."""
    check = suite.index.checks[name]
    scenario, melds = suite.scenarios[check.scenario.id], suite.rules.meld_names(check.ruleset)
    yield " ".join([f"*Example:* `{scenario.id}`, under `{check.ruleset}`.", *words.position(scenario.given, melds)])
    yield ""
    for number, step in enumerate(scenario.steps, start=1):
        expected = words.expectation(step, check.expect.get(number, {}), melds)
        result = " ".join(map(sentence, expected)) or "Accepted."
        yield f"{number}. {sentence(words.step(step, melds))} → {result}"


# ---- table of the parts


_PARTS: Final[Mapping[str, Callable[[Schemas, str], Iterable[str]]]] = {
    "kinds": lambda _schemas, _: _kinds(),
    "messages": lambda schemas, _: _messages(schemas),
    "observation": lambda schemas, _: _fields(schemas, _observation(schemas), _words(schemas)["observable"]["enum"]),
    "capabilities": lambda schemas, _: _capabilities(schemas),
    "further-words": lambda schemas, _: _further_words(schemas),
    "position": lambda schemas, _: _fields(schemas, schemas.documents["position"]),
    "acts": lambda schemas, _: _acts(_words(schemas)["do"].items()),
    "ways": lambda schemas, _: _ways(schemas),
    "questions": lambda schemas, _: _questions(schemas),
    "observables": lambda schemas, _: _observables(schemas),
    "refusals": lambda schemas, _: _refusals(schemas),
    "built": lambda schemas, _: _fields(schemas, schemas.documents["suite"]["$defs"]["check"]),
    "values": lambda schemas, _: _values(schemas),
    "cell": _cell,
    "rows": _rows,
}
_OF_THE_SUITE: Final[Mapping[str, Callable[[Suite, str], Iterable[str]]]] = {
    "index": lambda suite, _: index(suite),
    "ladder": lambda suite, _: ladder(suite),
    "reading-lists": lambda suite, _: reading_lists(suite),
    "example": example,
}


# ---- schemas in words


def _words(schemas: Schemas) -> Schema:
    defined: Schema = schemas.documents["common"]["$defs"]
    return defined


def _fields(schemas: Schemas, schema: Schema, but: Collection[str] = ()) -> Iterator[str]:
    """Yield a table of an object's fields, if it has any, with a question mark after optional ones."""
    rows = [
        (_field(schema, name), _shape(schemas, each), _described(schemas, each))
        for name, each in schema["properties"].items()
        if name not in but
    ]
    yield from table(("field", "type", "meaning"), rows) if rows else ()


def _field(schema: Schema, name: str) -> str:
    return f"`{name}`" if name in schema.get("required", ()) else f"`{name}`?"


def _with(schema: Schema) -> str:
    """Return the fields of an act or a question."""
    return ", ".join(_field(schema, name) for name in schema["properties"] if name not in _COMMON)


def _says(schema: Schema) -> str:
    """Return the description of an act or a question, and of its fields."""
    more = (
        f"`{name}`: {each['description']}"
        for name, each in schema["properties"].items()
        if name not in _COMMON and "description" in each
    )
    return " ".join((schema["description"], *more))


def _described(schemas: Schemas, schema: Schema) -> str:
    """Return the description of a field, its own or that of the schema it refers to, and the sentence of each value."""
    says = schema.get("description") or _referred(schemas, schema).get("description", "")
    values = "".join(f" `{value}`: {sentence}" for value, sentence in schema.get("sentences", {}).items())
    parts = "".join(
        f" `{name}`: {each['description']}" for name, each in _parts(schema).items() if "description" in each
    )
    default = f" Default: `{json.dumps(schema['default'])}`." if "default" in schema else ""
    return f"{says}{values}{parts}{default}"


def _parts(schema: Schema) -> Schema:
    """Return the parts of an object, or of the object of each player."""
    of_each: Schema = schema.get("additionalProperties") or {}
    parts: Schema = schema.get("properties") or of_each.get("properties", {})
    return parts


def _referred(schemas: Schemas, schema: Schema) -> Schema:
    """Return the schema to which another refers; {} if there is none."""
    if "$ref" not in schema:
        return {}
    document, _, path = schema["$ref"].partition("#")
    homes = [document.removesuffix(".schema.json")] if document else _HOMES
    return next(found for home in homes if (found := _at(schemas.documents[home], path)))


def _at(schema: Schema, path: str) -> Schema:
    for part in filter(None, path.split("/")):
        schema = schema.get(part, {})
    return schema


def _shape(schemas: Schemas, schema: Schema) -> str:
    """Return the kind of value that fits a schema, in a few words."""
    if "$ref" in schema:
        referred = _referred(schemas, schema)
        return str(referred["title"]) if "title" in referred else _shape(schemas, referred)
    if "anyOf" in schema:
        return " or ".join(_shape(schemas, each) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{_spelt(word)}`" for word in schema.get("enum", [schema.get("const")]))
    if schema["type"] == "object":
        return _object(schemas, schema)
    if schema["type"] == "array":
        return _several(_shape(schemas, schema["items"]))
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return " or ".join(_TYPES[each] for each in types)


def _spelt(value: object) -> str:
    """Return a value as YAML and JSON spell it: `true`, not `True`."""
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _several(shape: str) -> str:
    """Return the name of a list of things: cards, irregularities, cards or combinations."""
    kinds = shape.split(" or ")
    if "`" not in shape and all(re.match("an? |points", kind) for kind in kinds):
        return " or ".join(map(_plural, kinds))
    return f"a list: {shape}"


def _plural(shape: str) -> str:
    noun = re.sub("^an? ", "", shape)
    if noun == shape:
        return shape
    return noun.removesuffix("y") + "ies" if noun.endswith("ity") else f"{noun}s"


def _object(schemas: Schemas, schema: Schema) -> str:
    if schema.get("propertyNames") == _SEATS:
        return f"by player: {_shape(schemas, schema['additionalProperties'])}"
    named = _code(*schema.get("properties", ()))
    return f"an object with {named}" if named else "an object"


# ---- Markdown


def table(heads: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield a Markdown table, line by line."""
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _code(*words: str) -> str:
    """Return words as code, with commas between."""
    return ", ".join(f"`{word}`" for word in words)


def _links(of: Iterable[SemanticParagraph]) -> str:
    return ", ".join(f"[{each.id}]({each.address})" for each in of)


if __name__ == "__main__":
    write(Path(__file__).parent.parent / "spec")
