"""Pending checks: what is waited for counts as the time that an answer takes, and what it means is found out once."""

import pytest

from hoyle_conformance.protocol.adapters import Answers
from hoyle_conformance.protocol.errors import FAULTS, ProtocolError
from hoyle_conformance.protocol.messages import Response
from hoyle_conformance.runner import guard as guarding
from hoyle_conformance.runner import in_flight as pending
from hoyle_conformance.runner.in_flight import Came, Pending, Sent, Settled, at_once
from hoyle_conformance.runner.results import Result, Status, of_fault
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

ANSWER = Response("observed", ({"accepted": True},))
IN_A_MILLISECOND = 1_000_000  # nanoseconds
#: What a clock shows when nothing has happened yet says nothing.
BEFORE = 10**12


@pytest.fixture
def check(suite: Suite) -> Check:
    return next(iter(suite.index.checks.values()))


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
    monkeypatch.setattr(pending, "perf_counter_ns", clock)
    return clock


class Exchange:
    """A message that is sent, answered and judged, each in its time."""

    def __init__(self, check: Check, clock: Clock, sending: float, answering: float, judging: float = 0) -> None:
        self.check, self.clock, self.taking = check, clock, (sending, answering, judging)
        self.judged: list[Came] = []

    def send(self) -> Answers:
        self.clock.passes(self.taking[0])
        return self.answer

    def answer(self) -> Response:
        self.clock.passes(self.taking[1])
        return ANSWER

    def judge(self, came: Came) -> Result:
        self.clock.passes(self.taking[2])
        self.judged.append(came)
        return Result(self.check, Status.PASS)

    def sent(self) -> Sent:
        return Sent(self.check, self.send, self.judge)


@pytest.mark.parametrize(
    ("sending", "answering", "judging", "taken"),
    [(2, 3, 40, 5), (0.6, 0.6, 0, 1), (0.4, 0.5, 7, 0), (0, 1, 0, 1), (1, 0, 0, 1), (0.9, 1.0, 0, 1)],
)
def test_sending_and_waiting_is_what_an_answer_takes_in_whole_milliseconds(
    check: Check, clock: Clock, sending: float, answering: float, judging: float, taken: int
) -> None:
    there = Exchange(check, clock, sending, answering, judging).sent()
    clock.passes(1_000)  # another one is judged
    there.wait()
    clock.passes(1_000)
    assert there.result().milliseconds == taken


def test_response_is_awaited_and_judged_once_on_demand(check: Check, clock: Clock) -> None:
    exchange = Exchange(check, clock, 1, 1)
    there = exchange.sent()
    there.wait()
    assert exchange.judged == []
    first = there.result()
    assert there.result() is first
    assert (exchange.judged, clock.now) == ([ANSWER], BEFORE + 2 * IN_A_MILLISECOND)


def test_asking_for_the_result_waits_for_it(check: Check, clock: Clock) -> None:
    exchange = Exchange(check, clock, 0, 3)
    assert exchange.sent().result().milliseconds == 3
    assert exchange.judged == [ANSWER]


def failing(check: Check, error: Exception, judged: list[Came]) -> Sent:
    """One in which waiting fails."""

    def answers() -> Response:
        raise error

    def judge(came: Came) -> Result:
        judged.append(came)
        return Result(check, Status.ERROR)

    return Sent(check, lambda: answers, judge)


def test_a_fault_of_the_adapter_comes_as_the_result_of_its_check(check: Check) -> None:
    fault, judged = ProtocolError(next(iter(FAULTS)), "it has ended"), list[Came]()
    failing(check, fault, judged).result()
    assert judged == [of_fault(check, fault)]


def test_where_hoyle_itself_fails_in_waiting_that_is_what_comes(check: Check) -> None:
    judged: list[Came] = []
    failing(check, ZeroDivisionError("no game"), judged).result()
    (came,) = judged
    assert isinstance(came, Result)
    assert (came.check, came.status, came.code) == (check, Status.ERROR, guarding.CODE)


def test_a_line_to_another_process_that_breaks_is_no_matter_of_one_check(check: Check) -> None:
    with pytest.raises(OSError, match="no space"):
        failing(check, OSError("no space"), []).wait()


def test_what_needs_no_answer_is_what_it_is(check: Check) -> None:
    result, asked = Result(check, Status.SKIPPED, reason="no time"), list[tuple[int, Check]]()

    def ask(number: int, of: Check) -> Result:
        asked.append((number, of))
        return result

    waiting: tuple[Pending, ...] = (Settled(result), at_once(ask)(7, check))
    for there in waiting:
        there.wait()
        assert there.result() is result
    assert asked == [(7, check)]
