"""Lint of rule tables: their references to ledgers and to the table that they extend, and cells that make sense
together."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic, Suggestion
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.schema_errors import Complaint, Path, ValuePlace, quote
from hoyle_conformance.suite.lint.ids import lint_grounds, named_after_id, unknown_clauses
from hoyle_conformance.suite.model import Ruleset
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cells, Malformed, compile_cells, compile_rules, lay_flat
from hoyle_reference.cells import offered_by

# ---- readings: each must give its cell a valid value, and one of them must be the table's own


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


# ---- tables


#: The command that shows every cell of a table.
_ALL_CELLS: Final = "hoyle rules RULESET --cells"
#: The digests of the tables, with those that they extend, whose cells this process has found valid. A server, a watched
#: file or a test loads a suite repeatedly, but compiles each reading of each table only once.
_SENSIBLE: Final = set[bytes]()


def lint_tables(suite: Suite, same: Container[str] = ()) -> Iterator[Diagnostic]:
    """Yield the faults of the rule tables, each alone and with the one that it extends. Those in `same` were found
    valid before, and neither they nor the tables that they extend have changed."""
    for ruleset in suite.rulesets.values():
        lint = lint_references if ruleset.id in same else lint_table
        yield from islice(lint(suite, ruleset), COUNTED)


def lint_table(suite: Suite, ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yield the faults of one table: references to nothing, and cells that make no sense together."""
    yield from lint_references(suite, ruleset)
    if not ruleset.extends or ruleset.extends in _extendable(suite, ruleset):
        document = ruleset.document
        cells = list(_cells(document.data, ()))
        table = {**document.data, "extends": suite.rules.table(ruleset.extends)} if ruleset.extends else document.data
        yield from (
            lint_readings(suite, document, cells)
            or [
                *_combinations_described(document),
                *_changes(suite, document, table),
                *_option_cells(document, table),
                *_unknown_kinds(document, table),
            ]
            or _senseless(suite, ruleset, table, cells)
        )


def lint_references(suite: Suite, ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yield the faults of a table's references to ledgers and to the table that it extends."""
    document = ruleset.document
    yield from named_after_id(document, f"{ruleset.id}.ruleset.yaml")
    for at, source in enumerate(ruleset.sources):
        if source not in suite.sources:
            yield document.diagnose(
                ["sources", at], "unknown-source", f"no source '{source}'", Suggestion(source, suite.sources)
            )
    for path, cell in _cells(document.data, ()):
        yield from unknown_clauses(suite, document, [*path, "cites"], cell["cites"])
        yield from lint_grounds(suite, ruleset, path, cell)
    if ruleset.extends and ruleset.extends not in _extendable(suite, ruleset):
        remedy = Suggestion(ruleset.extends, _extendable(suite, ruleset))
        yield document.diagnose(["extends"], "unknown-ruleset", f"no ruleset '{ruleset.extends}' to extend", remedy)


def _senseless(
    suite: Suite,
    ruleset: Ruleset,
    table: Mapping[str, Any],
    cells: Sequence[tuple[tuple[str | int, ...], Mapping[str, Any]]],
) -> Iterator[Diagnostic]:
    """Yield a fault for each set of options under which a table makes no sense; if there is none, for each such
    reading."""
    digest = sha256(json.dumps(table).encode()).digest()
    if digest not in _SENSIBLE:
        faults = [*_senseless_options(suite, ruleset, table)] or [*senseless_readings(ruleset.document, table, cells)]
        _SENSIBLE.update([] if faults else [digest])
        yield from faults


def _senseless_options(suite: Suite, ruleset: Ruleset, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield a fault for each option under which a table makes no sense, and for a table that makes no sense without
    options."""
    for options in ((), *((option,) for option in offered_by(table))):
        try:
            compile_rules(table, options)
        except Malformed as malformed:
            yield _senseless_cell(suite, ruleset, malformed)


def _senseless_cell(suite: Suite, ruleset: Ruleset, malformed: Malformed) -> Diagnostic:
    """Return the fault of a cell that makes no sense, or that of the extended table if that makes no sense by
    itself."""
    if ruleset.extends and not suite.rules.knows(ruleset.extends):
        message = f"'{ruleset.extends}', which this table extends, makes no sense: {malformed}"
        return ruleset.document.diagnose(["extends"], "senseless-cell", message, f"Correct '{ruleset.extends}' first.")
    return ruleset.document.diagnose(malformed.where.split("."), "senseless-cell", str(malformed), "Correct the table.")


def _extendable(suite: Suite, ruleset: Ruleset) -> list[str]:
    """Return the rulesets that a table can extend: those whose chain of extended tables ends and does not include this
    one."""
    chains = {name: _chain(suite, name) for name in suite.rulesets}
    return [name for name, chain in chains.items() if ruleset.id not in chain and not suite.rulesets[chain[-1]].extends]


def _chain(suite: Suite, name: str) -> list[str]:
    """Return a ruleset, the one that it extends, and so on, as far as they exist."""
    chain: list[str] = []
    while name in suite.rulesets and name not in chain:
        chain.append(name)
        name = suite.rulesets[name].extends
    return chain


def _combinations_described(document: Document) -> Iterator[Diagnostic]:
    seen: set[object] = set()
    for path, row in _rows(document.data):
        what = {
            row["id"],
            (row.get("class"), row["cards"]) if "class" in row and path[1] == "combinations" else row["id"],
        }
        if seen & what:
            message = f"the combination '{row['id']}' is already described"
            yield document.diagnose([*path, "id"], "id-in-use", message, "Choose another id, class or number of cards.")
        seen |= what


def _unknown_kinds(document: Document, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield a fault for each combination of a kind that no other combination has and no name explains, and for each
    that is superior to a kind which no combination has."""
    options = ((), *((option,) for option in offered_by(table)))
    tables = [[row.value for row in _laid_flat(table, option).rows("declare.melds")] for option in options]
    kinds = {str(row["kind"]): None for rows in tables for row in rows if "kind" in row}
    known = [kind for kind in kinds if any(_is_explained(kind, rows) for rows in tables)]
    for path, row in _cells(document.data, ()):
        kind = row.get("kind")
        if kind in kinds and kind not in known:
            message = f"no other combination is of the kind '{kind}'"
            yield document.diagnose([*path, "kind"], "unknown-kind", message, Suggestion(kind, known))
        for at, kind in enumerate(row.get("over", ())):
            if kinds and kind not in kinds:
                message = f"no combination is of the kind '{kind}'"
                yield document.diagnose([*path, "over", at], "unknown-kind", message, Suggestion(kind, kinds))


def _is_explained(kind: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether several combinations are of a kind, or one is named after it, such as common-marriage after
    marriage."""
    return sum(row.get("kind") == kind for row in rows) > 1 or any(f"-{row['id']}".endswith(f"-{kind}") for row in rows)


def _laid_flat(table: Mapping[str, Any], options: Iterable[str] = ()) -> Cells:
    """Return the cells of a table; none if it is invalid, which is reported when it is compiled."""
    try:
        return lay_flat(table, options)
    except Malformed:
        return Cells({})


def _rows(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
    """Yield every combination that a table itself describes, with its place."""
    for chapter, name in (("declare", "melds"), ("classes", "combinations"), ("classes", "nought")):
        for at, row in enumerate(data.get(chapter, {}).get(name, ())):
            yield (chapter, name, at), row


def _changes(suite: Suite, document: Document, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield faults for cells and options that a table removes but the extended table lacks, and for new combinations
    without a description."""
    changes = document.data.get("changes", {})
    cells = _paths(table.get("extends"))
    known = cells | {path[:at] for path in cells for at, sign in enumerate(path) if sign == "."}
    for at, path in enumerate(changes.get("without", ()) if cells else ()):
        if path not in known:
            message = f"no cell '{path}' in the table it extends"
            yield document.diagnose(
                ["changes", "without", at], "unknown-cell", message, Suggestion(path, known, _ALL_CELLS)
            )
    options = offered_by(table["extends"]) if "extends" in table else ()
    for at, option in enumerate(changes.get("without_options", ())):
        if option not in options:
            message = f"the table that it extends has no option '{option}'"
            where: list[str | int] = ["changes", "without_options", at]
            yield document.diagnose(where, "unknown-option", message, Suggestion(option, options))
    needed = suite.schemas.documents["ruleset"]["$defs"]["meld"]["required"]
    for at, row in enumerate(changes.get("cells", {}).get("declare", {}).get("melds", ())):
        missing = [field for field in needed if field not in row]
        if cells and f"declare.melds.{row['id']}" not in cells and missing:
            message = f"the combination '{row['id']}' is new in this table, and has no '{missing[0]}'"
            yield document.diagnose(
                ["changes", "cells", "declare", "melds", at],
                "incomplete-combination",
                message,
                "Describe it; or correct its id.",
            )


def _paths(table: Mapping[str, Any] | None) -> set[str]:
    """Return the paths of a table's cells; none if it is invalid, which is reported when it is compiled."""
    return set() if table is None else {cell.path for cell in _laid_flat(table)}


def _option_cells(document: Document, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield faults for cells that an option changes or removes but the table lacks."""
    cells = _paths(table)
    rows = {path.rpartition(".")[2] for path in cells if path.startswith("declare.melds.")}
    yield from _options_taken_over(document, table, cells)
    for name, option in document.data.get("options", {}).items() if cells else ():
        for at, row in enumerate(option["cells"].get("declare", {}).get("melds", ())):
            if row["id"] not in rows:
                where = ["options", name, "cells", "declare", "melds", at, "id"]
                message = f"no combination '{row['id']}' in this table"
                yield document.diagnose(where, "unknown-combination", message, Suggestion(row["id"], rows))
        for at, path in enumerate(option.get("without", ())):
            if path not in cells:
                message = f"no cell '{path}' in this table"
                where = ["options", name, "without", at]
                yield document.diagnose(where, "unknown-cell", message, Suggestion(path, cells, _ALL_CELLS))


def _options_taken_over(document: Document, table: Mapping[str, Any], cells: set[str]) -> Iterator[Diagnostic]:
    """Yield faults for inherited options that change a cell which this table lacks."""
    own = document.data.get("options", {})
    for name, option in offered_by(table).items() if cells else ():
        of_cells = {".".join(map(str, _named(path, option["cells"]))) for path, _ in _cells(option["cells"], ())}
        missing = sorted((of_cells & _paths(table["extends"])) - cells) if name not in own else []
        if missing:
            message = f"the option '{name}', inherited from '{document.data['extends']}', changes '{missing[0]}'"
            remedy = f"This table has no such cell: name '{name}' under 'without_options'."
            yield document.diagnose(["extends"], "unknown-cell", message, remedy)


def _named(path: Sequence[str | int], branch: Any) -> Iterator[str]:
    """Yield the parts of a path, with the id of a row instead of its number."""
    for step in path:
        branch = branch[step]
        yield str(branch["id"]) if isinstance(step, int) else str(step)


def _cells(branch: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
    if isinstance(branch, list):
        for at, item in enumerate(branch):
            yield from _cells(item, (*path, at))
    elif isinstance(branch, Mapping):
        if "cites" in branch:
            yield path, branch
        else:
            for key, value in branch.items():
                yield from _cells(value, (*path, key))
