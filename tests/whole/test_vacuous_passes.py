"""No vacuous pass: every faulty adapter under every kind of baseline.

The faulty adapters run in this process, since each is started some ten times.
"""

import atexit
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import cache, partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from conftest import the_suite
from hoyle_conformance.protocol import process
from hoyle_conformance.protocol.messages import ProtocolError, decode, show_line
from hoyle_conformance.runner.baseline import (
    Baseline,
    BaselineLine,
    baseline_text,
    lines_by_check,
    read_baseline,
    update_baseline,
)
from hoyle_conformance.runner.reference_adapter import start_command
from hoyle_conformance.runner.results import Exit, Run, Status
from hoyle_conformance.runner.run import run
from hoyle_conformance.runner.select import select
from hoyle_conformance.suite.model import Check
from hoyle_conformance.system.pipes import LONGEST_LINE
from hoyle_reference.chapters.calling import reckoning
from hoyle_reference.events.combinations import ClassDecided
from whole.test_faulty_adapters import A_FEW, CHECKS, ENGINES, EXIT_CODES, PIQUET, REFEREES

sys.path.insert(0, str(Path(__file__).parents[1] / "faulty_adapters"))
import main  # noqa: F401  # isort: skip -- with it all faulty adapters are known
import faults  # isort: skip

pytestmark = pytest.mark.slow

NOT_DONE = {Status.SKIPPED, Status.UNSUPPORTED}


#: How a run of each fault ends: without a baseline, under '*', under its own baseline, and under that of `crashes`.
ENDS = {
    "carries-out-nothing-irregular": "0101",
    "claims-many-others": "0101",
    "follows-another-reading": "0101",
    "knows-no-copies": "0101",
    "never-ends": "0101",
    "counts-a-repique-by-totals": "0101",
    "reckons-as-it-is-called": "0101",
    "writes-points-with-a-fraction": "0101",
    "accepts-everything": "1101",
    "contradicts-itself": "1101",
    "counts-the-cards-beside-capot": "1101",
    "doubles-a-card": "1101",
    "equal-is-good-for-elder": "1101",
    "leaves-a-player-out-of-the-score": "1101",
    "refuses-everything": "1101",
    "rejected-meld-moves-the-cards": "1101",
    "rejected-meld-still-scores": "1101",
    "reports-no-position": "1101",
    "rules-on-a-revoke-by-another-book": "1101",
    "says-nothing-of-the-score": "1101",
    "scores-the-best-alone": "1101",
    "second-identical-card-wins": "1101",
    "swaps-queens-and-knaves": "1101",
    "pays-any-sequence-150": "1101",
    "stamps-cards": "1101",
    "throws-where-it-should-refuse": "1101",
    "ten-below-the-king": "1101",
    "accepts-a-revoke-in-silence": "1111",
    "fails-and-then-skips": "1111",
    "gives-up": "1111",
    "is-named-dangerously": "1111",
    "rejected-draw-passes-the-turn": "1111",
    "comes-back-as-another": "2201",
    "crashes-afterwards": "2201",
    "crashes-in-one-scenario": "2201",
    "answers-one-too-often": "2202",
    "answers-with-nonsense": "2202",
    "hangs-once": "2202",
    "says-everything-twice": "2202",
    "answers-another-run": "2222",
    "answers-in-another-kind": "2222",
    "answers-no-message": "2222",
    "answers-too-few-steps": "2222",
    "answers-twice": "2222",
    "chatters-afterwards": "2222",
    "claims-what-does-not-exist": "2222",
    "claims-without-end": "2222",
    "crashes": "2222",
    "crashes-at-bye": "2222",
    "crashes-at-once": "2222",
    "floods": "2222",
    "hangs": "2222",
    "hangs-until-the-deadline": "2222",
    "introduces-itself-twice": "2222",
    "leaves-a-child-behind": "2222",
    "leaves-a-daemon-behind": "2222",
    "leaves-an-orphan-behind": "2222",
    "nests-without-end": "2222",
    "prints-noise": "2222",
    "says-goodbye": "2222",
    "scores-without-end": "2222",
    "speaks-another-version": "2222",
    "cannot-do-it": "3333",
    "claims-another-game": "3333",
    "misspells-the-ruleset": "3333",
    "skips": "3333",
}


class Hangs(BaseException):
    """An adapter that would wait for ever."""


class InThisProcess:
    """A faulty adapter in place of a child process: what it does to its process is done to this object."""

    def __init__(
        self, command: tuple[str, ...], _timeout: float, _log: object, _folder: object = None, *, sandbox: bool = False
    ) -> None:
        assert not sandbox
        self.said, self.stderr = b"", ""
        self._name = command[-1]
        self._respond: faults.Respond | None = None
        self._output, self._how = StringIO(), ""
        self._at_exit: list[Callable[[], object]] = []

    def ask(self, message: dict[str, Any]) -> Any:
        self.send(message)
        return self.answer()

    def send(self, message: dict[str, Any]) -> None:
        if unasked := self._lines():
            self.said = unasked[0]
            raise ProtocolError("unasked", show_line(self.said))
        with self._contained(json.dumps(message) + "\n"):
            self._respond = self._respond or faults.ADAPTERS[self._name]()
            for line in sys.stdin:
                answer = self._respond(json.loads(line))
                if answer is not None:
                    print(json.dumps(answer), flush=True)

    def answer(self) -> Any:
        first, *rest = self._lines() or [b""]
        self._output = StringIO(b"".join(rest).decode())
        self._output.seek(0, os.SEEK_END)
        self.said = first
        if first.endswith(b"\n"):
            return decode(first)
        if len(first) >= LONGEST_LINE:
            raise ProtocolError("flooded", "more bytes than that")
        raise ProtocolError("crashed" if self._how == "ended" else "timeout")

    def close(self) -> ProtocolError | None:
        """What was wrong with its end."""
        for last in self._at_exit if not self._how else ():
            with self._contained(""):
                last()
        if unasked := self._lines():
            return ProtocolError("unasked", show_line(unasked[0]))
        return {"ended": ProtocolError("ended-badly"), "hangs": ProtocolError("does-not-end"), "": None}[self._how]

    def kill(self) -> None:
        """There is no process to end."""

    def _lines(self) -> list[bytes]:
        return self._output.getvalue().encode().splitlines(keepends=True)

    @contextmanager
    def _contained(self, given: str) -> Iterator[None]:
        def leave(*_: object) -> None:
            raise SystemExit

        def hang(*_: object) -> None:
            raise Hangs

        with pytest.MonkeyPatch.context() as patch, redirect_stdout(self._output):
            patch.setattr(sys, "stdin", StringIO(given))
            patch.setattr(atexit, "register", lambda call, *given: self._at_exit.append(partial(call, *given)))
            patch.setattr(time, "sleep", hang)
            patch.setattr(os, "abort", leave)
            patch.setattr(os, "fork", lambda: 1, raising=False)
            patch.setattr(os, "wait", lambda: None, raising=False)
            try:
                yield
            except SystemExit:
                self._how = "ended"
            except Hangs:
                self._how = "hangs"


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "Process", InThisProcess)
    monkeypatch.setattr(faults, "open_suite", lambda **_: the_suite())
    monkeypatch.setenv("ANOTHER", str(tmp_path / "before"))
    for of, name in ((ClassDecided, "change"), (reckoning, "after_combination")):  # two of them replace these for good
        monkeypatch.setattr(of, name, getattr(of, name))


@cache
def checks_of(fault: str) -> tuple[Check, ...]:
    """The checks in which the fault of an fault shows."""
    shown = {**CHECKS, **ENGINES, **PIQUET, **{key: ["irregular.revoke*"] for key in REFEREES}}
    patterns = shown.get(fault, A_FEW)
    ruleset = "piquet-rubicon-parlett" if fault in PIQUET else "bezique-hoyle"
    ruleset = "bezique-britannica" if fault in REFEREES else ruleset
    return tuple(select(the_suite(), patterns, [ruleset]))


def a_run(fault: str, checks: tuple[Check, ...], baseline: Baseline) -> Run | None:
    """The run of an fault; none where it cannot be introduced, and `hoyle check` ends with 2."""
    with suppress(ProtocolError):
        return run(
            the_suite(), start_command([fault], 1.0, the_suite(), lambda _: None), checks, lines_by_check(baseline)
        )
    return None


def read(text: str, folder: Path) -> Baseline:
    (folder / "known.txt").write_text(text, "utf-8")
    return read_baseline(folder / "known.txt", the_suite())


def own(fault: str, checks: tuple[Check, ...], folder: Path) -> Baseline:
    """The baseline that Hoyle writes of an fault, with which it writes no other."""
    baseline: Baseline = ()
    while done := a_run(fault, checks, baseline):
        after = read(baseline_text(update_baseline(done, baseline), done.ready, "1.0"), folder)
        if after == baseline:
            break
        baseline = after
    return baseline


@pytest.mark.parametrize("fault", ENDS)
def test_run_without_a_pass_fails_under_any_baseline(fault: str, tmp_path: Path) -> None:
    checks = checks_of(fault)
    everything = BaselineLine("*", frozenset(the_suite().index.headings))
    of_a_crash = own("crashes", checks, tmp_path)
    assert {line.status for line in of_a_crash} == {Status.CRASH}
    found = ""
    for baseline in ((), (everything,), own(fault, checks, tmp_path), of_a_crash):
        done = a_run(fault, checks, baseline)
        found += str(int(done.exit if done else Exit.ADAPTER_BROKE))
        if done and done.exit is Exit.AS_EXPECTED:
            statuses = {each.status for each in done.results}
            assert Status.PASS in statuses
            assert statuses <= {Status.PASS, Status.EXPECTED_FAILURE, *NOT_DONE}
            assert all(each.known or each.lacks for each in done.results if each.status in NOT_DONE)
            assert not done.not_run
    assert found == ENDS[fault]


def test_every_faulty_adapter_ends_in_this_process_as_in_its_own() -> None:
    """One has another deadline in this test, and two change the interpreter by which their readings are judged here."""
    here = {"hangs-until-the-deadline": 2, "reckons-as-it-is-called": 0, "counts-a-repique-by-totals": 0}
    assert {name: int(codes[0]) for name, codes in ENDS.items()} == {**EXIT_CODES, **here}
