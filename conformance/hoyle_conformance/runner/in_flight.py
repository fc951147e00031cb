"""Checks under way: one request is kept ahead, and a late fault is charged to the check that caused it.

An adapter may answer and then crash, or write a line too many. So a check is held until the adapter has answered
another request, or has ended; and its response is judged while the adapter answers that.

A result that was corrected after it was recorded would need two lines in the record. To send every suspected check
again would prove nothing, since a crash that follows from an earlier request does not recur.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter_ns
from typing import Final

from hoyle_conformance.checks.request import Adapted
from hoyle_conformance.protocol.adapters import Implementation, SentRun
from hoyle_conformance.protocol.errors import LateFault, ProtocolError
from hoyle_conformance.protocol.messages import Response
from hoyle_conformance.runner.guard import Guard
from hoyle_conformance.runner.results import Result, fault_result
from hoyle_conformance.suite.model import Check

_IN_A_MILLISECOND: Final = 1_000_000  # nanoseconds
_RUN: Final = b'{"type":"run","seq":'


@dataclass(slots=True)
class InFlight:
    """A check under way, by the `seq` of its message: its request, or a result if nothing is sent for it; then the
    response, or a result if Hoyle itself fails; at last the result. The time is that of the adapter."""

    number: int
    check: Check
    request: Adapted | Result
    sent: SentRun | None = None
    response: Response | ProtocolError | Result | None = None
    result: Result | None = None
    nanoseconds: int = 0

    @property
    def sent_check(self) -> Check:
        """The check that the result is of: the questions that stand alone, if it is sent as these."""
        return self.request.check if self.request.check.origins else self.check

    @property
    def milliseconds(self) -> int:
        """The time that the adapter took, in whole milliseconds."""
        return self.nanoseconds // _IN_A_MILLISECOND


class HeldLog:
    """A log that holds the lines about a check as long as the check is held, so that those of several adapters come in
    the order of the checks."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._number = 0
        self._lines: list[tuple[int, bytes]] = []

    def __call__(self, line: bytes) -> None:
        """Hold a line to or from an adapter, which is about the check that was sent last."""
        if line.startswith(_RUN):
            self._number = int(line.removeprefix(_RUN).partition(b",")[0])
        self._lines.append((self._number, line))

    def write_until(self, number: int) -> None:
        """Write the lines up to those about the check with this number."""
        while self._lines and self._lines[0][0] <= number:
            self._write(self._lines.pop(0)[1])

    def write_all(self) -> None:
        """Write the lines that are left."""
        self.write_until(self._number)


@dataclass(slots=True)
class ChecksInFlight:
    """The checks that are under way with one adapter: those `held`, by number, whose results may still change; the
    number that was sent last; and the fault in how the adapter ended, if any."""

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
        """Wait for the response to a check, if it was sent, and hold the check; return those held before that are
        certain now. A late fault becomes the result of the check before."""
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
        """End the adapter, and charge what was wrong with that to the check that was answered last."""
        self.ending, late = self.adapter.end()
        self._charge(late)

    def release(self, held: InFlight) -> None:
        """Hold a check, and the lines of the log about it, no longer."""
        del self.held[held.number]
        if self.log:
            self.log.write_until(held.number)
