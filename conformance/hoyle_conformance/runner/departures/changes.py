"""A change of one rule of a table, and who has the rule so."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from hoyle_reference import Cell, Cells

#: The value of a cell, or of a field of a row, that is left out.
LEFT_OUT: Final[Any] = object()


class RuleOwner(NamedTuple):
    """An owner of a rule: a ruleset, plain or with an option; and the name of the reading, if the rule is disputed
    there and the table follows another."""

    ruleset: str
    reading: str = ""


class CellValue(NamedTuple):
    """Another value of one cell, or of one field of a row."""

    path: str
    field: str
    value: Any

    @property
    def full_path(self) -> str:
        """The path as a person writes it."""
        return f"{self.path}.{self.field}" if self.field else self.path


@dataclass(frozen=True)
class RuleChange:
    """A change of one rule: the values to new into the table, and the owners of the changed rule; none if only the
    schema allows it."""

    cell_values: tuple[CellValue, ...]
    owners: tuple[RuleOwner, ...] = ()

    @property
    def path(self) -> str:
        """The cell that the change concerns, or the first of several."""
        return self.cell_values[0].path

    @property
    def paths(self) -> frozenset[str]:
        """All cells that the change concerns."""
        return frozenset(new.path for new in self.cell_values)

    @cached_property
    def key(self) -> str:
        """A text that is equal for equal changes only."""
        return repr([tuple(new) for new in self.cell_values])

    def apply_to(self, cells: Cells) -> Cells:
        """Return the cells with this change."""
        for new in self.cell_values:
            cells = _put(cells, new)
        return cells


def _put(cells: Cells, new: CellValue) -> Cells:
    if new.value is LEFT_OUT and not new.field:
        return Cells({cell.path: cell for cell in cells if cell.path != new.path})
    cell = cells[new.path] if new.path in cells else Cell(new.path, None, ())
    value = new.value
    if new.field:
        row = {key: each for key, each in (cell.value or {}).items() if key != new.field}
        value = row if new.value is LEFT_OUT else {**row, new.field: new.value}
    return cells.with_cells([replace(cell, value=value, readings=(), follows="")])
