"""Layout: a scenario as the files of the suite have it, with their order of keys, and one line for a step."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.wording.text import wrap

_WIDTH: Final = 120
_WIDTH_OF_TEXT: Final = 150
_SCHEMA: Final = "# yaml-language-server: $schema=../../schemas/scenario.schema.json"
#: Words that mean something else to some reader of YAML.
_NO_WORDS: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
#: A card, or a number of things; what else begins with a figure may be a number or a date.
_BEGINS_WITH_A_NUMBER: Final = re.compile(r"[0-9][A-Z]$|[0-9][0-9,]*,? [A-Za-z]")
#: What ends an entry of a list that is written on one line, or begins another.
_OF_A_LIST: Final = frozenset(",[]{}:")
_FOUR_DIGITS: Final = 0xFFFF
#: What stands at the head of a file whose outcomes nobody has confirmed.
PROPOSED: Final = (
    "# What stands under 'proposals' is what the reference interpreter gives. It proves nothing, and makes no checks.",
    "# Derive each outcome from its source, by reading. Then move it to 'outcomes', with the clauses that decide it:",
    "# under 'cites' are those at work, as candidates.",
)
#: What stands beside what is left for the person who writes it.
LEFT: Final = MappingProxyType(
    {
        "cites": "# to be written: the clauses that decide it, as 'hoyle search' finds them",
        "expect": "# to be written: what the source says that the steps show, such as 1: {scores: {A: 40}}",
    }
)


def written(data: Mapping[str, Any]) -> str:
    """The file of a scenario, ending with a line break. What is empty of its outcomes is marked as left to be
    written; what is only proposed is said to be."""
    return "\n".join([_SCHEMA, *(PROPOSED if "proposals" in data else ()), *_lines(data)]) + "\n"


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"id: {_scalar(data['id'])}"
    yield f"title: {_scalar(data['title'], alone=True)}"
    if "why" in data:
        yield from _text("why", data["why"])
    yield from _given(data["given"])
    yield "steps:"
    yield from (f"  - {flow(step)}" for step in data["steps"])
    for key in ("outcomes", "proposals"):
        if key in data:
            yield f"{key}:"
        for outcome in data.get(key, ()):
            yield from _outcome(outcome)


def _text(key: str, text: str, indent: int = 0) -> Iterator[str]:
    before = " " * indent
    line = f"{before}{key}: {_scalar(text, alone=True)}"
    if len(line) <= _WIDTH or not text.isprintable():
        yield line
        return
    yield f"{before}{key}: >-"
    yield from wrap(text, indent + 2, width=_WIDTH_OF_TEXT)


def _given(given: Mapping[str, Any]) -> Iterator[str]:
    if not any(isinstance(value, dict | list) for value in given.values()):
        yield f"given: {flow(given)}"
        return
    yield "given:"
    for key, value in given.items():
        line = f"  {key}: {flow(value)}"
        if len(line) <= _WIDTH or not isinstance(value, dict):
            yield line
        else:
            yield f"  {key}:"
            yield from (f"    {each}: {flow(some)}" for each, some in value.items())


def _outcome(outcome: Mapping[str, Any]) -> Iterator[str]:
    yield from _list("  - ", "rulesets", outcome["rulesets"])
    if "but_not" in outcome:
        yield from _list("    ", "but_not", outcome["but_not"])
    if "cells" in outcome:
        yield f"    cells: {flow(outcome['cells'])}"
    yield from _list("    ", "cites", outcome["cites"])
    if "why" in outcome:
        yield from _text("why", outcome["why"], 4)
    if not outcome["expect"]:
        yield f"    expect: {{}}  {LEFT['expect']}"
        return
    yield "    expect:"
    yield from (f"      {step}: {flow(shown)}" for step, shown in outcome["expect"].items())


def _list(before: str, key: str, entries: Sequence[str]) -> Iterator[str]:
    line = f"{before}{key}: {flow(entries)}"
    if not entries:
        yield f"{line}  {LEFT[key]}"
    elif len(line) <= _WIDTH:
        yield line
    else:
        yield f"{before}{key}:"
        yield from (f"      - {_scalar(each)}" for each in entries)


def flow(value: Any) -> str:
    """A value on one line: ``{by: A, do: trick, cards: [KS, 9S]}``."""
    match value:
        case Mapping():
            return f"{{{', '.join(f'{_scalar(str(key))}: {flow(each)}' for key, each in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(flow, value))}]"
        case bool() | None:
            return json.dumps(value)
        case str():
            return _scalar(value)
        case _:
            return str(value)


def _scalar(text: str, *, alone: bool = False) -> str:
    """Text as YAML has it within a line, or `alone` behind a key: in quotes unless it surely needs none."""
    return text if _is_plain(text, alone=alone) else quoted(text)


def _is_plain(text: str, *, alone: bool) -> bool:
    """Whether text surely means itself in YAML where it stands without quotes."""
    if text == REST:
        return True
    if not text.isprintable() or text != text.strip() or text.lower() in _NO_WORDS or "#" in text:
        return False
    if not (text[:1].isalpha() or _BEGINS_WITH_A_NUMBER.match(text)):
        return False
    return ": " not in f"{text} " and (alone or _OF_A_LIST.isdisjoint(text))


def quoted(text: str) -> str:
    """Text in quotes, as JSON and YAML both have it; what cannot be seen is written by its number."""
    return "".join(['"', *map(_escaped, text), '"'])


def _escaped(char: str) -> str:
    if char.isprintable() or char in "\n\t":
        return json.dumps(char, ensure_ascii=False)[1:-1]
    return f"\\u{ord(char):04x}" if ord(char) <= _FOUR_DIGITS else f"\\U{ord(char):08x}"
