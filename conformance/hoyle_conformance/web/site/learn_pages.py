"""Learning a game: its primer as a page, on which every sentence leads to the rules that it says."""

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, cards, ranks
from hoyle_conformance.web.site.primers import (
    Hand,
    Paragraph,
    Piece,
    Primer,
    PrimerSection,
    PrimerSentence,
    Scores,
    Steps,
    primer,
)
from hoyle_conformance.web.site.replay import replay
from hoyle_conformance.web.site.term_links import first_uses
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import Markup, drawn, joined, tag
from hoyle_reference.cells import Cell, Cells

_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
#: Of which suits the cards of a combination are.
_SUITS: Final = {
    "trumps": "of trumps",
    "plain": "of one suit that is not trumps",
    "any": "of any suits",
    "one-each": "of four suits",
}
#: What a combination is that is called by its length.
_CALLED: Final = {"sequence": "in a row, of one suit", "set": "of a rank"}


def pages(suite: Suite) -> Iterator[Page]:
    """The primer of each game that has one."""
    for game in suite.rules.games:
        if (found := primer(folder(game))) and found.ruleset in suite.rulesets:
            yield page(suite, game, found)


def page(suite: Suite, game: str, of: Primer) -> Page:
    """A primer: what the game is, what is done, what scores, an example, other books, and a whole deal."""
    writer = _Writer(suite, game, f"{folder(game)}/learn.html", of)
    return Page(
        f"{folder(game)}/learn.md",
        body=joined(writer.all()),
        title=f"Learn {game}",
        about=of.about,
        kind="learn",
        tab=game,
    )


class _Writer:
    """A primer as it is put on its page: which sentence it is that is written, and which terms are linked already."""

    def __init__(self, suite: Suite, game: str, here: str, of: Primer) -> None:
        self.suite, self.game, self.here, self.of = suite, game, here, of
        self.numbers, self.seen = count(1), set[str]()
        self.noted: list[tuple[int, PrimerSentence]] = []

    def all(self) -> Iterator[Markup]:
        yield tag("h1", f"Learn {self.game}")
        book = links.ruleset_a(self.suite, self.of.ruleset, self.here)
        note = tag("span", " A small number leads to the rule that a sentence says.", class_="how")
        yield tag("p", book, ".", note, class_="lead")
        parts = [tag("section", *self.section(section), class_="part", id=section.id) for section in self.of.sections]
        if self.of.differs:
            parts.append(tag("section", *self.others(), class_="part", id="other-books"))
        yield tag("div", *parts, class_="parts")
        yield from self.deal()
        yield from self.notes()

    def section(self, of: PrimerSection) -> Iterator[Markup]:
        yield tag("h2", of.title)
        yield from (self.piece(piece) for piece in of.pieces)

    def others(self) -> Iterator[Markup]:
        yield tag("h2", "What differs in other books")
        known = self.suite.rulesets
        yield from (
            tag("p", self.paragraph(each)) for each in self.of.differs if all(of.ruleset in known for of in each)
        )
        to = f"{folder(self.game)}/differences.html"
        yield tag("p", links.a("All books side by side", to, self.here), class_="onward")

    def piece(self, of: Piece) -> Markup:
        if isinstance(of, Steps):
            return tag("ol", *(tag("li", self.paragraph(each)) for each in of.paragraphs))
        if isinstance(of, Hand):
            return tag("p", tag("span", of.of, class_="whose"), " ", cards(of.cards), class_="hand")
        if isinstance(of, Scores):
            return self.scores(of)
        return tag("p", self.paragraph(of))

    def paragraph(self, of: Paragraph) -> Markup:
        return joined(map(self.sentence, of), " ")

    def sentence(self, of: PrimerSentence) -> Markup:
        said = first_uses(of.words(self.suite.rules.cells(of.ruleset)), self.game, self.here, self.seen)
        said = Markup(_BOLD.sub(lambda found: tag("b", Markup(found[1])), said))
        if not of.rules:
            return said
        number = next(self.numbers)
        self.noted.append((number, of))
        to = links.rule_path(of.ruleset, of.rules[0])
        names = ", ".join(self.name(of.ruleset, rule) for rule in of.rules)
        return joined((said, tag("sup", links.a(str(number), to, self.here, title=names, class_="mark"))))

    def name(self, ruleset: str, rule: str) -> str:
        """What a rule is headed with."""
        return rulebook.heading(self.suite.rules.cells(ruleset)[rule], rulebook.parameter_schema(self.suite, rule))

    def notes(self) -> Iterator[Markup]:
        """All rules of each sentence, folded."""
        rows = [tag("li", joined(self.rules(of), ", "), value=str(number)) for number, of in self.noted]
        yield tag("details", tag("summary", "The rules, sentence by sentence"), tag("ol", *rows), class_="notes")

    def rules(self, of: PrimerSentence) -> Iterator[Markup]:
        for rule in of.rules:
            yield links.rule_a(self.name(of.ruleset, rule), of.ruleset, rule, self.here)

    def scores(self, of: Scores) -> Markup:
        cells = self.suite.rules.cells(self.of.ruleset)
        rows = [row for path, name in of.rows for row in self.rows(cells, path, name)]
        head = joined((tag("th", "For", scope="col"), tag("th", "Points", class_="number", scope="col")))
        return tag("table", tag("thead", tag("tr", head)), tag("tbody", *rows), class_="scores")

    def rows(self, cells: Cells, path: str, name: str) -> Iterator[Markup]:
        for cell in cells.rows(path) if path not in cells else (cells[path],):
            points = cell.value["points"] if isinstance(cell.value, Mapping) else cell.value
            what = name or self.name(self.of.ruleset, cell.path)
            shown = links.rule_a(what, self.of.ruleset, cell.path, self.here)
            made = tag("span", _made(cell), class_="made")
            yield tag("tr", tag("th", shown, " ", made, scope="row"), tag("td", f"{points:,}", class_="number"))

    def deal(self) -> Iterator[Markup]:
        """A whole deal, to watch."""
        if scenario := self.suite.scenarios.get(self.of.deal):
            yield tag("section", *self.played(scenario), class_="deal", id="a-whole-deal")

    def played(self, scenario: Scenario) -> Iterator[Markup]:
        of_book = [each for each in self.suite.index.checks_of(scenario) if each.ruleset == self.of.ruleset]
        yield tag("h2", "A whole deal")
        yield tag("p", links.linked(self.suite, scenario.why, self.here))
        if self.suite.rules.cells(self.of.ruleset)["cards.packs"].value > 1:
            yield tag("p", "Of two cards that are alike the second has a small ² beside it.")
        yield replay(self.suite, of_book, self.here)
        yield tag("p", "The same as a position: ", links.scenario_a(scenario, self.here), class_="onward")


def _made(cell: Cell) -> Markup:
    """What a combination is made of: its cards drawn, or how many of what; nothing of what is none."""
    value: Any = cell.value
    if not isinstance(value, Mapping):
        return Markup("")
    if "class" in value:
        return drawn(f"{rulebook.value_in_words(value['cards'])} {_CALLED[value['class']]}")
    if "suits" not in value:
        return cards(value["cards"])
    return joined((tag("span", *ranks(value["cards"]), class_="cards"), f" {_SUITS[value['suits']]}"))
