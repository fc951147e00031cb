"""Several records side by side, ruleset by topic: for the terminal, in Markdown, and as a page to publish."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from hoyle_conformance.reports.columns import Column, columns, rows, rulesets, selected, title, warnings
from hoyle_conformance.reports.columns import suite as of_suite
from hoyle_conformance.reports.html.side_by_side import html
from hoyle_conformance.reports.markdown import BEGINS, text
from hoyle_conformance.reports.record import Record
from hoyle_conformance.wording.text import wrap

__all__ = ["html", "in_short", "markdown"]

#: Columns of a terminal, as in other reports; so much of it belongs to the names of rulesets, and to each engine.
_WIDTH: Final = 100
_FIRST: Final = 26
_EACH: Final = 18


def in_short(records: Sequence[Record]) -> str:
    """The whole report for a terminal."""
    return "\n".join(_in_short(columns(records))) + "\n"


def _in_short(some: Sequence[Column]) -> Iterator[str]:
    """Who is compared, what makes it unfair, and what passed of what was asked, with the topics that fail."""
    for each in some:
        of, record = each.record.implementation, each.record
        yield f"{each.number}  {of.title} ({of.language}), suite {of_suite(record)}, {record.started}"
        yield f"   {record.file}"
    for warning in warnings(some):
        yield from ["", *wrap(warning, 0, 2)]
    at_once = (_WIDTH - _FIRST) // _EACH
    for first in range(0, len(some), at_once):
        yield from _table(some, some[first : first + at_once])
    yield ""
    yield "Passed of asked; what an engine does not claim is not asked of it."
    yield "Topics in which nothing failed are left out; --html and --markdown have them."


def _table(some: Sequence[Column], shown: Sequence[Column]) -> Iterator[str]:
    yield ""
    yield _line("ruleset, topic", [f"{each.number} {each.name}" for each in shown])
    for ruleset in rulesets(some):
        yield _line(ruleset, [cell(each, ruleset, None) for each in shown])
        for row in rows(some, ruleset):
            if any(each.at(ruleset, row).failed for each in some):
                yield _line(f"  {row}", [cell(each, ruleset, row) for each in shown])


def _line(first: str, others: Sequence[str]) -> str:
    return (
        _cut(first, _FIRST - 2).ljust(_FIRST) + "".join(_cut(each, _EACH - 2).ljust(_EACH) for each in others)
    ).rstrip()


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1]}…"


def cell(column: Column, ruleset: str, row: str | None) -> str:
    """How much passed of what was asked, of a ruleset or of one of its rows; or why nothing was."""
    count = column.total(ruleset) if row is None else column.at(ruleset, row)
    return str(count) if count.asked else column.why_nothing(ruleset)


# ---- Markdown


def markdown(records: Sequence[Record]) -> str:
    """The whole page."""
    return "\n".join(_lines(columns(records))) + "\n"


def _lines(some: Sequence[Column]) -> Iterator[str]:
    yield BEGINS
    yield "## Engines side by side"
    yield ""
    yield _row(["Engine", "Version", "Language", "Suite", "Checks", "When"])
    yield _row(["---"] * 6)
    for each in some:
        of, record = each.record.implementation, each.record
        yield _row(map(text, (each.name, of.version, of.language, of_suite(record), selected(record), record.started)))
    for warning in warnings(some):
        yield f"\n> **{text(warning)}**"
    yield "\nPassed of asked; what an engine does not claim is not asked of it, and is no failure.\n"
    names = rulesets(some)
    yield from _grid(some, "Ruleset", {name: text(f"{title(some, name)}, {name}") for name in names}, _whole)
    for name in names:
        topics = {row: text(row) for row in rows(some, name)}
        yield f"\n<details><summary>{text(title(some, name))}, by topic</summary>\n"
        yield from _grid(some, "Topic", topics, partial(_part, name))
        yield "\n</details>"


def _whole(column: Column, ruleset: str) -> str:
    return cell(column, ruleset, None)


def _part(ruleset: str, column: Column, row: str) -> str:
    return cell(column, ruleset, row)


def _grid(
    some: Sequence[Column], first: str, names: Mapping[str, str], said: Callable[[Column, str], str]
) -> Iterator[str]:
    """A table with a row for each of these names, and a column for each engine."""
    yield _row([first, *(text(each.name) for each in some)])
    yield _row(["---", *["---:"] * len(some)])
    for name, shown in names.items():
        yield _row([shown, *(said(each, name) for each in some)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
