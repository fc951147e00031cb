"""Pages of sources: each ledger, with the rules that rest on a clause, and the positions that test it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.model import Clause, Scenario, Source
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.fill import fill
from hoyle_conformance.web.site.page import Page, anchor
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import Markup, drawn, joined
from hoyle_conformance.wording.text import plural
from hoyle_reference.frozen import frozen

INDEX: Final = "sources/index.md"
_ABOUT: Final = (
    "The books that the rules are taken from. Every statement that governs play has an entry, in our own words, with "
    "its place in the book, the rules based on it, and the positions that test it."
)
#: The plurals of places that have a number.
_COUNTED: Final[Mapping[str, str]] = {"paragraph": "Paragraphs", "law": "Laws", "footnote": "Footnotes"}


@frozen
class Grounded:
    """The rules that rest on each clause, by its id: each with its heading, its path and the tables that have it; and
    the positions that test the clause."""

    rules: Mapping[str, Mapping[tuple[str, str], Sequence[str]]]
    tests: Mapping[str, Sequence[Scenario]]


@frozen
class SourcePart:
    """A part of a source: its game where the source is about several, its title, and its clauses."""

    game: str
    title: str
    clauses: tuple[Clause, ...]


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a source, and one that lists them."""
    grounded = Grounded(_rules(suite), _tests(suite))
    yield _overview(suite, grounded)
    for source in suite.sources.values():
        yield _source(suite, source, grounded)


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


def parts(source: Source) -> list[SourcePart]:
    """Return the parts of a source, in the order of its ledger: neighbouring paragraphs, laws and footnotes together,
    others under their headings."""
    found = []
    for (game, stem), some in groupby(source.clauses, key=lambda each: (source.game_of(each.section), _stem(each))):
        clauses = tuple(some)
        found.append(SourcePart(game, _title(stem, clauses), clauses))
    return found


def _heading(clause: Clause) -> str:
    return clause.where.partition(",")[0]


def _stem(clause: Clause) -> str:
    """Return the words of a place without its number."""
    stem, _, number = _heading(clause).rpartition(" ")
    return stem if number.isdecimal() and stem in _COUNTED else _heading(clause)


def _title(stem: str, clauses: Sequence[Clause]) -> str:
    first, last = (_heading(clause).rpartition(" ")[2] for clause in (clauses[0], clauses[-1]))
    if stem in _COUNTED:
        return f"{_COUNTED[stem]} {first} to {last}" if first != last else f"{stem.capitalize()} {first}"
    return f"{stem[:1].upper()}{stem[1:]}"


# ---- the pages


@frozen
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
    """Return the rulesets taken from a source, each with its form of the game."""
    names = (each.id for each in suite.rulesets.values() if source.id in each.sources)
    return tuple((name, books.form(suite, name)) for name in names)


@frozen
class ClauseBlock:
    """A clause with its address on the page, its place, the printing that alone has it and what follows, if that begins
    here, what is restored of it, the rules that rest on it, and the positions that test it."""

    clause: Clause
    anchor: str
    where: str
    read_alone: str | None
    confirmed: str
    rules: tuple[Markup, ...]
    tests: Sequence[Scenario]


@frozen
class SourceBlock:
    """A part of a source with its address on the page, and its clauses."""

    anchor: str
    title: str
    clauses: tuple[ClauseBlock, ...]


def _source(suite: Suite, source: Source, grounded: Grounded) -> Page:
    here = f"sources/{source.id}.html"
    alone = {section for printing in source.printings for section in printing.alone}
    games = []
    for game, some in groupby(parts(source), key=lambda part: part.game):
        games.append((game, [_part(suite, source, part, grounded, alone) for part in some]))
    provenance = [(word.replace("_", " ").capitalize(), value) for word, value in source.provenance.items()]
    based = _based(suite, source)
    body = fill("source", suite, here, source=source, provenance=provenance, based=based, games=games)
    about = f"{source.title}: every statement that governs play, in our own words, with its place and what tests it."
    return Page(f"sources/{source.id}.md", body=body, title=source.title, about=about, kind="source", id=source.id)


def _part(suite: Suite, source: Source, part: SourcePart, grounded: Grounded, alone: set[str]) -> SourceBlock:
    """Return a part; the sections that one printing alone has, and that are in it, are taken out of `alone`."""
    clauses = []
    for clause in part.clauses:
        read_alone = None
        if clause.section in alone:
            alone.remove(clause.section)
            printing = source.read_alone(clause.section)
            read_alone = f"From here on, only {printing.title} was used." if printing else ""
        clauses.append(_clause(suite, source, clause, grounded, read_alone))
    return SourceBlock(f"part-{anchor(part.clauses[0].id)}", part.title, tuple(clauses))


def _clause(suite: Suite, source: Source, clause: Clause, grounded: Grounded, read_alone: str | None) -> ClauseBlock:
    here, confirmed = f"sources/{source.id}.html", ""
    if clause.damage and clause.damage.confirmed:
        by = next(each for each in source.printings if each.id == clause.damage.confirmed.by)
        confirmed = f"By {by.title}: {clause.damage.confirmed.reads}"
    rules = grounded.rules.get(clause.id, {})
    links_of_rules = tuple(_rule(suite, source, heading, path, names, here) for (heading, path), names in rules.items())
    where, tests = clause.where.replace("paragraph", "para."), grounded.tests.get(clause.id, ())
    return ClauseBlock(clause, anchor(clause.id), where, read_alone, confirmed, links_of_rules, tests)


def _rule(suite: Suite, source: Source, heading: str, path: str, names: Sequence[str], here: str) -> Markup:
    """Return links to a rule by its heading, with the forms of the game that have it, and the book if it is another."""
    if len(names) > 1:
        forms = (links.rule_a(_table(suite, source, name), name, path, here) for name in names)
        return joined([drawn(heading), " (", joined(forms, ", "), ")"])
    rule = links.rule_a(heading, names[0], path, here)
    alone = sum(source.id in each.sources for each in suite.rulesets.values()) == 1
    own = books.book(suite, names[0]) == source.short
    return rule if alone and own else joined([rule, " (", _table(suite, source, names[0]), ")"])


def _table(suite: Suite, source: Source, ruleset: str) -> str:
    """Return the name of a table on the page of a source: its form, with the book where that is another."""
    own = books.book(suite, ruleset) == source.short
    return books.form(suite, ruleset) if own else books.label(suite, ruleset)
