"""The adequacy report: a table of the measures, and the gaps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.markup import escape
from rich.table import Table

from hoyle_conformance.tools.adequacy.evidence import Evidence
from hoyle_conformance.tools.adequacy.measure import Gap, Measurement
from hoyle_conformance.tools.adequacy.mutants import MEASURES

#: The heading of each measure's column, and a description of what the measure counts.
MEASURE_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "cells": ("changed rules", "engines in which one rule of the table has another value"),
    "refusals": ("dropped refusals", "engines that allow what one rule forbids"),
    "memory": ("forgotten", "engines that forget to write or to clear one thing"),
    "reach": ("acts by phase", "kinds of acts in each phase, and their results, that random play reaches"),
    "told apart": ("told apart", "engines that play another ruleset of the same game"),
}
_MARK: Final = "needs a check"


def measurement_table(measured: Iterable[Sequence[Measurement]]) -> Table:
    """Return a table with a row for each ruleset: how many mutants are detected, and how many lack a check."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("ruleset", overflow="fold")
    for measure in MEASURES:
        table.add_column(MEASURE_TEXTS[measure][0], justify="right", no_wrap=True)
    for row in measured:
        table.add_row(row[0].ruleset, *map(_table_cell, row))
    return table


def _table_cell(measured: Measurement) -> str:
    waived = len(measured.missing) - len(measured.lacking)
    lacking = f" [red]-{len(measured.lacking)}[/]" if measured.lacking else ""
    return f"[{'red' if lacking else 'green'}]{measured.noticed}[/] of {measured.of - waived}{lacking}"


def gap_lines(measured: Iterable[Measurement], *, everything: bool) -> Iterator[str]:
    """Yield a line for each gap that lacks a check; with `everything`, also for those with a waiver."""
    for each in measured:
        shown = each.missing if everything else each.lacking
        if shown:
            yield f"{each.ruleset}, {MEASURE_TEXTS[each.measure][0]}:"
            yield from (f"  {gap.what}  ({gap.reason or _MARK})" for gap in shown)


def gaps_by_reason(missing: Iterable[Gap]) -> Mapping[str, list[str]]:
    """Return the names of the gaps, by the reasons of their waivers."""
    reasons: dict[str, list[str]] = {}
    for each in missing:
        reasons.setdefault(each.reason or _MARK, []).append(each.what)
    return reasons


def evidence_table(rows: Iterable[Evidence]) -> Table:
    """Return a table of other values of rules, with the number of positions that tell each from the ruleset, the
    thinnest evidence first."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("positions", justify="right", no_wrap=True)
    for head in ("ruleset", "rule", "has", "not", "as in"):
        table.add_column(head, overflow="fold")
    for each in sorted(rows, key=lambda each: (not each.is_thin, len(each.positions), each.path, each.ruleset)):
        number = f"[{'red' if each.is_thin else 'green'}]{len(each.positions)}[/] of {each.wanted}"
        table.add_row(number, *map(escape, (each.ruleset, each.path, each.own, each.other, each.whose)))
    return table
