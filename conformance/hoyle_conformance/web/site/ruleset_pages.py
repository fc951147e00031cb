"""Pages of rulesets: each table as the rule book of a game, for people, and a list of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hoyle_conformance.suite.model import Ruleset
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, ranks
from hoyle_conformance.web.site.rule_paragraphs import PageContext, RuleParagraph, paragraph
from hoyle_conformance.wording import citations
from hoyle_conformance.wording.html import joined
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.rulebook.compose import Chapter, Paragraph, book, facts

OVERVIEW = "rulesets/index.md"

#: The positions that test each clause under each ruleset.
Tests = Mapping[str, Mapping[str, Sequence[str]]]


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a ruleset, and one that lists them."""
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
    games = [(game, folder(game), links.in_order(suite, game)) for game in suite.rules.games]
    about = "Every form of Bézique and Piquet that the books describe, book by book."
    body = fill("rulesets", suite, OVERVIEW, games=games)
    return Page(OVERVIEW, body=body, title="The rules by book", about=about, kind="game")


# ---- the page of a ruleset


@dataclass(frozen=True, slots=True)
class BookChapter:
    """A chapter of the book: its name, number and title, all addresses that it has in some book, its paragraphs."""

    name: str
    number: int
    title: str
    addresses: tuple[str, ...]
    paragraphs: tuple[RuleParagraph, ...]


@dataclass(frozen=True, slots=True)
class BookOption:
    """An option of the book: the paragraphs that it changes, and the ids and numbers of those that it removes."""

    id: str
    title: str
    ruleset: str
    paragraphs: tuple[RuleParagraph, ...]
    without: tuple[tuple[str, str], ...]


def _ruleset(suite: Suite, ruleset: Ruleset, tests: Tests) -> Page:
    here = f"rulesets/{ruleset.id}.md"
    context = PageContext(suite, ruleset.id, here, tests.get(ruleset.id, {}))
    chapters = book(suite, ruleset.id)
    entries = [entry for chapter in chapters for each in chapter.paragraphs for entry in each.entries]
    same_form = [
        each.id for each in suite.rules.games[ruleset.game] if each.form == ruleset.form and each.id != ruleset.id
    ]
    body = fill(
        "ruleset",
        suite,
        here,
        ruleset=ruleset,
        folder=folder(ruleset.game),
        source=suite.sources[ruleset.sources[0]],
        same_form=[(name, citations.book(suite, name)) for name in same_form],
        summary=context.prose(ruleset.summary),
        facts=[(each.title, each.words or joined(ranks(each.ranks), " ")) for each in facts(suite, ruleset.id)],
        open=[entry.cell.path for entry in entries if entry.readings],
        chapters=[_chapter(context, chapter) for chapter in chapters],
        options=list(_options(context, chapters)),
        others=[name for name in links.in_order(suite, ruleset.game) if name != ruleset.id],
    )
    title = f"{ruleset.form}, after {citations.book(suite, ruleset.id)}"
    return Page(here, body=body, title=title, about=ruleset.summary, kind="rules", tab=ruleset.game, id=ruleset.id)


def _chapter(context: PageContext, chapter: Chapter) -> BookChapter:
    paragraphs = tuple(paragraph(context, each, _number(chapter, each)) for each in chapter.paragraphs)
    addresses = tuple(_addresses(context.game, chapter.name))
    return BookChapter(chapter.name, chapter.number, chapter.title, addresses, paragraphs)


def _number(chapter: Chapter, paragraph: Paragraph) -> str:
    return f"{chapter.number}.{paragraph.number}"


def _addresses(game: str, name: str) -> Iterator[str]:
    """Yield all addresses in a chapter in some book of the game: paragraphs, rules, lists."""
    for each in wording.chapters(folder(game)):
        if each.name == name:
            for some in each.paragraphs:
                yield from filter(None, (some.id, some.rows, *(path for said in some.says for path in said.of)))


def _options(context: PageContext, plain: Sequence[Chapter]) -> Iterator[BookOption]:
    """Yield the options of a book, with the paragraphs that each changes, as they are then."""
    suite = context.suite
    before = {each.id: (each, _number(chapter, each)) for chapter in plain for each in chapter.paragraphs}
    for option, title in suite.rules.options(context.ruleset).items():
        name = f"{context.ruleset}+{option}"
        inside = PageContext(suite, name, context.here, context.tests, context.seen, context.known, title)
        now = {each.id: each for chapter in book(suite, name) for each in chapter.paragraphs}
        changed = tuple(_changed(inside, each, *before.get(each.id, (None, ""))) for each in now.values())
        without = tuple((id_, number) for id_, (_, number) in before.items() if id_ not in now)
        yield BookOption(option, title, name, tuple(filter(None, changed)), without)


def _changed(context: PageContext, now: Paragraph, before: Paragraph | None, number: str) -> RuleParagraph | None:
    """Return a paragraph that an option changes or adds, of a list only the rows that differ; None for others."""
    same = [entry.cell for entry in before.entries] if before else []
    if before and same == [entry.cell for entry in now.entries] and before.words == now.words:
        return None
    if now.rows:
        now = replace(now, sentences=tuple(some for some in now.sentences if some.entries[0].cell not in same))
    return paragraph(context, now, number) if now.sentences else None
