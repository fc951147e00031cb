"""New scenarios: their ids, and their layout as files."""

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.setup.given import REST
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
_PROPOSAL_COMMENT: Final = (
    "# The reference interpreter computed what is under 'proposals'. They prove nothing, and make no checks.",
    "# Derive each outcome from its source, by reading. Then move it to 'outcomes', with the clauses that decide it:",
    "# 'cites' lists those at work, as candidates.",
)
#: The comments on parts that are still to be written.
_TO_WRITE: Final = MappingProxyType(
    {
        "cites": "# to be written: the clauses that decide it, as 'hoyle ask' finds them",
        "expect": "# to be written: what the steps show according to the source, such as 1: {scores: {A: 40}}",
    }
)
#: The lists with one entry on each line if they do not fit on one.
_LISTS: Final = frozenset({"rulesets", "but_not", "cites"})


# ---- ids


class Unusable(NamedTuple):
    """The reason why a new scenario cannot have an id, and the remedy."""

    says: str
    remedy: str


def malformed_id(suite: Suite, name: str) -> Unusable | None:
    """Return why a name is no id; None if it is one."""
    found = suite.schemas.complaints("scenario", {"id": name})
    return next((Unusable(each.message, str(each.remedy)) for each in found if each.path == ("id",)), None)


def id_taken(suite: Suite, name: str) -> Unusable | None:
    """Return why a new scenario cannot have an id that another one has or had; None if it can."""
    if name in suite.scenarios:
        says = f"there is a scenario '{name}' already"
        return Unusable(says, f"Choose another name. 'hoyle explain {name}' shows the existing scenario.")
    for line in suite.lock.splitlines():
        kind, published, *more = [*line.split(maxsplit=2), ""]
        if (kind, published) == ("scenario", name):
            was = f" ({more[0]})" if more[0] else ""
            return Unusable(f"'{name}' was once the id of another scenario{was}", "Ids are permanent: choose another.")
    return None


def scenario_file(name: str) -> str:
    """Return the path of a scenario's file below the folder of the scenarios."""
    return f"{name.replace('.', '/', 1)}.scenario.yaml"


# ---- layout


def order_given(suite: Suite, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given parts of a position in the order of files: first the phase, then the order of the schema."""
    described = suite.schemas.documents["scenario"]["$defs"]["given"]
    phases = [each["required"][0] for each in described["oneOf"]]
    keys = list(dict.fromkeys([*phases, *described["properties"]]))
    return {key: given[key] for key in sorted(given, key=keys.index)}


def scenario_text(data: Mapping[str, Any]) -> str:
    """Return the file of a scenario, with marks on the empty parts of its outcomes and on proposals."""
    return "\n".join([_SCHEMA, *(_PROPOSAL_COMMENT if "proposals" in data else ()), *_lines(data)]) + "\n"


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    for key in ("id", "title", "why", "given"):
        if key in data:
            yield from entry_lines(key, data[key])
    yield "steps:"
    yield from (f"  - {flow(step)}" for step in data["steps"])
    for key in ("outcomes", "proposals"):
        if key in data:
            yield f"{key}:"
        for outcome in data.get(key, ()):
            first, *others = [line for name in outcome for line in entry_lines(name, outcome[name], 4)]
            yield f"  - {first.lstrip()}"
            yield from others


def entry_lines(key: str, value: Any, indent: int = 0) -> Iterator[str]:
    """Yield the lines of a key and its value: one line, unless it is too long or an expectation or position."""
    before = f"{' ' * indent}{key}:"
    line = f"{before} {scalar(value, alone=True) if isinstance(value, str) else flow(value)}"
    nested = key == "expect" or (key == "given" and any(isinstance(each, dict | list) for each in value.values()))
    if not value and key in _TO_WRITE:
        yield f"{line}  {_TO_WRITE[key]}"
    elif isinstance(value, Mapping) and (nested or len(line) > _WIDTH):
        yield before
        for each, some in value.items():
            yield from entry_lines(str(each), some, indent + 2)
    elif key in _LISTS and len(line) > _WIDTH:
        yield before
        yield from (f"{' ' * indent}  - {scalar(each)}" for each in value)
    elif isinstance(value, str) and len(line) > _WIDTH and value.isprintable():
        yield f"{before} >-"
        yield from wrap(value, indent + 2, width=_WIDTH_OF_TEXT)
    else:
        yield line


def flow(value: Any) -> str:
    """Return a value on one line: ``{by: A, do: trick, cards: [KS, 9S]}``."""
    match value:
        case Mapping():
            return f"{{{', '.join(f'{scalar(str(key))}: {flow(each)}' for key, each in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(flow, value))}]"
        case str():
            return scalar(value)
        case _:
            return json.dumps(value)


def scalar(text: str, *, alone: bool = False) -> str:
    """Return text in YAML, within a line or `alone` after a key: as it is, or in quotes that JSON and YAML share."""
    return text if _is_plain(text, alone=alone) else f'"{"".join(map(_escape, text))}"'


def _is_plain(text: str, *, alone: bool) -> bool:
    """Whether YAML reads unquoted text as itself."""
    if text == REST:
        return True
    if not text.isprintable() or text != text.strip() or text.lower() in _NOT_TEXT or "#" in text:
        return False
    if not (text[:1].isalpha() or _SAFE_AFTER_A_DIGIT.match(text)):
        return False
    return ": " not in f"{text} " and (alone or _LIST_MARKS.isdisjoint(text))


def _escape(char: str) -> str:
    if char.isprintable() or char in "\n\t":
        return json.dumps(char, ensure_ascii=False)[1:-1]
    return f"\\u{ord(char):04x}" if ord(char) <= _LARGEST_SHORT_ESCAPE else f"\\U{ord(char):08x}"
