"""Lint of ids: file names that match them, and the lock file of every id ever published; unfinished files; and
citations.

``spec/ids.lock`` has one id on each line, after its kind. A retired id stays there, followed by the word ``retired``
and the reason, so that it is never used for anything else.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final, NamedTuple

from hoyle_conformance.files.diagnostics import Diagnostic, Suggestion
from hoyle_conformance.files.document import Document
from hoyle_conformance.suite.model import Clause, Outcome, Ruleset, Scenario, Source
from hoyle_conformance.suite.paths import LOCK
from hoyle_conformance.suite.semantics import paragraphs
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cells, Malformed

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
    """Yield a fault for each cited clause that is in no ledger."""
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
    """Yield faults for ids that are missing from the lock, and for locked ids that the suite has lost or, if retired,
    still uses."""
    shown, now = suite.shown(suite.root / LOCK), set(published(suite))
    locked = {(line.kind, line.id): line for line in _lines(suite)}
    if new := [" ".join(each) for each in sorted(now - set(locked))]:
        what = f"the {new[0]} is new" if len(new) == 1 else f"{len(new)} ids are new (the first: {new[0]})"
        remedy = "Run 'hoyle validate --lock' and commit the file."
        yield Diagnostic(shown, 1, 1, "id-not-locked", f"{what} and not in {LOCK}", remedy)
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


# ---- unfinished files


#: Match a placeholder for text to be written.
UNWRITTEN: Final = "TODO"
#: Match the last part of an id that does not name a statement yet; it ends in a number.
STUB: Final = "todo-"
_IS_UNWRITTEN: Final = re.compile(rf"{UNWRITTEN}\b")
_IS_STUB: Final = re.compile(rf".*/{STUB}\d+")
_PARTS_NAMED: Final = 8
#: The remedy for proposed outcomes.
CONFIRM: Final = (
    "Derive each outcome from its source, by reading; then move it from 'proposals' to 'outcomes', with the clauses "
    "that decide it."
)


def lint_unwritten(source: Source) -> Iterator[Diagnostic]:
    """Yield the unwritten parts of a ledger: each unwritten place of its head, and the first unwritten entry with the
    number of such entries."""
    for path, text in _head(source):
        if _IS_UNWRITTEN.match(text):
            yield source.document.diagnose(path, "not-written", f"{_name(path)} is not written yet", "Write it.")
    unwritten = [at for at, clause in enumerate(source.clauses) if _IS_UNWRITTEN.match(clause.says)]
    yield from _left(source, unwritten)
    every = {at for at, clause in enumerate(source.clauses) if _IS_STUB.fullmatch(clause.id)}
    if stubs := sorted(every.difference(unwritten)):
        many = f"; {len(stubs):,} have such an id" if stubs[1:] else ""
        message = f"the clause is written, but its id is still a placeholder{many}"
        name = source.clauses[stubs[0]].id.rpartition("/")[2]
        remedy = f"Replace '{name}' with a name for the statement: an id is permanent."
        yield source.document.diagnose(["clauses", stubs[0], "id"], "not-named", message, remedy)


def _head(source: Source) -> Iterator[tuple[list[str | int], str]]:
    yield ["title"], source.title
    yield ["about"], source.about
    for word, value in source.provenance.items():
        if _IS_UNWRITTEN.match(value):  # one is enough, since they are next to each other
            yield ["provenance", word], value
            break
    for at, part in enumerate(source.covers):
        yield ["covers", at], part
    for at, printing in enumerate(source.printings):
        yield ["printings", at, "title"], printing.title
        yield ["printings", at, "about"], printing.about


def _name(path: Sequence[str | int]) -> str:
    match path:
        case ["covers", int(at)]:
            return f"part {at + 1} of what it covers"
        case ["provenance", word]:
            return f"the '{word}' of its provenance"
        case ["printings", int(at), word]:
            return f"the '{word}' of printing {at + 1}"
    return f"the '{path[0]}' of the source"


def _left(source: Source, unwritten: list[int]) -> Iterator[Diagnostic]:
    if not unwritten:
        return
    of = f"{len(unwritten):,} of {len(source.clauses):,} clauses are" if unwritten[1:] else "a clause is"
    first = source.clauses[unwritten[0]]
    message = f"{of} not written yet; this is {f'the first, {first.where}' if unwritten[1:] else first.where}"
    remedy = f"Write the statement of the paragraph in your own words, or remove the entry. {_parts(source, unwritten)}"
    yield source.document.diagnose(["clauses", unwritten[0], "says"], "not-written", message, remedy)


def _parts(source: Source, unwritten: list[int]) -> str:
    """Return a sentence with the number of unwritten entries in each part of the ledger."""
    parts = list(Counter(source.clauses[at].section for at in unwritten).items())
    named = [f"{part} {count:,}" for part, count in parts[:_PARTS_NAMED]]
    more = sum(count for _, count in parts[_PARTS_NAMED:])
    return f"Left: {', '.join([*named, *([f'and {more:,} more'] if more else [])])}."


def as_if_confirmed(scenario: Scenario) -> Scenario:
    """Return a scenario with its proposals as outcomes, except those that hold only under other readings of some
    cells."""
    plain = (each for each in scenario.proposals if not each.cells)
    outcomes = tuple(Outcome(each.rulesets, each.cites, each.expect, each.why) for each in plain)
    return replace(scenario, outcomes=outcomes, proposals=())


def unconfirmed(scenario: Scenario) -> Diagnostic:
    """Return the fault of a scenario that only has proposals, and so is not part of the suite yet."""
    message = "nobody has confirmed the outcomes that this scenario proposes: it is not part of the suite yet"
    return scenario.document.diagnose(["proposals"], "unconfirmed", message, CONFIRM, key=True)


# ---- citations
#
# The clauses of a cell must belong to its own game, and must leave nothing open that the cell depends on. They must
# state the rule unless the cell says that the source does not. Every clause that leaves something open must name a cell
# for it, and every clause of a complete ledger must be cited.


#: Match the statement in a ledger that something is left open.
OPEN: Final = re.compile(
    r"\b(?:not(?: \w+)? (?:said|stated|told|named|spoken of)|nothing(?: \w+)? is (?:said|provided)"
    r"|said nowhere|says nothing|by the letter|literally|silent|not clear|only implies"
    r"|do(?:es)? not(?: make it)? (?:say|state|tell|name|give|mention|distinguish|depend|settle|decide)"
    r"|(?:leaves?|left)(?: it| this| \w+ing)? open|is open)\b",
    re.IGNORECASE,
)
#: Match the statement in a ledger that a text has a second meaning.
MEANING: Final = re.compile(r"\b(?:can|could|may|might)(?: also)? mean\b", re.IGNORECASE)
_SENTENCES: Final = re.compile(r"(?<=[.;:])\s+")
#: Match the statement in a ledger that a point left open does not concern the rules based on it.
ELSEWHERE: Final = re.compile(r"\bseparate rules?\b|\brules? of (?:its|their) own\b", re.IGNORECASE)
#: The statuses of a cell that admit what the source leaves open.
OWNED: Final = frozenset({"disputed", "supplied"})


def lint_grounds(
    suite: Suite, ruleset: Ruleset, path: Sequence[str | int], cell: Mapping[str, Any]
) -> Iterator[Diagnostic]:
    """Yield a fault for each clause that a cell of a table cites although it cannot support the cell."""
    document, own = ruleset.document, _sources(suite, ruleset)
    for at, name in enumerate(cell["cites"]):
        clause, place = suite.clauses.get(name), [*path, "cites", at]
        if clause is None:
            continue
        source, _, rest = name.partition("/")
        if source not in own or not suite.sources[source].is_about(ruleset.game, rest.partition("/")[0]):
            yield document.diagnose(
                place,
                "clause-of-another-game",
                f"'{name}' is a clause of another game, not of {ruleset.game}",
                "Cite a clause of this game; if none decides, supply the rule with its own reason.",
            )
        elif cell.get("status") not in OWNED and (words := left_open(clause)):
            yield document.diagnose(
                place,
                "left-open",
                f"'{name}' leaves something open (\"{words}\"), but this cell is neither disputed nor supplied",
                "Give the cell its readings, or supply it; or write in the ledger, under 'decided', why it is certain.",
            )
    yield from _lint_scope(suite, ruleset, path, cell)


def _lint_scope(
    suite: Suite, ruleset: Ruleset, path: Sequence[str | int], cell: Mapping[str, Any]
) -> Iterator[Diagnostic]:
    """Yield a fault for each clause of its own source that a cell cites although the source does not state the rule,
    unless the clause leaves that rule open; and for a cell that cites none although the source states a part."""
    own = {at: name for at, name in enumerate(cell["cites"]) if name.partition("/")[0] in ruleset.sources}
    opened, path_of_cell = cell.get("open", {}), _cell_name(path, cell)
    if "rule" in opened:
        for at, name in own.items():
            if name in suite.clauses and path_of_cell not in suite.clauses[name].open:
                yield ruleset.document.diagnose(
                    [*path, "cites", at],
                    "not-left-open",
                    f"'{name}' does not leave {path_of_cell} open, but this cell says that no clause states it",
                    "If the clause states a part of the rule, write 'part' or 'case'; if it states nothing of it, name "
                    "the cell under 'open' in the ledger.",
                )
    elif opened and not own and suite.sources.keys() >= set(ruleset.sources):
        yield ruleset.document.diagnose(
            [*path, "open"],
            "nothing-stated",
            "no clause of this source is cited for the rule, of which only a part is open",
            "Cite the clause that states it; if there is none, write 'rule'.",
        )


def _cell_name(path: Sequence[str | int], cell: Mapping[str, Any]) -> str:
    """Return the name of the cell at a place of a rule table, including its changes and options."""
    below = path[path.index("cells") + 1 :] if "cells" in path else path
    return ".".join(cell["id"] if isinstance(key, int) else key for key in below)


def left_open(clause: Clause) -> str:
    """Return the words with which a clause leaves something open; empty if the ledger gives the reason why it is
    decided."""
    found = OPEN.search(clause.says)
    return found.group() if found and not clause.decided else ""


def lint_open(suite: Suite, source: Source) -> Iterator[Diagnostic]:
    """Yield the faults of a source's clauses that leave something open.

    Such a clause has a fault if it names no cell for the open point, or one that is certain in a ruleset based on the
    clause; or if its cells have fewer readings than it has doubts. Sources without tables have no such faults, nor have
    clauses that no scenario can test.
    """
    tables = _tables(suite, source)
    for at, clause in enumerate(source.clauses if tables else ()):
        about = [table for table in tables if source.is_about(table.game, clause.section)]
        for number, path in enumerate(clause.open):
            if message := _certain(clause, path, about):
                owned = frozenset(cell.path for table in about for cell in table.cells if cell.status in OWNED)
                advice = "Give that cell readings, or supply it; or write under its 'because' why it is certain."
                yield source.document.diagnose(
                    ["clauses", at, "open", number],
                    "open-nowhere",
                    message,
                    advice if path in owned else Suggestion(path, owned),
                )
        words = left_open(clause) or "".join(ELSEWHERE.findall(clause.decided))
        if not words or clause.not_testable:
            continue
        if not clause.open:
            yield source.document.diagnose(
                ["clauses", at, "decided" if clause.decided else "says"],
                "open-nowhere",
                f"'{clause.id}' leaves something open (\"{words}\"), but names no cell for it",
                "Name the cell with the readings under 'open'; or write under 'decided' why it is certain.",
            )
        elif not clause.decided and (doubts := _doubts(clause)) > (ways := _ways(clause, about)):
            yield source.document.diagnose(
                ["clauses", at, "says"],
                "too-few-readings",
                f"'{clause.id}' leaves {doubts} things open, but its cells have readings for {ways:g}",
                "Give the cells a reading for each; or write under 'decided' why it is certain.",
            )


class _Table(NamedTuple):
    """A ruleset based on a source: its name and game, its cells, and the clauses that they cite."""

    name: str
    game: str
    cells: Cells
    cited: frozenset[str]


def _tables(suite: Suite, source: Source) -> list[_Table]:
    """Return the rulesets based on a source, with their options. An invalid table is left out, because it has a fault
    of its own."""
    found = []
    for name in suite.rules.names:
        ruleset = suite.rulesets[name.partition("+")[0]]
        if source.id in ruleset.sources:
            with suppress(Malformed):
                found.append(_Table(name, ruleset.game, suite.rules.cells(name), suite.rules.cited_by(name)))
    return found


def _certain(clause: Clause, path: str, about: Sequence[_Table]) -> str:
    """Return a message if a cell for a point that a clause leaves open is certain: in all tables, or in one that is
    based on the clause and does not explain it."""
    having = [(table, table.cells[path]) for table in about if path in table.cells]
    if all(cell.status not in OWNED for _, cell in having):
        return f"'{path}' is neither disputed nor supplied in any table of {clause.id.partition('/')[0]}"
    for table, cell in having:
        if clause.id in table.cited and cell.status not in OWNED and not cell.because:
            return f"'{path}' is neither disputed nor supplied in {table.name}, which rests on '{clause.id}'"
    return ""


def _doubts(clause: Clause) -> int:
    """Return the number of sentences of a clause that leave something open."""
    return sum(bool(OPEN.search(sentence) or MEANING.search(sentence)) for sentence in _SENTENCES.split(clause.says))


def _ways(clause: Clause, about: Sequence[_Table]) -> float:
    """Return the number of doubts that the cells of a clause can cover: one for each reading except the first, and any
    number for the reason of a supplied cell."""
    found = {path: [table.cells[path] for table in about if path in table.cells] for path in clause.open}
    return sum(
        max((inf if cell.status == "supplied" else len(cell.readings) - 1 for cell in cells), default=0)
        for cells in found.values()
    )


def lint_uncited(suite: Suite, source: Source) -> Iterator[Diagnostic]:
    """Yield a fault for each clause of a complete ledger that a scenario can test, but that no cell or check cites.

    Sources without tables have no such faults.
    """
    if not source.complete or all(source.id not in ruleset.sources for ruleset in suite.rulesets.values()):
        return
    cited = {clause for heading in suite.index.headings.values() for clause in heading.clauses}
    for name in suite.rules.names:
        with suppress(Malformed):  # a table that is not valid cites nothing
            cited |= suite.rules.cited_by(name)
    for at, clause in enumerate(source.clauses):
        if clause.id not in cited and not clause.not_testable:
            yield source.document.diagnose(
                ["clauses", at, "id"],
                "cited-nowhere",
                f"no cell and no scenario cites '{clause.id}', but the ledger is complete",
                "Cite it; or give the reason under 'not_testable'; or write 'complete: false'.",
            )


def _sources(suite: Suite, ruleset: Ruleset) -> frozenset[str]:
    """Return the sources of a ruleset and of all rulesets of its game."""
    alike = (each for each in suite.rulesets.values() if each.game == ruleset.game)
    return frozenset(ruleset.sources).union(*(each.sources for each in alike))
