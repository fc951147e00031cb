"""Writing what options name: which file that is, what is refused before anything is started, and how the command ends
where it could not be written."""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from hoyle_conformance import cli
from hoyle_conformance.cli import outputs as writing
from hoyle_conformance.cli.exit import ClosedPipe
from hoyle_conformance.cli.outputs import LOG, RECORD, Output
from hoyle_conformance.files.write import LineFile
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.results import Result, Run, Status
from hoyle_conformance.suite.suite import Suite
from runner.test_run import READY

pytestmark = pytest.mark.posix

PARAMETER = click.Option(["--record"])


@pytest.fixture(autouse=True)
def context() -> Iterator[click.Context]:
    """A command that is being carried out."""
    with click.Context(cli.main) as there:
        yield there


def sure(*outputs: Output, spec: Path, reads: Any = None, command: tuple[str, ...] = ()) -> str:
    """Why the files cannot be written; nothing where they can."""
    try:
        writing.safe_or_exit(outputs, spec, reads or {}, command)
    except click.UsageError as error:
        return error.message
    return ""


# ---- which file it is


def test_a_name_is_taken_as_it_was_typed_and_a_dash_is_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def named(name: str | None) -> str | None:
        return writing.to_write(click.Context(cli.main), PARAMETER, name)

    assert [named(name) for name in (None, "-", "./-", "new.jsonl")] == [None, "-", "./-", "new.jsonl"]
    for name, why in (("", "is missing"), (str(tmp_path), "is a directory")):
        with pytest.raises(click.BadParameter, match=why):
            named(name)
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert named(str(tmp_path / "out")) == "-"
        assert named("/dev/null") == "/dev/null"
    assert named(str(tmp_path / "out")) == str(tmp_path / "out")  # which is closed now
    with Path(os.devnull).open("w") as nothing:
        monkeypatch.setattr(sys, "stdout", nothing)
        assert named(os.devnull) == os.devnull  # whatever else goes there


# ---- what is refused


def test_two_options_do_not_write_one_file_but_may_write_to_one_device(tmp_path: Path) -> None:
    one, link = tmp_path / "one", tmp_path / "link"
    link.symlink_to(one)
    spec = tmp_path / "spec"
    for name in (one, link):
        both = Output("--record", str(one), RECORD), Output("--log", str(name), LOG)
        assert sure(*both, spec=spec) == "--record and --log cannot be the same file."
    assert sure(Output("--record", os.devnull), Output("--log", os.devnull), spec=spec) == ""
    assert "both be standard output" in sure(Output("--record", "-"), Output("--log", "-"), spec=spec)
    assert sure(Output("--record", str(one)), Output("--log", str(tmp_path / "two")), spec=spec) == ""
    for names in (("-", str(one)), (str(one), "-")):
        assert sure(*map(Output, ("--record", "--log"), names), spec=spec) == ""


def test_what_is_printed_goes_elsewhere_where_an_option_takes_standard_output(
    context: click.Context, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = Output("--record", "-", RECORD)
    assert sure(output, spec=tmp_path) == ""
    print("the report")
    writing.write_or_exit(output, "the record")
    (file,) = writing.open_lines_or_exit([output])
    assert file is not None
    assert (file.name, file.plain) == ("-", None)
    file.write(b" and a line")
    assert file.failed == ""
    context.close()
    told = capsys.readouterr()
    assert (told.out, told.err) == ("the record and a line", "the report\n")


def test_what_was_printed_before_stands_before_the_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        print("before")
        output = Output("--record", "-", RECORD)
        assert sure(output, spec=tmp_path) == ""
        (file,) = writing.open_lines_or_exit([output])
        assert file is not None
        file.write(b"a line\n")
        assert (tmp_path / "out").read_text() == "before\na line\n"
        file._file.close()  # as the command does when it ends


# ---- writing


def test_lines_go_where_they_are_to_and_nobody_elses_go_there_too(
    context: click.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = tmp_path / "one"
    record, nothing = writing.open_lines_or_exit([Output("--record", str(one)), Output("--log", None)])
    assert nothing is None
    assert record is not None
    record.write(b"a line\n")
    assert one.read_bytes() == b"a line\n"
    two = tmp_path / "two"
    both = [Output("--record", str(two)), Output("--log", str(two))]
    with pytest.raises(click.UsageError, match=r"^--log: cannot write .*: another run is writing it"):
        writing.open_lines_or_exit(both)
    monkeypatch.setattr("hoyle_conformance.files.write.lock", lambda _: True)  # as where files cannot be locked
    with pytest.raises(click.UsageError, match=r"^--record and --log cannot be the same file"):
        writing.open_lines_or_exit(both)
    writing.open_lines_or_exit([Output("--record", str(two)), Output("--log", str(tmp_path / "three"))])
    context.close()
    assert not two.exists()  # nothing was written


def test_what_standard_error_leads_to_is_not_opened_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "err"
    with path.open("w") as err:
        monkeypatch.setattr(sys, "stderr", err)
        err.write("before\n")
        err.flush()
        (file,) = writing.open_lines_or_exit([Output("--log", str(path))])
        assert file is not None
        file.write(b"a line\n")
        err.flush()
    assert path.read_text() == "before\na line\n"


def test_a_file_of_the_suite_is_written_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "census" / "file"
    for text in ("one", "two"):
        writing.write_in_place(path, text)
        assert path.read_text() == text
    with pytest.raises(click.UsageError, match=r"^Cannot write .*/a/b/c: no such file or directory\.$"):
        writing.write_in_place(tmp_path / "a/b/c", "text")


# ---- how the command ends


class Unwritten(LineFile):
    """A file that could not be written."""

    def __init__(self, name: str, error: int) -> None:
        super().__init__(name, sys.stdout.buffer)
        self.failed, self.error = os.strerror(error).lower() if error else "", error


@pytest.mark.parametrize(
    ("name", "error", "status", "stopped", "code"),
    [
        ("run.jsonl", 0, Status.PASS, None, 0),
        ("run.jsonl", errno.ENOSPC, Status.PASS, None, 4),
        ("run.jsonl", errno.ENOSPC, Status.FAIL, None, 1),
        ("run.jsonl", errno.ENOSPC, Status.PASS, Stop(StopCode.DEADLINE, 1), 0),
    ],
)
def test_a_result_is_graver_than_a_record_that_is_not_whole(
    suite: Suite,
    capsys: pytest.CaptureFixture[str],
    name: str,
    error: int,
    status: Status,
    stopped: Stop | None,
    code: int,
) -> None:
    check = suite.index.checks["cut.equal-cards@bezique-hoyle"]
    run = Run(READY, (), [check], [Result(check, status)], stopped=stopped)
    with pytest.raises(click.exceptions.Exit) as ended:
        writing.exit_when_written([None, Unwritten(name, error)], run)
    assert ended.value.exit_code == code
    said = f"Not everything could be written. {name}: {os.strerror(error).lower()}.\n" if error else ""
    assert capsys.readouterr().err == said


def test_where_nobody_reads_standard_output_any_more_the_command_ends_as_others_do(suite: Suite) -> None:
    check = suite.index.checks["cut.equal-cards@bezique-hoyle"]
    run = Run(READY, (), [check], [Result(check, Status.PASS)])
    with pytest.raises(ClosedPipe):
        writing.exit_when_written([Unwritten("run.jsonl", errno.ENOSPC), Unwritten("-", errno.EPIPE)], run)
