"""Changed cells: the reference when one rule of its table has another value."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hoyle_conformance.runner.what_if import changed
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.detect import DetectionCheck, MutantTrial, Noticing
from hoyle_conformance.tools.adequacy.mutants import CELLS, Mutant
from hoyle_conformance.wording.rulebook_entries import parameter_schema
from hoyle_reference import Cell, Malformed
from hoyle_reference.table.cards import RANKS

#: Points go by tens.
_TEN: Final = 10


def changed_cells(noticing: Noticing) -> Iterator[MutantTrial]:
    """An engine for each other value that each cell could have, but for those by which it may be read; under an option,
    of the cells that the option changes."""
    suite, rules = noticing.suite, noticing.rules
    base, _, option = rules.id.partition("+")
    below = suite.cells(base)
    for cell in rules.cells:
        if option and cell.path in below and below[cell.path].value == cell.value:
            continue  # it is noticed, or not, without the option
        readings = [each.value for each in cell.readings]
        asked = _likeliest_first(noticing.asked, cell.path)
        for becomes, value in values(suite, cell):
            if value in readings:
                continue
            try:
                others = changed(rules, {cell.path: value})
            except Malformed:
                continue  # the table says itself that it cannot be so
            yield MutantTrial(Mutant(CELLS, cell.path, becomes, others), asked)


def _likeliest_first(asked: Sequence[DetectionCheck], path: str) -> Sequence[DetectionCheck]:
    """All the checks: first those of which something rests on the cell, and among them those of the fewest cells."""
    return sorted(asked, key=lambda each: (path not in each.cells, len(each.cells)))


def values(suite: Suite, cell: Cell) -> Iterator[tuple[str, Any]]:
    """Each other value that a cell could have: a name for the change, and the value."""
    value = cell.value
    schema = parameter_schema(suite, cell.path).get("properties", {}).get("is", {})
    if isinstance(value, dict):
        yield from _of_called(value) if "class" in value else _of_ruling(value) if "until" in value else _of_row(value)
    elif "enum" in schema:
        yield from ((other, other) for other in schema["enum"] if other != value)
    elif isinstance(value, int):
        steps = (1, _TEN, -_TEN, -1 if value < _TEN else -_TEN)  # one less than a target is the same target
        yield from ((str(value + step), value + step) for step in steps if value + step >= schema["minimum"])
    elif isinstance(value, str):
        yield from _of_ranks(value.split())
    elif isinstance(value[0], int):
        for at, number in enumerate(value):
            yield f"number {at + 1}", [*value[:at], number + 1, *value[at + 1 :]]
    else:
        ways: list[list[list[int]]] = [[[2, 3, 3]], [[3, 3, 2]], [[4, 4]], [[3, 2, 2]], value[:-1], value[1:]]
        yield from ((str(other), other) for other in ways if other)


def _of_row(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
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
    for suits in {"trumps", "plain", "any", "one-each"} - {row.get("suits")} if "suits" in row else ():
        yield f"suits {suits}", {**row, "suits": suits}


def _of_called(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in ("points", "cards"):
        yield f"more {key}", {**row, key: row[key] + 1}
        yield f"less {key}", {**row, key: row[key] - 1}


def _of_ruling(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """An irregularity ruled on otherwise: at another time, by another player, with other remedies."""
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
            yield f"not {remedy['option']}", {**row, "remedies": [*others[0], *others[1]]}
        for what, other in _of_remedy(remedy):
            yield f"{remedy['option']}: {what}", {**row, "remedies": [*others[0], other, *others[1]]}


def _of_remedy(remedy: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if "only_if" in remedy:
        yield "always", {key: value for key, value in remedy.items() if key != "only_if"}
    for at, effect in enumerate(remedy["does"]):
        before, after = remedy["does"][:at], remedy["does"][at + 1 :]
        yield f"not {effect['effect']}", {**remedy, "does": [*before, *after]}
        if "points" in effect:
            yield "points", {**remedy, "does": [*before, {**effect, "points": effect["points"] + 100}, *after]}


def _of_ranks(ranks: list[str]) -> Iterator[tuple[str, Any]]:
    for at in range(len(ranks) - 1):
        swapped = " ".join([*ranks[:at], ranks[at + 1], ranks[at], *ranks[at + 2 :]])
        yield swapped, swapped
    if len(ranks) < len(RANKS):
        yield ranks[0], ranks[0]
        yield " ".join([*ranks, "K"]), " ".join([*ranks, "K"])
