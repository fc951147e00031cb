"""Pages of rulesets: a list, and each ruleset as a rule book, in paragraphs with their grounds and open points."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hoyle_conformance.suite.model import Ruleset, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import definitions
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.comparison_pages import rule_beside_others
from hoyle_conformance.web.site.dispute_pages import path_of
from hoyle_conformance.web.site.glossary_pages import first_uses
from hoyle_conformance.web.site.irregularity_pages import parted
from hoyle_conformance.web.site.irregularity_pages import path_of as rulings_of
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, cards, ranks
from hoyle_conformance.wording import citations, rulings
from hoyle_conformance.wording.html import Markup, joined, tag, unlinked
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.rulebook.compose import Chapter, Paragraph, Sentence, book, facts
from hoyle_conformance.wording.rulebook_entries import Entry, notes, reason
from hoyle_reference.cards import RANK_NAMES, RANKS

OVERVIEW = "rulesets/index.md"
#: The positions that test each clause under each ruleset.
Tests = Mapping[str, Mapping[str, Sequence[str]]]
_SUITS: Final = {"trumps": "of trumps", "plain": "of a plain suit", "any": "of any suits", "one-each": "of four suits"}


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


# ---- paragraphs


@dataclass(frozen=True, slots=True)
class PageContext:
    """Values that all paragraphs of a page share.

    They are the suite, the table (with its option), the path of the page, the positions that cite each clause, the
    terms and addresses already used, and a label for tables of combinations. Paragraphs must be made in the order of
    the page.
    """

    suite: Suite
    ruleset: str
    here: str
    tests: Mapping[str, Sequence[str]]
    seen: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    label: str = "Combinations"

    def own(self, address: str) -> str:
        """Return an address and record that it is on the page; "" if it was recorded before."""
        new = address not in self.known
        self.known.add(address)
        return address if new else ""

    @property
    def game(self) -> str:
        """The game of the table."""
        return self.suite.rulesets[self.ruleset.partition("+")[0]].game

    def prose(self, words: str) -> Markup:
        """Return words with cards drawn, ids linked, and the first use of each term linked."""
        return first_uses(links.linked(self.suite, words, self.here), self.game, self.here, self.seen)

    def code(self, cell: str) -> Markup:
        """Return the path of a cell, with a link to its definition."""
        return links.code_a(self.suite, cell, self.here)


@dataclass(frozen=True, slots=True)
class RuleGrounds:
    """The grounds of rules: the places of their clauses, the clauses, and the paragraphs that define the rules.

    Further fields are the reason for each grade but `stated` and `disputed`, rule by rule; the positions that show the
    rules; and the path of the other books, "" under an option.
    """

    places: Markup
    clauses: tuple[str, ...]
    defined: tuple[links.ParagraphPlace, ...]
    grades: tuple[tuple[str, tuple[tuple[str, Markup], ...]], ...]
    positions: tuple[Scenario, ...]
    others: str


@dataclass(frozen=True, slots=True)
class RuleSentence:
    """A sentence at the address of its first rule; the addresses of the others precede it, and the codes of all follow
    it."""

    id: str
    anchors: tuple[str, ...]
    words: Markup
    codes: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class OpenRule:
    """A rule that the book leaves open: the reason, the reading followed, and the page of the question."""

    id: str
    heading: str
    because: Markup
    followed: Markup
    page: str


@dataclass(frozen=True, slots=True)
class Combination:
    """A row of a table of combinations."""

    id: str
    heading: str
    code: Markup
    cards: Markup
    notes: tuple[Markup, ...]
    open: str
    points: int
    places: Markup
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IrregularRule:
    """A ruling with the path of its rule, its code and its grounds."""

    id: str
    path: str
    heading: str
    ruling: Markup
    code: Markup
    grounds: RuleGrounds


@dataclass(frozen=True, slots=True)
class UnmetIrregularity:
    """An irregularity that cannot arise in a game of the table: its permanent address, and the address
    of the ruling."""

    id: str
    heading: str
    ruling: str
    code: Markup


@dataclass(frozen=True, slots=True)
class RuleParagraph:
    """A paragraph of a rule page, of one kind: sentences with their grounds, combinations, or irregularities by part of
    the game; and its rules that the book leaves open. Under an option, `number` is the number without it, if any."""

    path: str
    id: str
    number: str
    label: str
    sentences: tuple[RuleSentence, ...]
    grounds: RuleGrounds | None
    combinations: tuple[Combination, ...]
    irregularities: tuple[tuple[str, tuple[IrregularRule, ...]], ...]
    elsewhere: tuple[UnmetIrregularity, ...]
    open: tuple[OpenRule, ...]


def _paragraph(context: PageContext, of: Paragraph, number: str) -> RuleParagraph:
    """Return a paragraph with its `number`."""
    sentences: tuple[RuleSentence, ...] = ()
    combinations: tuple[Combination, ...] = ()
    irregularities: tuple[tuple[str, tuple[IrregularRule, ...]], ...] = ()
    elsewhere: tuple[UnmetIrregularity, ...] = ()
    below = None
    if not of.rows:
        sentences = tuple(_sentence(context, sentence) for sentence in of.sentences)
        below = _grounds(context, of.entries)
    elif rulings.is_irregularity(of.entries[0].cell.value):
        irregularities = tuple(_irregularities(context, of.entries))
        elsewhere = tuple(_elsewhere(context, of))
    else:
        combinations = tuple(_combination(context, entry) for entry in of.entries)
    id_ = context.own(of.id)
    open_ = tuple(_open(context, entry) for entry in of.entries if entry.readings)
    return RuleParagraph(
        of.id, id_, number, context.label, sentences, below, combinations, irregularities, elsewhere, open_
    )


def _sentence(context: PageContext, sentence: Sentence) -> RuleSentence:
    first, *others = (entry.cell.path for entry in sentence.entries)
    anchors = tuple(filter(None, map(context.own, others)))
    codes = tuple(context.code(entry.cell.path) for entry in sentence.entries)
    words = context.prose(sentence.words)
    return RuleSentence(context.own(first), anchors, words, codes)


def _open(context: PageContext, entry: Entry) -> OpenRule:
    followed = next(each for each in entry.readings if each.name == entry.cell.follows)
    of_a_list = entry.heading if isinstance(entry.cell.value, Mapping) else ""
    because = unlinked(links.linked(context.suite, entry.cell.because, context.here))
    reading = context.prose(f"{followed.sentence} {followed.argument}")
    return OpenRule(context.own(f"open.{entry.cell.path}"), of_a_list, because, reading, path_of(entry.cell.path))


# ---- grounds


def _grounds(context: PageContext, entries: Sequence[Entry]) -> RuleGrounds:
    """Return the grounds of the rules of these entries."""
    cites = dict.fromkeys(clause for entry in entries for clause in entry.cell.cites)
    found = dict.fromkeys(name for clause in cites for name in context.tests.get(clause, ()))
    others = rule_beside_others(context.suite, context.ruleset, entries[0].cell.path)
    return RuleGrounds(
        _places(context, cites),
        tuple(cites),
        tuple(map(links.paragraph_place, definitions(context.suite, (entry.cell.path for entry in entries)))),
        tuple(_grades(context, entries)),
        tuple(context.suite.scenarios[name] for name in found),
        "" if "+" in context.ruleset else others,
    )


def _places(context: PageContext, clauses: Mapping[str, None]) -> Markup:
    """Return the places of clauses as links, with each book named once: ``Hoyle, para. 5, para. 8``."""
    said: list[Markup] = []
    book = ""
    known: set[str] = set()
    for clause in clauses:
        shown = citations.place(context.suite, context.suite.clauses[clause])
        of, _, where = shown.partition(", ")
        if shown not in known:
            known.add(shown)
            said.append(links.clause_a(context.suite, clause, context.here, where if of == book else shown))
        book = of
    return joined(said, ", ")


def _grades(context: PageContext, entries: Sequence[Entry]) -> Iterator[tuple[str, tuple[tuple[str, Markup], ...]]]:
    """Yield each grade that is not `stated` and not open, with the reason, rule by rule."""
    by_grade: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.cell.status not in {"stated", "disputed"}:
            by_grade.setdefault(entry.cell.status, []).append(entry)
    for grade, some in by_grade.items():
        yield grade, tuple((entry.heading, context.prose(reason(entry.cell))) for entry in some)


# ---- lists


def _combination(context: PageContext, entry: Entry) -> Combination:
    row, path = entry.cell.value, entry.cell.path
    said = tuple(map(context.prose, notes(row))) if "kind" in row else ()
    open_ = f"open.{path}" if entry.readings else ""
    cites = dict.fromkeys(entry.cell.cites)
    places = _places(context, cites)
    return Combination(
        context.own(path),
        entry.heading,
        context.code(path),
        _cards(row),
        said,
        open_,
        row["points"] or 0,
        places,
        tuple(cites),
    )


def _cards(row: Mapping[str, Any]) -> Markup:
    """Return the cards of a combination: drawn if they are fixed, as ranks if words describe their suit."""
    if isinstance(row["cards"], int):
        return tag("span", _called(row))
    if "suits" not in row:
        return cards(row["cards"])
    return joined((tag("span", *ranks(row["cards"]), class_="cards"), " ", _SUITS[row["suits"]]))


def _called(row: Mapping[str, Any]) -> str:
    if "value" in row:
        return f"a void suit, as {row['cards']} cards of the value {row['value']}"
    if "below" in row:
        top = RANK_NAMES[RANKS.index(row["below"])]
        return f"a void suit, as {row['cards']} cards next below those with the {top} on top"
    kind = "in sequence" if row["class"] == "sequence" else "of one rank"
    return f"{row['cards']} cards {kind}"


def _irregularities(context: PageContext, entries: Sequence[Entry]) -> Iterator[tuple[str, tuple[IrregularRule, ...]]]:
    """Yield the parts of the game with the rulings in each, without titles if they need none."""
    headed = "+" not in context.ruleset and len(entries) > 1
    for part, some in parted({entry.cell.value["id"]: entry for entry in entries}).items():
        yield part if headed else "", tuple(_irregularity(context, entry) for entry in some.values())


def _irregularity(context: PageContext, entry: Entry) -> IrregularRule:
    path = entry.cell.path
    ruling, below = context.prose(entry.sentence), _grounds(context, [entry])
    return IrregularRule(context.own(path), path, entry.heading, ruling, context.code(path), below)


def _elsewhere(context: PageContext, of: Paragraph) -> Iterator[UnmetIrregularity]:
    """Yield the irregularities that cannot arise in a game of the table; none under an option."""
    printed = {entry.cell.path for entry in of.entries}
    for cell in context.suite.rules.cells(context.ruleset).rows(of.rows) if "+" not in context.ruleset else ():
        if cell.path not in printed:
            ruling = f"{rulings_of(context.game)}#{cell.path}"
            yield UnmetIrregularity(context.own(cell.path), cell.value["title"], ruling, context.code(cell.path))


# ---- page of a ruleset


@dataclass(frozen=True, slots=True)
class BookChapter:
    """A chapter of the book: its name, number and title, its paragraphs, and all addresses that it has in any book."""

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
    paragraphs = tuple(_paragraph(context, each, _number(chapter, each)) for each in chapter.paragraphs)
    addresses = tuple(_addresses(context.game, chapter.name))
    return BookChapter(chapter.name, chapter.number, chapter.title, addresses, paragraphs)


def _number(chapter: Chapter, paragraph: Paragraph) -> str:
    return f"{chapter.number}.{paragraph.number}"


def _addresses(game: str, name: str) -> Iterator[str]:
    """Yield all addresses in a chapter in any book of the game: paragraphs, rules, lists."""
    for each in wording.chapters(folder(game)):
        if each.name == name:
            for some in each.paragraphs:
                yield from filter(None, (some.id, some.rows, *(path for said in some.says for path in said.of)))


def _options(context: PageContext, plain: Sequence[Chapter]) -> Iterator[BookOption]:
    """Yield the options of a book, with the paragraphs that each changes, in their changed form."""
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
    """Return a paragraph that an option changes or adds, for a list only with the differing rows; None for other
    paragraphs."""
    same = [entry.cell for entry in before.entries] if before else []
    if before and same == [entry.cell for entry in now.entries] and before.words == now.words:
        return None
    if now.rows:
        now = replace(now, sentences=tuple(some for some in now.sentences if some.entries[0].cell not in same))
    return _paragraph(context, now, number) if now.sentences else None
