"""Unfinished files: ledger entries that are not written yet, and scenarios with proposed outcomes."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.suite.model import Outcome, Scenario, Source

#: What stands where something is to be written.
UNWRITTEN: Final = "TODO"
#: How the last part of an id begins that names no statement yet; a number follows.
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
    """Yield what a ledger lacks: each unwritten place of its head, and the first unwritten entry with their number."""
    for path, text in _head(source):
        if _IS_UNWRITTEN.match(text):
            yield source.document.diagnose(path, "not-written", f"{_name(path)} is not written yet", "Write it.")
    unwritten = [at for at, clause in enumerate(source.clauses) if _IS_UNWRITTEN.match(clause.says)]
    stubs = [at for at, clause in enumerate(source.clauses) if _IS_STUB.fullmatch(clause.id)]
    yield from _left(source, unwritten)
    yield from _nameless(source, sorted(set(stubs) - set(unwritten)))


def _head(source: Source) -> Iterator[tuple[list[str | int], str]]:
    yield ["title"], source.title
    yield ["about"], source.about
    for word, value in source.provenance.items():
        if _IS_UNWRITTEN.match(value):  # one is enough: they stand together
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
    """Return the number of unwritten entries in each part of the ledger, as a sentence."""
    parts = list(Counter(source.clauses[at].section for at in unwritten).items())
    named = [f"{part} {count:,}" for part, count in parts[:_PARTS_NAMED]]
    more = sum(count for _, count in parts[_PARTS_NAMED:])
    return f"Left: {', '.join([*named, *([f'and {more:,} more'] if more else [])])}."


def _nameless(source: Source, stubs: list[int]) -> Iterator[Diagnostic]:
    if not stubs:
        return
    many = f"; {len(stubs):,} have such an id" if stubs[1:] else ""
    message = f"the clause is written, but its id is still a placeholder{many}"
    remedy = (
        f"Replace '{source.clauses[stubs[0]].id.rpartition('/')[2]}' with a name for the statement: an id is permanent."
    )
    yield source.document.diagnose(["clauses", stubs[0], "id"], "not-named", message, remedy)


def as_if_confirmed(scenario: Scenario) -> Scenario:
    """Return a scenario with its proposals as outcomes, without those that hold only under other readings of some
    cells."""
    plain = (each for each in scenario.proposals if not each.cells)
    outcomes = tuple(Outcome(each.rulesets, each.cites, each.expect, each.why) for each in plain)
    return replace(scenario, outcomes=outcomes, proposals=())


def unconfirmed(scenario: Scenario) -> Diagnostic:
    """Return the fault of a scenario that only has proposals: it has no place in the suite yet."""
    message = "nobody has confirmed the outcomes that this scenario proposes: it is not part of the suite yet"
    return scenario.document.diagnose(["proposals"], "unconfirmed", message, CONFIRM, key=True)
