"""Schemas: JSON Schema, with messages for people.

The files under ``spec/schemas`` are the vocabulary. A value that does not fit is reported in words, with the nearest
valid name, at its place in the file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema_rs

from .diagnostics import Diagnostic
from .yaml_text import Document

BASE: Final = "hoyle:/schemas/"
_SHOWN_CHOICES: Final = 12


class Schemas:
    """All the schemas of a spec folder, read once; validators are built when first needed."""

    def __init__(self, folder: Path) -> None:
        self.documents: dict[str, Any] = {
            path.name.removesuffix(".schema.json"): json.loads(path.read_text("utf-8"))
            for path in sorted(folder.glob("*.schema.json"))
        }
        self._registry = jsonschema_rs.Registry(
            [(f"{BASE}{name}.schema.json", document) for name, document in self.documents.items()]
        )
        self.validator = cache(self._validator)

    def _validator(self, name: str) -> jsonschema_rs.Draft202012Validator:
        return jsonschema_rs.Draft202012Validator(
            self.documents[name], registry=self._registry, base_uri=f"{BASE}{name}.schema.json"
        )

    def check(self, name: str, document: Document) -> list[Diagnostic]:
        """What is wrong with a document of this kind, each mistake once."""
        validator = self.validator(name)
        if validator.is_valid(document.data):
            return []
        faults = list(self._faults(document.data, validator.iter_errors(document.data)))
        misspelt = {(fault.path[:-1], fault.meant) for fault in faults if fault.meant}
        return [
            document.diagnose(fault.path, fault.code, fault.message, fault.remedy, key=fault.at_key)
            for fault in faults
            if (fault.path, fault.missing) not in misspelt
        ]

    def complaint(self, name: str, value: Any) -> str:
        """The first thing wrong with a value of this kind, in one line; empty where nothing is."""
        validator = self.validator(name)
        if validator.is_valid(value):
            return ""
        fault = next(self._faults(value, validator.iter_errors(value)))
        return fault.message

    def _faults(self, data: Any, errors: Iterable[Any]) -> "Iterator[_Fault]":
        for error in errors:
            path = _true_path(data, error.instance_path)
            yield from _explain(error, path, self.at(error.absolute_keyword_location), self)

    def at(self, location: str) -> tuple[Any, ...]:
        """The schemas on the way to a keyword, innermost first."""
        name, _, pointer = location.removeprefix(BASE).partition("#")
        node: Any = self.documents[name.removesuffix(".schema.json")]
        way = [node]
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            node = node[int(key)] if isinstance(node, list) else node[key]
            way.append(node)
        return tuple(reversed(way[:-1]))

    def resolve(self, reference: str, home: str) -> Any:
        """The schema that a `$ref` in the document `home` names."""
        name, _, pointer = reference.partition("#")
        node: Any = self.documents[name.removesuffix(".schema.json") or home]
        for part in pointer.split("/")[1:]:
            node = node[part]
        return node


class _Fault:
    """One mistake before it is given its place: `meant` is a name it nearly is, `missing` a key that is not there."""

    __slots__ = ("at_key", "code", "meant", "message", "missing", "path", "remedy")

    def __init__(
        self, path: Sequence[str | int], code: str, message: str, remedy: str = "", *,
        at_key: bool = False, meant: str = "", missing: str = "",
    ) -> None:
        self.path, self.code, self.message, self.remedy = tuple(path), code, message, remedy
        self.at_key, self.meant, self.missing = at_key, meant, missing


def _true_path(data: Any, path: Iterable[str | int]) -> tuple[str | int, ...]:
    """A validator's path with the keys of mappings as text, also where they look like numbers."""
    true: list[str | int] = []
    for at in path:
        key = at if isinstance(data, list) else str(at)
        true.append(key)
        data = data[key]
    return tuple(true)


def in_words(path: Sequence[str | int]) -> str:
    """A path as people write it: ``steps[0].card``."""
    words = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in path)
    return words.lstrip(".") or "the file"


def nearest(word: str, known: Iterable[str]) -> str:
    """The known name most like `word`, or nothing."""
    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.6)), "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The remedy for a wrong name: the nearest one, or all where they are few."""
    names = list(known)
    if near := nearest(word, names):
        return f"Did you mean '{near}'?"
    if not names:
        return ""
    more = ", …" if len(names) > _SHOWN_CHOICES else ""
    return f"Known here: {', '.join(names[:_SHOWN_CHOICES])}{more}."


def _explain(error: Any, path: tuple[str | int, ...], schemas: tuple[Any, ...], all_: Schemas) -> Iterator[_Fault]:
    kind, where, schema = error.kind, in_words(path), schemas[0]
    match kind.name:
        case "additionalProperties" | "unevaluatedProperties":
            known = list(_known_keys(schema, all_))
            for key in kind.unexpected:
                message = f"unknown key '{key}' in {where}"
                yield _Fault([*path, key], "unknown-key", message, did_you_mean(key, known), at_key=True, meant=nearest(key, known))
        case "required":
            yield _Fault(path, "missing-key", f"'{kind.property}' is missing in {where}", "Add it.", missing=kind.property)
        case "enum" | "const":
            options = [str(each) for each in (kind.options if kind.name == "enum" else [kind.expected_value])]
            yield _Fault(path, "unknown-word", f"{_quote(error.instance)} is not a value for {where}", did_you_mean(str(error.instance), options))
        case "type":
            yield _Fault(path, "wrong-type", f"{where} must be {_types(kind.types)}, not {_describe(error.instance)}", _type_remedy(kind.types, error.instance))
        case "propertyNames":
            options = [str(each) for each in getattr(kind.error.kind, "options", [])]
            key = str(kind.error.instance)
            yield _Fault([*path, key], "unknown-key", f"'{key}' cannot be a key of {where}", _said(schema.get("propertyNames", {})) or did_you_mean(key, options), at_key=True)
        case "falseSchema":
            yield _Fault(path, "out-of-place", f"{where} has no place here", "Remove it.")
        case _:
            yield _Fault(path, kind.name, f"{where} does not fit: {_limit(kind, error)}", _said(schema))


def _said(schema: Any) -> str:
    """What a schema itself says to whoever breaks it."""
    text = schema.get("errorMessage", "") if isinstance(schema, Mapping) else ""
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _known_keys(schema: Any, all_: Schemas) -> Iterator[str]:
    yield from schema.get("properties", {})
    if "$ref" in schema:
        home = "ruleset" if schema["$ref"].startswith("#") else ""
        yield from _known_keys(all_.resolve(schema["$ref"], home), all_)


def _limit(kind: Any, error: Any) -> str:
    shown = _quote(error.instance)
    match kind.name:
        case "pattern":
            return f"{shown} is not written as it should be"
        case "minItems" | "maxItems" | "minProperties" | "maxProperties":
            least_or_most = "at least" if kind.name.startswith("min") else "at most"
            return f"it has {len(error.instance)} entries and needs {least_or_most} {kind.limit}"
        case "minimum" | "maximum":
            return f"{shown} is {'less' if kind.name == 'minimum' else 'more'} than {kind.limit}"
        case "minLength" | "maxLength":
            return "it is empty" if not error.instance else f"it has {len(error.instance)} characters"
        case "uniqueItems":
            return "an entry stands in it twice"
        case _:
            return f"{shown} is none of the forms allowed"


_TYPES: Final = {
    "string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "array": "a list", "object": "a mapping of keys to values", "null": "empty",
}


def _types(types: Iterable[str]) -> str:
    return " or ".join(_TYPES[each] for each in types)


def _type_remedy(types: Sequence[str], value: Any) -> str:
    if "boolean" in types and isinstance(value, str) and value.lower() in {"yes", "no", "on", "off", "y", "n"}:
        return f"In YAML 1.2 '{value}' is a word: write true or false."
    if "string" in types and isinstance(value, int | float):
        return "Put it into quotes to make it text."
    return ""


def _describe(value: Any) -> str:
    match value:
        case None:
            return "empty"
        case bool():
            return "true or false"
        case str():
            return f"the text {_quote(value)}"
        case int() | float():
            return f"the number {value}"
        case list():
            return "a list"
        case _:
            return "a mapping"


def _quote(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text if len(text) <= 60 else text[:57] + '…'}'"
