"""Lint for citations: the clauses of a cell are of its own game, and leave nothing open that the cell rests on; they
state the rule unless the cell says that the source does not; every clause that leaves something open names a cell for
it; and every clause of a complete ledger is cited."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any, Final, NamedTuple

from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.files.suggest import Suggestion
from hoyle_conformance.suite.model import Clause, Ruleset, Source
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cells, Malformed

#: How a ledger writes that a statement leaves something open.
OPEN: Final = re.compile(
    r"\b(?:not(?: \w+)? (?:said|stated|told|named|spoken of)|nothing(?: \w+)? is (?:said|provided)"
    r"|said nowhere|says nothing|by the letter|literally|silent|not clear|only implies"
    r"|do(?:es)? not(?: make it)? (?:say|state|tell|name|give|mention|distinguish|depend|settle|decide)"
    r"|(?:leaves?|left)(?: it| this| \w+ing)? open|is open)\b",
    re.IGNORECASE,
)
#: How a ledger writes that a statement has a second meaning.
MEANING: Final = re.compile(r"\b(?:can|could|may|might)(?: also)? mean\b", re.IGNORECASE)
_SENTENCES: Final = re.compile(r"(?<=[.;:])\s+")
#: How a ledger writes that what a statement leaves open is not for the rules that rest on it.
ELSEWHERE: Final = re.compile(r"\bseparate rules?\b|\brules? of (?:its|their) own\b", re.IGNORECASE)
#: The states of a cell that own to what the source leaves open.
OWNED: Final = frozenset({"disputed", "supplied"})


def lint_grounds(
    suite: Suite, ruleset: Ruleset, path: Sequence[str | int], cell: Mapping[str, Any]
) -> Iterator[Diagnostic]:
    """Yield a fault for each clause that a cell of a table cites and that cannot carry it."""
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
    """Yield a fault for each clause of its own source that a cell cites although the source says nothing of the rule,
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
    """Return the name of the cell at a place of a rule table, also under its changes or an option."""
    below = path[path.index("cells") + 1 :] if "cells" in path else path
    return ".".join(cell["id"] if isinstance(key, int) else key for key in below)


def left_open(clause: Clause) -> str:
    """Return the words by which a clause leaves something open; empty where the ledger says why that is decided."""
    found = OPEN.search(clause.says)
    return found.group() if found and not clause.decided else ""


def lint_open(suite: Suite, source: Source) -> Iterator[Diagnostic]:
    """Yield faults of a source's clauses that leave something open.

    Such a clause names no cell that holds it, or one that is certain in a ruleset that rests on the clause; or its
    cells have fewer readings than it has doubts. Sources on which no table rests have no such faults, nor have clauses
    that no scenario can test.
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
    """A ruleset that rests on a source: its name and game, its cells, and the clauses that they cite."""

    name: str
    game: str
    cells: Cells
    cited: frozenset[str]


def _tables(suite: Suite, source: Source) -> list[_Table]:
    """Return the rulesets that rest on a source, with their options. A table that makes no sense is left out: that is a
    fault of its own."""
    found = []
    for name in suite.rules.names:
        ruleset = suite.rulesets[name.partition("+")[0]]
        if source.id in ruleset.sources:
            with suppress(Malformed):
                found.append(_Table(name, ruleset.game, suite.rules.cells(name), suite.rules.cited_by(name)))
    return found


def _certain(clause: Clause, path: str, about: Sequence[_Table]) -> str:
    """Return a message if a cell for what a clause leaves open is certain: in all tables, or in one that rests on the
    clause and does not explain it."""
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
    """Return the number of doubts that the cells of a clause can hold: each reading but the first holds one, and the
    reason of a cell that is supplied any number."""
    found = {path: [table.cells[path] for table in about if path in table.cells] for path in clause.open}
    return sum(
        max((inf if cell.status == "supplied" else len(cell.readings) - 1 for cell in cells), default=0)
        for cells in found.values()
    )


def lint_uncited(suite: Suite, source: Source) -> Iterator[Diagnostic]:
    """Yield a fault for each clause of a complete ledger that a scenario can test, and that no cell or check cites.

    Sources on which no table rests have no such faults.
    """
    if not source.complete or all(source.id not in ruleset.sources for ruleset in suite.rulesets.values()):
        return
    cited = _cited(suite)
    for at, clause in enumerate(source.clauses):
        if clause.id not in cited and not clause.not_testable:
            yield source.document.diagnose(
                ["clauses", at, "id"],
                "cited-nowhere",
                f"no cell and no scenario cites '{clause.id}', but the ledger is complete",
                "Cite it; or give the reason under 'not_testable'; or write 'complete: false'.",
            )


def _cited(suite: Suite) -> frozenset[str]:
    """Return the clauses that a cell of a table that makes sense, or a check, cites."""
    cited = {clause for heading in suite.index.headings.values() for clause in heading.clauses}
    for name in suite.rules.names:
        with suppress(Malformed):
            cited |= suite.rules.cited_by(name)
    return frozenset(cited)


def _sources(suite: Suite, ruleset: Ruleset) -> frozenset[str]:
    """Return the sources of a ruleset and of all rulesets of its game."""
    alike = (each for each in suite.rulesets.values() if each.game == ruleset.game)
    return frozenset(ruleset.sources).union(*(each.sources for each in alike))
