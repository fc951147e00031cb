"""The adequacy report: a table of the measures, and the gaps."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.markup import escape
from rich.table import Table

from adequacy.code_figures import CodeFigures, by_module, reason_for
from adequacy.code_mutants import CodeVerdict
from adequacy.crossings import CrossingRow
from adequacy.evidence import Evidence
from adequacy.measure import Gap, Measurement
from adequacy.mutants import MEASURES
from adequacy.silence import Choice

#: The heading of each measure's column, and a description of what the measure counts.
MEASURE_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "cells": ("changed rules", "engines in which one rule of the table has another value"),
    "refusals": ("dropped refusals", "engines that allow what one rule forbids"),
    "memory": ("forgotten changes", "engines that forget to write or to clear one thing"),
    "reach": ("acts by phase", "kinds of acts in each phase, and their results, that random play reaches"),
}
#: The headings of the figures.
FIGURES: Final = ("mutants", "by checks", "by games only", "excused", "surviving")
_MARK: Final = "needs a check"


def measurement_table(measured: Iterable[Sequence[Measurement]]) -> Table:
    """Return a table with a row for each measure of each ruleset, and for each measure in all: the four figures."""
    rows = list(measured)
    table = _table(("ruleset", "measure"), FIGURES)
    for row in rows:
        for at, each in enumerate(row):
            heads = "" if at else row[0].ruleset, MEASURE_TEXTS[each.measure][0]
            table.add_row(*heads, *_colored(figures(each)), end_section=each is row[-1])
    if len(rows) > 1:
        for at, measure in enumerate(MEASURES):
            table.add_row("" if at else "all", MEASURE_TEXTS[measure][0], *_colored(total(rows, measure)))
    return table


def figures(measured: Measurement) -> tuple[int, ...]:
    """Return the number of mutants, and those noticed by checks, noticed only by whole games, excused and surviving."""
    rest = (measured.noticed_by_games, measured.excused, measured.surviving)
    return (measured.of, measured.noticed, *map(len, rest))


def total(rows: Iterable[Sequence[Measurement]], measure: str) -> tuple[int, ...]:
    """Return the figures of one measure for all rulesets together."""
    every = [figures(each) for row in rows for each in row if each.measure == measure]
    return tuple(map(sum, zip(*every, strict=True)))


def _table(texts: Iterable[str], numbers: Iterable[str], more_texts: Iterable[str] = ()) -> Table:
    """Return a table without rows, with columns of texts, of numbers, and again of texts."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in texts:
        table.add_column(head, overflow="fold")
    for head in numbers:
        table.add_column(head, justify="right", no_wrap=True)
    for head in more_texts:
        table.add_column(head, overflow="fold")
    return table


def _colored(numbers: Sequence[int]) -> list[str]:
    *others, surviving = map(str, numbers)
    return [*others, f"[{'red' if numbers[-1] else 'green'}]{surviving}[/]"]


def code_table(found: CodeFigures) -> Table:
    """Return a table of the four figures of code mutants, for each module of the interpreter and in all."""
    table = _table(("module",), FIGURES)
    for module, some in by_module(found).items():
        table.add_row(module, *_colored(some.counts))
    table.add_row("all", *_colored(found.counts))
    return table


def code_lines(found: CodeFigures, *, everything: bool) -> Iterator[str]:
    """Yield the surviving code mutants and the functions that no check reaches; with `everything`, also what is excused
    or noticed only by whole games."""
    yield from _listed("Surviving", found.surviving, lambda each: "" if each.reached else "no check runs this line")
    if everything:
        yield from _listed("Noticed only by whole games", found.by_games, lambda each: each.where)
        yield from _listed("Excused", found.excused, reason_for)
    if found.unreached:
        yield "No check runs the changed lines of these functions:"
        yield from (f"  {function}" for function in found.unreached)


def _listed(head: str, some: Sequence[CodeVerdict], why: Callable[[CodeVerdict], str]) -> Iterator[str]:
    if some:
        yield f"{head}:"
        yield from (f"  {each.mutant}" + (f"  ({why(each)})" if why(each) else "") for each in some)


def gap_lines(measured: Iterable[Measurement], *, everything: bool) -> Iterator[str]:
    """Yield a line for each gap that lacks a check; with `everything`, also for those with a waiver."""
    for each in measured:
        shown = each.missing if everything else each.lacking
        if shown:
            yield f"{each.ruleset}, {MEASURE_TEXTS[each.measure][0]}:"
            yield from (f"  {gap.what}  ({_why(gap)})" for gap in shown)


def _why(gap: Gap) -> str:
    """Return the reason of a gap, and the whole game that notices it."""
    return "; ".join(filter(None, (gap.reason or _MARK, gap.game and f"noticed by {gap.game}")))


def evidence_table(rows: Iterable[Evidence]) -> Table:
    """Return a table of other values of rules, with the number of positions that tell each from the ruleset, the
    thinnest evidence first."""
    table = _table((), ("positions",), ("ruleset", "rule", "has", "not", "as in"))
    for each in sorted(rows, key=lambda each: (not each.is_thin, len(each.positions), each.path, each.ruleset)):
        number = f"[{'red' if each.is_thin else 'green'}]{len(each.positions)}[/] of {each.wanted}"
        table.add_row(number, *map(escape, (each.ruleset, each.path, each.own, each.other, each.whose)))
    return table


def silence_table(found: Iterable[Choice]) -> Table:
    """Return a table of other values of cells that are not stated, each with the checks that an engine with this value
    fails."""
    table = _table(("ruleset", "cell", "other value"), ("checks",), ("",))
    for each in found:
        first = ", ".join(check.partition("@")[0] for check in each.checks[:2])
        note = f"[red]needs a reason[/]: {first}" if each.is_unreviewed else escape(each.because)
        table.add_row(*map(escape, (each.ruleset, each.cell, each.value)), str(len(each.checks)), note)
    return table


def silence_lines(found: Iterable[Choice]) -> Iterator[str]:
    """Yield a line for each ruleset, and for all: the cells, their other values, and the checks that rest on them; and
    how many of each have no reason."""
    rows = list(found)
    for name in dict.fromkeys([*(each.ruleset for each in rows), "all"]):
        some = [each for each in rows if name in (each.ruleset, "all")]
        yield f"{name}: {_sums(some)}; without a reason: {_sums([each for each in some if each.is_unreviewed])}"


def _sums(found: Sequence[Choice]) -> str:
    cells, checks = {(each.ruleset, each.cell) for each in found}, {check for each in found for check in each.checks}
    return f"{len(cells)} cells, {len(found)} other values, {len(checks)} checks"


def crossing_table(rows: Iterable[CrossingRow]) -> Table:
    """Return a table of crossings: how many games and checks meet each, and what is missing or waived."""
    table = _table(("effect of a ruling", "where"), ("games", "checks"), ("",))
    for each in rows:
        note = f"[red]{_MARK}[/]" if each.is_missing else escape(each.reason)
        table.add_row(each.effect, each.state, str(each.games), str(each.checks), note)
    return table
