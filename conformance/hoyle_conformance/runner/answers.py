"""The answers of an implementation, compared with what some rules would answer.

Rules note which of their cells are read while a game is played by them. An answer that was computed without reading a
cell is the same whatever that cell says, so it is not played again for rules that differ only there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

from hoyle_conformance.checks.request import RunRequest, is_irregular
from hoyle_conformance.checks.setup.trace import observe_what_is_known, trace_acts
from hoyle_conformance.runner.consensus import TELL_WHEN, is_decided, same_value
from hoyle_conformance.runner.rule_changes import IRREGULARITIES, LEFT_OUT, MELDS, RuleChange, fit_position
from hoyle_conformance.runner.watched import WatchedRules
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cells, Malformed, Rules

Observation = Mapping[str, Any]

#: Keys of the observation of a step that was declined.
_NOT_DONE: Final = ("unsupported", "skipped", "error")
#: The name under which the points made are compared, instead of the score.
_POINTS_MADE: Final = "scores"
#: What is compared after an irregularity is ruled on.
_RULING_KEYS: Final = frozenset({"score", "choices", "game_won_by"})
#: Keys that concern the act itself.
_ACT_KEYS: Final = frozenset({"accepted", "reason"})
#: The acts and questions to which a rule about an irregularity may matter, and to which none about a combination does.
_OF_THE_REFEREE: Final = frozenset({"claim", "mishap", "choose", "ruling"})
_WITHOUT_COMBINATIONS: Final = frozenset({"play", "draw", "winner", "playable", "trick-points", "exchange", "show"})
#: The exceptions of the interpreter under rules that contradict each other.
_BROKEN: Final = (AssertionError, LookupError, TypeError, ValueError)


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


@dataclass(frozen=True)
class Answer:
    """The answer of an implementation to a position: the acts and questions sent, and an observation of each.

    `acts` are the acts and questions as the rules take them, and `ends` the last of them for each one sent.
    """

    position: Mapping[str, Any]
    sent_steps: Sequence[Mapping[str, Any]]
    observations: Sequence[Observation]
    observe: Sequence[str]
    acts: Sequence[Mapping[str, Any]]
    ends: Sequence[int]

    @classmethod
    def to(cls, plan: RunRequest, observations: Sequence[Observation], **more: Any) -> Self:
        """Return the answer to a request."""
        course = plan.reference_steps
        sent, acts = plan.message["steps"], course.message["steps"]
        return cls(course.begins, sent, observations, plan.message["observe"], acts, course.at, **more)

    def position_under(self, _ruleset: str, rules: Rules) -> Mapping[str, Any] | None:
        """Return the position with the fields that these rules have; None if another field of it is filled."""
        return fit_position(self.position, rules)

    @cached_property
    def is_irregular(self) -> bool:
        """Whether a rule about irregularities may matter."""
        return any(
            "irregular" in act or act.get("do") in _OF_THE_REFEREE or act.get("ask") in _OF_THE_REFEREE
            for act in self.acts
        ) or bool(self.position.get("choices"))

    @cached_property
    def has_combinations(self) -> bool:
        """Whether a rule about a combination may matter."""
        return "legal_acts" in self.observe or not all(
            act.get("do", act.get("ask")) in _WITHOUT_COMBINATIONS for act in self.acts
        )


# ---- the rules


class NearTable(NamedTuple):
    """A candidate, and the paths of the cells in which another differs from it."""

    candidate: "Candidate"
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Rules that an implementation may play: a ruleset with options and changes, and the fits of the answers, as far
    as they were computed, with the cells that were read for them.

    `near` are candidates that differ in a few cells: where none of these was read, an answer fits as well.
    """

    ruleset: str
    watched: WatchedRules
    near: Sequence[NearTable] = ()
    fits: dict[int, Fit] = field(default_factory=dict, compare=False, repr=False)
    reads: dict[int, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def rules(self) -> Rules:
        """The compiled rules."""
        return self.watched.rules

    def may_read(self, path: str, at: int, answer: Answer) -> bool:
        """Whether another value of a cell could change what these rules answer."""
        if path.startswith(IRREGULARITIES):
            return answer.is_irregular
        if path.startswith(MELDS):
            return answer.has_combinations
        return path not in self.watched.certain or path in self.reads[at]

    def take_over(self, at: int, answer: Answer) -> bool:
        """Take a fit over from a near candidate if it must be the same here; whether there was one."""
        for near, paths in self.near:
            if at not in near.fits or any(near.may_read(path, at, answer) for path in paths):
                continue
            if all(path in self.watched.certain or path.startswith((MELDS, IRREGULARITIES)) for path in paths):
                self.reads[at], self.fits[at] = near.reads[at], near.fits[at]
                return True
        return False


def _differing(cells: Cells, others: Cells) -> frozenset[str]:
    """Return the paths of the cells in which two tables differ."""
    paths = {cell.path for cell in (*cells, *others)}
    return frozenset(path for path in paths if value_at(cells, path) != value_at(others, path))


def value_at(cells: Cells, path: str) -> Any:
    """Return the value of a cell, or LEFT_OUT if a table lacks it."""
    return cells[path].value if path in cells else LEFT_OUT


# ---- the answers


@dataclass(slots=True)
class Answers:
    """The answers of an implementation, and the rules that they were compared with. `replays` counts how often rules
    were played to compare one, which is the work of a search."""

    suite: Suite
    answers: Sequence[Answer]
    deals: bool
    replays: int = 0
    _known: dict[tuple[str, ...], Candidate | None] = field(default_factory=dict)
    _reads: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.answers)

    def candidate(
        self, ruleset: str, changes: Sequence[RuleChange] = (), near: Sequence[Candidate] = ()
    ) -> Candidate | None:
        """Return a ruleset with these changes; None if its table cannot be so. It takes over what is known from `near`
        candidates, and from those that lack one of the changes, or the options."""
        key = (ruleset, *(each.key for each in changes))
        if key not in self._known:
            below = [(ruleset, *key[1:at], *key[at + 1 :]) for at in range(1, len(key))] or [
                (ruleset.partition("+")[0],)
            ]
            known = [each for each in map(self._known.get, below) if each]
            try:
                cells = self.suite.rules.cells(ruleset)
                for change in changes:
                    cells = change.apply_to(cells)
                tables = [NearTable(each, _differing(cells, each.rules.cells)) for each in (*near, *known)]
                self._known[key] = Candidate(ruleset, WatchedRules(ruleset, cells), tables)
            except (Malformed, *_BROKEN):
                self._known[key] = None
        return self._known[key]

    def table(self, ruleset: str) -> Candidate:
        """Return a ruleset as it is."""
        found = self.candidate(ruleset)
        assert found, "a ruleset of the suite makes a table"
        return found

    def forget(self) -> None:
        """Forget all comparisons, since more is known about the answers."""
        self._known.clear()

    def fit(self, candidate: Candidate, at: int) -> Fit:
        """Return how the answer at an index fits; computed once."""
        if at not in candidate.fits and not candidate.take_over(at, self.answers[at]):
            self.replays += 1
            candidate.watched.read.clear()
            fit = self._fit(candidate, self.answers[at])
            reads = frozenset(candidate.watched.read)
            candidate.reads[at] = self._reads.setdefault(reads, reads)  # many are equal, and one is kept
            candidate.fits[at] = fit
        return candidate.fits[at]

    def _fit(self, candidate: Candidate, answer: Answer) -> Fit:
        try:
            return _compare(expected_observations(candidate, answer), answer, deals=self.deals)
        except ImpossiblePosition:
            return IMPOSSIBLE

    def fits(self, candidate: Candidate) -> dict[int, Fit]:
        """Return how each answer fits, by its index."""
        return {at: self.fit(candidate, at) for at in range(len(self))}

    def agreeing(self, candidate: Candidate) -> frozenset[int]:
        """Return the indices of the answers that agree completely."""
        return frozenset(at for at, fit in self.fits(candidate).items() if fit.is_whole)

    def may_read(self, candidate: Candidate, path: str, at: int) -> bool:
        """Whether another value of a cell could change how an answer fits."""
        self.fit(candidate, at)
        return candidate.may_read(path, at, self.answers[at])

    def grounds(self, candidate: Candidate, at: int, *, whole: bool = True) -> tuple[str, ...]:
        """Return the cells at work in an answer, up to its difference: those of the last act or question, and then of
        the others, if `whole`."""
        answer, first = self.answers[at], self.fit(candidate, at).first
        position = answer.position_under(candidate.ruleset, candidate.rules)
        if position is None:
            return ()
        steps = answer.acts[: answer.ends[first.at] + 1 if first else None]
        try:
            traced = trace_acts(candidate.rules, {"position": position, "steps": steps})
        except (Malformed, *_BROKEN):
            return ()
        steps_at_work = traced[::-1] if whole else traced[-1:]
        return tuple(dict.fromkeys(path for each in steps_at_work for path in each.grounds))


def expected_observations(candidate: Candidate, answer: Answer) -> Iterator[Observation]:
    """Yield what these rules would answer to each act and question sent; raises ImpossiblePosition."""
    position = answer.position_under(candidate.ruleset, candidate.rules)
    if position is None:
        raise ImpossiblePosition
    message = {"position": position, "steps": answer.acts, "observe": sorted({*answer.observe, *TELL_WHEN})}
    try:
        yield from observe_what_is_known(candidate.rules, message, answer.ends)
    except (Malformed, *_BROKEN) as why:
        raise ImpossiblePosition from why


def _compare(reference: Iterator[Observation], answer: Answer, *, deals: bool) -> Fit:
    """Return how an answer fits. An act counts twice: whether it is accepted, and its other observations."""
    agree = 0
    first: Difference | None = None
    was = _Score(answer.position["score"], answer.position["score"])
    for at, (expected, observed) in enumerate(zip(reference, answer.observations, strict=True)):
        if any(key in observed for key in _NOT_DONE) or _declares_otherwise(answer.sent_steps[at], observed):
            break
        differs = next(_differences(answer.sent_steps, at, expected, observed, was, deals=deals), None)
        if "score" in observed and "score" in expected:
            was = _Score(expected["score"], observed["score"])
        elif "score" in observed:
            was = _Score(was.expected, observed["score"])
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
    elif "phase" in expected:  # else these rules know of no such act
        irregular = any(map(is_irregular, steps[: at + 1]))
        compared = _RULING_KEYS if irregular else observed.keys() - _ACT_KEYS
        keys = [
            key for key in expected if key in observed and key in compared and is_decided(expected, key, deals=deals)
        ]
        yield from _table_differences(at, sorted(keys, key="score".__eq__), expected, observed, was)
    elif "score" in observed and (
        made := _points_made(observed["score"], was.observed)
    ):  # refused, so it scores nothing
        yield Difference(at, _POINTS_MADE, {}, made)


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
