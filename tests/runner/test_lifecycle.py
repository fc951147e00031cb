"""Running checks: what is given out when, what is given up, what is interrupted, and in which order all of it ends."""

import signal
import sys
from collections.abc import Callable, Container, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from conftest import until
from hoyle_conformance.checks.request import Adapted, RunRequest
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol.adapters import Ending, InProcess, SentRun
from hoyle_conformance.protocol.messages import AdapterInfo, LateFault, ProtocolError, Response
from hoyle_conformance.reports import words
from hoyle_conformance.runner import results as guarding
from hoyle_conformance.runner.baseline import BaselineLine
from hoyle_conformance.runner.interrupts import INTERRUPTION, Interruption, Stop, StopCode, deadline
from hoyle_conformance.runner.jobs import shares
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Exit, Guard, Result, Run, Status
from hoyle_conformance.runner.run import GIVE_UP_AFTER, AdapterRun, ChecksInFlight, run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from runner.test_run import READY, wire


class Engine:
    """An adapter of which only what is sent to it, and how it ends, is of interest; it answers whatever comes, with the
    late faults of other runs, by the numbers of the runs with which they are found."""

    trusted = False
    command = ("engine",)

    def __init__(self, told: list[str] | None = None) -> None:
        self.told = [] if told is None else told
        self.sent: list[int] = []
        self.late: dict[int, LateFault] = {}
        self.ending = Ending()

    def introduce(self) -> AdapterInfo:
        self.told.append("introduced")
        return READY

    def keep_to(self, info: AdapterInfo) -> None:
        raise AssertionError(info)

    def send(self, seq: int, body: Any) -> SentRun:
        self.sent.append(seq)
        return SentRun(seq, body)

    def receive(self, sent: SentRun) -> Response:
        return Response("observed", late=self.late.get(sent.seq))

    def run(self, seq: int, body: Any) -> Response:
        raise AssertionError((seq, body))

    def end(self) -> Ending:
        self.told.append("ended")
        return self.ending

    def close(self) -> None:
        self.told.append("closed")


@pytest.fixture
def checks(suite: Suite) -> list[Check]:
    """Each of a scenario of its own."""
    return list({check.scenario.id: check for check in suite.index.checks.values()}.values())[:12]


Became = Callable[[int, Check], Result]


class Checks:
    """Checks that come to these results, by their numbers; of some nothing is sent, and what is done is noted."""

    def __init__(self, became: Became, unsent: Container[int] = (), noted: list[str] | None = None) -> None:
        self.became, self.unsent, self.noted = became, unsent, [] if noted is None else noted
        self.numbers: dict[str, int] = {}

    def adapt(self, check: Check) -> Adapted | Result:
        number = self.numbers[check.id] = len(self.numbers) + 1
        self.noted.append("adapt")
        return self.became(number, check) if number in self.unsent else Adapted(check, PLAN)

    def judge(self, request: Adapted, _observed: object) -> Result:
        self.noted.append("judge")
        return self.became(self.numbers[request.check.id], request.check)


#: What is sent does not matter.
PLAN = RunRequest({"steps": []}, (), frozenset(), "AB")


def passing(_number: int, check: Check) -> Result:
    return Result(check, Status.PASS)


def running(engine: Engine, became: Became = passing, **how: Any) -> AdapterRun:
    return AdapterRun(Checks(became, **how), ChecksInFlight(engine))


CRASH = ProtocolError("crashed-later", "exit code 1", "why")

# ---- a result is given out when it is certain


def test_a_result_is_given_out_once_something_else_was_asked(checks: list[Check]) -> None:
    engine = Engine()
    own = running(engine)
    results = own.results(enumerate(checks[:3], start=1))
    assert next(results)[0] == 1
    assert (engine.sent, list(own.in_flight.held)) == ([1, 2], [2])
    assert next(results)[0] == 2
    assert "ended" not in engine.told
    assert next(results)[0] == 3
    assert engine.told == ["ended"]
    assert list(results) == []


def test_an_answer_is_judged_while_the_next_check_is_answered(checks: list[Check]) -> None:
    noted: list[str] = []

    class Noting(Engine):
        def send(self, seq: int, body: Any) -> SentRun:
            noted.append("send")
            return super().send(seq, body)

        def receive(self, sent: SentRun) -> Response:
            noted.append("receive")
            return super().receive(sent)

    results = running(Noting(), noted=noted).results(enumerate(checks[:2], start=1))
    assert next(results)[0] == 1
    assert noted == ["adapt", "send", "receive", "adapt", "send", "judge", "receive"]


def test_an_answer_takes_the_time_of_sending_and_waiting_and_not_of_judging(
    checks: list[Check], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [10**12]  # nanoseconds
    monkeypatch.setattr("hoyle_conformance.runner.run.perf_counter_ns", lambda: now[0])

    class Slow(Engine):
        def send(self, seq: int, body: Any) -> SentRun:
            now[0] += 2_600_000
            return super().send(seq, body)

        def receive(self, sent: SentRun) -> Response:
            now[0] += 2_600_000
            return super().receive(sent)

    def became(_number: int, check: Check) -> Result:
        now[0] += 40_000_000
        return Result(check, Status.PASS)

    assert [each.milliseconds for _, each in running(Slow(), became).results(enumerate(checks[:2], start=1))] == [5, 5]


def test_what_was_answered_is_judged_though_the_run_is_interrupted_before(checks: list[Check]) -> None:
    """It is judged once, however often it is asked what became of it."""

    class Interrupted(Engine):
        def send(self, seq: int, body: Any) -> SentRun:
            if seq == 2:
                raise KeyboardInterrupt
            return super().send(seq, body)

    noted: list[str] = []
    own = running(Interrupted(), noted=noted)
    with pytest.raises(KeyboardInterrupt):
        list(own.results(enumerate(checks[:2], start=1)))
    assert "judge" not in noted
    held = own.in_flight.held[1]
    ((number, became),) = own.remaining()
    assert (number, became.check, noted.count("judge")) == (1, checks[0], 1)
    assert own.judge(held) is became
    assert noted.count("judge") == 1


@pytest.mark.parametrize("where", ["send", "receive"])
def test_where_hoyle_fails_to_send_or_to_get_an_answer_that_check_alone_is_an_error(
    checks: list[Check], where: str
) -> None:
    class Fails(Engine):
        def send(self, seq: int, body: Any) -> SentRun:
            if (where, seq) == ("send", 1):
                raise ZeroDivisionError
            return super().send(seq, body)

        def receive(self, sent: SentRun) -> Response:
            if (where, sent.seq) == ("receive", 1):
                raise ZeroDivisionError
            return super().receive(sent)

    (_, failed), (_, other) = running(Fails()).results(enumerate(checks[:2], start=1))
    assert (failed.check, failed.status, failed.code) == (checks[0], Status.ERROR, guarding.OWN_FAULT)
    assert (other.check, other.status) == (checks[1], Status.PASS)


def test_where_the_reference_fails_in_part_of_a_check_the_error_is_of_the_whole(suite: Suite) -> None:
    """One that claims less is asked a part of some checks."""
    answer = Reference(suite)
    hello = answer({"type": "hello", "protocol": 1, "suite": "x"})

    def fails(message: dict[str, Any]) -> Any:
        if message["type"] == "hello":
            return {**hello, "cannot": ["refuse-exchange"]}
        raise ZeroDivisionError

    whole = [check for check in suite.index.checks.values() if check.scenario.topic == "seven"]
    done = run(suite, InProcess(wire(suite), fails), whole)
    assert {each.code for each in done.results if each.ran} == {guarding.OWN_FAULT}
    assert any(each.partly for each in done.results)
    assert {each.check.id for each in done.results if not each.check.origins and each.check not in whole} == set()


def test_no_result_is_certain_before_the_first_request(checks: list[Check]) -> None:
    """The engine crashes after its answer to the first, and the two after it are not put to it at all."""
    engine = Engine()
    engine.late[4] = LateFault(1, CRASH)

    def became(number: int, check: Check) -> Result:
        return Result(check, Status.PASS if number in {1, 4} else Status.UNSUPPORTED)

    results = list(running(engine, became, unsent={2, 3}).results(enumerate(checks[:4], start=1)))
    assert [number for number, _ in results] == [1, 2, 3, 4]
    assert [str(each.status) for _, each in results] == ["crash", "unsupported", "unsupported", "pass"]
    assert [each.check for _, each in results] == checks[:4]
    assert (results[0][1].code, words.reason(results[0][1])) == (
        "crashed-later",
        f"{CRASH.message}\nEnd of its error output: why",
    )


def test_a_late_fault_comes_with_a_fault_of_the_run_too(checks: list[Check]) -> None:
    class Wrong(Engine):
        def receive(self, sent: SentRun) -> Response:
            if sent.seq == 2:
                raise ProtocolError("invalid-answer", seq=2, late=LateFault(1, CRASH))
            return super().receive(sent)

    results = [each for _, each in running(Wrong()).results(enumerate(checks[:3], start=1))]
    assert [(str(each.status), each.code) for each in results] == [
        ("crash", "crashed-later"),
        ("error", "invalid-answer"),
        ("pass", ""),
    ]


def test_what_is_found_at_the_end_is_of_the_last_check(checks: list[Check]) -> None:
    engine = Engine()
    engine.ending = Ending(late=LateFault(2, CRASH))
    results = list(running(engine).results(enumerate(checks[:2], start=1)))
    assert [str(each.status) for _, each in results] == ["pass", "crash"]


# ---- what goes wrong in Hoyle itself


@pytest.mark.parametrize("denied", [OSError(28, "No space left on device"), MemoryError(), Invalid([])], ids=repr)
def test_what_the_system_denies_is_no_matter_of_one_check(checks: list[Check], denied: Exception) -> None:
    with pytest.raises(type(denied)), Guard(checks[0]):
        raise denied


def test_what_went_wrong_in_hoyle_is_told_shortly(checks: list[Check]) -> None:
    with Guard(checks[0]) as guard:
        {}["x" * 1_000]
    became = guard.broken
    assert became is not None
    assert (became.status, became.code, became.check) == (Status.ERROR, guarding.OWN_FAULT, checks[0])
    assert words.reason(became).startswith("Hoyle itself failed in this check: KeyError: 'xxx")
    assert len(words.reason(became)) == 300


# ---- a run


class Helper:
    """Another process of a run, which does its share in no time."""

    def __init__(self, told: list[str], results: list[Result]) -> None:
        self.told, self.became = told, iter(results)

    def begin(self, info: AdapterInfo, questions: object, _with_games: object) -> None:
        assert (info, questions) == (READY, {})
        self.told.append("helper begun")

    def results(self) -> Iterator[Result]:
        yield from self.became

    def stop(self) -> None:
        self.told.append("helper stopped")

    def end(self) -> None:
        self.told.append("helper ended")


def held(suite: Suite, engine: Engine, checks: list[Check], became: Any, **more: Any) -> Run:
    """A run of these checks, each of which becomes what is said."""

    class Numbered(Checks):
        """The numbers are those of the run."""

        def adapt(self, check: Check) -> Adapted | Result:
            self.numbers[check.id] = checks.index(check) + 1
            return Adapted(check, PLAN)

    return run(suite, engine, checks, with_games=lambda _checker: Numbered(became), **more)


def of(*statuses: Status) -> Callable[[int, Check], Result]:
    return lambda number, check: Result(check, statuses[number - 1])


def test_everything_is_ended_in_its_order(suite: Suite, checks: list[Check]) -> None:
    """The helpers are told first, so that none waits for another; what they still have to say is heard last."""
    told: list[str] = []
    helper: Any = Helper(told, [Result(check, Status.PASS) for check in checks[1::2]])
    engine = Engine(told)
    done = held(suite, engine, checks, of(*[Status.PASS] * 12), helpers=[helper])
    assert [each.check for each in done.results] == checks
    assert told == ["introduced", "helper begun", "ended", "helper stopped", "closed", "helper ended"]
    assert (done.stopped, done.exit) == (None, Exit.AS_EXPECTED)
    assert done.ready == READY
    assert done.command == ("engine",)


def test_adapter_that_fails_at_hello_is_ended_too(suite: Suite, checks: list[Check]) -> None:
    told: list[str] = []
    engine, helper = Engine(told), Helper(told, [])

    def speechless() -> AdapterInfo:
        raise ProtocolError("timeout", "no hello")

    engine.introduce = speechless  # type: ignore[method-assign]
    with pytest.raises(ProtocolError, match="no hello"):
        held(suite, engine, checks, of(), helpers=[helper])
    assert told == ["helper stopped", "closed", "helper ended"]


CRASHES, SKIPS = Status.CRASH, Status.SKIPPED


@pytest.mark.parametrize(
    ("became", "after"),
    [
        ([Status.PASS, CRASHES, CRASHES, Status.PASS, CRASHES, CRASHES, CRASHES, Status.PASS], 7),
        ([CRASHES, SKIPS, CRASHES, Status.UNSUPPORTED, CRASHES, Status.PASS], 5),
        ([CRASHES, CRASHES, Status.FAIL, CRASHES, CRASHES], 0),
        ([Status.TIMEOUT] * 12, 3),
    ],
)
def test_run_is_given_up_after_broken_scenarios_in_a_row(
    suite: Suite, checks: list[Check], became: list[Status], after: int
) -> None:
    """What was not asked tells nothing of the conversation; a check that was answered does."""
    done = held(suite, Engine(), checks[: len(became)], of(*became))
    assert len(done.results) == (after or len(became))
    assert done.gave_up is bool(after)
    assert done.not_run == checks[len(done.results) : len(became)]
    if after:
        assert done.stopped == Stop(StopCode.BROKE_IN_A_ROW, GIVE_UP_AFTER)


def test_a_known_failure_is_no_sign_of_better_things(suite: Suite, checks: list[Check]) -> None:
    known = {checks[1].id: BaselineLine(checks[1].id, frozenset({checks[1].id}), CRASHES)}
    done = held(suite, Engine(), checks, of(*[CRASHES] * 12), known_failures=known)
    assert [str(each.status) for each in done.results] == ["crash", "expected-failure", "crash", "crash"]


def test_a_signal_before_the_run_ends_it_at_once(
    suite: Suite, checks: list[Check], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(INTERRUPTION, "signal", int(signal.SIGTERM))
    with pytest.raises(KeyboardInterrupt):
        held(suite, Engine(told), checks, of())
    assert told == ["closed"]


# ---- interruptions


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for name, handler in before.items():
        signal.signal(name, handler)


@pytest.mark.posix
@pytest.mark.usefixtures("handlers")
def test_the_first_signal_breaks_off_what_is_waited_for_and_the_others_nothing() -> None:
    interruption = Interruption()
    interruption.heed()
    after = []

    def waiting() -> None:
        try:
            signal.raise_signal(signal.SIGHUP)
        finally:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
            after.append("what is done all the same")

    with pytest.raises(KeyboardInterrupt), interruption.while_waiting():
        waiting()
    assert after
    signal.raise_signal(signal.SIGINT)  # nothing is waited for
    assert interruption.exit == 128 + signal.SIGHUP


@pytest.mark.posix
@pytest.mark.usefixtures("handlers")
def test_a_job_heeds_one_signal_and_ignores_none() -> None:
    """What is ignored would be ignored by its adapter too."""
    interruption = Interruption()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    interruption.heed(only=signal.SIGTERM)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) not in {signal.SIG_IGN, signal.SIG_DFL}
    with interruption.while_waiting():
        signal.raise_signal(signal.SIGINT)
    assert interruption.signal == 0
    with pytest.raises(KeyboardInterrupt), interruption.while_waiting():
        signal.raise_signal(signal.SIGTERM)


@pytest.mark.posix
@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("raises", [False, True])
def test_signals_are_heeded_inside_and_as_before_afterwards(raises: bool) -> None:
    interruption, own = Interruption(), lambda *_: None
    signal.signal(signal.SIGTERM, own)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruption.heeded():
            assert signal.getsignal(signal.SIGTERM) is not own
            if raises:
                signal.raise_signal(signal.SIGTERM)
    except KeyboardInterrupt:
        assert raises
    assert bool(interruption.signal) is raises
    assert signal.getsignal(signal.SIGTERM) is own
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.posix
@pytest.mark.usefixtures("handlers")
def test_a_signal_that_comes_after_the_deadline_is_not_what_ended_it() -> None:
    interruption = Interruption()
    interruption.heed()
    interruption.why = Stop(StopCode.DEADLINE, 1)
    interruption.break_off()
    signal.raise_signal(signal.SIGTERM)
    assert (interruption.signal, interruption.exit) == (0, 128 + signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), interruption.while_waiting():
        pytest.fail("nothing is waited for any more")


@pytest.mark.parametrize("system", [sys.platform, "win32"])
@pytest.mark.parametrize("waiting", [INTERRUPTION.while_waiting, INTERRUPTION.heeded])
def test_a_deadline_passes_on_every_system(
    monkeypatch: pytest.MonkeyPatch, system: str, waiting: Callable[[], AbstractContextManager[None]]
) -> None:
    """It is none of the signals that end Hoyle, though on Windows it comes as one."""
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(KeyboardInterrupt), deadline(0.01), waiting():
        until(lambda: False)
    assert (INTERRUPTION.why, INTERRUPTION.signal) == (None, 0)


# ---- jobs


@pytest.mark.parametrize(
    ("count", "jobs", "first"),
    [(7, 3, [[1, 4, 7], [2, 5], [3, 6]]), (2, 9, [[1], [2]]), (1, 1, [[1]]), (0, 4, [[]]), (3, 0, [[1, 2, 3]])],
)
def test_jobs_take_turns(count: int, jobs: int, first: list[list[int]]) -> None:
    assert [list(share) for share in shares(count, jobs)] == first


# ---- ended early, and watched


@pytest.mark.parametrize(
    ("became", "most", "done", "code"),
    [
        ([Status.PASS, Status.FAIL, Status.PASS, Status.FAIL, Status.PASS], 2, 4, Exit.UNEXPECTED_RESULT),
        ([Status.FAIL, Status.FAIL, Status.PASS], None, 3, Exit.UNEXPECTED_RESULT),
        ([Status.ERROR, Status.CRASH, Status.PASS], 2, 2, Exit.ADAPTER_BROKE),
        ([Status.SKIPPED, Status.UNSUPPORTED, Status.PASS], 1, 3, Exit.TOO_LITTLE_RAN),
        ([Status.PASS, Status.PASS, Status.FAIL], 1, 3, Exit.UNEXPECTED_RESULT),  # the last of all
    ],
)
def test_a_run_is_ended_after_so_many_failures(
    suite: Suite, checks: list[Check], became: list[Status], most: int | None, done: int, code: Exit
) -> None:
    seen: list[Result] = []
    ran = held(suite, Engine(), checks[: len(became)], of(*became), most_failures=most, watch=seen.append)
    assert (len(ran.results), ran.exit, ran.gave_up) == (done, code, False)
    assert seen == ran.results
    assert ran.stopped == (Stop(StopCode.ENOUGH_FAILURES, most or 0) if ran.not_run else None)


def test_known_failures_do_not_end_a_run_and_one_that_passes_does(suite: Suite, checks: list[Check]) -> None:
    expected = (Status.FAIL, Status.CRASH, Status.FAIL)
    known = {
        each.id: BaselineLine(each.id, frozenset({each.id}), status)
        for each, status in zip(checks, expected, strict=False)
    }
    became = of(Status.FAIL, Status.CRASH, Status.PASS, Status.FAIL)
    done = held(suite, Engine(), checks[:4], became, most_failures=1, known_failures=known)
    assert [str(each.status) for each in done.results] == ["expected-failure", "expected-failure", "unexpected-pass"]
    assert done.stopped == Stop(StopCode.ENOUGH_FAILURES, 1)


def test_run_with_helpers_ends_after_the_same_check(suite: Suite, checks: list[Check]) -> None:
    statuses = [Status.PASS, Status.FAIL, Status.PASS, Status.FAIL, *[Status.PASS] * 8]
    alone = held(suite, Engine(), checks, of(*statuses), most_failures=2)
    result_of = {check.id: Result(check, status) for check, status in zip(checks, statuses, strict=True)}
    helper: Any = Helper([], [result_of[check.id] for check in checks[1::2]])
    shared = held(suite, Engine(), checks, of(*statuses), helpers=[helper], most_failures=2)
    assert (shared.results, shared.stopped, shared.not_run) == (alone.results, alone.stopped, alone.not_run)
    assert len(alone.results) == 4
