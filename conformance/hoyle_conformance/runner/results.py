"""Results of checks and of runs, with the causes of failures.

`Guard` and `or_else` turn a fault of Hoyle itself into a result: that check is an error, and the run continues.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from functools import cached_property
from traceback import print_exception
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Self, TypeVar

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol.messages import FAULTS, OF_THE_ANSWER, AdapterInfo, ProtocolError
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.suite.model import Check
from hoyle_conformance.system import DENIED, denied_in

if TYPE_CHECKING:
    from hoyle_conformance.runner.rule_changes import RuleChange


class Status(StrEnum):
    """The outcome of a check in a run."""

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
    """The exit codes of the command. An exit code is never a count."""

    AS_EXPECTED = 0
    UNEXPECTED_RESULT = 1
    ADAPTER_BROKE = 2
    TOO_LITTLE_RAN = 3
    USAGE = 4
    SUITE_INVALID = 5


#: The words of a reason that are used in the name of a cause.
_WORDS_OF_REASON: Final = 8
#: The names of causes for acts that should have been accepted, or refused.
_WENT_WRONG: Final = MappingProxyType({"accepted": "not-accepted", "refused": "not-refused"})
#: The maximum number of characters reported of an error output: a traceback of ten calls, and the lines before it.
_OUTPUT: Final = 1_500
#: The fault of an adapter that does not end by itself and has no other fault.
NEEDS_HELP: Final = "does-not-end"
#: The code of a game of the census that the rules no longer give.
STALE_CENSUS: Final = "stale-census"
#: The observable of a question.
ANSWER: Final = "answer"
#: The kind of failures that another value of a rule explains.
PLAYS_OTHERWISE: Final = "rule"
#: The statuses that count as failed in the totals.
FAILED = frozenset({Status.FAIL, Status.ERROR, Status.TIMEOUT, Status.CRASH})
#: The statuses that are not as expected. A known failure that passes has one of them, but the totals count it as
#: passed.
UNEXPECTED = FAILED | {Status.UNEXPECTED_PASS}
#: The statuses of a check that was not run, and of a conversation that broke.
_NOT_RUN = frozenset({Status.SKIPPED, Status.UNSUPPORTED})
_BROKEN = frozenset({Status.TIMEOUT, Status.CRASH})


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A place where an engine differs from the expectation.

    The place is the step (counted from 1) and the act in it (counted from 0); or the act after the last step, among
    those that complete a run. The other fields are the observable, both values, and the reason given for the act, if
    any.
    """

    step: int
    what: str
    expected: Any
    observed: Any
    act: int = field(default=0, compare=False)
    reason: str = ""
    afterwards: Mapping[str, Any] | None = None


def points_off(mismatch: Any) -> dict[str, int]:
    """Return how many points too many each player has who has a wrong number; the name is empty for a single number. A
    player missing from the points made has none."""
    sides = [each if isinstance(each, Mapping) else {"": each} for each in (mismatch.expected, mismatch.observed)]
    least = 0 if mismatch.what == "scores" else None
    pairs = {name: [side.get(name, least) for side in sides] for name in {*sides[0], *sides[1]}}
    return {name: b - a for name, (a, b) in pairs.items() if type(a) is type(b) is int and a != b}


@dataclass(frozen=True, slots=True)
class SentRequest:
    """The request that was sent for a check, and one observation for each act or question sent."""

    plan: RunRequest
    observed: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A check that fits no remaining reading of a rule: the path of the cell, the readings that fit here, and those
    that fit in another check."""

    path: str
    here: tuple[str, ...]
    there: tuple[str, ...]
    other: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one check, as codes and values; `reports/words.py` has the sentences.

    `mismatch` is the first; those of `later` steps may follow from it. `readings` names those that fit if no source
    decides, starting with the one that the ruleset follows; `together` are the combinations of other readings that fit
    if none of `readings` does. If there is no mismatch, `code` says what went wrong, with the `reason` and the end of
    the error `output` of the adapter, or with a `contradiction`. `lacks` are the missing claims because of which the
    check was not sent, and `partly` the parts left out for the same reason. `expected_status` is that of the baseline
    line for the check, if any (`expected_by` names that line if the check passes), and `known` is set if the result
    matches it. `milliseconds` is the time that the adapter took. `sent` is kept if something went wrong.
    """

    check: Check
    status: Status
    mismatch: Mismatch | None = None
    readings: tuple[str, ...] = ()
    code: str = ""
    reason: str = ""
    remedy: str = ""
    output: str = ""
    contradiction: Contradiction | None = None
    lacks: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    known: bool = False
    expected_status: Status | None = None
    expected_by: str = ""
    later: tuple[Mismatch, ...] = ()
    together: tuple[frozenset[tuple[str, str]], ...] = ()
    milliseconds: int = field(default=0, compare=False)
    sent: SentRequest | None = field(default=None, compare=False, repr=False)

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """Every step that went wrong, in order."""
        return (self.mismatch, *self.later) if self.mismatch else ()

    @property
    def independent(self) -> tuple[Mismatch, ...]:
        """The mismatches that cannot follow from earlier ones: those up to the first act, since questions change
        nothing."""
        acts = (at for at, each in enumerate(self.mismatches, start=1) if each.what != ANSWER)
        return self.mismatches[: next(acts, None)]

    @property
    def reading(self) -> str:
        """The readings that fit, in words; empty if a source decides."""
        return " or ".join(filter(None, self.readings))

    @property
    def ran(self) -> bool:
        """Whether the adapter ran the check at all."""
        return self.status not in _NOT_RUN

    @property
    def observed_status(self) -> Status:
        """The status without a baseline."""
        if self.status is Status.EXPECTED_FAILURE:
            return self.expected_status or Status.FAIL
        return Status.PASS if self.status is Status.UNEXPECTED_PASS else self.status

    @property
    def differs_from_baseline(self) -> bool:
        """Whether the baseline expects another status and the check does not pass."""
        return bool(self.expected_status) and not self.known and self.status is not Status.UNEXPECTED_PASS

    @property
    def broke(self) -> bool:
        """Whether the conversation had a fault that the baseline did not expect."""
        return self.status in _BROKEN or (self.status is Status.ERROR and self.code in FAULTS)

    @property
    def ended(self) -> bool:
        """Whether the conversation could not go on."""
        return self.broke and self.code not in OF_THE_ANSWER

    @property
    def left_out(self) -> bool:
        """Whether the check was sent and declined, although everything that it needs is claimed."""
        return not self.ran and not self.lacks


def fault_result(check: Check, fault: ProtocolError) -> Result:
    """Return the result of a check in which the conversation failed, with everything reported about the fault."""
    said = Result(check, Status(fault.status), code=fault.code, reason=fault.message, remedy=fault.remedy)
    return replace(said, output=fault.stderr[-_OUTPUT:])


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure in a check: the mismatch, if anything was compared."""

    result: Result
    mismatch: Mismatch | None = None

    @property
    def line(self) -> int:
        """The line, in the scenario's file, of the step that went wrong or from which the question was derived; the
        line of the first step if nothing was compared, and that of the game for a game of the census."""
        scenario = self.result.check.scenario
        if self.mismatch is None:
            return scenario.document.line_of(scenario.place)
        step, origins = self.mismatch.step, self.result.check.origins
        return scenario.document.line_of([*scenario.place, (origins[step - 1].step if origins else step) - 1])


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Failures that went wrong in the same way, starting with the one that is easiest to understand.

    `kind` is the observable that was compared, the first if a rule shows in several; or the status if none was. For the
    failures in this observable, `word` is the common act or question, `refusal` the reason why the rules refuse it, and
    `reason` the one that the engine gave; `cell` is the rule at work. Each is empty if there is none. `part` is the
    part of an answer that is wrong, if its amount shows it. `comes_from` are the ids of the causes that it may follow
    from; `nth` distinguishes it from others with the same words. A `change` of the rule explains the failures, or they
    are `unexplained`: no other value of a rule was found that does. With both, the change explains only some of them.
    """

    kind: str
    failures: tuple[Failure, ...]
    word: str = ""
    asks: bool = False
    refusal: str = ""
    reason: str = ""
    cell: str = ""
    part: str = ""
    comes_from: tuple[str, ...] = ()
    nth: int = 1
    change: "RuleChange | None" = None
    unexplained: bool = False

    @property
    def id(self) -> str:
        """An id made of words, the same for the same failures."""
        reason = "-".join(re.findall(r"[\w.]+", self.reason)[:_WORDS_OF_REASON])
        parts = (self.word, _WENT_WRONG.get(self.kind, self.kind).replace(" ", "-"), self.refusal, self.cell, reason)
        return "/".join(filter(None, (*parts, str(self.nth) if self.nth > 1 else "")))

    @property
    def example(self) -> Failure:
        """The failure that is easiest to understand."""
        return self.failures[0]

    @property
    def checks(self) -> tuple[str, ...]:
        """The ids of the checks that fail for this cause, each once."""
        return tuple(dict.fromkeys(each.result.check.id for each in self.failures))

    @property
    def points_off(self) -> int:
        """The number of points that a player has too many in every failure, negative if too few; 0 if there is no such
        number."""
        off = (points_off(each.mismatch) if each.mismatch else {} for each in self.failures)
        common = set.intersection(*({points for player, points in each.items() if player} for each in off))
        return common.pop() if len(common) == 1 else 0

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The rulesets in which the cause appears."""
        return tuple(sorted({each.result.check.ruleset for each in self.failures}))

    @property
    def broke(self) -> bool:
        """Whether the conversation broke."""
        return self.example.result.broke


@dataclass(frozen=True)
class Run:
    """A finished run: the adapter, the checks and their results.

    `stopped` is the reason if it ended early. The other fields are the readings of each disputed cell that fit all
    results, by ruleset; the causes of the failures; and the fault in how the adapter ended.
    """

    ready: AdapterInfo
    command: tuple[str, ...]
    selected: Sequence[Check]
    results: Sequence[Result]
    stopped: Stop | None = None
    readings: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    causes: Sequence[FailureGroup] = ()
    ending: ProtocolError | None = None

    @property
    def gave_up(self) -> bool:
        """Whether the run was stopped because too many conversations broke."""
        return self.stopped is not None and self.stopped.code in {StopCode.BROKE_IN_A_ROW, StopCode.BROKE_IN_ALL}

    @property
    def interrupted(self) -> bool:
        """Whether the run was stopped from outside."""
        return self.stopped is not None and not self.gave_up and self.stopped.code is not StopCode.ENOUGH_FAILURES

    @cached_property
    def totals(self) -> Mapping[Status, int]:
        """The number of checks with each status."""
        return Counter(result.status for result in self.results)

    def count(self, statuses: Iterable[Status]) -> int:
        """Return the number of checks with one of these statuses."""
        return sum(self.totals[status] for status in statuses)

    @cached_property
    def not_run(self) -> Sequence[Check]:
        """The selected checks that have no result."""
        tried = {result.check.id for result in self.results}
        return [check for check in self.selected if check.id not in tried]

    @property
    def ended_badly(self) -> bool:
        """Whether the adapter's last fault was worse than having to be ended by Hoyle."""
        return self.ending is not None and self.ending.code != NEEDS_HELP

    @cached_property
    def failures(self) -> Sequence[Result]:
        """The results that are not as expected."""
        return [result for result in self.results if result.status in UNEXPECTED]

    @property
    def nothing_passed(self) -> bool:
        """Whether the baseline expected every failure and no check passed."""
        return self.totals[Status.EXPECTED_FAILURE] > 0 and not self.count(UNEXPECTED | {Status.PASS})

    @cached_property
    def exit(self) -> Exit:
        """The exit code of the run: that of its most serious result.

        If no check passed, the baseline is disregarded, and the exit code is the one without it.
        """
        if any(result.code == STALE_CENSUS for result in self.results):
            return Exit.SUITE_INVALID
        if self.gave_up or self.ended_badly or any(result.broke for result in self.results):
            return Exit.ADAPTER_BROKE
        if self.failures:
            return Exit.UNEXPECTED_RESULT
        left_out = any(result.left_out and not result.known for result in self.results)
        if self.not_run or left_out or not any(result.ran for result in self.results):
            return Exit.TOO_LITTLE_RAN
        if self.nothing_passed:
            broke = any(replace(result, status=result.observed_status).broke for result in self.results)
            return Exit.ADAPTER_BROKE if broke else Exit.UNEXPECTED_RESULT
        return Exit.AS_EXPECTED


# ---- faults of Hoyle itself


Made = TypeVar("Made")
P = ParamSpec("P")

OWN_FAULT: Final = "broken-judging"
#: The environment variable that makes Hoyle print tracebacks of its own faults.
DEBUG: Final = "HOYLE_DEBUG"
_LONGEST: Final = 265  # the maximum number of characters of an error


class Guard:
    """A part of a check in which Hoyle itself may fail. In that case the rest of the part is skipped, and `broken` is
    the result of the check."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self.broken: Result | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> bool:
        """Record a fault of Hoyle; pass on errors that concern no single check: an operation denied by the system, or
        an invalid schema."""
        if isinstance(error, Exception) and not (isinstance(error, Invalid) or denied_in(error)):
            _debug(error)
            reason = f"{type(error).__name__}: {error}"[:_LONGEST]
            self.broken = Result(self._check, Status.ERROR, code=OWN_FAULT, reason=reason)
        return self.broken is not None


def or_else(otherwise: Made, make: Callable[P, Made], *args: P.args, **kwargs: P.kwargs) -> Made:
    """Return what `make` returns for a report, or `otherwise` if Hoyle itself fails; raises errors of operations that
    the system denies."""
    try:
        return make(*args, **kwargs)
    except DENIED:
        raise
    except Exception as error:  # noqa: BLE001 -- the rest of the report has nothing to do with it
        _debug(error)
        return otherwise


def _debug(error: Exception) -> None:
    if os.environ.get(DEBUG):
        print_exception(error)
