"""The words that mutations put into inputs: keys and values from the schemas and the files of the suite."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

SPEC: Final = Path(__file__).resolve().parents[2] / "spec"
#: Of so many scenario files, one is taken.
_EVERY: Final = 9
#: So many values of a key are known, and none longer as JSON.
_MOST: Final = 120
_LONGEST: Final = 200  # characters
#: No word of a dictionary is so long, in characters.
_LONGEST_WORD: Final = 40
_NUMBERS: Final = (0, 1, -1, 2, 8, 9, 32, 40, 100, 1000, 10**6, 10**6 + 1, 2**31, 2**53, -(2**63), 10**18, 10**30)
#: Markup that no page of Hoyle has: it must be escaped wherever it is shown.
MARKUP: Final = "<x-fuzz>"
#: Values of every type, and texts that programs often mishandle.
_ODD: Final = (
    *(None, True, False, "", [], {}, 1.5, 8.0, -0.0, 1e308, float("inf"), float("nan")),
    *(" ", "...", "é", "♠", "\u202e", "\x1b[31m", MARKUP, "%s", "-", "*"),
)


@dataclass(frozen=True, slots=True)
class Words:
    """The values that were seen under each key, and the keys."""

    by_key: Mapping[str, Sequence[Any]]
    keys: Sequence[str]

    def value(self, key: str, rng: Random) -> Any:
        """Return a value: mostly one that was seen under this key, sometimes any other."""
        known = self.by_key.get(key)
        if known and rng.random() < 0.6:
            return rng.choice(known)
        kind = rng.randrange(4)
        if kind == 0:
            return rng.choice(_NUMBERS)
        return rng.choice(_ODD) if kind == 1 else rng.choice(self.by_key[rng.choice(self.keys)])

    def word(self, rng: Random) -> str:
        """Return a word for a text."""
        value = self.value("", rng)
        return value if isinstance(value, str) else json.dumps(value)

    @property
    def dictionary(self) -> str:
        """The words as a dictionary of libFuzzer."""
        values = {each for some in self.by_key.values() for each in some if isinstance(each, str)}
        words = (each for each in sorted({*self.keys, *values}) if each.isascii() and each.isprintable())
        return "".join(f"{json.dumps(each)}\n" for each in words if 0 < len(each) < _LONGEST_WORD)


@cache
def all_words() -> Words:
    """Return the words of the schemas, the rulesets, and some of the scenarios."""
    found: dict[str, dict[str, Any]] = {}
    for key, value in _seen():
        text = json.dumps(value)
        known = found.setdefault(key, {})
        if len(known) < _MOST and len(text) <= _LONGEST:
            known[text] = value
    by_key = {key: tuple(found[key].values()) for key in sorted(found) if found[key]}
    return Words(by_key, tuple(by_key))


def _seen() -> Iterator[tuple[str, Any]]:
    """Yield keys with a value each."""
    for path in sorted((SPEC / "schemas").glob("*.json")):
        yield from in_schema("", json.loads(path.read_text("utf-8")))
    rulesets = [_load(path) for path in sorted((SPEC / "rulesets").glob("*.yaml"))]
    for data in (*rulesets, *map(_load, sorted((SPEC / "scenarios").rglob("*.yaml"))[::_EVERY])):
        yield from _in_data(data)
    for data in rulesets:
        yield from _cells(data)


def _load(path: Path) -> Any:
    return yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)


def _cells(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the path of each cell in a ruleset, as house rules name it, with its value."""
    if not isinstance(data, dict):
        return
    if "is" in data:
        yield ".".join(path), data["is"]
        return
    for key, each in data.items():
        yield from _cells(each, () if key == "cells" else (*path, key))


def in_schema(key: str, schema: Any) -> Iterator[tuple[str, Any]]:
    """Yield each property of a schema, with the values that it may have as far as the schema lists them."""
    if isinstance(schema, list):
        for each in schema:
            yield from in_schema(key, each)
    if not isinstance(schema, dict):
        return
    listed = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]
    yield from ((key, value) for value in listed)
    properties = schema.get("properties", {})
    for name, each in properties.items() if isinstance(properties, dict) else ():
        yield name, name
        yield from in_schema(name, each)
    for name, each in schema.items():
        if name != "properties":
            yield from in_schema(key, each)


def _in_data(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value in data, with the nearest key above it."""
    if key:
        yield key, value
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _in_data(each, str(name))
    elif isinstance(value, list):
        for each in value:
            yield from _in_data(each, key)
