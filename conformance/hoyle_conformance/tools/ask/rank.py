"""The subjects that a question may be about, ranked by likelihood.

A word has more weight the fewer subjects have it. The likelihood of a subject depends on the words of the question in
its names and text, and on the similarity of its best names to the question.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import log
from typing import Final

from hoyle_conformance.tools.ask import measures as measure
from hoyle_conformance.tools.ask.subjects import AskedSubject, SubjectKind
from hoyle_conformance.tools.ask.words import word_table

#: The rules about scores, other than those named points.
WORTH: Final = ("declare.melds.", "classes.combinations.", "settle.")
#: The kinds of subjects that are clauses.
CLAUSES: Final = frozenset({SubjectKind.CLAUSE, SubjectKind.ALONE})

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RankedSubject:
    """A subject with its likelihood, from 0 to 1."""

    subject: AskedSubject
    likely: float


def weights_of(subjects: Sequence[AskedSubject]) -> Weights:
    """Return the weight of each word: the fewer subjects have it, the greater, up to that of a rare word."""
    counts = Counter(
        word for each in subjects for word in {*each.text, *(word for name in each.names for word in name)}
    )
    weights = {word: min(log(1 + len(subjects) / count), measure.RARE) for word, count in counts.items()}
    return {word: round(weight, measure.PLACES) for word, weight in weights.items()}


def rank(
    subjects: Iterable[AskedSubject], asked: Weights, weights: Weights, kinds: frozenset[str]
) -> list[RankedSubject]:
    """Return the subjects, most likely first; `asked` maps the words of the question to their weights."""
    found = [_ranked(each, asked, weights, kinds) for each in subjects]
    return sorted(found, key=lambda each: -each.likely)


def _ranked(subject: AskedSubject, asked: Weights, weights: Weights, kinds: frozenset[str]) -> RankedSubject:
    in_text = 1.0 if subject.kind in CLAUSES else measure.TEXT
    named = {word: 1.0 for name in subject.names for word in name}
    words = _share({**dict.fromkeys(subject.text, in_text), **named}, asked)
    alike = _best_names(subject.names, asked, weights)
    likely = (measure.NAME * alike + measure.WORDS * words) * _fits(subject, kinds)
    return RankedSubject(subject, round(likely, measure.PLACES))


def _fits(subject: AskedSubject, kinds: frozenset[str]) -> float:
    """Return how well a subject matches the kind of answer that a question asks for; a rule fits better than its
    clauses."""
    if subject.kind in CLAUSES:
        return measure.CITED if subject.kind is SubjectKind.CLAUSE else 1.0
    if subject.kind is SubjectKind.IRREGULARITY:
        return measure.PENALTY if "penalty" in kinds else measure.NO_PENALTY
    last = subject.id.rpartition(".")[2]
    if "points" in kinds:
        return measure.OF_THE_KIND if last == "points" or subject.id.startswith(WORTH) else 1.0
    if "time" in kinds and last in {"when", "until"}:
        return measure.OF_THE_KIND
    return 1.0


def _share(places: Mapping[str, float], asked: Weights) -> float:
    """Return the share of the question's weight that some words cover."""
    near = word_table().near
    total = sum(asked.values()) or 1
    return sum(count * _found(word, places, near) for word, count in asked.items()) / total


def _found(word: str, places: Mapping[str, float], near: Mapping[str, frozenset[str]]) -> float:
    if word in places:
        return places[word]
    return measure.NEAR * max((places.get(each, 0) for each in near.get(word, ())), default=0)


def _best_names(names: Sequence[Sequence[str]], asked: Weights, weights: Weights) -> float:
    """Return the similarity of the best name, averaged with that of the best three: one name may match by chance."""
    near = word_table().near
    reached = asked.keys() | {other for word in asked for other in near.get(word, ())}
    alike = (_alike(name, asked, weights) for name in names if not reached.isdisjoint(name))
    best = nlargest(measure.NAMES, alike)
    return (best[0] + sum(best) / min(measure.NAMES, len(names))) / 2 if best else 0


def _alike(name: Sequence[str], asked: Weights, weights: Weights) -> float:
    """Return the similarity of a name and a question, by the words that each has of the other."""
    recall = _share(dict.fromkeys(name, 1.0), asked)
    precision = _share(dict.fromkeys(asked, 1.0), {word: weights.get(word, 1.0) for word in name})
    return 2 * precision * recall / (precision + recall) if precision + recall else 0
