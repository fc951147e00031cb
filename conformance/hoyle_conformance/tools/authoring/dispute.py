"""A disputed position in a draft: the readings of one cell, and the reading that each ruleset follows."""

from collections.abc import Iterable, Mapping, Sequence

from hoyle_conformance.files.suggest import did_you_mean, nearest
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.parse import ParseError
from hoyle_reference import Cell
from hoyle_reference.frozen import frozen


@frozen
class Dispute:
    """A cell with readings, as each ruleset that leaves it open has it."""

    path: str
    cells: Mapping[str, Cell]

    @property
    def readings(self) -> Sequence[str]:
        """The names of all readings, in the order of the tables."""
        return list(dict.fromkeys(name for cell in self.cells.values() for name in reading_names(cell)))

    def argument(self, ruleset: str) -> str:
        """Return the argument for the reading that a ruleset follows."""
        cell = self.cells[ruleset]
        return next(each.argument for each in cell.readings if each.name == cell.follows)


def reading_names(cell: Cell) -> tuple[str, ...]:
    """Return the names of a cell's readings."""
    return tuple(each.name for each in cell.readings)


def require_dispute(suite: Suite, rulesets: Iterable[str], path: str) -> Dispute:
    """Return the dispute about a cell; raises ParseError if none of these rulesets leaves the cell open."""
    open_cells = {name: {each.path: each for each in suite.rules.cells(name) if each.readings} for name in rulesets}
    if not open_cells:
        raise ParseError("it needs the rulesets that leave the cell open", "Name them with --ruleset.")
    cells = {name: own[path] for name, own in open_cells.items() if path in own}
    if cells:
        return Dispute(path, cells)
    among = list(dict.fromkeys(each for own in open_cells.values() for each in own))
    raise ParseError(_why_decided(suite, open_cells, path), _remedy(path, among))


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
