"""The record of an engine: a run, in the form that the site shows on the engine's page."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.reports.load_record import read_record, record_files
from hoyle_conformance.reports.record import Checked, NamesCheck, Record
from hoyle_conformance.reports.summary import NOTHING, Count, count
from hoyle_conformance.runner.results import FAILED, Status
from hoyle_conformance.wording.failure_view import RuleAtWork

#: The maximum length of a text that an engine reported.
_LONGEST: Final = 300  # characters
#: Match the name of a file without its extension, which is also the name of the engine's page.
_ID: Final = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
#: The folder of the adapters that Hoyle's makers have written for engines of other people.
_OUTSIDE: Final = "workbench/outside/"
_FAILED: Final = FAILED | {Status.EXPECTED_FAILURE}


@dataclass(frozen=True, slots=True)
class RulesetCounts:
    """A ruleset that an engine was checked against: its title, its game, and the counts of each topic."""

    title: str
    game: str
    topics: Mapping[str, Count]

    @property
    def total(self) -> Count:
        """The count of all topics."""
        return sum(self.topics.values(), NOTHING)


@dataclass(frozen=True, slots=True)
class KnownCause:
    """A cause in words, the number of checks that fail for it, and the rule that the engine breaks, if one explains the
    cause."""

    says: str
    checks: int
    rule: RuleAtWork | None


@dataclass(frozen=True, slots=True)
class ShortFailure(NamesCheck):
    """A failed check by its id and title, with the expected and observed values, or the reason."""

    check: str
    title: str
    expected: str
    observed: str
    reason: str


@dataclass(frozen=True)
class EngineRecord:
    """The run of an engine, by the `id` of its file."""

    id: str
    record: Record
    rulesets: Mapping[str, RulesetCounts]
    causes: Sequence[KnownCause]
    failures: Sequence[ShortFailure]

    @cached_property
    def total(self) -> Count:
        """The count of all checks."""
        return sum((each.total for each in self.rulesets.values()), NOTHING)

    @property
    def is_outside(self) -> bool:
        """Whether Hoyle's makers wrote the adapter, and not the engine's author."""
        return any(_OUTSIDE in word for word in self.record.implementation.command)


def engine_of(id_: str, record: Record) -> EngineRecord:
    """Return the run of an engine, as its page shows it."""
    causes = [each for each in record.causes if record.by_check[each.checks[0]].status in _FAILED]
    return EngineRecord(
        id_,
        record,
        rulesets=_rulesets(record),
        causes=[KnownCause(_cut(each.says), len(each.checks), each.rule) for each in causes],
        failures=[_failure(each) for each in record.results if each.status in _FAILED],
    )


def read_engines(folder: Path) -> Iterator[EngineRecord]:
    """Yield the runs recorded in a folder, sorted by file name; none if there is no such folder. Raises Invalid."""
    for path in record_files(folder):
        name = path.name.removesuffix(".gz").removesuffix(".jsonl")
        if not _ID.fullmatch(name):
            message = "the name of the file has other characters than a-z, 0-9, '.' and '-'"
            remedy = "Name the file after the engine and its version: my-engine-1.0.jsonl."
            raise Invalid([Diagnostic(shown_path(path), 1, 1, "engine", message, remedy)])
        yield engine_of(name, read_record(path))


def _rulesets(record: Record) -> Mapping[str, RulesetCounts]:
    """Return the counts of each claimed ruleset for which a check was sent, by topic."""
    found = {}
    for name, results in record.claimed.items():
        topics: dict[str, list[Checked]] = {}
        for each in results:
            topics.setdefault(each.topic, []).append(each)
        known = record.rulesets[name]
        tested = RulesetCounts(known.title, known.game, {topic: _count(topics[topic]) for topic in sorted(topics)})
        if tested.total.asked:
            found[name] = tested
    return found


def _count(results: Sequence[Checked]) -> Count:
    """Return the count of a topic; known failures count as failures."""
    of = count(results)
    return Count(passed=of.passed, failed=of.failed + of.known, not_asked=of.not_asked)


def _failure(of: Checked) -> ShortFailure:
    """Return the expected and observed values of a check, or the reason if nothing could be compared."""
    view = of.failure
    if view and (view.expected or view.observed):
        return ShortFailure(of.check, of.title, _cut(view.expected), _cut(view.observed), "")
    return ShortFailure(of.check, of.title, "", "", _cut(of.reason))


def _cut(words: str) -> str:
    """Return a text on one line, cut to `_LONGEST` characters."""
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
