"""Words: what is looked for, in whatever form, and what else a word may be looked for as."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_conformance.tools.search.synonyms import IDLE, NEAR, THE_SAME
from hoyle_reference.frozen import frozen

_IDLE: Final = frozenset(IDLE.split())
_IDLE_STEMS: Final = frozenset(map(stem, _IDLE))
_A_CARD: Final = re.compile(r"(10|[akqj789])([cdhs])")
_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}

#: Words that together mean one thing.
Phrase = frozenset[str]


@frozen
class SearchedWord:
    """A word that is looked for: its stem, as it was written, the phrases that mean the same, and those near it."""

    stem: str
    written: str
    same: frozenset[Phrase]
    near: frozenset[Phrase]


def wanted(text: str) -> tuple[SearchedWord, ...]:
    """What is looked for, whatever the order: all words but idle ones, or those where there are no others."""
    written = _by_stem(text)
    asked = frozenset(written)
    return tuple(
        SearchedWord(each, word, _others(THE_SAME, each, asked), _others(NEAR, each, asked))
        for each, word in sorted(written.items())
    )


def without_idle(asked: frozenset[str]) -> frozenset[str]:
    """Stems without those of idle words; or all, where there are no others."""
    return asked - _IDLE_STEMS or asked


def _by_stem(text: str) -> Mapping[str, str]:
    """Each stem, with the shortest word of those written that have it."""
    every = words(text)
    some = [part for word in every if word not in _IDLE for part in _parts(word)] or every
    return {stem(word): word for word in sorted(some, key=lambda word: (-len(word), word))}


def _parts(word: str) -> list[str]:
    """A word; of a card that is written in two letters, as `qs`, its rank and its suit."""
    card = _A_CARD.fullmatch(word)
    return [card[1], _SUITS[card[2]]] if card else [word]


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
