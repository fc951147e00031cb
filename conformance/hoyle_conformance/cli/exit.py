"""Exit codes, the standard streams, and the end of a command."""

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING, Final, NoReturn, TextIO

import click

from hoyle_conformance.system import denied_in

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from hoyle_conformance.files.diagnostics import Invalid
    from hoyle_conformance.runner.results import Run

#: The offset that a shell adds to the number of a signal that has ended a command.
BY_A_SIGNAL: Final = 128
CLOSED_PIPE: Final = BY_A_SIGNAL + 13
#: In addition to those of a run (`run.results.Exit`): Hoyle cannot write its output; a fault of Hoyle itself.
NOT_WRITTEN: Final = 74
OWN_FAULT: Final = 70
_SUITE_INVALID: Final = 5  # as `Exit.SUITE_INVALID`, which this module imports only when it must
#: The key under which the context of a command that prints mistakes in another form has the function for it.
MISTAKES_IN: Final = "hoyle.mistakes-in"


class ClosedPipe(Exception):
    """The reader of the output has closed it. It is not an OSError, which libraries would handle."""


class _Output(io.FileIO):
    """Standard output; an error names it."""

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write as much as possible; raise ClosedPipe or OSError."""
        try:
            return super().write(data)
        except OSError as error:
            from hoyle_conformance.system.pipes import is_unread

            if is_unread(error.errno or 0):
                raise ClosedPipe from error
            raise OSError(error.errno, error.strerror, "standard output") from error


class _Messages(io.FileIO):
    """Standard error; failure to write to it is ignored."""

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write the data if possible."""
        with contextlib.suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


def prepare_streams() -> None:
    """Make the standard streams safe to use; raise OSError if standard output is closed."""
    if sys.stdin is None:  # closed, as by '<&-'
        sys.stdin = _empty_stream()
    sys.stdout, sys.stderr = _safe_stream(sys.stdout, _Output), _safe_stream(sys.stderr, _Messages)
    if sys.stdout is None:
        raise OSError(0, "it is closed", "standard output")
    if sys.stderr is None:
        sys.stderr = _empty_stream()


def _empty_stream() -> TextIO:
    """Return a stream that discards what is written and holds nothing to read."""
    return io.TextIOWrapper(io.BufferedRandom(io.FileIO(os.devnull, "r+")), "utf-8")


def _safe_stream(stream: TextIO, kind: type[io.FileIO]) -> TextIO:
    """Return a stream that replaces characters it cannot encode and reports its errors as `kind` does."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.reconfigure(errors="replace")  # a terminal without card symbols is no reason to crash
    file = getattr(stream.buffer, "raw", stream.buffer)
    if type(file) is not io.FileIO:
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(kind(file.fileno(), "w", closefd=False)),
        stream.encoding,
        stream.errors,
        line_buffering=stream.line_buffering or stream.write_through,
    )


def end(code: int) -> NoReturn:
    """Exit with an exit code; above 128 by the signal itself, so that a shell ends its loops."""
    output = sys.stdout
    unwritable = AttributeError, ClosedPipe, OSError, ValueError
    try:
        output.flush()
    except unwritable:
        sys.stdout = _empty_stream()  # so that Python does not flush it again at exit
        with contextlib.suppress(*unwritable):
            output.close()  # otherwise its finalizer flushes it again, and from Python 3.13 on prints the error
    if code > BY_A_SIGNAL:
        from hoyle_conformance.system.processes import end_by

        end_by(code - BY_A_SIGNAL)
    sys.exit(code)


def code_of_fault(error: BaseException) -> int:
    """Print an unexpected error, and return its exit code, which must differ from those of a check's results.

    A schema is read when first needed; if it is invalid, so is the suite. Any other error is Hoyle's own and is printed
    with its traceback. If access denied by the system is the cause, raise that error.
    """
    from traceback import format_exception

    from hoyle_conformance.files.diagnostics import Invalid

    if isinstance(error, Invalid):
        show_invalid(error, _SUITE_INVALID)
        return _SUITE_INVALID
    if denied := denied_in(error):
        raise denied from None
    trace = "".join(format_exception(error))
    click.echo(f"{trace}\nThis is a bug in Hoyle. Please report it, with the lines above.", err=True)
    return OWN_FAULT


def show_invalid(invalid: "Invalid", code: int = 0) -> None:
    """Print the mistakes and their number, and the exit code, if one is given."""
    context = click.get_current_context(silent=True)
    if context and MISTAKES_IN in context.meta:
        context.meta[MISTAKES_IN](invalid.diagnostics)
        return
    from hoyle_conformance.wording.text import plural

    for shown in invalid.shown():
        click.echo(f"{shown}\n", err=True)
    because = f"exit {int(code)}: " if code else ""
    click.echo(f"{because}{plural(len(invalid.diagnostics), 'mistake')} found.", err=True)


def exit_invalid(invalid: "Invalid", code: int = _SUITE_INVALID) -> NoReturn:
    """Print the mistakes and exit with `code`, by default that of mistakes in the suite itself."""
    show_invalid(invalid, code)
    exit_with(code)


class WrongUsageIfInvalid(contextlib.ContextDecorator):
    """A context in which a file that is found invalid ends the command with the code of wrong usage."""

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Print the mistakes in a file, and exit."""
        if error is not None:
            from hoyle_conformance.files.diagnostics import Invalid
            from hoyle_conformance.runner.results import Exit

            if isinstance(error, Invalid):
                exit_invalid(error, Exit.USAGE)


def exit_explained(code: int, *reasons: str) -> NoReturn:
    """Exit with a code, and print the reasons unless it is 0."""
    from hoyle_conformance.reports.words import exit_line

    if code:
        click.echo(exit_line(code, *reasons), err=True)
    exit_with(code)


def exit_with(code: int) -> NoReturn:
    """Exit with a code."""
    click.get_current_context().exit(int(code))
    raise AssertionError("exit does not return")


def exit_code(run: "Run") -> int:
    """Return the exit code of a run, or of the signal that has interrupted it."""
    from hoyle_conformance.runner.interrupts import INTERRUPTION

    return INTERRUPTION.exit if run.interrupted and INTERRUPTION.signal else run.exit
