"""Cell mutants: the reference with another value of one rule in its table."""

from collections.abc import Iterator
from typing import Any

from adequacy.mutants import CELLS, Detector, Mutant, MutantTrial
from hoyle_conformance.runner.rule_changes import alternative_values, change_rules
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Malformed


def cell_mutants(detector: Detector) -> Iterator[MutantTrial]:
    """Yield a mutant for each other value of each cell, except values by which the cell may be read."""
    for cell, change, value in _other_values(detector):
        try:
            others = change_rules(detector.rules, {cell.path: value})
        except Malformed:
            continue  # no valid table has this value
        likeliest_first = sorted(detector.checks, key=lambda each: (cell.path not in each.cells, len(each.cells)))
        yield MutantTrial(Mutant(CELLS, cell.path, change, others), likeliest_first)


def _other_values(detector: Detector) -> Iterator[tuple[Cell, str, Any]]:
    for cell in detector.rules.cells:
        readings = [each.value for each in cell.readings]
        for change, value in values_of(detector.suite, cell):
            if value not in readings:
                yield cell, change, value


def values_of(suite: Suite, cell: Cell) -> Iterator[tuple[str, Any]]:
    """Yield each other value of a cell, and of an irregularity each other ruling, with a name for the change."""
    is_ruling = isinstance(cell.value, dict) and "until" in cell.value
    yield from _ruling_values(cell.value) if is_ruling else alternative_values(suite, cell)


def _ruling_values(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield an irregularity with another time limit, another player to choose, or other remedies."""
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
