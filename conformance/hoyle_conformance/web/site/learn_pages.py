"""Primers: a game explained to someone who has never played it, each sentence with the rules that it states.

A primer is a file in ``primers/``. It teaches the game of one book, the table `ruleset`. Its text is in sections; under
`says`, a section has a list of these pieces:

- a paragraph: sentences, each followed by the rules that it says, in brackets (their paths in that table). Brackets
  with nothing in them are for a sentence that states no rule. Numbers are never typed, but filled in (`book.places`):
  whatever stands in braces is of a rule in the brackets. Cards are written as they are printed, ``K♠``, and drawn;
- ``steps:`` paragraphs that are numbered, for what is done in a turn;
- ``hand:`` some cards in a row (``KS QS JD``), and ``of:``, whose they are;
- ``scores:`` a table of what scores: lists of the table (``declare.melds``), and rules with what each is for.

At the end `differs` has paragraphs on other books, with the table before the rules: ``[bezique-britannica:
declare.new_card]``. `deal` is a position in which a whole deal is played. `left_out` lists the rules that no sentence
states, each with the reason why a beginner does not need it::

    ruleset: bezique-hoyle
    about: Bézique for someone who has never played it.
    sections:
      - id: cards
        title: What you need
        says:
          - >-
            There are {players.number} players. [players.number] Sit down. []
          - steps:
              - The winner of the trick draws a card. [draw.first, draw.when]
          - {hand: KS QS, of: A marriage}
          - scores: [declare.melds, {seven.points: The seven of trumps}]
    differs:
      - In Britannica a new card is needed. [bezique-britannica: declare.new_card]
    deal: example.a-whole-deal
    left_out:
      score.brisques.two_in_a_trick: It seldom matters.

A handwritten text does not change with the rules, so every sentence names its rules, and tests verify them. A primer
teaches one book, because the rules common to all books do not include the length of a game.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.glossary_pages import first_uses
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, cards
from hoyle_conformance.web.site.replay import replay
from hoyle_conformance.web.site.ruleset_pages import cards_of
from hoyle_conformance.wording import citations
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.html import NOTHING, Markup, joined, tag
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_reference import Cells

_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
_HERE: Final = Path(__file__).parent / "primers"
#: A sentence with its rules in brackets, perhaps of another table.
_SENTENCE: Final = re.compile(r"\s*([^\[\]]+?)\s*\[(?:([\w+-]+):)?([^\[\]]*)\]\s*")


# ---- primer files


@dataclass(frozen=True, slots=True)
class PrimerSentence:
    """A sentence as written, its table, and the rules that it states."""

    written: str
    ruleset: str
    rules: tuple[str, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The values to fill in from the rules, as written in the sentence."""
        return wording.places_in(self.written)

    def words(self, cells: Cells) -> str:
        """Return the sentence with its values filled in; raise KeyError if a value belongs to no rule."""
        return wording.fill(self.written, cells)


Paragraph = tuple[PrimerSentence, ...]


@dataclass(frozen=True, slots=True)
class LessonBlock:
    """A piece of a section, of one kind: a paragraph, numbered paragraphs, cards in a row and their owner, or the paths
    of lists and rules that score, with the purpose of each."""

    paragraphs: tuple[Paragraph, ...] = ()
    numbered: bool = False
    cards: tuple[str, ...] = ()
    whose: str = ""
    rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PrimerSection:
    """A section: its id on the page, its title, and its pieces."""

    id: str
    title: str
    pieces: tuple[LessonBlock, ...]


@dataclass(frozen=True, slots=True)
class Primer:
    """A primer: the table whose game it teaches, a one-sentence description, its sections, and the differences of other
    books.

    It also has the position in which a deal is played, and the rules that it leaves out, each with the reason.
    """

    ruleset: str
    about: str
    sections: tuple[PrimerSection, ...]
    differs: tuple[Paragraph, ...]
    deal: str
    left_out: Mapping[str, str]

    @property
    def sentences(self) -> tuple[PrimerSentence, ...]:
        """All its sentences on its own game, in order."""
        paragraphs = (each for section in self.sections for piece in section.pieces for each in piece.paragraphs)
        return tuple(sentence for paragraph in paragraphs for sentence in paragraph)


@cache
def primers() -> Mapping[str, Primer]:
    """Return the primers by the names of their files, each game's own first; raise Invalid if one cannot be read, and
    ValueError if some text in it is not a sentence with its rules."""
    return {path.stem: _read_primer(read_file(path, path.name).data) for path in sorted(_HERE.glob("*.yaml"))}


def _read_primer(read: Mapping[str, Any]) -> Primer:
    own = read["ruleset"]
    sections = (
        PrimerSection(each["id"], each["title"], tuple(_read_piece(said, own) for said in each["says"]))
        for each in read["sections"]
    )
    differs = tuple(_read_paragraph(each, own) for each in read.get("differs", ()))
    return Primer(own, read["about"], tuple(sections), differs, read.get("deal", ""), read.get("left_out", {}))


def _read_piece(read: str | Mapping[str, Any], own: str) -> LessonBlock:
    if isinstance(read, str):
        return LessonBlock((_read_paragraph(read, own),))
    if "steps" in read:
        return LessonBlock(tuple(_read_paragraph(each, own) for each in read["steps"]), numbered=True)
    if "hand" in read:
        return LessonBlock(cards=tuple(read["hand"].split()), whose=read["of"])
    return LessonBlock(
        rows=tuple((row, "") if isinstance(row, str) else next(iter(row.items())) for row in read["scores"])
    )


def _read_paragraph(written: str, own: str) -> Paragraph:
    return tuple(_read_sentences(" ".join(written.split()), own))


def _read_sentences(written: str, own: str) -> Iterator[PrimerSentence]:
    end = 0
    while end < len(written):
        found = _SENTENCE.match(written, end)
        if not found:
            raise ValueError(f"a sentence without its rules: {written[end:]!r}")
        rules = tuple(rule.strip() for rule in found[3].split(",") if rule.strip())
        yield PrimerSentence(found[1], found[2] or own, rules)
        end = found.end()


# ---- page


def pages(suite: Suite) -> Iterator[Page]:
    """Yield every primer, with links to the others of its game."""
    known = {name: each for name, each in primers().items() if each.ruleset in suite.rulesets}
    titled = {
        name: (suite.rulesets[each.ruleset].game, citations.form(suite, each.ruleset)) for name, each in known.items()
    }
    for name, of in known.items():
        game, form = titled[name]
        writer = PrimerWriter(suite, game, _path_of(game, name), of.ruleset)
        differs = [each for each in of.differs if all(sentence.ruleset in suite.rulesets for sentence in each)]
        yield links.page(
            "learn",
            suite,
            writer.here,
            title=f"Learn {game if name == folder(game) else form}",
            about=of.about,
            kind="learn",
            tab=game,
            folder=folder(game),
            primer=of,
            others=[(of, _path_of(game, each)) for each, (on, of) in titled.items() if on == game and each != name],
            differs=differs,
            deal=suite.scenarios.get(of.deal),
            packs=suite.rules.cells(of.ruleset)["cards.packs"].value,
            writer=writer,
            cards=cards,
        )


def _path_of(game: str, name: str) -> str:
    return f"{folder(game)}/learn{'' if name == folder(game) else f'-{name}'}.html"


class PrimerWriter:
    """Writer of the sentences of a primer, one after another: it numbers them, notes the rules of each, and links each
    term once."""

    def __init__(self, suite: Suite, game: str, here: str, ruleset: str) -> None:
        self.suite, self.game, self.here, self.ruleset = suite, game, here, ruleset
        self.seen, self.notes = set[str](), list[PrimerSentence]()

    def paragraph(self, of: Paragraph) -> Markup:
        """Return a paragraph."""
        return joined(map(self.sentence, of), " ")

    def sentence(self, of: PrimerSentence) -> Markup:
        """Return a sentence with its terms linked, and with a number that links to the first of its rules."""
        said = first_uses(of.words(self.suite.rules.cells(of.ruleset)), self.game, self.here, self.seen)
        said = Markup(_BOLD.sub(lambda found: tag("b", Markup(found[1])), said))
        if not of.rules:
            return said
        self.notes.append(of)
        names = ", ".join(self.name(of.ruleset, rule) for rule in of.rules)
        to = citations.rule_path(of.ruleset, of.rules[0])
        mark = links.a(str(len(self.notes)), to, self.here, title=names, class_="mark")
        return joined((said, tag("sup", mark)))

    def name(self, ruleset: str, rule: str) -> str:
        """Return the heading of a rule."""
        return rulebook.heading(self.suite.rules.cells(ruleset)[rule], rulebook.parameter_schema(self.suite, rule))

    def scores(self, piece: LessonBlock) -> Iterator[tuple[str, str, Markup, int]]:
        """Yield the rows of a table of scores: a rule, its name, its cards, and its points."""
        cells = self.suite.rules.cells(self.ruleset)
        for path, name in piece.rows:
            for cell in cells.rows(path) if path not in cells else (cells[path],):
                called = name or self.name(self.ruleset, cell.path)
                if isinstance(cell.value, Mapping):
                    yield cell.path, called, cards_of(cell.value), cell.value["points"]
                else:
                    yield cell.path, called, NOTHING, cell.value

    def deal(self, scenario: Scenario) -> Markup:
        """Return the replay of a whole deal."""
        checks = [each for each in self.suite.index.checks_of(scenario) if each.ruleset == self.ruleset]
        return replay(self.suite, checks, self.here)
