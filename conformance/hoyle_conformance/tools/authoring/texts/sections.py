"""Sections: the paragraphs of a text under its headings, each with what a reader finds it by."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hoyle_conformance.tools.authoring.texts.blocks import BlockPart, Shape, begun_by, parts_of
from hoyle_conformance.tools.authoring.texts.lines import PrintedLine
from hoyle_conformance.tools.authoring.texts.sentences import TextSentence, sentences_of
from hoyle_reference.frozen import frozen

INTRODUCTION: Final = "introduction"
FOOTNOTES: Final = "footnotes"
_WORD: Final = re.compile(r"[^\W\d_]+")


@frozen
class TextParagraph:
    """A paragraph, a row of a table, an item of a list or a footnote: where it stands, and its sentences."""

    where: str
    sentences: tuple[TextSentence, ...]


@frozen
class TextSection:
    """What stands under a heading: its name, the line of the heading (0 where there is none), and its paragraphs."""

    name: str
    line: int
    paragraphs: tuple[TextParagraph, ...]


def sections_of(blocks: Sequence[Sequence[PrintedLine]]) -> list[TextSection]:
    """The sections of a text in order, also those with nothing under their heading; the footnotes, wherever they stand,
    come last."""
    names = _Names(blocks)
    sections: list[TextSection] = []
    footnotes: list[TextParagraph] = []
    name, line, place, own = INTRODUCTION, 0, _Place(), list[TextParagraph]()
    for block, following in pairwise([*blocks, ()]):
        heading, below = begun_by(block, following)
        if heading:
            sections.append(TextSection(name, line, tuple(own)))
            name, line, place, own = names.of(heading), block[0].number, _Place(), []
        for part in parts_of(below):
            sentences = tuple(sentences_of(part.lines))
            if part.shape is Shape.FOOTNOTE and sentences:
                footnotes.append(TextParagraph(f"footnote {part.number}", sentences))
            elif sentences:
                own.append(TextParagraph(f"{name}, {place.of(part)}", sentences))
    sections += [TextSection(name, line, tuple(own)), TextSection(FOOTNOTES, 0, tuple(footnotes))]
    return [section for section in sections if section.line or section.paragraphs]


class UniqueNames:
    """Names of which none is given twice, nor in other capitals: one that comes again is given in a form with a number,
    from 2."""

    def __init__(self, form: str, *taken: str) -> None:
        self._form, self._times = form, dict.fromkeys(taken, 1)

    def one(self, name: str) -> str:
        """The name, or one made from it."""
        given = name
        while given.lower() in self._times:
            self._times[name.lower()] += 1
            given = self._form.format(name=name, number=self._times[name.lower()])
        self._times[given.lower()] = 1
        return given


class _Names:
    """What sections are called: a heading in capitals is written small, but for words that the text has with a capital
    in the midst of sentences; a heading that comes again is numbered."""

    def __init__(self, blocks: Iterable[Sequence[PrintedLine]]) -> None:
        self._spelt = Counter(_in_midst(line for block in blocks for line in block))
        self._distinct = UniqueNames("{name} ({number})", INTRODUCTION, FOOTNOTES)

    def of(self, heading: str) -> str:
        """The name of one more section."""
        return self._distinct.one(self._small(heading) if heading == heading.upper() else heading)

    def _small(self, heading: str) -> str:
        small = _WORD.sub(lambda found: self._word(found[0].lower()), heading)
        return small[:1].upper() + small[1:]

    def _word(self, word: str) -> str:
        capital = word.capitalize()
        return capital if self._spelt[capital] > self._spelt[word] else word


def _in_midst(lines: Iterable[PrintedLine]) -> Iterator[str]:
    """The words that follow another in the same sentence on the same line."""
    for line in lines:
        before = ""
        for word in line.words:
            if before[-1:].islower() or before[-1:] == ",":
                yield from _WORD.findall(word)
            before = word


@dataclass(slots=True)
class _Place:
    """How far a section has come: its paragraphs are counted, and within each the rows and the bullets below it."""

    paragraphs: int = 0
    rows: int = 0
    bullets: list[list[int]] = field(default_factory=list)  # of each level: its indent, and how many there are
    number: int = 0

    def of(self, part: BlockPart) -> str:
        """Where the next part of the section stands."""
        if part.shape is Shape.PARAGRAPH:
            self.paragraphs, self.number = self.paragraphs + 1, 0
            self._begin()
            return f"paragraph {self.paragraphs}"
        if part.shape is Shape.NUMBER:
            self.number = part.number
            self._begin()
            return self._within("")
        if part.shape is Shape.BULLET:
            return self._within(self._bullet(part.indent))
        if part.shape is Shape.ROW:
            self.rows += 1
            return self._within(f"row {self.rows}")
        return self._within(f"below row {self.rows}" if self.rows else "above row 1")

    def _begin(self) -> None:
        self.rows, self.bullets = 0, []

    def _within(self, place: str) -> str:
        numbers = ((self.paragraphs, "paragraph"), (self.number, "number"))
        return ", ".join([*(f"{word} {number}" for number, word in numbers if number), *([place] if place else [])])

    def _bullet(self, indent: int) -> str:
        while len(self.bullets) > 1 and self.bullets[-1][0] > indent:
            self.bullets.pop()
        if not self.bullets or indent > self.bullets[-1][0]:
            self.bullets.append([indent, 0])
        self.bullets[-1][1] += 1
        words = ["bullet", *["item"] * len(self.bullets)]
        return ", ".join(f"{word} {count}" for word, (_, count) in zip(words, self.bullets, strict=False))
