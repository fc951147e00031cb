"""The reference of the protocol, and what else of its pages is made: every table from the schemas, in place.

A page is written by hand but for what stands between `<!-- made: NAME -->` and `<!-- end -->`. `make protocol` makes
that anew, so that the schemas are the one place where a field is described.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..files.schemas import Schemas
from ..report.claims import ALL_IT_DOES, KINDS, observables
from ..report.layout import sentence

Schema = Mapping[str, Any]

#: The pages that are made anew, beside the schemas' folder.
PAGES: Final = ("PROTOCOL.md", "PROTOCOL-REFERENCE.md")
_MADE: Final = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_MESSAGES: Final = ("hello", "ready", "run", "observed", "unsupported", "skipped", "error", "bye")
#: What every act or question has, and its own table does not repeat.
_COMMON: Final = frozenset({"do", "ask", "irregular"})
#: Schemas that are described where they are used.
_VALUES: Final = ("card", "seat", "suit", "rank", "points", "word", "ruleset", "phase", "combination")
_MORE_VALUES: Final = ("points_of_each", "settlement", "irregularity", "ruling")
#: Where a schema that names no document may refer to.
_HOMES: Final = ("common", "message-observed", "message-run", "build")
#: How a schema says that an object is by the letters of the seats.
_SEATS: Final = {"$ref": "common.schema.json#/$defs/seat"}
_TYPES: Final = {"string": "a text", "integer": "a number", "boolean": "true or false", "null": "null"}


def write(spec: Path) -> None:
    """Make what is made in the pages of the protocol anew, in a spec folder."""
    schemas = Schemas(spec / "schemas")
    for name in PAGES:
        page = spec / name
        page.write_text(made(schemas, page.read_text("utf-8")), encoding="utf-8")


def made(schemas: Schemas, text: str) -> str:
    """A page with all that is made in it made anew; raises KeyError where nothing has such a name."""

    def anew(found: re.Match[str]) -> str:
        lines = "\n".join(_PARTS[found[2]](schemas))
        return f"{found[1]}\n{lines}\n\n{found[3]}"

    return _MADE.sub(anew, text)


# ---- the parts of the pages


def _kinds(_schemas: Schemas) -> Iterator[str]:
    """What to claim for which kind of engine."""
    rows = (
        (each.has, ", ".join(f"`{word}`" for word in each.claims) or ALL_IT_DOES, f"`{each.position}`")
        for each in KINDS
    )
    yield from _table(("your engine has", "claim", "`position`"), rows)


def _messages(schemas: Schemas) -> Iterator[str]:
    """Every message with its fields, each under a heading."""
    for name in _MESSAGES:
        schema = schemas.documents[f"message-{name}"]
        yield from (f"### {name}", "", schema["description"], "")
        yield from _fields(schemas, schema, frozenset({"type"}))
        yield ""


def _observation(schemas: Schemas) -> Iterator[str]:
    """What one observation holds, but for the observables."""
    schema = schemas.documents["message-observed"]["$defs"]["observation"]
    yield from _fields(schemas, schema, frozenset(_words(schemas)["observable"]["enum"]))


def _capabilities(schemas: Schemas) -> Iterator[str]:
    known = _words(schemas)["capability"]
    rows = (
        (f"`{name}`", known["sentences"][name], ", ".join(f"`{word}`" for word in known["words"][name]))
        for name in known["enum"]
    )
    yield from _table(("shorthand", "what it is", "the words it stands for"), rows)


def _further_words(schemas: Schemas) -> Iterator[str]:
    """The words that are not the name of an act, a question or an observable."""
    words = _words(schemas)
    options = words["do"]["choose"]["properties"]["option"]["words"]
    for word, says in words["claimed"]["sentences"].items():
        of = ", ".join(f"`{option}`" for option, needs in options.items() if needs == word)
        yield f"- `{word}`: {says}{f' Its options: {of}.' if of else ''}"


def _position(schemas: Schemas) -> Iterator[str]:
    yield from _fields(schemas, schemas.documents["position"], frozenset())


def _acts(schemas: Schemas) -> Iterator[str]:
    rows = ((f"`{name}`", _with(act), _says(act)) for name, act in _words(schemas)["do"].items())
    yield from _table(("act", "with", "meaning"), rows)


def _ways(schemas: Schemas) -> Iterator[str]:
    """The acts that are only sent to whoever does them so."""
    acts = [each for each in schemas.documents["message-run"]["$defs"].values() if "do" in each.get("properties", {})]
    rows = ((f"`{act['title']}`", _with(act), _says(act)) for act in acts)
    yield from _table(("act", "with", "meaning"), rows)


def _questions(schemas: Schemas) -> Iterator[str]:
    asks = _words(schemas)["ask"].items()
    rows = ((f"`{name}`", _with(ask), _says(ask), ask["answer"]) for name, ask in asks)
    yield from _table(("question", "with", "meaning", "answer"), rows)


def _observables(schemas: Schemas) -> Iterator[str]:
    observed = schemas.documents["message-observed"]["$defs"]["observation"]["properties"]
    known = observables(_words(schemas), observed)
    rows = ((f"`{name}`", _shape(schemas, each), each["description"]) for name, each in known.items())
    yield from _table(("observable", "is", "meaning"), rows)


def _built(schemas: Schemas) -> Iterator[str]:
    """What `hoyle build` writes of a check."""
    yield from _fields(schemas, schemas.documents["build"]["$defs"]["check"], frozenset())


def _values(schemas: Schemas) -> Iterator[str]:
    for name in (*_VALUES, *_MORE_VALUES):
        schema = _words(schemas)[name]
        says = schema["description"]
        yield f"- {says}" if says.lower().startswith(schema["title"]) else f"- **{sentence(schema['title'])}** {says}"


_PARTS: Final[Mapping[str, Callable[[Schemas], Iterable[str]]]] = {
    "kinds": _kinds,
    "messages": _messages,
    "observation": _observation,
    "capabilities": _capabilities,
    "further-words": _further_words,
    "position": _position,
    "acts": _acts,
    "ways": _ways,
    "questions": _questions,
    "observables": _observables,
    "built": _built,
    "values": _values,
}


# ---- schemas in words


def _words(schemas: Schemas) -> Schema:
    defined: Schema = schemas.documents["common"]["$defs"]
    return defined


def _fields(schemas: Schemas, schema: Schema, but: frozenset[str]) -> Iterator[str]:
    """A table of an object's fields; those that may be left out have a question mark. Nothing where there are none."""
    rows = [
        (_field(schema, name), _shape(schemas, each), _described(schemas, each))
        for name, each in schema["properties"].items()
        if name not in but
    ]
    yield from _table(("field", "is", "meaning"), rows) if rows else ()


def _field(schema: Schema, name: str) -> str:
    return f"`{name}`" if name in schema.get("required", ()) else f"`{name}`?"


def _with(schema: Schema) -> str:
    """The fields of an act or a question."""
    named = (_field(schema, name) for name in schema["properties"] if name not in _COMMON)
    return ", ".join(named)


def _says(schema: Schema) -> str:
    """What an act or a question is, and what is to be said of its fields."""
    more = (
        f"`{name}`: {each['description']}"
        for name, each in schema["properties"].items()
        if name not in _COMMON and "description" in each
    )
    return " ".join((schema["description"], *more))


def _described(schemas: Schemas, schema: Schema) -> str:
    """What a field says: its own words or those of what it refers to, and the sentence of each value."""
    says = schema.get("description") or _referred(schemas, schema).get("description", "")
    values = "".join(f" `{value}`: {sentence}" for value, sentence in schema.get("sentences", {}).items())
    parts = "".join(
        f" `{name}`: {each['description']}" for name, each in _parts(schema).items() if "description" in each
    )
    default = f" Left out, it is `{schema['default']}`." if "default" in schema else ""
    return f"{says}{values}{parts}{default}"


def _parts(schema: Schema) -> Schema:
    """The parts of an object, or of the object that there is for each player."""
    of_each: Schema = schema.get("additionalProperties") or {}
    parts: Schema = schema.get("properties") or of_each.get("properties", {})
    return parts


def _referred(schemas: Schemas, schema: Schema) -> Schema:
    """The schema that another refers to; nothing where it refers to none."""
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
    """What kind of value fits a schema, in a few words."""
    if "$ref" in schema:
        referred = _referred(schemas, schema)
        return str(referred["title"]) if "title" in referred else _shape(schemas, referred)
    if "anyOf" in schema:
        return " or ".join(_shape(schemas, each) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{word}`" for word in schema.get("enum", [schema.get("const")]))
    if schema["type"] == "object":
        return _object(schemas, schema)
    if schema["type"] == "array":
        return _several(_shape(schemas, schema["items"]))
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return " or ".join(_TYPES[each] for each in types)


def _several(shape: str) -> str:
    """A list of things, in words: cards, irregularities, cards or combinations."""
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
    named = ", ".join(f"`{name}`" for name in schema.get("properties", ()))
    return f"an object with {named}" if named else "an object"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
