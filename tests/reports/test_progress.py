"""Progress: what is said of a run while it goes on, where, and when."""

import io
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from conftest import NO_PROGRESS, Done
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.files.write import lines_to_stream
from hoyle_conformance.reports import progress
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

Hoyle = Callable[..., Done]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def check(suite: Suite) -> Check:
    return suite.index.checks["cut.equal-cards@bezique-hoyle"]


def said(
    monkeypatch: pytest.MonkeyPatch, check: Check, stream: io.StringIO, times: Sequence[float], selected: int
) -> str:
    """What is printed where results come in at these times."""
    monkeypatch.setattr(sys, "stderr", stream)
    clock = iter([0.0, *times])
    with progress.progress(selected, lambda: next(clock)) as watch:
        for _ in times:
            watch(Result(check, Status.FAIL if stream.tell() else Status.PASS))
    return stream.getvalue()


def test_a_quick_run_prints_nothing(monkeypatch: pytest.MonkeyPatch, check: Check) -> None:
    assert said(monkeypatch, check, io.StringIO(), [0.1, 5, 9.9], 4) == ""
    assert said(monkeypatch, check, Terminal(), [0.1, 0.2, 0.4], 4) == ""


def test_a_long_run_prints_a_line_ever_more_rarely(monkeypatch: pytest.MonkeyPatch, check: Check) -> None:
    text = said(monkeypatch, check, io.StringIO(), [float(second) for second in range(1, 2_001)], 4_000)
    lines = text.splitlines()
    done = [int(line.partition(" of ")[0].replace(",", "")) for line in lines]
    assert done == [10, 20, 40, 80, 160, 320, 620, 920, 1_220, 1_520, 1_820]
    assert lines[0] == "10 of 4,000 checks, 0 failed, about 1.1 h left"
    assert lines[-1] == "1,820 of 4,000 checks, 1,810 failed, about 36 min left"


@pytest.mark.parametrize(
    ("done", "passed", "left"),
    [(99, 1.0, "about 1 s"), (51, 59.0, "about 58 s"), (51, 62.0, "about 1 min"), (11, 9_000.0, "about 22.2 h")],
)
def test_the_time_that_is_left_is_told_roughly(done: int, passed: float, left: str) -> None:
    assert progress.progress_text(done, 100, 0, passed) == f"{done} of 100 checks, 0 failed, {left} left"
    assert progress.progress_text(1, 100, 1, passed) == "1 of 100 checks, 1 failed"


def test_a_terminal_shows_one_line_and_clears_it(monkeypatch: pytest.MonkeyPatch, check: Check) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    text = said(monkeypatch, check, Terminal(), [0.4, 0.6, 0.7, 0.9, 1.0], 9)
    assert "2 of 9 checks, 0 failed" in text
    assert "4 of 9 checks, 2 failed" in text
    assert "3 of 9" not in text  # which was too soon after
    assert text.endswith("\x1b[2K")
    assert text.rindex("\x1b[?25h") > text.index("\x1b[?25l")


def test_it_is_left_out_where_it_is_not_wanted_or_other_lines_go(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(*files: Any) -> bool:
        with check_command._progress(9, *files) as watch:
            return watch.__module__ == progress.__name__

    monkeypatch.delenv(NO_PROGRESS)
    assert shown(None, None)
    assert not shown(None, lines_to_stream("-", io.BytesIO()))  # type: ignore[arg-type]
    monkeypatch.setenv(NO_PROGRESS, "1")
    assert not shown(None, None)


def test_every_result_is_told_to_who_watches(hoyle: Hoyle, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.delenv(NO_PROGRESS)
    monkeypatch.setattr(progress.Counting, "__call__", lambda _self, more, _text: told.append(more))
    for words in ([], ["--jobs", "2"]):
        hoyle("check", "-s", "cut", "-r", "bezique-hoyle", *words)
        told.append(0)
    of_one, of_two, _ = "".join(map(str, told)).split("0")
    assert of_one == of_two != ""
