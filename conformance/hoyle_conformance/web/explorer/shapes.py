"""The form of layouts, games and their parts, as JSON Schema describes it.

`Shapes` supports only the keywords that describe positions and steps; a test compares it with a validator of JSON
Schema.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import ge, le
from typing import Any, Final

Path = tuple[str | int, ...]
Schema = Mapping[str, Any]

#: The maximum nesting.
_DEEPEST: Final = 24


@dataclass(frozen=True, slots=True)
class LayoutFault:
    """A part of a layout with the wrong form: its place and the problem, in words."""

    path: Path
    says: str


class Shapes:
    """The forms that schemas describe, by their names: ``scenario#/$defs/given``."""

    def __init__(self, documents: Mapping[str, Any]) -> None:
        self._documents = documents
        self.first = lru_cache(2_000)(self._first)

    def faults(self, kind: str, value: Any) -> Iterator[LayoutFault]:
        """Yield the faults of a value of this kind."""
        yield from self._faults({"$ref": kind}, "", value, ())

    def _first(self, kind: str, text: str) -> LayoutFault | None:
        """Return the first fault of a value of this kind, as JSON; None if there is none."""
        return next(self.faults(kind, json.loads(text)), None)

    def of_cell(self, schema: Schema, value: Any) -> Iterator[LayoutFault]:
        """Yield the faults of the value of a cell, by its schema."""
        yield from self._faults(schema, "ruleset", value, ())

    def _faults(self, schema: Any, name: str, value: Any, path: Path) -> Iterator[LayoutFault]:
        """Yield the faults of a value by a schema in the document of this name."""
        if isinstance(schema, bool):
            yield from () if schema else [LayoutFault(path, f"{_here(path)} is not allowed here")]
            return
        if len(path) > _DEEPEST:
            yield LayoutFault(path, "this is nested too deeply")
            return
        says = schema.get("errorMessage")
        for fault in self._all(schema, name, value, path):
            if isinstance(says, str) and fault.path == path:
                yield LayoutFault(path, says)
                return
            yield fault

    def _all(self, schema: Schema, name: str, value: Any, path: Path) -> Iterator[LayoutFault]:
        for keyword, (is_right, says) in _KEYWORDS.items():
            if keyword in schema and not is_right(schema[keyword], value):
                wanted = schema[keyword]
                wanted = ", ".join(map(str, wanted)) if isinstance(wanted, list) else _NOUNS.get(wanted, wanted)
                yield LayoutFault(path, says.format(here=_here(path), value=shortened(str(value)), wanted=wanted))
                if keyword == "type":
                    return
        yield from self._inside(schema, name, value, path)
        yield from self._combined(schema, name, value, path)

    def _inside(self, schema: Schema, name: str, value: Any, path: Path) -> Iterator[LayoutFault]:
        """Yield the faults of the parts of a value, and of the parts that it lacks."""
        if isinstance(value, list):
            for at, each in enumerate(value):
                yield from self._faults(schema.get("items", True), name, each, (*path, at))
            if "contains" in schema:
                count = sum(self._fits(schema["contains"], name, each) for each in value)
                if not schema.get("minContains", 1) <= count <= schema.get("maxContains", count):
                    yield LayoutFault(path, "this has an entry too often, or not at all")
        if not isinstance(value, Mapping):
            return
        for key, each in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
            allowed = self._fits(schema.get("propertyNames", True), name, key)
            yield from self._faults(inner if allowed else False, name, each, (*path, key))
        needed = [each for key, some in schema.get("dependentRequired", {}).items() if key in value for each in some]
        for key in (*schema.get("required", ()), *needed):
            if key not in value:
                yield LayoutFault(path, f"'{key}' is missing")

    def _combined(self, schema: Schema, name: str, value: Any, path: Path) -> Iterator[LayoutFault]:
        """Yield the faults by the schemas that a schema combines."""
        if "$ref" in schema:
            other, _, pointer = schema["$ref"].partition("#")
            other = other.removesuffix(".schema.json") or name
            yield from self._faults(_node(self._documents[other], pointer), other, value, path)
        for each in schema.get("allOf", ()):
            yield from self._faults(each, name, value, path)
        fits = {key: [self._fits(each, name, value) for each in schema.get(key, ())] for key in ("anyOf", "oneOf")}
        if ("anyOf" in schema and not any(fits["anyOf"])) or ("oneOf" in schema and sum(fits["oneOf"]) != 1):
            yield LayoutFault(path, "this has none of the allowed forms, or several")
        if "not" in schema and self._fits(schema["not"], name, value):
            yield LayoutFault(path, "this cannot have this value")
        if "if" in schema:
            then = schema.get("then" if self._fits(schema["if"], name, value) else "else", True)
            yield from self._faults(then, name, value, path)

    def _fits(self, schema: Any, name: str, value: Any) -> bool:
        return next(self._faults(schema, name, value, ()), None) is None


def _here(path: Path) -> str:
    return f"'{shortened(str(path[-1]))}'" if path else "this"


def _node(document: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        document = document[part]
    return document


def _same(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)


def _sized(kind: type, holds: Callable[[int, int], bool]) -> Callable[[int, Any], bool]:
    """Return the test of a limit to the size of values of a kind; for numbers, to their value."""
    size: Callable[[Any], int] = int if kind is int else len
    return lambda limit, value: type(value) is not kind or holds(size(value), limit)


def _unique(wanted: bool, value: Any) -> bool:
    return not wanted or type(value) is not list or len({repr(each) for each in value}) == len(value)


_TYPES: Final[Mapping[str, type]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
_NOUNS: Final = {
    "object": "a mapping",
    "array": "a list",
    "string": "a word",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}
_SIZE: Final = "{here} has too few or too many entries"
_RANGE: Final = "{value} is out of range"
#: The keywords about a value as a whole: the test of a value, and the message if it fails.
_KEYWORDS: Final[Mapping[str, tuple[Callable[[Any, Any], bool], str]]] = {
    "type": (lambda wanted, value: type(value) is _TYPES[wanted], "{here} must be {wanted}"),
    "enum": (lambda some, value: any(_same(value, each) for each in some), "'{value}' is none of: {wanted}"),
    "const": (lambda wanted, value: _same(value, wanted), "'{value}' must be '{wanted}'"),
    "pattern": (
        lambda wanted, value: not isinstance(value, str) or re.search(wanted, value) is not None,
        "'{value}' has the wrong format",
    ),
    "minimum": (_sized(int, ge), _RANGE),
    "maximum": (_sized(int, le), _RANGE),
    "minItems": (_sized(list, ge), _SIZE),
    "maxItems": (_sized(list, le), _SIZE),
    "minProperties": (_sized(dict, ge), _SIZE),
    "maxProperties": (_sized(dict, le), _SIZE),
    "minLength": (_sized(str, ge), _SIZE),
    "maxLength": (_sized(str, le), _SIZE),
    "uniqueItems": (_unique, "an entry occurs twice"),
}


def shortened(text: str) -> str:
    """Return the first characters of an untrusted text, all of them printable."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text[:40])
