"""Command lines, as people write them for the shell of their system, and their words."""

import re
import shlex
import sys
from collections.abc import Iterable
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
