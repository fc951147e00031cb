"""The command line of an adapter: how to write it, and what to do if it cannot be started."""

import os
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from types import MappingProxyType
from typing import Final

from hoyle_conformance.files.diagnostics import nearest
from hoyle_conformance.system.processes import how_to_make_executable, is_executable, join_command, split_command
from hoyle_conformance.wording.text import sanitize

#: The words that run a file, by the end of its name, where the system may not run it by itself.
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
_FIRST_LINE: Final = 300  # bytes
_FROM_WINDOWS: Final = (
    "Its first line ends with a Windows line break, so it names a program that does not exist. Save it "
    "with Unix line endings (LF)."
)
_CANNOT_RUN: Final = (
    "The system cannot run it. Check that the program on its first line exists. If it is a script, "
    "begin the command with the program that runs it."
)
#: Programs that may have been meant where there is none of the given name.
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


def shell_line(words: Sequence[str]) -> str:
    """Return words as they are written on a command line of this system, safe to print."""
    return sanitize(join_command(words)).replace("\n", " ")


def is_a_program(words: Sequence[str]) -> bool:
    """Whether these words start a program: a path or file name that is one, or a program with a file beside it."""
    path = Path(words[0])
    suffix = path.suffix.lower()
    if suffix in _RUN_BY or suffix in _PROGRAMS or (path.name != words[0] and path.is_file()):
        return True
    beside = next((word for word in words[1:] if not word.startswith("-")), "")
    return Path(beside).suffix.lower() in _RUN_BY and bool(which(words[0]))


def can_be_started(program: str) -> bool:
    """Whether there is such a program or file."""
    return bool(which(program)) or _is_there(Path(program))


def how_to_start(command: Sequence[str], call: str = "hoyle check") -> str:
    """Return what to do about a command that could not be started; `call` is the command of Hoyle that had it."""
    first = Path(command[0])
    if not _is_there(first):
        return _not_there(command, call)
    if first.is_dir():
        return f"{shell_line(command[:1])} is a folder. Name the program in it, or the program that runs it."
    suffix = first.suffix.lower()
    if suffix in _RUN_BY:
        return f"Name the program that runs it: {call} {shell_line([*_runs(suffix), *command])}"
    own = _here(first)
    if not is_executable(first):
        return (
            f"It is not executable. If it is a program: {how_to_make_executable(shell_line([own]))}; if not, begin the "
            "command with the program that runs it."
        )
    if first.name == command[0]:
        return f"Programs are not looked up in this folder. Give its path: {call} {shell_line([own, *command[1:]])}"
    return _FROM_WINDOWS if _first_line_ends_as_on_windows(first) else _CANNOT_RUN


def _first_line_ends_as_on_windows(path: Path) -> bool:
    """Whether a script's first line names its program and ends as on Windows."""
    try:
        with path.open("rb") as file:
            line = file.readline(_FIRST_LINE)
    except OSError:
        return False
    return line.startswith(b"#!") and line.endswith(b"\r\n")


def _not_there(command: Sequence[str], call: str) -> str:
    """Return what to do if there is no such program."""
    name = command[0]
    parts = _split(name)
    if len(parts) > 1 and (which(parts[0]) or _is_there(Path(parts[0]))):
        written = f"{call} {shell_line([*parts, *command[1:]])}"
        return f"Because of the quotes, all of it is the name of one program. Write: {written}"
    if near := _near(name):
        return f"There is no such file or program. Did you mean '{shell_line([near])}'?"
    if Path(name).name == name:
        return (
            "There is no such program. Check its spelling, and that it is installed. A program in this "
            "folder needs a path: ./adapter"
        )
    return f"There is no such file. Paths are relative to this folder: {sanitize(str(Path.cwd()))}"


def _is_there(path: Path) -> bool:
    """Whether the path exists."""
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _split(text: str) -> list[str]:
    """Return the words of a text as a shell would split them, or none if it could not."""
    try:
        return list(split_command(text))
    except ValueError:
        return []


def _near(name: str) -> str:
    """Return the file or program that the user probably meant."""
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
    """Return the words that run a file of this kind on this system."""
    program, *more = _RUN_BY[suffix]
    return ("python3" if program == "python" and not which("python") and which("python3") else program, *more)


def _here(path: Path) -> str:
    """Return the path with its folder, which a shell needs to run it."""
    return str(path) if path.name != str(path) else f".{os.sep}{path}"
