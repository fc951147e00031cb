"""The adequacy of the suite in words: a table of what is noticed, and what is not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.markup import escape
from rich.table import Table

from hoyle_conformance.tools.adequacy.evidence import Evidence
from hoyle_conformance.tools.adequacy.measure import Measured, Missing
from hoyle_conformance.tools.adequacy.mutants import MEASURES

#: What each measure counts, as the head of its column and in a sentence.
SAID: Final[Mapping[str, tuple[str, str]]] = {
    "cells": ("changed rules", "engines in which one rule of the table has another value"),
    "refusals": ("dropped refusals", "engines that allow what one rule forbids"),
    "memory": ("forgotten", "engines that forget to write or to clear one thing"),
    "reach": ("acts by phase", "kinds of acts in each phase, and what becomes of them, that random play comes upon"),
    "told apart": ("told apart", "engines that play another ruleset of the same game"),
}
_MARK: Final = "needs a check"


def table(measured: Iterable[Sequence[Measured]]) -> Table:
    """One row a ruleset: of how many things how many are noticed, and how many lack a check."""
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    drawn.add_column("ruleset", overflow="fold")
    for measure in MEASURES:
        drawn.add_column(SAID[measure][0], justify="right", no_wrap=True)
    for row in measured:
        drawn.add_row(row[0].ruleset, *map(_entry, row))
    return drawn


def _entry(measured: Measured) -> str:
    excused = len(measured.missing) - len(measured.lacking)
    lacking = f" [red]-{len(measured.lacking)}[/]" if measured.lacking else ""
    return f"[{'red' if lacking else 'green'}]{measured.noticed}[/] of {measured.of - excused}{lacking}"


def missing(measured: Iterable[Measured], *, everything: bool) -> Iterator[str]:
    """What is not noticed, a line each: what lacks a check, or, with `everything`, also what needs none and why."""
    for each in measured:
        shown = each.missing if everything else each.lacking
        if shown:
            yield f"{each.ruleset}, {SAID[each.measure][0]}:"
            yield from (f"  {thing.what}  ({thing.reason or _MARK})" for thing in shown)


def by_reason(missing: Iterable[Missing]) -> Mapping[str, list[str]]:
    """What is missing, by the reason why nothing need notice it."""
    reasons: dict[str, list[str]] = {}
    for each in missing:
        reasons.setdefault(each.reason or _MARK, []).append(each.what)
    return reasons


def evidence_table(rows: Iterable[Evidence]) -> Table:
    """One row for each other value that a rule could have by the sources: on how many positions it rests that a ruleset
    has it not, the thinnest evidence first."""
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    drawn.add_column("positions", justify="right", no_wrap=True)
    for head in ("ruleset", "rule", "has", "not", "as in"):
        drawn.add_column(head, overflow="fold")
    for each in sorted(rows, key=lambda each: (not each.is_thin, len(each.positions), each.path, each.ruleset)):
        number = f"[{'red' if each.is_thin else 'green'}]{len(each.positions)}[/] of {each.wanted}"
        drawn.add_row(number, *map(escape, (each.ruleset, each.path, each.own, each.other, each.whose)))
    return drawn
