"""The words of a question or of a rule, with one form for all synonyms.

``words.yaml`` has `same`, where the first form of a line stands for all of it (several words become one); `near`,
things that are close to one another; `idle` words, which distinguish nothing; `bare` words, which name nothing to ask
about by themselves; words that ask for the `worth` of something; `kinds`, the words that show what a question asks
for; and `strangers`, games that Hoyle does not know.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.stemming import stem, words
from hoyle_conformance.files.strict_yaml import read_file

#: The file of the words.
WORDS: Final = "words.yaml"
#: Stems of several words, by the first word, with the form that replaces them; the longest first.
_Forms = Mapping[str, Sequence[tuple[tuple[str, ...], str]]]


@dataclass(frozen=True, slots=True)
class WordTable:
    """The word file in a form for searching: single words, phrases, near words, idle and bare words, those of worth,
    the phrases of each kind of question, and other games."""

    single: Mapping[str, str]
    several: _Forms
    near: Mapping[str, frozenset[str]]
    idle: frozenset[str]
    bare: frozenset[str]
    worth: frozenset[str]
    kinds: Mapping[str, tuple[str, ...]]
    strangers: frozenset[str]


def read_data(name: str) -> Any:
    """Return the content of a data file of this folder."""
    return read_file(Path(__file__).with_name(name), name).data


@cache
def word_table() -> WordTable:
    """Return the words that players use; raise Invalid if the file cannot be read."""
    data = read_data(WORDS)
    lines = [[form.strip() for form in line.split("|")] for line in data["same"]]
    single = {
        stem(form): stem(words(line[0])[0])
        for line in lines
        for form in line[1:]
        if " " not in form and len(words(form)) == 1
    }
    several: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for line in lines:
        for form in (form for form in line if " " in form):
            parts = tuple(single.get(each, each) for each in map(stem, words(form)))
            several.setdefault(parts[0], []).append((parts, stem(line[0])))
    for forms in several.values():
        forms.sort(key=lambda each: -len(each[0]))
    return WordTable(
        single,
        several,
        _near(data["near"]),
        frozenset(map(stem, words(data["idle"]))),
        frozenset(map(stem, words(data["bare"]))),
        frozenset(map(stem, words(data["worth"]))),
        {kind: tuple(f" {' '.join(words(each))} " for each in phrases) for kind, phrases in data["kinds"].items()},
        frozenset(stem(each) for name in data["strangers"] for each in [name] if " " not in each),
    )


def _near(lines: Iterable[str]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in lines:
        alike = {stem(each.strip()) for each in line.split("|")}
        for each in alike:
            found.setdefault(each, set()).update(alike - {each})
    return {each: frozenset(others) for each, others in found.items()}


def tokens(text: str) -> list[str]:
    """Return the words of a text in their standard forms, without idle words."""
    return tokens_of(words(text))


def tokens_of(written: Iterable[str]) -> list[str]:
    """Return words in their standard forms, without idle words."""
    table = word_table()
    single, several, idle = table.single, table.several, table.idle
    stems = [single.get(each, each) for each in map(stem, written)]
    if several.keys().isdisjoint(stems):
        return [each for each in stems if each not in idle]
    found, at = [], 0
    while at < len(stems):
        length, form = _form_at(several[stems[at]], stems, at) if stems[at] in several else (1, stems[at])
        if form not in idle:
            found.append(form)
        at += length
    return found


def _form_at(forms: Iterable[tuple[tuple[str, ...], str]], stems: Sequence[str], at: int) -> tuple[int, str]:
    """Return the number of words from a place on that make one form, and that form."""
    for parts, form in forms:
        if stems[at + 1 : at + 2] == [parts[1]] and tuple(stems[at : at + len(parts)]) == parts:
            return len(parts), form
    return 1, stems[at]


def kinds_of(text: str) -> frozenset[str]:
    """Return the kinds of answer that a question asks for, by its words; nothing if they do not show it."""
    said = f" {' '.join(words(text))} "
    return frozenset(kind for kind, phrases in word_table().kinds.items() if any(each in said for each in phrases))
