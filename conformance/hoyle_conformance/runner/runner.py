"""A run: every selected check is adapted, sent and judged, and the results come in the order of the checks.

`AdapterRun.results` is the loop. What stands around it: `in_flight` keeps one request ahead and charges late faults,
`jobs` shares the checks out among processes, `interrupts` ends a run, and `run_progress` records it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, Protocol

from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo, Response
from hoyle_conformance.runner.baseline import BaselineLine
from hoyle_conformance.runner.checker import Checker
from hoyle_conformance.runner.guard import Guard
from hoyle_conformance.runner.in_flight import ChecksInFlight, HeldLog, InFlight
from hoyle_conformance.runner.interrupts import INTERRUPTION, DeadlinePassed, Stop, StopCode, deadline
from hoyle_conformance.runner.questions import Questions
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.results import Result, Run, SentRequest, Status, fault_result
from hoyle_conformance.runner.run_progress import RunProgress
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite


class ChecksOfAdapter(Protocol):
    """The checks for one adapter: those of the suite (`checker.Checker`), or the games of a census."""

    def adapt(self, check: Check) -> Adapted | Result:
        """Return the request for a check, or its result if nothing is sent."""

    def judge(self, request: Adapted, observations: Sequence[Mapping[str, Any]]) -> Result:
        """Return the result of a check by what was observed."""


@dataclass(frozen=True, slots=True)
class AdapterRun:
    """The checks that one adapter runs."""

    checks: ChecksOfAdapter
    in_flight: ChecksInFlight

    def results(self, numbered: Iterable[tuple[int, Check]]) -> Iterator[tuple[int, Result]]:
        """Yield the numbers and results of these checks, in order, each once it is certain; then end the adapter."""
        previous: InFlight | None = None
        for number, check in numbered:
            current = InFlight(number, check, request=self.checks.adapt(check))
            self.in_flight.send(current)  # the adapter answers this one …
            if previous:
                self.judge(previous)  # … while Hoyle judges the one before
            certain = self.in_flight.receive(current)
            yield from self._release(certain)
            previous = current
        self.in_flight.end()
        yield from self.remaining()

    def run(self, number: int, check: Check) -> InFlight:
        """Return a check that was sent and has its response, as far as there is a request; no other is kept ahead."""
        current = InFlight(number, check, request=self.checks.adapt(check))
        self.in_flight.send(current)
        self.in_flight.receive(current)
        return current

    def remaining(self) -> Iterator[tuple[int, Result]]:
        """Yield the numbers and results of the checks that were sent and are not certain, as far as they are known."""
        return self._release(list(self.in_flight.held.values()))

    def judge(self, done: InFlight) -> Result:
        """Return the result of a check that has its response; the response is judged once."""
        if done.result is None:
            request = done.request
            done.result = request if isinstance(request, Result) else self._complete(done, request)
        return done.result

    def _complete(self, done: InFlight, request: Adapted) -> Result:
        """Return the result of a check by its response, with what was left out of the request."""
        result = self._judge_response(done.sent_check, request, done.response)
        partly = (*request.partly, *result.partly)
        result = replace(result, check=done.sent_check, partly=partly, milliseconds=done.milliseconds)
        if result.mismatch and isinstance(done.response, Response):
            result = replace(result, sent=SentRequest(request.plan, done.response.steps))
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
            return self.checks.judge(request, response.steps)
        assert guard.broken, "what is not judged is broken"
        return guard.broken

    def _release(self, certain: Iterable[InFlight]) -> Iterator[tuple[int, Result]]:
        for each in certain:
            result = self.judge(each)
            self.in_flight.release(each)
            yield each.number, result


class HelpingProcess(Protocol):
    """Another process that does its share of a run (`jobs.Helper`)."""

    def begin(self, info: AdapterInfo, questions: Questions) -> None:
        """Let the process begin, with the adapter's introduction and the questions in place of unsupported checks."""

    def results(self) -> Iterator[Result]:
        """Yield the results of its share that have not been read yet, in order."""

    def stop(self) -> None:
        """Ask the process to end if it has not done its share."""

    def end(self) -> None:
        """Wait until the process and its adapter have ended."""


class _Lost(Exception):
    """Another process of this run has ended too soon."""


def run(
    suite: Suite,
    adapter: Implementation,
    selected: Sequence[Check],
    known_failures: Mapping[str, BaselineLine] = MappingProxyType({}),
    recorder: Recorder | None = None,
    helpers: Sequence[HelpingProcess] = (),
    games: Callable[[AdapterInfo], ChecksOfAdapter] | None = None,
    seconds: float | None = None,
    log: HeldLog | None = None,
    most_failures: int | None = None,
    watch: Callable[[Result], object] | None = None,
) -> Run:
    """Run checks against an adapter and return the run; `games` adapts and judges checks that are no scenarios.

    Other processes may help; `watch` is called with each result. The run ends after so many seconds, and after so many
    failures that the baseline does not expect. Raises ProtocolError if the adapter does not introduce itself, and
    DeadlinePassed if the deadline comes first.
    """
    progress = RunProgress(suite, recorder or Recorder(suite), known_failures, most_failures, watch)
    try:
        with deadline(seconds):
            info = introduce(adapter)
            progress.recorder.begin(info, adapter.command, selected)
            checks = games(info) if games else Checker.with_questions(Claims(suite, info, adapter.trusted), selected)
            questions = checks.questions if isinstance(checks, Checker) else {}
            own = AdapterRun(checks, ChecksInFlight(adapter, log))
            for helper in helpers:
                helper.begin(info, questions)
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
        for helper in helpers:  # all are stopped before any is waited for
            helper.stop()
        adapter.close()
        if log:
            log.write_all()
        for helper in helpers:
            helper.end()


def introduce(adapter: Implementation) -> AdapterInfo:
    """Return an adapter's introduction; raises ProtocolError, and DeadlinePassed if the deadline comes first."""
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
    """Yield the results in the order of the checks: one of each process, again and again."""
    numbered = list(enumerate(selected, start=1))[:: len(helpers) + 1]
    shares = [(result for _, result in own.results(numbered)), *(helper.results() for helper in helpers)]
    for at in range(len(selected)):
        with INTERRUPTION.while_waiting():
            result = next(shares[at % len(shares)], None)
        if result is None:
            raise _Lost
        yield result


def _remaining_results(own: AdapterRun, helpers: Sequence[HelpingProcess], selected: Sequence[Check]) -> list[Result]:
    """Return the results that each process has beyond the one that was waited for when the run was interrupted."""
    for helper in helpers:
        helper.stop()
    place = {check.id: at for at, check in enumerate(selected)}
    held = (result for _, result in own.remaining())
    return sorted(chain(held, *(helper.results() for helper in helpers)), key=lambda each: place[each.check.id])
