"""Programs: command lines as people write them for the shell of their system, and the files that are programs."""

import os
import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from subprocess import list2cmdline
from typing import Final

#: On Windows a backslash stands in paths, and double quotes alone keep a word together.
_WORD: Final = re.compile(r'(?:[^\s"]|"[^"]*")+')


def split_command(line: str) -> tuple[str, ...]:
    """Split a command line into words; raises ValueError if a quotation is not closed."""
    if sys.platform != "win32":
        return tuple(shlex.split(line))
    if line.count('"') % 2:
        raise ValueError("No closing quotation")
    return tuple(word.replace('"', "") for word in _WORD.findall(line))


def join_command(words: Iterable[str]) -> str:
    """Join words into a line that can be pasted into a shell."""
    if sys.platform != "win32":
        return shlex.join(words)
    return list2cmdline(words)


def program_ending() -> str:
    """Return the end of the names of programs that compilers build."""
    return ".exe" if sys.platform == "win32" else ""


def is_executable(path: Path) -> bool:
    """Whether the system may run a file: on Windows, by the end of its name."""
    if sys.platform == "win32":
        endings = os.environ.get("PATHEXT", ".com;.exe;.bat;.cmd").lower().split(";")
        return bool(path.suffix) and path.suffix.lower() in endings
    return os.access(path, os.X_OK)


def how_to_make_executable(path: str) -> str:
    """Return what makes a program of a file, whose path is quoted."""
    if sys.platform == "win32":
        return f"give it a name that ends with {program_ending()}"
    return f"chmod +x {path}"
