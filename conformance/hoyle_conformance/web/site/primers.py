"""Primers: a game told to someone who has never played it, each sentence with the rules that it says.

A primer is a file in ``primers/``. It teaches the game of one book, the table `ruleset`. Its text is in sections; what
a section `says` is, one after another:

- a paragraph: sentences, each followed by the rules that it says, in brackets (their paths in that table). Brackets
  with nothing in them are for a sentence that states no rule. Numbers are never typed, but filled in (`book.places`):
  whatever stands in braces is of a rule in the brackets. Cards are written as they are printed, ``K♠``, and drawn;
- ``steps:`` paragraphs that are numbered, for what is done in a turn;
- ``hand:`` some cards in a row (``KS QS JD``), and ``of:``, whose they are;
- ``scores:`` a table of what scores: lists of the table (``declare.melds``), and rules with what each is for.

At the end `differs` has paragraphs on other books, with the table before the rules: ``[bezique-britannica:
declare.new_card]``. `deal` is a position in which a whole deal is played. Rules that no sentence says are under
`left_out`, with the reason why someone who plays for the first time does well without them::

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

A text written by hand is not corrected when a rule changes. So every sentence names its rules, and tests verify them.
A primer teaches one book, because what all books have in common leaves out how long a game is.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.wording.rulebook.templates import fill, places_in
from hoyle_reference import Cells

_HERE: Final = Path(__file__).parent / "primers"
#: A sentence, and the rules after it, perhaps of another table.
_SENTENCE: Final = re.compile(r"\s*([^\[\]]+?)\s*\[(?:([\w+-]+):)?([^\[\]]*)\]\s*")


@dataclass(frozen=True, slots=True)
class PrimerSentence:
    """A sentence as it is written, the table that it is about, and the rules in it that the sentence says."""

    written: str
    ruleset: str
    rules: tuple[str, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """What is filled in from the rules, as it is written."""
        return places_in(self.written)

    def words(self, cells: Cells) -> str:
        """Return the sentence as it is read; raises KeyError if a place in it is of no rule."""
        return fill(self.written, cells)


Paragraph = tuple[PrimerSentence, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """Paragraphs that are numbered."""

    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """Some cards in a row, and whose they are."""

    cards: tuple[str, ...]
    of: str


@dataclass(frozen=True, slots=True)
class Scores:
    """A table of what scores: paths of lists, and of rules with what each is for."""

    rows: tuple[tuple[str, str], ...]


Piece = Paragraph | Steps | Hand | Scores


@dataclass(frozen=True, slots=True)
class PrimerSection:
    """A section: its id on the page, its title, and what it says."""

    id: str
    title: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Primer:
    """A primer: the table whose game it teaches, what it is in a sentence, its sections, how other books differ, the
    position in which a deal is played, and the rules that it leaves out, each with the reason."""

    ruleset: str
    about: str
    sections: tuple[PrimerSection, ...]
    differs: tuple[Paragraph, ...]
    deal: str
    left_out: Mapping[str, str]

    @property
    def sentences(self) -> tuple[PrimerSentence, ...]:
        """All its sentences on its own game, in order."""
        pieces = (piece for section in self.sections for piece in section.pieces)
        return tuple(sentence for piece in pieces for paragraph in paragraphs(piece) for sentence in paragraph)


@cache
def primer(folder: str) -> Primer | None:
    """Return the primer of a game, by the name of its folder, if there is one; raises Invalid if it cannot be read, and
    ValueError if something in it is no sentence with its rules."""
    path = _HERE / f"{folder}.yaml"
    return _primer(read_file(path, path.name).data) if path.is_file() else None


def paragraphs(piece: Piece) -> tuple[Paragraph, ...]:
    """Return the paragraphs in a piece."""
    if isinstance(piece, Steps):
        return piece.paragraphs
    return () if isinstance(piece, Hand | Scores) else (piece,)


def _primer(read: Mapping[str, Any]) -> Primer:
    own = read["ruleset"]
    sections = (
        PrimerSection(each["id"], each["title"], tuple(_piece(said, own) for said in each["says"]))
        for each in read["sections"]
    )
    differs = tuple(_paragraph(each, own) for each in read.get("differs", ()))
    return Primer(own, read["about"], tuple(sections), differs, read.get("deal", ""), read.get("left_out", {}))


def _piece(read: str | Mapping[str, Any], own: str) -> Piece:
    if isinstance(read, str):
        return _paragraph(read, own)
    if "steps" in read:
        return Steps(tuple(_paragraph(each, own) for each in read["steps"]))
    if "hand" in read:
        return Hand(tuple(read["hand"].split()), read["of"])
    return Scores(tuple((row, "") if isinstance(row, str) else next(iter(row.items())) for row in read["scores"]))


def _paragraph(written: str, own: str) -> Paragraph:
    return tuple(_sentences(" ".join(written.split()), own))


def _sentences(written: str, own: str) -> Iterator[PrimerSentence]:
    end = 0
    while end < len(written):
        found = _SENTENCE.match(written, end)
        if not found:
            raise ValueError(f"a sentence without its rules: {written[end:]!r}")
        rules = tuple(rule.strip() for rule in found[3].split(",") if rule.strip())
        yield PrimerSentence(found[1], found[2] or own, rules)
        end = found.end()
