"""The content of a file, with the places of its values."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, Suggestion, diagnostic_at
from hoyle_conformance.files.read import decode, read_bytes

if TYPE_CHECKING:
    from hoyle_conformance.files.schema_errors import Complaint


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a file as plain data, with its printed name and its path.

    The data consists of mappings with text keys, lists, text, whole numbers, booleans and None. Without its text, the
    file is read again when a place in it is needed.
    """

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
        from hoyle_conformance.files.yaml_nodes import place_of  # most commands name no place and need no YAML

        return place_of(self._written(), path, key=key)

    def _written(self) -> str:
        if self.text is not None:
            return self.text
        assert self.path is not None, "a document without its text lies in a file"
        try:
            return decode(read_bytes(self.path, self.file), self.file)
        except Invalid:  # the file was valid when it was read, and has changed since
            return ""
