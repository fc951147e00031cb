"""The harness: what it compares, how a run ends, what is recorded and what a baseline expects."""

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hoyle_conformance.checks import plan as planning
from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.protocol.adapters import Command, InProcess
from hoyle_conformance.protocol.messages import FAULTS, AdapterInfo, ProtocolError, Wire, decode
from hoyle_conformance.runner import run as running
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Exit, Mismatch, Result, Status
from hoyle_conformance.runner.run import GIVE_UP_AFTER, run
from hoyle_conformance.runner.select import select
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

#: Every so manieth check is run where any will do.
EVERY = 5
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


def test_reasons_are_compared_for_the_reference_alone(suite: Suite) -> None:
    check = suite.index.checks["last-tricks.must-follow-suit@bezique-hoyle"]
    prepared = plan(check, suite.rules.of("bezique-hoyle"), suite.capabilities)
    seen = [
        {"accepted": True, "trick_won_by": None},
        {"accepted": False, "reason": "must-win", "trick_won_by": None},
        {"accepted": True, "trick_won_by": "A"},
    ]
    assert judge(check, prepared, seen, trusted=False).status is Status.PASS
    strict = judge(check, prepared, seen, trusted=True)
    assert strict.mismatch == Mismatch(2, "reason", "must-follow-suit", "must-win", reason="must-win")


def test_copies_are_compared_only_where_they_are_named(suite: Suite) -> None:
    check = suite.index.checks["tricks.whole-hand-playable@bezique-hoyle"]
    prepared = plan(check, suite.rules.of("bezique-hoyle"), suite.capabilities)
    cards = ["KS#2", "9S", "AH", "8H", "QD", "JD#2", "8C", "7C"]
    assert judge(check, prepared, [{"answer": cards}], trusted=False).status is Status.PASS
    assert judge(check, prepared, [{"answer": cards[1:]}], trusted=False).status is Status.FAIL
    assert judge(check, prepared, [{"answer": [*cards, "7C"]}], trusted=False).status is Status.FAIL


def test_scores_name_the_whole_scoring_of_a_step(suite: Suite) -> None:
    check = suite.index.checks["declare.with-two-cards-left@bezique-hoyle"]
    prepared = plan(check, suite.rules.of("bezique-hoyle"), suite.capabilities)

    def judged(score: dict[str, int]) -> Status:
        return judge(check, prepared, [{"accepted": True, "score": score}], trusted=False).status

    assert judged({"A": 40, "B": 0}) is Status.PASS
    assert judged({"A": 40}) is Status.FAIL
    assert judged({"A": 40, "B": 10}) is Status.FAIL
    assert judged({"A": 20, "B": 0}) is Status.FAIL
    assert judged({}) is Status.FAIL


def test_a_step_not_done_decides_the_whole_check(suite: Suite) -> None:
    check = suite.index.checks["tricks.winner-leads@bezique-hoyle"]
    prepared = plan(check, suite.rules.of("bezique-hoyle"), suite.capabilities)
    for key, status in (("unsupported", "unsupported"), ("skipped", "skipped"), ("error", "error")):
        done = [{"accepted": True, "trick_won_by": None}, {"accepted": True, "trick_won_by": "B"}]
        not_done: list[dict[str, Any]] = [{key: "because"}] * (len(prepared.message["steps"]) - 2)
        result = judge(check, prepared, done + not_done, trusted=False)
        assert (str(result.status), result.reason) == (status, "because")
        wrong = [done[0], {"accepted": True, "trick_won_by": "A"}]
        assert judge(check, prepared, wrong + not_done, trusted=False).mismatch == Mismatch(1, "trick_won_by", "B", "A")


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (True, "answer"),
        (None, "answer"),
        ([], "answer"),
        ([{"meld": "bezique", "cards": ["QS", "JD"]}], "answer"),
        (40, "answer"),
        ("B", "answer"),
    ],
)
def test_an_answer_of_any_kind_is_judged(suite: Suite, answer: object, what: str) -> None:
    check = suite.index.checks["tricks.identical-trumps@bezique-hoyle"]
    prepared = plan(check, suite.rules.of("bezique-hoyle"), suite.capabilities)
    result = judge(check, prepared, [{"answer": answer}], trusted=False)
    assert result.status is Status.FAIL
    assert result.mismatch == Mismatch(1, what, "A", answer)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda now: now, Status.PASS),
        (lambda now: now | {"hands": {seat: cards[::-1] for seat, cards in now["hands"].items()}}, Status.PASS),
        (lambda now: now | {"stock": [*now["stock"][1:], now["stock"][0]]}, Status.FAIL),
        (lambda now: now | {"hands": {"A": now["hands"]["B"], "B": now["hands"]["A"]}}, Status.FAIL),
        (lambda now: now | {"turn_up": now["stock"][0], "stock": [now["turn_up"], *now["stock"][1:]]}, Status.FAIL),
        (lambda now: now | {"stock": now["stock"][1:]}, Status.FAIL),
        (lambda _: None, Status.FAIL),
    ],
)
def test_a_refused_act_leaves_every_card_where_it_was(
    suite: Suite, change: Callable[[dict[str, Any]], Any], status: Status
) -> None:
    check = suite.index.checks["tricks.card-not-held@bezique-hoyle"]
    refusal = next(step for step, each in check.expect.items() if "refused" in each)
    prepared = plan(check, suite.rules.of("bezique-hoyle"), suite.capabilities)
    message = {**prepared.message, "observe": sorted({*prepared.message["observe"], "position"})}
    seen = [each.observation for each in trace(suite.rules.of("bezique-hoyle"), message)]
    at = prepared.start(refusal)
    seen[at] = {**seen[at], "position": change(seen[at]["position"])}
    assert judge(check, replace(prepared, message=message), seen, trusted=False).status is status


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
def test_what_an_implementation_does_not_claim_is_never_sent(suite: Suite) -> None:
    sent: list[Any] = []

    def little(message: dict[str, Any]) -> dict[str, Any]:
        sent.append(message)
        claims = {"rulesets": ["bezique-hoyle"], "claims": ["melds"]}
        if message["type"] == "hello":
            return {"type": "ready", "protocol": 1, "name": "x", "version": "1", "language": "x", **claims}
        return {"type": "unsupported", "seq": message["seq"]}

    done = run(suite, InProcess(wire(suite), little), list(suite.index.checks.values()))
    asks = {step.get("ask") for message in sent[1:] for step in message["steps"]}
    assert asks == {"worth"}
    assert set(done.totals) == {Status.UNSUPPORTED}
    assert done.exit is Exit.TOO_LITTLE_RAN


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


def test_checks_are_selected_by_name_ruleset_topic_and_clause(suite: Suite) -> None:
    def ids(**words: Any) -> list[str]:
        return [check.id for check in select(suite, **words)]

    assert ids() == list(suite.index.checks)
    every = [check.id for check in suite.index.checks_of(suite.scenarios["tricks.identical-trumps"])]
    assert ids(patterns=["tricks.identical-trumps"]) == every
    assert len(every) > len(suite.rules.games["Piquet"])
    assert ids(patterns=["tricks.identical-trumps@bezique-hoyle"]) == ["tricks.identical-trumps@bezique-hoyle"]
    assert ids(patterns=["seven"]) == ids(patterns=["seven.*"])
    citing = ids(patterns=["hoyle/bezique/identical-cards"])
    assert citing == [
        check.id for check in suite.index.checks.values() if "hoyle/bezique/identical-cards" in check.cites
    ]
    assert {name.partition("@")[2] for name in ids(rulesets=["bezique-hoyle+brisques-at-end"])} == {
        "bezique-hoyle+brisques-at-end"
    }


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


def test_a_command_that_cannot_be_started_is_named(suite: Suite, tmp_path: Path) -> None:
    for command in (["no-such-command-at-all"], [str(tmp_path)]):
        with pytest.raises(ProtocolError) as raised:
            Command(wire(suite), command, timeout=1).introduce()
        assert raised.value.code == "cannot-start"
        assert command[0] in raised.value.message


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


@pytest.mark.slow
def test_after_three_broken_scenarios_in_a_row_the_run_is_given_up(suite: Suite) -> None:
    answer = Reference(suite)
    checks = list({check.scenario.id: check for check in suite.index.checks.values()}.values())
    broken = {2, 5, 6, 8, 9, 10}

    def breaking(message: dict[str, Any]) -> Any:
        return None if message.get("seq") in broken else answer(message)

    done = run(suite, InProcess(wire(suite), breaking), checks)
    assert [str(result.status) for result in done.results] == [
        "error" if seq in broken else "pass" for seq in range(1, 11)
    ]
    assert done.gave_up
    assert done.not_run == checks[10:]
    assert done.exit is Exit.ADAPTER_BROKE


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


def test_a_reading_that_is_not_the_tables_passes_and_is_named(suite: Suite) -> None:
    check: Check = suite.index.checks["seven.after-a-declaration@bezique-hoyle"]
    prepared = plan(check, suite.rules.of("bezique-hoyle"), suite.capabilities)
    seen = [{"accepted": True, "score": {"A": 20, "B": 0}}, {"accepted": False, "score": {"A": 20, "B": 0}}]
    result = judge(check, prepared, seen, trusted=False)
    assert (result.status, result.readings) == (Status.PASS, ("instead",))
    only = replace(check, branches={"beside": check.branches["beside"]})
    assert judge(only, prepared, seen, trusted=False).status is Status.FAIL
