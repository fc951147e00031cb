"""Mistakes in files, as they are printed.

One line has the place and the message; then come the line of the file with a caret under the spot, and the remedy.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from hoyle_conformance.files.safe_text import printable
from hoyle_conformance.files.suggest import Suggestion

#: So many mistakes of a file are shown, and how many more there are.
SHOWN: Final = 50
#: After so many of them nobody counts on.
COUNTED: Final = 1000
#: More of a message, and of a line of the file, is not shown, in characters.
_LONGEST: Final = 2000
_WIDTH: Final = 110


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """A mistake: its place (line and column counted from 1), its stable code, the message, and the remedy.

    `source` is the text of that line, empty if the place is the file as a whole.
    """

    file: str
    line: int
    column: int
    code: str
    message: str
    remedy: str | Suggestion = field(default="", compare=False)
    source: str = field(default="", compare=False)

    @property
    def place(self) -> str:
        """The place as editors understand it."""
        return f"{printable(self.file)}:{self.line}:{self.column}"

    def __str__(self) -> str:
        parts = [f"{self.place}: {_cut(self.message)}"]
        if self.source:
            number = str(self.line)
            before, shown = _clip(self.source, self.column)
            parts.append(f"  {number} | {shown}")
            parts.append(f"  {' ' * len(number)} | {before}^")
        if remedy := str(self.remedy):
            parts.append(f"  {_cut(remedy)}")
        return "\n".join(parts)


def _cut(text: str) -> str:
    return printable(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


def _clip(source: str, column: int) -> tuple[str, str]:
    """Return the blanks before the caret (tabs preserved, so that it is in the right column) and the line, cut if it is
    very long."""
    start = max(0, column - _WIDTH + 20)
    cut = "… " if start else ""
    before, after = printable(source[start : column - 1]), printable(source[max(start, column - 1) : start + _WIDTH])
    blank = "".join("\t" if char == "\t" else " " for char in before)
    return " " * len(cut) + blank, cut + before + after


def diagnostic_at(
    file: str, text: str, line: int, column: int, code: str, message: str, remedy: str | Suggestion
) -> Diagnostic:
    """Return a diagnostic at a line and column (from 0) of a text."""
    lines = _lines(text)
    source = lines[line].rstrip("\r") if line < len(lines) else ""
    return Diagnostic(file, line + 1, column + 1, code, message, remedy, source)


@lru_cache(maxsize=4)
def _lines(text: str) -> Sequence[str]:
    """Return the lines of a text, split once for all mistakes in it."""
    return text.split("\n")


class Invalid(Exception):
    """Files that cannot be used, with everything that is wrong with them."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(set(diagnostics)))
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(self.shown())

    def shown(self) -> Iterator[str]:
        """Yield every mistake as text; of each file the first `SHOWN`, and the number of the others."""
        for _, group in groupby(self.diagnostics, lambda each: each.file):
            of_a_file = list(group)
            yield from map(str, of_a_file[:SHOWN])
            if more := of_a_file[SHOWN:]:
                yield f"{more[0].place}: and {_so_many(more, len(of_a_file))} more\n   Fix the first ones first."


def _so_many(more: Sequence[Diagnostic], of: int) -> str:
    return f"{len(more):,}{' or' if of >= COUNTED else ''}"


def shown_path(path: Path, root: Path | None = None) -> str:
    """Return a path as it is printed: relative to `root` or to the working folder if it is below one of them."""
    for base in (root, Path.cwd()):
        if base is not None and path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return path.as_posix()
