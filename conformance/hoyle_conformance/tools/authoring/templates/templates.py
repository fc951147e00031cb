"""The starters, and the words that build and run them."""

import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from shutil import which
from subprocess import list2cmdline
from types import MappingProxyType
from typing import Final

from hoyle_reference.frozen import frozen

_FOLDER: Final = Path(__file__).parent
#: Stand in a command for the file, its folder, and the program that is built of it.
_FILE: Final = "FILE"
_PARENT: Final = "FOLDER"
_PROGRAM: Final = "PROGRAM"


@frozen
class Starter:
    """An adapter to begin with: its language, its file, other names of the language, and the commands that build it, if
    it must be built, and run it."""

    language: str
    file: str
    also: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]

    @property
    def text(self) -> str:
        """What is in its file."""
        return (_FOLDER / self.file).read_text("utf-8")

    @property
    def needs(self) -> str:
        """The program that must be installed for it."""
        return (self.build or self.run)[0]

    def at(self, path: PurePath) -> "Starter":
        """The same, written to another place."""
        words = {_FILE: str(path), _PARENT: str(path.parent), _PROGRAM: _program(path)}
        build, run = (tuple(words.get(word, word) for word in command) for command in (self.build, self.run))
        return replace(self, file=str(path), build=build, run=run)


def _program(path: PurePath) -> str:
    """The program that is built of a file, as it is called."""
    program = str(path.with_suffix(".exe" if sys.platform == "win32" else ""))
    return program if PurePath(program).parent != PurePath() else f".{os.sep}{program}"


def command_line(words: Iterable[str]) -> str:
    """A command as it is typed."""
    if sys.platform == "win32":
        return list2cmdline(list(words))
    return shlex.join(words)


def _first_there(*programs: str) -> str:
    """The first of these that is installed, or the first of all."""
    return next(filter(which, programs), programs[0])


def _starters() -> Sequence[Starter]:
    python = _first_there("python", "python3", "py")
    compiler = _first_there("cc", "gcc", "clang")
    return (
        Starter("python", "my_adapter.py", ("py", "python3"), (), (python, _FILE)),
        Starter("javascript", "my_adapter.js", ("js", "node", "nodejs"), (), ("node", _FILE)),
        Starter("go", "my_adapter.go", ("golang",), ("go", "build", "-o", _PROGRAM, _FILE), (_PROGRAM,)),
        Starter("rust", "my_adapter.rs", ("rs",), ("rustc", "-O", "-o", _PROGRAM, _FILE), (_PROGRAM,)),
        Starter("java", "MyAdapter.java", (), ("javac", _FILE), ("java", "-cp", _PARENT, "MyAdapter")),
        Starter("c", "my_adapter.c", (), (compiler, "-std=c11", "-o", _PROGRAM, _FILE), (_PROGRAM,)),
    )


def starters() -> Mapping[str, Starter]:
    """Every starter, by its language."""
    return MappingProxyType({each.language: each for each in _starters()})


def starter(language: str) -> Starter | None:
    """The starter in a language, by any of its names."""
    name = language.strip().lower()
    return next((each for each in _starters() if name in {each.language, *each.also}), None)
