"""Results: what became of a check, and of a run."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Any

from ..protocol.messages import Ready
from ..suite.model import Check


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


#: The statuses that count as failed in the totals, and as passed, and as skipped.
FAILED = frozenset({Status.FAIL, Status.ERROR, Status.TIMEOUT, Status.CRASH, Status.UNEXPECTED_PASS})
PASSED = frozenset({Status.PASS, Status.EXPECTED_FAILURE})
SKIPPED = frozenset({Status.SKIPPED})
#: The statuses that a baseline can expect.
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
    """What became of one check. `reading` names the one followed where no source decides; `code` and `reason` say what
    went wrong where there was no mismatch to show."""

    check: Check
    status: Status
    mismatch: Mismatch | None = None
    reading: str = ""
    code: str = ""
    reason: str = ""
    remedy: str = ""

    @property
    def ran(self) -> bool:
        """Whether the implementation was held against the check at all."""
        return self.status not in SKIPPED and self.status is not Status.UNSUPPORTED


def against_baseline(result: Result, known_failures: frozenset[str]) -> Result:
    """The result, seen in the light of the failures that are known."""
    if result.check.id not in known_failures:
        return result
    if result.status in _KNOWN_FAILURES:
        return replace(result, status=Status.EXPECTED_FAILURE)
    if result.status is Status.PASS:
        return replace(result, status=Status.UNEXPECTED_PASS)
    return result


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: who was held against what, what became of each check, and why it stopped early if it did."""

    ready: Ready
    command: tuple[str, ...]
    selected: Sequence[Check]
    results: Sequence[Result]
    gave_up: str = ""

    @property
    def totals(self) -> Mapping[Status, int]:
        """How many checks ended with each status."""
        return Counter(result.status for result in self.results)

    def count(self, statuses: Iterable[Status]) -> int:
        """How many checks ended with one of these statuses."""
        return sum(self.totals[status] for status in statuses)

    @property
    def not_run(self) -> int:
        """How many selected checks were never tried."""
        return len(self.selected) - len(self.results)

    @property
    def exit(self) -> Exit:
        """How the command ends: the gravest thing that happened."""
        if self.gave_up or self.totals[Status.TIMEOUT] or self.totals[Status.CRASH] or self._broken():
            return Exit.ADAPTER_BROKE
        if self.count(FAILED):
            return Exit.UNEXPECTED_RESULT
        if self.not_run or not any(result.ran for result in self.results):
            return Exit.TOO_LITTLE_RAN
        return Exit.AS_EXPECTED

    def _broken(self) -> bool:
        return any(result.status is Status.ERROR and result.code for result in self.results)
