"""A disputed position in a draft: the readings of its disputed cells, and those that each ruleset follows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Final

from hoyle_conformance.files.suggest import did_you_mean, nearest
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.parse import ParseError
from hoyle_reference import Cell
from hoyle_reference.frozen import frozen

#: Joins the names of readings of several cells into one name.
_AND: Final = "-and-"


@frozen
class Dispute:
    """One or more cells with readings, as each ruleset that leaves them open has them."""

    cells: Mapping[str, Sequence[Cell]]

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the cells."""
        return tuple(dict.fromkeys(cell.path for own in self.cells.values() for cell in own))

    @property
    def readings(self) -> Mapping[str, Mapping[str, str]]:
        """The name of each reading, with the reading of every cell, in the order of the tables."""
        return {name: reads for own in self.cells.values() for name, reads in joint_readings(own).items()}

    @property
    def of_one_cell(self) -> frozenset[str]:
        """The names of readings that one of the cells has, and no other."""
        named = {(path, name) for reads in self.readings.values() for path, name in reads.items()}
        counts = Counter(name for _, name in named)
        return frozenset(name for name, count in counts.items() if count == 1)

    def follows(self, ruleset: str) -> str:
        """Return the name of the reading that a ruleset follows."""
        return _AND.join(cell.follows for cell in self.cells[ruleset])

    def argument(self, ruleset: str) -> str:
        """Return the arguments for the reading that a ruleset follows."""
        return " ".join(
            each.argument for cell in self.cells[ruleset] for each in cell.readings if each.name == cell.follows
        )


def joint_readings(cells: Sequence[Cell]) -> dict[str, dict[str, str]]:
    """Return every way to read some cells together, by its name."""
    ways = product(*([(cell.path, each.name) for each in cell.readings] for cell in cells))
    return {_AND.join(name for _, name in way): dict(way) for way in ways}


def require_dispute(suite: Suite, rulesets: Iterable[str], paths: Sequence[str]) -> Dispute:
    """Return the dispute about some cells; raises ParseError unless some of these rulesets leave all of them open, and
    the others none."""
    open_cells = {name: {each.path: each for each in suite.rules.cells(name) if each.readings} for name in rulesets}
    if not open_cells:
        raise ParseError("it needs the rulesets that leave the cell open", "Name them with --ruleset.")
    for path in paths:
        if not any(path in own for own in open_cells.values()):
            among = list(dict.fromkeys(each for own in open_cells.values() for each in own))
            raise ParseError(_why_decided(suite, open_cells, path), _remedy(path, among))
    cells = {name: [own[path] for path in paths if path in own] for name, own in open_cells.items()}
    for name, own_cells in cells.items():
        decided = [path for path in paths if path not in open_cells[name]]
        if own_cells and decided:
            message = f"{name} leaves '{own_cells[0].path}' open, and not '{decided[0]}'"
            raise ParseError(message, "Write a scenario of its own for it.")
    return Dispute({name: own for name, own in cells.items() if own})


def _why_decided(suite: Suite, rulesets: Iterable[str], path: str) -> str:
    """Return why a cell has no readings in these rulesets."""
    has = [name for name in rulesets if path in suite.rules.cells(name)]
    if has:
        return f"'{path}' is not disputed in {', '.join(has)}"
    return f"no cell '{path}' in {', '.join(rulesets)}"


def _remedy(path: str, among: Sequence[str]) -> str:
    if nearest(path, among):
        return did_you_mean(path, among)
    there = f"Disputed are {', '.join(among)}." if among else "No cell of these rulesets is disputed."
    return f"{there} To dispute another cell, add its readings to the rule table first."
