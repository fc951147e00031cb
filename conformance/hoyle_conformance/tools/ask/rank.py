"""The subjects that a question may be about, the likeliest first.

A word counts by how few subjects have it. A subject is likely by how many of the words it has, in its names and its
text, or in the best of its clauses; and by how nearly one of its names is what was asked.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Final

from hoyle_conformance.tools.ask.subjects import AskedSubject, SubjectKind
from hoyle_conformance.tools.ask.words import word_table
from hoyle_reference.frozen import frozen

#: How much a near word counts, beside the word itself, and a word of the text beside one of a name.
_NEAR: Final = 0.5
_TEXT: Final = 0.75
#: How much the best name, all words, and the best clause count.
_NAME, _WORDS, _CLAUSE = 0.5, 0.3, 0.2
#: How much a clause counts beside a rule that may cite it, and one that no rule cites.
_CITED, _ALONE = 0.72, 0.86

#: Rules that say what something scores, beside those of points.
_WORTH: Final = ("declare.melds.", "classes.combinations.", "settle.")
#: The kinds of subjects that are clauses.
CLAUSES: Final = frozenset({SubjectKind.CLAUSE, SubjectKind.ALONE})

Weights = Mapping[str, float]


@frozen
class RankedSubject:
    """A subject with how likely it is meant, from 0 to 1."""

    subject: AskedSubject
    likely: float


def weights_of(subjects: Sequence[AskedSubject]) -> Weights:
    """Return how much each word counts: the more, the fewer subjects have it."""
    counts = Counter(
        word for each in subjects for word in {*each.text, *(word for name in each.names for word in name)}
    )
    return {word: log(1 + len(subjects) / count) for word, count in counts.items()}


def rank(
    subjects: Sequence[AskedSubject], asked: Weights, weights: Weights, kinds: frozenset[str]
) -> list[RankedSubject]:
    """Return the subjects, the likeliest first; `asked` are the words of the question by how much they count."""
    clauses = clause_likelihoods(subjects, asked, weights)
    found = []
    for each in subjects:
        if each.kind in CLAUSES:
            likely = clauses[each.id] * (_ALONE if each.kind is SubjectKind.ALONE else _CITED)
        else:
            best = max((clauses.get(clause, 0) for clause in each.clauses), default=0)
            likely = (
                _NAME * _best_name(each.names, asked, weights) + _WORDS * _share(_places(each), asked) + _CLAUSE * best
            )
            likely *= _fits(each, kinds)
        found.append(RankedSubject(each, likely))
    return sorted(found, key=lambda each: -each.likely)


def clause_likelihoods(subjects: Iterable[AskedSubject], asked: Weights, weights: Weights) -> Weights:
    """Return how likely each clause is what a question asks for."""
    return {each.id: _likely_clause(each, asked, weights) for each in subjects if each.kind in CLAUSES}


def _fits(subject: AskedSubject, kinds: frozenset[str]) -> float:
    """Return how well a rule is of the kind that a question asks for."""
    if subject.kind is SubjectKind.IRREGULARITY:
        return 1.1 if "penalty" in kinds else 0.9
    last = subject.id.rpartition(".")[2]
    if "points" in kinds:
        return 1.12 if last == "points" or subject.id.startswith(_WORTH) else 1.0
    if "time" in kinds and last in {"when", "until"}:
        return 1.12
    return 1.0


def _places(subject: AskedSubject) -> Mapping[str, float]:
    named = {word: 1.0 for name in subject.names for word in name}
    return {**dict.fromkeys(subject.text, _TEXT), **named}


def _likely_clause(clause: AskedSubject, asked: Weights, weights: Weights) -> float:
    return 0.6 * _share(dict.fromkeys(clause.text, 1.0), asked) + 0.4 * _best_name(clause.names, asked, weights)


def _share(places: Mapping[str, float], asked: Weights) -> float:
    """Return how much of what was asked stands in some places."""
    near = word_table().near
    total = sum(asked.values()) or 1
    return sum(count * _found(word, places, near) for word, count in asked.items()) / total


def _found(word: str, places: Mapping[str, float], near: Mapping[str, frozenset[str]]) -> float:
    if word in places:
        return places[word]
    return _NEAR * max((places.get(each, 0) for each in near.get(word, ())), default=0)


def _best_name(names: Iterable[Sequence[str]], asked: Weights, weights: Weights) -> float:
    reached = asked.keys() | _near_words(asked)
    return max((_alike(name, asked, weights) for name in names if not reached.isdisjoint(name)), default=0)


def _near_words(asked: Weights) -> set[str]:
    near = word_table().near
    return {other for word in asked for other in near.get(word, ())}


def _alike(name: Sequence[str], asked: Weights, weights: Weights) -> float:
    """Return how nearly a name has the words of a question, and the question those of the name."""
    near = word_table().near
    here = dict.fromkeys(name, 1.0)
    there = dict.fromkeys(asked, 1.0)
    recall = _share(here, asked)
    own = {word: weights.get(word, 1.0) for word in here}
    precision = sum(count * _found(word, there, near) for word, count in own.items()) / (sum(own.values()) or 1)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0
