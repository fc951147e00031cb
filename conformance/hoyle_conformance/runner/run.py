"""Run checks: adapt, send and judge each selected check, and return the results in the order of the checks.

`AdapterRun.results` is the loop, and `run` calls it. `ChecksInFlight` keeps one request ahead: the adapter answers it
while Hoyle judges the previous response. An adapter may answer and then crash, or write an extra line, so a check is
held until the adapter has answered another request or has ended. A late fault is charged to the check that caused it:
correcting a recorded result would need two lines in the record, and a crash caused by an earlier request does not recur
when only the suspected check is sent again.

`RunProgress` compares each result with the baseline, records it, and stops a run in which too much goes wrong.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from time import perf_counter_ns
from types import MappingProxyType
from typing import Any, Final, Protocol

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.protocol.adapters import Implementation, SentRun
from hoyle_conformance.protocol.messages import AdapterInfo, LateFault, ProtocolError, Response
from hoyle_conformance.runner.baseline import BaselineLine, compare_with_baseline
from hoyle_conformance.runner.checker import Checker, Questions
from hoyle_conformance.runner.interrupts import INTERRUPTION, DeadlinePassed, Stop, StopCode, deadline
from hoyle_conformance.runner.readings import Readings
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.results import (
    UNEXPECTED,
    FailureGroup,
    Guard,
    Result,
    Run,
    SentRequest,
    Status,
    fault_result,
    or_else,
)
from hoyle_conformance.runner.select import is_game
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

# ---- checks in flight


_IN_A_MILLISECOND: Final = 1_000_000  # nanoseconds
_RUN: Final = b'{"type":"run","seq":'


@dataclass(slots=True)
class InFlight:
    """A check in flight, by the `seq` of its message.

    It has a request, or a result if nothing is sent; then the response, or a result if Hoyle itself fails; and finally
    the result. The time is that of the adapter.
    """

    number: int
    check: Check
    request: Adapted | Result
    sent: SentRun | None = None
    response: Response | ProtocolError | Result | None = None
    result: Result | None = None
    nanoseconds: int = 0

    @property
    def sent_check(self) -> Check:
        """The check of the result: the standalone questions, if they are sent in its place."""
        return self.request.check if self.request.check.origins else self.check

    @property
    def milliseconds(self) -> int:
        """The time that the adapter took, in whole milliseconds."""
        return self.nanoseconds // _IN_A_MILLISECOND


class HeldLog:
    """A log that holds the lines about each check until the check is released, so that the lines of several adapters
    are in the order of the checks."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._number = 0
        self._lines: list[tuple[int, bytes]] = []

    def __call__(self, line: bytes) -> None:
        """Hold a line to or from an adapter; it concerns the check sent last."""
        if line.startswith(_RUN):
            self._number = int(line.removeprefix(_RUN).partition(b",")[0])
        self._lines.append((self._number, line))

    def write_until(self, number: int) -> None:
        """Write the lines up to those about the check with this number."""
        while self._lines and self._lines[0][0] <= number:
            self._write(self._lines.pop(0)[1])

    def write_all(self) -> None:
        """Write the remaining lines."""
        self.write_until(self._number)


@dataclass(slots=True)
class ChecksInFlight:
    """The checks in flight with one adapter: those `held` because their results may still change, by number; the number
    sent last; and the fault in how the adapter ended, if any."""

    adapter: Implementation
    log: HeldLog | None = None
    held: dict[int, InFlight] = field(default_factory=dict)
    last_sent: int = 0
    ending: ProtocolError | None = None

    def send(self, current: InFlight) -> None:
        """Send the request of a check, if it has one, without waiting for the response."""
        request = current.request
        if isinstance(request, Result):
            return
        self.last_sent = current.number
        began = perf_counter_ns()
        with Guard(current.check) as guard:
            current.sent = self.adapter.send(current.number, request.plan.message)
        current.result = guard.broken
        current.nanoseconds = perf_counter_ns() - began

    def receive(self, current: InFlight) -> Sequence[InFlight]:
        """Wait for the response to a check, if it was sent, and hold the check. Return the checks held before whose
        results are now final. A late fault becomes the result of the previous check."""
        certain: Sequence[InFlight] = ()
        if current.sent:
            began = perf_counter_ns()
            current.response = self._response(current.sent_check, current.sent)
            current.nanoseconds += perf_counter_ns() - began
            if not isinstance(current.response, Result):
                self._charge(current.response.late)
            certain = list(self.held.values())
        self.held[current.number] = current
        return certain

    def _response(self, check: Check, sent: SentRun) -> Response | ProtocolError | Result:
        with Guard(check) as guard:
            try:
                return self.adapter.receive(sent)
            except ProtocolError as fault:
                return fault.alone()  # its traceback holds the whole response
        assert guard.broken, "what is neither received nor broken is raised"
        return guard.broken

    def _charge(self, late: LateFault | None) -> None:
        cause = self.held.get(late.seq) if late else None
        if late and cause:
            cause.result = replace(fault_result(cause.sent_check, late.fault), milliseconds=cause.milliseconds)

    def end(self) -> None:
        """End the adapter, and charge any fault in how it ended to the check answered last."""
        self.ending, late = self.adapter.end()
        self._charge(late)

    def release(self, held: InFlight) -> None:
        """Release a check and the lines of the log about it."""
        del self.held[held.number]
        if self.log:
            self.log.write_until(held.number)


# ---- the progress of a run


#: The run stops after this many scenarios in a row whose conversation broke, or after this many such checks in all.
#: Each of these checks restarts the adapter.
GIVE_UP_AFTER: Final = 3
GIVE_UP_AFTER_IN_ALL: Final = 100


@dataclass(slots=True)
class RunProgress:
    """The results of a run so far, each compared with the baseline and recorded. `stopped` is the reason if the run
    stopped early: too many conversations broke, or as many checks failed as are allowed."""

    suite: Suite
    recorder: Recorder
    known: Mapping[str, BaselineLine]
    most_failures: int | None = None
    watch: Callable[[Result], object] | None = None
    results: list[Result] = field(default_factory=list)
    stopped: Stop | None = None
    _failed: int = 0
    _broken_in_a_row: set[str] = field(default_factory=set)
    _broken: int = 0
    _readings: Readings = field(init=False)

    def __post_init__(self) -> None:
        self._readings = Readings(self.suite)

    def add(self, result: Result) -> None:
        """Add a result: compare it with the remaining readings and with the baseline."""
        with Guard(result.check) as guard:
            result = self._readings.take(_with_acts(self.suite, result))
        result = compare_with_baseline(guard.broken or result, self.known)
        self.results.append(result)
        with Guard(result.check) as guard:
            self.recorder.add(result)
        if guard.broken:
            self.results[-1] = result = guard.broken
            self.recorder.add(result)
        if self.watch:
            self.watch(result)
        self._count(result)

    def _count(self, result: Result) -> None:
        """Count the faults and failures, and stop the run if there are too many.

        Faults in a row are counted in the order of the checks, so the number of processes does not matter. A scenario
        counts once, regardless of the number of rulesets.
        """
        self._failed += result.status in UNEXPECTED
        if result.ended:
            self._broken_in_a_row.add(result.check.scenario.id)
            self._broken += 1
        elif result.ran and not result.known:
            self._broken_in_a_row.clear()
        if len(self._broken_in_a_row) == GIVE_UP_AFTER:
            self.stopped = Stop(StopCode.BROKE_IN_A_ROW, GIVE_UP_AFTER)
        elif self._broken == GIVE_UP_AFTER_IN_ALL:
            self.stopped = Stop(StopCode.BROKE_IN_ALL, GIVE_UP_AFTER_IN_ALL)
        elif self._failed == self.most_failures:
            self.stopped = Stop(StopCode.ENOUGH_FAILURES, self._failed)

    def finish(
        self,
        info: AdapterInfo,
        command: tuple[str, ...],
        selected: Sequence[Check],
        interrupted: Stop | None,
        ending: ProtocolError | None,
    ) -> Run:
        """Return the run as a whole. A failure of the last check does not count as stopping the run."""
        whole = self.stopped and self.stopped.code is StopCode.ENOUGH_FAILURES and len(self.results) == len(selected)
        stopped = interrupted or (None if whole else self.stopped)
        readings, causes = or_else({}, self._readings.followed), _causes(self.suite, self.results)
        claimed = filter(Claims(self.suite, info).plays, {check.ruleset for check in selected})
        ready = replace(info, rulesets=info.rulesets.union(claimed))  # under any of their names
        return Run(ready, command, selected, self.results, stopped, readings, causes, ending)


def _with_acts(suite: Suite, result: Result) -> Result:
    """Return the result of a game with the acts that were sent as its steps, so that reports show it like any
    other check."""
    if result.sent is None or not is_game(result.check):
        return result
    plan = result.sent.plan
    check = replace(result.check, scenario=replace(result.check.scenario, steps=tuple(plan.message["steps"])))
    planner_of(suite).planned[check.id, check.turned] = check, plan
    return replace(result, check=check)


def _causes(suite: Suite, results: Sequence[Result]) -> Sequence[FailureGroup]:
    """Return the causes of all failures; if Hoyle fails to explain a failure, that is a separate error."""
    if all(each.status not in UNEXPECTED for each in results):
        return ()
    from hoyle_conformance.runner.group_failures import group_failures  # most runs have no failures to group

    found = or_else(None, group_failures, suite, results)
    if found is None:
        explained = []
        for each in results:
            with Guard(each.check) as guard:
                group_failures(suite, [each])
            explained.append(guard.broken or each)
        found = or_else(None, group_failures, suite, explained)
    return found or ()


# ---- the run


class ChecksOfAdapter(Protocol):
    """The checks of one adapter: those of the suite (`checker.Checker`), perhaps with the games of the census."""

    def adapt(self, check: Check) -> Adapted | Result:
        """Return the request for a check, or its result if nothing is sent."""

    def judge(self, request: Adapted, observations: Sequence[Mapping[str, Any]]) -> Result:
        """Return the result of a check from its observations."""


@dataclass(frozen=True, slots=True)
class AdapterRun:
    """The checks that one adapter runs."""

    checks: ChecksOfAdapter
    in_flight: ChecksInFlight

    def results(self, numbered: Iterable[tuple[int, Check]]) -> Iterator[tuple[int, Result]]:
        """Yield the numbers and results of these checks in order, each as soon as it is final; then end the adapter."""
        previous: InFlight | None = None
        for number, check in numbered:
            current = InFlight(number, check, request=self.checks.adapt(check))
            self.in_flight.send(current)  # the adapter answers this one …
            if previous:
                self.judge(previous)  # … while Hoyle judges the previous one
            certain = self.in_flight.receive(current)
            yield from self._release(certain)
            previous = current
        self.in_flight.end()
        yield from self.remaining()

    def run(self, number: int, check: Check) -> InFlight:
        """Send a check, if it has a request, and return it with the response; no other request is sent ahead."""
        current = InFlight(number, check, request=self.checks.adapt(check))
        self.in_flight.send(current)
        self.in_flight.receive(current)
        return current

    def remaining(self) -> Iterator[tuple[int, Result]]:
        """Yield the numbers and results of the checks that were sent but are not final, as far as they are known."""
        return self._release(list(self.in_flight.held.values()))

    def judge(self, done: InFlight) -> Result:
        """Return the result of a check that has its response; the response is judged only once."""
        if done.result is None:
            request = done.request
            done.result = request if isinstance(request, Result) else self._complete(done, request)
        return done.result

    def _complete(self, done: InFlight, request: Adapted) -> Result:
        """Return the result of a check from its response, with the parts that were left out of the request."""
        result = self._judge_response(done.sent_check, request, done.response)
        partly = (*request.partly, *result.partly)
        result = replace(result, check=done.sent_check, partly=partly, milliseconds=done.milliseconds)
        if result.mismatch and isinstance(done.response, Response):
            result = replace(result, sent=SentRequest(request.plan, list(request.plan.read(done.response.steps))))
        return result

    def _judge_response(
        self, check: Check, request: Adapted, response: Response | ProtocolError | Result | None
    ) -> Result:
        if isinstance(response, Result):
            return response
        if isinstance(response, ProtocolError):
            return fault_result(check, response)
        assert response, "a check that was sent has its response"
        if response.kind != "observed":
            return Result(check, Status(response.kind), reason=response.reason)
        with Guard(check) as guard:
            return self.checks.judge(request, list(request.plan.read(response.steps)))
        assert guard.broken, "what is not judged is broken"
        return guard.broken

    def _release(self, certain: Iterable[InFlight]) -> Iterator[tuple[int, Result]]:
        for each in certain:
            result = self.judge(each)
            self.in_flight.release(each)
            yield each.number, result


class HelpingProcess(Protocol):
    """Another process that runs its share of the checks (`jobs.Helper`)."""

    def begin(self, info: AdapterInfo, questions: Questions, with_games: "WithGames") -> None:
        """Start the work of the process: send it the adapter's introduction, the questions that replace unsupported
        checks, and what plays games."""

    def results(self) -> Iterator[Result]:
        """Yield the unread results of its share, in order."""

    def stop(self) -> None:
        """Ask the process to end if it has not finished its share."""

    def end(self) -> None:
        """Wait until the process and its adapter have ended."""


class _Lost(Exception):
    """Another process of this run ended too early."""


#: Returns the checks of an adapter from those of the suite.
WithGames = Callable[[Checker], ChecksOfAdapter]


def without_games(checker: Checker) -> ChecksOfAdapter:
    """Return the checker of the suite, for a run without games."""
    return checker


def run(
    suite: Suite,
    adapter: Implementation,
    selected: Sequence[Check],
    known_failures: Mapping[str, BaselineLine] = MappingProxyType({}),
    recorder: Recorder | None = None,
    helpers: Sequence[HelpingProcess] = (),
    with_games: WithGames = without_games,
    seconds: float | None = None,
    log: HeldLog | None = None,
    most_failures: int | None = None,
    watch: Callable[[Result], object] | None = None,
) -> Run:
    """Run checks against an adapter and return the run.

    `helpers` are other processes that share the checks, `with_games` lets the checker of the suite also play games of
    the census, and `watch` is called with each result. The run stops after `seconds`, or after `most_failures` that the
    baseline does not expect. Raises ProtocolError if the adapter does not introduce itself, and DeadlinePassed if the
    deadline comes first.
    """
    progress = RunProgress(suite, recorder or Recorder(suite), known_failures, most_failures, watch)
    try:
        with deadline(seconds):
            info = introduce(adapter)
            progress.recorder.begin(info, adapter.command, selected)
            of_suite = (each for each in selected if not is_game(each))
            checker = Checker.with_questions(Claims(suite, info, adapter.trusted), of_suite)
            own = AdapterRun(with_games(checker), ChecksInFlight(adapter, log))
            for helper in helpers:
                helper.begin(info, checker.questions, with_games)
            interrupted: Stop | None = None
            try:
                for result in _results_in_order(own, helpers, selected):
                    progress.add(result)
                    if progress.stopped:
                        break
            except (KeyboardInterrupt, _Lost) as why:
                lost = Stop(StopCode.LOST_PROCESS)
                interrupted = lost if isinstance(why, _Lost) else INTERRUPTION.why or Stop()
                for result in _remaining_results(own, helpers, selected):
                    progress.add(result)
        finished = progress.finish(info, adapter.command, selected, interrupted, own.in_flight.ending)
        progress.recorder.end(finished)
        return finished
    finally:
        for helper in helpers:  # stop all helpers before waiting for any
            helper.stop()
        adapter.close()
        if log:
            log.write_all()
        for helper in helpers:
            helper.end()


def introduce(adapter: Implementation) -> AdapterInfo:
    """Return an adapter's introduction. Raises ProtocolError if it does not introduce itself, and DeadlinePassed if the
    deadline comes first."""
    try:
        with INTERRUPTION.while_waiting():
            return adapter.introduce()
    except KeyboardInterrupt as why:
        if INTERRUPTION.why:
            raise DeadlinePassed(INTERRUPTION.why) from why
        raise


def _results_in_order(
    own: AdapterRun, helpers: Sequence[HelpingProcess], selected: Sequence[Check]
) -> Iterator[Result]:
    """Yield the results in the order of the checks, by taking one from each process in turn."""
    numbered = list(enumerate(selected, start=1))[:: len(helpers) + 1]
    shares = [(result for _, result in own.results(numbered)), *(helper.results() for helper in helpers)]
    for at in range(len(selected)):
        with INTERRUPTION.while_waiting():
            result = next(shares[at % len(shares)], None)
        if result is None:
            raise _Lost
        yield result


def _remaining_results(own: AdapterRun, helpers: Sequence[HelpingProcess], selected: Sequence[Check]) -> list[Result]:
    """Return the results that each process has beyond the one that the interrupted run was waiting for."""
    for helper in helpers:
        helper.stop()
    place = {check.id: at for at, check in enumerate(selected)}
    held = (result for _, result in own.remaining())
    return sorted(chain(held, *(helper.results() for helper in helpers)), key=lambda each: place[each.check.id])
