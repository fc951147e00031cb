"""Pages of sources: each ledger with the rules that rest on a clause and the positions that test it, and a page of the
points that each book leaves open."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.suite.model import Clause, Scenario, Source
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import SourceChapter, SourcePart, fill, source_chapters
from hoyle_conformance.web.site.navigation import SOURCES, NavItem, NavTab
from hoyle_conformance.web.site.page import Page, anchor
from hoyle_conformance.wording import citations
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import Markup, drawn, joined
from hoyle_conformance.wording.text import plural

#: The positions that depend on a rule of a ruleset, by their ids.
AtWork = MutableMapping[tuple[str, str], dict[str, Scenario]]
INDEX: Final = "sources/index.md"
_ABOUT: Final = (
    "The books that the rules are taken from. Every statement that governs play has an entry, in our own words, with "
    "its place in the book, the rules based on it, and the positions that test it."
)
#: The maximum number of positions to list for an open point.
_SHOWN: Final = 1
#: The words before a cell's account of an open point.
_OPENS: Final = {"rule": "The book does not say", "part": "It leaves open", "case": "It leaves open"}
_SILENCE: Final = Path(__file__).with_name("silence.yaml")


@dataclass(frozen=True, slots=True)
class Grounded:
    """The rules that rest on each clause, by its id, each with its heading, path and tables; and the positions that
    test the clause."""

    rules: Mapping[str, Mapping[tuple[str, str], Sequence[str]]]
    tests: Mapping[str, Sequence[Scenario]]


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a source, and one that lists them."""
    grounded = Grounded(_rules(suite), _tests(suite))
    yield _overview(suite, grounded)
    for source in suite.sources.values():
        yield _source(suite, source)
        yield from _chapters(suite, source, grounded)


def folders(suite: Suite) -> tuple[str, ...]:
    """Return the folders of these pages."""
    return ("sources", *(f"sources/{source}" for source in suite.sources))


def _tests(suite: Suite) -> Mapping[str, Sequence[Scenario]]:
    tests: dict[str, dict[str, Scenario]] = {}
    for check in suite.index.headings.values():
        for clause in check.clauses:
            tests.setdefault(clause, {})[check.scenario] = suite.scenarios[check.scenario]
    return {clause: list(found.values()) for clause, found in tests.items()}


def _rules(suite: Suite) -> Mapping[str, Mapping[tuple[str, str], Sequence[str]]]:
    rules: dict[str, dict[tuple[str, str], list[str]]] = {}
    for name in suite.rulesets:
        for chapter in rulebook.chapters(suite, suite.rules.cells(name)):
            for entry in chapter.entries:
                for clause in entry.cell.cites:
                    rule = (entry.heading, entry.cell.path)
                    rules.setdefault(clause, {}).setdefault(rule, []).append(name)
    return rules


# ---- pages


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """A source with the rulesets taken from it, and figures of its ledger in words."""

    source: Source
    based: tuple[tuple[str, str], ...]
    figures: tuple[str, ...]


def _overview(suite: Suite, grounded: Grounded) -> Page:
    sources = [_summary(suite, source, grounded) for source in suite.sources.values()]
    body = fill("sources", suite, INDEX, about=_ABOUT, sources=sources)
    return Page(INDEX, body=body, title="The sources", about=_ABOUT, kind="source")


def _summary(suite: Suite, source: Source, grounded: Grounded) -> SourceSummary:
    tested = sum(clause.id in grounded.tests for clause in source.clauses)
    waived = sum(bool(clause.not_testable) for clause in source.clauses)
    figures = [plural(len(source.clauses), "statement"), f"{tested} tested by positions"]
    figures += [f"{waived} that no position can test"] if waived else []
    figures += [] if source.complete else ["so far, only what other books refer to"]
    return SourceSummary(source, _based(suite, source), tuple(figures))


def _based(suite: Suite, source: Source) -> tuple[tuple[str, str], ...]:
    """Return the rulesets based on a source, each with its form of the game."""
    names = (each.id for each in suite.rulesets.values() if source.id in each.sources)
    return tuple((name, citations.form(suite, name)) for name in names)


@dataclass(frozen=True, slots=True)
class ClauseBlock:
    """A clause with its address on the page, its place, the printing that alone has it from here on, its restored text,
    the rules that rest on it, and the positions that test it."""

    clause: Clause
    anchor: str
    where: str
    read_alone: str | None
    confirmed: str
    rules: tuple[Markup, ...]
    tests: Sequence[Scenario]


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """A part of a source with its address on the page, and its clauses."""

    anchor: str
    title: str
    clauses: tuple[ClauseBlock, ...]


def _path_of(source: Source) -> str:
    return f"sources/{source.id}.html"


def _contents(source: Source) -> NavTab:
    """Return the navigation list of a source's chapters."""
    items = tuple(NavItem(chapter.title, chapter.path) for chapter in source_chapters(source))
    return NavTab(source.short, _path_of(source), items)


def _source(suite: Suite, source: Source) -> Page:
    """Return the page of a source, with links to its chapters; it redirects the former addresses of clauses."""
    provenance = [(word.replace("_", " ").capitalize(), value) for word, value in source.provenance.items()]
    by_game = [(game, list(some)) for game, some in groupby(source_chapters(source), key=lambda chapter: chapter.game)]
    body = fill(
        "source",
        suite,
        _path_of(source),
        source=source,
        provenance=provenance,
        based=_based(suite, source),
        games=by_game,
        choices=choices_path(source),
        anchor=anchor,
        short=_short_place,
    )
    about = f"{source.title}: every statement that governs play, in our own words, with its place and what tests it."
    path, contents = f"sources/{source.id}.md", _contents(source)
    return Page(path, body=body, title=source.title, about=about, kind="source", id=source.id, contents=contents)


def _chapters(suite: Suite, source: Source, grounded: Grounded) -> Iterator[Page]:
    """Yield the page of each chapter; a passage of only one printing is marked once, where it begins."""
    alone = {section for printing in source.printings for section in printing.alone}
    contents = _contents(source)
    around = [None, *contents.pages, None]
    for number, chapter in enumerate(source_chapters(source)):
        blocks = [_part(suite, source, chapter, part, grounded, alone) for part in chapter.parts]
        before, after = around[number], around[number + 2]
        values = {"source": source, "chapter": chapter, "parts": blocks, "before": before, "after": after}
        body = fill("source_chapter", suite, chapter.path, book=contents.path, **values)
        title = f"{chapter.title}, {source.short}"
        about = f"{source.title}, {chapter.title}: every statement that governs play, with what tests it."
        path = chapter.path.replace(".html", ".md")
        yield Page(
            path, body=body, title=title, about=about, kind="source", tab=SOURCES.title, id=source.id, contents=contents
        )


def _part(
    suite: Suite, source: Source, chapter: SourceChapter, part: SourcePart, grounded: Grounded, alone: set[str]
) -> SourceBlock:
    """Return a part, and remove from `alone` those of its sections that only one printing has."""
    clauses = []
    for clause in part.clauses:
        read_alone = None
        if clause.section in alone:
            alone.remove(clause.section)
            printing = source.read_alone(clause.section)
            read_alone = f"From here on, only {printing.title} was used." if printing else ""
        clauses.append(_clause(suite, source, clause, grounded, read_alone, chapter.path))
    return SourceBlock(part.anchor, part.title, tuple(clauses))


def _clause(
    suite: Suite, source: Source, clause: Clause, grounded: Grounded, read_alone: str | None, here: str
) -> ClauseBlock:
    confirmed = ""
    if clause.damage and clause.damage.confirmed:
        by = next(each for each in source.printings if each.id == clause.damage.confirmed.by)
        confirmed = f"By {by.title}: {clause.damage.confirmed.reads}"
    rules = grounded.rules.get(clause.id, {})
    links_of_rules = tuple(_rule(suite, source, heading, path, names, here) for (heading, path), names in rules.items())
    tests = grounded.tests.get(clause.id, ())
    return ClauseBlock(clause, anchor(clause.id), _short_place(clause), read_alone, confirmed, links_of_rules, tests)


def _short_place(clause: Clause) -> str:
    return clause.where.replace("paragraph", "para.")


def _rule(suite: Suite, source: Source, heading: str, path: str, names: Sequence[str], here: str) -> Markup:
    """Return links to a rule by its heading, with the forms of the game that have it, and the book if it is another
    one."""
    if len(names) > 1:
        forms = (links.rule_a(_table(suite, source, name), name, path, here) for name in names)
        return joined([drawn(heading), " (", joined(forms, ", "), ")"])
    rule = links.rule_a(heading, names[0], path, here)
    alone = sum(source.id in each.sources for each in suite.rulesets.values()) == 1
    own = citations.book(suite, names[0]) == source.short
    return rule if alone and own else joined([rule, " (", _table(suite, source, names[0]), ")"])


def _table(suite: Suite, source: Source, ruleset: str) -> str:
    """Return the name of a table on the page of a source: its form, and the book if it is another one."""
    own = citations.book(suite, ruleset) == source.short
    return citations.form(suite, ruleset) if own else links.label(suite, ruleset)


# ---- reasons in silence.yaml


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why an engine may fail with another value for a rule that its book does not state: patterns of
    rulesets, cells, and other values."""

    rulesets: Sequence[str]
    cells: Sequence[str]
    values: Sequence[str]
    because: str

    def concerns(self, ruleset: str, cell: str) -> bool:
        """Whether this reason applies to some value of a cell."""
        return _any_fits(ruleset, self.rulesets) and _any_fits(cell, self.cells)

    def fits(self, ruleset: str, cell: str, value: str) -> bool:
        """Whether this reason applies to a given other value of a cell."""
        return self.concerns(ruleset, cell) and _any_fits(value, self.values)


def _any_fits(word: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(word, each) for each in patterns)


@cache
def reasons() -> Sequence[Reason]:
    """Return the reasons for failures of engines with other values, in the order of the file; the first that fits
    applies."""
    return [Reason(**{"rulesets": ["*"], "values": ["*"], **each}) for each in read_file(_SILENCE, _SILENCE.name).data]


# ---- open points


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """A rule that its book does not state: the open point, the sentence that the ruleset follows and why, and the
    reasons against other values.

    It also has the number of checks that depend on the rule, and their first positions.
    """

    rule: Markup
    status: str
    open: str
    follows: str
    because: str
    reasons: tuple[str, ...]
    count: int
    positions: Sequence[Scenario]


@dataclass(frozen=True, slots=True)
class OpenPoints:
    """The open points of a ruleset, and the number of its checks that depend on an undisputed one."""

    form: str
    checks: int
    points: tuple[OpenPoint, ...]


def choices(suite: Suite, at_work: AtWork) -> Iterator[Page]:
    """Yield for each book the page of the points that it leaves open, and of the checks that rest on our choice."""
    for source in suite.sources.values():
        here = choices_path(source)
        tables = [_open_points(suite, name, form, at_work, here) for name, form in _based(suite, source)]
        if tables:
            title = f"What {source.short} leaves open"
            about = f"The points that {source.title} leaves open, what Hoyle follows, and the checks that rest on it."
            body = fill("source_choices", suite, here, source=source, title=title, tables=tables, book=_path_of(source))
            path = here.replace(".html", ".md")
            yield Page(
                path, body=body, title=title, about=about, kind="source", id=source.id, contents=_contents(source)
            )


def choices_path(source: Source) -> str:
    """Return the address of the page of a book's open points."""
    return f"sources/{source.id}/open.html"


def _open_points(suite: Suite, name: str, form: str, at_work: AtWork, here: str) -> OpenPoints:
    cells = suite.rules.cells(name)
    points = []
    ours: set[str] = set()
    for entry in (entry for chapter in rulebook.chapters(suite, cells) for entry in chapter.entries):
        cell = entry.cell
        why = tuple(each.because for each in reasons() if each.concerns(name, cell.path))
        if cell.status in {"disputed", "supplied"} or (cell.status == "implied" and why):
            found = at_work.get((name, cell.path), {})
            ours.update(found if cell.status != "disputed" else ())
            rule = links.rule_a(entry.heading, name, cell.path, here)
            opened = f"{_OPENS[cell.open.scope]} {cell.open.words}." if cell.open else ""
            shown = list(found.values())[:_SHOWN]
            points.append(OpenPoint(rule, cell.status, opened, entry.sentence, cell.because, why, len(found), shown))
    return OpenPoints(form, len(ours), tuple(points))
