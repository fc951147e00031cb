"""Complaints: what a schema validator found, in words, with the remedy.

A schema may say for itself, in `errorMessage`, what its values must be like.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from .names import Suggestion, nearest

Path = tuple[str | int, ...]
_LONGEST_QUOTE: Final = 60  # characters


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a value something is wrong: the path that leads there, and what the value as a whole is called."""

    path: Path
    whole: str

    def __str__(self) -> str:
        """The path as people write it: ``steps[0].card``."""
        words = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in self.path)
        return words.lstrip(".") or self.whole


@dataclass(frozen=True, slots=True)
class Complaint:
    """One mistake in a value: where it is (`at_key` for the key rather than its value), what is wrong and the remedy.

    `missing` is a key that is not there.
    """

    path: Path
    code: str
    message: str
    remedy: str | Suggestion = ""
    at_key: bool = False
    missing: str = ""

    @property
    def meant(self) -> str:
        """The known name that was probably meant; nothing where none is like it."""
        return nearest(self.remedy.word, self.remedy.known) if isinstance(self.remedy, Suggestion) else ""


def explain(error: Any, place: Place, schema: Any, known: Sequence[str]) -> Iterator[Complaint]:
    """What a validator's error means; `schema` holds the keyword that failed, and `known` are the keys it knows."""
    kind = error.kind.name
    if kind in {"additionalProperties", "unevaluatedProperties"}:
        for key in error.kind.unexpected:
            yield _unknown_key(place, key, known)
    elif kind == "propertyNames":
        yield _bad_key(error, place, schema)
    else:
        yield _EXPLAIN.get(kind, _misfit)(error, place, schema)


def _unknown_key(place: Place, key: str, known: Sequence[str]) -> Complaint:
    message = f"unknown key {quote(key)} in {place}"
    return Complaint((*place.path, key), "unknown-key", message, Suggestion(key, known), at_key=True)


def _bad_key(error: Any, place: Place, schema: Any) -> Complaint:
    key = str(error.kind.error.instance)
    options = [str(each) for each in getattr(error.kind.error.kind, "options", [])]
    remedy = _own_words(schema.get("propertyNames", {})) or Suggestion(key, options)
    message = f"{quote(key)} cannot be a key of {place}"
    return Complaint((*place.path, key), "unknown-key", message, remedy, at_key=True)


def _missing(error: Any, place: Place, _schema: Any) -> Complaint:
    key = error.kind.property
    return Complaint(place.path, "missing-key", f"'{key}' is missing in {place}", "Add it.", missing=key)


def _depends(error: Any, place: Place, schema: Any) -> Complaint:
    there = next(key for key in schema["dependentRequired"] if key in error.instance)
    needed = [key for key in schema["dependentRequired"][there] if key not in error.instance]
    return Complaint(place.path, "missing-key", f"'{there}' needs '{' and '.join(needed)}' beside it", "Add it.")


def _unknown_word(error: Any, place: Place, _schema: Any) -> Complaint:
    options = error.kind.options if error.kind.name == "enum" else [error.kind.expected_value]
    remedy = Suggestion(str(error.instance), [str(each) for each in options])
    return Complaint(place.path, "unknown-word", f"{quote(error.instance)} is not a value for {place}", remedy)


def _wrong_type(error: Any, place: Place, _schema: Any) -> Complaint:
    types = error.kind.types
    wanted = " or ".join(_TYPES[each] for each in types)
    message = f"{place} must be {wanted}, not {_describe(error.instance)}"
    return Complaint(place.path, "wrong-type", message, _type_remedy(types, error.instance))


def _out_of_place(_error: Any, place: Place, _schema: Any) -> Complaint:
    return Complaint(place.path, "out-of-place", f"{place} has no place here", "Remove it.")


def _wrong_size(error: Any, place: Place, schema: Any) -> Complaint:
    bound = "at least" if error.kind.name.startswith("min") else "at most"
    size = f"it has {len(error.instance)} and needs {bound} {error.kind.limit}"
    remedy = _own_words(schema) or ("Add some." if bound == "at least" else "Take some out.")
    return Complaint(place.path, "wrong-size", f"{place} does not have the right number of entries: {size}", remedy)


def _out_of_range(error: Any, place: Place, _schema: Any) -> Complaint:
    bound = "less" if error.kind.name == "minimum" else "more"
    message, limit = f"{place} is {_cut(error.instance)}, {bound} than {error.kind.limit}", error.kind.limit
    remedy = f"Write a number that is {'at least' if bound == 'less' else 'at most'} {limit}."
    return Complaint(place.path, "out-of-range", message, remedy)


def _wrong_length(error: Any, place: Place, _schema: Any) -> Complaint:
    what = "is empty" if not error.instance else f"is too long ({len(error.instance)} characters)"
    remedy = "Shorten it." if error.instance else "Write something."
    return Complaint(place.path, "wrong-length", f"{place} {what}", remedy)


def _twice(error: Any, place: Place, schema: Any) -> Complaint:
    entries = error.instance
    again = _repeated([json.dumps(entry, sort_keys=True) for entry in entries])
    message = f"{quote(entries[again])} stands twice in {place}"
    return Complaint((*place.path, again), "twice", message, _own_words(schema) or "Remove one.")


def _repeated(entries: Sequence[str]) -> int:
    """Where the first of them stands that stood before."""
    seen: set[str] = set()
    for at, entry in enumerate(entries):
        if entry in seen:
            return at
        seen.add(entry)
    return len(entries) - 1  # such as 1 and 1.0, which a schema takes for the same


def _misfit(error: Any, place: Place, schema: Any) -> Complaint:
    said = _own_words(schema)
    if isinstance(error.instance, str | int):
        return Complaint(place.path, "misfit", f"{quote(error.instance)} does not fit {place}", said)
    message = said[:1].lower() + said[1:].rstrip(".") or "none of the forms allowed"
    return Complaint(place.path, "misfit", f"{place}: {message}" if place.path else message)


_EXPLAIN: Final[Mapping[str, Callable[[Any, Place, Any], Complaint]]] = MappingProxyType(
    {
        "required": _missing,
        "dependentRequired": _depends,
        "enum": _unknown_word,
        "const": _unknown_word,
        "type": _wrong_type,
        "falseSchema": _out_of_place,
        **dict.fromkeys(("minItems", "maxItems", "minProperties", "maxProperties"), _wrong_size),
        **dict.fromkeys(("minimum", "maximum"), _out_of_range),
        **dict.fromkeys(("minLength", "maxLength"), _wrong_length),
        "uniqueItems": _twice,
    }
)

_TYPES: Final = MappingProxyType(
    {
        "string": "text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "array": "a list",
        "object": "a mapping of keys to values",
        "null": "empty",
    }
)


def _own_words(schema: Any) -> str:
    """What a schema itself says to whoever breaks it, as a sentence."""
    text = schema.get("errorMessage", "") if isinstance(schema, Mapping) else ""
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _type_remedy(types: Iterable[str], value: Any) -> str:
    if "boolean" in types and isinstance(value, str):
        return f"In YAML 1.2 '{value}' is a word: write true or false."
    if "integer" in types and isinstance(value, str) and value.replace(".", "").isdigit():
        return "Write a whole number, without quotes."
    if "integer" in types and isinstance(value, str):
        return "Write the digits alone, without quotes or anything between them."
    if "string" in types and isinstance(value, bool | int | float):
        return "Put it into quotes to make it text."
    if "object" in types:
        return "Write it as lines of 'key: value'."
    return ""


def _describe(value: Any) -> str:
    match value:
        case None:
            return "empty"
        case bool():
            return "true or false"
        case str():
            return f"the text {quote(value)}"
        case int() | float():
            return f"the number {_cut(value)}"
        case list():
            return "a list"
        case _:
            return "a mapping"


def quote(value: Any) -> str:
    """A value in quotes, cut where it is long."""
    return f"'{_cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}'"


def _cut(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
