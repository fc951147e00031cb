"""Cell mutants: the reference with another value of one rule in its table."""

from collections.abc import Iterator
from typing import Any

from adequacy.mutants import CELLS, Detector, Mutant, MutantTrial
from hoyle_conformance.runner.rule_changes import alternative_values, change_rules
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
        for change, value in alternative_values(detector.suite, cell):
            if value not in readings:
                yield cell, change, value
