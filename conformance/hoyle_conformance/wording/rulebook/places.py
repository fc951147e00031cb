"""Places: where words that are written by hand speak of a rule, and are filled in with what it is.

``{seven.points}`` is what a rule says (small numbers as words, ranks by their names), with ``:figure`` in figures, with
``:sum`` the sum of packets; ``{declare.melds.bezique.points}`` is a part of one, and
``{seven.points+score.last_trick.points}`` two added up.
"""

import re
from typing import Any, Final

from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_reference.cells import Cells

_PLACE: Final = re.compile(r"\{([\w.+-]+)(?::(figure|sum))?\}")


def places(written: str) -> tuple[str, ...]:
    """What is filled in from rules, as it is written."""
    return tuple(place for found in _PLACE.finditer(written) for place in found[1].split("+"))


def filled(written: str, cells: Cells) -> str:
    """Words with what the rules are in their places; raises KeyError where a place in it is of no rule."""
    shown = _PLACE.sub(lambda found: _shown(found[1], found[2], cells), " ".join(written.split()))
    return shown[:1].upper() + shown[1:]


def _shown(place: str, how: str | None, cells: Cells) -> str:
    first, *others = (value_at(each, cells) for each in place.split("+"))
    value = first + sum(others) if others else first
    if how == "sum":
        return rulebook.shown(sum(value[0]))
    return f"{value:,}" if how == "figure" else rulebook.shown(value)


def rule_of(place: str, cells: Cells) -> str:
    """The rule that a place is filled from: itself, or the one that it is a part of; raises KeyError where none is."""
    parts = place.split(".")
    for end in range(len(parts), 0, -1):
        if (path := ".".join(parts[:end])) in cells:
            return path
    raise KeyError(place)


def value_at(place: str, cells: Cells) -> Any:
    """What a place is filled with; raises KeyError where it is of no rule."""
    rule = rule_of(place, cells)
    value = cells[rule].value
    for part in place[len(rule) :].split(".")[1:]:
        value = value[part]
    return value
