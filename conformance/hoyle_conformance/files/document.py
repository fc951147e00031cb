"""The content of a file, with the places of its values."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.suggest import Suggestion

if TYPE_CHECKING:
    from hoyle_conformance.files.schema_errors import Complaint


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content as plain data (mappings with text keys, lists, text, whole numbers, true or false, None), its
    name as printed, and its path. Without its text, the file is read again when a place in it is needed."""

    file: str
    data: Any
    path: Path | None = None
    text: str | None = None

    def diagnose(
        self, path: Sequence[str | int], code: str, message: str, remedy: str | Suggestion = "", *, key: bool = False
    ) -> Diagnostic:
        """Return a diagnostic at the value of `path`, or at its key; at the nearest place if it is missing."""
        line, column = self._place(path, key=key)
        return diagnostic_at(self.file, self._written(), line, column, code, message, remedy)

    def complain(self, complaint: "Complaint") -> Diagnostic:
        """Return a complaint about the data as a diagnostic at its place in the file."""
        return self.diagnose(complaint.path, complaint.code, complaint.message, complaint.remedy, key=complaint.at_key)

    def line_of(self, path: Sequence[str | int]) -> int:
        """Return the line, counted from 1, of the value of `path`."""
        return self._place(path)[0] + 1

    def _place(self, path: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
        from hoyle_conformance.files.places import place_of  # most commands name no place: they need no YAML

        return place_of(self._written(), path, key=key)

    def _written(self) -> str:
        if self.text is not None:
            return self.text
        assert self.path is not None, "a document without its text lies in a file"
        from hoyle_conformance.files.read import decode, read_bytes

        try:
            return decode(read_bytes(self.path, self.file), self.file)
        except Invalid:  # it was sound when it was read, and has been changed since
            return ""


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
