"""The page of one run: who was held against what, how much passed, what went wrong by cause, and what was not asked."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hoyle_conformance.reports.html.page import page
from hoyle_conformance.reports.record import NOT_ASKED, Checked, Record
from hoyle_conformance.reports.summary import NOTHING, Count, count, count_by_topic, table_place
from hoyle_conformance.runner.results import Status
from hoyle_conformance.wording.failure_view import CauseView
from hoyle_conformance.wording.text import join_and, plural


def run_page(record: Record) -> str:
    """Return one run as a page of HTML that stands alone."""
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
    """Yield the name and the heading of each section that has anything in it."""
    tallies = any(each.counts for each in inside["not_asked"])
    sections = (
        ("topics", "By topic", inside["games"] or record.results),
        ("causes", "Failures by cause", inside["causes"]),
        ("failures", "Failures", inside["failures"]),
        ("known", "Known failures", inside["known"]),
        ("not-done", "Claimed but not done", inside["not_done"]),
        ("not-asked", "Not sent", tallies or record.not_run),
        ("readings", "Readings of disputed rules", inside["readings"]),
    )
    return ((name, heading) for name, heading, there in sections if there)


# ---- the facts of the run


def _facts(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the names of facts and the facts: the suite, house rules, how the checks were sent, and when."""
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
    """Return the name of the house rules that were joined to the suite, and that of the ruleset they extend."""
    return f"{record.house['id']}, which extends {record.house['extends']}" if record.house else "none"


def when(record: Record) -> str:
    """Return when the run began and ended, in universal time."""
    day, _, time = record.started.removesuffix("Z").partition("T")
    until = f" to {record.ended.removesuffix('Z').partition('T')[2]}" if record.ended else ""
    return f"{day}, {time}{until} UTC"


# ---- how much passed


@dataclass(frozen=True, slots=True)
class RulesetSummary:
    """A ruleset by its id, with its title if the suite has it, its sum, and its topics and options: each with its count
    and the numbers of its causes."""

    id: str
    title: str
    total: Count
    rows: tuple[tuple[str, Count, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The rulesets of a game; it has no title where there is only one game."""

    title: str
    rulesets: tuple[RulesetSummary, ...]


def _games(record: Record) -> Iterator[GameSummary]:
    """Yield the rulesets that are claimed, by games."""
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


# ---- what went wrong, and what was not asked


@dataclass(frozen=True, slots=True)
class NumberedCause:
    """A cause by its number, with those it may come from, its example, and the other checks that fail for it."""

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


@dataclass(frozen=True, slots=True)
class Tally:
    """Words with how often each is there, folded under a summary."""

    summary: str
    what: str
    counts: tuple[tuple[str, int], ...]


def _not_asked(record: Record) -> Iterator[Tally]:
    """Yield what was not asked, for want of which claim."""
    claimed = record.claimed
    lacking = [each for each in record.results if each.lacks]
    others = Counter(each.ruleset for each in lacking if each.ruleset not in claimed)
    needs = Counter(need for each in lacking if each.ruleset in claimed for need in each.lacks)
    partly = Counter(need for each in record.results for need in each.partly)
    what = "Missing claim"
    yield _tally(f"{plural(others.total(), 'check')} of rulesets that the engine does not claim", "Ruleset", others)
    yield _tally("Checks that need something that the engine does not claim", what, needs)
    yield _tally("Parts left out of checks because the engine does not claim them", what, partly)


def _tally(summary: str, what: str, counts: Mapping[str, int]) -> Tally:
    return Tally(summary, what, tuple(sorted(counts.items())))


def _readings(record: Record) -> Iterator[tuple[str, str, str]]:
    """Yield the rules that are disputed, with their rulesets and how the implementation reads them, as far as seen."""
    for ruleset, cells in (record.readings or {}).items():
        for cell, ways in cells.items():
            yield cell, ruleset, join_and(list(ways), "or")
