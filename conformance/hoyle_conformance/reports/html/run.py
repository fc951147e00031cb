"""The pages of one run and of several.

The first has the engine and its run, the passed checks, the failures by cause, and the checks that were not sent; the
second has engines side by side.
"""

import shlex
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.reports import side_by_side as shown
from hoyle_conformance.reports.diff import Changes
from hoyle_conformance.reports.record import NOT_ASKED, Checked, Record
from hoyle_conformance.reports.side_by_side import Column
from hoyle_conformance.reports.summary import NOTHING, Count, count, count_by_topic, table_place
from hoyle_conformance.runner.results import Status
from hoyle_conformance.wording.failure_view import CauseView
from hoyle_conformance.wording.html import Markup
from hoyle_conformance.wording.render import render
from hoyle_conformance.wording.text import join_and, plural

# ---- self-contained pages
#
# The style and the short script of a self-contained page are part of it, and it loads nothing else.


_HERE: Final = Path(__file__).parent
_ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Ctext y='14' font-size='16'%3E%E2%99%A0%3C/text%3E%3C/svg%3E"
)


def page(template: str, /, **values: object) -> str:
    """Return the whole text of a self-contained page, whose template extends the common one."""
    style, script = _own("report.css"), _own("report.js")
    # Only the page's own style and script may run, whatever text a record contains.
    own = "; ".join(f"{what}-src 'sha256-{_digest(text)}'" for what, text in (("style", style), ("script", script)))
    policy = f"default-src 'none'; img-src data:; {own}; base-uri 'none'; form-action 'none'"
    return render(f"reports/html/{template}", style=style, script=script, policy=policy, icon=_ICON, **values) + "\n"


@cache
def _own(name: str) -> Markup:
    """Return one of the two files that are included in every page."""
    return Markup((_HERE / name).read_text("utf-8"))


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


# ---- the page of one run


def run_page(record: Record) -> str:
    """Return one run as a self-contained HTML page."""
    of, total = record.implementation, count(record.results)
    of_a_cause = {check for cause in record.causes for check in cause.checks}
    inside = {
        "games": list(_games(record)),
        "causes": list(_causes(record)),
        "failures": [each for each in record.failures if each.check not in of_a_cause],
        "known": [each for each in record.results if each.status is Status.EXPECTED_FAILURE],
        "not_done": [each for each in record.results if each.status in NOT_ASKED and not each.lacks],
        "not_asked": list(_not_asked(record)),
        "readings": list(_readings(record)),
    }
    return page(
        "run.html.jinja",
        record=record,
        of=of,
        total=total,
        why=[each for each in dict.fromkeys((record.broken, record.explained)) if each],
        facts=list(_facts(record)),
        command=shlex.join(of.command),
        rulesets=sorted(of.rulesets),
        claims=sorted(of.claims),
        sections=dict(_sections(record, inside)),
        **inside,
    )


def _sections(record: Record, inside: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the heading of each section that is not empty."""
    tallies = any(counts for _, _, counts in inside["not_asked"])
    sections = (
        ("causes", "Failures by cause", inside["causes"]),
        ("topics", "By topic", inside["games"] or record.results),
        ("failures", "Failures", inside["failures"]),
        ("known", "Known failures", inside["known"]),
        ("not-done", "Claimed but not done", inside["not_done"]),
        ("not-asked", "Not sent", tallies or record.not_run),
        ("readings", "Readings of disputed rules", inside["readings"]),
    )
    return ((name, heading) for name, heading, there in sections if there)


# ---- facts of the run


def _facts(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the names and values of facts: the suite, house rules, how the checks were sent, and when."""
    yield "Suite", f"{record.suite} ({record.digest[:8]})"
    if record.house:
        yield "House rules", house_rules(record)
    how = "sent as they are written" if record.seed is None else "relabelled as usual"
    turned = f"relabelled by the seed '{record.seed}'" if record.seed else how
    yield "Checks", f"{plural(record.selected, 'check')} selected, {turned}"
    if record.sandbox:
        yield "Sandbox", record.sandbox["means"]
    yield "When", when(record)


def house_rules(record: Record) -> str:
    """Return the name of the house rules joined to the suite, and that of the ruleset that they extend."""
    return f"{record.house['id']}, which extends {record.house['extends']}" if record.house else "none"


def when(record: Record) -> str:
    """Return the time at which the run began and ended, in UTC."""
    day, _, time = record.started.removesuffix("Z").partition("T")
    until = f" to {record.ended.removesuffix('Z').partition('T')[2]}" if record.ended else ""
    return f"{day}, {time}{until} UTC"


# ---- passed checks


@dataclass(frozen=True, slots=True)
class RulesetSummary:
    """A ruleset by its id, with its title if the suite has it, its total count, and its topics and options, each with
    its count and the numbers of its causes."""

    id: str
    title: str
    total: Count
    rows: tuple[tuple[str, Count, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The rulesets of a game; the title is empty if there is only one game."""

    title: str
    rulesets: tuple[RulesetSummary, ...]


def _games(record: Record) -> Iterator[GameSummary]:
    """Yield the claimed rulesets, by game."""
    causes, games = _causes_by_row(record), dict[str, list[RulesetSummary]]()
    for ruleset, rows in count_by_topic(record).items():
        known = record.rulesets.get(ruleset)
        counts = tuple((row, each, tuple(sorted(causes.get((ruleset, row), ())))) for row, each in rows.items())
        summary = RulesetSummary(ruleset, known.title if known else "", sum(rows.values(), NOTHING), counts)
        games.setdefault(known.game if known else "", []).append(summary)
    for game, some in games.items():
        yield GameSummary(game if len(games) > 1 else "", tuple(some))


def _causes_by_row(record: Record) -> Mapping[tuple[str, str], Iterable[int]]:
    """Return the numbers of the causes for which checks fail, by ruleset and row."""
    numbers: dict[tuple[str, str], set[int]] = {}
    for number, cause in enumerate(record.causes, start=1):
        for check in cause.checks:
            numbers.setdefault(table_place(record.by_check[check]), set()).add(number)
    return numbers


# ---- failures, and checks that were not sent


@dataclass(frozen=True, slots=True)
class NumberedCause:
    """A cause with its number, the causes that it may follow from, its example, and the other checks that fail for
    it."""

    number: int
    cause: CauseView
    sources: tuple[int, ...]
    example: Checked
    others: tuple[Checked, ...]
    rulesets: int


def _causes(record: Record) -> Iterator[NumberedCause]:
    numbers = {cause.id: number for number, cause in enumerate(record.causes, start=1)}
    for number, cause in enumerate(record.causes, start=1):
        example, *others = [record.by_check[check] for check in cause.checks]
        sources = tuple(sorted(numbers[each] for each in cause.comes_from if each in numbers))
        rulesets = {each.ruleset for each in (example, *others)}
        yield NumberedCause(number, cause, sources, example, tuple(others), len(rulesets))


def _not_asked(record: Record) -> Iterator[tuple[str, str, Sequence[tuple[str, int]]]]:
    """Yield the numbers of checks that were not sent, by missing claim, each list with its summary and its heading."""
    claimed = record.claimed
    lacking = [each for each in record.results if each.lacks]
    others = Counter(each.ruleset for each in lacking if each.ruleset not in claimed)
    needs = Counter(need for each in lacking if each.ruleset in claimed for need in each.lacks)
    partly = Counter(need for each in record.results for need in each.partly)
    what = "Missing claim"
    unclaimed = f"{plural(others.total(), 'check')} of rulesets that the engine does not claim"
    yield unclaimed, "Ruleset", sorted(others.items())
    yield "Checks that need something that the engine does not claim", what, sorted(needs.items())
    yield "Parts left out of checks because the engine does not claim them", what, sorted(partly.items())


def _readings(record: Record) -> Iterator[tuple[str, str, str]]:
    """Yield the disputed rules with their rulesets, and the readings that the implementation follows, as far as
    observed."""
    for ruleset, cells in (record.readings or {}).items():
        for cell, ways in cells.items():
            yield cell, ruleset, join_and(list(ways), "or")


# ---- the page of several runs


def side_by_side_page(records: Sequence[Record]) -> str:
    """Return several runs as one self-contained HTML page."""
    some = shown.columns(records)
    return page(
        "side_by_side.html.jinja",
        columns=some,
        names=[each.name for each in some],
        warnings=list(shown.warnings(some)),
        facts=_engine_facts,
        rulesets=[
            (each, shown.ruleset_title(some, each), shown.rows_of(some, each)) for each in shown.rulesets_in(some)
        ],
        changes=list(_changes(some)),
        failures=[(each, list(_failures(each))) for each in some if each.record.failures],
    )


def _changes(some: Sequence[Column]) -> Iterator[tuple[str, str, Mapping[Any, Any]]]:
    """Yield the name of each run that comes after one of the same engine, with that run and what has changed since."""
    last: dict[str, Column] = {}
    for each in sorted(some, key=lambda each: each.record.started):
        name = each.record.implementation.name
        if name in last and (changed := Changes(last[name].record, each.record).checks):
            yield each.name, last[name].name, changed
        last[name] = each


def _engine_facts(record: Record) -> tuple[str, ...]:
    """Return the facts of an engine's run as texts."""
    of = record.implementation
    house = f", under the house rules {house_rules(record)}" if record.house else ""
    return of.version, of.language, f"{shown.suite_version(record)}{house}", shown.selection(record), when(record)


def _failures(column: Column) -> Iterator[tuple[str, str, Mapping[str, Sequence[Checked]]]]:
    """Yield each ruleset for which an engine has failures, with its title and the failures by topic."""
    places: dict[str, dict[str, list[Checked]]] = {}
    for each in column.record.failures:
        ruleset, row = table_place(each)
        places.setdefault(ruleset, {}).setdefault(row, []).append(each)
    for ruleset, topics in sorted(places.items()):
        yield ruleset, shown.ruleset_title([column], ruleset), dict(sorted(topics.items()))
