"""The other values that the schema allows for a cell."""

from collections.abc import Iterator
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import parameter_schema
from hoyle_reference import Cell
from hoyle_reference.cards import RANKS

#: Scores are multiples of ten.
_TEN: Final = 10


def alternative_values(suite: Suite, cell: Cell) -> Iterator[tuple[str, Any]]:
    """Yield each other value that the schema allows for a cell, with a name for the change."""
    value = cell.value
    schema = parameter_schema(suite, cell.path).get("properties", {}).get("is", {})
    if isinstance(value, dict):
        yield from (
            _called_values(value)
            if "class" in value
            else _ruling_values(value)
            if "until" in value
            else _row_values(value)
        )
    elif "enum" in schema:
        yield from ((other, other) for other in schema["enum"] if other != value)
    elif isinstance(value, int):
        steps = (1, _TEN, -_TEN, -1 if value < _TEN else -_TEN)  # one less than a target is the same target
        yield from ((str(value + step), value + step) for step in steps if value + step >= schema["minimum"])
    elif isinstance(value, str):
        yield from _rank_values(value.split())
    elif isinstance(value[0], int):
        for at, number in enumerate(value):
            yield f"number {at + 1}", [*value[:at], number + 1, *value[at + 1 :]]
    else:
        ways: list[list[list[int]]] = [[[2, 3, 3]], [[3, 3, 2]], [[4, 4]], [[3, 2, 2]], value[:-1], value[1:]]
        yield from ((str(other), other) for other in ways if other)


def _row_values(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "points", {**row, "points": row["points"] + 10}
    yield "kind", {**row, "kind": "another"}
    if "unused" in row:
        yield "unused", {**row, "unused": row["unused"] + 1}
    if "cards_by_trumps" in row:
        yield "by trumps", {key: field for key, field in row.items() if key != "cards_by_trumps"}
    if "over" in row:
        yield "over", {key: field for key, field in row.items() if key != "over"}
    for at in range(len(row["cards"])):
        yield f"cards without number {at + 1}", {**row, "cards": row["cards"][:at] + row["cards"][at + 1 :]}
    for suits in ("trumps", "plain", "any", "one-each") if "suits" in row else ():
        if suits == row["suits"]:
            continue
        yield f"suits {suits}", {**row, "suits": suits}


def _called_values(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in ("points", "cards"):
        yield f"more {key}", {**row, key: row[key] + 1}
        yield f"less {key}", {**row, key: row[key] - 1}


def _ruling_values(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield an irregularity with another time limit, another player who chooses, or other remedies."""
    yield "until", {**row, "until": "end-of-the-deal" if row["until"] != "end-of-the-deal" else "play-begins"}
    yield "chooses", {**row, "chooses": "both" if row.get("chooses") != "both" else "other"}
    for key, step in (("at_least", 1), ("at_most", -1)):
        if key in row:
            yield key, {**row, key: row[key] + step}
    for key in ("of", "shown"):
        if key in row:
            yield f"any {key}", {name: value for name, value in row.items() if name != key}
    for code in row.get("breaks", ()):
        yield f"not {code}", {**row, "breaks": [each for each in row["breaks"] if each != code]}
    for at, remedy in enumerate(row["remedies"]):
        others = row["remedies"][:at], row["remedies"][at + 1 :]
        if len(row["remedies"]) > 1:
            yield f"not {remedy['choice']}", {**row, "remedies": [*others[0], *others[1]]}
        for what, other in _remedy_values(remedy):
            yield f"{remedy['choice']}: {what}", {**row, "remedies": [*others[0], other, *others[1]]}


def _remedy_values(remedy: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if "only_if" in remedy:
        yield "always", {key: value for key, value in remedy.items() if key != "only_if"}
    for at, effect in enumerate(remedy["does"]):
        before, after = remedy["does"][:at], remedy["does"][at + 1 :]
        yield f"not {effect['effect']}", {**remedy, "does": [*before, *after]}
        if "points" in effect:
            yield "points", {**remedy, "does": [*before, {**effect, "points": effect["points"] + 100}, *after]}


def _rank_values(ranks: list[str]) -> Iterator[tuple[str, Any]]:
    for at in range(len(ranks) - 1):
        swapped = " ".join([*ranks[:at], ranks[at + 1], ranks[at], *ranks[at + 2 :]])
        yield swapped, swapped
    if len(ranks) < len(RANKS):
        yield ranks[0], ranks[0]
        yield " ".join([*ranks, "K"]), " ".join([*ranks, "K"])
