"""Judging: what an implementation has answered, held against what some rules would have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.setup.trace import observed_as_known
from hoyle_conformance.runner.consensus import RULED_ON, TELL_WHEN, is_said, same
from hoyle_conformance.tools.identify.ask import Answered
from hoyle_reference import Malformed, Rules
from hoyle_reference.frozen import frozen

Observation = Mapping[str, Any]

#: Observations that tell of a step not done.
_NOT_DONE: Final = ("unsupported", "skipped", "error")
#: What is compared of a score: the points made.
_MADE: Final = "scores"
#: What a ruling on something irregular says; the rest of what follows from it is not said.
_OF_A_RULING: Final = frozenset({"score", "choices", "game_won_by"})
#: What an observation says of the act itself.
_OF_THE_ACT: Final = frozenset({"accepted", "reason"})
#: How the interpreter breaks off under rules that do not go together.
BROKEN: Final = (AssertionError, LookupError, TypeError, ValueError)


class Difference(NamedTuple):
    """Where an answer differs first from what some rules have: the act or question (counted from 0), what was compared
    there, and both values."""

    at: int
    what: str
    expected: Any
    observed: Any


class Fit(NamedTuple):
    """How an answer fits some rules: in how much of it they agree, until the first act of which they do not, and the
    first difference."""

    agree: int
    first: Difference | None

    @property
    def whole(self) -> bool:
        """Whether all of it agrees."""
        return self.first is None


class Senseless(Exception):
    """Rules under which the position of an answer cannot be, or what is sent leads nowhere."""


#: How an answer fits rules under which it makes no sense.
SENSELESS: Final = Fit(0, Difference(0, "position", None, None))


@frozen
class Candidate:
    """Rules that may be those of an implementation: a ruleset with options, and what is changed in it; and how the
    answers fit, as far as that was looked at."""

    ruleset: str
    rules: Rules
    fits: dict[int, Fit] = field(default_factory=dict, compare=False, repr=False)


@frozen
class EngineAnswers:
    """All that an implementation has answered."""

    answers: Sequence[Answered]
    deals: bool

    def fit(self, candidate: Candidate, at: int) -> Fit:
        """How the answer at this place fits."""
        fit = candidate.fits.get(at)
        if fit is None:
            fit = candidate.fits[at] = self._fit(candidate, self.answers[at])
        return fit

    def _fit(self, candidate: Candidate, answer: Answered) -> Fit:
        try:
            return _held_against(reference(candidate, answer), answer, deals=self.deals)
        except Senseless:
            return SENSELESS

    def agreeing(self, candidate: Candidate) -> frozenset[int]:
        """The places of the answers that agree as a whole."""
        return frozenset(at for at in range(len(self.answers)) if self.fit(candidate, at).whole)

    def told_apart(self, one: Candidate, other: Candidate, at: int) -> bool:
        """Whether what was observed here would tell two rules from each other: an answer by one fails by the other."""
        answer = self.answers[at]
        try:
            observed = [_as_observed(*each) for each in zip(reference(one, answer), answer.steps, strict=True)]
        except Senseless:
            return False
        return not self._fit(other, replace(answer, steps=observed)).whole


def reference(candidate: Candidate, answer: Answered) -> Iterator[Observation]:
    """What would be observed by these rules of each act and question sent, one after the other; raises Senseless where
    the position cannot be, or nothing can follow from it."""
    position = answer.distinct.under(candidate.ruleset, candidate.rules)
    if position is None:
        raise Senseless
    message = {"position": position, "steps": answer.acts, "observe": sorted({*answer.observe, *TELL_WHEN})}
    try:
        yield from observed_as_known(candidate.rules, message, answer.ends)
    except (Malformed, *BROKEN) as why:
        raise Senseless from why


def _as_observed(said: Observation, seen: Observation) -> Observation:
    """Of what rules say of a step, what an implementation has told."""
    return {key: said[key] for key in seen if key in said}


def _held_against(expected: Iterator[Observation], answer: Answered, *, deals: bool) -> Fit:
    """An act agrees twice: in whether it is accepted, and in all else that was observed."""
    agree = 0
    first: Difference | None = None
    was = _Score(answer.distinct.position["score"], answer.distinct.position["score"])
    for at, (wanted, seen) in enumerate(zip(expected, answer.steps, strict=True)):
        if any(key in seen for key in _NOT_DONE) or _chosen_otherwise(answer.sent[at], seen):
            break
        differs = next(_differences(answer.sent, at, wanted, seen, was, deals=deals), None)
        if "score" in seen and "score" in wanted:
            was = _Score(wanted["score"], seen["score"])
        agree += 2 if differs is None else differs.what != "accepted"
        first = first or differs
        if differs and "answer" not in wanted and differs.what != _MADE:  # what comes after rests on it
            break
    return Fit(agree, first)


class _Score(NamedTuple):
    """The score when it was observed last: as it was to be, and as it was."""

    expected: Mapping[str, int]
    observed: Mapping[str, int]


def _chosen_otherwise(step: Mapping[str, Any], seen: Observation) -> bool:
    """Whether an implementation that chooses what it declares has declared something else: the rest is another game."""
    return "declared" in seen and seen["declared"] != {key: step.get(key) for key in ("meld", "cards")}


def _differences(
    steps: Sequence[Mapping[str, Any]],
    at: int,
    wanted: Observation,
    seen: Observation,
    was: _Score,
    *,
    deals: bool,
) -> Iterator[Difference]:
    """What was observed otherwise at one act or question."""
    if "ask" in steps[at]:
        if "answer" in wanted and "answer" in seen and not same("answer", wanted["answer"], seen["answer"]):
            yield Difference(at, "answer", wanted["answer"], seen["answer"])
    elif seen.get("accepted") != wanted["accepted"]:
        yield Difference(at, "accepted", wanted["accepted"], seen.get("accepted"))
    elif "phase" in wanted:  # else the rules know of no such act
        irregular = any("irregular" in step or step.get("do") in RULED_ON for step in steps[: at + 1])
        said = _OF_A_RULING if irregular else seen.keys() - _OF_THE_ACT
        keys = [key for key in wanted if key in seen and key in said and is_said(wanted, key, deals=deals)]
        yield from _of_the_table(at, sorted(keys, key="score".__eq__), wanted, seen, was)


def _of_the_table(
    at: int, keys: Sequence[str], wanted: Observation, seen: Observation, was: _Score
) -> Iterator[Difference]:
    """What was observed otherwise of the table under these keys."""
    for key in keys:
        if key == "score":
            made = _made(wanted[key], was.expected), _made(seen[key], was.observed)
            if made[0] != made[1]:
                yield Difference(at, _MADE, *made)
        elif seen[key] != wanted[key] and not same(key, wanted[key], seen[key]):
            yield Difference(at, key, wanted[key], seen[key])


def _made(score: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """The points made since."""
    made = {seat: points - before.get(seat, 0) for seat, points in score.items()}
    return {seat: points for seat, points in made.items() if points}
