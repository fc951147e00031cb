"""Layouts: the rulesets that are asked, the position and the steps; read from JSON, or refused in words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hoyle_conformance.checks.setup.given import Given, not_given
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.events import cards_named
from hoyle_reference import Rules

#: The version of layouts that is read.
VERSION: Final = 1
#: No layout is larger, written as JSON; none has more steps, or asks more rulesets.
_MOST_CHARACTERS: Final = 60_000
MOST_STEPS: Final = 200
_MOST_RULESETS: Final = 60
_KEYS: Final = ("v", "rulesets", "drawn_by", "given", "steps", "readings", "house", "title")
#: The ruleset that house rules are asked by.
HOUSE: Final = "house"


class Wrong(Exception):
    """A request that cannot be answered: what is wrong, and the remedy."""

    def __init__(self, says: str, remedy: str = "") -> None:
        super().__init__(says)
        self.says, self.remedy = says, remedy


@dataclass(frozen=True, slots=True)
class HouseLayout:
    """House rules: the ruleset that they extend, with its options, and the values of the cells that they change."""

    extends: str
    rules: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Layout:
    """The rulesets that are asked, by which of them the table is drawn, the position and the steps, how disputed cells
    are read, and house rules, if there are any."""

    rulesets: tuple[str, ...]
    drawn_by: str
    given: Mapping[str, Any] = field(hash=False)
    steps: tuple[Mapping[str, Any], ...] = field(hash=False)
    readings: Mapping[str, Mapping[str, str]] = field(hash=False)
    house: HouseLayout | None
    title: str = ""

    @property
    def known(self) -> frozenset[str]:
        """The cards that somebody has laid or named in a step: the others are left open."""
        return cards_named((self.given, self.steps))

    def until(self, number: int) -> "Layout":
        """Return the layout with so many of its steps."""
        return self if number >= len(self.steps) else replace(self, steps=self.steps[:number])


def read_layout(value: Any) -> Layout:
    """Return the layout that JSON describes; raises Wrong if it describes none."""
    _check_whole(value)
    rulesets = _words("rulesets", value.get("rulesets"))
    if not rulesets:
        raise Wrong("No book is chosen.", "Choose at least one book.")
    if len(rulesets) > _MOST_RULESETS:
        raise Wrong(f"{len(rulesets)} rulesets are too many.", f"Choose up to {_MOST_RULESETS}.")
    given, steps = value.get("given"), value.get("steps", [])
    if not isinstance(given, dict):
        raise Wrong("The layout has no position.", "Add a position, even an empty one.")
    if not isinstance(steps, list) or not all(isinstance(each, dict) for each in steps):
        raise Wrong("The steps of the layout must be a list of acts and questions.", "Remove this step.")
    if len(steps) > MOST_STEPS:
        raise Wrong(
            f"{len(steps)} steps are too many.", f"A position has at most {MOST_STEPS} steps: begin a new position."
        )
    house = _house(value.get("house"))
    asked = (*dict.fromkeys(rulesets), *((HOUSE,) if house and HOUSE not in rulesets else ()))
    drawn_by = value.get("drawn_by") or asked[0]
    if drawn_by not in asked:
        raise Wrong("The table should be shown under a book that is not chosen.", "Choose one of the chosen books.")
    return Layout(asked, drawn_by, given, tuple(steps), _readings(value), house, _text("title", value.get("title", "")))


def written_layout(layout: Mapping[str, Any]) -> dict[str, Any]:
    """Return a layout as JSON, its keys in their order, without what is empty and optional."""
    needed = ("v", "rulesets", "given", "steps")
    whole = {"v": VERSION, **layout}
    return {key: whole[key] for key in _KEYS if key in whole and (key in needed or whole[key])}


def _check_whole(value: Any) -> None:
    if not isinstance(value, dict):
        raise Wrong("There is no layout.", "Open a new position.")
    if value.get("v") != VERSION or isinstance(value.get("v"), bool):
        raise Wrong("This layout is from another version of this page.", "Reload the page.")
    strange = next((key for key in value if key not in _KEYS), None)
    if strange is not None:
        raise Wrong(f"A layout cannot have '{_short(strange)}'.", "Remove it, or reload the page.")
    try:
        size = len(json.dumps(value))
    except (TypeError, ValueError, RecursionError):
        raise Wrong("This layout is nested too deeply, or is not plain data.", "Open a new position.") from None
    if size > _MOST_CHARACTERS:
        raise Wrong("This layout is too large.", "Remove some steps.")


def _words(key: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Wrong(f"In a layout, '{key}' must be a list of words.", "Reload the page.")
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise Wrong(f"In a layout, '{key}' must be text.", "Reload the page.")
    return value


def _readings(value: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    found = value.get("readings") or {}
    if not isinstance(found, dict) or not all(
        isinstance(each, dict) and all(isinstance(name, str) for name in each.values()) for each in found.values()
    ):
        raise Wrong(
            "In a layout, 'readings' must name a reading for each cell of a ruleset.", "Choose the readings again."
        )
    return {ruleset: dict(cells) for ruleset, cells in found.items() if cells}


def _house(value: Any) -> HouseLayout | None:
    if value is None:
        return None
    wanted = {"extends", "rules"}
    if not isinstance(value, dict) or set(value) - wanted or not isinstance(value.get("rules", {}), dict):
        raise Wrong("House rules must name the rules that they change, and the new values.", "Change the rule again.")
    return HouseLayout(_text("extends", value.get("extends")), value.get("rules", {}))


def _short(text: str) -> str:
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text[:40])


# ---- what a position leaves open

_TRUMPS: Final = "trumps"
#: The suit that is taken to be trumps where nobody says which is.
_SUIT: Final = "H"
#: Where one of these is given, it is known which suit is trumps, or none can be yet.
_SAID: Final = frozenset({_TRUMPS, "turn_up", "before"})


def with_trumps(rules: Rules, given: Given) -> Given:
    """Return the given of a position, with trumps if the rules need them."""
    if not _SAID.isdisjoint(given) or _TRUMPS in not_given(rules):
        return given
    return {**given, _TRUMPS: _SUIT}


def left_open(said: Mapping[str, Any], taken: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the points that a position leaves open, with the values that are assumed."""
    if _TRUMPS in said or _TRUMPS not in taken:
        return []
    says = f"No trump suit is given: {printed.suit_name(_SUIT)} are assumed."
    return [{"key": _TRUMPS, "value": _SUIT, "says": says}]
