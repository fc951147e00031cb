"""Pages of sources: each ledger with the rules that rest on a clause and the positions that test it, and a page of the
points that each book leaves open."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.suite.model import Clause, Scenario, Source
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import source_chapters
from hoyle_conformance.web.site.navigation import SOURCES, NavItem, NavTab
from hoyle_conformance.web.site.page import Page, anchor
from hoyle_conformance.wording import citations
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import Markup, drawn, joined
from hoyle_conformance.wording.text import plural

#: The positions that depend on a rule of a ruleset, by their ids.
AtWork = MutableMapping[tuple[str, str], dict[str, Scenario]]
#: The rules that rest on each clause, each with its heading, path and tables; and the positions that test it.
Rules = Mapping[str, Mapping[tuple[str, str], Sequence[str]]]
Tests = Mapping[str, Sequence[Scenario]]
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


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a source, and one that lists them."""
    rules, tests = _rules(suite), _tests(suite)
    values: dict[str, Any] = {"based": partial(_based, suite), "sources": suite.sources.values(), "kind": "source"}
    figures = partial(_figures, tests)
    yield links.page("sources", suite, INDEX, title="The sources", about=_ABOUT, figures=figures, **values)
    for source in suite.sources.values():
        chapters = source_chapters(source)
        yield links.page(
            "source",
            suite,
            _path_of(source),
            title=source.title,
            about=f"{source.title}: every statement that governs play, in our own words, with its place and what tests "
            "it.",
            id=source.id,
            contents=_contents(source),
            source=source,
            provenance=[(word.replace("_", " ").capitalize(), value) for word, value in source.provenance.items()],
            games=[(game, list(some)) for game, some in groupby(chapters, key=lambda chapter: chapter.game)],
            choices=choices_path(source),
            anchor=anchor,
            short=_short_place,
            **values,
        )
        yield from _chapters(suite, source, rules, tests)


def folders(suite: Suite) -> tuple[str, ...]:
    """Return the folders of these pages."""
    return ("sources", *(f"sources/{source}" for source in suite.sources))


def _tests(suite: Suite) -> Tests:
    tests: dict[str, dict[str, Scenario]] = {}
    for check in suite.index.headings.values():
        for clause in check.clauses:
            tests.setdefault(clause, {})[check.scenario] = suite.scenarios[check.scenario]
    return {clause: list(found.values()) for clause, found in tests.items()}


def _rules(suite: Suite) -> Rules:
    rules: dict[str, dict[tuple[str, str], list[str]]] = {}
    for name in suite.rulesets:
        for chapter in rulebook.chapters(suite, suite.rules.cells(name)):
            for entry in chapter.entries:
                for clause in entry.cell.cites:
                    rules.setdefault(clause, {}).setdefault((entry.heading, entry.cell.path), []).append(name)
    return rules


def _figures(tests: Tests, source: Source) -> list[str]:
    """Return figures of a source's ledger in words."""
    waived = sum(bool(clause.not_testable) for clause in source.clauses)
    figures = [plural(len(source.clauses), "statement")]
    figures += [f"{sum(clause.id in tests for clause in source.clauses)} tested by positions"]
    figures += [f"{waived} that no position can test"] if waived else []
    return figures if source.complete else [*figures, "so far, only what other books refer to"]


def _based(suite: Suite, source: Source) -> list[tuple[str, str]]:
    """Return the rulesets based on a source, each with its form of the game."""
    names = (each.id for each in suite.rulesets.values() if source.id in each.sources)
    return [(name, citations.form(suite, name)) for name in names]


def _path_of(source: Source) -> str:
    return f"sources/{source.id}.html"


def _contents(source: Source) -> NavTab:
    """Return the navigation list of a source's chapters."""
    items = tuple(NavItem(chapter.title, chapter.path) for chapter in source_chapters(source))
    return NavTab(source.short, _path_of(source), items)


def _short_place(clause: Clause) -> str:
    return clause.where.replace("paragraph", "para.")


# ---- chapters


def _chapters(suite: Suite, source: Source, rules: Rules, tests: Tests) -> Iterator[Page]:
    """Yield the page of each chapter; a passage of only one printing is marked once, where it begins."""
    first = {clause.section: clause.id for clause in reversed(source.clauses)}
    alone = {first[some]: each.title for each in source.printings for some in each.alone if some in first}
    contents = _contents(source)
    around = [None, *contents.pages, None]
    for number, chapter in enumerate(source_chapters(source)):
        yield links.page(
            "source_chapter",
            suite,
            chapter.path,
            title=f"{chapter.title}, {source.short}",
            about=f"{source.title}, {chapter.title}: every statement that governs play, with what tests it.",
            kind="source",
            tab=SOURCES.title,
            id=source.id,
            contents=contents,
            book=contents.path,
            source=source,
            chapter=chapter,
            before=around[number],
            after=around[number + 2],
            alone=alone,
            tests=tests,
            rules={
                each.id: [_rule(suite, source, *rule, names, chapter.path) for rule, names in rules[each.id].items()]
                for part in chapter.parts
                for each in part.clauses
                if each.id in rules
            },
            anchor=anchor,
            short=_short_place,
        )


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


def choices(suite: Suite, at_work: AtWork) -> Iterator[Page]:
    """Yield for each book the page of the points that it leaves open, and of the checks that rest on our choice."""
    for source in suite.sources.values():
        tables = [(form, list(_open_points(suite, name, at_work))) for name, form in _based(suite, source)]
        if tables:
            yield links.page(
                "source_choices",
                suite,
                choices_path(source),
                title=f"What {source.short} leaves open",
                about=f"The points that {source.title} leaves open, what Hoyle follows, and the checks that rest on "
                "it.",
                kind="source",
                id=source.id,
                contents=_contents(source),
                source=source,
                tables=[(form, points, _ours(points)) for form, points in tables],
                book=_path_of(source),
                opens=_OPENS,
                shown=_SHOWN,
            )


def choices_path(source: Source) -> str:
    """Return the address of the page of a book's open points."""
    return f"sources/{source.id}/open.html"


class OpenPoint(NamedTuple):
    """A rule that its book does not state, in a ruleset, with the reasons against other values, and the positions of
    the checks that depend on it."""

    ruleset: str
    entry: rulebook.Entry
    reasons: Sequence[str]
    positions: Sequence[Scenario]


def _open_points(suite: Suite, name: str, at_work: AtWork) -> Iterator[OpenPoint]:
    for entry in (each for chapter in rulebook.chapters(suite, suite.rules.cells(name)) for each in chapter.entries):
        cell = entry.cell
        why = [each.because for each in reasons() if each.concerns(name, cell.path)]
        if cell.status in {"disputed", "supplied"} or (cell.status == "implied" and why):
            yield OpenPoint(name, entry, why, list(at_work.get((name, cell.path), {}).values()))


def _ours(points: Sequence[OpenPoint]) -> int:
    """Return the number of checks that depend on undisputed points."""
    return len({each.id for point in points if point.entry.cell.status != "disputed" for each in point.positions})
