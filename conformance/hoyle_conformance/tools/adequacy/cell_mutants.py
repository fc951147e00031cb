"""Cell mutants: the reference with another value of one rule in its table."""

from collections.abc import Iterator

from hoyle_conformance.runner.departures.alternatives import alternative_values
from hoyle_conformance.runner.what_if import change_rules
from hoyle_conformance.tools.adequacy.mutants import CELLS, Detector, Mutant, MutantTrial
from hoyle_reference import Malformed


def cell_mutants(detector: Detector) -> Iterator[MutantTrial]:
    """Yield a mutant for each other value of each cell, except values by which the cell may be read."""
    suite, rules = detector.suite, detector.rules
    for cell in rules.cells:
        readings = [each.value for each in cell.readings]
        likeliest_first = sorted(detector.checks, key=lambda each: (cell.path not in each.cells, len(each.cells)))
        for change, value in alternative_values(suite, cell):
            if value in readings:
                continue
            try:
                others = change_rules(rules, {cell.path: value})
            except Malformed:
                continue  # no valid table has this value
            yield MutantTrial(Mutant(CELLS, cell.path, change, others), likeliest_first)
