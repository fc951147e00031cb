"""The subjects of rulings, each once for all rulesets, and the subjects that a question is about.

A subject is a cell of the tables: an irregularity, a rule or a combination. It is found by its name, by the words of
its headings and sentences, and by those of the clauses behind it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.search.entries import EntryKind, SearchEntry, names_of
from hoyle_conformance.tools.search.search import Index, build_index, find, suggest
from hoyle_conformance.tools.search.synonyms import searched_words
from hoyle_conformance.wording import rulebook_entries as rulebook

#: The path of irregularities, which their names leave out.
IRREGULARITIES: Final = "referee.irregularities."
#: The greatest number of subjects to answer together; of more, only the best is taken.
_MOST_TOGETHER: Final = 8
#: Words of questions that no rule has.
_QUESTION_WORDS: Final = stems("cost worth happen penalty punishment rule ruling say answer somebody someone anybody")


@dataclass(frozen=True)
class SubjectIndex:
    """An index of all subjects by their words, and the subjects by their exact names."""

    index: Index
    exact: Mapping[tuple[str, ...], Sequence[SearchEntry]]


def index_subjects(suite: Suite) -> SubjectIndex:
    """Return the index of every subject of the tables."""
    rules: dict[str, dict[str, rulebook.Entry]] = {}
    for name in suite.rules.names:
        for chapter in rulebook.chapters(suite, suite.rules.cells(name)):
            for entry in chapter.entries:
                rules.setdefault(entry.cell.path, {})[name] = entry
    exact: dict[tuple[str, ...], list[SearchEntry]] = {}
    subjects = [_subject(suite, path, having) for path, having in rules.items()]
    for subject, having in zip(subjects, rules.values(), strict=True):
        for words_of_name in {_words(text) for text in (subject.id, cell_path(subject), *_titles(having))}:
            exact.setdefault(words_of_name, []).append(subject)
    return SubjectIndex(build_index(subjects), exact)


def cell_path(subject: SearchEntry) -> str:
    """Return the path of a subject's cell."""
    return f"{IRREGULARITIES}{subject.id}" if subject.kind is EntryKind.IRREGULARITY else subject.id


def _subject(suite: Suite, path: str, having: Mapping[str, rulebook.Entry]) -> SearchEntry:
    irregular = path.startswith(IRREGULARITIES)
    row = isinstance(next(iter(having.values())).cell.value, Mapping)
    kind = EntryKind.IRREGULARITY if irregular else EntryKind.COMBINATION if row else EntryKind.RULE
    cites = dict.fromkeys(clause for entry in having.values() for clause in entry.cell.cites)
    says = " ".join(dict.fromkeys(entry.sentence for entry in having.values()))
    beside = " ".join(suite.clauses[clause].says for clause in cites)
    name = path.removeprefix(IRREGULARITIES)
    title, command = "; ".join(_titles(having)), f"hoyle rule {name}"
    return SearchEntry(kind, name, title, says, beside, tuple(having), command, names_of(path))


def _titles(having: Mapping[str, rulebook.Entry]) -> list[str]:
    return list(dict.fromkeys(entry.heading for entry in having.values()))


def _words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def find_subjects(subjects: SubjectIndex, asked: str) -> tuple[list[SearchEntry], list[SearchEntry]]:
    """Return the subjects that a question is about, to be answered together, and the other subjects with words of it,
    best first.

    A subject with exactly this name is taken, an irregularity before a rule; then the irregularity whose name is in the
    question, the longest if there are several; then the subject with most of the words, with the others of its kind
    that have all words in their names.
    """
    text = _without_question_words(asked)
    others = find(subjects.index, text)
    about = (
        subjects_named(subjects, asked)
        or subjects_named(subjects, text)
        or _irregularity_within(subjects, text)
        or _best_subjects(subjects, others, text)
    )
    return about, [each for each in others if each not in about]


def subjects_named(subjects: SubjectIndex, text: str) -> list[SearchEntry]:
    """Return the subjects that have exactly this name."""
    having = list(subjects.exact.get(_words(text), ()))
    return list(irregularities(having))[:1] or having


def suggest_subject(subjects: SubjectIndex, asked: str) -> str:
    """Return a suggestion for a question about which nothing was found."""
    return suggest(subjects.index, asked)


def irregularities(subjects: Iterable[SearchEntry], ruleset: str = "") -> Iterator[SearchEntry]:
    """Yield the irregularities among subjects, or those that a ruleset has."""
    for each in subjects:
        if each.kind is EntryKind.IRREGULARITY and (not ruleset or ruleset in each.rulesets):
            yield each


def alternatives(about: Sequence[SearchEntry], others: Iterable[SearchEntry], ruleset: str) -> list[SearchEntry]:
    """Return the best other subject of the same kind that a ruleset has, if it lacks the one asked about."""
    return [each for each in others if each.kind is about[0].kind and ruleset in each.rulesets][:1]


def _irregularity_within(subjects: SubjectIndex, text: str) -> list[SearchEntry]:
    asked = stems(text)
    inside = [each for each in irregularities(subjects.index.entries) if stems(each.id) <= asked]
    return sorted(inside, key=lambda each: -len(each.id))[:1]


def _without_question_words(text: str) -> str:
    """Return the words of a question without those that only ask; or all, if there are no others."""
    left = [word for word in words(text) if stem(word) not in _QUESTION_WORDS]
    return " ".join(dict.fromkeys(left)) or text


def _best_subjects(subjects: SubjectIndex, others: Sequence[SearchEntry], text: str) -> list[SearchEntry]:
    """Return the best subject, and the others of its kind that have all words in their names, in the order of the
    book."""
    if not others or others[0].kind is EntryKind.IRREGULARITY:
        return list(others[:1])
    all_words = frozenset(word.stem for word in searched_words(text))
    kind = [each for each in subjects.index.entries if each.kind is others[0].kind]
    alike = [each for each in kind if all_words <= stems(f"{each.title} {each.id}")]
    together = others[0] in alike and len(alike) <= _MOST_TOGETHER
    return [others[0], *(each for each in alike if together and each is not others[0])]
