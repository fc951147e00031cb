"""Compare the answers of an implementation with those of candidate rules.

The module has four parts: rules that record which of their cells the interpreter reads, the comparison of one answer,
candidate rules, and the collected answers. Rules that differ only in cells that an answer did not read give the same
answer, so it is not played again for them.
"""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple, Self, SupportsIndex, TypeVar

from hoyle_conformance.checks.request import RunRequest, is_irregular
from hoyle_conformance.checks.setup.trace import observe_what_is_known, trace_acts
from hoyle_conformance.protocol.messages import DECLINED
from hoyle_conformance.runner.consensus import TELL_WHEN, is_decided, same_value
from hoyle_conformance.runner.rule_changes import IRREGULARITIES, LEFT_OUT, MELDS, RuleChange, fit_position
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Cells, Malformed, Rules, compile_cells
from hoyle_reference.cells import Rule

# ---- watched rules


T = TypeVar("T")

#: The chapter whose functions cache their results, and so do not read the cells again.
_REMEMBERED: Final = "classes."


class WatchedRules:
    """Rules that record in `read` which of their cells the interpreter reads in a game.

    `certain` are the cells that matter only if they are recorded as read; cells that the table lacks are among them.
    `touched` are the cells that have any part in the game, `always` those read for every game.
    """

    def __init__(self, name: str, cells: Cells) -> None:
        watching = _Watching({cell.path: cell for cell in cells})
        self.rules: Rules = compile_cells(name, watching)
        self.read = watching.read
        self.certain = frozenset(path for path in watching.watched - watching.read if not path.startswith(_REMEMBERED))
        self.touched = frozenset(watching.watched | watching.read)
        self.always = frozenset(watching.read)


class _Watching(Cells):
    """Cells that record in `read` the paths whose values are read, and in `watched` the paths that have a rule."""

    __slots__ = ("read", "watched")

    def __init__(self, cells: Mapping[str, Cell]) -> None:
        super().__init__(cells)
        self.read: set[str] = set()
        self.watched: set[str] = set()

    def __getitem__(self, path: str) -> Cell:
        self.read.add(path)
        return super().__getitem__(path)

    def rule(self, path: str, read: Callable[[Any], T]) -> Rule[T]:
        """Return a rule that records its path only when its value is read."""
        known = path in self.read
        plain = super().rule(path, read)
        if not known:
            self.read.discard(path)
        return self._noting(path, plain)

    def rule_if_any(self, path: str, read: Callable[[Any], T], otherwise: T) -> Rule[T]:
        """Return a rule that records its path when its value is read or found missing."""
        return self.rule(path, read) if path in self else self._noting(path, Rule(otherwise))

    def _noting(self, path: str, rule: Rule[T]) -> Rule[T]:
        self.watched.add(path)
        noting = _Noting(*rule)
        noting.path, noting.read = path, self.read
        return noting

    def rows(self, path: str) -> Iterator[Cell]:
        """Yield the rows and record each as read, since they are compiled together."""
        for cell in super().rows(path):
            self.read.add(cell.path)
            yield cell


class _Noting(Rule[Any]):
    """A rule that records its path in `read` each time its value is read as a value or as a sequence."""

    path: str
    read: set[str]

    @property
    def value(self) -> Any:
        """The value of the rule."""
        self.read.add(self.path)
        return tuple.__getitem__(self, 0)

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        self.read.add(self.path)
        return tuple.__getitem__(self, at)

    def __iter__(self) -> Iterator[Any]:
        self.read.add(self.path)
        return tuple.__iter__(self)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))


# ---- comparison of an answer


Observation = Mapping[str, Any]

#: The name under which the points of a step are compared, instead of the score.
_POINTS_MADE: Final = "scores"
#: The observables that are compared after a ruling on an irregularity.
_RULING_KEYS: Final = frozenset({"score", "choices", "game_won_by"})
#: The keys about the act itself.
_ACT_KEYS: Final = frozenset({"accepted", "reason"})
#: The acts and questions to which rules about irregularities may apply, and those to which no rule about combinations
#: applies.
_OF_THE_REFEREE: Final = frozenset({"claim", "mishap", "choose", "ruling"})
_WITHOUT_COMBINATIONS: Final = frozenset({"play", "draw", "winner", "playable", "trick-points", "exchange", "show"})
#: The exceptions that the interpreter raises under contradictory rules.
_BROKEN: Final = (AssertionError, LookupError, TypeError, ValueError)


class Difference(NamedTuple):
    """The first difference between an answer and some rules: the act or question (counted from 0), the observation
    compared, and both values."""

    at: int
    what: str
    expected: Any
    observed: Any


class Fit(NamedTuple):
    """How well an answer fits some rules: how much agrees before the first act that differs, and that first
    difference."""

    agree: int
    first: Difference | None

    @property
    def is_whole(self) -> bool:
        """Whether the whole answer agrees."""
        return self.first is None


class ImpossiblePosition(Exception):
    """The position of an answer, or one of its steps, makes no sense under some rules."""


#: The fit of an answer that makes no sense under some rules.
IMPOSSIBLE: Final = Fit(0, Difference(0, "position", None, None))


@dataclass(frozen=True)
class Answer:
    """The answer of an implementation to a position: the acts and questions sent, and one observation for each.

    `acts` are the acts and questions as the reference plays them. `ends` has, for each one sent, the index of the last
    of these acts.
    """

    position: Mapping[str, Any]
    sent_steps: Sequence[Mapping[str, Any]]
    observations: Sequence[Observation]
    observe: Sequence[str]
    acts: Sequence[Mapping[str, Any]]
    ends: Sequence[int]

    @classmethod
    def to(cls, plan: RunRequest, observations: Sequence[Observation], **more: Any) -> Self:
        """Return the answer made of a request and its observations."""
        course = plan.reference_steps
        sent, acts = plan.message["steps"], course.message["steps"]
        return cls(course.begins, sent, observations, plan.message["observe"], acts, course.at, **more)

    def position_under(self, _ruleset: str, rules: Rules) -> Mapping[str, Any] | None:
        """Return the position with the fields that these rules have; None if a field that they lack is filled."""
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


# ---- candidate rules


class NearTable(NamedTuple):
    """A candidate, and the paths of the cells in which another candidate differs from it."""

    candidate: "Candidate"
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A ruleset, with options and changes, that an implementation may play, and the fits computed so far.

    `fits` and `reads` have, by the index of an answer, its fit and the cells read for it. `near` are candidates that
    differ in a few cells; if none of these cells was read for an answer, its fit is the same.
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
        """Return whether another value of a cell could change the answer of these rules."""
        if path.startswith(IRREGULARITIES):
            return answer.is_irregular
        if path.startswith(MELDS):
            return answer.has_combinations
        return path not in self.watched.certain or path in self.reads[at]

    def take_over(self, at: int, answer: Answer) -> bool:
        """Copy the fit of an answer from a near candidate, if it must be the same here; return whether one was
        copied."""
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


# ---- the collected answers


#: The maximum number of candidates that are kept with their fits, each of some hundred kilobytes.
_MOST_CANDIDATES: Final = 250


@dataclass(slots=True)
class Answers:
    """The answers of an implementation, and the candidates they were compared with. `replays` counts how often an
    answer was played under some rules; this count measures the work of a search."""

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
        """Return a ruleset with these changes; None if its table is invalid with them. The candidate takes over known
        fits from the `near` candidates, and from those without one of the changes or without the options."""
        key = (ruleset, *(each.key for each in changes))
        if key not in self._known:
            below = [(ruleset, *key[1:at], *key[at + 1 :]) for at in range(1, len(key))] or [
                (ruleset.partition("+")[0],)
            ]
            known = [each for each in map(self._used, below) if each]
            try:
                cells = self.suite.rules.cells(ruleset)
                for change in changes:
                    cells = change.apply_to(cells)
                tables = [NearTable(each, _differing(cells, each.rules.cells)) for each in (*near, *known)]
                self._known[key] = Candidate(ruleset, WatchedRules(ruleset, cells), tables)
            except (Malformed, *_BROKEN):
                self._known[key] = None
            if len(self._known) > _MOST_CANDIDATES:
                del self._known[next(iter(self._known))]
        return self._used(key)

    def _used(self, key: tuple[str, ...]) -> Candidate | None:
        """Return the candidate of a key, if it is known; the last one used is forgotten last."""
        return self._known.setdefault(key, self._known.pop(key)) if key in self._known else None

    def table(self, ruleset: str) -> Candidate:
        """Return a ruleset without changes."""
        found = self.candidate(ruleset)
        assert found, "a ruleset of the suite makes a table"
        return found

    def forget(self) -> None:
        """Discard all comparisons, because the answers have changed."""
        self._known.clear()
        gc.collect()  # compiled rules refer to each other

    def fit(self, candidate: Candidate, at: int) -> Fit:
        """Return how well the answer at an index fits, computed once."""
        if at not in candidate.fits and not candidate.take_over(at, self.answers[at]):
            self.replays += 1
            candidate.watched.read.clear()
            candidate.fits[at] = self._fit(candidate, self.answers[at])
            reads = frozenset(candidate.watched.read)
            candidate.reads[at] = self._reads.setdefault(reads, reads)  # many of these sets are equal
        return candidate.fits[at]

    def _fit(self, candidate: Candidate, answer: Answer) -> Fit:
        try:
            return _compare(expected_observations(candidate, answer), answer, deals=self.deals)
        except ImpossiblePosition:
            return IMPOSSIBLE

    def fits(self, candidate: Candidate) -> dict[int, Fit]:
        """Return the fit of each answer, by its index."""
        return {at: self.fit(candidate, at) for at in range(len(self))}

    def agreeing(self, candidate: Candidate) -> frozenset[int]:
        """Return the indices of the answers that agree completely."""
        return frozenset(at for at, fit in self.fits(candidate).items() if fit.is_whole)

    def may_read(self, candidate: Candidate, path: str, at: int) -> bool:
        """Return whether another value of a cell could change how well an answer fits."""
        self.fit(candidate, at)
        return candidate.may_read(path, at, self.answers[at])

    def grounds(self, candidate: Candidate, at: int, *, whole: bool = True) -> tuple[str, ...]:
        """Return the cells at work in an answer up to its first difference: first those of the last act or question and
        then, if `whole`, those of the others."""
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
    """Yield the observation that these rules expect for each act and question sent; raises ImpossiblePosition."""
    position = answer.position_under(candidate.ruleset, candidate.rules)
    if position is None:
        raise ImpossiblePosition
    message = {"position": position, "steps": answer.acts, "observe": sorted({*answer.observe, *TELL_WHEN})}
    try:
        yield from observe_what_is_known(candidate.rules, message, answer.ends)
    except (Malformed, *_BROKEN) as why:
        raise ImpossiblePosition from why


def _compare(reference: Iterator[Observation], answer: Answer, *, deals: bool) -> Fit:
    """Return how well an answer fits. An act counts twice: once for being accepted, once for its other observations."""
    agree = 0
    first: Difference | None = None
    was = _Score(answer.position["score"], answer.position["score"])
    for at, (expected, observed) in enumerate(zip(reference, answer.observations, strict=True)):
        own = {key: answer.sent_steps[at].get(key) for key in ("meld", "cards")}
        if any(key in observed for key in DECLINED) or observed.get("declared", own) != own:
            break  # it chooses its own declarations, and the rest of the check is another game
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
    """The last observed score, as expected and as observed."""

    expected: Mapping[str, int]
    observed: Mapping[str, int]


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
    elif "phase" in expected:  # else these rules have no such act
        irregular = any(map(is_irregular, steps[: at + 1]))
        compared = _RULING_KEYS if irregular else observed.keys() - _ACT_KEYS
        keys = [
            key for key in expected if key in observed and key in compared and is_decided(expected, key, deals=deals)
        ]
        for key in sorted(keys, key="score".__eq__):
            pair = expected[key], observed[key]
            if key == "score":
                pair = _points_made(pair[0], was.expected), _points_made(pair[1], was.observed)
            if pair[0] != pair[1] and (key == "score" or not same_value(key, *pair)):
                yield Difference(at, _POINTS_MADE if key == "score" else key, *pair)
    elif "score" in observed and (
        made := _points_made(observed["score"], was.observed)
    ):  # a refused act scores nothing
        yield Difference(at, _POINTS_MADE, {}, made)


def _points_made(score: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """Return the points made since the score before."""
    made = {seat: points - before.get(seat, 0) for seat, points in score.items()}
    return {seat: points for seat, points in made.items() if points}
