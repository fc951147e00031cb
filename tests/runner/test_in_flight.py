"""Checks in flight: what is waited for counts as the time that an answer takes, and what it means is found out once."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import Adapted
from hoyle_conformance.protocol.adapters import SentRun
from hoyle_conformance.protocol.messages import FAULTS, ProtocolError, Response
from hoyle_conformance.runner import run as running
from hoyle_conformance.runner.results import Result, Status, fault_result
from hoyle_conformance.runner.run import AdapterRun, ChecksInFlight, InFlight
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

ANSWER = Response("observed", ({"accepted": True},))
IN_A_MILLISECOND = 1_000_000  # nanoseconds
#: What a clock shows when nothing has happened yet says nothing.
BEFORE = 10**12


@pytest.fixture
def check(suite: Suite) -> Check:
    return next(iter(suite.index.checks.values()))


@pytest.fixture
def request_(suite: Suite, check: Check) -> Adapted:
    return Adapted(check, planner_of(suite).request(check))


class Clock:
    """It stands still but while something takes its time."""

    def __init__(self) -> None:
        self.now = BEFORE

    def __call__(self) -> int:
        return self.now

    def passes(self, milliseconds: float) -> None:
        self.now += int(milliseconds * IN_A_MILLISECOND)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(running, "perf_counter_ns", clock)
    return clock


class Exchange:
    """A request that is sent, answered and judged, each in its time; it is the adapter and the checks in one."""

    def __init__(
        self, request: Adapted, clock: Clock | None = None, sending: float = 0, answering: float = 0, judging: float = 0
    ) -> None:
        self.request, self.clock, self.taking = request, clock or Clock(), (sending, answering, judging)
        self.fault: Exception | None = None
        self.judged: list[Sequence[Mapping[str, Any]]] = []
        self.run: Any = AdapterRun(self, ChecksInFlight(self))  # type: ignore[arg-type] # all that is used of an adapter

    def adapt(self, _check: Check) -> Adapted:
        return self.request

    def send(self, seq: int, body: Mapping[str, Any]) -> SentRun:
        self.clock.passes(self.taking[0])
        return SentRun(seq, body)

    def receive(self, _sent: SentRun) -> Response:
        self.clock.passes(self.taking[1])
        if self.fault:
            raise self.fault
        return ANSWER

    def judge(self, request: Adapted, observed: Sequence[Mapping[str, Any]]) -> Result:
        self.clock.passes(self.taking[2])
        self.judged.append(observed)
        return Result(request.check, Status.PASS)

    def sent(self) -> InFlight:
        current = InFlight(1, self.request.check, self.request)
        self.run.in_flight.send(current)
        return current

    def result(self, current: InFlight) -> Result:
        result: Result = self.run.judge(current)
        return result

    def failing(self, error: Exception) -> Result:
        """The result where waiting fails."""
        self.fault = error
        return self.result(self.run.run(1, self.request.check))


@pytest.mark.parametrize(
    ("sending", "answering", "judging", "taken"),
    [(2, 3, 40, 5), (0.6, 0.6, 0, 1), (0.4, 0.5, 7, 0)],
)
def test_sending_and_waiting_is_what_an_answer_takes_in_whole_milliseconds(
    request_: Adapted, clock: Clock, sending: float, answering: float, judging: float, taken: int
) -> None:
    exchange = Exchange(request_, clock, sending, answering, judging)
    there = exchange.sent()
    clock.passes(1_000)  # another one is judged
    exchange.run.in_flight.receive(there)
    clock.passes(1_000)
    assert exchange.result(there).milliseconds == taken


def test_single_check_is_sent_awaited_and_judged(request_: Adapted, check: Check, clock: Clock) -> None:
    exchange = Exchange(request_, clock, 0, 3)
    assert exchange.result(exchange.run.run(1, check)).milliseconds == 3
    assert exchange.judged == [ANSWER.steps]


def test_a_fault_of_the_adapter_comes_as_the_result_of_its_check(request_: Adapted, check: Check) -> None:
    fault = ProtocolError(next(iter(FAULTS)), "it has ended")
    exchange = Exchange(request_)
    assert exchange.failing(fault) == fault_result(check, fault)
    assert exchange.judged == []


def test_a_line_to_another_process_that_breaks_is_no_matter_of_one_check(request_: Adapted) -> None:
    with pytest.raises(OSError, match="no space"):
        Exchange(request_).failing(OSError("no space"))


def test_what_needs_no_answer_is_what_it_is(check: Check, request_: Adapted) -> None:
    result, exchange = Result(check, Status.SKIPPED, reason="no time"), Exchange(request_)
    there = InFlight(7, check, result)
    exchange.run.in_flight.send(there)
    assert exchange.run.in_flight.receive(there) == ()
    assert exchange.result(there) is result
    assert (there.sent, there.milliseconds, exchange.run.in_flight.last_sent) == (None, 0, 0)
