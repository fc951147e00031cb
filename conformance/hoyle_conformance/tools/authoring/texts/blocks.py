"""Shapes: what a block of lines is, told by how it is printed: a heading, prose, a table, a list or footnotes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

from hoyle_conformance.tools.authoring.texts.lines import PrintedLine
from hoyle_reference.frozen import frozen

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

#: A gap between what a row says and its figure; a line that ends with a figure.
_GAP: Final = re.compile(r"\S {2,}\S")
_FIGURE: Final = re.compile(r"\d[\d,]*(?: points?)?\.?$")
_LONGEST_FIGURE: Final = 20  # characters
_TABLE_INDENT: Final = 2  # columns
#: So far to the right stands what heads a column of figures, or sums it up.
_COLUMN: Final = 30  # columns


class Shape(Enum):
    """What a part of a block is; a column is what heads a column of figures, or sums it up."""

    PARAGRAPH = "paragraph"
    ROW = "row"
    COLUMN = "column"
    NUMBER = "number"
    BULLET = "bullet"
    FOOTNOTE = "footnote"


@frozen
class BlockPart:
    """A part of a block: what it is, its lines without what marks it, the number that is printed before it, and by how
    many columns it is indented."""

    shape: Shape
    lines: tuple[PrintedLine, ...]
    number: int = 0
    indent: int = 0


def begun_by(block: Sequence[PrintedLine], following: Sequence[PrintedLine]) -> tuple[str, Sequence[PrintedLine]]:
    """The heading with which a block begins, if it has one, and what of the block goes on below it."""
    if found := _RUN_IN.match(block[0].text):
        return " ".join(replace(block[0], text=found[1]).words), [_behind(block[0], found), *block[1:]]
    heading = _heading(block, following)
    return heading, () if heading else block


def _heading(block: Sequence[PrintedLine], following: Sequence[PrintedLine]) -> str:
    """What a block says, if it is a heading; else nothing. What goes on in small letters is no heading."""
    if following and following[0].text[0].islower():
        return ""
    hashes = _HASHES.match(block[0].text) if len(block) == 1 else None
    lines = [_behind(block[0], hashes)] if hashes else block
    text = " ".join(word for line in lines for word in line.words).rstrip(".").rstrip()
    if len(text) > _LONGEST_HEADING or not _LETTERS.search(text):
        return ""
    in_capitals = text == text.upper() and len(block) <= _MOST_LINES and not any(map(_has_gap, block))
    return text if hashes or in_capitals or (len(block) == 1 and _is_title(block[0])) else ""


def _has_gap(line: PrintedLine) -> bool:
    return bool(_GAP.search(line.text))


def _is_title(line: PrintedLine) -> bool:
    """Whether a line is a title in small letters: short, and no sentence."""
    text, words = " ".join(line.words), line.words
    if line.indent or _has_gap(line) or len(words) > _MOST_WORDS or _NO_HEADING.search(text):
        return False
    if not text[0].isupper() or text.count("(") != text.count(")"):
        return False
    if text[-1] == ".":
        is_short = len(words) <= _MOST_WORDS_WITH_A_STOP and not _STOP.search(text[:-1])
        return is_short and any(word[0].isupper() for word in words[1:])
    return text[-1] not in "!?"


def parts_of(block: Sequence[PrintedLine]) -> Iterator[BlockPart]:
    """The parts of a block that is no heading, in order."""
    begun: BlockPart | None = None
    lines: list[PrintedLine] = []
    for line in block:
        item = _item(line, begun.number if begun else 0, is_first=line is block[0])
        if item:
            yield from _whole(begun, lines)
            begun, lines = item, []
        else:
            lines.append(line)
    yield from _whole(begun, lines)


def _whole(begun: BlockPart | None, lines: list[PrintedLine]) -> Iterator[BlockPart]:
    """What was begun, with the lines that go on with it; or what lines are that no mark begins."""
    if begun:
        yield replace(begun, lines=(*begun.lines, *lines))
    else:
        yield from _unmarked(lines)


def _item(line: PrintedLine, last: int, *, is_first: bool) -> BlockPart | None:
    """The item of a list, or the footnote, that begins with a line; a figure that only happens to begin a line is
    none."""
    if found := _FOOTNOTE.match(line.text):
        return BlockPart(Shape.FOOTNOTE, (_behind(line, found),), int(found[1] or found[2]))
    if (found := _NUMBER.match(line.text)) and (is_first or int(found[1]) == last + 1):
        return BlockPart(Shape.NUMBER, (_behind(line, found),), int(found[1]), line.indent)
    if found := _BULLET.match(line.text):
        return BlockPart(Shape.BULLET, (_behind(line, found),), 0, line.indent)
    return None


def _behind(line: PrintedLine, mark: re.Match[str]) -> PrintedLine:
    return PrintedLine(line.number, line.indent, line.text[mark.end() :])


def _unmarked(lines: list[PrintedLine]) -> Iterator[BlockPart]:
    """The parts of lines that no mark begins: the rows of a table, or paragraphs."""
    if not lines:
        return
    if all(line.indent >= _TABLE_INDENT for line in lines):
        yield from _rows(lines)
        return
    before = next((at for at, line in enumerate(lines, start=1) if line.text.endswith((":", "—", "--"))), 0)
    rows = lines[before:]
    if len(rows) > 1 and sum(map(_ends_with_figure, rows)) * 3 >= len(rows) * 2:
        yield from _paragraphs(lines[:before])
        yield from (BlockPart(Shape.ROW, (line,)) for line in rows)
    else:
        yield from _paragraphs(lines)


def _ends_with_figure(line: PrintedLine) -> bool:
    return bool(_FIGURE.search(" ".join(line.words[-2:])[-_LONGEST_FIGURE:]))


def _rows(lines: Sequence[PrintedLine]) -> Iterator[BlockPart]:
    """The rows of a table: each ends with its figure; where no line has one, each line is a row."""
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
    """Paragraphs; where their first lines are indented and others are not, each such line begins one."""
    begun: list[PrintedLine] = []
    for line in lines:
        if begun and line.indent > begun[-1].indent:
            yield BlockPart(Shape.PARAGRAPH, tuple(begun))
            begun = []
        begun.append(line)
    if begun:
        yield BlockPart(Shape.PARAGRAPH, tuple(begun))
