"""The measures of the checks of one ruleset: how many mutants they detect, and which gaps remain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from adequacy.cell_mutants import cell_mutants
from adequacy.coverage import ActOutcome, random_play_outcomes, scenario_outcomes
from adequacy.mutants import BROKEN, CELLS, MEASURES, MEMORY, REACH, REFUSALS, Detector, Mutant, MutantTrial
from adequacy.refusal_mutants import record_refusals, refusal_mutants, site_names
from adequacy.state_mutants import state_mutants
from adequacy.waivers import WaiverScope, fitting_waivers, waiver_reason, waivers
from adequacy.whole_games import RecordedGame, differs, observe_game, recorded_games
from hoyle_reference import Malformed

_NOT_IN_RANDOM_PLAY: Final = "random play never reaches it"


@dataclass(frozen=True, slots=True)
class Gap:
    """A mutant or outcome that no check detects, the reason of its waiver, if it has one, and the whole game that
    notices the mutant, if any does."""

    what: str
    reason: str = ""
    game: str = ""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measure of a ruleset's checks: the number of mutants or outcomes, and the gaps among them."""

    ruleset: str
    measure: str
    of: int
    missing: tuple[Gap, ...]

    @property
    def noticed(self) -> int:
        """The number of mutants or outcomes that a check notices."""
        return self.of - len(self.missing)

    @property
    def noticed_by_games(self) -> tuple[Gap, ...]:
        """The gaps that only whole games notice, with or without a waiver."""
        return tuple(each for each in self.missing if each.game)

    @property
    def excused(self) -> tuple[Gap, ...]:
        """The gaps that nothing notices, with a waiver."""
        return tuple(each for each in self.missing if each.reason and not each.game)

    @property
    def surviving(self) -> tuple[Gap, ...]:
        """The gaps that nothing notices, without a waiver."""
        return tuple(each for each in self.missing if not each.reason and not each.game)

    @property
    def lacking(self) -> tuple[Gap, ...]:
        """The gaps without a waiver: a check should notice them."""
        return tuple(each for each in self.missing if not each.reason)


class InvalidMeasurement(Exception):
    """A measure means nothing: the checks fail the reference itself. The message says of which ruleset."""


def measure(detector: Detector) -> list[Measurement]:
    """Return all measures of one ruleset, plain or with options; raises InvalidMeasurement if the reference fails a
    check."""
    name = detector.rules.id
    if detector.detects(MutantTrial(Mutant(CELLS, "nothing"), detector.checks)):
        raise InvalidMeasurement(
            f"the reference itself fails a check of {name}: see 'hoyle check -r {name} hoyle suite serve'"
        )
    games, refusals = list(recorded_games(detector.suite, name)), list(refusal_mutants(detector))
    with record_refusals(detector.rules) as recorded:
        in_random_play = random_play_outcomes(detector.rules)
    unmet = frozenset(trial.mutant.name for trial in refusals if not trial.checks)
    unreached = unmet - site_names(detector.rules, recorded)
    return [
        _measure_mutants(detector, games, CELLS, cell_mutants(detector)),
        _measure_mutants(detector, games, REFUSALS, refusals, unreached),
        _measure_mutants(detector, games, MEMORY, state_mutants(detector)),
        _measure_coverage(detector, in_random_play),
    ]


def _measure_mutants(
    detector: Detector,
    games: Sequence[RecordedGame],
    kind: str,
    tried: Iterable[MutantTrial],
    unreached: frozenset[str] = frozenset(),
) -> Measurement:
    """Return how many mutants are detected; `unreached` names those that neither a check nor random play meets."""
    count, missing = 0, []
    for trial in tried:
        count += 1
        if not detector.detects(trial):
            name = trial.mutant.name
            reason = waiver_reason(kind, detector.rules.id, name) or (_NOT_IN_RANDOM_PLAY if name in unreached else "")
            missing.append(Gap(name, reason, _game_that_notices(detector, games, trial.mutant)))
    return Measurement(detector.rules.id, kind, count, tuple(missing))


def _game_that_notices(detector: Detector, games: Sequence[RecordedGame], mutant: Mutant) -> str:
    """Return the name of the first whole game that notices a mutant; empty if none does."""
    readings: dict[str, str] = {}
    return next((game.name for game in games if _notices(detector, game, mutant, readings)), "")


def _notices(detector: Detector, game: RecordedGame, mutant: Mutant, readings: dict[str, str]) -> bool:
    """Whether a whole game notices a mutant. A mutant that raises an exception is not noticed by that."""
    try:
        with mutant.applied():
            seen = observe_game(game, mutant.rules or detector.rules)
    except Malformed:
        return mutant.rules is not None  # such a table does not allow the position
    except BROKEN:
        return False
    return seen != game.observed and differs(detector.suite, game, seen, readings)


def _measure_coverage(detector: Detector, in_random_play: frozenset[ActOutcome]) -> Measurement:
    """Return how many of the outcomes in random play occur in the scenarios."""
    missed = sorted(in_random_play - scenario_outcomes(detector))
    missing = tuple(Gap(str(outcome), waiver_reason(REACH, detector.rules.id, str(outcome))) for outcome in missed)
    return Measurement(detector.rules.id, REACH, len(in_random_play), missing)


def unused_waivers(measured: Iterable[Measurement]) -> list[WaiverScope]:
    """Return the scopes of waivers of these measures that no gap needs; they could hide a gap that comes later."""
    used = {
        scope
        for each in measured
        for gap in each.missing
        for scope, _ in islice(fitting_waivers(each.measure, each.ruleset, gap.what), 1)
    }
    return [scope for each in waivers() for scope in each.scopes if scope.measure in MEASURES and scope not in used]
