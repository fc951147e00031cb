"""Diagnostics: mistakes in files, with their places and remedies.

The parts are: invisible characters, suggestions for wrong names, and mistakes in files.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final
from unicodedata import name as called

# ---- invisible characters


#: Match control characters except tab and line feed; line and paragraph separators; all characters that Unicode calls
#: ignorable, including those that change the direction of text; private characters, unpaired surrogates, and code
#: points that are not characters.
_UNSEEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
UNSEEN: Final = f"[{_UNSEEN}]"
#: The same in a file, where a line may end with CR LF.
UNSEEN_IN_A_FILE: Final = rf"{UNSEEN}(?!(?<=\r)\n)"


def named(char: str) -> str:
    """Return the code point of a character, with its Unicode name if it has one."""
    name = called(char, "")
    return f"U+{ord(char):04X}{f' ({name.lower()})' if name else ''}"


def printable(text: str) -> str:
    r"""Return text on one line that cannot move the cursor, change colours or reverse the direction: such characters
    are escaped as in Python, such as ``\x1b``."""
    return re.sub(f"[{_UNSEEN}\n]", lambda found: ascii(found[0])[1:-1], text)


# ---- suggestions for wrong names


_SHOWN_CHOICES: Final = 16
#: If there are more known names than this, the first ones are no help, and none is shown.
_MANY: Final = 200
#: The maximum number of names to suggest.
_SHOWN_NEAR: Final = 4
#: The maximum number of characters of a name.
_LONGEST: Final = 200
#: The similarity (1 means equal) from which a name is near, and the one given to a name that has all the words of
#: another, or ends with it.
_NEAR: Final = 0.6
_ALL_ITS_WORDS: Final = 0.8
_ITS_END: Final = 0.9
#: A name whose similarity is lower than the best by more than this is not suggested.
_APART: Final = 0.06


def nearest(word: str, known: Iterable[str], *, cutoff: float = _NEAR) -> str:
    """Return the known name most similar to `word`; empty if no similarity reaches `cutoff` (1 means equal)."""
    if len(word) > _LONGEST:
        return ""

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=cutoff)), "")


def near(word: str, known: Iterable[str]) -> list[str]:
    """Return the known names that `word` may mean, the likeliest first: those with a similar spelling, and those with
    all its words."""
    if len(word) > _LONGEST:
        return []

    names, words = list(known), _words(word)
    alike = get_close_matches(word, names, n=_SHOWN_NEAR, cutoff=_NEAR)
    likeness = {name: SequenceMatcher(None, name, word).ratio() for name in alike}
    for name in names if words else ():
        if words <= _words(name):
            enough = _ITS_END if name.endswith((f"/{word}", f"-{word}", f".{word}")) else _ALL_ITS_WORDS
            likeness[name] = max(likeness.get(name, 0), enough)
    least = max(likeness.values(), default=0) - _APART
    found = (name for name in likeness if likeness[name] >= least)
    return sorted(found, key=lambda name: (-likeness[name], len(name)))[:_SHOWN_NEAR]


def _words(name: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", name.lower()))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the remedy for a wrong name: the similar names, or else the first known ones; empty if there are too many
    of these."""
    names = list(known)
    if found := near(word, names):
        return f"Did you mean {either(found)}?"
    if not names or len(names) > _MANY:
        return ""
    more = ", …" if len(names) > _SHOWN_CHOICES else ""
    return f"Valid here: {', '.join(names[:_SHOWN_CHOICES])}{more}."


def either(names: Iterable[str]) -> str:
    """Return names in quotes as alternatives: ``'a', 'b' or 'c'``."""
    *others, last = [f"'{name}'" for name in names]
    return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The remedy for a wrong name, computed only when it is printed, because most mistakes of a long list are not.
    `see` is a command that shows every name."""

    word: str
    known: Collection[str]
    see: str = ""

    def __str__(self) -> str:
        said = did_you_mean(self.word, self.known)
        return f"{said} '{self.see}' shows them all.".strip() if self.see else said


# ---- mistakes in files
#
# A printed mistake has one line with the place and the message, then the line of the file with a caret under the place,
# and the remedy.


#: The maximum number of mistakes shown for a file; the number of the others follows.
SHOWN: Final = 50
#: The maximum number of mistakes that are counted.
COUNTED: Final = 1000
#: The maximum numbers of characters shown of a message, and of a line of the file.
_LONGEST_MESSAGE: Final = 2000
_WIDTH: Final = 110


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """A mistake: its place (line and column, counted from 1), its stable code, the message, and the remedy.

    `source` is the text of that line; it is empty if the place is the file as a whole.
    """

    file: str
    line: int
    column: int
    code: str
    message: str
    remedy: str | Suggestion = field(default="", compare=False)
    source: str = field(default="", compare=False)

    @property
    def place(self) -> str:
        """The place in the form that editors understand."""
        return f"{printable(self.file)}:{self.line}:{self.column}"

    def __str__(self) -> str:
        parts = [f"{self.place}: {_cut(self.message)}"]
        if self.source:
            number = str(self.line)
            before, shown = _clip(self.source, self.column)
            parts.append(f"  {number} | {shown}")
            parts.append(f"  {' ' * len(number)} | {before}^")
        if remedy := str(self.remedy):
            parts.append(f"  {_cut(remedy)}")
        return "\n".join(parts)


def _cut(text: str) -> str:
    return printable(text if len(text) <= _LONGEST_MESSAGE else f"{text[: _LONGEST_MESSAGE - 1]}…")


def _clip(source: str, column: int) -> tuple[str, str]:
    """Return the blanks before the caret (with tabs kept, so that the caret is in the right column) and the line, cut
    if it is very long."""
    start = max(0, column - _WIDTH + 20)
    cut = "… " if start else ""
    before, after = printable(source[start : column - 1]), printable(source[max(start, column - 1) : start + _WIDTH])
    blank = "".join("\t" if char == "\t" else " " for char in before)
    return " " * len(cut) + blank, cut + before + after


def diagnostic_at(
    file: str, text: str, line: int, column: int, code: str, message: str, remedy: str | Suggestion
) -> Diagnostic:
    """Return a diagnostic at a line and column (both from 0) of a text."""
    lines = _lines(text)
    source = lines[line].rstrip("\r") if line < len(lines) else ""
    return Diagnostic(file, line + 1, column + 1, code, message, remedy, source)


@lru_cache(maxsize=4)
def _lines(text: str) -> Sequence[str]:
    """Return the lines of a text, split once for all its mistakes."""
    return text.split("\n")


class Invalid(Exception):
    """Files that cannot be used, with all their mistakes."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(set(diagnostics)))
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(self.shown())

    def shown(self) -> Iterator[str]:
        """Yield every mistake as text: for each file, the first `SHOWN` and the number of the others."""
        for _, group in groupby(self.diagnostics, lambda each: each.file):
            of_a_file = list(group)
            yield from map(str, of_a_file[:SHOWN])
            if more := of_a_file[SHOWN:]:
                count = f"{len(more):,}{' or' if len(of_a_file) >= COUNTED else ''}"
                yield f"{more[0].place}: and {count} more\n   Fix the first ones first."


def shown_path(path: Path) -> str:
    """Return a path as printed: relative to the working folder if it is below it."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
