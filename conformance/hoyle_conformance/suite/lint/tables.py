"""Lint of rule tables: their references to ledgers and to the table that they extend, and cells that make sense
together."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic, Suggestion
from hoyle_conformance.files.document import Document
from hoyle_conformance.suite.lint.ids import lint_grounds, named_after_id, unknown_clauses
from hoyle_conformance.suite.lint.readings import lint_readings, senseless_readings
from hoyle_conformance.suite.model import Ruleset
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cells, Malformed, compile_rules, lay_flat
from hoyle_reference.cells import offered_by

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
        yield from _lint_cells(suite, ruleset)


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


def _lint_cells(suite: Suite, ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Yield the faults of the cells of a table, alone and together with those that it extends."""
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
