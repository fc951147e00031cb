"""A page to publish: engines side by side, ruleset by topic, each place leading to what fails there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hoyle_conformance.reports import side_by_side as shown
from hoyle_conformance.reports.html.page import page
from hoyle_conformance.reports.html.run import house_rules, when
from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.side_by_side import Column
from hoyle_conformance.reports.summary import Count, table_place


def side_by_side_page(records: Sequence[Record]) -> str:
    """Return several runs as one page of HTML that stands alone."""
    some = shown.columns(records)
    return page(
        "side_by_side.html.jinja",
        columns=some,
        names=[each.name for each in some],
        warnings=list(shown.warnings(some)),
        engines=[_engine(each) for each in some],
        rulesets=[_ruleset(some, each) for each in shown.rulesets_in(some)],
        failures=[_failures(each) for each in some if each.record.failures],
    )


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """An engine by its number and name, whether anything fails in it, and the facts of its run, a text each."""

    number: int
    name: str
    fails: bool
    facts: tuple[str, ...]


def _engine(column: Column) -> EngineFacts:
    record, of = column.record, column.record.implementation
    house = f", under the house rules {house_rules(record)}" if record.house else ""
    suite = f"{shown.suite_version(record)}{house}"
    facts = (of.version, of.language, suite, shown.selection(record), when(record))
    return EngineFacts(column.number, column.name, bool(record.failures), facts)


# ---- how much passed


@dataclass(frozen=True, slots=True)
class CountCell:
    """A place in a table: how much passed, where its failures are on the page, and why nothing was asked if so."""

    count: Count
    anchor: str
    why_nothing: str


@dataclass(frozen=True, slots=True)
class CountRow:
    """A row by its name, with a place for each engine."""

    name: str
    cells: tuple[CountCell, ...]


@dataclass(frozen=True, slots=True)
class RulesetRows:
    """A ruleset with its sums, and the rows of its topics and options."""

    id: str
    title: str
    total: CountRow
    rows: tuple[CountRow, ...]


def _ruleset(some: Sequence[Column], ruleset: str) -> RulesetRows:
    sums = tuple(CountCell(each.total(ruleset), _anchor(each, ruleset), each.why_nothing(ruleset)) for each in some)
    topics = tuple(CountRow(row, tuple(_cells(some, ruleset, row))) for row in shown.rows_of(some, ruleset))
    return RulesetRows(ruleset, shown.ruleset_title(some, ruleset), CountRow(ruleset, sums), topics)


def _cells(some: Sequence[Column], ruleset: str, row: str) -> Iterator[CountCell]:
    for each in some:
        yield CountCell(each.at(ruleset, row), _anchor(each, ruleset, row), each.why_nothing(ruleset))


def _anchor(column: Column, *at: str) -> str:
    return "-".join([f"engine-{column.number}", *at])


# ---- what fails


@dataclass(frozen=True, slots=True)
class FailedPart:
    """What fails in one engine, in one ruleset of it, or in one row of that: its parts, or its failures."""

    anchor: str
    name: str
    parts: tuple["FailedPart", ...] = ()
    failed: tuple[Checked, ...] = ()


def _failures(column: Column) -> FailedPart:
    """Return all that fails in one engine, by ruleset and topic."""
    places: dict[str, dict[str, list[Checked]]] = {}
    for each in column.record.failures:
        ruleset, row = table_place(each)
        places.setdefault(ruleset, {}).setdefault(row, []).append(each)
    parts = []
    for ruleset, topics in sorted(places.items()):
        of_rows = (FailedPart(_anchor(column, ruleset, row), row, (), tuple(topics[row])) for row in sorted(topics))
        title = shown.ruleset_title([column], ruleset)
        parts.append(FailedPart(_anchor(column, ruleset), title, tuple(of_rows)))
    return FailedPart(_anchor(column), column.name, tuple(parts))
