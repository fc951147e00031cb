"""The pages of the sources: each ledger, with the rules that rest on a clause, and the positions that test it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.model import Clause, Damage, Scenario, Source
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.page import Page, anchor
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import NOTHING, Markup, drawn, joined, tag
from hoyle_conformance.wording.text import plural
from hoyle_reference.frozen import frozen

INDEX: Final = "sources/index.md"
_ABOUT: Final = (
    "The books that the rules are taken from. Every statement that governs play has an entry, in our own words, with "
    "its place in the book, the rules made from it, and the positions that test it."
)
#: How the places are counted that have a number, several of them.
_COUNTED: Final[Mapping[str, str]] = {"paragraph": "Paragraphs", "law": "Laws", "footnote": "Footnotes"}


@frozen
class Grounded:
    """What rests on each clause, by its id: the rules, each with its heading, its path and the tables that have it; and
    the positions that test it."""

    rules: Mapping[str, Mapping[tuple[str, str], Sequence[str]]]
    tests: Mapping[str, Sequence[Scenario]]


@frozen
class SourcePart:
    """A part of a source: its game where the source is about several, its title, and its clauses."""

    game: str
    title: str
    clauses: tuple[Clause, ...]


def pages(suite: Suite) -> Iterator[Page]:
    """One page a source, and one that lists them."""
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
    """The parts of a source, in the order of its ledger: paragraphs, laws and footnotes that stand together, others
    under their headings."""
    found = []
    for (game, stem), some in groupby(source.clauses, key=lambda each: (source.game_of(each.section), _stem(each))):
        clauses = tuple(some)
        found.append(SourcePart(game, _title(stem, clauses), clauses))
    return found


def _heading(clause: Clause) -> str:
    return clause.where.partition(",")[0]


def _stem(clause: Clause) -> str:
    """What a place begins with, without its number."""
    stem, _, number = _heading(clause).rpartition(" ")
    return stem if number.isdecimal() and stem in _COUNTED else _heading(clause)


def _title(stem: str, clauses: Sequence[Clause]) -> str:
    first, last = (_heading(clause).rpartition(" ")[2] for clause in (clauses[0], clauses[-1]))
    if stem in _COUNTED:
        return f"{_COUNTED[stem]} {first} to {last}" if first != last else f"{stem.capitalize()} {first}"
    return f"{stem[:1].upper()}{stem[1:]}"


def _overview(suite: Suite, grounded: Grounded) -> Page:
    blocks = [_described(suite, source, grounded) for source in suite.sources.values()]
    body = joined([tag("h1", "The sources"), tag("p", _ABOUT), *blocks])
    return Page(INDEX, body=body, title="The sources", about=_ABOUT, kind="source")


def _described(suite: Suite, source: Source, grounded: Grounded) -> Markup:
    """What a source is, what of it the ledger holds, how far it is tested, and which games are taken from it."""
    tested = sum(clause.id in grounded.tests for clause in source.clauses)
    waived = sum(bool(clause.not_testable) for clause in source.clauses)
    based = [each.id for each in suite.rulesets.values() if source.id in each.sources]
    figures = [plural(len(source.clauses), "statement"), f"{tested} tested by positions"]
    figures += [f"{waived} that no position can test"] if waived else []
    figures += [] if source.complete else ["only what other books lean on, so far"]
    heading = tag("h2", links.a(source.title, f"sources/{source.id}.html", INDEX))
    forms = joined((links.ruleset_a(suite, name, INDEX, books.form(suite, name)) for name in based), ", ")
    rules = tag("p", "Rules taken from it: ", forms, ".") if based else NOTHING
    return tag("section", heading, tag("p", drawn(source.about)), rules, tag("p", " · ".join(figures), class_="small"))


def _source(suite: Suite, source: Source, grounded: Grounded) -> Page:
    found = parts(source)
    contents = _contents(found, f"sources/{source.id}.html")
    ledger = tag("div", *_head(suite, source), _folded(contents), *_parts(suite, source, found, grounded))
    nav = tag("nav", contents, class_="beside", aria_label="Parts of the book")
    body = tag("div", nav, ledger, class_="ledger")
    about = f"{source.title}: every statement that governs play, in our own words, with its place and what tests it."
    return Page(f"sources/{source.id}.md", body=body, title=source.title, about=about, kind="source", id=source.id)


def _head(suite: Suite, source: Source) -> Iterator[Markup]:
    yield tag("h1", source.title)
    yield tag("p", drawn(source.about))
    rows = ((word.replace("_", " ").capitalize(), drawn(value)) for word, value in source.provenance.items())
    listed = tag("dl", *(joined((tag("dt", word), tag("dd", value))) for word, value in rows))
    yield tag("details", tag("summary", "Author, edition, and where the text is found"), listed)
    yield tag("p", "The ledger holds: ", "; ".join(source.covers), ".", class_="small")
    if source.printings:
        read = [tag("li", tag("b", each.title), ": ", drawn(each.about)) for each in source.printings]
        yield joined([tag("p", "It was read in:", class_="small"), tag("ul", *read, class_="small")])
    based = [each.id for each in suite.rulesets.values() if source.id in each.sources]
    if based:
        here = f"sources/{source.id}.html"
        forms = joined((links.ruleset_a(suite, name, here, books.form(suite, name)) for name in based), ", ")
        yield tag("p", "Rules taken from it: ", forms, ".", class_="small")


def _anchor(part: SourcePart) -> str:
    return f"part-{part.clauses[0].id.partition('/')[2].replace('/', '-')}"


def _contents(found: Sequence[SourcePart], here: str) -> Markup:
    """The parts of a source, under its games where it is about several."""
    lists = []
    for game, some in groupby(found, key=lambda part: part.game):
        rows = [
            tag("li", links.a(part.title, f"#{_anchor(part)}", here), " ", tag("span", str(len(part.clauses))))
            for part in some
        ]
        lists.append(joined([tag("p", game) if game else NOTHING, tag("ul", *rows)]))
    return joined(lists)


def _folded(contents: Markup) -> Markup:
    return tag("details", tag("summary", "Parts of the book"), contents, class_="folded")


def _parts(suite: Suite, source: Source, found: Sequence[SourcePart], grounded: Grounded) -> Iterator[Markup]:
    alone = {section for printing in source.printings for section in printing.alone}
    for game, some in groupby(found, key=lambda part: part.game):
        if game:
            yield tag("h2", game)
        for part in some:
            yield tag("h3" if game else "h2", part.title, id=_anchor(part))
            for clause in part.clauses:
                if clause.section in alone:
                    alone.remove(clause.section)
                    yield _read_alone(source, clause.section)
                yield _clause(suite, source, clause, grounded)


def _read_alone(source: Source, section: str) -> Markup:
    """In which printing alone the clauses of a section were read: once, above the first of them."""
    printing = source.read_alone(section)
    words = f"From here on it was read in {printing.title} alone." if printing else ""
    return tag("p", words, class_="small")


def _clause(suite: Suite, source: Source, clause: Clause, grounded: Grounded) -> Markup:
    """A statement: what it says, where it stands and of what kind it is; and what is made of it."""
    here = f"sources/{source.id}.html"
    where = clause.where.replace("paragraph", "para.")
    pilcrow = links.a("¶", f"#{anchor(clause.id)}", here, class_="anchor", aria_label=f"Link to: {where}")
    inside = [tag("p", where, tag("span", f" · {clause.kind}"), " ", pilcrow, class_="where")]
    inside += [tag("p", links.linked(suite, clause.says, here), class_="says"), *_notes(suite, source, clause, here)]
    inside += [_rests(suite, source, grounded.rules.get(clause.id, {}), here)]
    if tests := grounded.tests.get(clause.id):
        rows = (tag("li", links.scenario_a(each, here)) for each in tests)
        summary = f"{plural(len(tests), 'position')} {'tests' if len(tests) == 1 else 'test'} it"
        inside.append(tag("details", tag("summary", summary), tag("ul", *rows)))
    return tag("article", *inside, class_="clause", id=anchor(clause.id), title=clause.id)


def _notes(suite: Suite, source: Source, clause: Clause, here: str) -> Iterator[Markup]:
    """What is lost, why it is certain all the same, or why no position tests it."""
    if clause.damage:
        yield from _damage(suite, source, clause.damage, here)
    if clause.decided:
        yield _note("implied", "decided", links.linked(suite, clause.decided, here))
    if clause.not_testable:
        yield _note("waived", "not tested", links.linked(suite, clause.not_testable, here))


def _damage(suite: Suite, source: Source, damage: Damage, here: str) -> Iterator[Markup]:
    leans = joined((links.clause_a(suite, each, here) for each in damage.leans_on), ", ")
    said = f"Lost: {damage.missing}. Restored: {damage.restored}. {damage.because} "
    yield _note("damaged", "damaged", joined([links.linked(suite, said, here), "(From ", leans, ".)"]))
    if damage.confirmed:
        by = next(each for each in source.printings if each.id == damage.confirmed.by)
        yield _note("confirmed", "confirmed", drawn(f"By {by.title}: {damage.confirmed.reads}"))


def _note(kind: str, word: str, said: Markup) -> Markup:
    return tag("p", tag("span", word, class_=f"status {kind}"), " ", said, class_="note")


def _rests(suite: Suite, source: Source, rules: Mapping[tuple[str, str], Sequence[str]], here: str) -> Markup:
    """The rules that rest on a clause, by title, with the forms of the game that have them; and the book, where it is
    another."""
    if not rules:
        return NOTHING
    shown = [_rule(suite, source, heading, path, names, here) for (heading, path), names in rules.items()]
    return tag("p", "Rule: " if len(shown) == 1 else "Rules: ", joined(shown, "; "), class_="rests")


def _rule(suite: Suite, source: Source, heading: str, path: str, names: Sequence[str], here: str) -> Markup:
    if len(names) > 1:
        forms = (links.rule_a(_table(suite, source, name), name, path, here) for name in names)
        return joined([drawn(heading), " (", joined(forms, ", "), ")"])
    rule = links.rule_a(heading, names[0], path, here)
    alone = sum(source.id in each.sources for each in suite.rulesets.values()) == 1
    own = books.book(suite, names[0]) == source.short
    return rule if alone and own else joined([rule, " (", _table(suite, source, names[0]), ")"])


def _table(suite: Suite, source: Source, ruleset: str) -> str:
    """What a table is called on the page of a source: its form, with the book where that is another."""
    own = books.book(suite, ruleset) == source.short
    return books.form(suite, ruleset) if own else books.label(suite, ruleset)
