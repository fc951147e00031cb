"""A run over transcripts: all games judged by one ruleset, under the readings that suit the engine best."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.runner.departures.changes import RuleChange
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.changes import CandidateChanges, changes_of_sources
from hoyle_conformance.tools.transcript.judge import JudgedGame, LoggedDeparture, judge
from hoyle_conformance.tools.transcript.model import Transcript
from hoyle_reference import Cells, Malformed, compile_cells
from hoyle_reference.frozen import frozen


@frozen
class LoggedReading:
    """A reading of a disputed rule that the engine follows and the ruleset does not, and the game and the line in which
    it decides first."""

    path: str
    name: str
    follows: str
    game: Transcript
    line: int


@frozen
class LoggedCause:
    """Departures with one cause: the games that have them, with each departure."""

    departures: tuple[tuple[JudgedGame, LoggedDeparture], ...]

    @property
    def first(self) -> LoggedDeparture:
        """The first departure."""
        return self.departures[0][1]

    @property
    def game(self) -> JudgedGame:
        """The game of the first departure."""
        return self.departures[0][0]


@frozen
class JudgedRun:
    """All games of a run as a ruleset judges them, under some readings, and with some of its rules changed."""

    ruleset: str
    games: tuple[JudgedGame, ...]
    readings: tuple[LoggedReading, ...] = ()
    applied: tuple[RuleChange, ...] = ()

    @property
    def departures(self) -> int:
        """How many acts the ruleset has otherwise."""
        return sum(len(game.departures) for game in self.games)

    @property
    def acts(self) -> int:
        """How many acts were judged."""
        return sum(game.acts for game in self.games)

    @property
    def not_judged(self) -> int:
        """How many acts could not be judged."""
        return sum(len(game.not_judged) for game in self.games)

    @property
    def causes(self) -> list[LoggedCause]:
        """The departures grouped by cause, in the order in which the causes occur first."""
        found: dict[tuple[str, ...], list[tuple[JudgedGame, LoggedDeparture]]] = {}
        for game in self.games:
            for each in game.departures:
                found.setdefault(each.cause, []).append((game, each))
        return [LoggedCause(tuple(each)) for each in found.values()]

    def cells(self, suite: Suite) -> Cells:
        """Return the rules by which the games are judged."""
        return with_changes(suite.rules.cells(self.ruleset, self.ways), self.applied)

    @property
    def ways(self) -> dict[str, str]:
        """The readings by the paths of their cells, as rules are compiled with them."""
        return {each.path: each.name for each in self.readings}


@frozen
class RunSetting:
    """The games that are judged, by which ruleset, and the changed rules that other sources have."""

    suite: Suite
    ruleset: str
    transcripts: Sequence[Transcript]
    sourced: Sequence[RuleChange]

    @classmethod
    def of(cls, suite: Suite, ruleset: str, transcripts: Sequence[Transcript]) -> "RunSetting":
        """Return the setting in which games are judged by a ruleset."""
        return cls(suite, ruleset, transcripts, changes_of_sources(suite, ruleset))

    def judged(
        self, readings: tuple[LoggedReading, ...] = (), applied: tuple[RuleChange, ...] = ()
    ) -> JudgedRun | None:
        """Return all games judged under these readings, with some rules changed; None if the rules cannot be so.

        Raises Invalid if one of the games cannot be of these rules.
        """
        ways = {each.path: each.name for each in readings}
        try:
            rules = self.suite.rules.of(self.ruleset, ways)
            if applied:
                rules = compile_cells(self.ruleset, with_changes(rules.cells, applied))
        except (Malformed, LookupError, TypeError, ValueError):
            return None
        changes = CandidateChanges(self.suite, rules, self.sourced)
        games = tuple(judge(rules, each, changes) for each in self.transcripts)
        return JudgedRun(self.ruleset, games, readings, applied)


def with_changes(cells: Cells, changes: Iterable[RuleChange]) -> Cells:
    """Return cells with some rules changed."""
    for change in changes:
        cells = change.apply_to(cells)
    return cells


def judge_run(setting: RunSetting) -> JudgedRun:
    """Return the judgement of games; raises Invalid if one of them cannot be a game of the ruleset.

    One reading after the other is followed, as long as fewer acts differ then.
    """
    run = setting.judged()
    assert run is not None, "a ruleset of the suite can be compiled"
    tried = set[tuple[str, str]]()
    while run.departures:
        better = next(_better_readings(setting, run, tried), None)
        if better is None:
            break
        run = better
    return run


def _better_readings(setting: RunSetting, run: JudgedRun, tried: set[tuple[str, str]]) -> Iterator[JudgedRun]:
    """Yield the run under one more reading, if fewer acts differ then."""
    suite = setting.suite
    for cause in run.causes:
        own = cause.game.transcript
        before = count_departures(suite, run.ruleset, own, run.ways)
        for path, name in _readings_to_try(suite, run, cause):
            if (path, name) in tried:
                continue
            tried.add((path, name))
            readings = _with_reading(suite, run, cause, path, name)
            if count_departures(suite, run.ruleset, own, {each.path: each.name for each in readings}) >= before:
                continue
            other = setting.judged(readings)
            if other and other.departures < run.departures:
                yield replace(other, readings=(*other.readings[:-1], _where_it_decides(run, other)))


def _where_it_decides(run: JudgedRun, other: JudgedRun) -> LoggedReading:
    """Return the last reading of a run, with the first act that differs without it alone."""
    for before, after in zip(run.games, other.games, strict=True):
        still = {each.act.line for each in after.departures}
        gone = next((each.act.line for each in before.departures if each.act.line not in still), None)
        if gone is not None:
            return replace(other.readings[-1], game=before.transcript, line=gone)
    return other.readings[-1]


def _with_reading(suite: Suite, run: JudgedRun, cause: LoggedCause, path: str, name: str) -> tuple[LoggedReading, ...]:
    """Return the readings of a run with one more, or with another one of the same cell."""
    follows = suite.rules.cells(run.ruleset)[path].follows
    others = tuple(each for each in run.readings if each.path != path)
    return (*others, LoggedReading(path, name, follows, cause.game.transcript, cause.first.act.line))


def _readings_to_try(suite: Suite, run: JudgedRun, cause: LoggedCause) -> Iterator[tuple[str, str]]:
    """Yield the readings of the ruleset that may explain a cause: first those among the changed rules that do."""
    others = _other_readings(suite, run)
    values = {(path, repr(value)): (path, name) for path, name, value in others}
    changed = [
        (value.path, repr(value.value))
        for change in cause.first.changes
        for value in change.cell_values
        if len(change.cell_values) == 1 and not value.field
    ]
    yield from (values[each] for each in changed if each in values)
    yield from ((path, name) for path, name, _ in others)


def _other_readings(suite: Suite, run: JudgedRun) -> list[tuple[str, str, object]]:
    """Return the readings that are not followed in a run: the path, the name, and the value of the cell."""
    ways = run.ways
    return [
        (cell.path, reading.name, reading.value)
        for cell in suite.rules.cells(run.ruleset)
        for reading in cell.readings
        if reading.name != ways.get(cell.path, cell.follows)
    ]


def count_departures(
    suite: Suite, ruleset: str, transcript: Transcript, ways: Mapping[str, str] | None = None
) -> float:
    """Return how many acts of a game differ or cannot be judged, under some readings; infinitely many if it cannot be a
    game of these rules."""
    try:
        found = judge(suite.rules.of(ruleset, ways), transcript)
    except (Malformed, Invalid):
        return inf
    return len(found.departures) + len(found.not_judged)
