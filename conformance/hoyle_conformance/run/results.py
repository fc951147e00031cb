"""Results: what became of a check, and of a run."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import Any

from ..model import Check
from ..protocol.messages import Ready


class Status(StrEnum):
    """What became of a check."""

    PASS = "pass"  # noqa: S105 -- a word, not a password
    FAIL = "fail"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASH = "crash"
    SKIPPED = "skipped"
    UNSUPPORTED = "unsupported"
    EXPECTED_FAILURE = "expected-failure"
    UNEXPECTED_PASS = "unexpected-pass"  # noqa: S105 -- likewise


class Exit(IntEnum):
    """How the command ends. Never a count."""

    AS_EXPECTED = 0
    UNEXPECTED_RESULT = 1
    ADAPTER_BROKE = 2
    TOO_LITTLE_RAN = 3
    USAGE = 4
    SUITE_INVALID = 5


#: The statuses that count as failed in the totals.
FAILED = frozenset({Status.FAIL, Status.ERROR, Status.TIMEOUT, Status.CRASH, Status.UNEXPECTED_PASS})
#: The failures that a baseline can expect.
_KNOWN_FAILURES = frozenset({Status.FAIL, Status.ERROR, Status.TIMEOUT, Status.CRASH})


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first place where an implementation departs from what is expected: the step (counted from 1), what was
    compared there, and both values."""

    step: int
    what: str
    expected: Any
    observed: Any


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one check.

    `readings` names those that fit where no source decides, the one that the ruleset follows first; `code` and `reason`
    say what went wrong where there was no mismatch to show; `lacks` is what the implementation does not claim, for want
    of which it was not asked, and `partly` what was left out for the same reason; `known` is set where the baseline has
    foreseen it.
    """

    check: Check
    status: Status
    mismatch: Mismatch | None = None
    readings: tuple[str, ...] = ()
    code: str = ""
    reason: str = ""
    remedy: str = ""
    lacks: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    known: bool = False

    @property
    def reading(self) -> str:
        """The readings that fit, in words; none where a source decides."""
        return " or ".join(filter(None, self.readings))

    @property
    def ran(self) -> bool:
        """Whether the implementation was held against the check at all."""
        return self.status not in {Status.SKIPPED, Status.UNSUPPORTED}

    @property
    def broke(self) -> bool:
        """Whether the conversation broke, and nobody had foreseen it."""
        return self.status in {Status.TIMEOUT, Status.CRASH} or (self.status is Status.ERROR and bool(self.code))

    @property
    def left_out(self) -> bool:
        """Whether it was asked, and chose not to answer or could not, though it claims what is needed."""
        return not self.ran and not self.lacks


def against_baseline(result: Result, baseline: frozenset[str]) -> Result:
    """The result, seen in the light of the failures that are known."""
    if result.check.id not in baseline:
        return result
    if result.status in _KNOWN_FAILURES:
        return replace(result, status=Status.EXPECTED_FAILURE, known=True)
    if result.status is Status.PASS:
        reason, remedy = "it is a known failure, and passes now", "Take its line out of the baseline."
        return replace(result, status=Status.UNEXPECTED_PASS, reason=reason, remedy=remedy)
    return replace(result, known=True)


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: who was held against what, what became of each check, which readings of each disputed cell fit
    all that was seen, by ruleset, and why it stopped early if it did."""

    ready: Ready
    command: tuple[str, ...]
    selected: Sequence[Check]
    results: Sequence[Result]
    gave_up: str = ""
    interrupted: bool = False
    readings: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def totals(self) -> Mapping[Status, int]:
        """How many checks ended with each status."""
        return Counter(result.status for result in self.results)

    def count(self, statuses: Iterable[Status]) -> int:
        """How many checks ended with one of these statuses."""
        totals = self.totals
        return sum(totals[status] for status in statuses)

    @property
    def not_run(self) -> int:
        """How many selected checks were never tried."""
        return len(self.selected) - len(self.results)

    @property
    def failures(self) -> Sequence[Result]:
        """The results that count as failed, broken conversations first."""
        return sorted(
            (result for result in self.results if result.status in FAILED),
            key=lambda result: (not result.broke, result.status is not Status.ERROR),
        )

    @property
    def exit(self) -> Exit:
        """How the command ends: the gravest thing that happened."""
        if self.gave_up or any(result.broke for result in self.results):
            return Exit.ADAPTER_BROKE
        if self.failures:
            return Exit.UNEXPECTED_RESULT
        left_out = any(result.left_out and not result.known for result in self.results)
        if self.not_run or left_out or not any(result.ran for result in self.results):
            return Exit.TOO_LITTLE_RAN
        return Exit.AS_EXPECTED
