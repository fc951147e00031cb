"""Scenario drafts: their known parts, their layout as files, and their ids."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.files.diagnostics import did_you_mean, nearest
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import wrap

_WIDTH: Final = 120
_WIDTH_OF_TEXT: Final = 150
_SCHEMA: Final = "# yaml-language-server: $schema=../../schemas/scenario.schema.json"
#: Words that some YAML parsers do not read as text.
_NOT_TEXT: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
#: A card, or a number of things; other text that begins with a digit may be a number or a date.
_SAFE_AFTER_A_DIGIT: Final = re.compile(r"[0-9][A-Z]$|[0-9][0-9,]*,? [A-Za-z]")
#: Characters that end an entry of a list on one line, or begin another.
_LIST_MARKS: Final = frozenset(",[]{}:")
_LARGEST_SHORT_ESCAPE: Final = 0xFFFF
#: The comment at the head of a file with unconfirmed outcomes.
PROPOSAL_COMMENT: Final = (
    "# The reference interpreter computed what is under 'proposals'. They prove nothing, and make no checks.",
    "# Derive each outcome from its source, by reading. Then move it to 'outcomes', with the clauses that decide it:",
    "# 'cites' lists those at work, as candidates.",
)
#: The comments on parts that are still to be written.
TO_WRITE: Final = MappingProxyType(
    {
        "cites": "# to be written: the clauses that decide it, as 'hoyle ask' finds them",
        "expect": "# to be written: what the steps show according to the source, such as 1: {scores: {A: 40}}",
    }
)


class UnusableId(Exception):
    """A new scenario cannot have an id: the reason and the remedy."""

    def __init__(self, message: str, remedy: str = "") -> None:
        self.message, self.remedy = message, remedy
        super().__init__(f"{message}. {remedy}".removesuffix(" "))


class IdTaken(NamedTuple):
    """The reason why an id is not available, and the remedy."""

    says: str
    remedy: str


def id_taken(suite: Suite, name: str) -> IdTaken | None:
    """Return why a new scenario cannot have an id; None if it can."""
    if name in suite.scenarios:
        return IdTaken(
            f"there is a scenario '{name}' already",
            f"Choose another name. 'hoyle explain {name}' shows the existing scenario.",
        )
    for line in suite.lock.splitlines():
        kind, published, *more = [*line.split(maxsplit=2), ""]
        if (kind, published) == ("scenario", name):
            was = f" ({more[0]})" if more[0] else ""
            return IdTaken(f"'{name}' was once the id of another scenario{was}", "Ids are permanent: choose another.")
    return None


def first_free_id(suite: Suite, names: Iterable[str]) -> str:
    """Return the first of some ids that a new scenario can have."""
    return next(name for name in names if id_taken(suite, name) is None)


@dataclass(frozen=True, slots=True)
class Draft:
    """A scenario in progress. An unknown field is empty."""

    id: str = ""
    title: str = ""
    why: str = ""
    rulesets: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[Mapping[str, Any], ...] = ()
    cites: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The path of its file below the folder of the scenarios."""
        topic, _, name = self.id.partition(".")
        return f"{topic}/{name}.scenario.yaml"


def draft_data(suite: Suite, draft: Draft) -> dict[str, Any]:
    """Return the data of a draft's file, in the order of the keys, with empty results of the steps."""
    return {
        "id": draft.id,
        "title": draft.title,
        **({"why": draft.why} if draft.why else {}),
        "given": order_given(suite, draft.given),
        "steps": [dict(step) for step in draft.steps],
        "outcomes": [{"rulesets": list(draft.rulesets), "cites": list(draft.cites), "expect": {}}],
    }


def order_given(suite: Suite, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given parts of a position in the order of files: first the phase, then the order of the schema."""
    described = suite.schemas.documents["scenario"]["$defs"]["given"]
    phases = [each["required"][0] for each in described["oneOf"]]
    keys = list(dict.fromkeys([*phases, *described["properties"]]))
    return {key: given[key] for key in sorted(given, key=keys.index)}


def require_unused_id(suite: Suite, name: str) -> str:
    """Return an id that a new scenario may have; raise UnusableId if it is invalid, in use, or once belonged to another
    scenario."""
    for complaint in suite.schemas.complaints("scenario", {"id": name}):
        if complaint.path == ("id",):
            raise UnusableId(complaint.message, str(complaint.remedy))
    if why := id_taken(suite, name):
        raise UnusableId(*why)
    return name


def topics(suite: Suite) -> Sequence[str]:
    """Return the topics that have scenarios."""
    return sorted({name.partition(".")[0] for name in suite.scenarios})


def require_topic(suite: Suite, name: str) -> None:
    """Raise UnusableId if the topic of an id has no scenarios yet."""
    topic, among = name.partition(".")[0], topics(suite)
    if topic not in among:
        near = did_you_mean(topic, among) if nearest(topic, among) else f"Choose one of: {', '.join(among)}."
        raise UnusableId(f"there is no topic '{topic}' yet", near)


# ---- file layout


def scenario_text(data: Mapping[str, Any]) -> str:
    """Return the file of a scenario, with marks on the empty parts of its outcomes and on proposals."""
    return "\n".join([_SCHEMA, *(PROPOSAL_COMMENT if "proposals" in data else ()), *_lines(data)]) + "\n"


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"id: {scalar(data['id'])}"
    yield f"title: {scalar(data['title'], alone=True)}"
    if "why" in data:
        yield from _text_lines("why", data["why"])
    yield from _given_lines(data["given"])
    yield "steps:"
    yield from (f"  - {flow(step)}" for step in data["steps"])
    for key in ("outcomes", "proposals"):
        if key in data:
            yield f"{key}:"
        for outcome in data.get(key, ()):
            yield from _outcome_lines(outcome)


def _text_lines(key: str, text: str, indent: int = 0) -> Iterator[str]:
    before = " " * indent
    line = f"{before}{key}: {scalar(text, alone=True)}"
    if len(line) <= _WIDTH or not text.isprintable():
        yield line
        return
    yield f"{before}{key}: >-"
    yield from wrap(text, indent + 2, width=_WIDTH_OF_TEXT)


def _given_lines(given: Mapping[str, Any]) -> Iterator[str]:
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


def _outcome_lines(outcome: Mapping[str, Any]) -> Iterator[str]:
    yield from _list_lines("  - ", "rulesets", outcome["rulesets"])
    if "but_not" in outcome:
        yield from _list_lines("    ", "but_not", outcome["but_not"])
    if "cells" in outcome:
        yield f"    cells: {flow(outcome['cells'])}"
    yield from _list_lines("    ", "cites", outcome["cites"])
    if "why" in outcome:
        yield from _text_lines("why", outcome["why"], 4)
    yield from _expect_lines(outcome)


def _expect_lines(outcome: Mapping[str, Any]) -> Iterator[str]:
    if not outcome["expect"]:
        yield f"    expect: {{}}  {TO_WRITE['expect']}"
        return
    yield "    expect:"
    yield from (f"      {step}: {flow(shown)}" for step, shown in outcome["expect"].items())


def _list_lines(before: str, key: str, entries: Sequence[str]) -> Iterator[str]:
    line = f"{before}{key}: {flow(entries)}"
    if not entries:
        yield f"{line}  {TO_WRITE[key]}"
    elif len(line) <= _WIDTH:
        yield line
    else:
        yield f"{before}{key}:"
        yield from (f"      - {scalar(each)}" for each in entries)


def flow(value: Any) -> str:
    """Return a value on one line: ``{by: A, do: trick, cards: [KS, 9S]}``."""
    match value:
        case Mapping():
            return f"{{{', '.join(f'{scalar(str(key))}: {flow(each)}' for key, each in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(flow, value))}]"
        case bool() | None:
            return json.dumps(value)
        case str():
            return scalar(value)
        case _:
            return str(value)


def scalar(text: str, *, alone: bool = False) -> str:
    """Return text in YAML, within a line or `alone` after a key; in quotes unless it is safe without them."""
    return text if _is_plain(text, alone=alone) else quoted(text)


def _is_plain(text: str, *, alone: bool) -> bool:
    """Whether YAML reads unquoted text as itself."""
    if text == REST:
        return True
    if not text.isprintable() or text != text.strip() or text.lower() in _NOT_TEXT or "#" in text:
        return False
    if not (text[:1].isalpha() or _SAFE_AFTER_A_DIGIT.match(text)):
        return False
    return ": " not in f"{text} " and (alone or _LIST_MARKS.isdisjoint(text))


def quoted(text: str) -> str:
    """Return text in quotes that JSON and YAML share; invisible characters are escaped."""
    return "".join(['"', *map(_escape, text), '"'])


def _escape(char: str) -> str:
    if char.isprintable() or char in "\n\t":
        return json.dumps(char, ensure_ascii=False)[1:-1]
    return f"\\u{ord(char):04x}" if ord(char) <= _LARGEST_SHORT_ESCAPE else f"\\U{ord(char):08x}"
