"""Ids: file names that match them, clauses that exist, and the lock file of every id ever published.

``spec/ids.lock`` has one id a line, after its kind. A retired id stays, with the word ``retired`` and the reason after
it, so that it is never used for anything else.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.suggest import Suggestion
from hoyle_conformance.suite.paths import LOCK
from hoyle_conformance.suite.semantics import paragraphs
from hoyle_conformance.suite.suite import Suite

#: The command that shows every clause.
ALL_CLAUSES: Final = "hoyle suite list clauses"


def named_after_id(document: Document, expected: str) -> Iterator[Diagnostic]:
    """Yield a fault if a file is not named after the id in it."""
    where = document.path.resolve().as_posix() if document.path else document.file
    if not where.endswith(f"/{expected}"):
        yield document.diagnose(
            ["id"], "file-name", f"the file of this id must be named {expected}", "Rename the file, or correct the id."
        )


def unknown_clauses(
    suite: Suite, document: Document, path: Sequence[str | int], cites: Sequence[str]
) -> Iterator[Diagnostic]:
    """Yield a fault for each clause cited that is in no ledger."""
    for at, clause in enumerate(cites):
        if clause not in suite.clauses:
            yield document.diagnose(
                [*path, at],
                "unknown-clause",
                f"no clause '{clause}' in any ledger",
                Suggestion(clause, suite.clauses, ALL_CLAUSES),
            )


def published(suite: Suite) -> Iterator[tuple[str, str]]:
    """Yield every id that the suite publishes now, with its kind, in the order of the lock file."""
    for clause in sorted(suite.clauses):
        yield "clause", clause
    for ruleset in suite.rulesets.values():
        yield "ruleset", ruleset.id
        for option in suite.rules.options(ruleset.id):
            yield "ruleset", f"{ruleset.id}+{option}"
    for path in sorted({cell.path for name in suite.rules.names for cell in suite.rules.cells(name)}):
        yield "rule", path
    for scenario in sorted(suite.scenarios):
        yield "scenario", scenario
    for paragraph in sorted(each.id for each in paragraphs(suite.root)):
        yield "paragraph", paragraph


def lint_ids(suite: Suite) -> Iterator[Diagnostic]:
    """Yield faults for ids that are missing from the lock, and ids in it that the suite has lost, or uses though they
    are retired."""
    shown, now = suite.shown(suite.root / LOCK), set(published(suite))
    locked = {(line.kind, line.id): line for line in _lines(suite)}
    yield from _new(shown, sorted(now - set(locked)))
    for key, line in sorted(locked.items()):
        yield from _faults(shown, line, key in now)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the lock file: its number, text and words, and the reason why the id was retired, or None."""

    number: int
    text: str
    kind: str
    id: str
    retired: str | None


def _lines(suite: Suite) -> Iterator[_Line]:
    for number, text in enumerate(suite.lock.splitlines(), start=1):
        kind, name, mark, reason = [*text.split(maxsplit=3), "", "", "", ""][:4]
        if kind:
            yield _Line(number, text, kind, name, reason if mark == "retired" else None)


def _new(shown: str, names: list[tuple[str, str]]) -> Iterator[Diagnostic]:
    if names:
        first = " ".join(names[0])
        what = f"the {first} is new" if len(names) == 1 else f"{len(names)} ids are new (the first: {first})"
        remedy = "Run 'hoyle validate --lock' and commit the file."
        yield Diagnostic(shown, 1, 1, "id-not-locked", f"{what} and not in {LOCK}", remedy)


def _faults(shown: str, line: _Line, in_use: bool) -> Iterator[Diagnostic]:
    """Yield the fault of one line, if it has one."""
    if in_use and line.retired is None:
        return
    if in_use:
        code, message, remedy = "id-reused", "is retired and used again", "Give it another id."
    elif line.retired is None:
        code, message = "id-lost", "was published, but is gone"
        remedy = "Bring it back, or write 'retired' and the reason after it."
    elif not line.retired:
        code, message, remedy = "no-reason", "is retired without a reason", "Write the reason after the word 'retired'."
    else:
        return
    yield Diagnostic(shown, line.number, 1, code, f"the {line.kind} '{line.id}' {message}", remedy, line.text)


def updated(suite: Suite, only: Iterable[tuple[str, str]] | None = None) -> str:
    """Return the text of the lock file with the new ids, or with those in `only`, each with its kind; nothing is ever
    removed."""
    old = list(_lines(suite))
    known = {(line.kind, line.id) for line in old}
    among = published(suite) if only is None else only
    new = [f"{kind} {name}" for kind, name in among if (kind, name) not in known]
    return "\n".join(sorted([*(line.text for line in old), *new])) + "\n"
