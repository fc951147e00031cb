"""Why a command cannot be started, as far as its first word and the files here tell, and what to do about it."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import which
from typing import Final

from ..files.names import nearest
from .languages import INTERPRETERS, language_of_a_file

_BEGINNING: Final = 200  # bytes of a file that may name what runs it
#: Programs that people mean by the name of another.
_ALSO: Final = {"python": "python3", "python3": "python", "node": "nodejs", "gcc": "cc"}


def remedy(command: Sequence[str]) -> str:
    """What to do about a command that cannot be started."""
    reasons: tuple[Callable[[Sequence[str]], str], ...] = (
        _quoted,
        _in_this_folder,
        _a_folder,
        _not_executable,
        _begins_with_nothing_that_is_there,
        _without_a_beginning,
        _another_name,
    )
    found = next(filter(None, (reason(command) for reason in reasons)), "")
    return found or "Check the command after '--': is it spelt right, and can it be found from this folder?"


def _shown(words: Sequence[str]) -> str:
    return f"hoyle doctor -- {shlex.join(words)}"


def _quoted(command: Sequence[str]) -> str:
    """The whole command in one word."""
    try:
        program, *words = shlex.split(command[0])
    except ValueError:
        return ""
    if not words or Path(command[0]).exists() or not (which(program) or Path(program).exists()):
        return ""
    whole = _shown([program, *words, *command[1:]])
    return f"The whole command is quoted, and so taken for the name of one program. Leave the quotes out: {whole}"


def _in_this_folder(command: Sequence[str]) -> str:
    """A file here, without the folder in front of it, which a shell does not look for either."""
    name = command[0]
    if os.sep in name or "/" in name or which(name) or not Path(name).is_file():
        return ""
    return f"It is a file in this folder: write {_shown([f'./{name}', *command[1:]])}"


def _a_folder(command: Sequence[str]) -> str:
    return f"'{command[0]}' is a folder: name the program in it." if Path(command[0]).is_dir() else ""


def _interpreter(command: Sequence[str]) -> str:
    """The command with what runs files of its kind in front."""
    runs = INTERPRETERS.get(language_of_a_file(command[0]), ())
    there = next((words for words in runs if which(words[0])), None)
    return _shown([*there, *command]) if there else ""


def _not_executable(command: Sequence[str]) -> str:
    """A file that may not be run."""
    path = Path(command[0])
    if sys.platform == "win32" or not path.is_file() or os.access(path, os.X_OK):
        return ""
    through, make = _interpreter(command), f"make it executable: chmod +x {shlex.quote(command[0])}"
    return (
        f"The file may not be run. Put what runs it in front: {through}; or {make}" if through else f"To run it, {make}"
    )


def _first_line(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.readline(_BEGINNING)
    except OSError:
        return b""


def _begins_with_nothing_that_is_there(command: Sequence[str]) -> str:
    """A script whose first line names a program that is not there, perhaps for the line end after it."""
    path = Path(command[0])
    line = _first_line(path) if path.is_file() else b""
    named = line.removeprefix(b"#!").split() if line.startswith(b"#!") else []
    if not named:
        return ""
    if line.endswith(b"\r\n"):
        ends = "The first line of the file ends as on Windows, and so names a program that is not there"
        return f"{ends}. Save the file with the line ends of Unix (LF)."
    program = os.fsdecode(named[0])
    if Path(program).exists():
        return ""
    return (
        f"The first line of the file names {program!r}, which is not there. Correct it: '#!/usr/bin/env python3', say."
    )


def _without_a_beginning(command: Sequence[str]) -> str:
    """A script that does not say what runs it."""
    path = Path(command[0])
    if not path.is_file() or _first_line(path).startswith((b"#!", b"\x7fELF", b"MZ")):
        return ""
    through = _interpreter(command)
    put = f"Put what runs it in front: {through}" if through else "Put what runs it in front"
    return f"The file does not say what runs it. {put}; or begin it with a line such as '#!/usr/bin/env python3'."


def _another_name(command: Sequence[str]) -> str:
    """A program, or a file, that has nearly this name."""
    name, rest = command[0], list(command[1:])
    if which(name):
        return ""
    other = _ALSO.get(name, "")
    if other and which(other):
        return f"There is no '{name}' here, but '{other}': {_shown([other, *rest])}"
    path = Path(name)
    try:
        beside = [each.name for each in path.parent.iterdir() if each.is_file()][:1000]
    except OSError:
        return f"There is no folder '{path.parent}'. Check where the program is, from this folder."
    near = nearest(path.name, beside)
    return f"Did you mean {_shown([str(path.with_name(near)), *rest])}?" if near and near != path.name else ""
