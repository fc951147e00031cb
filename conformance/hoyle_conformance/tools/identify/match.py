"""Matching: the answers of an implementation compared with what some rules would answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.setup.trace import observe_what_is_known
from hoyle_conformance.runner.consensus import RULED_ON, TELL_WHEN, is_decided, same_value
from hoyle_conformance.tools.identify.ask import AnsweredPosition
from hoyle_reference import Malformed, Rules
from hoyle_reference.frozen import frozen

Observation = Mapping[str, Any]

#: Keys of the observation of a step that was declined.
_NOT_DONE: Final = ("unsupported", "skipped", "error")
#: The name under which the points made are compared, instead of the score.
_POINTS_MADE: Final = "scores"
#: What is compared after an irregularity is ruled on.
_RULING_KEYS: Final = frozenset({"score", "choices", "game_won_by"})
#: Keys that concern the act itself.
_ACT_KEYS: Final = frozenset({"accepted", "reason"})
#: The exceptions of the interpreter under rules that contradict each other.
BROKEN: Final = (AssertionError, LookupError, TypeError, ValueError)


class Difference(NamedTuple):
    """The first difference between an answer and some rules: the act or question (counted from 0), the observation
    compared, and both values."""

    at: int
    what: str
    expected: Any
    observed: Any


class Fit(NamedTuple):
    """The fit of an answer to some rules: how much agrees up to the first act that does not, and the first
    difference."""

    agree: int
    first: Difference | None

    @property
    def is_whole(self) -> bool:
        """Whether all of the answer agrees."""
        return self.first is None


class ImpossiblePosition(Exception):
    """The position of an answer, or its steps, make no sense under some rules."""


#: The fit of an answer that makes no sense under some rules.
IMPOSSIBLE: Final = Fit(0, Difference(0, "position", None, None))


@frozen
class Candidate:
    """Rules that an implementation may play: a ruleset with options and changes, and the fits of the answers, as far
    as they were computed."""

    ruleset: str
    rules: Rules
    fits: dict[int, Fit] = field(default_factory=dict, compare=False, repr=False)


@frozen
class EngineAnswers:
    """The answers of an implementation."""

    answers: Sequence[AnsweredPosition]
    deals: bool

    def fit(self, candidate: Candidate, at: int) -> Fit:
        """Return how the answer at an index fits; computed once."""
        fit = candidate.fits.get(at)
        if fit is None:
            fit = candidate.fits[at] = self._fit(candidate, self.answers[at])
        return fit

    def _fit(self, candidate: Candidate, answer: AnsweredPosition) -> Fit:
        try:
            return _compare(reference_observations(candidate, answer), answer, deals=self.deals)
        except ImpossiblePosition:
            return IMPOSSIBLE

    def agreeing(self, candidate: Candidate) -> frozenset[int]:
        """Return the indices of the answers that agree completely."""
        return frozenset(at for at in range(len(self.answers)) if self.fit(candidate, at).is_whole)

    def told_apart(self, one: Candidate, other: Candidate, at: int) -> bool:
        """Whether the observations at an index tell two rules apart: an answer by one fails under the other."""
        answer = self.answers[at]
        try:
            pairs = zip(reference_observations(one, answer), answer.observations, strict=True)
            observed = [{key: own[key] for key in actual if key in own} for own, actual in pairs]
        except ImpossiblePosition:
            return False
        return not self._fit(other, replace(answer, observations=observed)).is_whole


def reference_observations(candidate: Candidate, answer: AnsweredPosition) -> Iterator[Observation]:
    """Yield what these rules would answer to each act and question sent; raises ImpossiblePosition."""
    position = answer.distinct.position_under(candidate.ruleset, candidate.rules)
    if position is None:
        raise ImpossiblePosition
    message = {"position": position, "steps": answer.acts, "observe": sorted({*answer.observe, *TELL_WHEN})}
    try:
        yield from observe_what_is_known(candidate.rules, message, answer.ends)
    except (Malformed, *BROKEN) as why:
        raise ImpossiblePosition from why


def _compare(reference: Iterator[Observation], answer: AnsweredPosition, *, deals: bool) -> Fit:
    """Return how an answer fits. An act counts twice: whether it is accepted, and its other observations."""
    agree = 0
    first: Difference | None = None
    was = _Score(answer.distinct.position["score"], answer.distinct.position["score"])
    for at, (expected, observed) in enumerate(zip(reference, answer.observations, strict=True)):
        if any(key in observed for key in _NOT_DONE) or _declares_otherwise(answer.sent_steps[at], observed):
            break
        differs = next(_differences(answer.sent_steps, at, expected, observed, was, deals=deals), None)
        if "score" in observed and "score" in expected:
            was = _Score(expected["score"], observed["score"])
        agree += 2 if differs is None else differs.what != "accepted"
        first = first or differs
        if differs and "answer" not in expected and differs.what != _POINTS_MADE:  # later observations depend on it
            break
    return Fit(agree, first)


class _Score(NamedTuple):
    """The last observed score: as expected, and as observed."""

    expected: Mapping[str, int]
    observed: Mapping[str, int]


def _declares_otherwise(step: Mapping[str, Any], observed: Observation) -> bool:
    """Whether an implementation that chooses what it declares has declared something else: the rest is another game."""
    return "declared" in observed and observed["declared"] != {key: step.get(key) for key in ("meld", "cards")}


def _differences(
    steps: Sequence[Mapping[str, Any]],
    at: int,
    expected: Observation,
    observed: Observation,
    was: _Score,
    *,
    deals: bool,
) -> Iterator[Difference]:
    """Yield the observations that differ at one act or question."""
    if "ask" in steps[at]:
        if (
            "answer" in expected
            and "answer" in observed
            and not same_value("answer", expected["answer"], observed["answer"])
        ):
            yield Difference(at, "answer", expected["answer"], observed["answer"])
    elif observed.get("accepted") != expected["accepted"]:
        yield Difference(at, "accepted", expected["accepted"], observed.get("accepted"))
    elif "phase" in expected:  # else the rules know of no such act
        irregular = any("irregular" in step or step.get("do") in RULED_ON for step in steps[: at + 1])
        compared = _RULING_KEYS if irregular else observed.keys() - _ACT_KEYS
        keys = [
            key for key in expected if key in observed and key in compared and is_decided(expected, key, deals=deals)
        ]
        yield from _table_differences(at, sorted(keys, key="score".__eq__), expected, observed, was)


def _table_differences(
    at: int, keys: Sequence[str], expected: Observation, observed: Observation, was: _Score
) -> Iterator[Difference]:
    """Yield the observations of the table under these keys that differ."""
    for key in keys:
        if key == "score":
            made = _points_made(expected[key], was.expected), _points_made(observed[key], was.observed)
            if made[0] != made[1]:
                yield Difference(at, _POINTS_MADE, *made)
        elif observed[key] != expected[key] and not same_value(key, expected[key], observed[key]):
            yield Difference(at, key, expected[key], observed[key])


def _points_made(score: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """Return the points made since the score before."""
    made = {seat: points - before.get(seat, 0) for seat, points in score.items()}
    return {seat: points for seat, points in made.items() if points}
