"""Code mutants: the interpreter with one change in one of its functions, tried on the checks of many rulesets.

Each mutant is tried in a copy of the process, which may break or hang without harm. It runs the checks that reach its
line until one notices it, and if none does, whole games. It is judged as any engine that claims everything: it may
follow any reading, but the same throughout.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from mmap import mmap
from random import Random
from typing import Final, NamedTuple

from adequacy.copies import limit_processor_time, run_in_a_copy
from adequacy.mutant_bench import MutantBench, judge_check
from adequacy.patch_code import CodePatch, changes_of, interpreter_modules
from adequacy.reached_lines import Line
from adequacy.whole_games import RecordedGame, differs, observe_game
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.readings import Readings
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.suite import RuleBooks

#: Seconds of processor time for one check or game, after which a mutant hangs.
_SECONDS: Final = 5.0
_PACKAGE: Final = "hoyle_reference."
#: How many of the checks that noticed the last mutants are tried first.
_REMEMBERED: Final = 20
#: The number of no check, and how a copy of the process ends.
_NO_NUMBER: Final = -1
_UNNOTICED, _NOTICED, _BROKEN = 0, 1, 2
#: What notices a mutant that follows one reading in some checks and another in others.
_TWO_READINGS: Final = "two readings of one rule"


class Noticed(StrEnum):
    """What notices a mutant first."""

    BY_CHECKS = "by checks"
    BY_GAMES = "by whole games"
    BY_NOTHING = "by nothing"


#: The readings that are left, by ruleset and cell.
Followed = Mapping[str, Mapping[str, tuple[str, ...]]]
#: The stages of a trial, in order.
_STAGES: Final = tuple(Noticed)


class CodeMutant(NamedTuple):
    """A mutant: the module of the interpreter, and the number of the change in it."""

    module: str
    number: int

    @property
    def function(self) -> str:
        """The function that is changed, with its module."""
        return f"{self.module.removeprefix(_PACKAGE)} {changes_of(self.module)[self.number].function}"

    @property
    def name(self) -> str:
        """The name in lists: the function, the text of the line, and the change."""
        change = changes_of(self.module)[self.number]
        return f"{self.function}: {change.text}: {change.change}"

    @property
    def lines(self) -> list[Line]:
        """The lines of the change."""
        change = changes_of(self.module)[self.number]
        return [(str(change.path), line) for line in range(change.line, change.last_line + 1)]


@dataclass(frozen=True, slots=True)
class CodeVerdict:
    """What notices a mutant, with the name of the check or game; `breaks` is set if the mutant breaks or hangs there,
    and `reached` if any check runs its line."""

    mutant: str
    function: str
    noticed: Noticed
    where: str
    breaks: bool
    reached: bool


def code_mutants() -> list[CodeMutant]:
    """Return every mutant of the interpreter's code, module by module."""
    return [CodeMutant(module, each.number) for module in interpreter_modules() for each in changes_of(module)]


def choose_mutants(most: int | None, seed: int) -> list[CodeMutant]:
    """Return every mutant, or so many at most, chosen by a seed."""
    every = code_mutants()
    if most is None or most >= len(every):
        return every
    return sorted(Random(seed).sample(every, most))


def verdicts(bench: MutantBench, mutants: Sequence[CodeMutant]) -> Iterator[CodeVerdict]:
    """Yield what notices each mutant; the checks that noticed the last ones are tried first."""
    last: list[int] = []
    progress = _Progress()
    for mutant in mutants:
        reaching = bench.checks_at(mutant.lines)
        first = [number for number in reversed(last[-_REMEMBERED:]) if number in reaching]
        end = _try_in_a_copy(bench, mutant, list(dict.fromkeys([*first, *reaching])), progress)
        if end == _UNNOTICED:
            yield CodeVerdict(mutant.name, mutant.function, Noticed.BY_NOTHING, "", False, bool(reaching))
            continue
        if progress.stage is Noticed.BY_CHECKS and progress.number != _NO_NUMBER:
            last.append(progress.number)
        where = progress.where(bench)
        yield CodeVerdict(mutant.name, mutant.function, progress.stage, where, end != _NOTICED, bool(reaching))


class _Progress:
    """How far a copy of the process has come: the stage, and the number of the check or game in it."""

    def __init__(self) -> None:
        self._shared = memoryview(mmap(-1, 2 * array("q").itemsize)).cast("q")

    def begin(self, stage: Noticed, number: int = _NO_NUMBER) -> None:
        """Note what begins, and allow it the usual time."""
        self._shared[0], self._shared[1] = _STAGES.index(stage), number
        limit_processor_time(_SECONDS)

    @staticmethod
    def rest() -> None:
        """Stop the clock: what follows is done by the interpreter as it is written."""
        limit_processor_time(0)

    @property
    def stage(self) -> Noticed:
        """The stage that has begun last."""
        return _STAGES[self._shared[0]]

    @property
    def number(self) -> int:
        """The number that has begun last."""
        return self._shared[1]

    def where(self, bench: MutantBench) -> str:
        """Return the name of the check or game that has begun last."""
        if self.number == _NO_NUMBER:
            return _TWO_READINGS
        return bench.checks[self.number].check.id if self.stage is Noticed.BY_CHECKS else bench.games[self.number].name


def _try_in_a_copy(bench: MutantBench, mutant: CodeMutant, numbers: Sequence[int], progress: _Progress) -> int:
    """Try a mutant in a copy of this process, and return how that ended: `_UNNOTICED`, `_NOTICED`, or anything else if
    the mutant broke or hung."""

    def trial() -> int:
        return _NOTICED if _Trial(bench, mutant, progress).is_noticed(numbers) else _UNNOTICED

    return run_in_a_copy(trial, _BROKEN)


class _Trial:
    """A mutant in a copy of the process. Anything that it raises ends the copy."""

    def __init__(self, bench: MutantBench, mutant: CodeMutant, progress: _Progress) -> None:
        self._bench, self._progress = bench, progress
        self._patch, self._games = CodePatch(*mutant), bench.games_at(mutant.lines)
        self._rules = RuleBooks(bench.suite.rulesets)
        self._results: dict[int, Result] = {}
        self._readings: dict[str, dict[str, str]] = defaultdict(dict)

    def is_noticed(self, numbers: Sequence[int]) -> bool:
        """Whether any of these checks, all of them together, or a whole game notices the mutant."""
        self._patch.apply()
        return (
            any(self._fails(number) for number in numbers)
            or self._follows_two_readings()
            or any(self._game_differs(number) for number in self._games)
        )

    @contextmanager
    def _as_written(self) -> Iterator[None]:
        """Judge the mutant by the interpreter as it is written, however long that takes."""
        self._progress.rest()
        with self._patch.undone():
            yield

    def _fails(self, number: int) -> bool:
        self._progress.begin(Noticed.BY_CHECKS, number)
        detection = self._bench.checks[number]
        seen = observations(self._rules.of(detection.check.ruleset), detection.request.message)
        if seen == detection.observed:
            return False
        with self._as_written():
            result = judge_check(detection, seen)
        self._results[number] = result
        return result.status is not Status.PASS

    def _follows_two_readings(self) -> bool:
        """Whether no reading of some rule fits all checks, those that do not reach the mutant included."""
        self._progress.begin(Noticed.BY_CHECKS)
        own = self._bench.own_results
        if all(result.readings == own[number].readings for number, result in self._results.items() if number in own):
            return False
        with self._as_written():
            return self._followed() is None

    def _followed(self) -> Followed | None:
        """Return the readings that fit all checks; None if of some rule there is none."""
        readings = Readings(self._bench.suite)
        results = [self._results.get(number, result) for number, result in self._bench.own_results.items()]
        fits = all(readings.take(result).status is Status.PASS for result in results)
        return readings.followed() if fits else None

    def _game_differs(self, number: int) -> bool:
        """Whether a whole game differs under every reading that fits the checks, and the games before."""
        self._progress.begin(Noticed.BY_GAMES, number)
        game = self._bench.games[number]
        seen = observe_game(game, self._rules.of(game.setting.ruleset))
        if seen == game.observed:
            return False
        with self._as_written():
            followed = self._readings[game.setting.ruleset]
            return differs(self._bench.suite, game, seen, followed) or not self._fits_checks(game, followed)

    def _fits_checks(self, game: RecordedGame, readings: Mapping[str, str]) -> bool:
        """Whether the checks leave these readings of a game's ruleset open."""
        followed = self._followed() or {}
        names = game.setting.ruleset, game.setting.ruleset.partition("+")[0]
        left = {path: names for name in names for path, names in followed.get(name, {}).items()}
        return all(name in left.get(path, (name,)) for path, name in readings.items())
