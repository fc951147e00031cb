"""A new ledger: an entry for every sentence of a text, which points to the sentence and does not contain it.

The text is split into sections by its headings, and each paragraph has a place by which a reader finds it.

A new ledger points into the text and does not contain it: a sentence beside the place for our own words would be
edited until it looks different, and would still be that sentence.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import LARGEST
from hoyle_conformance.suite.lint.ids import STUB, UNWRITTEN
from hoyle_conformance.tools.authoring.text_blocks import (
    BlockPart,
    PrintedLine,
    Shape,
    TextSentence,
    split_heading,
    split_parts,
    split_sentences,
)

INTRODUCTION: Final = "introduction"
FOOTNOTES: Final = "footnotes"
_WORD: Final = re.compile(r"[^\W\d_]+")
#: How much of a sentence is shown, to find it: never more than half of its words.
_MOST_WORDS: Final = 4
_LONGEST_OPENING: Final = 40  # characters
_LONGEST_SLUG: Final = 40  # characters
#: Plain text in YAML, between a key and the end of the line.
_PLAIN: Final = re.compile(r"[^\W\d_](?:[\w ,.()/'-]*[\w)])?")
_NOT_TEXT: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_HEAD: Final = """\
# yaml-language-server: $schema=../schemas/source.schema.json
#
# A ledger to complete: it refers to places in the text, and contains none of its sentences. In each entry, write
#   - in place of {todo}, what the sentence says, in your own words;
#   - its kind: rule, definition, example, option, advice or procedure;
#   - in place of todo-1, todo-2 and so on, an id that names the statement; ids are permanent.
# A sentence with several statements gets several entries; remove the entry of one that says nothing about the game.
# Run 'hoyle validate' on this file to see what is left."""
#: The keys of a ledger about its text.
PROVENANCE: Final = ("author", "title", "edition", "year", "publisher", "rights", "found_in")


@dataclass(frozen=True, slots=True)
class TextParagraph:
    """A paragraph, a row of a table, an item of a list or a footnote: its place, and its sentences."""

    where: str
    sentences: tuple[TextSentence, ...]


@dataclass(frozen=True, slots=True)
class TextSection:
    """A section of a text: its name, the line of its heading (0 if there is none), and its paragraphs."""

    name: str
    line: int
    paragraphs: tuple[TextParagraph, ...]


def split_sections(blocks: Sequence[Sequence[PrintedLine]]) -> list[TextSection]:
    """Return the sections of a text in order, also empty ones; all footnotes come last."""
    names = _SectionNames(blocks)
    sections: list[TextSection] = []
    footnotes: list[TextParagraph] = []
    name, line, place, own = INTRODUCTION, 0, _Counters(), list[TextParagraph]()
    for block, following in pairwise([*blocks, ()]):
        heading, below = split_heading(block, following)
        if heading:
            sections.append(TextSection(name, line, tuple(own)))
            name, line, place, own = names.of(heading), block[0].number, _Counters(), []
        for part in split_parts(below):
            sentences = tuple(split_sentences(part.lines))
            if part.shape is Shape.FOOTNOTE and sentences:
                footnotes.append(TextParagraph(f"footnote {part.number}", sentences))
            elif sentences:
                own.append(TextParagraph(f"{name}, {place.of(part)}", sentences))
    sections += [TextSection(name, line, tuple(own)), TextSection(FOOTNOTES, 0, tuple(footnotes))]
    return [section for section in sections if section.line or section.paragraphs]


class UniqueNames:
    """Unique names, ignoring capitals: a repeated name gets a number, from 2."""

    def __init__(self, form: str, *taken: str) -> None:
        self._form, self._times = form, dict.fromkeys(taken, 1)

    def unique(self, name: str) -> str:
        """Return the name, or one made from it."""
        given = name
        while given.lower() in self._times:
            self._times[name.lower()] += 1
            given = self._form.format(name=name, number=self._times[name.lower()])
        self._times[given.lower()] = 1
        return given


class _SectionNames:
    """The names of sections: a heading in capitals is written in small letters, except words that have a capital
    within the text's sentences; a repeated heading is numbered."""

    def __init__(self, blocks: Iterable[Sequence[PrintedLine]]) -> None:
        self._spelt = Counter(_words_within_sentences(line for block in blocks for line in block))
        self._distinct = UniqueNames("{name} ({number})", INTRODUCTION, FOOTNOTES)

    def of(self, heading: str) -> str:
        """Return the name of one more section."""
        return self._distinct.unique(self._sentence_case(heading) if heading == heading.upper() else heading)

    def _sentence_case(self, heading: str) -> str:
        small = _WORD.sub(lambda found: self._word(found[0].lower()), heading)
        return small[:1].upper() + small[1:]

    def _word(self, word: str) -> str:
        capital = word.capitalize()
        return capital if self._spelt[capital] > self._spelt[word] else word


def _words_within_sentences(lines: Iterable[PrintedLine]) -> Iterator[str]:
    """Yield the words that follow another in the same sentence on the same line."""
    for line in lines:
        before = ""
        for word in line.words:
            if before[-1:].islower() or before[-1:] == ",":
                yield from _WORD.findall(word)
            before = word


@dataclass(slots=True)
class _Counters:
    """The counters of a section: its paragraphs, and within each the rows and the bullets below it."""

    paragraphs: int = 0
    rows: int = 0
    bullets: list[list[int]] = field(default_factory=list)  # of each level: the indent, and the number of bullets
    number: int = 0

    def of(self, part: BlockPart) -> str:
        """Return the place of the next part of the section."""
        if part.shape is Shape.PARAGRAPH:
            self.paragraphs, self.number = self.paragraphs + 1, 0
            self._begin()
            return f"paragraph {self.paragraphs}"
        if part.shape is Shape.NUMBER:
            self.number = part.number
            self._begin()
            return self._place_within("")
        if part.shape is Shape.BULLET:
            return self._place_within(self._bullet(part.indent))
        if part.shape is Shape.ROW:
            self.rows += 1
            return self._place_within(f"row {self.rows}")
        return self._place_within(f"below row {self.rows}" if self.rows else "above row 1")

    def _begin(self) -> None:
        self.rows, self.bullets = 0, []

    def _place_within(self, place: str) -> str:
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


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source before it is read: its id, its title (empty if unknown), and the ids of its printings, if there are
    several."""

    id: str
    title: str = ""
    printings: tuple[str, ...] = ()


def ledger_text(source: NewSource, sections: Sequence[TextSection]) -> str:
    """Return the first ledger of a text, as YAML; it is valid except for the parts to be written."""
    return "\n".join([*_head_lines(source, sections), *_clause_lines(source.id, sections)]) + "\n"


def limited_ledger_text(source: NewSource, sections: Sequence[TextSection], file: str) -> str:
    """Return the same text; raises Invalid, with the name of the text's `file`, if the text has no paragraph or too
    many for a ledger."""
    if not any(section.paragraphs for section in sections):
        message = "no paragraph was found in this text"
        raise Invalid([Diagnostic(file, 1, 1, "no-paragraphs", message, "Name the file that holds the text itself.")])
    written = ledger_text(source, sections)
    if (size := len(written.encode())) > LARGEST:
        message = f"a ledger of this text would be too large ({size:,} bytes)"
        remedy = f"A file may have up to {LARGEST:,} bytes: put the chapters about one game into a file of their own."
        raise Invalid([Diagnostic(file, 1, 1, "too-large", message, remedy)])
    return written


def _head_lines(source: NewSource, sections: Sequence[TextSection]) -> Iterator[str]:
    yield _HEAD.format(todo=UNWRITTEN)
    yield f"id: {_yaml_text(source.id)}"
    yield f"title: {_yaml_text(source.title or UNWRITTEN)}"
    yield f"about: {UNWRITTEN}  # what kind of text it is, in which form it was read, how paragraphs are counted"
    yield "provenance:  # 'not stated' if neither the text nor a library catalogue says"
    yield from (f"  {word}: {UNWRITTEN}" for word in PROVENANCE)
    if source.printings:
        yield "printings:  # the first is the one that this ledger is made from"
    for printing in source.printings:
        yield f"  - id: {_yaml_text(printing)}"
        yield f"    title: {UNWRITTEN}  # what a reader would call it"
        yield f"    about: {UNWRITTEN}  # how it differs from the others"
    yield "covers:"
    yield from (f"  - {_yaml_text(section.name)}" for section in sections if section.paragraphs)
    yield "complete: false  # true when every statement of these parts is here"
    yield ""
    yield "clauses:"


def _clause_lines(source: str, sections: Sequence[TextSection]) -> Iterator[str]:
    slugs = UniqueNames("{name}-{number}")
    for section in sections:
        line = f", line {section.line} of the text" if section.line else ""
        yield f"  # ---- {section.name}{line}"
        slug = slugs.unique(_slug(section.name))
        sentences = [(each.where, sentence) for each in section.paragraphs for sentence in each.sentences]
        for number, (where, sentence) in enumerate(sentences, start=1):
            yield f"  - id: {source}/{slug}/{STUB}{number}"
            yield f"    where: {_yaml_text(where)}"
            yield "    kind: rule"
            yield f"    says: {UNWRITTEN}  # line {sentence.line}: {_opening(sentence)} …"
            yield ""


def _opening(sentence: TextSentence) -> str:
    """Return the first words of a sentence."""
    most = min(_MOST_WORDS, max(1, len(sentence.words) // 2))
    return " ".join(sentence.words[:most])[:_LONGEST_OPENING]


def _slug(name: str) -> str:
    """Return a section's name as part of an id."""
    letters = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    words = re.findall("[a-z0-9]+", letters.replace("'", ""))
    return "-".join(words)[:_LONGEST_SLUG].strip("-") or "section"


def _yaml_text(text: str) -> str:
    """Return text in YAML, behind a key."""
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    return json.dumps(text, ensure_ascii=False)
