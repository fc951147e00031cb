"""A command line, as people write it for the shell of their system, and the words it is made of."""

import re
import shlex
import sys
from collections.abc import Iterable
from typing import Final

#: On Windows a backslash stands in paths, and double quotes alone keep a word together.
_WORD: Final = re.compile(r'(?:[^\s"]|"[^"]*")+')


def words_of(line: str) -> tuple[str, ...]:
    """The words of a command line; raises ValueError where a quotation is not closed."""
    if sys.platform != "win32":
        return tuple(shlex.split(line))
    if line.count('"') % 2:
        raise ValueError("No closing quotation")
    return tuple(word.replace('"', "") for word in _WORD.findall(line))


def written(words: Iterable[str]) -> str:
    """Words as a line that can be pasted into a shell."""
    if sys.platform != "win32":
        return shlex.join(words)
    from subprocess import list2cmdline  # which elsewhere is much to read for nothing

    return list2cmdline(words)
