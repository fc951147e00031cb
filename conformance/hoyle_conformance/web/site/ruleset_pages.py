"""Pages of rulesets: a list, and each ruleset as a rule book, in paragraphs with their grounds and open points."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, cards, ranks
from hoyle_conformance.wording import citations
from hoyle_conformance.wording.html import Markup, joined, tag, unlinked
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.rulebook.compose import Chapter, Paragraph, book, facts
from hoyle_conformance.wording.rulebook_entries import Entry, followed, notes, reason
from hoyle_reference import Cell
from hoyle_reference.cards import RANK_NAMES, RANKS

OVERVIEW = "rulesets/index.md"
#: The positions that test each clause under each ruleset.
Tests = Mapping[str, Mapping[str, Sequence[str]]]
_SUITS: Final = {"trumps": "of trumps", "plain": "of a plain suit", "any": "of any suits", "one-each": "of four suits"}


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a ruleset, and one that lists them."""
    ways = [(citations.ruleset_path(each.id), each.title, "") for some in suite.rules.games.values() for each in some]
    about = "Every form of Bézique and Piquet that the books describe, book by book."
    yield links.page(
        "ways", suite, OVERVIEW, title="The rules by book", about=about, kind="game", lead=about, ways=ways
    )
    found: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    for heading in suite.index.headings.values():
        for clause in heading.clauses:
            found[heading.ruleset.partition("+")[0]][clause][heading.scenario] = None
    tests = {name: {clause: tuple(each) for clause, each in of.items()} for name, of in found.items()}
    for ruleset in suite.rulesets.values():
        yield _ruleset(suite, ruleset, tests)


# ---- paragraphs


@dataclass(frozen=True, slots=True)
class PageContext:
    """Values that all paragraphs of a page share, and the parts of paragraphs.

    They are the suite, the table (with its option), the path of the page, the positions that cite each clause, the
    terms and addresses already used, and a label for tables of combinations. The template calls the methods in the
    order of the page.
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

    def prose(self, words: str) -> Markup:
        """Return words with cards drawn, ids linked, and the first use of each term linked."""
        game = self.suite.rulesets[self.ruleset.partition("+")[0]].game
        return first_uses(links.linked(self.suite, words, self.here), game, self.here, self.seen)

    def unlinked(self, words: str) -> Markup:
        """Return words with cards drawn and ids replaced, without links."""
        return unlinked(links.linked(self.suite, words, self.here))

    def code(self, cell: str) -> Markup:
        """Return the path of a cell, with a link to its definition."""
        return links.code_a(self.suite, cell, self.here)

    def places(self, clauses: Iterable[str]) -> Markup:
        """Return the places of clauses as links, with each book named once: ``Hoyle, para. 5, para. 8``."""
        said: dict[str, Markup] = {}
        book = ""
        for clause in clauses:
            shown = citations.place(self.suite, self.suite.clauses[clause])
            of, _, where = shown.partition(", ")
            if shown not in said:
                said[shown] = links.clause_a(self.suite, clause, self.here, where if of == book else shown)
            book = of
        return joined(said.values(), ", ")

    def cites(self, entries: Sequence[Entry]) -> list[str]:
        """Return the clauses of rules."""
        return list(dict.fromkeys(clause for entry in entries for clause in entry.cell.cites))

    def definitions(self, entries: Sequence[Entry]) -> list[tuple[str, str]]:
        """Return the ids and paths of the paragraphs of the semantics that define rules."""
        found = definitions(self.suite, (entry.cell.path for entry in entries))
        return list(map(links.paragraph_place, found))

    def grades(self, entries: Sequence[Entry]) -> Mapping[str, Sequence[tuple[str, Markup]]]:
        """Return each grade but `stated` and `disputed`, with the heading of each rule and the reason for its grade."""
        found: dict[str, list[tuple[str, Markup]]] = {}
        for entry in entries:
            if entry.cell.status not in {"stated", "disputed"}:
                found.setdefault(entry.cell.status, []).append((entry.heading, self.prose(reason(entry.cell))))
        return found

    def positions(self, clauses: Iterable[str]) -> list[Scenario]:
        """Return the positions that cite clauses."""
        found = dict.fromkeys(name for clause in clauses for name in self.tests.get(clause, ()))
        return [self.suite.scenarios[name] for name in found]

    def others(self, entry: Entry) -> str:
        """Return the path of a rule in the other books; "" under an option."""
        return "" if "+" in self.ruleset else rule_beside_others(self.suite, self.ruleset, entry.cell.path)

    def parts(self, entries: Sequence[Entry]) -> Iterator[tuple[str, Sequence[Entry]]]:
        """Yield the parts of the game with the irregularities in each, without titles if they need none."""
        headed = "+" not in self.ruleset and len(entries) > 1
        for part, some in parted({entry.cell.value["id"]: entry for entry in entries}).items():
            yield part if headed else "", list(some.values())

    def unmet(self, of: Paragraph) -> list[Cell]:
        """Return the irregularities of a list that cannot arise in a game of the table; none under an option."""
        met = {entry.cell.path for entry in of.entries}
        rows = self.suite.rules.cells(self.ruleset).rows(of.rows) if "+" not in self.ruleset else ()
        return [cell for cell in rows if cell.path not in met]

    def notes(self, row: Mapping[str, Any]) -> list[Markup]:
        """Return the rules of a combination other than its cards and points."""
        return list(map(self.prose, notes(row))) if "kind" in row else []


def cards_of(row: Mapping[str, Any]) -> Markup:
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


# ---- page of a ruleset


def _ruleset(suite: Suite, ruleset: Ruleset, tests: Tests) -> Page:
    here = f"rulesets/{ruleset.id}.md"
    context = PageContext(suite, ruleset.id, here, tests.get(ruleset.id, {}))
    chapters = book(suite, ruleset.id)
    entries = [entry for chapter in chapters for each in chapter.paragraphs for entry in each.entries]
    alike = [each.id for each in suite.rules.games[ruleset.game] if each.form == ruleset.form and each.id != ruleset.id]
    return links.page(
        "ruleset",
        suite,
        here,
        title=f"{ruleset.form}, after {citations.book(suite, ruleset.id)}",
        about=ruleset.summary,
        kind="rules",
        tab=ruleset.game,
        id=ruleset.id,
        ruleset=ruleset,
        folder=folder(ruleset.game),
        source=suite.sources[ruleset.sources[0]],
        same_form=[(name, citations.book(suite, name)) for name in alike],
        facts=[(each.title, each.words or joined(ranks(each.ranks), " ")) for each in facts(suite, ruleset.id)],
        open=[entry.cell.path for entry in entries if entry.readings],
        chapters=[(each, _addresses(ruleset.game, each.name)) for each in chapters],
        context=context,
        cards_of=cards_of,
        number_of=_number,
        options=list(_options(context, chapters)),
        others=[name for name in links.in_order(suite, ruleset.game) if name != ruleset.id],
        rulings=rulings_of(ruleset.game),
        question=path_of,
        followed=followed,
    )


def _number(chapter: Chapter, paragraph: Paragraph) -> str:
    return f"{chapter.number}.{paragraph.number}"


def _addresses(game: str, name: str) -> list[str]:
    """Return all addresses in a chapter in any book of the game: paragraphs, rules, lists."""
    paragraphs = (each for of in wording.chapters(folder(game)) if of.name == name for each in of.paragraphs)
    found = ((some.id, some.rows, *(path for said in some.says for path in said.of)) for some in paragraphs)
    return [address for some in found for address in some if address]


def _options(context: PageContext, plain: Sequence[Chapter]) -> Iterator[Mapping[str, object]]:
    """Yield the options of a book: the paragraphs that each changes, in their changed form, and the ids and numbers of
    those that it removes."""
    before = {each.id: (each, _number(chapter, each)) for chapter in plain for each in chapter.paragraphs}
    for option, title in context.suite.rules.options(context.ruleset).items():
        name = f"{context.ruleset}+{option}"
        now = {each.id: each for chapter in book(context.suite, name) for each in chapter.paragraphs}
        paragraphs = []
        for id_, paragraph in now.items():
            plain_paragraph, number = before.get(id_, (None, ""))
            if changed := _changed(paragraph, plain_paragraph):
                paragraphs.append((changed, number))
        yield {
            "id": option,
            "title": title,
            "context": replace(context, ruleset=name, label=title),
            "paragraphs": paragraphs,
            "without": [(id_, number) for id_, (_, number) in before.items() if id_ not in now],
        }


def _changed(now: Paragraph, before: Paragraph | None) -> Paragraph | None:
    """Return a paragraph that an option changes or adds, for a list only with the differing rows; None for other
    paragraphs."""
    same = [entry.cell for entry in before.entries] if before else []
    if before and same == [entry.cell for entry in now.entries] and before.words == now.words:
        return None
    if now.rows:
        now = replace(now, sentences=tuple(some for some in now.sentences if some.entries[0].cell not in same))
    return now if now.sentences else None
