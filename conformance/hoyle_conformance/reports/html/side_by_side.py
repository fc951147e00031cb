"""A page to publish: engines side by side, ruleset by topic, each place leading to what fails there."""

from collections.abc import Sequence
from typing import Final

from hoyle_conformance.reports.html import failure
from hoyle_conformance.reports.html.facts import house_rules, when
from hoyle_conformance.reports.html.page import page
from hoyle_conformance.reports.html.run import passed, share
from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.side_by_side import (
    Column,
    columns,
    rows_of,
    ruleset_title,
    rulesets_in,
    selection,
    suite_version,
    warnings,
)
from hoyle_conformance.reports.summary import Count, table_place
from hoyle_conformance.wording.html import Markup, joined, tag
from hoyle_conformance.wording.text import plural

_NONE: Final = Markup()


def html(records: Sequence[Record]) -> str:
    """Several runs as one page of HTML that stands alone."""
    some = columns(records)
    parts = [
        tag("h1", "Engines side by side"),
        tag("p", "What each makes of the rules: how many checks passed, of those that it was asked.", class_="verdict"),
        _warnings(some),
        _section("engines", "The engines", _engines(some)),
        _section("rulesets", "By ruleset", _overview(some)),
        _section("topics", "By topic", joined((_topics(some, each) for each in rulesets_in(some)), "\n")),
        _section("failures", "What fails", joined(map(_failures, some), "\n")),
    ]
    below = f"Made by Hoyle from the records of {plural(len(records), 'run')}."
    return page("Engines side by side: Hoyle", "Which rules do programs play?", joined(parts, "\n"), below)


def _section(name: str, heading: str, body: Markup) -> Markup:
    return tag("section", tag("h2", heading, id=name), body) if body else _NONE


def _warnings(some: Sequence[Column]) -> Markup:
    """What makes it unfair to compare them."""
    found = [tag("li", each) for each in warnings(some)]
    return tag("div", tag("p", tag("b", "Compare with care.")), tag("ul", *found), class_="note") if found else _NONE


def _engines(some: Sequence[Column]) -> Markup:
    heads = ("Engine", "Version", "Language", "Suite", "Checks", "When")
    return _table("The engines", heads, [_engine(each) for each in some])


def _engine(column: Column) -> Markup:
    record, of = column.record, column.record.implementation
    name = tag("a", column.name, href=f"#engine-{column.number}") if record.failures else column.name
    house = f", under the house rules {house_rules(record)}" if record.house else ""
    facts = (of.version, of.language, f"{suite_version(record)}{house}", selection(record), when(record))
    return tag("tr", tag("th", tag("b", name), scope="row"), *(tag("td", each) for each in facts))


def _table(about: str, heads: Sequence[str], body: Sequence[Markup]) -> Markup:
    """A table that can be pushed to the side where it is too wide, also by the keyboard."""
    head = (tag("th", each, scope="col") for each in heads)
    table = tag("table", tag("thead", tag("tr", *head)), tag("tbody", joined(body, "\n")))
    return tag("div", table, class_="wide beside", tabindex="0", role="region", aria_label=about)


def _overview(some: Sequence[Column]) -> Markup:
    """A row for each ruleset, with its sum in every column."""
    body = []
    for ruleset in rulesets_in(some):
        named = tag("th", tag("b", ruleset_title(some, ruleset)), tag("br"), tag("code", ruleset), scope="row")
        body.append(tag("tr", named, *(_sum(each, ruleset) for each in some)))
    return _table("By ruleset", ["Ruleset", *(each.name for each in some)], body)


def _sum(column: Column, ruleset: str) -> Markup:
    count = column.total(ruleset)
    bar = share(count) if count.asked else _NONE
    return tag("td", _passed(column, ruleset, count, _anchor(column, ruleset)), bar)


def _topics(some: Sequence[Column], ruleset: str) -> Markup:
    """The topics of a ruleset, folded."""
    names = rows_of(some, ruleset)
    body = [tag("tr", tag("th", row, scope="row"), *(_cell(each, ruleset, row) for each in some)) for row in names]
    table = _table(f"{ruleset} by topic", ["Topic", *(each.name for each in some)], body)
    return tag("details", tag("summary", tag("b", ruleset_title(some, ruleset)), " ", tag("code", ruleset)), table)


def _cell(column: Column, ruleset: str, row: str) -> Markup:
    return tag("td", _passed(column, ruleset, column.at(ruleset, row), _anchor(column, ruleset, row)))


def _passed(column: Column, ruleset: str, count: Count, anchor: str) -> Markup:
    """How much passed, with a link to what failed; or why nothing was asked."""
    if not count.asked:
        return tag("span", column.why_nothing(ruleset), class_="soft")
    return tag("a", passed(count), href=f"#{anchor}") if count.failed else passed(count)


def _anchor(column: Column, *at: str) -> str:
    return "-".join([f"engine-{column.number}", *at])


# ---- what fails


def _failures(column: Column) -> Markup:
    """All that fails in one engine, folded by ruleset and topic."""
    places: dict[str, dict[str, list[Checked]]] = {}
    for each in column.record.failures:
        ruleset, row = table_place(each)
        places.setdefault(ruleset, {}).setdefault(row, []).append(each)
    if not places:
        return _NONE
    of_rulesets = joined(_of_ruleset(column, name, places[name]) for name in sorted(places))
    return tag("section", tag("h3", column.name, id=_anchor(column)), of_rulesets, class_="cause")


def _of_ruleset(column: Column, ruleset: str, topics: dict[str, list[Checked]]) -> Markup:
    folded = joined(_of_topic(column, ruleset, row, topics[row]) for row in sorted(topics))
    return joined([tag("h4", ruleset_title([column], ruleset), id=_anchor(column, ruleset)), folded])


def _of_topic(column: Column, ruleset: str, row: str, failed: Sequence[Checked]) -> Markup:
    summary = tag("summary", row, tag("span", f": {plural(len(failed), 'failure')}", class_="soft"))
    return tag("details", summary, failure.table(failed), id=_anchor(column, ruleset, row))
