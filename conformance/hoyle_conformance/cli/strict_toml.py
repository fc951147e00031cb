"""TOML files, with the places of their keys for messages.

Dates, which no file of Hoyle has, and numbers that are none (`nan`, `inf`) are read as text, so that JSON Schema can
refuse them.
"""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Invalid, diagnostic_at
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.read import read_text

_PLACE: Final = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)$")
_HEADER: Final = re.compile(r"\s*\[\s*([^\[\]#]+?)\s*\]\s*(?:#.*)?$")
_ENTRY: Final = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[^\s"'=#\[\]{}])+)\s*=\s*""")
_NAME: Final = re.compile(r""""[^"]*"|'[^']*'|[^.\s]+""")


class TomlDocument(Document):
    """The content of a TOML file, with the places of its keys and values."""

    def _place(self, path: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
        return place_in_toml(self._written(), path, key=key)


def read_toml(path: Path, shown: str) -> TomlDocument:
    """Return the content of a file; raises Invalid, with one diagnostic, if it is not TOML."""
    return load_toml(read_text(path, shown), shown, path)


def load_toml(text: str, shown: str, path: Path | None = None) -> TomlDocument:
    """Return the content of a text; raises Invalid, with one diagnostic, if it is not TOML."""
    try:
        data = tomllib.loads(text, parse_float=_number)
    except tomllib.TOMLDecodeError as error:
        raise Invalid([_not_toml(shown, text, str(error))]) from error
    except RecursionError as error:
        raise Invalid([diagnostic_at(shown, text, 0, 0, "not-toml", "it is nested too deeply", "")]) from error
    return TomlDocument(shown, _plain(data), path, text)


def _number(text: str) -> float | str:
    """Return the value of a number with a fraction or an exponent; text if it is none, or is too large."""
    value = float(text)
    return value if float("-inf") < value < float("inf") else text


def _plain(value: Any) -> Any:
    """Return a value with dates and times as text."""
    match value:
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list():
            return [_plain(each) for each in value]
        case str() | bool() | int() | float():
            return value
        case _:
            return str(value)


def _not_toml(shown: str, text: str, message: str) -> Any:
    """Return the diagnostic for a text that is not TOML, at the place that the parser's message names."""
    found = _PLACE.search(message)
    lines = text.rstrip("\n").split("\n")
    line, column = (int(found[1]), int(found[2])) if found and found[1] else (len(lines), len(lines[-1]) + 1)
    what = _PLACE.sub("", message)
    remedy = "Correct the line; text needs quotes in TOML, and a list needs brackets."
    return diagnostic_at(
        shown, text, line - 1, column - 1, "not-toml", f"this is not TOML: {what[:1].lower()}{what[1:]}", remedy
    )


def place_in_toml(text: str, path: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
    """Return the line and column (from 0) of the value of `path`, or of its key; of the nearest key above it if it has
    no line of its own."""
    table: tuple[str, ...] = ()
    nearest, found = 0, (0, 0)
    for number, line in enumerate(text.split("\n")):
        if header := _HEADER.match(line):
            names = table = _names(header[1])
            column = header.start(1)
        elif entry := _ENTRY.match(line):
            names = (*table, *_names(entry[1]))
            column = entry.start(1) if key else entry.end()
        else:
            continue
        if len(names) > nearest and tuple(path[: len(names)]) == names:
            nearest, found = len(names), (number, column)
    return found


def _names(dotted: str) -> tuple[str, ...]:
    """Return the names in a key such as ``tool."hoyle".command``."""
    return tuple(name.strip("\"'") for name in _NAME.findall(dotted))
