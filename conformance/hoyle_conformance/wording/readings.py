"""Which readings an implementation follows where no source decides."""

from collections.abc import Iterator

from hoyle_conformance.runner.results import Run
from hoyle_conformance.suite.model import Check, Reading
from hoyle_conformance.suite.suite import Suite


def argument(suite: Suite, check: Check, reading: Reading) -> str:
    """What speaks for a reading: what the scenario says, or else the table in the cells that make it so."""
    cells = suite.cells(check.ruleset)
    said = (each.argument for path, name in reading.cells.items() for each in cells[path].readings if each.name == name)
    return reading.argument or " ".join(said)


def followed(suite: Suite, run: Run) -> Iterator[str]:
    """Each disputed cell of which a run has shown something, with the readings that fit all that was seen, a line
    each."""
    for ruleset, cells in run.readings.items():
        for path, fit in cells.items():
            table = suite.cells(ruleset)[path].follows
            own = "" if table in fit else f"  (the table follows {table})"
            yield f"{path} of {ruleset}: {' or '.join(fit)}{own}"
