"""The command line of an adapter: where it begins if the '--' before it was forgotten, and how it is written so that it
can be started."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which
from types import MappingProxyType
from typing import Final

import click

from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.protocol import split_command as command_line
from hoyle_conformance.protocol.split_command import words_of
from hoyle_conformance.wording.text import harmless

#: What runs a file that the system may not be able to run by itself, by how its name ends.
_RUN_BY: Final = MappingProxyType(
    {
        ".py": ("python",),
        ".js": ("node",),
        ".mjs": ("node",),
        ".cjs": ("node",),
        ".ts": ("npx", "tsx"),
        ".rb": ("ruby",),
        ".pl": ("perl",),
        ".php": ("php",),
        ".lua": ("lua",),
        ".sh": ("sh",),
        ".jar": ("java", "-jar"),
        ".java": ("java",),
        ".class": ("java",),
        ".go": ("go", "run"),
        ".rs": ("cargo", "run", "--manifest-path"),
        ".ps1": ("powershell", "-File"),
    }
)
_PROGRAMS: Final = frozenset({".exe", ".cmd", ".bat", ".com"})
#: What is a file of the suite, or of a run, and no program.
_NO_PROGRAMS: Final = frozenset({".yaml", ".yml", ".json", ".jsonl", ".txt", ".md"})
_FIRST_LINE: Final = 300  # bytes
_FROM_WINDOWS: Final = (
    "Its first line ends as on Windows, and so names a program that is not there. Save it with the line ends of Unix "
    "(LF)."
)
_CANNOT_RUN: Final = (
    "The system cannot run it: is what its first line names there? If it is no program, put what runs it before it."
)
#: What is looked up where a program is not there.
_KNOWN: Final = (
    "python",
    "python3",
    "node",
    "java",
    "ruby",
    "perl",
    "go",
    "cargo",
    "npx",
    "npm",
    "docker",
    "dotnet",
    "php",
)


def written(words: Sequence[str]) -> str:
    """Words as they are written on a command line of this system, harmless to print."""
    return harmless(command_line.written(words)).replace("\n", " ")


# ---- a forgotten '--'


def forgotten(command: click.Command, args: Sequence[str], start: int = 0) -> int | None:
    """The first place from `start` on in these words, which hold no '--', where a command begins that is certainly one:
    a file to run, or a program with a file beside it."""
    return next((at for at in _arguments(command, args) if at >= start and _is_a_command(args[at:])), None)


def _arguments(command: click.Command, args: Sequence[str]) -> Iterator[int]:
    """The places of the words that are neither options nor their values."""
    valued = {
        name for each in command.params if isinstance(each, click.Option) and _has_a_value(each) for name in each.opts
    }
    at = 0
    while at < len(args):
        if not args[at].startswith("-") or args[at] == "-":
            yield at
        elif args[at] in valued:
            at += 1
        at += 1


def _has_a_value(option: click.Parameter) -> bool:
    return isinstance(option, click.Option) and not (option.is_flag or option.count)


def _is_a_command(words: Sequence[str]) -> bool:
    if _is_a_program(words[0]):
        return True
    beside = next((word for word in words[1:] if not word.startswith("-")), "")
    return Path(beside).suffix.lower() in _RUN_BY and bool(which(words[0]))


def _is_a_program(word: str) -> bool:
    """Whether a word names a file that is there to be run, or one that could be nothing else."""
    path = Path(word)
    suffix = path.suffix.lower()
    if suffix in _NO_PROGRAMS:
        return False
    return suffix in _RUN_BY or suffix in _PROGRAMS or (_is_a_path(word) and not path.is_dir())


def _is_a_path(word: str) -> bool:
    """Whether a word is plainly meant as a path."""
    beginnings = ("./", "../", "/", "~/", *((".\\", "..\\", "\\") if os.sep == "\\" else ()))
    return word.startswith(beginnings) or (bool(Path(word).name != word) and Path(word).is_file())


def with_dashes(name: str, args: Sequence[str], at: int) -> str:
    """The whole command line as it should have been, with '--' before the word at this place."""
    return written(["hoyle", name, *args[:at], "--", *args[at:]])


def put_right(error: click.UsageError, command: click.Command, args: Sequence[str]) -> click.UsageError:
    """What is said of a wrong call with these words, where a command stands among them that is in the wrong place; else
    what would have been said."""
    name, takes_one = command.name or "", hasattr(command, "takes_an_adapter")
    if "--" in args:
        after = args[args.index("--") + 1 :]
        if takes_one or not (after and (_is_a_command(after) or which(after[0]))):
            return error
        return _saying(
            error, f"'hoyle {name}' takes no command after '--'. To hold one against the suite: {_checked(after)}"
        )
    if not takes_one:
        return error
    word = getattr(error, "word", "")
    at = forgotten(command, args, args.index(word) if word in args else 0)
    if at is not None:
        return _saying(error, f"Put -- before your command: {with_dashes(name, args, at)}")
    unexpected = _only_argument(command, args)
    if unexpected:
        error = _saying(
            error, f"{error.message.removesuffix('.')}. A ruleset is chosen with -r; a command stands after '--'."
        )
    if (word or unexpected) in args and which(word or unexpected):
        maybe = word or unexpected
        hint = f"If '{harmless(maybe)}' is your command, put -- before it: {with_dashes(name, args, args.index(maybe))}"
        return _saying(error, f"{error.message} {hint}")
    return error


def with_what_is_missing(error: click.UsageError, command: click.Command) -> click.UsageError:
    """What is said where an argument or the value of an option is missing, with how it is written."""
    command = error.ctx.command if error.ctx else command
    said = error.format_message()
    if isinstance(error, click.BadOptionUsage):
        option = next((each for each in command.params if error.option_name in each.opts), None)
        if option is None or not _has_a_value(option):
            return error
        context = error.ctx or click.Context(command)
        return _saying(error, f"{said} Write {error.option_name} {option.make_metavar(context)}.")
    example = re.search(r"^ *(hoyle .*?)(?:  |$)", command.help or "", re.MULTILINE)
    return _saying(error, f"{said} For example: {example[1]}") if example else error


def _checked(words: Sequence[str]) -> str:
    return written(["hoyle", "check", "--", *words])


def instead_of_a_name(words: Sequence[str]) -> str:
    """What to say where a command stands in the place of the name of one of ours; nothing where none does."""
    return f" To hold a command against the suite: {_checked(words)}" if _is_a_command(words) else ""


def _saying(error: click.UsageError, message: str) -> click.UsageError:
    return click.UsageError(message, error.ctx)


def _only_argument(command: click.Command, args: Sequence[str]) -> str:
    """The first word that is no option, of a command that takes none."""
    if any(isinstance(each, click.Argument) for each in command.params):
        return ""
    return next((args[at] for at in _arguments(command, args)), "")


# ---- a command that cannot be started


def how_to_start(command: Sequence[str], name: str = "check") -> str:
    """What to do about a command that could not be started; `name` is that of ours, to be called again."""
    first, call = Path(command[0]), f"hoyle {name} --"
    if not _is_there(first):
        return _not_there(command, call)
    if first.is_dir():
        return f"{written(command[:1])} is a folder. Name the program in it, or what runs it."
    suffix = first.suffix.lower()
    if suffix in _RUN_BY:
        return f"Say what runs it: {call} {written([*_runs(suffix), *command])}"
    own = _here(first)
    if first.name == command[0] and os.access(first, os.X_OK):
        return f"Programs are not looked for in this folder. Name its path: {call} {written([own, *command[1:]])}"
    if sys.platform != "win32" and not os.access(first, os.X_OK):
        return f"It may not be run. If it is a program: chmod +x {written([own])}; if not, put what runs it before it."
    return _FROM_WINDOWS if _begins_as_on_windows(first) else _CANNOT_RUN


def _begins_as_on_windows(path: Path) -> bool:
    """Whether a script says in its first line what runs it, and the line ends with two characters."""
    try:
        with path.open("rb") as file:
            line = file.readline(_FIRST_LINE)
    except OSError:
        return False
    return line.startswith(b"#!") and line.endswith(b"\r\n")


def _not_there(command: Sequence[str], call: str) -> str:
    """What to do where there is no such program."""
    name = command[0]
    parts = _parted(name)
    if len(parts) > 1 and (which(parts[0]) or _is_there(Path(parts[0]))):
        return f"In quotes all of it is the name of one program. Write: {call} {written([*parts, *command[1:]])}"
    if near := _near(name):
        return f"There is no such file or program. Did you mean '{written([near])}'?"
    if Path(name).name == name:
        return (
            "There is no such program. Is it spelt right, and installed? One in this folder needs its path: ./adapter"
        )
    return f"There is no such file. Paths begin in this folder: {harmless(str(Path.cwd()))}"


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _parted(text: str) -> list[str]:
    """The words in a text, as a shell would part them; none where it could not."""
    try:
        return list(words_of(text))
    except ValueError:
        return []


def _near(name: str) -> str:
    """The file or program that may have been meant."""
    path = Path(name)
    if path.name == name:
        return nearest(name, [each for each in _KNOWN if which(each)])
    try:
        beside = [each.name for each in path.parent.iterdir() if each.is_file()]
    except OSError:
        return ""
    near = nearest(path.name, beside)
    return name[: len(name) - len(path.name)] + near if near else ""


def _runs(suffix: str) -> tuple[str, ...]:
    """What runs a file of this kind here."""
    program, *more = _RUN_BY[suffix]
    return ("python3" if program == "python" and not which("python") and which("python3") else program, *more)


def _here(path: Path) -> str:
    return str(path) if path.name != str(path) else f".{os.sep}{path}"
