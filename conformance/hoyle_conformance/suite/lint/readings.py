"""Lint of readings: each must give its cell a valid value, and one of them must be the table's own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from hoyle_conformance.files.diagnostics import Diagnostic, Suggestion
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.schema_errors import Complaint, Path, ValuePlace, quote
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, compile_cells, lay_flat


@dataclass(frozen=True, slots=True)
class CellReadings:
    """A disputed cell: its place in the file, and its content there. A row of a list has fields; any other cell has one
    value."""

    place: Path
    written: Mapping[str, Any] = field(hash=False)

    @property
    def readings(self) -> Mapping[str, Any]:
        """The value under each reading, by its name."""
        return {name: reading["is"] for name, reading in self.written["readings"].items()}

    @property
    def is_row(self) -> bool:
        """Whether a reading changes fields of the cell."""
        return "is" not in self.written

    def place_of(self, name: str) -> Path:
        """Return the place of the value of a reading."""
        return (*self.place, "readings", name, "is")

    def read_as(self, name: str) -> dict[str, Any]:
        """Return the content of the cell if this reading were the table's."""
        value = self.readings[name]
        return {**self.written, **(value if self.is_row else {"is": value})}


def lint_readings(
    suite: Suite, document: Document, cells: Sequence[tuple[Path, Mapping[str, Any]]]
) -> list[Diagnostic]:
    """Return the readings of a table's cells with invalid values; if there are none, the cells that follow none of
    their readings."""
    disputed = [CellReadings(place, cell) for place, cell in cells if "readings" in cell]
    return (
        _without_fields(document, disputed)
        or _of_no_value(suite, document, disputed)
        or list(_followed_by_none(document, disputed))
    )


def senseless_readings(
    document: Document, table: Mapping[str, Any], cells: Sequence[tuple[Path, Mapping[str, Any]]]
) -> Iterator[Diagnostic]:
    """Yield a fault for each reading under which the table makes no sense."""
    laid_flat = cache(partial(lay_flat, table))
    for place, cell in cells:
        options: tuple[str, ...] = ()
        path = place[2:] if place[0] == "changes" else place
        if place[0] == "options":
            options, path = (str(place[1]),), place[3:]
        named = ".".join(str(cell["id"]) if isinstance(at, int) else str(at) for at in path)
        for name in cell.get("readings", ()):
            try:
                plain = laid_flat(options)
                compile_cells(document.data["id"], plain.with_cells([plain[named].read_as(name)]))
            except Malformed as malformed:
                where = CellReadings(place, cell).place_of(name)
                yield document.diagnose(where, "senseless-reading", str(malformed), "Correct this reading.")


def _without_fields(document: Document, disputed: Sequence[CellReadings]) -> list[Diagnostic]:
    """Return a fault for each reading of a row that is not a mapping of fields."""
    return [
        document.diagnose(
            cell.place_of(name),
            "wrong-type",
            f"{ValuePlace(cell.place_of(name), '')} must be a mapping of keys to values, not {quote(value)}",
            "Write the fields of the row that differ, as 'key: value'.",
        )
        for cell in disputed
        for name, value in cell.readings.items()
        if cell.is_row and not isinstance(value, Mapping)
    ]


def _of_no_value(suite: Suite, document: Document, disputed: Sequence[CellReadings]) -> list[Diagnostic]:
    """Return the faults that the schema finds when the table follows the first reading of every cell; then the second,
    and so on."""
    faults: list[Diagnostic] = []
    for number in range(max((len(cell.readings) for cell in disputed), default=0)):
        read = {cell: list(cell.readings)[number] for cell in disputed if number < len(cell.readings)}
        data = _with(document.data, {cell.place: cell.read_as(name) for cell, name in read.items()})
        found = (_in_its_reading(complaint, read) for complaint in suite.schemas.complaints("ruleset", data))
        faults += [document.complain(complaint) for complaint in found if complaint]
    return faults


def _in_its_reading(complaint: Complaint, read: Mapping[CellReadings, str]) -> Complaint | None:
    """Return a complaint about a cell as one about the reading that gives its value; None if no reading does."""
    for cell, name in read.items():
        value = cell.place if cell.is_row else (*cell.place, "is")
        if complaint.path[: len(value)] == value:
            path = (*cell.place_of(name), *complaint.path[len(value) :])
            message = complaint.message.replace(str(ValuePlace(value, "")), str(ValuePlace(cell.place_of(name), "")))
            return replace(complaint, path=path, message=message)
    return None


def _with(data: Any, changed: Mapping[Path, Any]) -> Any:
    """Return data with the values at these places replaced."""
    if () in changed:
        return changed[()]
    below: dict[str | int, dict[Path, Any]] = {}
    for (first, *rest), value in changed.items():
        below.setdefault(first, {})[tuple(rest)] = value
    if isinstance(data, list):
        return [_with(item, below[at]) if at in below else item for at, item in enumerate(data)]
    return {key: _with(value, below[key]) if key in below else value for key, value in data.items()}


def _followed_by_none(document: Document, disputed: Sequence[CellReadings]) -> Iterator[Diagnostic]:
    """Yield a fault for each cell whose value is that of none of its readings."""
    for cell in disputed:
        if not any(cell.read_as(name) == cell.written for name in cell.readings):
            place = cell.place if cell.is_row else (*cell.place, "is")
            what = "this row matches none of its readings"
            if not cell.is_row:
                what = f"{quote(cell.written['is'])} is not the value of any reading of {ValuePlace(cell.place, '')}"
            values = [value if isinstance(value, str) else quote(value).strip("'") for value in cell.readings.values()]
            remedy = Suggestion(str(cell.written.get("is", "")), list(dict.fromkeys(values)))
            yield document.diagnose(place, "value-of-no-reading", what, remedy)
