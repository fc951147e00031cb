"""Pages for learning a game: its primer, in which every sentence leads to the rules that it says."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, cards, ranks
from hoyle_conformance.web.site.primers import (
    Hand,
    Paragraph,
    Piece,
    Primer,
    PrimerSentence,
    Scores,
    Steps,
    primer,
)
from hoyle_conformance.web.site.replay import replay
from hoyle_conformance.web.site.term_links import first_uses
from hoyle_conformance.wording import citations
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import NOTHING, Markup, drawn, joined, tag
from hoyle_reference import Cell

_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
#: The suits of a combination's cards, in words.
_SUITS: Final = {
    "trumps": "of trumps",
    "plain": "of one suit that is not trumps",
    "any": "of any suits",
    "one-each": "of four suits",
}
#: The kinds of combinations that are called by their lengths.
_CALLED: Final = {"sequence": "in a row, of one suit", "set": "of a rank"}


def pages(suite: Suite) -> Iterator[Page]:
    """Yield the primer of each game that has one."""
    for game in suite.rules.games:
        if (found := primer(folder(game))) and found.ruleset in suite.rulesets:
            yield page(suite, game, found)


def page(suite: Suite, game: str, of: Primer) -> Page:
    """Return a primer as a page."""
    here = f"{folder(game)}/learn.md"
    writer = _Writer(suite, game, f"{folder(game)}/learn.html", of.ruleset)
    sections = [LearnSection(each.id, each.title, tuple(map(writer.piece, each.pieces))) for each in of.sections]
    differs = [each for each in of.differs if all(sentence.ruleset in suite.rulesets for sentence in each)]
    body = fill(
        "learn",
        suite,
        here,
        title=f"Learn {game}",
        folder=folder(game),
        ruleset=of.ruleset,
        sections=sections,
        differs=[writer.paragraph(each) for each in differs] if of.differs else None,
        deal=_deal(suite, of, writer.here),
        notes=writer.notes,
    )
    return Page(here, body=body, title=f"Learn {game}", about=of.about, kind="learn", tab=game)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row of a table of scores: a rule, its name, the cards it is made of, and its points."""

    rule: str
    what: str
    made_of: Markup
    points: int


@dataclass(frozen=True, slots=True)
class LearnPiece:
    """A piece of a section, of one kind: a paragraph, steps, cards and whose they are, or a table of scores."""

    paragraph: Markup = NOTHING
    steps: tuple[Markup, ...] = ()
    cards: Markup = NOTHING
    whose: str = ""
    scores: tuple[ScoreRow, ...] = ()


@dataclass(frozen=True, slots=True)
class LearnSection:
    """A section with its address on the page."""

    id: str
    title: str
    pieces: tuple[LearnPiece, ...]


@dataclass(frozen=True, slots=True)
class SentenceNote:
    """The rules of a sentence by its number, each with its name."""

    number: int
    ruleset: str
    rules: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class WholeDeal:
    """A whole deal, to watch."""

    scenario: Scenario
    packs: int
    replay: Markup


def _deal(suite: Suite, of: Primer, here: str) -> WholeDeal | None:
    scenario = suite.scenarios.get(of.deal)
    if scenario is None:
        return None
    checks = [each for each in suite.index.checks_of(scenario) if each.ruleset == of.ruleset]
    return WholeDeal(scenario, suite.rules.cells(of.ruleset)["cards.packs"].value, replay(suite, checks, here))


class _Writer:
    """The sentences of a primer as they are written one after another: numbered, and each term linked once."""

    def __init__(self, suite: Suite, game: str, here: str, ruleset: str) -> None:
        self.suite, self.game, self.here, self.ruleset = suite, game, here, ruleset
        self.seen, self.notes = set[str](), list[SentenceNote]()

    def piece(self, of: Piece) -> LearnPiece:
        if isinstance(of, Steps):
            return LearnPiece(steps=tuple(map(self.paragraph, of.paragraphs)))
        if isinstance(of, Hand):
            return LearnPiece(cards=cards(of.cards), whose=of.of)
        if isinstance(of, Scores):
            return LearnPiece(scores=tuple(row for path, name in of.rows for row in self.score_rows(path, name)))
        return LearnPiece(self.paragraph(of))

    def paragraph(self, of: Paragraph) -> Markup:
        return joined(map(self.sentence, of), " ")

    def sentence(self, of: PrimerSentence) -> Markup:
        """Return a sentence with its terms linked, and with a number that leads to the first of its rules."""
        said = first_uses(of.words(self.suite.rules.cells(of.ruleset)), self.game, self.here, self.seen)
        said = Markup(_BOLD.sub(lambda found: tag("b", Markup(found[1])), said))
        if not of.rules:
            return said
        rules = tuple((rule, self.name(of.ruleset, rule)) for rule in of.rules)
        self.notes.append(SentenceNote(len(self.notes) + 1, of.ruleset, rules))
        names, to = ", ".join(name for _, name in rules), citations.rule_path(of.ruleset, of.rules[0])
        mark = links.a(str(len(self.notes)), to, self.here, title=names, class_="mark")
        return joined((said, tag("sup", mark)))

    def name(self, ruleset: str, rule: str) -> str:
        """Return the heading of a rule."""
        return rulebook.heading(self.suite.rules.cells(ruleset)[rule], rulebook.parameter_schema(self.suite, rule))

    def score_rows(self, path: str, name: str) -> Iterator[ScoreRow]:
        cells = self.suite.rules.cells(self.ruleset)
        for cell in cells.rows(path) if path not in cells else (cells[path],):
            points = cell.value["points"] if isinstance(cell.value, Mapping) else cell.value
            yield ScoreRow(cell.path, name or self.name(self.ruleset, cell.path), _made_of(cell), points)


def _made_of(cell: Cell) -> Markup:
    """Return the cards of a combination, drawn, or how many of what; nothing for other rules."""
    value: Any = cell.value
    if not isinstance(value, Mapping):
        return NOTHING
    if "class" in value:
        return drawn(f"{rulebook.value_in_words(value['cards'])} {_CALLED[value['class']]}")
    if "suits" not in value:
        return cards(value["cards"])
    return joined((tag("span", *ranks(value["cards"]), class_="cards"), f" {_SUITS[value['suits']]}"))
