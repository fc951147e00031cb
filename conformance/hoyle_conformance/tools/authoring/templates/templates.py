"""Adapter templates in several languages, and the commands that build and run them."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from shutil import which
from types import MappingProxyType
from typing import Final

from hoyle_conformance.system.processes import program_ending

_FOLDER: Final = Path(__file__).parent
#: Placeholders in a command for the file, its folder, and the program built from it.
_FILE: Final = "FILE"
_PARENT: Final = "FOLDER"
_PROGRAM: Final = "PROGRAM"


@dataclass(frozen=True, slots=True)
class AdapterTemplate:
    """A template of an adapter: its language, its file, other names of the language, and the commands that build (if
    necessary) and run it."""

    language: str
    file: str
    aliases: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text of its file."""
        return (_FOLDER / self.file).read_text("utf-8")

    @property
    def needs(self) -> str:
        """The program that must be installed for it."""
        return (self.build or self.run)[0]

    def at(self, path: PurePath) -> "AdapterTemplate":
        """Return the template with another path."""
        words = {_FILE: str(path), _PARENT: str(path.parent), _PROGRAM: _program_path(path)}
        build, run = (tuple(words.get(word, word) for word in command) for command in (self.build, self.run))
        return replace(self, file=str(path), build=build, run=run)


def _program_path(path: PurePath) -> str:
    """Return the path of the program built from a file."""
    program = str(path.with_suffix(program_ending()))
    return program if PurePath(program).parent != PurePath() else f".{os.sep}{program}"


def _first_installed(*programs: str) -> str:
    """Return the first of these programs that is installed; if none is, the first."""
    return next(filter(which, programs), programs[0])


def _all_templates() -> Sequence[AdapterTemplate]:
    python = _first_installed("python", "python3", "py")
    compiler = _first_installed("cc", "gcc", "clang")
    return (
        AdapterTemplate("python", "my_adapter.py", ("py", "python3"), (), (python, _FILE)),
        AdapterTemplate("javascript", "my_adapter.js", ("js", "node", "nodejs"), (), ("node", _FILE)),
        AdapterTemplate("go", "my_adapter.go", ("golang",), ("go", "build", "-o", _PROGRAM, _FILE), (_PROGRAM,)),
        AdapterTemplate("rust", "my_adapter.rs", ("rs",), ("rustc", "-O", "-o", _PROGRAM, _FILE), (_PROGRAM,)),
        AdapterTemplate("java", "MyAdapter.java", (), ("javac", _FILE), ("java", "-cp", _PARENT, "MyAdapter")),
        AdapterTemplate("c", "my_adapter.c", (), (compiler, "-std=c11", "-o", _PROGRAM, _FILE), (_PROGRAM,)),
    )


def adapter_templates() -> Mapping[str, AdapterTemplate]:
    """Return every template, by its language."""
    return MappingProxyType({each.language: each for each in _all_templates()})


def adapter_template(language: str) -> AdapterTemplate | None:
    """Return the template for a language, by any of its names; None if there is none."""
    name = language.strip().lower()
    return next((each for each in _all_templates() if name in {each.language, *each.aliases}), None)
