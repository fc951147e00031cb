"""A ruleset as a page of text for the terminal."""

from collections.abc import Collection, Iterator

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.text import wrap


def rule_page(
    suite: Suite, name: str, *, cells: bool = False, cites: bool = True, only: Collection[str] = ()
) -> Iterator[str]:
    """A ruleset as a rule book: chapters (some `only`, by their names), rules in words, and where each comes from, if
    `cites` are wanted; with the name of each rule's cell, if `cells` are wanted."""
    base, *options = name.split("+")
    ruleset = suite.rulesets[base]
    yield f"{ruleset.title} ({name})"
    yield from wrap(ruleset.summary)
    for option in options:
        yield f"With the option: {suite.options(ruleset.id)[option]}."
    for chapter in rulebook.chapters(suite, suite.cells(name)):
        if only and chapter.name not in only:
            continue
        yield ""
        yield chapter.title.upper()
        group = ""
        for entry in chapter.entries:
            if entry.group != group:
                group = entry.group
                yield f"\n  {group}"
            yield from _entry(entry, cells=cells, cites=cites)
    if suite.options(ruleset.id) and not (options or only):
        yield ""
        yield "OPTIONS"
        for option, title in suite.options(ruleset.id).items():
            yield f"  {ruleset.id}+{option}: {title}"


def _entry(entry: rulebook.Entry, *, cells: bool, cites: bool) -> Iterator[str]:
    cell = entry.cell
    yield from wrap(f"{entry.heading}. {entry.sentence}", 2)
    if cells:
        yield f"      {cell.path}"
    status = "" if cell.status == "stated" else f"{cell.status}: {cell.because} "
    if grounds := f"{status}{', '.join(cell.cites) if cites else ''}".rstrip():
        yield from wrap(f"[{grounds}]", 6)
    for reading in entry.readings:
        mark = "follows" if reading.name == cell.follows else "or"
        yield from wrap(f"- {mark} '{reading.name}': {reading.sentence} {reading.argument}", 6, 2)
