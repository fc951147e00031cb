"""The words that an adapter can claim, as the schemas define them, and the words that a request needs.

Each act, refusal, question and observable is a word. A capability stands for a set of words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.model import Expected

#: The claim of an engine that carries out irregular acts and rules on them.
IRREGULAR_ACTS: Final = "irregular"
#: The claim of an engine that plays whole games and counts the legal acts.
LEGAL_ACTS: Final = "legal_acts"
#: The fields of a position that can be set up only in an engine that rules on irregularities.
IRREGULAR_FIELDS: Final = frozenset({"surplus", "untouched", "heap"})
#: The keys of an expectation that are not separate observables.
_OBSERVED_AS: Final = {"scores": "score", "total": "score"}
_NOT_OBSERVED: Final = frozenset({"refused", "answer"})
#: The single acts of each step that stands for several.
_SINGLE: Final = {"trick": "play", "draw-all": "draw"}


class Capabilities:
    """The words that can be claimed: acts, refusals, questions, observables, and capabilities, which stand for sets of
    these."""

    def __init__(self, schemas: Schemas) -> None:
        words = schemas.documents["common"]["$defs"]
        self.meanings: Mapping[str, str] = words["capability"]["sentences"]
        self.sets: Mapping[str, frozenset[str]] = {
            name: frozenset(each) for name, each in words["capability"]["words"].items()
        }
        self.everything: frozenset[str] = frozenset(words["claimed"]["enum"])
        self.asks: frozenset[str] = frozenset(words["ask"])
        #: The word for a question with or without a certain key. An engine may compare hands without knowing calls, and
        #: score a named combination without finding it.
        self._with_key, self._without_key = (
            {name: each.get(kind, {}) for name, each in words["ask"].items()} for kind in ("words", "words_without")
        )
        self.observables: frozenset[str] = frozenset(words["observable"]["enum"])
        #: The word for each choice. An engine may leave a deal without knowing the talon.
        self.choices: Mapping[str, str] = words["do"]["choose"]["properties"]["choice"]["words"]
        #: The words for all acts.
        self.acts: frozenset[str] = frozenset(words["do"]) - {"choose"} | frozenset(self.choices.values())

    def words(self, claims: Iterable[str], cannot: Iterable[str] = ()) -> frozenset[str]:
        """Return the words that these claims stand for, without those in `cannot`."""
        found = (self.sets.get(claim, frozenset((claim,))) for claim in claims)
        return frozenset(chain.from_iterable(found)) - frozenset(cannot)

    def word(self, step: Mapping[str, Any]) -> str:
        """Return the word for an act or a question."""
        if "ask" in step:
            return next(self._words_of_form(step), str(step["ask"]))
        return self.choices[step["choice"]] if step["do"] == "choose" else str(step["do"])

    def _words_of_form(self, question: Mapping[str, Any]) -> Iterator[str]:
        """Yield the special word for a question in this form, if there is one."""
        yield from (word for key, word in self._with_key.get(question["ask"], {}).items() if key in question)
        yield from (word for key, word in self._without_key.get(question["ask"], {}).items() if key not in question)

    def needed(
        self,
        given: Mapping[str, Any],
        acts: Sequence[Mapping[str, Any]],
        branches: Iterable[Expected],
        steps: Sequence[Mapping[str, Any]],
    ) -> frozenset[str]:
        """Return the words that must be claimed for a position, the acts and questions sent, and the expectations of
        the steps that they come from."""
        branches = list(branches)
        needs = {self.word(step) for step in acts} | observed(branches)
        if any("irregular" in step for step in acts) or not IRREGULAR_FIELDS.isdisjoint(given):
            needs.add(IRREGULAR_ACTS)
        return frozenset(needs.union(refusal_of(steps[number - 1]) for number in _refused(branches)))


def observed(branches: Iterable[Expected]) -> set[str]:
    """Return the observables that these expectations need."""
    keys = {key for expected in branches for expectation in expected.values() for key in expectation}
    return {word for key in keys if (word := observed_as(key))}


def observed_as(key: str) -> str | None:
    """Return the observable that a key of an expectation needs, or None."""
    return None if key in _NOT_OBSERVED else _OBSERVED_AS.get(key, key)


def refusal_of(step: Mapping[str, Any]) -> str:
    """Return the word for the refusal of a step's act, or of its last act if it has several."""
    return f"refuse-{_SINGLE.get(step['do'], step['do'])}"


def _refused(branches: Iterable[Expected]) -> Iterator[int]:
    """Yield the numbers of the steps that some branch expects to be refused."""
    return (number for expected in branches for number, each in expected.items() if "refused" in each)
