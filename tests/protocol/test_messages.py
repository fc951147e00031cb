"""In hostile hands: what an adapter says, and what goes wrong in Hoyle itself, is told of the check it belongs to."""

import io
import json
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from conftest import HANGS, ROOT, Done
from hoyle_conformance.cli.adapter_options import deadline_option
from hoyle_conformance.protocol.adapters import Ending, InProcess
from hoyle_conformance.protocol.messages import ProtocolError, Response, decode
from hoyle_conformance.reports import failure as report_causes
from hoyle_conformance.reports import terminal, words
from hoyle_conformance.runner import checker
from hoyle_conformance.runner import group_failures as finding_causes
from hoyle_conformance.runner import readings as one_reading
from hoyle_conformance.runner import results as guarding
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Exit, Result
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from runner.test_run import reference, wire

# ---- what an adapter says is of the kind that the protocol has, or an error of the check


READS = ["1" + "0" * 4_400, "-1E+999", "1e308", "1" + "0" * 400 + ".0"]


@pytest.mark.parametrize("number", READS)
def test_a_number_of_any_size_is_read_and_is_no_points(suite: Suite, number: str) -> None:
    read = decode(b'{"n": %s}' % number.encode())["n"]
    assert isinstance(read, int)
    assert abs(read) > 1_000_000
    assert "1000000" in suite.schemas.complaint("common#/$defs/points", read)
    json.dumps(read)


@pytest.mark.parametrize(
    ("number", "is_points"),
    [
        *(("-1000000", True), ("1000001", False), ("-0.0", True), ("1e-999", True), ("4.0e1", True)),
        *(("40.5", False), ("true", False), ('"40"', False)),
    ],
)
def test_points_are_whole_numbers_that_a_game_may_reach(suite: Suite, number: str, is_points: bool) -> None:
    read = decode(number.encode())
    assert (suite.schemas.complaint("common#/$defs/points", read) == "") is is_points
    assert not is_points or type(read) is int


@pytest.mark.parametrize("line", [b'{"a": 1, "a": 1}', b'{"seq": 7, "b": {"a": 1, "c": [{"a": 2, "x": 0, "a": 2}]}}'])
def test_a_key_that_stands_twice_is_a_fault(line: bytes) -> None:
    with pytest.raises(ProtocolError) as raised:
        decode(line)
    assert (raised.value.code, raised.value.detail) == ("repeated-key", "'a'")
    assert raised.value.seq == (7 if b"seq" in line else None)


#: Something of each kind that an answer may be of.
OF_EVERY_KIND: list[Any] = [
    *("A", 40, None, ["QS", "JD#2"], [{"meld": "bezique", "cards": ["QS", "JD"]}], {"A": 40, "B": 0}),
    *({"winner": "A", "points": 141}, {"meld": "bezique", "points": 40}),
    {"chooses": "A", "choices": ["adds"], "until": "end-of-the-deal"},
]
NO_ANSWERS: list[Any] = [True, 0.5, "", "E", "the leader", "\ud800", "QS", {}, [[]], {"A": "40", "B": 0}, 10**12]


def asking(suite: Suite, question: str, answer: object) -> Response:
    message = {"type": "observed", "seq": 1, "steps": [{"answer": answer}]}
    return wire(suite).answer(message, 1, [{"ask": question}])


def test_each_question_has_answers_of_its_own_kinds(suite: Suite) -> None:
    """What is expected anywhere fits its question, and fits no other, unless that is answered alike."""
    expected: dict[str, list[Any]] = {}
    for check in suite.index.checks.values():
        for branch in check.branches.values():
            for number, each in branch.items():
                if "answer" in each:
                    expected.setdefault(check.scenario.steps[number - 1]["ask"], []).append(each["answer"])
    assert expected.keys() == suite.schemas.documents["common"]["$defs"]["ask"].keys()
    for question, answers in expected.items():
        for answer in {repr(each): each for each in answers}.values():
            asking(suite, question, answer)
        fit = [each for each in OF_EVERY_KIND if fits(suite, question, each)]
        assert 1 <= len(fit) <= (3 if question == "worth" else 2)  # its forms are answered in two ways, or with null
        assert {type(each) for each in answers} <= {type(each) for each in fit}
        assert not any(fits(suite, question, each) for each in NO_ANSWERS)


def fits(suite: Suite, question: str, answer: object) -> bool:
    try:
        asking(suite, question, answer)
    except ProtocolError as fault:
        return (fault.code, fault.seq) != ("invalid-answer", 1)
    return True


def test_an_act_is_told_by_what_came_of_it(suite: Suite) -> None:
    message = {"type": "observed", "seq": 1, "steps": [{"accepted": True, "answer": None}]}
    with pytest.raises(ProtocolError, match="step 1 is an act"):
        wire(suite).answer(message, 1, [{"do": "play"}])


@pytest.mark.parametrize("seq", [10**30, "1", True, None])
def test_an_answer_to_another_run_ends_the_conversation(suite: Suite, seq: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        wire(suite).answer({"type": "observed", "seq": seq, "steps": []}, 1, [])
    assert raised.value.code == ("wrong-seq" if type(seq) is int else "not-a-message")
    assert raised.value.seq is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": [{"acepted": 1}] * 60_000},
        {"steps": [{"accepted": True, "hands": {"A": ["QQ"] * 100_000}}]},
        {"steps": [{"accepted": True, "score": {"\ud800": 1}}]},
        {"steps": [{"accepted": True, "score": {"A": json.loads("[" * 400 + "]" * 400)}}]},
        {"steps": [{"accepted": True, "x" * 900_000: 1}]},
        {"steps": [{"accepted": True, "score": {"A": float("inf")}}]},
    ],
)
def test_what_is_wrong_with_an_answer_is_said_in_a_line(suite: Suite, wrong: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError) as raised:
        wire(suite).answer({"type": "observed", "seq": 1, **wrong}, 1, [{"do": "play"}])
    assert raised.value.code == "invalid-answer"
    assert 0 < len(raised.value.detail) <= 300


# ---- what goes wrong in Hoyle itself belongs to one check


class Failing(Exception):
    """Hoyle is wrong."""


def some(suite: Suite) -> list[Check]:
    return list(suite.index.checks.values())[:6]


def written(stream: io.BytesIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("where", ["judge", "adapt", "take", "add"])
def test_a_fault_of_hoyle_in_one_check_is_an_error_of_that_check(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    checks = some(suite)
    place, name = {
        "judge": (checker, "judge"),
        "adapt": (checker, "adapt"),
        "take": (one_reading.Readings, "take"),
        "add": (Recorder, "add"),
    }[where]
    right = getattr(place, name)

    def wrong(*about: Any, **more: Any) -> Any:
        third = next(each for each in about if isinstance(each, Check | Result))
        check = third.check if isinstance(third, Result) else third
        if check.id == checks[2].id and getattr(third, "code", "") != guarding.OWN_FAULT:
            raise Failing("there is no such card")
        return right(*about, **more)

    monkeypatch.setattr(place, name, wrong)
    stream = io.BytesIO()
    done = run(suite, reference(suite), checks, recorder=Recorder(suite, stream.write))
    assert [str(each.status) for each in done.results] == ["pass", "pass", "error", "pass", "pass", "pass"]
    failed = done.results[2]
    assert failed.code == guarding.OWN_FAULT
    assert words.reason(failed).endswith("Failing: there is no such card")
    assert "report it" in words.remedy(failed)
    assert done.exit is Exit.UNEXPECTED_RESULT
    lines = written(stream)
    assert [line["type"] for line in lines] == ["header", *["result"] * 6, "footer"]
    assert lines[3]["code"] == guarding.OWN_FAULT
    assert all(suite.schemas.complaint("record", line) == "" for line in lines)


def test_where_it_went_wrong_is_printed_to_whoever_asks(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(*_about: Any, **_more: Any) -> Any:
        raise Failing("there is no such card")

    monkeypatch.setattr(checker, "judge", wrong)
    run(suite, reference(suite), some(suite)[:1])
    assert "Traceback" not in capsys.readouterr().err
    monkeypatch.setenv(guarding.DEBUG, "1")
    run(suite, reference(suite), some(suite)[:1])
    assert "Traceback" in capsys.readouterr().err


def test_a_failure_whose_cause_cannot_be_found_is_told(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    right = finding_causes.group_failures
    checks = some(suite)

    def wrong(suite: Suite, results: Sequence[Result]) -> Any:
        if any(each.check.id == checks[1].id and not each.code for each in results):
            raise Failing("no rule at work")
        return right(suite, results)

    monkeypatch.setattr(finding_causes, "group_failures", wrong)
    done = run(suite, InProcess(wire(suite), Refusing(suite)), checks)
    assert checks[1].id in {each for cause in done.causes for each in cause.checks}
    monkeypatch.setattr(finding_causes, "group_failures", lambda *_what: 1 / 0)
    stream = io.BytesIO()
    assert run(suite, reference(suite), checks, recorder=Recorder(suite, stream.write)).causes == ()
    assert written(stream)[-1]["type"] == "footer"


class Refusing(Reference):
    """The reference, which cannot do anything."""

    def __call__(self, message: Mapping[str, Any]) -> Any:
        answer = super().__call__(message)
        return answer if message["type"] == "hello" else {"type": "error", "seq": message["seq"], "reason": "no"}


@pytest.mark.slow
def test_a_report_is_printed_whatever_cannot_be_shown(
    hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_about: Any, **_more: Any) -> Any:
        raise Failing("no words for it")

    for place, name in ((terminal, "tables"), (terminal, "_print_readings"), (report_causes, "cause_lines")):
        monkeypatch.setattr(place, name, wrong)
    adapter = [sys.executable, str(ROOT / "tests/faulty_adapters/main.py"), "gives-up"]
    done = hoyle("check", "-s", "melds.bezique@bezique-hoyle", "--", *adapter)
    assert done.stdout.count("Hoyle itself failed here. Please report it") == 3
    assert "\n0 passed, 1 failed, 0 skipped\nexit 1: 1 check failed; " in done.stdout
    assert done.returncode == 1


# ---- a run has an end


@pytest.mark.posix
def test_a_run_ends_at_its_deadline(suite: Suite) -> None:
    answer = Reference(suite)

    def slow(message: dict[str, Any]) -> dict[str, Any]:
        if message.get("seq") == 4:
            signal.raise_signal(signal.SIGALRM)
        return answer(message)

    stream = io.BytesIO()
    checks = some(suite)
    done = run(suite, InProcess(wire(suite), slow), checks, recorder=Recorder(suite, stream.write), seconds=HANGS)
    assert done.stopped == Stop(StopCode.DEADLINE, HANGS)
    assert done.not_run == checks[3:]
    assert done.exit is Exit.TOO_LITTLE_RAN
    assert [line["type"] for line in written(stream)] == ["header", *["result"] * 3, "footer"]
    assert written(stream)[-1]["stopped"] == StopCode.DEADLINE
    assert suite.schemas.complaint("record", written(stream)[-1]) == ""
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("command", [("check", "-s", "cut.*", "--jobs", "2"), ("check", "-s", "census")])
def test_a_deadline_before_the_adapter_is_ready_is_not_its_fault(
    hoyle: Callable[..., Done], command: tuple[str, ...]
) -> None:
    silent = ["--", sys.executable, "-c", "import sys; sys.stdin.read()"]
    done = hoyle(*command, "--deadline", "2s", "--timeout", str(HANGS), *silent)
    nothing = "exit 3: the deadline of 2 s has passed before the adapter was ready; nothing ran; run the command again"
    assert (done.stdout, done.stderr) == ("", f"{nothing} with more time.\n")
    assert done.returncode == 3


@pytest.mark.parametrize(("span", "seconds"), [("90s", 90), ("1.5m", 90), (" 2h ", 7_200), ("0.1", 0.1)])
def test_a_deadline_is_written_as_people_do(span: str, seconds: float) -> None:
    assert deadline_option(lambda: None).__click_params__[0].callback(None, None, span) == pytest.approx(seconds)


@pytest.mark.parametrize("span", ["0", "1e9", "nan", "10 minutes", "9" * 9 + "h", "\uff11\uff10"])
def test_what_is_no_time_is_no_deadline(hoyle: Callable[..., Done], span: str) -> None:
    done = hoyle("check", "-s", "melds.bezique", f"--deadline={span}")
    assert done.returncode == 4
    assert "Write 90 for seconds, or 90s, 10m, 2h." in done.stderr


def test_how_an_adapter_ended_is_recorded(suite: Suite) -> None:
    class Ends(InProcess):
        def end(self) -> Ending:
            return Ending(ending)

    ending = ProtocolError("ended-badly", "exit code 3")
    engine = Ends(wire(suite), Reference(suite))
    stream = io.BytesIO()
    done = run(suite, engine, some(suite), recorder=Recorder(suite, stream.write))
    assert written(stream)[-1]["ending"] == {"code": "ended-badly", "reason": ending.message}
    assert suite.schemas.complaint("record", written(stream)[-1]) == ""
    assert done.exit is Exit.ADAPTER_BROKE
    ending = ProtocolError("does-not-end")
    assert run(suite, engine, some(suite)).exit is Exit.AS_EXPECTED


@pytest.mark.parametrize("words", [(), ("", "adapter.py")])
def test_an_empty_word_is_no_command(hoyle: Callable[..., Done], words: Sequence[str]) -> None:
    done = hoyle("check", "-s", "cut.*", "--", *words)
    assert done.returncode == Exit.USAGE
    assert "The command of the adapter is empty." in done.stderr
