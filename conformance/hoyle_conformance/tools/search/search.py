"""Finding: the things in which words stand, best first.

What was asked for by its very id comes first, then what has the very words as its title or as a name, then what they
count most in. A word counts by how few things have it, by where it stands (title, id, sentence, beside) and as what:
itself, another word for the same, a word near it or one that it begins; all together by how many of the words a thing
has, and by its kind. Then the shorter title comes first, and what more rulesets have. Everything is counted in whole
numbers, as it is in a browser: docs/assets/finding.js finds in the same way.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.tools.search.entries import EntryKind, Thing
from hoyle_conformance.tools.search.tokens import Phrase, SearchedWord, wanted, without_idle

#: What it counts where in a thing a word stands, ...
_IN_TITLE, _IN_NAME, _IN_ID, _IN_SAYS, _BESIDE = 6, 5, 5, 4, 1
#: ... and as what.
_AS_ITSELF, _AS_THE_SAME, _AS_NEAR, _AS_BEGINNING = 4, 3, 2, 2
#: What it counts as what kind of thing it stands in: what settles a question comes before what bears it out.
OF_KIND: Final = {
    EntryKind.TERM: 7,
    EntryKind.RULE: 6,
    EntryKind.COMBINATION: 6,
    EntryKind.IRREGULARITY: 6,
    EntryKind.QUESTION: 5,
    EntryKind.CLAUSE: 4,
    EntryKind.DOCUMENT: 3,
    EntryKind.POSITION: 3,
}
#: A word is the beginning of others from so many letters on.
_BEGINNING: Final = 3
#: After every letter of a word.
_LAST: Final = "\U0010ffff"
#: For so many words, not longer than that, those that may have been meant are looked for.
_MEANT_WORDS, _MEANT_LETTERS = 8, 40

#: What each thing has, by its number.
Points = Mapping[int, int]


@dataclass(frozen=True)
class Index:
    """Things by the words in them: for each stem, how much it counts in which; the stems of each title and of each of
    the other names; and every word, in order."""

    things: Sequence[Thing]
    points: Mapping[str, Points]
    titles: Sequence[frozenset[str]]
    names: Sequence[frozenset[frozenset[str]]]
    words: Sequence[str]


def index(things: Sequence[Thing]) -> Index:
    """The index of some things."""
    points: dict[str, dict[int, int]] = {}
    for number, thing in enumerate(things):
        named = ((name, _IN_NAME) for name in thing.names)
        places = ((thing.beside, _BESIDE), (thing.says, _IN_SAYS), (thing.id, _IN_ID), *named, (thing.title, _IN_TITLE))
        for text, counts in places:  # those that count more come later
            for each in stems(text):
                points.setdefault(each, {})[number] = counts
    texts = {text for each in things for text in (each.beside, each.says, each.id, each.title, *each.names)}
    titles = [stems(thing.title) for thing in things]
    names = [frozenset(map(stems, thing.names)) for thing in things]
    return Index(things, points, titles, names, sorted({word for text in texts for word in words(text)}))


def find(among: Index, text: str) -> list[Thing]:
    """The things that have words of a text, the best first; only those with more than half as many as the best has."""
    asked = wanted(text)
    title, name = frozenset(word.stem for word in asked), stems(text)
    found: dict[int, list[int]] = {}
    for word in asked:
        points = _points(among, word)
        rare = (len(among.things) // max(1, len(points))).bit_length()
        for number, counts in points.items():
            found.setdefault(number, []).append(rare * counts)
    enough = max(map(len, found.values()), default=0) / 2
    among_the_best = [number for number, counts in found.items() if len(counts) > enough]

    def place(number: int) -> tuple[bool, bool, int, int, int, int]:
        thing, counts, length = among.things[number], found[number], len(among.titles[number])
        value = sum(counts) * len(counts) ** 2 * OF_KIND[thing.kind]
        named = title == without_idle(among.titles[number]) or name in among.names[number]
        return thing.id != text.strip(), not named, -value, length, -len(thing.rulesets), number

    return [among.things[number] for number in sorted(among_the_best, key=place)]


def _points(among: Index, word: SearchedWord) -> Points:
    """How well a word fits each thing, in the best way it does."""
    ways = (
        *((_AS_BEGINNING, among.points[each]) for each in _beginning_with(among, word.written)),
        *((_AS_NEAR, _all_of(among, phrase)) for phrase in word.near),
        *((_AS_THE_SAME, _all_of(among, phrase)) for phrase in word.same),
        (_AS_ITSELF, among.points.get(word.stem, {})),
    )
    best: dict[int, int] = {}
    for counts, points in ways:
        for number, place in points.items():
            best[number] = max(best.get(number, 0), counts * place)
    return best


def _beginning_with(among: Index, word: str) -> set[str]:
    """The stems of the words that begin with a word."""
    if len(word) < _BEGINNING:
        return set()
    begin, end = bisect_left(among.words, word), bisect_left(among.words, f"{word}{_LAST}")
    return {stem(each) for each in among.words[begin:end]}


def _all_of(among: Index, phrase: Phrase) -> Points:
    """The things in which all words of a phrase stand, by the one that counts least there."""
    each_in = [among.points.get(word, {}) for word in phrase]
    everywhere = set(each_in[0]).intersection(*each_in[1:])
    return {number: min(points[number] for points in each_in) for number in everywhere}


def by_kind(found: Iterable[Thing]) -> Mapping[EntryKind, list[Thing]]:
    """What was found, by its kind; first the kind of the best."""
    kinds: dict[EntryKind, list[Thing]] = {}
    for thing in found:
        kinds.setdefault(thing.kind, []).append(thing)
    return kinds


def meant(among: Index, text: str) -> str:
    """The text with each word that is nowhere changed into the nearest that is; nothing where there is none."""
    asked = words(text)
    if len(asked) > _MEANT_WORDS or any(len(word) > _MEANT_LETTERS for word in asked):
        return ""
    near = list(_nearest(among, asked))
    return " ".join(near) if any(near) and all(near) else ""


def _nearest(among: Index, asked: Iterable[str]) -> Iterator[str]:
    return (word if stem(word) in among.points else nearest(word, among.words) for word in asked)
