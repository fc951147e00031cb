"""The words of a query: their forms, synonyms, and words near them.

Each line of a table is a set of words or phrases with a bar between them, any of which finds the others. Forms with a
regular ending need no line.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_reference.frozen import frozen

#: Words for the same thing, and irregular forms of one word.
THE_SAME: Final = (
    # the cards
    "knave | jack | j",
    "queen | q",
    "king | k",
    "trump | atout",
    "pack | deck",
    "carte blanche | blank",
    "turn-up | upcard",
    # the places of cards
    "stock | talon | kitty | widow",
    # the players
    "elder | eldest | forehand | non-dealer",
    "opponent | adversary | other player",
    # the deal and the tricks
    "deal | dealt",
    "misdeal | wrong deal | deal afresh | new deal | too many cards",
    "misdeal | misdealt | dealt wrongly",
    "revoke | renege | though able follow suit",
    "lead | led",
    "win | won",
    "take | took | taken",
    "draw | drew | drawn",
    "capot | slam",
    "no card drawn | not draw | forget draw | forgot draw",
    # the combinations
    "meld | combination",
    "marry | marriage | wedding",
    "show | shown",
    "keep | kept",
    "sequence | run | straight",
    # the reckoning
    "game | partie",
    "both pass | both reach | target reached",
    "penalty | forfeit | punishment",
    "error | mistake | wrong",
    "bystander | spectator | onlooker | looker-on",
    # numbers
    "1 | one",
    "2 | two",
    "3 | three",
    "4 | four",
    "5 | five",
    "6 | six",
    "7 | seven",
    "8 | eight",
    "9 | nine",
    "10 | ten",
    "100 | one hundred | hundred",
    "500 | five hundred",
    "1000 | one thousand | thousand",
    "1500 | fifteen hundred",
    "2000 | two thousand",
    "3000 | three thousand",
    "5000 | five thousand",
)

#: Words for things that are near one another.
NEAR: Final = (
    # the cards
    "brisque | ace | ten",
    "trump | royal",
    "carte blanche | no court card",
    # the players
    "younger | dealer",
    "partner | side",
    # the deal
    "misdeal | deal penalty | deal irregularity | pack incorrect",
    "afresh | again",
    # the tricks
    "revoke | follow suit | renounce",
    "renege | follow suit | renounce",
    "revoke | fail follow",
    "renege | fail follow",
    "win | beat | take",
    "must | obliged | forced | compulsory | duty | has to",
    "last | final",
    "discard | exchange | put away",
    "swap | exchange | rob",
    "equal | identical | same | tie | level",
    "capot | every trick | all the tricks",
    # the combinations
    "meld | declaration | declare",
    "combination | declaration | declare",
    "sequence | tierce | quart | quint | sixieme | septieme | huitieme",
    "set | trio | quatorze",
    "again | reuse | once more | second time | twice",
    "show | lay | put down",
    "keep | hold",
    "announce | call",
    # the reckoning
    "score | point | mark",
    "worth | score | point | count | get",
    "pass | reach | target",
    "1000 | target",
    "bonus | settlement | rubicon | pique",
    "settle | settlement | pay",
    # irregularities
    "penalty | irregularity | error",
    "illegal | refused | wrong",
    "correct | put right | set right",
    "expose | shown | face up",
)

#: Words that are in every question and distinguish nothing.
IDLE: Final = (
    "a an and any are as at be been but by can could did do does for from had has have he her his how i if in is it "
    "its many may me much my of on or she should so that the their them then there they this to was we were what "
    "when where which who whom whose why will with would you your s t doesn don isn"
)


_IDLE: Final = frozenset(IDLE.split())
_IDLE_STEMS: Final = frozenset(map(stem, _IDLE))
_A_CARD: Final = re.compile(r"(10|[akqj789])([cdhs])")
_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}

#: Words that together mean one thing.
Phrase = frozenset[str]


@frozen
class SearchedWord:
    """A word of a query: its stem, its form in the query, the phrases with the same meaning, and those near it."""

    stem: str
    written: str
    same: frozenset[Phrase]
    near: frozenset[Phrase]


def searched_words(text: str) -> tuple[SearchedWord, ...]:
    """Return the words of a query, in any order: all but idle words, or the idle ones if there are no others."""
    written = _words_by_stem(text)
    asked = frozenset(written)
    return tuple(
        SearchedWord(each, word, _other_phrases(THE_SAME, each, asked), _other_phrases(NEAR, each, asked))
        for each, word in sorted(written.items())
    )


def without_idle(asked: frozenset[str]) -> frozenset[str]:
    """Return stems without those of idle words; or all, if there are no others."""
    return asked - _IDLE_STEMS or asked


def _words_by_stem(text: str) -> Mapping[str, str]:
    """Return each stem, with the shortest word of the query that has it."""
    every = words(text)
    some = [part for word in every if word not in _IDLE for part in _card_words(word)] or every
    return {stem(word): word for word in sorted(some, key=lambda word: (-len(word), word))}


def _card_words(word: str) -> list[str]:
    """Return a word; for a card in two letters, such as `qs`, its rank and its suit."""
    card = _A_CARD.fullmatch(word)
    return [card[1], _SUITS[card[2]]] if card else [word]


def _other_phrases(table: tuple[str, ...], word: str, asked: Phrase) -> frozenset[Phrase]:
    """Return the other phrases of a word's sets in a table, and of the sets of phrases with the word that the query
    has completely."""
    beside = (others for phrase, others in _phrases(table).get(word, ()) if phrase <= asked)
    return frozenset[Phrase]().union(*beside)


@cache
def _phrases(table: tuple[str, ...]) -> Mapping[str, list[tuple[Phrase, frozenset[Phrase]]]]:
    """Return, for each stem, the phrases in a table that have it, each with the others of its set."""
    found: dict[str, list[tuple[Phrase, frozenset[Phrase]]]] = {}
    for line in table:
        phrases = frozenset(stems(phrase) for phrase in line.split("|"))
        for phrase in phrases:
            for each in phrase:
                found.setdefault(each, []).append((phrase, phrases - {phrase}))
    return found
