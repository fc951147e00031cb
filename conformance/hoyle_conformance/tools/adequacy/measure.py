"""The measures of the checks of one ruleset: how many mutants they detect, which gaps remain, and the stored
results."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.key import cache_key_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.cell_mutants import cell_mutants
from hoyle_conformance.tools.adequacy.coverage import ActOutcome, random_play_outcomes, scenario_outcomes
from hoyle_conformance.tools.adequacy.mutants import (
    BROKEN,
    CELLS,
    MEASURES,
    REACH,
    REFUSALS,
    Detector,
    Mutant,
    MutantTrial,
)
from hoyle_conformance.tools.adequacy.refusal_mutants import record_refusals, refusal_mutants, site_names
from hoyle_conformance.tools.adequacy.state_mutants import state_mutants
from hoyle_conformance.tools.adequacy.units import Unit, units_of
from hoyle_conformance.tools.adequacy.waivers import WaiverScope, fitting_waivers, waiver_reason, waivers
from hoyle_conformance.tools.adequacy.whole_games import RecordedGame, differs, observe_game, recorded_games
from hoyle_reference import Malformed
from hoyle_reference.frozen import frozen

_NOT_IN_RANDOM_PLAY: Final = "random play never reaches it"
_KIND = "adequacy"


@frozen
class Gap:
    """A mutant or outcome that no check detects, the reason of its waiver, if it has one, and the whole game that
    notices the mutant, if any does."""

    what: str
    reason: str = ""
    game: str = ""


@frozen
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


class RulesetMutants:
    """The mutants of one ruleset, and the checks and whole games that may notice them."""

    def __init__(self, suite: Suite, ruleset: str) -> None:
        self.detector = Detector(suite, ruleset)

    @cached_property
    def games(self) -> Sequence[RecordedGame]:
        """The whole games."""
        return list(recorded_games(self.detector.suite, self.detector.rules.id))

    @cached_property
    def refusals(self) -> Sequence[MutantTrial]:
        """The mutants without one refusal."""
        return list(refusal_mutants(self.detector))

    @cached_property
    def states(self) -> Sequence[MutantTrial]:
        """The mutants that forget a field."""
        return list(state_mutants(self.detector))


@frozen
class UnitResult:
    """What one unit of work measures; `unreached` names refusals that neither a check nor random play meets."""

    measurement: Measurement
    unreached: frozenset[str] = frozenset()


def measure(suite: Suite, ruleset: str) -> list[Measurement]:
    """Return all measures of one ruleset, plain or with options; raises InvalidMeasurement if the reference fails a
    check."""
    mutants = RulesetMutants(suite, ruleset)
    return joined([measure_unit(mutants, unit) for unit in units_of(ruleset)])


def joined(results: Sequence[UnitResult]) -> list[Measurement]:
    """Return the measures of one ruleset from the results of its units."""
    unreached = frozenset[str]().union(*(each.unreached for each in results))
    parts: dict[str, list[Measurement]] = {name: [] for name in MEASURES}
    for each in results:
        parts[each.measurement.measure].append(each.measurement)
    return [_join(some, unreached if name == REFUSALS else frozenset()) for name, some in parts.items()]


def _join(parts: Sequence[Measurement], unreached: frozenset[str]) -> Measurement:
    """Return one measure from its parts, with a reason for what is not reached."""
    gaps = [gap for part in parts for gap in part.missing]
    missing = [replace(gap, reason=gap.reason or _NOT_IN_RANDOM_PLAY) if gap.what in unreached else gap for gap in gaps]
    return replace(parts[0], of=sum(part.of for part in parts), missing=tuple(missing))


def measure_unit(mutants: RulesetMutants, unit: Unit) -> UnitResult:
    """Return what one unit of work measures; raises InvalidMeasurement."""
    if unit.measure == REACH:
        return _measure_random_play(mutants)
    return UnitResult(_measure_mutants(mutants, unit.measure, _trials(mutants, unit)))


def _trials(mutants: RulesetMutants, unit: Unit) -> Iterable[MutantTrial]:
    """Return the mutants of a unit."""
    if unit.measure == CELLS:
        return cell_mutants(mutants.detector, unit.part)
    return unit.part.of(mutants.refusals if unit.measure == REFUSALS else mutants.states)


def _measure_random_play(mutants: RulesetMutants) -> UnitResult:
    """Return how many of its outcomes the scenarios have, and the refusals that are not reached; raises
    InvalidMeasurement."""
    detector = mutants.detector
    if detector.detects(MutantTrial(Mutant(CELLS, "nothing"), detector.checks)):
        name = detector.rules.id
        raise InvalidMeasurement(
            f"the reference itself fails a check of {name}: see 'hoyle check -r {name} hoyle suite serve'"
        )
    with record_refusals(detector.rules) as recorded:
        in_random_play = random_play_outcomes(detector.rules)
    unmet = frozenset(trial.mutant.name for trial in mutants.refusals if not trial.checks)
    return UnitResult(_measure_coverage(detector, in_random_play), unmet - site_names(detector.rules, recorded))


def _measure_mutants(mutants: RulesetMutants, kind: str, tried: Iterable[MutantTrial]) -> Measurement:
    """Return how many mutants are detected."""
    count, missing, detector = 0, [], mutants.detector
    for trial in tried:
        count += 1
        if not detector.detects(trial):
            name = trial.mutant.name
            reason = waiver_reason(kind, detector.rules.id, name)
            missing.append(Gap(name, reason, _game_that_notices(detector, mutants.games, trial.mutant)))
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


def store_measurements(root: Path, measured: Sequence[Measurement]) -> None:
    """Store the measurements of a spec folder under the digest of the folder and of the code."""
    if address := cache_key_of(root, all_code=True):
        store.write(_KIND, address, [asdict(each) for each in measured])


def stored_measurements(root: Path) -> list[Measurement] | None:
    """Return the stored measurements of this spec folder and this code; None if there are none."""
    lines = store.read(_KIND, cache_key_of(root, all_code=True))
    if lines is None:
        return None
    return [
        Measurement(**{**row, "missing": tuple(Gap(**gap) for gap in row["missing"])}) for row in map(json.loads, lines)
    ]
