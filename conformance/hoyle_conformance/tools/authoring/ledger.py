"""A new ledger: an entry for every sentence of a text that points to the sentence without containing it.

The layout of a printed text shows its structure: lines, blocks, the parts of a block, and sentences. Headings split the
text into sections, and each paragraph has a place by which a reader finds it.

The ledger does not show the printed sentence next to the place for our own words: writers would edit it until it looks
different, yet it would still be that sentence.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import LARGEST, decode, read_bytes, refuse_unseen
from hoyle_conformance.suite.lint.ids import STUB, UNWRITTEN
from hoyle_conformance.tools.authoring.draft import scalar

INTRODUCTION: Final = "introduction"
FOOTNOTES: Final = "footnotes"
#: The length of the excerpt that identifies a sentence: never more than half of its words.
_MOST_WORDS_SHOWN: Final = 4
_LONGEST_OPENING: Final = 40  # characters
_LONGEST_SLUG: Final = 40  # characters
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
#: Characters of scanned texts without meaning: page breaks, soft hyphens, spaces without width, variation selectors.
_INVISIBLE: Final = "\f\xad\u200b\u200c\u200d\u2060\ufe0e\ufe0f\ufeff"
_REMOVE_INVISIBLE: Final = dict.fromkeys(map(ord, _INVISIBLE))
_MARK_INVISIBLE: Final = dict.fromkeys(map(ord, _INVISIBLE), "-")
#: The number of a printed page, such as {105}.
_PAGE: Final = re.compile(r"\{\d{1,4}\} ?")
#: A line drawn across the page, or below a sum.
_RULE: Final = re.compile(r"[-=_*~.·•+| ]+")
#: Marks of italics and of footnotes: _both_, **both**, both[7].
_MARKS: Final = re.compile(r"[_*]|\[\d{1,3}\]")
_TAB: Final = 8  # columns
_END: Final = re.compile(r"""[.!?]["'\u201d\u2019)\]»]*$""")  # with any closing quotes
_ABBREVIATIONS: Final = frozenset({"e.g.", "i.e.", "viz.", "cf.", "vs.", "mr.", "mrs.", "messrs.", "dr.", "st."})
_ABBREVIATIONS_BEFORE_A_NUMBER: Final = frozenset({"no.", "nos.", "vol.", "p.", "pp.", "fig."})
_LONGEST_LABEL: Final = 2  # words
_OPENING_MARKS: Final = "\"'\u201c\u2018(["
_LONGEST_HEADING: Final = 80  # characters
_MOST_LINES: Final = 2
_MOST_WORDS: Final = 8
_MOST_WORDS_WITH_A_STOP: Final = 6
_STOP: Final = re.compile(r"[.!?]")
#: A heading on the line of its paragraph: The Deal.--The cards are...
_RUN_IN: Final = re.compile(r"[_*]*([^\W\d_][\w' ]{2,40}?)\.[_*]*\s?(?:--|—)\s?(?=\w)")
_HASHES: Final = re.compile(r"#{1,6} +")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_NO_HEADING: Final = re.compile(r"[,:;|\"“”…]|[\d\-—]$")
_FOOTNOTE: Final = re.compile(r"\[(\d{1,3})\]\s*+(?=\S)|(\d{1,3})\s*+\^\s*+(?=\S)")
_NUMBER: Final = re.compile(r"(\d{1,3})[.)]\s*+(?:(?:--|—)\s*+)?(?=[^\s\d])")
_BULLET: Final = re.compile(r"[•·▪*-]\s++(?=\S)")
#: A gap between a row's text and its figure; a line that ends with a figure.
_GAP: Final = re.compile(r"\S {2,}\S")
_FIGURE: Final = re.compile(r"\d[\d,]*(?: points?)?\.?$")
_LONGEST_FIGURE: Final = 20  # characters
_TABLE_INDENT: Final = 2  # columns
#: The indent of the head or the sum of a column of figures.
_COLUMN: Final = 30  # columns


# ---- lines, blocks, parts and sentences


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A printed line: its number in the file, its indent in columns, and its text."""

    number: int
    indent: int
    text: str

    @property
    def words(self) -> list[str]:
        """The words of the line, without marks of italics and footnotes."""
        return _MARKS.sub("", self.text).split()


def read_text_blocks(path: Path, file: str) -> list[list[PrintedLine]]:
    """Return the blocks of a text file, separated by empty lines, without page numbers; raise Invalid if it is not a
    regular file, is too large, is not UTF-8, or has invisible characters."""
    text = decode(read_bytes(path, file, what="text"), file)
    refuse_unseen(text.translate(_MARK_INVISIBLE), file)
    return split_blocks(text.translate(_REMOVE_INVISIBLE))


def split_blocks(text: str) -> list[list[PrintedLine]]:
    """Return the blocks of a text; an indent that all lines share is removed."""
    lines = list(_printed_lines(text))
    least = min((line.indent for line in lines if line.text), default=0)
    blocks: list[list[PrintedLine]] = [[]]
    for line in lines:
        if line.text:
            blocks[-1].append(PrintedLine(line.number, line.indent - least, line.text))
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _printed_lines(text: str) -> Iterator[PrintedLine]:
    """Yield the printed lines, without those that have only a page number."""
    for number, whole in enumerate(text.split("\n"), start=1):
        line = _PAGE.sub("", whole).expandtabs(_TAB).rstrip()
        if line == whole.rstrip() or line:
            left = line.lstrip()
            yield PrintedLine(number, len(line) - len(left), "" if _RULE.fullmatch(left) else left)


@dataclass(frozen=True, slots=True)
class TextSentence:
    """A sentence of a text: the line on which it begins, and its words."""

    line: int
    words: tuple[str, ...]


def split_sentences(lines: Iterable[PrintedLine]) -> Iterator[TextSentence]:
    """Yield the sentences in these lines that have a letter or a digit. A label of one or two words at the beginning
    belongs to the sentence after it."""
    words = [(line.number, word) for line in lines for word in line.words]
    begun = 0
    for at, (_, word) in enumerate(words, start=1):
        is_last = at == len(words)
        if is_last or (_ends_sentence(word, words[at][1]) and (begun or at > _LONGEST_LABEL)):
            sentence = tuple(each for _, each in words[begun:at])
            if any(char.isalnum() for word in sentence for char in word):
                yield TextSentence(words[begun][0], sentence)
            begun = at


def _ends_sentence(word: str, following: str) -> bool:
    """Whether a sentence ends with a word, given the next word."""
    if not _END.search(word):
        return False
    first = following.lstrip(_OPENING_MARKS)[:1]
    short = word.lstrip(_OPENING_MARKS).lower()
    if short in _ABBREVIATIONS or (short in _ABBREVIATIONS_BEFORE_A_NUMBER and first.isdigit()):
        return False
    return not first.islower()


class Shape(Enum):
    """The shape of a part of a block; a column is the head or the sum of a column of figures."""

    PARAGRAPH = "paragraph"
    ROW = "row"
    COLUMN = "column"
    NUMBER = "number"
    BULLET = "bullet"
    FOOTNOTE = "footnote"


@dataclass(frozen=True, slots=True)
class BlockPart:
    """A part of a block: its shape, its lines without their mark, the number printed before it, and its indent in
    columns."""

    shape: Shape
    lines: tuple[PrintedLine, ...]
    number: int = 0
    indent: int = 0


def split_heading(block: Sequence[PrintedLine], following: Sequence[PrintedLine]) -> tuple[str, Sequence[PrintedLine]]:
    """Return the heading with which a block begins (empty if it has none), and the rest of the block."""
    if found := _RUN_IN.match(block[0].text):
        return " ".join(replace(block[0], text=found[1]).words), [_after_mark(block[0], found), *block[1:]]
    heading = _heading(block, following)
    return heading, () if heading else block


def _heading(block: Sequence[PrintedLine], following: Sequence[PrintedLine]) -> str:
    """Return the text of a block that is a heading, else an empty text. A block that continues in small letters is
    no heading."""
    if following and following[0].text[0].islower():
        return ""
    hashes = _HASHES.match(block[0].text) if len(block) == 1 else None
    lines = [_after_mark(block[0], hashes)] if hashes else block
    text = " ".join(word for line in lines for word in line.words).rstrip(".").rstrip()
    if len(text) > _LONGEST_HEADING or not _LETTERS.search(text):
        return ""
    in_capitals = text == text.upper() and len(block) <= _MOST_LINES and not any(map(_has_gap, block))
    return text if hashes or in_capitals or (len(block) == 1 and _is_title(block[0])) else ""


def _has_gap(line: PrintedLine) -> bool:
    return bool(_GAP.search(line.text))


def _is_title(line: PrintedLine) -> bool:
    """Whether a line is a title in small letters: short, and not a sentence."""
    text, words = " ".join(line.words), line.words
    if line.indent or _has_gap(line) or len(words) > _MOST_WORDS or _NO_HEADING.search(text):
        return False
    if not text[0].isupper() or text.count("(") != text.count(")"):
        return False
    if text[-1] == ".":
        is_short = len(words) <= _MOST_WORDS_WITH_A_STOP and not _STOP.search(text[:-1])
        return is_short and any(word[0].isupper() for word in words[1:])
    return text[-1] not in "!?"


def split_parts(block: Sequence[PrintedLine]) -> Iterator[BlockPart]:
    """Yield the parts of a block that is not a heading, in order: list items and footnotes with the lines that continue
    them, and what the lines before them are."""
    begun: BlockPart | None = None
    lines: list[PrintedLine] = []
    for line in (*block, None):
        item = _item(line, begun.number if begun else 0, is_first=line is block[0]) if line else None
        if line and not item:
            lines.append(line)
        elif begun:
            yield replace(begun, lines=(*begun.lines, *lines))
        else:
            yield from _unmarked_parts(lines)
        if item:
            begun, lines = item, []


def _item(line: PrintedLine, last: int, *, is_first: bool) -> BlockPart | None:
    """Return the list item or footnote that begins with a line; None if a number begins the line by chance."""
    if found := _FOOTNOTE.match(line.text):
        return BlockPart(Shape.FOOTNOTE, (_after_mark(line, found),), int(found[1] or found[2]))
    if (found := _NUMBER.match(line.text)) and (is_first or int(found[1]) == last + 1):
        return BlockPart(Shape.NUMBER, (_after_mark(line, found),), int(found[1]), line.indent)
    if found := _BULLET.match(line.text):
        return BlockPart(Shape.BULLET, (_after_mark(line, found),), 0, line.indent)
    return None


def _after_mark(line: PrintedLine, mark: re.Match[str]) -> PrintedLine:
    return PrintedLine(line.number, line.indent, line.text[mark.end() :])


def _unmarked_parts(lines: list[PrintedLine]) -> Iterator[BlockPart]:
    """Yield the parts of lines without a mark: the rows of a table, or paragraphs."""
    if not lines:
        return
    if all(line.indent >= _TABLE_INDENT for line in lines):
        yield from _rows(lines)
        return
    before = next((at for at, line in enumerate(lines, start=1) if line.text.endswith((":", "—", "--"))), 0)
    rows = lines[before:]
    with_figure = [line for line in rows if _FIGURE.search(" ".join(line.words[-2:])[-_LONGEST_FIGURE:])]
    if len(rows) > 1 and len(with_figure) * 3 >= len(rows) * 2:
        yield from _paragraphs(lines[:before])
        yield from (BlockPart(Shape.ROW, (line,)) for line in rows)
    else:
        yield from _paragraphs(lines)


def _rows(lines: Sequence[PrintedLine]) -> Iterator[BlockPart]:
    """Yield the rows of a table: each ends with its figure; without figures, each line is a row."""
    have_figures = any(map(_has_gap, lines))
    row: list[PrintedLine] = []
    for line in lines:
        is_deep = line.indent >= _COLUMN
        if is_deep and not row:
            yield BlockPart(Shape.COLUMN, (line,))
            continue
        row.append(line)
        if is_deep or not have_figures or _has_gap(line):
            yield BlockPart(Shape.ROW, tuple(row))
            row = []
    if row:
        yield BlockPart(Shape.ROW, tuple(row))


def _paragraphs(lines: Sequence[PrintedLine]) -> Iterator[BlockPart]:
    """Yield paragraphs; if their first lines are indented and others are not, each such line begins one."""
    begun: list[PrintedLine] = []
    for line in lines:
        if begun and line.indent > begun[-1].indent:
            yield BlockPart(Shape.PARAGRAPH, tuple(begun))
            begun = []
        begun.append(line)
    if begun:
        yield BlockPart(Shape.PARAGRAPH, tuple(begun))


# ---- sections


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
    """Return the sections of a text in order, including empty ones; all footnotes come last."""
    names = UniqueNames("{name} ({number})", INTRODUCTION, FOOTNOTES)
    sections: list[TextSection] = []
    footnotes: list[TextParagraph] = []
    name, line, place, own = INTRODUCTION, 0, _Counters(), list[TextParagraph]()
    for block, following in pairwise([*blocks, ()]):
        heading, below = split_heading(block, following)
        if heading:
            sections.append(TextSection(name, line, tuple(own)))
            heading = heading.capitalize() if heading == heading.upper() else heading
            name, line, place, own = names.unique(heading), block[0].number, _Counters(), []
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


@dataclass(slots=True)
class _Counters:
    """The counters of a section: its paragraphs, and within each the rows and the bullets below it."""

    paragraphs: int = 0
    rows: int = 0
    bullets: list[list[int]] = field(default_factory=list)  # of each level: the indent, and the number of bullets
    number: int = 0

    def of(self, part: BlockPart) -> str:
        """Return the place of the next part of the section."""
        within = ""
        match part.shape:
            case Shape.PARAGRAPH:
                self.paragraphs, self.number, self.rows, self.bullets = self.paragraphs + 1, 0, 0, []
            case Shape.NUMBER:
                self.number, self.rows, self.bullets = part.number, 0, []
            case Shape.BULLET:
                within = self._bullet(part.indent)
            case Shape.ROW:
                self.rows += 1
                within = f"row {self.rows}"
            case _:
                within = f"below row {self.rows}" if self.rows else "above row 1"
        numbers = ((self.paragraphs, "paragraph"), (self.number, "number"))
        return ", ".join([*(f"{word} {number}" for number, word in numbers if number), *([within] if within else [])])

    def _bullet(self, indent: int) -> str:
        """Return the place of a bullet among those above it and those that it is under."""
        while len(self.bullets) > 1 and self.bullets[-1][0] > indent:
            self.bullets.pop()
        if not self.bullets or indent > self.bullets[-1][0]:
            self.bullets.append([indent, 0])
        self.bullets[-1][1] += 1
        words = ["bullet", *["item"] * len(self.bullets)]
        return ", ".join(f"{word} {count}" for word, (_, count) in zip(words, self.bullets, strict=False))


@dataclass(frozen=True, slots=True)
class NewSource:
    """A new source without its text: its id, its title (empty if unknown), and the ids of its printings, if there are
    several."""

    id: str
    title: str = ""
    printings: tuple[str, ...] = ()


def ledger_text(source: NewSource, sections: Sequence[TextSection], file: str = "") -> str:
    """Return the first ledger of a text, as YAML that is valid except for the parts to be written; raise Invalid, with
    the name of the text's `file`, if the text has no paragraph or too many for a ledger."""
    written = "\n".join([*_head_lines(source, sections), *_clause_lines(source.id, sections)]) + "\n"
    if file and not any(section.paragraphs for section in sections):
        message = "no paragraph was found in this text"
        raise Invalid([Diagnostic(file, 1, 1, "no-paragraphs", message, "Name the file that holds the text itself.")])
    if file and (size := len(written.encode())) > LARGEST:
        message = f"a ledger of this text would be too large ({size:,} bytes)"
        remedy = f"A file may have up to {LARGEST:,} bytes: put the chapters about one game into a file of their own."
        raise Invalid([Diagnostic(file, 1, 1, "too-large", message, remedy)])
    return written


def _head_lines(source: NewSource, sections: Sequence[TextSection]) -> Iterator[str]:
    yield _HEAD.format(todo=UNWRITTEN)
    yield f"id: {scalar(source.id, alone=True)}"
    yield f"title: {scalar(source.title or UNWRITTEN, alone=True)}"
    yield f"about: {UNWRITTEN}  # what kind of text it is, in which form it was read, how paragraphs are counted"
    yield "provenance:  # 'not stated' if neither the text nor a library catalogue says"
    yield from (f"  {word}: {UNWRITTEN}" for word in PROVENANCE)
    if source.printings:
        yield "printings:  # the first is the one that this ledger is made from"
    for printing in source.printings:
        yield f"  - id: {scalar(printing, alone=True)}"
        yield f"    title: {UNWRITTEN}  # what a reader would call it"
        yield f"    about: {UNWRITTEN}  # how it differs from the others"
    yield "covers:"
    yield from (f"  - {scalar(section.name, alone=True)}" for section in sections if section.paragraphs)
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
            yield f"    where: {scalar(where, alone=True)}"
            yield "    kind: rule"
            yield f"    says: {UNWRITTEN}  # line {sentence.line}: {_opening(sentence)} …"
            yield ""


def _opening(sentence: TextSentence) -> str:
    """Return the first words of a sentence."""
    most = min(_MOST_WORDS_SHOWN, max(1, len(sentence.words) // 2))
    return " ".join(sentence.words[:most])[:_LONGEST_OPENING]


def _slug(name: str) -> str:
    """Return a section's name as part of an id."""
    letters = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    words = re.findall("[a-z0-9]+", letters.replace("'", ""))
    return "-".join(words)[:_LONGEST_SLUG].strip("-") or "section"
