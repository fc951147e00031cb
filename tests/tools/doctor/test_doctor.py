"""The doctor: every classic fault of an adapter is found, told with the lines that show it, and has its remedy."""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import HANGS, READY_MESSAGE, ROOT, Done, golden_among, goldens
from hoyle_conformance.protocol import process
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError, Wire, encode
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.doctor import conversation, diagnosis
from hoyle_conformance.tools.doctor import conversation as talking
from hoyle_conformance.tools.doctor.diagnosis import IN_GENERAL, diagnose, findings, questions, remedies
from hoyle_conformance.tools.doctor.report import can_encode_marks, report_lines
from tools.doctor.broken_adapters import BROKEN_ADAPTERS

pytestmark = pytest.mark.slow

REPORTS = ROOT / "tests/tools/doctor/reports.yaml"
ADAPTER = ROOT / "tests/tools/doctor/broken_adapters.py"
#: How a broken adapter is started: without what a Python brings along, which takes longer than all the rest.
STARTED = (sys.executable, "-S", "-E", str(ADAPTER))

Doctor = Callable[..., Done]

#: Every broken adapter, what is found wrong with it (or odd, with a question mark), and what cannot be examined for
#: that.
FAULTS: Mapping[str, str] = {
    "healthy": "",
    "not-flushed": "flush",
    "reads-all-before-it-answers": "flush",
    "flushes-only-ready": "flush",
    "no-line-feed": "line-feed",
    "noise-before-ready": "noise",
    "noise-between": "noise",
    "noise-at-the-end": "noise",
    "byte-order-mark": "byte-order-mark?",
    "carriage-returns": "line-ends?",
    "pretty-printed": "one-line",
    "prints-no-json": "json",
    "latin-1": "utf-8",
    "utf-16": "utf-8",
    "wrong-seq": "seq",
    "too-few-steps": "steps",
    "another-kind": "form",
    "a-key-twice": "form",
    "answers-twice": "once",
    "claims-and-declines": "declines?",
    "declines-a-step": "declines?",
    "dies-of-a-ruleset": "stranger?",
    "silent-about-a-ruleset": "stranger?",
    "starts-slowly": "slow?",
    "remembers-the-run-before": "same",
    "another-name-every-time": "itself",
    "stays-at-bye": "bye",
    "ends-with-exit-code-3": "bye",
    "stumbles-over-the-end": "end?",
    "dies-at-once": "hello",
    "says-nothing": "hello",
    "writes-without-end": "hello",
    "dies-of-a-run": "answers",
    "silent-when-asked": "answers",
    "writes-a-line-without-end": "answers",
    "cuts-long-lines": "answers",
    "speaks-another-version": "ready",
    "claims-what-there-is-not": "ready",
    "claims-no-ruleset-that-there-is": "claims",
    "claims-one-ruleset-too-many": "claims?",
    "claims-acts-without-a-position": "claims",
    "is-written-in-rust": "noise",
}
#: Those that are silent at the first message, at a run, and at one of an unknown ruleset.
SILENT_AT_ONCE = {"not-flushed", "reads-all-before-it-answers", "no-line-feed", "says-nothing"}
SILENT_WHEN_ASKED = {"flushes-only-ready", "silent-when-asked"}
#: Those that stay silent when their input is closed.
SILENT_TO_THE_END = {"says-nothing", "silent-when-asked"}
#: Those that do not end by themselves.
STAYS = SILENT_TO_THE_END | {"stays-at-bye", "writes-without-end", "writes-a-line-without-end"}
AT_ONCE, A_MOMENT = 0.02, 0.3  # seconds


def run_of(cards: str, **more: Any) -> Mapping[str, Any]:
    """What a run says that asks who wins tricks, each of two cards."""
    position = {"phase": "play", "turn": "A", "dealer": "B", "trumps": "H", "score": {"A": 0, "B": 0}, **more}
    steps = [{"ask": "winner", "by": "A", "cards": trick.split("-")} for trick in cards.split()]
    return {"ruleset": "bezique-hoyle", "options": [], "position": position, "steps": steps, "observe": []}


#: The last is longer than the room of some programs for a line.
RUNS = [run_of("KS-9S"), run_of("9D-9D#2 TS-KS"), run_of("8C-7H AD-TD KS-QS"), run_of("9C-JC " * 20 + "KH-TH")]


def known(ready: AdapterInfo) -> bool:
    """Whether an adapter claims what these runs ask."""
    return "winner" in ready.claims and "bezique-hoyle" in ready.rulesets


@pytest.fixture
def doctor(hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """The command, run on a broken adapter: always asked the same, and however busy the machine is."""

    def examined(name: str, *options: str) -> Done:
        def seconds_for(_talk: talking.RecordedProcess, message: Mapping[str, Any]) -> float:
            silent = name in SILENT_AT_ONCE or (name in SILENT_WHEN_ASKED and "seq" in message)
            silent |= name == "silent-about-a-ruleset" and message.get("ruleset") == conversation.UNKNOWN_RULESET
            return A_MOMENT if silent else HANGS

        monkeypatch.setattr(talking.RecordedProcess, "seconds_for", seconds_for)
        monkeypatch.setattr(talking, "TO_END", A_MOMENT if name in SILENT_TO_THE_END else HANGS)
        monkeypatch.setattr(talking, "LAST_WORDS", HANGS)
        monkeypatch.setattr(talking, "runs_to_ask", lambda _suite, ready: RUNS if known(ready) else [])
        monkeypatch.setattr(process, "_GRACE", AT_ONCE if name in STAYS else HANGS / 10)
        monkeypatch.setattr(diagnosis, "SLOW", 0.1 if name == "starts-slowly" else HANGS)
        return hoyle("doctor", *options, "--", *STARTED, name)

    return examined


def marked(report: str, mark: str) -> list[str]:
    """The questions of a report that have this mark."""
    return re.findall(rf"^  {re.escape(mark)} (\S+)", report, re.MULTILINE)


def same_everywhere(report: str) -> str:
    """A report without what is another on every machine, or every time."""
    report = report.replace(" ".join(STARTED), "python broken_adapters.py")
    report = re.sub(r"after [0-9.]+ s, the", "after N s, the", report)
    return re.sub(r"pid-[0-9]+", "pid-N", report)


def test_every_broken_adapter_is_examined() -> None:
    assert set(FAULTS) == set(BROKEN_ADAPTERS)
    assert goldens(REPORTS).keys() == set(BROKEN_ADAPTERS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_and_told(doctor: Doctor, name: str) -> None:
    done = doctor(name)
    odd = FAULTS[name].endswith("?")
    assert marked(done.stdout, "!" if odd else "✗") == [word for word in [FAULTS[name].rstrip("?")] if word]
    assert marked(done.stdout, "✗" if odd else "!") == []
    assert done.returncode == (0 if name == "healthy" else 1 if odd else 2)
    assert done.stderr == ""
    golden_among(REPORTS, same_everywhere(done.stdout), name, "report")


@pytest.mark.posix
def test_a_command_that_cannot_be_started_has_its_remedy(hoyle: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "from-windows").write_bytes(b"#!/bin/sh\r\nexit 0\r\n")
    (tmp_path / "from-windows").chmod(0o755)
    done = hoyle("doctor", "--", "sh -c 'exit 3'", "x", cwd=tmp_path)
    assert done.returncode == 2
    assert marked(done.stdout, "✗") == ["starts"]
    assert len(marked(done.stdout, "·")) == len(questions()) - 1
    assert (
        "remedy    Because of the quotes, all of it is the name of one program. Write: hoyle doctor sh -c 'exit 3' x"
        in done.stdout
    )


# ---- the command


def test_the_log_has_every_line_of_every_conversation(doctor: Doctor, tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert doctor("noise-at-the-end", "--log", str(log)).returncode == 2
    lines = log.read_text("utf-8").splitlines()
    kinds = Counter(json.loads(line)["type"] for line in lines if line.startswith("{"))
    runs = (len(RUNS) + 2) + len(RUNS) + 2
    assert kinds == {"hello": 3, "ready": 3, "run": runs, "observed": runs, "bye": 2}
    assert lines.count("Goodbye!") == 3
    assert Counter(line for line in lines if '"run"' in line)  # in the order in which they were said
    assert [json.loads(line)["type"] for line in lines[:4]] == ["hello", "ready", "run", "observed"]


def test_marks_are_plain_where_others_cannot_be_written(suite: Suite) -> None:
    assert [can_encode_marks(encoding) for encoding in ("utf-8", "ascii", "cp1252", None, "no-such")] == [
        True,
        *[False] * 4,
    ]
    found = diagnose(
        conversation.AdapterTranscript(
            ["x"], 10.0, windows=False, cannot_start=ProtocolError("cannot-start", "x: gone")
        )
    )
    plain = "\n".join(report_lines(found, ["x"], plain=True))
    assert plain.isascii()
    assert "\n  x starts           The command could not be started: x: gone.\n  - hello " in plain
    assert suite.version not in plain


def test_carriage_returns_are_as_they_should_be_on_windows() -> None:
    exchange = conversation.Exchange({"type": "hello"}, conversation.ExchangeOutcome.ANSWERED, (b"{}\r\n",), {}, 1)
    on_unix = conversation.AdapterTranscript(["x"], 10.0, windows=False, first=conversation.Conversation((exchange,)))
    found = [[each.question for each in findings(of)] for of in (on_unix, replace(on_unix, windows=True))]
    assert [each.count("line-ends") for each in found] == [1, 0]


# ---- what is asked


@pytest.mark.parametrize(("claims", "position"), [(["winner"], "none"), (["dealing", "tricks"], "deal")], ids=" ".join)
def test_a_few_runs_are_asked_as_in_a_check(suite: Suite, claims: list[str], position: str) -> None:
    rulesets = ["bezique-hoyle", "rubicon-hoyle"]
    ready = Wire(suite.schemas).ready({**READY_MESSAGE, "rulesets": rulesets, "claims": claims, "position": position})
    runs = conversation.runs_to_ask(suite, ready)
    assert 1 < len(runs) <= 4
    lengths = [len(encode(each)) for each in runs]
    assert lengths == sorted(lengths)
    assert len({encode(each) for each in runs}) == len(runs)
    for each in runs:
        assert suite.schemas.complaint("message-run", {"type": "run", "seq": 1, **each}) == ""
        assert each["ruleset"] in rulesets
        asked = {step["ask"] for step in each["steps"] if "ask" in step}
        assert asked <= ready.claims


# ---- remedies, and the languages that they are told in


def test_every_question_has_a_remedy_or_makes_one() -> None:
    made = {"starts", "ready"}  # by what exactly is wrong
    of_findings = {"ended", "flood", "no-ready", "long", "does-not-end"}
    assert set(remedies()) == set(questions()) - made | of_findings
    known = {name for each in remedies().values() for name in each if name != IN_GENERAL}
    assert known <= set(diagnosis._data()["languages"])
    for each in remedies().values():
        assert all(isinstance(text, str) and text.endswith((".", ":", '"')) for text in each.values()), each
        assert each[IN_GENERAL].endswith(".")


# ---- answers that are taken apart


def test_an_answer_is_found_among_lines() -> None:
    assert conversation.find_answer([b"noise {\n", b"{\n", b'"type": "ready", "of": {}\n', b"}\n"])[1] == 3
    assert conversation.find_answer([b"[" * 100_000 + b"}\n"]) == (None, 0)
