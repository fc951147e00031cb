"""Options that write files, including those for reports; Hoyle never overwrites a user's file.

An option overwrites a file only if the file is empty or of the kind that the option writes. Files are compared through
links and other names. All checks run before an adapter is started.
"""

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NoReturn, TextIO

import click

from hoyle_conformance.cli.exit import ClosedPipe, exit_code, exit_with
from hoyle_conformance.cli.options import complete_files
from hoyle_conformance.files.write import lines_to, lines_to_stream, write_whole
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.system import words_of
from hoyle_conformance.system.pipes import is_unread

if TYPE_CHECKING:
    from hoyle_conformance.files.write import LineFile
    from hoyle_conformance.runner.results import Run

#: The file name that stands for standard output in options.
STANDARD_OUTPUT: Final = "-"
#: The key under which the context of a command has the standard output taken by such an option.
_TAKEN: Final = "hoyle.standard-output"


def to_write(context: click.Context, parameter: click.Parameter, named: str | None) -> str | None:
    """Return the name of a file to write as it was typed, so that ``./-`` is a file; raise BadParameter."""
    if named is None:
        return None
    if named == STANDARD_OUTPUT or _is_stream_file(Path(named), sys.stdout):
        return STANDARD_OUTPUT
    if not named or _is_an_option(context.command, named):
        after = f" before {named}; if that is its name, write ./{named}" if named else ""
        raise click.BadParameter(f"the name of a file is missing{after}.", param=parameter)
    try:
        is_folder = Path(named).is_dir()
    except OSError as error:  # an impossible file name
        why = words_of(error)
        raise click.BadParameter(f"cannot write '{named[:60]}…': {why}. Name another file.", param=parameter) from error
    if is_folder:
        raise click.BadParameter(f"File '{named}' is a directory.", param=parameter)
    return named


def _is_an_option(command: click.Command, word: str) -> bool:
    """Whether a word is an option of this command, and so hardly the name of a file."""
    return any(word.partition("=")[0] in each.opts for each in command.params if isinstance(each, click.Option))


@dataclass(frozen=True, slots=True)
class OutputKind:
    """A kind of file that Hoyle writes, known by its beginning."""

    name: str
    begins: re.Pattern[bytes]


RECORD: Final = OutputKind("the record of a run", re.compile(rb'\{"type": "header", "hoyle": "'))
LOG: Final = OutputKind("the log of a run", re.compile(rb'\{"type": ?"hello"'))
BASELINE: Final = OutputKind("a baseline that Hoyle wrote", re.compile(rb"# Known failures of "))
_LONGEST_BEGINNING: Final = 500  # bytes
#: The help for the option of each report format, and the kind of its files.
_REPORTS: Final[Mapping[str, tuple[str, OutputKind]]] = MappingProxyType(
    {
        "junit": (
            "Write JUnit XML, for GitLab and Jenkins.",
            OutputKind("a report in JUnit XML", re.compile(rb'<\?xml [^>]*\?>\s*<testsuites name="hoyle"')),
        ),
        "markdown": (
            "Write Markdown, for a pull request.",
            OutputKind("a report that 'hoyle report' wrote", re.compile(rb"<!-- hoyle report -->\n")),
        ),
        "html": (
            "Write one page that needs no other file.",
            OutputKind("a page that 'hoyle report' wrote", re.compile(rb'<!doctype html>.*content="Hoyle"', re.DOTALL)),
        ),
        "endpoint": (
            "Write JSON for a shields.io badge.",
            OutputKind("a badge of Hoyle's", re.compile(rb'\{"schemaVersion": 1, "label": "hoyle"')),
        ),
    }
)
#: The formats that `hoyle check` writes at once; `hoyle report` makes the others from a record.
AT_ONCE: Final = ("junit", "html")


@dataclass(frozen=True, slots=True)
class Output:
    """An option and the file that it writes, if given.

    A file of its `kind` may be overwritten; with `force` any other too, except those of the suite, of other options and
    of the command. The file that the option `anew` reads may also be overwritten.
    """

    option: str
    named: str | None
    kind: OutputKind | None = None
    force: bool = False
    anew: str = ""

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.named or STANDARD_OUTPUT)

    @property
    def is_standard_output(self) -> bool:
        """Whether the output goes to standard output."""
        return self.named == STANDARD_OUTPUT


def log_of(adapter: Sequence[str], named: str | None) -> Output:
    """Return the output for the log; raise UsageError if there is no adapter whose messages it could record."""
    if named and not adapter:
        _refuse("--log writes the messages of an adapter: give the command that starts one.")
    return Output("--log", named, LOG)


def output_option(*names: str, help: str, **more: Any) -> Callable[..., Any]:  # noqa: A002 -- as click calls it
    """Return an option that names a file to write, which a shell completes."""
    return click.option(*names, metavar="FILE", callback=to_write, shell_complete=complete_files, help=help, **more)


def report_options(*names: str) -> Callable[..., Any]:
    """Return a decorator that adds an option for each of these formats, with the file to write."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            command = output_option(f"--{name}", help=_REPORTS[name][0])(command)
        return command

    return add


def report_outputs(options: Mapping[str, Any]) -> dict[str, Output]:
    """Return the outputs of the options, by their formats."""
    return {name: Output(f"--{name}", options[name], kind) for name, (_, kind) in _REPORTS.items() if name in options}


log_option = output_option("--log", help="Write every message to and from the adapter here.")


def safe_or_exit(
    outputs: Sequence[Output], spec: Path, reads: Mapping[str, Path | None] = {}, command: Sequence[str] = ()
) -> None:
    """Raise UsageError if an option would overwrite a file that belongs to another option, the command, the suite or
    the user.

    Other output goes to standard error if one of the options takes standard output.
    """
    given = [each for each in outputs if each.named]
    for place, each in enumerate(given):
        for other in given[:place]:
            if each.is_standard_output and other.is_standard_output:
                _refuse(f"{other.option} and {each.option} cannot both be standard output: name a file for one.")
            if not each.is_standard_output and _is_same_file(other.path, each.path):
                _refuse(f"{other.option} and {each.option} cannot be the same file.")
        if not each.is_standard_output:
            try:
                _safe_or_exit(each, spec, reads, command)
            except OSError as error:  # an impossible file name
                _refuse_to_write(each, error)
            _writable_or_exit(each)
    if any(each.is_standard_output for each in given):
        context = click.get_current_context()
        context.meta[_TAKEN] = sys.stdout
        context.with_resource(redirect_stdout(sys.stderr))


def json_alone_or_exit(outputs: Sequence[Output], *, as_json: bool) -> None:
    """Raise UsageError if `--json` and another option would both write to standard output."""
    if as_json and (taken := [each.option for each in outputs if each.is_standard_output]):
        _refuse(f"--json and {taken[0]} cannot both be standard output: name a file.")


def _safe_or_exit(output: Output, spec: Path, reads: Mapping[str, Path | None], command: Sequence[str]) -> None:
    """Raise UsageError if the file may not be overwritten."""
    path, option = output.path, output.option
    for other, read in reads.items():
        if read and other != output.anew and _is_same_file(read, path):
            _refuse(f"{option} would overwrite the file of {other}, {read}: name another file.")
    for word, named in _files_in_command(command):
        if _is_same_file(named, path):
            _refuse(f"{option} would overwrite '{word}', which your command names: name another file.")
    if path.exists() and path.resolve().is_relative_to(spec.resolve()):
        _refuse(f"{option} would overwrite {path}, a file of the suite: name another file.")
    if not output.force and not _may_be_overwritten(output):
        of = f", and is not {output.kind.name}" if output.kind else ""
        otherwise = "remove it first" if output.kind else "overwrite it with --force"
        _refuse(f"{path} already exists{of}: name another file for {option}, or {otherwise}.")


def _writable_or_exit(output: Output) -> None:
    """Raise UsageError if the file cannot be written, as far as Hoyle can tell in advance."""
    path = Path(os.path.realpath(output.path))  # for a link, its target is written
    folder = path.parent
    if path.is_symlink():
        code = errno.ELOOP
    elif not folder.is_dir():
        code = errno.ENOTDIR if folder.exists() else errno.ENOENT
    elif not os.access(path if path.exists() else folder, os.W_OK):
        code = errno.EACCES
    else:
        return
    _refuse_to_write(output, OSError(code, os.strerror(code)))


def _may_be_overwritten(output: Output) -> bool:
    """Whether nothing is lost: the file is missing, empty, of its kind, or a pipe or device."""
    with suppress(OSError):
        seen = output.path.stat()
        if stat.S_ISREG(seen.st_mode) and seen.st_size:
            with output.path.open("rb") as file:
                return bool(output.kind and output.kind.begins.match(file.read(_LONGEST_BEGINNING)))
    return True


def _files_in_command(command: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yield each word of a command that may name a file, alone or after an equals sign, with the file."""
    for place, word in enumerate(command):
        program = which(word) if place == 0 else None
        yield word, Path(program or word)
        if value := word.partition("=")[2]:
            yield word, Path(value)


def _is_same_file(one: Path, other: Path) -> bool:
    """Whether two names are of one file, through links and other names; character devices lose nothing."""
    try:
        return one.samefile(other) and not one.is_char_device()
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _is_stream_file(path: Path, stream: TextIO) -> bool:
    """Whether a stream writes to this file; ``/dev/null`` does not count."""
    try:
        seen, opened = path.stat(), os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return os.path.samestat(seen, opened) and not path.samefile(os.devnull)


def _refuse(message: str) -> NoReturn:
    """Raise UsageError."""
    raise click.UsageError(message)


def open_lines_or_exit(outputs: Sequence[Output]) -> "list[LineFile | None]":
    """Open the files that options write line by line; raise UsageError if one cannot be opened."""
    opened = [_open_line_file(each) if each.named else None for each in outputs]
    plain = [file.plain for file in opened if file and file.plain]
    if any(os.path.samestat(one, other) for place, one in enumerate(plain) for other in plain[:place]):
        _refuse(f"{' and '.join(each.option for each in outputs)} cannot be the same file.")
    return opened


def open_log_or_exit(adapter: Sequence[str], named: str | None, spec: Path, *, as_json: bool) -> "LineFile | None":
    """Open the log, if it is requested and the only such file of a command; raise UsageError if that fails."""
    log = log_of(adapter, named)
    json_alone_or_exit([log], as_json=as_json)
    safe_or_exit([log], spec, command=adapter)
    return open_lines_or_exit([log])[0]


def _open_line_file(output: Output) -> "LineFile":
    """Open the file that an option writes line by line."""
    if output.is_standard_output:
        return lines_to_stream(STANDARD_OUTPUT, _raw_stream(_standard_output()))
    if _is_stream_file(output.path, sys.stderr):
        return lines_to_stream(str(output.path), sys.stderr.buffer)
    try:
        file = lines_to(output.path)
    except OSError as error:
        _refuse_to_write(output, error)
    click.get_current_context().call_on_close(file.close)
    return file


def write_or_exit(output: Output, text: str) -> None:
    """Write the whole output of an option; raise UsageError if it cannot be written."""
    if output.is_standard_output:
        stream = _standard_output()
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", newline="\n")  # as in a file, on any system
        click.echo(text, file=stream, nl=False)
    elif output.named:
        try:
            write_whole(output.path, text)
        except OSError as error:
            _refuse_to_write(output, error)


def write_in_place(path: Path, text: str) -> None:
    """Replace a file of the suite; on failure, raise UsageError and keep the old file."""
    try:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise click.UsageError(f"Cannot write {path}: {words_of(error)}.") from error


def write_reports(outputs: Mapping[str, Output], lines: Sequence[bytes]) -> Iterator[str]:
    """Write each report of a run from the lines of its record; yield the reason for each that cannot be written."""
    wanted = {name: output for name, output in outputs.items() if output.named}
    if not wanted or not lines:
        return
    from hoyle_conformance.reports import FORMATS, render
    from hoyle_conformance.reports.load_record import record_of
    from hoyle_conformance.runner.results import DEBUG, or_else

    record = or_else(None, record_of, b"".join(lines), "the run")
    for name, output in wanted.items():
        text = or_else("", render, FORMATS[name][0], record) if record else ""
        if not text:
            yield f"{output.option}: Hoyle itself failed. Please report it, with the output of {DEBUG}=1"
            continue
        try:
            write_or_exit(output, text)
        except click.UsageError as error:
            yield error.message.rstrip(".")


def exit_when_written(files: "Sequence[LineFile | None]", run: "Run", unwritten: Sequence[str] = ()) -> NoReturn:
    """Exit with the code of the run; report lines and other files that could not be written, and exit as a shell does
    if the reader has closed the pipe."""
    failed = [file for file in files if file and file.failed]
    if any(file.name == STANDARD_OUTPUT and is_unread(file.error) for file in failed):
        raise ClosedPipe
    reasons = [*(f"{file.name}: {file.failed}" for file in failed), *unwritten]
    if reasons:
        click.echo(f"Not everything could be written. {'; '.join(reasons)}.", err=True)
    if reasons and not run.interrupted and not run.exit:
        exit_with(Exit.USAGE)
    exit_with(exit_code(run))


def _standard_output() -> TextIO:
    """Return the standard output that an option has taken."""
    taken: TextIO = click.get_current_context().meta[_TAKEN]
    taken.flush()
    return taken


def _raw_stream(stream: TextIO) -> "BinaryIO | io.FileIO":
    """Return the file of a stream without the error handling of the command."""
    try:
        return io.FileIO(os.dup(stream.fileno()), "w")
    except (OSError, ValueError):
        return stream.buffer


def _refuse_to_write(output: Output, error: OSError) -> NoReturn:
    """Raise UsageError because a file cannot be written."""
    why = words_of(error)
    remedy = "Make the folder first, or name another file" if error.errno == errno.ENOENT else "Name another file"
    raise click.UsageError(f"{output.option}: cannot write {output.path}: {why}. {remedy}.") from error
