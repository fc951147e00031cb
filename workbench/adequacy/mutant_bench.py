"""The checks and whole games that code mutants are tried on, with the lines of the interpreter that each reaches."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from adequacy.mutants import DetectionCheck, Detector, Observations
from adequacy.patch_code import clear_caches, find_functions
from adequacy.reached_lines import Line, reached_lines
from adequacy.whole_games import RecordedGame, observe_game, recorded_games
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Result
from hoyle_conformance.suite.suite import RuleBooks, Suite
from hoyle_reference import Rules, compile_cells


class MutantBench:
    """The checks and whole games of some rulesets; `own_results` are those of the unchanged interpreter for checks that
    allow several readings, by the number of the check."""

    def __init__(self, suite: Suite, rulesets: Sequence[str]) -> None:
        find_functions()
        self.suite = suite
        self.checks: list[DetectionCheck] = []
        self.games: list[RecordedGame] = []
        self._checks_at: dict[Line, array[int]] = defaultdict(partial(array, "L"))
        self._games_at: dict[Line, array[int]] = defaultdict(partial(array, "L"))
        for ruleset in rulesets:
            self._record(ruleset)
        self.own_results: Mapping[int, Result] = {
            number: judge_check(each, each.observed) for number, each in enumerate(self.checks) if each.check.readings
        }

    def checks_at(self, lines: Iterable[Line]) -> list[int]:
        """Return the numbers of the checks that reach any of these lines, the shortest first."""
        return sorted(_reaching(self._checks_at, lines), key=lambda number: len(self.checks[number].observed))

    def games_at(self, lines: Iterable[Line]) -> list[int]:
        """Return the numbers of the whole games that reach any of these lines."""
        return sorted(_reaching(self._games_at, lines))

    def _record(self, ruleset: str) -> None:
        """Record the checks and games of one ruleset; all of them reach what compiles its rules."""
        compiling = reached_lines(lambda: RuleBooks(self.suite.rulesets).of(ruleset))
        for detection in Detector(self.suite, ruleset).checks:
            run = partial(observations, self._without_caches(ruleset), detection.request.message)
            for line in compiling | reached_lines(run):
                self._checks_at[line].append(len(self.checks))
            self.checks.append(detection)
        for game in recorded_games(self.suite, ruleset):
            for line in compiling | reached_lines(partial(observe_game, game, self._without_caches(ruleset))):
                self._games_at[line].append(len(self.games))
            self.games.append(game)

    def _without_caches(self, ruleset: str) -> Rules:
        """Return the rules, compiled anew, with every cache cleared, so that each check reaches the lines that fill
        it."""
        clear_caches()
        return compile_cells(ruleset, self.suite.rules.cells(ruleset))


def _reaching(numbers: Mapping[Line, "array[int]"], lines: Iterable[Line]) -> set[int]:
    return {number for line in lines if line in numbers for number in numbers[line]}


def judge_check(detection: DetectionCheck, observed: Observations) -> Result:
    """Return the result of a check for an engine that claims everything and observed this."""
    return judge(detection.check, detection.request, observed, trusted=False, agreed=detection.consensus)
