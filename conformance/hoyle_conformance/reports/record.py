"""The record of a run as a value: the adapter, the result of each check, and the causes of the failures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final

from hoyle_conformance.reports.words import phrase
from hoyle_conformance.runner.results import FAILED, UNEXPECTED, Exit, Status
from hoyle_conformance.suite.model import topic_of
from hoyle_conformance.wording.failure_view import CauseView, FailureView

#: The statuses of checks that were not compared with the implementation at all.
NOT_ASKED: Final = frozenset({Status.SKIPPED, Status.UNSUPPORTED})


def epoch_seconds(time: str) -> int:
    """Return a time of a record in seconds since 1970; raises ValueError if it is not a time."""
    return int(datetime.strptime(time, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


@dataclass(frozen=True, slots=True)
class NamedRuleset:
    """A ruleset's title, its game, and the number of its checks in the suite, selected or not."""

    title: str
    game: str
    checks: int


@dataclass(frozen=True, slots=True)
class RecordedAdapter:
    """The adapter's introduction, and the command that started it, if any."""

    name: str
    version: str
    language: str
    rulesets: frozenset[str]
    command: tuple[str, ...]
    claims: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """The engine's name and version, on one line."""
        return " ".join(f"{self.name} {self.version}".split())


class NamesCheck:
    """A value that names a check by its id, with the parts of the id."""

    __slots__ = ()
    check: str

    @property
    def scenario(self) -> str:
        """The id of the check's scenario."""
        return self.check.partition("@")[0]

    @property
    def ruleset(self) -> str:
        """The check's ruleset, with the option, if any."""
        return self.check.partition("@")[2]

    @property
    def topic(self) -> str:
        """The check's topic."""
        return topic_of(self.scenario)


@dataclass(frozen=True, slots=True)
class Checked(NamesCheck):
    """The recorded result of one check.

    `line` is 0 if nothing went wrong. `mismatches` have the form of the record. `expected_status` is the status that
    the baseline expects, if it names the check, and `known` is set if the result matches it. `failure` is the recorded
    failure, if the check failed.
    """

    check: str
    title: str
    file: str
    cites: tuple[str, ...]
    status: Status
    milliseconds: int
    line: int = 0
    code: str = ""
    reason: str = ""
    remedy: str = ""
    readings: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    known: bool = False
    expected_status: str | None = None
    computed: bool = False
    mismatches: tuple[Mapping[str, Any], ...] = ()
    failure: FailureView | None = None

    @property
    def failed(self) -> bool:
        """Whether the check failed and the baseline does not expect that."""
        return self.status in FAILED


@dataclass(frozen=True)
class Record:
    """The record of one run, from its `file`, which is named as printed.

    `again` are the words that begin the command to repeat a check. `stopped` is the reason if the run ended early,
    `ending` the fault in how the adapter ended, and `explained` the reason for an exit code other than 0. `house` are
    the house rules, as written; `shard` is the part of a divided selection, such as ``2/5``; `sandbox` is that of the
    adapter. A record that was `cut_off` has no end: no time, causes or exit code.
    """

    file: str
    hoyle: str
    suite: str
    digest: str
    implementation: RecordedAdapter
    started: str
    selected: int
    seed: str | None
    again: tuple[str, ...]
    rulesets: Mapping[str, NamedRuleset]
    results: Sequence[Checked]
    causes: Sequence[CauseView] = ()
    readings: Mapping[str, Mapping[str, Sequence[str]]] | None = None
    ended: str = ""
    exit: int | None = None
    stopped: str = ""
    ending: str = ""
    explained: str = ""
    house: Mapping[str, Any] | None = None
    shard: str = ""
    sandbox: Mapping[str, Any] | None = None

    @property
    def cut_off(self) -> bool:
        """Whether the end of the record is missing."""
        return self.exit is None

    @cached_property
    def by_check(self) -> Mapping[str, Checked]:
        """The results by check id."""
        return {each.check: each for each in self.results}

    @cached_property
    def of_rulesets(self) -> Mapping[str, Sequence[Checked]]:
        """The results of each ruleset with selected checks."""
        found: dict[str, list[Checked]] = {name: [] for name in self.rulesets}
        for each in self.results:
            found[each.ruleset].append(each)
        return found

    @cached_property
    def claimed(self) -> Mapping[str, Sequence[Checked]]:
        """The results of each ruleset that the implementation claims, or that was sent under another name."""
        asked = {each.ruleset for each in self.results if each.status not in NOT_ASKED}
        names = asked | self.implementation.rulesets
        return {name: results for name, results in self.of_rulesets.items() if name in names}

    @cached_property
    def totals(self) -> Mapping[Status, int]:
        """The number of checks with each status."""
        return Counter(each.status for each in self.results)

    @property
    def failures(self) -> Sequence[Checked]:
        """The failures that the baseline does not expect."""
        return [each for each in self.results if each.failed]

    @property
    def broken(self) -> str:
        """The reason, beyond its results, why the run as a whole is not as expected; empty if it is.

        From the results alone, a run that was cut off, or in which little ran, would look good.
        """
        left = phrase("record.not-run", count=self.not_run, selected=self.selected)
        if self.cut_off:
            return phrase("record.cut-off", left=left)
        if self.stopped:
            return phrase("record.stopped", why=f"{self.stopped[:1].upper()}{self.stopped[1:]}", left=left)
        if self.ending:
            return phrase("ending.why", reason=self.ending)
        if self.exit == Exit.TOO_LITTLE_RAN:
            return self.explained or phrase("record.skipped")
        if self.nothing_passed:
            return self.explained or phrase("record.nothing-passed")
        return ""

    @property
    def nothing_passed(self) -> bool:
        """Whether the baseline expected every failure and no check passed."""
        return self.count(Status.EXPECTED_FAILURE) > 0 and not self.count(Status.PASS, *UNEXPECTED)

    @property
    def not_run(self) -> int:
        """The number of selected checks that were never tried."""
        return max(0, self.selected - len(self.results))

    def count(self, *statuses: Status) -> int:
        """Return the number of checks with one of these statuses."""
        return sum(self.totals.get(each, 0) for each in statuses)
