"""The pages of the rulesets: each table as the rule book of a game, for people, and a list of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hoyle_conformance.suite.model import Ruleset
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, ranks
from hoyle_conformance.web.site.page_context import PageContext
from hoyle_conformance.web.site.rule_paragraphs import paragraph
from hoyle_conformance.wording.html import Markup, joined, tag
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.rulebook.compose import Chapter, Paragraph, book, facts
from hoyle_conformance.wording.text import plural

OVERVIEW = "rulesets/index.md"

#: The positions that test each clause under each ruleset.
Tests = Mapping[str, Mapping[str, Sequence[str]]]


def pages(suite: Suite) -> Iterator[Page]:
    """One page a ruleset, and one that lists them."""
    yield _overview(suite)
    tests = _tests(suite)
    for ruleset in suite.rulesets.values():
        yield _ruleset(suite, ruleset, tests)


def _tests(suite: Suite) -> Tests:
    found: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    for heading in suite.index.headings.values():
        for clause in heading.clauses:
            found[heading.ruleset.partition("+")[0]][clause][heading.scenario] = None
    return {name: {clause: tuple(each) for clause, each in of.items()} for name, of in found.items()}


def _overview(suite: Suite) -> Page:
    body = [tag("h1", "The rules by book")]
    for game in suite.rules.games:
        body += [tag("h2", links.a(game, f"{folder(game)}/index.html", OVERVIEW))]
        names = books.in_order(suite, game)
        body += [tag("ul", *(tag("li", links.ruleset_a(suite, name, OVERVIEW)) for name in names))]
    about = "Every form of Bézique and Piquet that the books describe, each as its book gives it."
    return Page(OVERVIEW, body=joined(body), title="The rules by book", about=about, kind="game")


def _ruleset(suite: Suite, ruleset: Ruleset, tests: Tests) -> Page:
    here = f"rulesets/{ruleset.id}.md"
    around = PageContext(suite, ruleset.id, here, tests.get(ruleset.id, {}))
    chapters = book(suite, ruleset.id)
    parts = [*_head(around, ruleset, chapters), *_contents(around, chapters)]
    for chapter in chapters:
        parts += _chapter(around, chapter)
    parts += _options(around, chapters)
    parts += _others(around)
    title = f"{ruleset.form}, after {books.book(suite, ruleset.id)}"
    body = tag("article", joined(parts), class_="book")
    return Page(here, body=body, title=title, about=ruleset.summary, kind="rules", tab=ruleset.game, id=ruleset.id)


def _head(around: PageContext, ruleset: Ruleset, chapters: Sequence[Chapter]) -> Iterator[Markup]:
    suite, here = around.suite, around.here
    game = links.a(ruleset.game, f"{folder(ruleset.game)}/index.html", here)
    yield tag("p", game, " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} ", ruleset.form, class_="crumbs")
    yield tag("h1", ruleset.form)
    source = suite.sources[ruleset.sources[0]]
    printed = joined(["as printed in ", links.a(source.title, f"sources/{source.id}.html", here)])
    same = [each.id for each in suite.rules.games[ruleset.game] if each.form == ruleset.form and each.id != ruleset.id]
    others = joined((_book(around, name) for name in same), " · ")
    yield tag(
        "p",
        joined([printed, tag("span", " · other books: ", others, class_="others")] if same else [printed]),
        class_="src",
    )
    yield tag("p", around.prose(ruleset.summary))
    yield _facts(around, chapters)
    box = tag("input", type="checkbox", id="codes")
    yield tag(
        "p", box, " ", tag("label", "Show the codes by which programs know the rules", for_="codes"), class_="codes"
    )


def _facts(around: PageContext, chapters: Sequence[Chapter]) -> Markup:
    """What one wants to know of a book first, and how many of its rules are open."""
    known = facts(around.suite, around.ruleset)
    lines = [(each.title, each.words or joined(ranks(each.ranks), " ")) for each in known]
    entries = [entry for chapter in chapters for each in chapter.paragraphs for entry in each.entries]
    if opened := [entry.cell.path for entry in entries if entry.readings]:
        first = tag("a", "the first", href=f"#open.{opened[0]}")
        shown = joined([f"{len(opened)}, marked ", tag("b", "open"), " below: ", first])
        lines.append(("Open points", shown))
    return tag("dl", *(joined((tag("dt", title), tag("dd", shown))) for title, shown in lines), class_="facts")


def _book(around: PageContext, ruleset: str) -> Markup:
    """Another book of the same form: the script keeps the paragraph that one reads."""
    return links.a(books.book(around.suite, ruleset), f"rulesets/{ruleset}.html", around.here, class_="book")


def _contents(around: PageContext, chapters: Sequence[Chapter]) -> Iterator[Markup]:
    lines = [tag("li", tag("a", each.title, href=f"#chapter-{each.name}")) for each in chapters]
    if around.suite.rules.options(around.ruleset):
        lines.append(tag("li", tag("a", "Options", href="#options")))
    yield tag("nav", tag("ol", *lines), class_="chapters", aria_label="Chapters")


def _chapter(around: PageContext, chapter: Chapter) -> Iterator[Markup]:
    has = " ".join(_addresses(around, chapter))
    yield tag("h2", f"{chapter.number} · {chapter.title}", id=f"chapter-{chapter.name}", data_has=has)
    for each in chapter.paragraphs:
        yield from paragraph(around, each, f"{chapter.number}.{each.number}")


def _addresses(around: PageContext, chapter: Chapter) -> Iterator[str]:
    """Whatever has its address in this chapter in some book of the game: paragraphs, rules, lists."""
    for each in wording.chapters(folder(around.game)):
        if each.name == chapter.name:
            for some in each.paragraphs:
                yield from filter(None, (some.id, some.rows, *(path for said in some.says for path in said.of)))


def _options(around: PageContext, plain: Sequence[Chapter]) -> Iterator[Markup]:
    """What the book offers beside: each option with the paragraphs that it changes, as they are then."""
    suite = around.suite
    offered = suite.rules.options(around.ruleset)
    if not offered:
        return
    yield tag("h2", "Options", id="options")
    before = {each.id: (chapter, each) for chapter in plain for each in chapter.paragraphs}
    for option, title in offered.items():
        name = f"{around.ruleset}+{option}"
        yield tag("h3", title, " ", tag("code", name, class_="code"), id=f"option-{option}")
        inside = PageContext(suite, name, around.here, around.tests, around.seen, around.known, title)
        yield from _instead(inside, book(suite, name), before)


#: The paragraphs of a book by their ids, each with its chapter.
Plain = Mapping[str, tuple[Chapter, Paragraph]]


def _instead(around: PageContext, chapters: Sequence[Chapter], plain: Plain) -> Iterator[Markup]:
    """The paragraphs of a book with an option that are others than without it, and those that fall away."""
    there = {each.id for chapter in chapters for each in chapter.paragraphs}
    for chapter in chapters:
        for each in chapter.paragraphs:
            yield from _changed(around, each, plain.get(each.id))
    for name, before in plain.items():
        if name not in there:
            number = tag("a", _number(before), href=f"#{name}")
            yield tag("p", number, " falls away.", class_="away")


def _number(place: tuple[Chapter, Paragraph]) -> str:
    chapter, paragraph = place
    return f"{chapter.number}.{paragraph.number}"


def _changed(around: PageContext, each: Paragraph, before: tuple[Chapter, Paragraph] | None) -> Iterator[Markup]:
    """A paragraph that an option changes, with the number of that for which it stands."""
    same = [entry.cell for entry in before[1].entries] if before else []
    if before and same == [entry.cell for entry in each.entries] and before[1].words == each.words:
        return
    if each.rows:  # of a list only the rows that are others
        each = replace(each, sentences=tuple(some for some in each.sentences if some.entries[0].cell not in same))
    if each.sentences:
        yield from paragraph(around, each, _number(before) if before else "")


def _others(around: PageContext) -> Iterator[Markup]:
    suite = around.suite
    names = [name for name in books.in_order(suite, around.game) if name != around.ruleset]
    yield tag("h2", f"{around.game} by other books", id="other-books")
    yield tag(
        "p",
        books.listed(suite, names, around.here),
        ". ",
        links.a("Side by side", f"{folder(around.game)}/differences.html", around.here),
        ": ",
        plural(len(names) + 1, "book"),
        ".",
    )
