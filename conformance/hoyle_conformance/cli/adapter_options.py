"""Options and errors of the commands that start an adapter, and remedies if its command cannot be started."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from math import isnan
from pathlib import Path
from shutil import which
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import click

from hoyle_conformance.cli.configuration import AdapterCall, configuration_option
from hoyle_conformance.cli.exit import exit_explained
from hoyle_conformance.files.diagnostics import nearest, shown_path
from hoyle_conformance.protocol.messages import ProtocolError
from hoyle_conformance.protocol.process import TIMEOUT
from hoyle_conformance.reports.words import phrase, stop_reason
from hoyle_conformance.runner import reference_adapter as starting
from hoyle_conformance.runner.interrupts import INTERRUPTION, DeadlinePassed
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.runner.select import is_there
from hoyle_conformance.system.processes import how_to_make_executable, is_executable, join_command, split_command
from hoyle_conformance.wording.text import sanitize, sentence

if TYPE_CHECKING:
    from hoyle_conformance.runner.reference_adapter import Start

_SECONDS: Final = MappingProxyType({"": 1, "s": 1, "m": 60, "h": 3_600})
_LONGEST: Final = 365 * 24 * 3_600  # seconds


def _finite(_context: click.Context, _parameter: click.Parameter, seconds: float) -> float:
    """Return the seconds; raise BadParameter if they are not a number."""
    if isnan(seconds):
        raise click.BadParameter("it must be a number of seconds.")
    return seconds


timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0.01, max=86_400),
    callback=_finite,
    default=TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="The time that an adapter may take to respond.",
)


def _seconds(_context: click.Context, _parameter: click.Parameter, span: str | None) -> float | None:
    """Read a time such as 90, 90s, 10m or 2h, in seconds; raise BadParameter."""
    if span is None:
        return None
    written = re.fullmatch(r"([0-9]{1,9}(?:[.][0-9]{1,9})?)([smh]?)", span.strip())
    seconds = float(written[1]) * _SECONDS[written[2]] if written else 0
    if not 0 < seconds <= _LONGEST:
        raise click.BadParameter(f"{span} is not a time. Write 90 for seconds, or 90s, 10m, 2h.")
    return seconds


deadline_option = click.option(
    "--deadline",
    "seconds",
    callback=_seconds,
    metavar="TIME",
    help="End the run after this time and report the results so far: 90 for seconds, or 90s, 10m, 2h.",
)
sandbox_option = click.option(
    "--sandbox",
    is_flag=True,
    help="Run the adapter without network, without write access, and with limits; exit with 2 if this system cannot.",
)


def adapter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that runs an adapter until its work is done, or until a deadline."""
    return timeout_option(deadline_option(sandbox_option(configuration_option(command))))


def start_or_exit(call: AdapterCall, timeout: float, *, sandbox: bool) -> "Start":
    """Return a starter of the adapter, in a sandbox if `sandbox` is set, or of the built-in reference; from now on, an
    interruption ends the run in order."""
    sandbox_or_exit(call, wanted=sandbox)
    INTERRUPTION.heed()
    if not call.words:
        return starting.start_reference
    return partial(starting.start_command, call.words, timeout, folder=call.folder, sandbox=sandbox)


def sandbox_or_exit(call: AdapterCall, *, wanted: bool) -> None:
    """Exit with code 2 if a sandbox is requested and this system cannot set one up. Raise UsageError if there is no
    adapter."""
    if not wanted:
        return
    if not call.words:
        raise click.UsageError("A sandbox needs an adapter: give the COMMAND that starts it.")
    from hoyle_conformance.protocol import sandbox

    if problem := sandbox.problem():
        exit_explained(Exit.ADAPTER_BROKE, "this system has no sandbox, so the adapter was not started", problem)


@contextmanager
def ready_or_exit(call: AdapterCall) -> Iterator[None]:
    """Exit if the adapter cannot be started, sends no valid ready, or is not ready before the deadline."""
    try:
        yield
    except ProtocolError as fault:
        why = sentence(phrase("no-adapter", reason=fault.message))
        remedy = start_remedy(call) if fault.code == "cannot-start" and call.words else fault.remedy
        click.echo(sanitize(f"{why}\n{remedy}"), err=True)
        if fault.stderr:
            click.echo(phrase("no-adapter.output", output=sanitize(fault.stderr[-1000:])), err=True)
        exit_explained(Exit.ADAPTER_BROKE, phrase("no-adapter.exit"))
    except DeadlinePassed as passed:
        reason = phrase("not-ready", reason=stop_reason(passed.args[0]))
        exit_explained(Exit.TOO_LITTLE_RAN, reason, phrase("not-ready.remedy"))


def start_remedy(call: AdapterCall) -> str:
    """Return the remedy for a command that cannot be started; on the command line, the correct way to write it."""
    if call.configured_in:
        file = shown_path(call.configured_in)
        return f"Correct 'command' in {file}. The command runs in the folder of that file."
    return how_to_start(call.words, click.get_current_context().command_path)


# ---- words of a command


#: The words that run a file, by its extension, where the system may not run it directly.
_RUN_BY: Final = {
    suffix: tuple(words.split())
    for words, suffixes in (
        ("python", ".py"),
        ("node", ".js .mjs .cjs"),
        ("npx tsx", ".ts"),
        ("ruby", ".rb"),
        ("perl", ".pl"),
        ("php", ".php"),
        ("lua", ".lua"),
        ("sh", ".sh"),
        ("java -jar", ".jar"),
        ("java", ".java .class"),
        ("go run", ".go"),
        ("cargo run --manifest-path", ".rs"),
        ("powershell -File", ".ps1"),
    )
    for suffix in suffixes.split()
}
_PROGRAMS: Final = frozenset({".exe", ".cmd", ".bat", ".com"})
_FIRST_LINE: Final = 300  # bytes
_FROM_WINDOWS: Final = (
    "Its first line ends with a Windows line break, so it names a program that does not exist. Save it "
    "with Unix line endings (LF)."
)
_CANNOT_RUN: Final = (
    "The system cannot run it. Check that the program on its first line exists. If it is a script, "
    "begin the command with the program that runs it."
)
#: Programs that may have been meant if there is none of the given name.
_KNOWN: Final = frozenset({words[0] for words in _RUN_BY.values()} | {"python3", "npm", "docker", "dotnet"})


def shell_line(words: Sequence[str]) -> str:
    """Return words quoted for a command line of this system, safe to print."""
    return sanitize(join_command(words)).replace("\n", " ")


def is_a_program(words: Sequence[str]) -> bool:
    """Whether these words start a program: an existing path or file name, or a program with a file after it."""
    path = Path(words[0])
    suffix = path.suffix.lower()
    if suffix in _RUN_BY or suffix in _PROGRAMS or (path.name != words[0] and path.is_file()):
        return True
    beside = next((word for word in words[1:] if not word.startswith("-")), "")
    return Path(beside).suffix.lower() in _RUN_BY and bool(which(words[0]))


def how_to_start(command: Sequence[str], call: str = "hoyle check") -> str:
    """Return the remedy for a command that could not be started; `call` is the Hoyle command that used it."""
    name, first = command[0], Path(command[0])
    suffix, is_name = first.suffix.lower(), first.name == command[0]
    if not is_there(first):
        return _not_there(command, call)
    if first.is_dir():
        return f"{shell_line([name])} is a folder. Name the program in it, or the program that runs it."
    if suffix in _RUN_BY:
        program, *more = _RUN_BY[suffix]
        if program == "python" and not which("python") and which("python3"):
            program = "python3"
        return f"Name the program that runs it: {call} {shell_line([program, *more, *command])}"
    own = f".{os.sep}{first}" if first.name == str(first) else str(first)  # a shell needs the folder to run it
    if not is_executable(first):
        return (
            f"It is not executable. If it is a program: {how_to_make_executable(shell_line([own]))}; if not, begin the "
            "command with the program that runs it."
        )
    if is_name:
        return f"Programs are not looked up in this folder. Give its path: {call} {shell_line([own, *command[1:]])}"
    line = b""
    with suppress(OSError), first.open("rb") as file:
        line = file.readline(_FIRST_LINE)
    return _FROM_WINDOWS if line.startswith(b"#!") and line.endswith(b"\r\n") else _CANNOT_RUN


def _not_there(command: Sequence[str], call: str) -> str:
    """Return the remedy if there is no such program: the words in its quotes, the file or program that the user
    probably meant, or where to look."""
    name, path, parts, near = command[0], Path(command[0]), list[str](), ""
    with suppress(ValueError):  # a shell could not split it
        parts = [*split_command(name)]
    if len(parts) > 1 and (which(parts[0]) or is_there(Path(parts[0]))):
        written = f"{call} {shell_line([*parts, *command[1:]])}"
        return f"Because of the quotes, all of it is the name of one program. Write: {written}"
    if path.name == name:
        near = nearest(name, sorted(filter(which, _KNOWN)))
    else:
        with suppress(OSError):
            near = nearest(path.name, [each.name for each in path.parent.iterdir() if each.is_file()])
    if near:
        meant = shell_line([name[: len(name) - len(path.name)] + near])
        return f"There is no such file or program. Did you mean '{meant}'?"
    if path.name == name:
        return (
            "There is no such program. Check its spelling, and that it is installed. A program in this "
            "folder needs a path: ./adapter"
        )
    return f"There is no such file. Paths are relative to this folder: {sanitize(str(Path.cwd()))}"
