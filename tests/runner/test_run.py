"""The harness: what it compares, how a run ends, what is recorded and what a baseline expects."""

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from hoyle_conformance.checks import plan as planning
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import FAULTS, AdapterInfo, ProtocolError, Wire, decode
from hoyle_conformance.runner import run as running
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Exit, Mismatch, Result, Status
from hoyle_conformance.runner.run import GIVE_UP_AFTER, run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

#: Every so manieth check is run where any will do.
EVERY = 60
READY = AdapterInfo("x", "1", "Python", frozenset({"bezique-hoyle"}), frozenset({"tricks"}))


def wire(suite: Suite) -> Wire:
    return Wire(suite.schemas, suite.version)


def reference(suite: Suite) -> InProcess:
    return InProcess(wire(suite), Reference(suite), trusted=True)


@pytest.mark.interpreter
@pytest.mark.whole
def test_the_reference_passes_a_check_of_each_outcome(suite: Suite, check_of_each_outcome: list[Check]) -> None:
    done = run(suite, reference(suite), check_of_each_outcome)
    assert set(done.totals) == {Status.PASS}
    assert done.exit is Exit.AS_EXPECTED
    assert {result.check.id for result in done.results if result.reading} == {
        check.id for check in check_of_each_outcome if check.follows
    }


@pytest.mark.slow
def test_expectations_are_never_sent(suite: Suite) -> None:
    sent: list[Mapping[str, Any]] = []
    answer = Reference(suite)

    def listen(message: dict[str, Any]) -> dict[str, Any]:
        sent.append(message)
        return answer(message)

    some = list(suite.index.checks.values())[::EVERY]
    run(suite, InProcess(wire(suite), listen, trusted=True), some)
    runs = [message for message in sent if message["type"] == "run"]
    assert len(runs) == len(some)
    for message in runs:
        assert set(message) == {"type", "seq", "ruleset", "options", "position", "steps", "observe"}
        text = json.dumps(message)
        for word in ("expect", "cites", "refused", "title", "outcome", "reading", "scenario"):
            assert f'"{word}"' not in text


@pytest.mark.slow
def test_the_record_of_a_run_is_valid_and_whole(suite: Suite) -> None:
    stream = io.BytesIO()
    some = list(suite.index.checks.values())[::EVERY]
    done = run(suite, reference(suite), some, recorder=Recorder(suite, stream.write))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["type"] for line in lines] == ["header", *["result"] * len(some), "footer"]
    for line in lines:
        assert suite.schemas.complaint("record", line) == ""
    assert lines[0]["selected"] == lines[-1]["ran"] == len(done.results)
    assert lines[-1]["totals"] == {"pass": len(some)}


def test_what_was_measured_is_recorded_when_the_run_is_interrupted(suite: Suite) -> None:
    answer = Reference(suite)

    def interrupted(message: dict[str, Any]) -> dict[str, Any]:
        if message.get("seq") == 4:
            raise KeyboardInterrupt
        return answer(message)

    stream = io.BytesIO()
    done = run(
        suite,
        InProcess(wire(suite), interrupted),
        list(suite.index.checks.values())[:9],
        recorder=Recorder(suite, stream.write),
    )
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["type"] for line in lines] == ["header", "result", "result", "result", "footer"]
    assert done.interrupted
    assert done.exit is Exit.TOO_LITTLE_RAN


def test_nonsense_can_be_recorded(suite: Suite) -> None:
    check = suite.index.checks["tricks.identical-trumps@bezique-hoyle"]
    stream = io.BytesIO()
    Recorder(suite, stream.write).add(Result(check, Status.FAIL, Mismatch(1, "answer", "A", "\ud800")))
    stream.getvalue()
    assert suite.schemas.complaint("record", json.loads(stream.getvalue())) == ""


def test_every_fault_has_its_cause_and_remedy() -> None:
    for code, (cause, remedy) in FAULTS.items():
        fault = ProtocolError(code, "detail")
        assert fault.message == f"{cause}: detail"
        assert remedy.endswith((".", "?"))
        assert fault.status in set(Status)


def test_a_line_that_is_not_json_is_shown_safely() -> None:
    for line in (b"\xff\xfe\n", b"[" * 100_000, b"{'type': 'ready'}\n", b"NaN\n", b"\x1b[31mred\n"):
        with pytest.raises(ProtocolError) as raised:
            decode(line)
        assert raised.value.code == "not-json"
        assert raised.value.detail.isprintable()
        assert len(raised.value.detail) <= 120


def test_the_harness_checks_its_own_messages(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    anew = replace(suite)
    check = next(iter(anew.index.checks.values()))
    bad = RunRequest({"ruleset": "bezique-hoyle"}, (), frozenset(), "AB")
    monkeypatch.setattr(planning, "plan", lambda *_what: bad)
    with pytest.raises(ValueError, match="Hoyle built an invalid message"):
        planner_of(anew).request(check)


def test_in_process_implementations_are_held_to_the_protocol_too(suite: Suite) -> None:
    def lying(answer: Any) -> Callable[[dict[str, Any]], Any]:
        return lambda _message: answer

    for answer in (None, [], "ready", {"type": "ready"}, {"type": ["ready"]}, 7):
        with pytest.raises(ProtocolError):
            InProcess(wire(suite), lying(answer)).introduce()


def test_one_scenario_that_breaks_under_many_rulesets_is_one(suite: Suite) -> None:
    scenario = max(suite.scenarios.values(), key=lambda each: len(suite.index.checks_of(each)))
    checks = list(suite.index.checks_of(scenario))
    assert len(checks) > GIVE_UP_AFTER
    done = run(suite, InProcess(wire(suite), Breaking(suite)), checks)
    assert (done.totals, done.stopped) == ({Status.ERROR: len(checks)}, None)


def test_a_run_is_given_up_after_so_many_broken_checks_in_all(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "GIVE_UP_AFTER_IN_ALL", 4)
    checks = list(suite.index.checks.values())[:20]
    done = run(suite, InProcess(wire(suite), Breaking(suite, lambda seq: seq % 2 == 0)), checks)
    assert len(done.results) == 8
    assert done.stopped == Stop(StopCode.BROKE_IN_ALL, 4)


class Breaking(Reference):
    """The reference, which gives no answer to the runs with some numbers."""

    def __init__(self, suite: Suite, breaks: Callable[[int], bool] = lambda _seq: True) -> None:
        super().__init__(suite)
        self.breaks = breaks

    def __call__(self, message: Mapping[str, Any]) -> Any:
        return None if "seq" in message and self.breaks(message["seq"]) else super().__call__(message)
