"""The doctor: every classic fault of an adapter is found, told with the lines that show it, and has its remedy."""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from conftest import HANGS, Done, golden
from doctor.patients import PATIENTS
from hoyle_conformance.doctor import examining, starting_up, talking
from hoyle_conformance.doctor.examining import STRANGER
from hoyle_conformance.protocol import process

REPORTS = Path(__file__).parent / "doctor" / "reports"
ADAPTER = Path(__file__).parent / "doctor" / "patients.py"
#: How a patient is started: without what a Python brings along, which takes longer than all the rest.
STARTED = (sys.executable, "-S", "-E", str(ADAPTER))

Doctor = Callable[..., Done]

#: Every patient, what is found wrong with it (or odd, with a question mark), and what cannot be looked into for that.
FAULTS: Mapping[str, str] = {
    "healthy": "",
    "not-flushed": "flush",
    "reads-all-before-it-answers": "flush",
    "flushes-only-ready": "flush",
    "no-line-feed": "line-feed",
    "noise-before-ready": "noise",
    "noise-between": "noise",
    "logs-as-json": "noise",
    "noise-at-the-end": "noise",
    "byte-order-mark": "byte-order-mark?",
    "carriage-returns": "line-ends?",
    "pretty-printed": "one-line",
    "latin-1": "utf-8",
    "utf-16": "utf-8",
    "wrong-seq": "seq",
    "no-seq": "seq",
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
    "another-answer-every-time": "same",
    "another-name-every-time": "itself",
    "stays-at-bye": "bye",
    "ends-with-exit-code-3": "bye",
    "stumbles-over-the-end": "end?",
    "dies-at-once": "hello",
    "prints-its-usage": "hello",
    "says-nothing": "hello",
    "writes-without-end": "hello",
    "dies-of-a-run": "answers",
    "silent-when-asked": "answers",
    "cuts-long-lines": "answers",
    "speaks-another-version": "ready",
    "claims-what-there-is-not": "ready",
    "claims-no-ruleset-that-there-is": "claims",
    "claims-one-ruleset-too-many": "claims?",
    "claims-acts-without-a-position": "claims",
    "is-written-in-rust": "noise",
    "is-written-in-cobol": "noise",
}
#: Those that are silent at the first message, at a run, and at one of a ruleset that there is not.
SILENT_AT_ONCE = {"not-flushed", "reads-all-before-it-answers", "no-line-feed", "says-nothing"}
SILENT_WHEN_ASKED = {"flushes-only-ready", "silent-when-asked"}
#: Those that stay silent when their input is closed.
SILENT_TO_THE_END = {"says-nothing", "silent-when-asked", "silent-about-a-ruleset"}
#: Those that do not end by themselves.
STAYS = SILENT_TO_THE_END | {"stays-at-bye", "writes-without-end"}
AT_ONCE, A_MOMENT = 0.02, 0.3  # seconds


def run_of(cards: str, **more: Any) -> Mapping[str, Any]:
    """What a run says that asks who wins tricks, each of two cards."""
    position = {"phase": "play", "turn": "A", "dealer": "B", "trumps": "H", "score": {"A": 0, "B": 0}, **more}
    steps = [{"ask": "winner", "by": "A", "cards": trick.split("-")} for trick in cards.split()]
    return {"ruleset": "bezique-hoyle", "options": [], "position": position, "steps": steps, "observe": []}


#: The last is longer than the room of some programs for a line.
RUNS = [
    run_of("KS-9S"),
    run_of("9D-9D#2 TS-KS"),
    run_of("8C-7H AD-TD KS-QS"),
    run_of("9C-JC " * 20 + "KH-TH"),
]


@pytest.fixture
def doctor(hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """The command, held against a patient: always asked the same, and however busy the machine is."""

    def examined(name: str) -> Done:
        def seconds_for(_talk: talking.Talk, message: Mapping[str, Any]) -> float:
            silent = name in SILENT_AT_ONCE or (name in SILENT_WHEN_ASKED and "seq" in message)
            silent |= name == "silent-about-a-ruleset" and message.get("ruleset") == STRANGER
            return A_MOMENT if silent else HANGS

        monkeypatch.setattr(talking.Talk, "seconds_for", seconds_for)
        monkeypatch.setattr(talking, "TO_END", A_MOMENT if name in SILENT_TO_THE_END else HANGS)
        monkeypatch.setattr(examining, "runs_to_ask", lambda _suite, ready: RUNS if "winner" in ready.claims else [])
        monkeypatch.setattr(process, "_GRACE", AT_ONCE if name in STAYS else HANGS / 10)
        monkeypatch.setattr(starting_up, "SLOW", 0.1 if name == "starts-slowly" else HANGS)
        return hoyle("doctor", "--", *STARTED, name)

    return examined


def marked(report: str, mark: str) -> list[str]:
    """The questions of a report that have this mark."""
    return re.findall(rf"^  {re.escape(mark)} (\S+)", report, re.MULTILINE)


def same_everywhere(report: str) -> str:
    """A report without what is another on every machine, or every time."""
    report = report.replace(" ".join(STARTED), "python patients.py")
    report = re.sub(r"after [0-9.]+ s, the", "after N s, the", report)
    return re.sub(r"pid-[0-9]+", "pid-N", report)


def test_every_patient_is_examined() -> None:
    assert set(FAULTS) == set(PATIENTS)
    assert {path.stem for path in REPORTS.iterdir()} == set(PATIENTS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_and_told(doctor: Doctor, name: str) -> None:
    done = doctor(name)
    odd = FAULTS[name].endswith("?")
    assert marked(done.stdout, "!" if odd else "✗") == [word for word in [FAULTS[name].rstrip("?")] if word]
    assert marked(done.stdout, "✗" if odd else "!") == []
    assert done.returncode == (0 if name == "healthy" else 1 if odd else 2)
    assert done.stderr == ""
    golden(REPORTS / f"{name}.txt", same_everywhere(done.stdout))
