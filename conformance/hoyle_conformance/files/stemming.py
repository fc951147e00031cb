"""The words of a text without accents, capitals and endings, so that a search finds them in any form."""

import re
from functools import cache
from typing import Final
from unicodedata import combining, normalize

#: The endings that are removed, longest first, each with its replacement.
_ENDINGS: Final = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("s", ""))
#: The minimum number of letters that must be left of a word.
_LEAST: Final = 3

#: The suit symbols count as words too.
_SUITS: Final = str.maketrans({"♣": " clubs ", "♦": " diamonds ", "♥": " hearts ", "♠": " spades "})
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORD: Final = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case without accents; ``1,000`` is one word."""
    plain = text.translate(_SUITS).casefold()
    if not plain.isascii():
        plain = "".join(char for char in normalize("NFKD", plain) if not combining(char))
    return _WORD.findall(_THOUSANDS.sub("", plain))


@cache
def stem(word: str) -> str:
    """Return a word without a plural, past or -ing ending; the result is used only for searching and never printed."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _LEAST:
            word = word.removesuffix(ending) + instead
            break
    word = word.removesuffix("e") if len(word) > _LEAST else word
    return word[:-1] if len(word) > _LEAST and word[-1] == word[-2] and word.isalpha() else word


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text."""
    return frozenset(map(stem, words(text)))
