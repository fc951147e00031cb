"""Rulings for the terminal: one thing as one ruleset has it, or side by side in all."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulings
from hoyle_conformance.wording import text as layout
from hoyle_conformance.wording.agreement import (
    Agreement,
    agreements,
    doubts,
    entry_at,
    group_entries,
    silent_rulesets,
    titles,
)

_WIDTH: Final = 80
#: So many other things that were found are named.
_OTHERS: Final = 5
#: Where irregularities stand; a command names them without it.
_IRREGULARITIES: Final = "referee.irregularities."
_wrap = partial(layout.wrap, width=_WIDTH)


def side_by_side(suite: Suite, paths: Sequence[str]) -> Iterator[str]:
    """Yield what the rulesets say of several things that belong together.

    Of each thing, grouped by what they say; and last those that are silent on all of it.
    """
    never = [name for name in suite.rulesets if all(name in silent_rulesets(suite, path) for path in paths)]
    for path in paths:
        yield from _wrap(_heading(suite, path))
        yield ""
        for group in agreements(suite, path):
            yield from _names(list(group.entries))
            yield from _group_lines(group)
            yield ""
        if names := [name for name in silent_rulesets(suite, path) if name not in never]:
            yield from _names(names)
            yield f"  {_silence_word(path)}"
            yield ""
    if never:
        yield from _names(never)
        yield f"  {_silence_word(paths[0])}"
        yield ""
    yield from _wrap(f"To read the clauses: hoyle rule {_example_words(suite, paths[0])}")


def _group_lines(group: Agreement) -> Iterator[str]:
    """Yield what rulesets that agree say, how certain it is, and the clauses."""
    yield from _ruling_lines(group)
    for status, because, readings in doubts(group):
        yield from _wrap(f"{status}: {because}", 2)
        for reading in readings:
            yield from _wrap(f"- or '{reading.name}': {reading.sentence}", 2, 2)
    yield from _wrap(f"[{', '.join(group.cites)}]", 2, 1) if group.cites else ()


def _example_words(suite: Suite, path: str) -> str:
    first = next(name for group in agreements(suite, path) for name in group.entries)
    return f"{first} {path.removeprefix(_IRREGULARITIES)}"


def ruleset_rulings(suite: Suite, ruleset: str, paths: Sequence[str]) -> Iterator[str]:
    """Yield what one ruleset says of several things.

    Of each the ruling, how certain it is, and the clauses in words.
    """
    for number, path in enumerate(paths):
        if number:
            yield ""
        yield from _ruleset_ruling(suite, ruleset, path)


def _ruleset_ruling(suite: Suite, ruleset: str, path: str) -> Iterator[str]:
    entry = entry_at(suite, ruleset, path)
    if entry is None:
        yield from _silence_lines(suite, ruleset, path)
        return
    yield from _heading_lines(suite, ruleset, path)
    yield from _ruling_lines(group_entries({ruleset: entry})[0], indent=0)
    if entry.cell.status != "stated":
        yield ""
        yield from _wrap(f"{entry.cell.status}: {entry.cell.because}")
    for reading in entry.readings:
        mark = "follows" if reading.name == entry.cell.follows else "or"
        yield from _wrap(f"- {mark} '{reading.name}': {reading.sentence} {reading.argument}", 0, 2)
    if entry.cell.cites:
        yield ""
        yield "Based on:"
    for clause in entry.cell.cites:
        yield from _wrap(f"{clause} ({suite.clauses[clause].where})", 2, 2)
        yield from _wrap(suite.clauses[clause].says, 6)


def list_rulings(suite: Suite, ruleset: str, commands: Mapping[str, str]) -> Iterator[str]:
    """Yield the irregularities that a game of a ruleset can meet, each with the command that prints the ruling."""
    yield f"{suite.rules.title(ruleset)} ({ruleset})"
    players = suite.rules.cells(ruleset)["players.number"].value
    for path, command in commands.items():
        entry = entry_at(suite, ruleset, path)
        assert entry, path
        if not rulings.can_occur(entry.cell.value, players):
            continue
        yield ""
        yield from _wrap(f"{entry.heading}.", 2)
        yield f"      {command}"


def other_results(titles: Mapping[str, str]) -> Iterator[str]:
    """Yield what else was found, by the command that prints it; the first few."""
    if titles:
        yield ""
        yield "Also found:"
    for command, title in list(titles.items())[:_OTHERS]:
        yield f"  {command}"
        yield from _wrap(title, 6)


def title(suite: Suite, path: str, ruleset: str = "") -> str:
    """Return the title of a thing in a ruleset, or in the first that has it."""
    having = [name for name in ([ruleset] if ruleset else suite.rules.names) if path in suite.rules.cells(name)]
    entry = entry_at(suite, having[0], path)
    assert entry, path
    group = "" if rulings.is_irregularity(entry.cell.value) or entry.group == entry.heading else entry.group
    return f"{group}: {entry.heading}" if group else entry.heading


def _heading(suite: Suite, path: str) -> str:
    """Return the heading for all rulesets, the word for an irregularity or the heading of a rule, with the cell."""
    irregular = path.startswith(_IRREGULARITIES)
    said = path.removeprefix(_IRREGULARITIES).replace("-", " ") if irregular else title(suite, path)
    return f"{said.upper()} ({path})"


def _heading_lines(suite: Suite, ruleset: str, path: str) -> Iterator[str]:
    yield from _wrap(_heading(suite, path))
    yield from _wrap(f"{suite.rules.title(ruleset)} ({ruleset})")
    yield ""


def _names(names: Sequence[str]) -> list[str]:
    return _wrap(", ".join(names))


def _ruling_lines(group: Agreement, indent: int = 2) -> Iterator[str]:
    """Yield what a group of rulesets says: of an irregularity the title and the ruling."""
    row = group.entry.cell.value
    if not rulings.is_irregularity(row):
        yield from _wrap(group.entry.sentence, indent)
        return
    for title in titles(group):
        yield from _wrap(title, indent)
    yield from _wrap(row["ruling"], indent)


def _silence_word(path: str) -> str:
    """Return that rulesets have no such cell: a source can be silent on an irregularity."""
    return "No ruling." if path.startswith(_IRREGULARITIES) else "No such rule."


def _silence_lines(suite: Suite, ruleset: str, path: str) -> Iterator[str]:
    """Yield that a ruleset is silent on something, and which rulesets are not."""
    groups = agreements(suite, path)
    speak = [name for group in groups for name in group.entries]
    yield from _heading_lines(suite, ruleset, path)
    yield from _wrap(" ".join(dict.fromkeys(title for group in groups for title in titles(group))))
    yield _silence_word(path)
    yield from _wrap(f"Rulesets that have it: {', '.join(speak)}.")
