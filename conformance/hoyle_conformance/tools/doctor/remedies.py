"""Remedies: the fix for each fault, with details for the language that the adapter is written in.

`remedies.yaml` lists the remedies by the name of the question, or of the finding if a question has several.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Final

from hoyle_conformance.files.strict_yaml import read_file

#: The languages that the remedies know, by their usual names.
_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("python", "python3", "pypy", "cpython", "py", "pipx", "uv"), "Python"),
        **dict.fromkeys(("javascript", "js", "node", "nodejs", "node.js", "deno", "bun"), "JavaScript"),
        **dict.fromkeys(("typescript", "ts", "tsx", "ts-node"), "JavaScript"),
        **dict.fromkeys(("java", "kotlin", "scala"), "Java"),
        **dict.fromkeys(("c++", "cpp"), "C++"),
        **dict.fromkeys(("go", "golang"), "Go"),
        **dict.fromkeys(("rust", "cargo"), "Rust"),
        **dict.fromkeys(("c#", "csharp", "dotnet", ".net", "f#"), "C#"),
        **dict.fromkeys(("ruby", "jruby"), "Ruby"),
        **dict.fromkeys(("perl",), "Perl"),
        **dict.fromkeys(("php",), "PHP"),
        "c": "C",
    }
)
_ENDINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys((".py", ".pyz"), "Python"),
        **dict.fromkeys((".js", ".mjs", ".cjs", ".ts", ".mts"), "JavaScript"),
        **dict.fromkeys((".java", ".jar", ".class", ".kts"), "Java"),
        **dict.fromkeys((".cpp", ".cc", ".cxx"), "C++"),
        **dict.fromkeys((".cs", ".csproj", ".dll"), "C#"),
        ".c": "C",
        ".go": "Go",
        ".rs": "Rust",
        ".rb": "Ruby",
        ".pl": "Perl",
        ".php": "PHP",
    }
)

FILE: Final = Path(__file__).with_name("remedies.yaml")
#: The key of the remedy for any language.
IN_GENERAL: Final = "in general"


def language_of(said: str, command: Sequence[str]) -> str:
    """Return the language of an adapter, if there are remedies for it: from its `ready` (`said`), or from its
    command before there is a `ready`; empty if unknown."""
    if not said.strip():
        files = (_ENDINGS.get(PurePath(word).suffix.lower()) for word in command)
        programs = (_NAMES.get(_program(word)) for word in command[:1])
        return next(filter(None, (*files, *programs)), "")
    name = said.strip().lower()
    return _NAMES.get(name) or _NAMES.get(_program(name.split()[0]), "")


def _program(word: str) -> str:
    """Return a program's name without its folder, version and extension: ``python`` for ``/usr/bin/python3.12``."""
    name = PurePath(word).name.lower().removesuffix(".exe")
    return name if name in _NAMES else name.rstrip("0123456789.")


@cache
def remedies() -> Mapping[str, Mapping[str, str]]:
    """Return all remedies, by the name of the fault and then by language."""
    read: Mapping[str, Mapping[str, str]] = read_file(FILE, FILE.name).data
    return read


def remedy(name: str, language: str) -> str:
    """Return the remedy of a fault, in general and for a language; raises KeyError if there is no such fault."""
    known = remedies()[name]
    return f"{known[IN_GENERAL]} In {language}: {known[language]}" if language in known else known[IN_GENERAL]
