"""Layouts, as JSON: the rulesets asked, a position and its steps; and links to layouts.

A link holds the JSON of a layout or of a game, packed into the end of an address after its version, so nothing needs to
be stored. Links of every earlier version still open.
"""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hoyle_conformance.checks.setup.given import Given, not_given
from hoyle_conformance.web.explorer.shapes import Shapes
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.events import cards_named
from hoyle_reference import Rules

#: A request of the page, and the answer to it, as JSON.
Request = Mapping[str, Any]
Answered = dict[str, Any]

#: The version of layouts, and of links.
VERSION: Final = 1
#: The maximum size of a layout as JSON, and the maximum numbers of its steps and rulesets.
_MOST_CHARACTERS: Final = 60_000
MOST_STEPS: Final = 200
_MOST_RULESETS: Final = 60
#: The maximum number of characters in a link, and of bytes in its content.
LONGEST: Final = 32_768
LARGEST: Final = 131_072
#: The maximum nesting of lists and mappings in a layout.
_DEEPEST: Final = 16
#: The whole numbers that every JSON reader reads alike.
_GREATEST: Final = 2**53 - 1
_FORBIDDEN: Final = "__proto__"
#: The ruleset name that stands for house rules.
HOUSE: Final = "house"


class Wrong(Exception):
    """A request that cannot be answered, or a link that cannot be opened: the problem, and the remedy."""

    def __init__(self, says: str, remedy: str = "") -> None:
        super().__init__(says)
        self.says, self.remedy = says, remedy


@dataclass(frozen=True, slots=True)
class HouseLayout:
    """House rules: the ruleset that they extend, with its options, and the values of the changed cells."""

    extends: str
    rules: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout: the rulesets asked, the one that draws the table, the position and steps, the readings of disputed
    cells, and house rules, if any."""

    rulesets: tuple[str, ...]
    drawn_by: str
    given: Mapping[str, Any] = field(hash=False)
    steps: tuple[Mapping[str, Any], ...] = field(hash=False)
    readings: Mapping[str, Mapping[str, str]] = field(hash=False)
    house: HouseLayout | None
    title: str = ""

    @property
    def known(self) -> frozenset[str]:
        """The cards that the position or a step names; the others are left open."""
        return cards_named((self.given, self.steps))

    def until(self, number: int) -> "Layout":
        """Return the layout with only its first `number` steps."""
        return self if number >= len(self.steps) else replace(self, steps=self.steps[:number])


def read_layout(value: Any) -> Layout:
    """Return the layout that JSON describes; raise Wrong if it describes none, or is too large."""
    if fault := _fault(value):
        raise fault
    if len(json.dumps(value)) > _MOST_CHARACTERS:
        raise Wrong("This layout is too large.", "Remove some steps.")
    rulesets, steps = value["rulesets"], value["steps"]
    if len(rulesets) > _MOST_RULESETS:
        raise Wrong(f"{len(rulesets)} rulesets are too many.", f"Choose up to {_MOST_RULESETS}.")
    if len(steps) > MOST_STEPS:
        raise Wrong(
            f"{len(steps)} steps are too many.", f"A position has at most {MOST_STEPS} steps: begin a new position."
        )
    house = HouseLayout(value["house"]["extends"], value["house"].get("rules", {})) if "house" in value else None
    asked = (*dict.fromkeys(rulesets), *((HOUSE,) if house and HOUSE not in rulesets else ()))
    drawn_by = value.get("drawn_by") or asked[0]
    if drawn_by not in asked:
        raise Wrong("The table should be shown under a book that is not chosen.", "Choose one of the chosen books.")
    readings = {ruleset: dict(cells) for ruleset, cells in value.get("readings", {}).items() if cells}
    return Layout(asked, drawn_by, value["given"], tuple(steps), readings, house, value.get("title", ""))


def written_layout(layout: Mapping[str, Any]) -> dict[str, Any]:
    """Return a layout as JSON, with its keys in their order and without empty optional ones."""
    whole = {"v": VERSION, **layout}
    return {key: whole[key] for key in _FORM["properties"] if key in whole and (key in _FORM["required"] or whole[key])}


# ---- contents of a layout


_TEXT: Final = {"type": "string"}
_MAPPING: Final = {"type": "object"}
#: The form of a layout, with its keys in their order.
_FORM: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "v": {"const": VERSION},
        "rulesets": {"type": "array", "items": _TEXT, "minItems": 1},
        "drawn_by": _TEXT,
        "given": _MAPPING,
        "steps": {"type": "array", "items": _MAPPING},
        "readings": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": _TEXT}},
        "house": {
            "type": "object",
            "properties": {"extends": _TEXT, "rules": _MAPPING},
            "required": ["extends"],
            "additionalProperties": False,
        },
        "title": _TEXT,
    },
    "required": ["v", "rulesets", "given", "steps"],
    "additionalProperties": False,
}


def _fault(value: Any) -> Wrong | None:
    """Return why JSON describes no layout, as far as is possible without the rules."""
    if fault := next(Shapes({}).of_cell(_FORM, value), None):
        return Wrong(f"This is not a layout: {fault.says}.", "Reload the page, or open a new position.")
    if not _is_plain(value, _DEEPEST):
        return Wrong("This layout is nested too deeply, or is not plain data.", "Open a new position.")
    return None


def _is_plain(value: Any, depth: int) -> bool:
    """Whether a value holds only text that can be written, and numbers that every reader reads alike."""
    match value:
        case dict():
            return depth > 0 and all(
                key != _FORBIDDEN and _is_plain(key, 0) and _is_plain(each, depth - 1) for key, each in value.items()
            )
        case list():
            return depth > 0 and all(_is_plain(each, depth - 1) for each in value)
        case str():
            return not any("\ud800" <= char <= "\udfff" for char in value)
        case int():
            return -_GREATEST <= value <= _GREATEST
        case _:
            return value is None


# ---- links


def link_of(layout: Mapping[str, Any], at: int | None = None) -> str:
    """Return the link of a layout, and of the step shown if it is not the last; raise Wrong if the link
    is too large."""
    return pack({**written_layout(layout), **({} if at is None else {"at": at})})


def open_link(text: str) -> dict[str, Any]:
    """Return the layout in an address or in its part after the #, with the step shown (`at`) if it is not the last;
    raise Wrong if there is none."""
    value = unpack(text.rpartition("#")[2])
    shown = {"at": value.pop("at")} if isinstance(value, dict) and "at" in value else {}
    if _fault(value) or any(type(at) is not int or not 0 <= at <= _GREATEST for at in shown.values()):
        raise _damaged("its content is not a position")
    return {key: value[key] for key in _FORM["properties"] if key in value} | shown


def pack(value: Mapping[str, Any]) -> str:
    """Return JSON packed into the characters of a link, after the version; raise Wrong if it is too large."""
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    deflated = zlib.compress(content, level=9, wbits=-zlib.MAX_WBITS)
    link = f"{VERSION}.{urlsafe_b64encode(deflated).decode().rstrip('=')}"
    if len(link) > LONGEST or len(content) > LARGEST:
        raise Wrong("This position is too large for a link.", "Save it as a file, or remove some steps.")
    return link


def unpack(link: str) -> Any:
    """Return the JSON that is packed into a link; raise Wrong if there is none."""
    if len(link) > LONGEST:
        raise _damaged("it is too long")
    version, dot, payload = link.partition(".")
    if not dot or not version.isdecimal() or not version.isascii():
        raise _damaged("it does not begin as it should")
    if version != str(VERSION):
        raise Wrong(
            "This link was made by another version of the table.",
            "Reload the page for the newest version, and try again.",
        )
    try:
        return json.loads(_inflated(payload).decode(), parse_float=_whole, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _damaged("its content is not a position") from error


def _inflated(payload: str) -> bytes:
    """Return the data packed into the characters of a link, up to the size limit."""
    if not payload or not payload.isascii() or not payload.replace("-", "").replace("_", "").isalnum():
        raise _damaged("it contains characters that a link cannot have")
    unpacking = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        found = unpacking.decompress(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)), LARGEST + 1)
    except (ValueError, zlib.error) as error:
        raise _damaged("a part of it is missing or changed") from error
    if len(found) > LARGEST:
        raise _damaged("its content is too large")
    if not unpacking.eof or unpacking.unused_data:
        raise _damaged("a part of it is missing or changed")
    return found


def _whole(number: str) -> int | float:
    """Return a number written with a point or an exponent; a whole number as an integer."""
    value = float(number)
    return int(value) if value.is_integer() else value


def _no_number(word: str) -> None:
    """Raise ValueError for numbers that Python reads but JSON does not have."""
    raise ValueError(word)


def _damaged(why: str) -> Wrong:
    return Wrong(f"This link cannot be opened: {why}.", "Copy the whole link again, or ask for the position as a file.")


# ---- open points of a position

_TRUMPS: Final = "trumps"
#: The suit assumed to be trumps if the position does not give one.
_SUIT: Final = "H"
#: The keys that settle the trump suit, or show that there can be none yet.
_SAID: Final = frozenset({_TRUMPS, "turn_up", "before"})


def with_trumps(rules: Rules, given: Given) -> Given:
    """Return the given of a position, with trumps if the rules need them."""
    if not _SAID.isdisjoint(given) or _TRUMPS in not_given(rules):
        return given
    return {**given, _TRUMPS: _SUIT}


def left_open(said: Mapping[str, Any], taken: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the points that a position leaves open, with the values assumed."""
    if _TRUMPS in said or _TRUMPS not in taken:
        return []
    says = f"No trump suit is given: {printed.suit_name(_SUIT)} are assumed."
    return [{"key": _TRUMPS, "value": _SUIT, "says": says}]
