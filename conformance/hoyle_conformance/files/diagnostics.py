"""Diagnostics: a mistake in a file, as a person is shown it.

One line with the place and what is wrong, the line of the file with a caret under the spot, and what to do about it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """A mistake: where it is (line and column counted from 1), its stable code, what is wrong, and the remedy.

    `source` is the text of that line, empty where the place is the file as a whole.
    """

    file: str
    line: int
    column: int
    code: str
    message: str
    remedy: str = ""
    source: str = ""

    def __str__(self) -> str:
        parts = [f"{self.file}:{self.line}:{self.column}: {self.message}"]
        if self.source:
            number = str(self.line)
            before, shown = _clip(self.source, self.column)
            parts.append(f"  {number} | {shown}")
            parts.append(f"  {' ' * len(number)} | {before}^")
        if self.remedy:
            parts.append(f"  {self.remedy}")
        return "\n".join(parts)


#: How much of a line is shown, in characters.
_SHOWN = 110


def _clip(source: str, column: int) -> tuple[str, str]:
    """What stands before the caret (tabs kept, so that it lands right) and the line, cut where it is very long."""
    start = max(0, column - _SHOWN + 20)
    cut = "… " if start else ""
    shown = cut + source[start : start + _SHOWN]
    before = "".join("\t" if char == "\t" else " " for char in source[start : column - 1])
    return " " * len(cut) + before, shown


class Invalid(Exception):
    """Files that cannot be used, with everything that is wrong with them."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(set(diagnostics)))
        super().__init__("\n".join(map(str, self.diagnostics)))


def shown_path(path: Path, root: Path | None = None) -> str:
    """A path as it is printed: relative to `root` or to the working folder where it lies below it."""
    for base in (root, Path.cwd()):
        if base is not None and path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return path.as_posix()
