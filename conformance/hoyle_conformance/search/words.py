"""Words: what a text is made of, without accents, capitals and endings; and what else a word may be looked for as."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final
from unicodedata import combining, normalize

from .other_words import IDLE, NEAR, THE_SAME

#: Endings that are taken off, longest first, and what is put in their place.
_ENDINGS: Final = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("s", ""))
#: So many letters of a word must be left.
_LEAST: Final = 3

_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORD: Final = re.compile(r"[^\W_]+")

_IDLE: Final = frozenset(IDLE.split())

#: Words that together mean one thing.
Phrase = frozenset[str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A word that is looked for: its stem, as it was written, the phrases that mean the same, and those near it."""

    stem: str
    written: str
    same: frozenset[Phrase]
    near: frozenset[Phrase]


def words(text: str) -> list[str]:
    """The words of a text, in small letters without accents; ``1,000`` is one."""
    plain = "".join(char for char in normalize("NFKD", text.casefold()) if not combining(char))
    return _WORD.findall(_THOUSANDS.sub("", plain))


@cache
def stem(word: str) -> str:
    """A word without the ending that it has in the plural or the past, or with -ing; never shown to anybody."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _LEAST:
            word = word.removesuffix(ending) + instead
            break
    word = word.removesuffix("e") if len(word) > _LEAST else word
    return word[:-1] if len(word) > _LEAST and word[-1] == word[-2] and word.isalpha() else word


def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text."""
    return frozenset(map(stem, words(text)))


def wanted(text: str) -> tuple[Wanted, ...]:
    """What is looked for, whatever the order: all words but idle ones, or those where there are no others."""
    written = _by_stem(text)
    asked = frozenset(written)
    return tuple(
        Wanted(each, word, _others(THE_SAME, each, asked), _others(NEAR, each, asked))
        for each, word in sorted(written.items())
    )


def _by_stem(text: str) -> Mapping[str, str]:
    """Each stem, with the shortest word of those written that have it."""
    every = words(text)
    some = [word for word in every if word not in _IDLE] or every
    return {stem(word): word for word in sorted(some, key=lambda word: (-len(word), word))}


def _others(table: tuple[str, ...], word: str, asked: Phrase) -> frozenset[Phrase]:
    """The phrases beside a word in a table, or beside a phrase that it is part of and that is asked for as a whole."""
    beside = (others for phrase, others in _phrases(table).get(word, ()) if phrase <= asked)
    return frozenset[Phrase]().union(*beside)


@cache
def _phrases(table: tuple[str, ...]) -> Mapping[str, list[tuple[Phrase, frozenset[Phrase]]]]:
    """For each stem the phrases in a table that have it, each with the others of its set."""
    found: dict[str, list[tuple[Phrase, frozenset[Phrase]]]] = {}
    for line in table:
        phrases = frozenset(stems(phrase) for phrase in line.split("|"))
        for phrase in phrases:
            for each in phrase:
                found.setdefault(each, []).append((phrase, phrases - {phrase}))
    return found
