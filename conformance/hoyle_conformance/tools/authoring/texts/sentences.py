"""Sentences: where one ends and the next begins."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from hoyle_conformance.tools.authoring.texts.lines import PrintedLine
from hoyle_reference.frozen import frozen

_END: Final = re.compile(r"""[.!?]["'\u201d\u2019)\]»]*$""")  # with any closing quotes
_SHORT: Final = frozenset({"e.g.", "i.e.", "viz.", "cf.", "vs.", "mr.", "mrs.", "messrs.", "dr.", "st."})
_BEFORE_A_NUMBER: Final = frozenset({"no.", "nos.", "vol.", "p.", "pp.", "fig."})
_LONGEST_LABEL: Final = 2  # words
_OPENING: Final = "\"'\u201c\u2018(["


@frozen
class TextSentence:
    """A sentence of a text: its words, and the line on which it begins."""

    line: int
    words: tuple[str, ...]


def sentences_of(lines: Iterable[PrintedLine]) -> Iterator[TextSentence]:
    """The sentences that stand in these lines, one after another; none without a letter or a figure. A word or two at
    the beginning, which say what is spoken of, belong to the sentence after them."""
    words = [(line.number, word) for line in lines for word in line.words]
    begun = 0
    for at, (_, word) in enumerate(words, start=1):
        is_last = at == len(words)
        if is_last or (_ends(word, words[at][1]) and (begun or at > _LONGEST_LABEL)):
            sentence = tuple(each for _, each in words[begun:at])
            if any(map(_is_spoken, sentence)):
                yield TextSentence(words[begun][0], sentence)
            begun = at


def _is_spoken(word: str) -> bool:
    return any(map(str.isalnum, word))


def _ends(word: str, following: str) -> bool:
    """Whether a sentence ends with a word, as another follows."""
    if not _END.search(word):
        return False
    first = following.lstrip(_OPENING)[:1]
    short = word.lstrip(_OPENING).lower()
    if short in _SHORT or (short in _BEFORE_A_NUMBER and first.isdigit()):
        return False
    return not first.islower()
