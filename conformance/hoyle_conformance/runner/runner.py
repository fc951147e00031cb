"""Running: every selected check, whatever the implementation does, and the results in the order of the checks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hoyle_conformance.checks.adapt.adapt import Putting
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.ask_questions import Questions, new_questions
from hoyle_conformance.runner.baseline import BaselineLine, against_baseline
from hoyle_conformance.runner.deadline import DeadlinePassed, deadline
from hoyle_conformance.runner.execute import CheckRunner
from hoyle_conformance.runner.guard import guarded, or_else
from hoyle_conformance.runner.in_flight import at_once
from hoyle_conformance.runner.interleave import InTurn
from hoyle_conformance.runner.interrupts import INTERRUPTION
from hoyle_conformance.runner.late_faults import LateFaults
from hoyle_conformance.runner.readings import Readings
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.results import FAILED, FailureGroup, Result, Run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from hoyle_conformance.runner.jobs import Helper

#: Puts a check to an implementation, by the number of the message, and says what becomes of it.
Ask = Callable[[Suite, Implementation, AdapterInfo, int, Check], Result]
#: Is told what became of each check, in order.
Watch = Callable[[Result], object]
#: After so many scenarios in a row in which the conversation broke nothing better is to be expected; nor after so many
#: checks in all, for each of which the implementation was started again.
GIVE_UP_AFTER: Final = 3
GIVE_UP_AFTER_IN_ALL: Final = 100
_INTERRUPTED: Final = "interrupted"
_LOST: Final = "a process of Hoyle itself has ended before it had done its share of the checks"


class _Lost(Exception):
    """Another process of this run is gone."""


def _nobody_watches(_result: Result) -> None:
    """Where nobody wants to know how far a run is."""


def run(
    suite: Suite,
    implementation: Implementation,
    selected: Sequence[Check],
    known_failures: Mapping[str, BaselineLine] = MappingProxyType({}),
    recorder: Recorder | None = None,
    helpers: Sequence["Helper"] = (),
    ask: Ask | None = None,
    seconds: float | None = None,
    log: InTurn | None = None,
    most_failures: int | None = None,
    watch: Watch = _nobody_watches,
) -> Run:
    """Hold an implementation against the checks, with the help of other processes if there are any, each put to it as
    it claims, or by `ask`, for so many seconds at most, and until so many checks have failed that nobody expected;
    what it says may go into a `log` in turn with them, and who watches is told each result. Raises Fault where it
    cannot even be spoken to, and DeadlinePassed where it is not ready in time."""
    recorder = recorder or Recorder(suite)
    taking = Taking(suite, recorder, known_failures, most_failures, watch)
    try:
        with deadline(seconds):
            ready = introduced(implementation)
            recorder.begin(ready, implementation.command, selected)
            putting = Putting(suite, ready)
            questions = Questions() if ask or implementation.trusted else new_questions(putting, selected)
            asking = CheckRunner(implementation, putting, questions)
            begin = at_once(partial(ask, suite, implementation, ready)) if ask else asking.begin
            own = LateFaults(implementation, begin, log.given) if log else LateFaults(implementation, begin)
            for helper in helpers:
                helper.begin(ready, questions)
            stopped = _measured(taking, own, helpers, selected)
        finished = taking.finished(ready, implementation, selected, stopped)
        recorder.end(finished)
        return finished
    finally:
        _end(implementation, helpers, log)


def _measured(taking: "Taking", own: LateFaults, helpers: Sequence["Helper"], selected: Sequence[Check]) -> str:
    """Take the results in the order of the checks, and those that there are where the run is stopped: why, if it is."""
    try:
        taking.take_until_stopped(_in_turn(own, helpers, selected))
    except (KeyboardInterrupt, _Lost) as why:
        taking.take_all(_measured_meanwhile(own, helpers, selected))
        return str(why) or _INTERRUPTED
    return ""


def _end(implementation: Implementation, helpers: Sequence["Helper"], log: InTurn | None) -> None:
    """End whatever has been started: all are told before any is waited for."""
    for helper in helpers:
        helper.stop()
    implementation.close()
    if log:
        log.rest()
    for helper in helpers:
        helper.end()


def introduced(implementation: Implementation) -> AdapterInfo:
    """Return what an implementation says of itself; raises Fault, and DeadlinePassed if the deadline comes first."""
    try:
        with INTERRUPTION.while_waiting():
            return implementation.introduce()
    except KeyboardInterrupt as why:
        if INTERRUPTION.why:
            raise DeadlinePassed(INTERRUPTION.why) from why
        raise


@dataclass(slots=True)
class Taking:
    """What is taken of the results of a run: each seen in the light of the failures that are known, and recorded; and
    why it was given up, or ended because enough had failed, if it was."""

    suite: Suite
    recorder: Recorder
    known: Mapping[str, BaselineLine]
    most_failures: int | None = None
    watch: Watch = _nobody_watches
    done: list[Result] = field(default_factory=list)
    gave_up: str = ""
    enough: str = ""
    _failed: int = 0
    _broken_in_a_row: set[str] = field(default_factory=set)
    _broken: int = 0
    _readings: Readings = field(init=False)

    def __post_init__(self) -> None:
        self._readings = Readings(self.suite)

    def take_until_stopped(self, results: Iterable[Result]) -> None:
        """Take these, until too many conversations have broken, or as many checks have failed as may.

        In a row means in the order of the checks, so that it does not matter how many processes there are; and a
        scenario counts once, under however many rulesets it is asked.
        """
        for each in results:
            self.take_all([each])
            self._count(self.done[-1])
            if len(self._broken_in_a_row) == GIVE_UP_AFTER:
                self.gave_up = f"gave up after {GIVE_UP_AFTER} scenarios in a row in which the conversation broke"
            elif self._broken == GIVE_UP_AFTER_IN_ALL:
                self.gave_up = f"gave up after {GIVE_UP_AFTER_IN_ALL} checks in which the conversation broke"
            elif self._failed == self.most_failures:
                self.enough = f"ended after {self._failed} failure{'s' * (self._failed > 1)}, as asked"
            if self.gave_up or self.enough:
                return

    def _count(self, seen: Result) -> None:
        """How much has gone wrong, in all and in a row."""
        self._failed += seen.status in FAILED
        if seen.ended:
            self._broken_in_a_row.add(seen.check.scenario.id)
            self._broken += 1
        elif seen.ran and not seen.known:
            self._broken_in_a_row.clear()

    def take_all(self, results: Iterable[Result]) -> None:
        """Take these, whatever they are."""
        for each in results:
            became = guarded(each.check, partial(self._readings.take, each))
            became = against_baseline(became, self.known)
            self.done.append(became)
            written = guarded(became.check, partial(self._written, became))
            if written is not became:
                self.done[-1] = self._written(written)
            self.watch(self.done[-1])

    def _written(self, result: Result) -> Result:
        self.recorder.add(result)
        return result

    def finished(
        self, ready: AdapterInfo, implementation: Implementation, selected: Sequence[Check], stopped: str
    ) -> Run:
        """The run as a whole."""
        return Run(
            ready,
            implementation.command,
            selected,
            self.done,
            self.gave_up,
            stopped,
            or_else({}, self._readings.followed),
            _causes(self.suite, self.done),
            implementation.ending,
            self.enough if len(self.done) < len(selected) else "",
        )


def _causes(suite: Suite, results: Sequence[Result]) -> Sequence[FailureGroup]:
    """The causes of all failures; a failure of which Hoyle cannot find it is an error of its own."""
    if all(each.status not in FAILED for each in results):
        return ()
    from hoyle_conformance.runner.group_failures import causes  # most runs have nothing that must be told apart

    def told(result: Result) -> Result:
        causes(suite, [result])
        return result

    found = or_else(None, partial(causes, suite, results))
    if found is None:
        found = or_else(None, partial(causes, suite, [guarded(each.check, partial(told, each)) for each in results]))
    return found or ()


def _in_turn(own: LateFaults, helpers: Sequence["Helper"], selected: Sequence[Check]) -> Iterator[Result]:
    """The results in the order of the checks: one of each process, again and again."""
    numbered = list(enumerate(selected, start=1))[:: len(helpers) + 1]
    shares = [(became for _, became in own.results(numbered)), *(helper.results() for helper in helpers)]
    for number in range(len(selected)):
        with INTERRUPTION.while_waiting():
            became = next(shares[number % len(shares)], None)
        if became is None:
            raise _Lost(_LOST)
        yield became


def _measured_meanwhile(own: LateFaults, helpers: Sequence["Helper"], selected: Sequence[Check]) -> list[Result]:
    """The results that each process has beyond the one that was waited for when the run was interrupted."""
    for helper in helpers:
        helper.stop()
    place = {check.id: number for number, check in enumerate(selected)}
    held = (became for _, became in own.left())
    return sorted(chain(held, *(helper.results() for helper in helpers)), key=lambda each: place[each.check.id])
