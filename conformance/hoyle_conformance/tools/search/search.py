"""Search in an index of entries, best first.

An entry with the query as its id comes first, then those with the query as title or name, then those with the highest
points. A word counts by how few entries have it, where it is (title, name, id, text, context), and how it matches:
exactly, as a synonym, as a near word, or as a beginning; the sum counts by how many of the words the entry has, and by
its kind. Ties are decided by the shorter title, then by the number of rulesets. All arithmetic is in integers, as in
docs/assets/finding.js, which searches in the same way.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.tools.search.entries import EntryKind, SearchEntry
from hoyle_conformance.tools.search.synonyms import Phrase, SearchedWord, searched_words, without_idle

#: The weight of a word by its place in an entry, ...
_IN_TITLE, _IN_NAME, _IN_ID, _IN_SAYS, _IN_CONTEXT = 6, 5, 5, 4, 1
#: ... and by how it matches.
_AS_ITSELF, _AS_THE_SAME, _AS_NEAR, _AS_BEGINNING = 4, 3, 2, 2
#: The weight of each kind: entries that answer a question come before those that support the answer.
KIND_WEIGHTS: Final = {
    EntryKind.TERM: 7,
    EntryKind.RULE: 6,
    EntryKind.COMBINATION: 6,
    EntryKind.IRREGULARITY: 6,
    EntryKind.QUESTION: 5,
    EntryKind.CLAUSE: 4,
    EntryKind.DOCUMENT: 3,
    EntryKind.POSITION: 3,
}
#: The least number of letters that match as the beginning of a word.
_SHORTEST_BEGINNING: Final = 3
#: Sorts after every letter.
_LAST: Final = "\U0010ffff"
#: Queries with more words, or longer ones, get no suggestion.
_MEANT_WORDS, _MEANT_LETTERS = 8, 40

#: The weight in each entry, by its number.
Points = Mapping[int, int]


@dataclass(frozen=True)
class Index:
    """Entries by their words: for each stem, its weight in each entry; the stems of each title and of each other
    name; and every word, in order."""

    entries: Sequence[SearchEntry]
    points: Mapping[str, Points]
    titles: Sequence[frozenset[str]]
    names: Sequence[frozenset[frozenset[str]]]
    words: Sequence[str]


def build_index(entries: Sequence[SearchEntry]) -> Index:
    """Return the index of some entries."""
    points: dict[str, dict[int, int]] = {}
    for number, entry in enumerate(entries):
        named = ((name, _IN_NAME) for name in entry.names)
        places = (
            (entry.context, _IN_CONTEXT),
            (entry.says, _IN_SAYS),
            (entry.id, _IN_ID),
            *named,
            (entry.title, _IN_TITLE),
        )
        for text, counts in places:  # those that count more come later
            for each in stems(text):
                points.setdefault(each, {})[number] = counts
    texts = {text for each in entries for text in (each.context, each.says, each.id, each.title, *each.names)}
    titles = [stems(entry.title) for entry in entries]
    names = [frozenset(map(stems, entry.names)) for entry in entries]
    return Index(entries, points, titles, names, sorted({word for text in texts for word in words(text)}))


def find(index: Index, text: str) -> list[SearchEntry]:
    """Return the entries that match a query, best first; only those with more than half as many of its words as the
    best has."""
    asked = searched_words(text)
    title, name = frozenset(word.stem for word in asked), stems(text)
    found: dict[int, list[int]] = {}
    for word in asked:
        points = _points(index, word)
        rare = (len(index.entries) // max(1, len(points))).bit_length()
        for number, counts in points.items():
            found.setdefault(number, []).append(rare * counts)
    enough = max(map(len, found.values()), default=0) / 2
    best = [number for number, counts in found.items() if len(counts) > enough]

    def place(number: int) -> tuple[bool, bool, int, int, int, int]:
        entry, counts, length = index.entries[number], found[number], len(index.titles[number])
        value = sum(counts) * len(counts) ** 2 * KIND_WEIGHTS[entry.kind]
        named = title == without_idle(index.titles[number]) or name in index.names[number]
        return entry.id != text.strip(), not named, -value, length, -len(entry.rulesets), number

    return [index.entries[number] for number in sorted(best, key=place)]


def _points(index: Index, word: SearchedWord) -> Points:
    """Return how well a word matches each entry, in the best way it does."""
    ways = (
        *((_AS_BEGINNING, index.points[each]) for each in _stems_beginning_with(index, word.written)),
        *((_AS_NEAR, _phrase_points(index, phrase)) for phrase in word.near),
        *((_AS_THE_SAME, _phrase_points(index, phrase)) for phrase in word.same),
        (_AS_ITSELF, index.points.get(word.stem, {})),
    )
    best: dict[int, int] = {}
    for counts, points in ways:
        for number, place in points.items():
            best[number] = max(best.get(number, 0), counts * place)
    return best


def _stems_beginning_with(index: Index, word: str) -> set[str]:
    """Return the stems of the words that begin with a word."""
    if len(word) < _SHORTEST_BEGINNING:
        return set()
    begin, end = bisect_left(index.words, word), bisect_left(index.words, f"{word}{_LAST}")
    return {stem(each) for each in index.words[begin:end]}


def _phrase_points(index: Index, phrase: Phrase) -> Points:
    """Return the entries that have all words of a phrase, with the weight of the least one."""
    each_in = [index.points.get(word, {}) for word in phrase]
    everywhere = set(each_in[0]).intersection(*each_in[1:])
    return {number: min(points[number] for points in each_in) for number in everywhere}


def suggest(index: Index, text: str) -> str:
    """Return the query with each unknown word replaced by the nearest known one; empty if there is none."""
    asked = words(text)
    if len(asked) > _MEANT_WORDS or any(len(word) > _MEANT_LETTERS for word in asked):
        return ""
    near = [word if stem(word) in index.points else nearest(word, index.words) for word in asked]
    return " ".join(near) if any(near) and all(near) else ""
