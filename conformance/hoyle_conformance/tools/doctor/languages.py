"""Languages: which one an adapter is written in, as it says itself or as its command shows."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

#: The languages of which remedies are known, by the names that people give them.
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


def language_of_a_file(name: str) -> str:
    """The language of a file, by its name; empty where that does not tell."""
    return _ENDINGS.get(PurePath(name).suffix.lower(), "")


def language_of(said: str, command: Sequence[str]) -> str:
    """The language of an adapter of which remedies are known: as it says, or as its command shows where it has not said
    so yet; or empty."""
    if not said.strip():
        return _of_a_command(command)
    name = said.strip().lower()
    return _NAMES.get(name) or _NAMES.get(_program(name.split()[0]), "")


def _of_a_command(command: Sequence[str]) -> str:
    files = (language_of_a_file(word) for word in command)
    programs = (_NAMES.get(_program(word), "") for word in command[:1])
    return next(filter(None, (*files, *programs)), "")


def _program(word: str) -> str:
    """The name of a program without its folder, its version and its ending: ``python`` of ``/usr/bin/python3.12``."""
    name = PurePath(word).name.lower().removesuffix(".exe")
    return name if name in _NAMES else name.rstrip("0123456789.")
