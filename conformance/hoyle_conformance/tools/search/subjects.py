"""Subjects: what a ruling can be asked about, each once for all rulesets, and the ones that a question is about.

A subject is a cell of the tables: an irregularity, a rule or a combination. It is found by its name and by the words of
its headings, of what the rulesets say, and of the clauses behind it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.search.entries import EntryKind, Thing, known_as
from hoyle_conformance.tools.search.search import Index, find, index, meant
from hoyle_conformance.tools.search.tokens import wanted
from hoyle_conformance.wording import rulebook_entries as rulebook

#: Where irregularities stand: they are named without it.
IRREGULARITIES: Final = "referee.irregularities."
#: So many are answered together, if all words stand in their names; of more, only the best.
_TOGETHER: Final = 8
#: Words that ask what a rule says, and stand in none for that.
_ASKING: Final = stems("cost worth happen penalty punishment rule ruling say answer somebody someone anybody")


@dataclass(frozen=True)
class Book:
    """All subjects: as an index of words, and by their exact names."""

    among: Index
    exact: Mapping[tuple[str, ...], Sequence[Thing]]


def book(suite: Suite) -> Book:
    """Every subject of the tables."""
    entries: dict[str, dict[str, rulebook.Entry]] = {}
    for name in suite.ruleset_names:
        for chapter in rulebook.chapters(suite, suite.cells(name)):
            for entry in chapter.entries:
                entries.setdefault(entry.cell.path, {})[name] = entry
    exact: dict[tuple[str, ...], list[Thing]] = {}
    subjects = [_subject(suite, path, having) for path, having in entries.items()]
    for thing, having in zip(subjects, entries.values(), strict=True):
        for words_of_name in {_words(text) for text in (thing.id, path_of(thing), *_titles(having))}:
            exact.setdefault(words_of_name, []).append(thing)
    return Book(index(subjects), exact)


def path_of(subject: Thing) -> str:
    """The cell of a subject."""
    return f"{IRREGULARITIES}{subject.id}" if subject.kind is EntryKind.IRREGULARITY else subject.id


def _subject(suite: Suite, path: str, having: Mapping[str, rulebook.Entry]) -> Thing:
    irregular = path.startswith(IRREGULARITIES)
    row = isinstance(next(iter(having.values())).cell.value, Mapping)
    kind = EntryKind.IRREGULARITY if irregular else EntryKind.COMBINATION if row else EntryKind.RULE
    cites = dict.fromkeys(clause for entry in having.values() for clause in entry.cell.cites)
    says = " ".join(dict.fromkeys(entry.sentence for entry in having.values()))
    beside = " ".join(suite.clauses[clause].says for clause in cites)
    name = path.removeprefix(IRREGULARITIES)
    title, command = "; ".join(_titles(having)), f"hoyle rule {name}"
    return Thing(kind, name, title, says, beside, tuple(having), command, known_as(path))


def _titles(having: Mapping[str, rulebook.Entry]) -> list[str]:
    return list(dict.fromkeys(entry.heading for entry in having.values()))


def _words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def found(subjects: Book, asked: str) -> tuple[list[Thing], list[Thing]]:
    """The subjects that a question is about, to be answered together, and what else has words of it, the best first.

    What has the very name is meant, an irregularity before a rule; then the irregularity whose name stands in the
    question, the longest if there are several; then what has most of the words, with the others of its kind in whose
    names all of them stand.
    """
    text = _without_asking(asked)
    others = find(subjects.among, text)
    about = named(subjects, asked) or named(subjects, text) or _within(subjects, text) or _best(subjects, others, text)
    return about, [each for each in others if each not in about]


def named(subjects: Book, text: str) -> list[Thing]:
    """The subjects that have this very name."""
    having = list(subjects.exact.get(_words(text), ()))
    return list(irregularities(having))[:1] or having


def nearly(subjects: Book, asked: str) -> str:
    """What may have been meant where nothing is found."""
    return meant(subjects.among, asked)


def irregularities(subjects: Iterable[Thing], ruleset: str = "") -> Iterator[Thing]:
    """The irregularities among subjects, or those of them that a ruleset speaks of."""
    for each in subjects:
        if each.kind is EntryKind.IRREGULARITY and (not ruleset or ruleset in each.rulesets):
            yield each


def instead(about: Sequence[Thing], others: Iterable[Thing], ruleset: str) -> list[Thing]:
    """What a ruleset speaks of that is of the same kind as what was asked for, of which it is silent."""
    return [each for each in others if each.kind is about[0].kind and ruleset in each.rulesets][:1]


def _within(subjects: Book, text: str) -> list[Thing]:
    asked = stems(text)
    inside = [each for each in irregularities(subjects.among.things) if stems(each.id) <= asked]
    return sorted(inside, key=lambda each: -len(each.id))[:1]


def _without_asking(text: str) -> str:
    """The words of a question without those that only ask; or all, where there are no others."""
    left = [word for word in words(text) if stem(word) not in _ASKING]
    return " ".join(dict.fromkeys(left)) or text


def _best(subjects: Book, others: Sequence[Thing], text: str) -> list[Thing]:
    """The best of what was found; and the others of its kind in whose names all words stand, as the book has them."""
    if not others or others[0].kind is EntryKind.IRREGULARITY:
        return list(others[:1])
    all_words = frozenset(word.stem for word in wanted(text))
    kind = [each for each in subjects.among.things if each.kind is others[0].kind]
    alike = [each for each in kind if all_words <= stems(f"{each.title} {each.id}")]
    together = others[0] in alike and len(alike) <= _TOGETHER
    return [others[0], *(each for each in alike if together and each is not others[0])]
