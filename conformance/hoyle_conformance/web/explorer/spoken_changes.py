"""Spoken: what has changed at a table, in a sentence or two for one who does not see it."""

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle_conformance.web.explorer.walk import TableWalk


def spoken(answers: Sequence[Mapping[str, Any]], table: Mapping[str, Any] | None, drawn_by: TableWalk) -> str:
    """Return what the rules of the drawn table say of the last step, or what is in the way; and how many others
    differ."""
    if drawn_by.problem:
        return drawn_by.problem.says
    own = next(each for each in answers if any(of["id"] == drawn_by.asked.id for of in each["rulesets"]))
    others = len(answers) - 1
    parting = f"{others} other answer{'s' if others > 1 else ''}." if others else ""
    awaited = str(table["says"]) if table else ""
    return " ".join(filter(None, (str(own["says"]), awaited, parting)))
