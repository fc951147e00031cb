"""Reading: a text that somebody brings, as lines of print."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hoyle_conformance.files.read import decode, read_bytes, refuse_unseen
from hoyle_reference.frozen import frozen

#: What scanned texts are full of, and nobody misses: page breaks, soft hyphens, spaces without width, signs of type.
_NOTHING: Final = "\f\xad\u200b\u200c\u200d\u2060\ufe0e\ufe0f\ufeff"
_LEFT_OUT: Final = dict.fromkeys(map(ord, _NOTHING))
_STAND_INS: Final = dict.fromkeys(map(ord, _NOTHING), "-")
#: The number of a printed page, such as {105}.
_PAGE: Final = re.compile(r"\{\d{1,4}\} ?")
#: A line drawn across the page, or below a sum.
_RULE: Final = re.compile(r"[-=_*~.·•+| ]+")
#: Marks of italics and of footnotes: _both_, **both**, both[7].
_MARKS: Final = re.compile(r"[_*]|\[\d{1,3}\]")
_TAB: Final = 8  # columns


@frozen
class PrintedLine:
    """A line of print: its number in the file, by how many columns it is indented, and its text."""

    number: int
    indent: int
    text: str

    @property
    def words(self) -> list[str]:
        """Its words, without marks of italics and footnotes."""
        return _MARKS.sub("", self.text).split()


def read_printed(path: Path, file: str) -> list[list[PrintedLine]]:
    """The blocks of a text, which empty lines part, without the numbers of its pages; raises Invalid where it is no
    regular file, is too large, is not UTF-8, or holds what nobody sees."""
    text = decode(read_bytes(path, file, what="text"), file)
    refuse_unseen(text.translate(_STAND_INS), file)
    return blocks_of(text.translate(_LEFT_OUT))


def blocks_of(text: str) -> list[list[PrintedLine]]:
    """The blocks of a text likewise; what all its lines are indented by is no indentation."""
    lines = list(_lines(text))
    least = min((line.indent for line in lines if line.text), default=0)
    blocks: list[list[PrintedLine]] = [[]]
    for line in lines:
        if line.text:
            blocks[-1].append(PrintedLine(line.number, line.indent - least, line.text))
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _lines(text: str) -> Iterator[PrintedLine]:
    """The lines of print, without those that hold the number of a page and nothing else."""
    for number, whole in enumerate(text.split("\n"), start=1):
        line = _PAGE.sub("", whole).expandtabs(_TAB).rstrip()
        if line == whole.rstrip() or line:
            left = line.lstrip()
            yield PrintedLine(number, len(line) - len(left), "" if _RULE.fullmatch(left) else left)
