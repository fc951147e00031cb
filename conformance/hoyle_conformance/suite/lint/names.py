"""Names: files must be named after the ids in them, and clauses cited must be in a ledger."""

from collections.abc import Iterator, Sequence
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.suggest import Suggestion
from hoyle_conformance.suite.suite import Suite

#: The command that shows every clause.
ALL_CLAUSES: Final = "hoyle suite list clauses"


def named_after_id(document: Document, expected: str) -> Iterator[Diagnostic]:
    """A file that is not named after the id in it."""
    where = document.path.resolve().as_posix() if document.path else document.file
    if not where.endswith(f"/{expected}"):
        yield document.diagnose(
            ["id"], "file-name", f"the file of this id must be named {expected}", "Rename the file, or correct the id."
        )


def unknown_clauses(
    suite: Suite, document: Document, path: Sequence[str | int], cites: Sequence[str]
) -> Iterator[Diagnostic]:
    """Clauses cited that are in no ledger."""
    for at, clause in enumerate(cites):
        if clause not in suite.clauses:
            yield document.diagnose(
                [*path, at],
                "unknown-clause",
                f"no clause '{clause}' in any ledger",
                Suggestion(clause, suite.clauses, ALL_CLAUSES),
            )
