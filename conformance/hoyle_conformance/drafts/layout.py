"""Layout: a scenario as the files of the suite have it, with their order of keys, and one line for a step."""

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from ..files.diagnostics import Invalid
from ..files.yaml_text import load
from ..report.layout import wrap

_WIDTH: Final = 120
_WIDTH_OF_TEXT: Final = 150
_SCHEMA: Final = "# yaml-language-server: $schema=../../schemas/scenario.schema.json"
#: What stands beside what is left for the person who writes it.
LEFT: Final = MappingProxyType(
    {
        "cites": "# to be written: the clauses that decide it, as 'hoyle search' finds them",
        "expect": "# to be written: what the source says that the steps show, such as 1: {scores: {A: 40}}",
    }
)


def written(data: Mapping[str, Any]) -> str:
    """The file of a scenario, ending with a line break. What is empty of its outcomes is marked as left to be
    written."""
    return "\n".join([_SCHEMA, *_lines(data)]) + "\n"


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"id: {_scalar(data['id'])}"
    yield f"title: {_scalar(data['title'], alone=True)}"
    if "why" in data:
        yield from _text("why", data["why"])
    yield from _given(data["given"])
    yield "steps:"
    yield from (f"  - {flow(step)}" for step in data["steps"])
    yield "outcomes:"
    for outcome in data["outcomes"]:
        yield from _outcome(outcome)


def _text(key: str, text: str, indent: int = 0) -> Iterator[str]:
    before = " " * indent
    line = f"{before}{key}: {_scalar(text, alone=True)}"
    if len(line) <= _WIDTH:
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
    """Text as YAML has it within a line, or `alone` behind a key: in quotes only where it must be."""
    plain = f"x: {text}" if alone else f"x: [{text}]"
    try:
        as_it_is = "#" not in text and load(plain, "").data == {"x": text if alone else [text]}
    except Invalid:
        as_it_is = False
    return text if as_it_is else json.dumps(text, ensure_ascii=False)
