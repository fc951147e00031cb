"""What stands around the rules of a page: beside each its place in the book, how certain it is, the positions that
show it, and the way to other books."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.comparison_pages import rule_beside_others
from hoyle_conformance.web.site.term_links import first_uses
from hoyle_conformance.wording.html import Markup, joined, tag
from hoyle_conformance.wording.rulebook_entries import Entry
from hoyle_conformance.wording.text import plural
from hoyle_reference.frozen import frozen


@frozen
class PageContext:
    """What all paragraphs of a page share: the suite, the table (with its option), the path of the page, the positions
    that cite each clause, the terms that have been linked on it, the addresses that it has, and what a table is called.
    """

    suite: Suite
    ruleset: str
    here: str
    tests: Mapping[str, Sequence[str]]
    seen: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    label: str = "Combinations"

    def own(self, address: str) -> str | bool:
        """An address, where it is not on the page yet; from then on it is."""
        new = address not in self.known
        self.known.add(address)
        return address if new else False

    @property
    def game(self) -> str:
        """The game that the table is of."""
        return self.suite.rulesets[self.ruleset.partition("+")[0]].game

    def prose(self, words: str) -> Markup:
        """Words with cards drawn, ids linked, and the first use of each term."""
        return first_uses(links.linked(self.suite, words, self.here), self.game, self.here, self.seen)


def beside(around: PageContext, entries: Sequence[Entry]) -> Markup:
    """Where it stands in the book, how certain it is, and where to go on."""
    cites = dict.fromkeys(clause for entry in entries for clause in entry.cell.cites)
    parts = [grounds(around, cites), *_grades(around, entries), *_positions(around, cites)]
    if "+" not in around.ruleset:
        to = rule_beside_others(around.suite, around.ruleset, entries[0].cell.path)
        parts.append(links.a("other books", to, around.here, class_="others"))
    return tag("div", joined(parts, " "), class_="m")


def grounds(around: PageContext, clauses: Mapping[str, None]) -> Markup:
    """The places of clauses, and the clauses by their ids among the codes."""
    codes = joined((links.clause_a(around.suite, each, around.here, each) for each in clauses), " ")
    return tag("span", places(around, clauses), " ", tag("code", codes, class_="code"))


def places(around: PageContext, clauses: Mapping[str, None]) -> Markup:
    """Where clauses stand, each place a link, each book named once: ``Hoyle, para. 5, para. 8``."""
    said: list[Markup] = []
    book = ""
    known: set[str] = set()
    for clause in clauses:
        shown = links.place(around.suite, around.suite.clauses[clause])
        of, _, where = shown.partition(", ")
        if shown not in known:
            known.add(shown)
            said.append(links.clause_a(around.suite, clause, around.here, where if of == book else shown))
        book = of
    return joined(said, ", ")


def _grades(around: PageContext, entries: Sequence[Entry]) -> Iterator[Markup]:
    """For each grade that is not `stated` and not open: the word, and under it why, rule by rule."""
    by_grade: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.cell.status not in {"stated", "disputed"}:
            by_grade.setdefault(entry.cell.status, []).append(entry)
    for grade, some in by_grade.items():
        why = (tag("p", tag("b", f"{entry.heading}. "), around.prose(entry.cell.because)) for entry in some)
        yield tag("details", tag("summary", grade), *why, class_="grade")


def _positions(around: PageContext, clauses: Mapping[str, None]) -> Iterator[Markup]:
    """The positions that show it: those that cite one of its clauses."""
    found = dict.fromkeys(name for clause in clauses for name in around.tests.get(clause, ()))
    if found:
        shown = (tag("li", links.scenario_a(around.suite.scenarios[name], around.here)) for name in found)
        yield tag("details", tag("summary", plural(len(found), "position")), tag("ul", *shown), class_="positions")
