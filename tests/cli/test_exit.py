"""How the command ends, whatever happens in it: with the code that is documented, and a line that says why."""

import atexit
import contextlib
import gc
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import click
import pytest

from hoyle_conformance import cli
from hoyle_conformance.cli import exit as exits
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.runner.interrupts import INTERRUPTION

FULL = Path("/dev/full")
full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")

Ends = Callable[[Callable[[], object]], int]


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Ends:
    """With what the command ends that does this."""

    def ended(does: Callable[[], object]) -> int:
        with monkeypatch.context() as patch:
            patch.setattr(cli.main, "main", lambda **_: does())
            return cli._exit_code()

    return ended


class Panic(BaseException):
    """A panic of a library in Rust, as Python raises it."""


def raising(error: BaseException) -> Callable[[], object]:
    def does() -> object:
        raise error

    return does


def test_a_command_ends_as_it_says_and_with_nought_where_it_says_nothing(ends: Ends) -> None:
    assert [ends(lambda code=code: code) for code in (0, 3, 141, None, "text")] == [0, 3, 141, 0, 0]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (click.UsageError("No such thing."), 4, "Error: No such thing.\n"),
        (click.exceptions.Abort(), INTERRUPTION.exit, "Interrupted.\n"),
        (KeyboardInterrupt(), INTERRUPTION.exit, "Interrupted.\n"),
        (exits.ClosedPipe(), 141, ""),
        (OSError(28, "No space left on device"), 74, "Hoyle cannot continue: no space left on device.\n"),
        (OSError(28, "No space left", "run.jsonl"), 74, "Hoyle cannot continue: run.jsonl: no space left.\n"),
        (OSError("It is gone"), 74, "Hoyle cannot continue: it is gone.\n"),
        (MemoryError(), 74, "Hoyle cannot continue: there is not enough memory.\n"),
        (LookupError("x"), 70, "This is a bug in Hoyle. Please report it, with the lines above.\n"),
        (Panic("x"), 70, "This is a bug in Hoyle. Please report it, with the lines above.\n"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_whatever_is_raised_has_its_code_and_is_told(
    ends: Ends, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    assert ends(raising(error)) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith(said)
    assert ("Traceback" in told.err) == (code == exits.OWN_FAULT)
    assert bool(told.err) == bool(said)


@pytest.mark.posix
def test_an_interrupted_command_ends_as_its_signal_would(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(INTERRUPTION, "signal", int(signal.SIGHUP))
    assert ends(raising(KeyboardInterrupt())) == 128 + signal.SIGHUP


def test_windows_expands_no_word_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern of checks is no pattern of files, and the words of an adapter are its own."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(cli.main, "main", lambda **options: given.update(options))
    assert cli._exit_code() == 0
    assert given["windows_expand_args"] is False


def test_a_schema_that_is_found_invalid_late_is_no_fault_of_hoyle(
    ends: Ends, capsys: pytest.CaptureFixture[str]
) -> None:
    invalid = Invalid([Diagnostic("x.schema.json", 1, 1, "unreadable", "cannot read the schema: input/output error")])
    assert ends(raising(invalid)) == 5
    assert capsys.readouterr().err == (
        "x.schema.json:1:1: cannot read the schema: input/output error\n\nexit 5: 1 mistake found.\n"
    )


def test_an_error_of_a_library_that_the_system_has_caused_is_no_fault_of_hoyle(
    ends: Ends, capsys: pytest.CaptureFixture[str]
) -> None:
    error = RuntimeError("An error occurred while initializing class EmailOptions")
    error.__cause__ = MemoryError()
    assert ends(raising(error)) == exits.NOT_WRITTEN
    assert capsys.readouterr().err == "Hoyle cannot continue: there is not enough memory.\n"


def test_an_error_that_cannot_be_shown_is_told_all_the_same(ends: Ends, capsys: pytest.CaptureFixture[str]) -> None:
    """To show it, the library imports a module, for which it opens a file."""

    class Unshown(click.UsageError):
        def show(self, _file: object = None) -> None:
            raise OSError(24, "Too many open files", "_textwrap.py")

    assert ends(raising(Unshown("No such thing."))) == exits.NOT_WRITTEN
    assert capsys.readouterr().err == "Hoyle cannot continue: _textwrap.py: too many open files.\n"


@pytest.mark.slow
def test_a_command_seldom_looks_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """It makes much and lets go of little: to look through it all again and again took a fifth of its time, and once
    more at the end a sixth."""
    before, ended, at_the_end = gc.get_threshold(), list[int](), list[object]()
    monkeypatch.setattr(atexit, "register", at_the_end.append)
    monkeypatch.setattr(cli, "_exit_code", lambda: 3)
    monkeypatch.setattr(exits, "end", ended.append)
    try:
        gc.set_threshold(700)
        cli.run()
        assert gc.get_threshold()[0] == 1_000_000
        assert (ended, at_the_end) == ([3], [gc.freeze])
    finally:
        gc.set_threshold(*before)


# ---- the streams


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Gives the process other streams; closes them, and those that Hoyle has opened in their place."""
    opened: list[Any] = []

    def kept(opens: Callable[..., TextIO]) -> Callable[..., TextIO]:
        def stream(*given: Any) -> TextIO:
            new = opens(*given)
            if new not in given:
                opened.append(new)
            return new

        return stream

    def other(**given: Any) -> None:
        opened.extend(given.values())
        for name, stream in given.items():
            monkeypatch.setattr(sys, name, stream)

    monkeypatch.setattr(exits, "_empty_stream", kept(exits._empty_stream))
    monkeypatch.setattr(exits, "_safe_stream", kept(exits._safe_stream))
    yield other
    for stream in filter(None, reversed(opened)):  # a stream of Hoyle's before that whose descriptor it shares
        with contextlib.suppress(OSError, ValueError, exits.ClosedPipe):
            stream.close()


@pytest.mark.parametrize(
    ("how", "at_once"), [({}, False), ({"line_buffering": True}, True), ({"write_through": True}, True)]
)
def test_a_line_is_shown_as_soon_as_it_was(
    streams: Callable[..., None], tmp_path: Path, how: dict[str, Any], at_once: bool
) -> None:
    path = tmp_path / "out"
    streams(
        stdout=io.TextIOWrapper(io.FileIO(path, "w") if how.get("write_through") else path.open("wb"), "utf-8", **how)
    )
    exits.prepare_streams()
    print("a line")
    assert (path.read_text() == "a line\n") == at_once
    sys.stdout.flush()
    assert path.read_text() == "a line\n"


def test_streams_of_another_kind_are_left_as_they_are(streams: Callable[..., None]) -> None:
    out, err = io.StringIO(), io.TextIOWrapper(io.BytesIO(), "utf-8")
    streams(stdout=out, stderr=err)
    exits.prepare_streams()
    assert (sys.stdout, sys.stderr) == (out, err)


@pytest.mark.posix
@pytest.mark.parametrize("code", [0, 5, 128, 128 + signal.SIGTERM])
def test_a_signal_ends_the_command_as_it_would_have(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    done: list[tuple[int, object]] = []
    monkeypatch.setattr(signal, "signal", lambda number, handler: done.append((number, handler)))
    monkeypatch.setattr(os, "kill", lambda process, number: done.append((process, number)))
    with pytest.raises(SystemExit) as ended:
        exits.end(code)
    assert ended.value.code == code
    number = code - 128
    assert done == ([(number, signal.SIG_DFL), (os.getpid(), number)] if number > 0 else [])


@pytest.mark.posix
@full
def test_what_cannot_be_written_is_not_tried_again_at_the_very_end(streams: Callable[..., None]) -> None:
    stream = FULL.open("w")
    streams(stdout=stream)
    exits.prepare_streams()
    output = sys.stdout
    print("kept until the end")
    with pytest.raises(SystemExit) as ended:
        exits.end(exits.NOT_WRITTEN)
    assert ended.value.code == exits.NOT_WRITTEN
    assert output.closed  # by its finalizer it would be flushed again
    assert sys.stdout.name == os.devnull
