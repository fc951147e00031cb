"""How good the suite is: the engines that are wrong in one thing are what they are said to be, and are noticed."""

import pytest

from adequacy.cell_mutants import cell_mutants
from adequacy.evidence import (
    USUALLY_REQUIRED,
    collect_evidence,
    fewer_positions,
    other_values,
    tells_apart,
)
from adequacy.measure import (
    Gap,
    InvalidMeasurement,
    Measurement,
    measure,
    unused_waivers,
)
from adequacy.mutants import (
    CODE,
    MEASURES,
    Detector,
    Mutant,
    MutantTrial,
    Patch,
)
from adequacy.refusal_mutants import refusal_mutants
from adequacy.report import gap_lines
from adequacy.state_mutants import state_mutants
from adequacy.waivers import waivers
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.events import Played

pytestmark = pytest.mark.slow

SMALL = "bezique-bicycle+a-thousand"


@pytest.fixture(scope="module")
def detector(suite: Suite) -> Detector:
    return Detector(suite, SMALL)


@pytest.fixture(scope="module")
def rows(suite: Suite) -> list[Measurement]:
    return measure(Detector(suite, SMALL))


def named(trials: object, name: str) -> MutantTrial:
    assert isinstance(trials, list)
    return next(trial for trial in trials if trial.mutant.name == name)


def test_the_reference_itself_is_not_noticed(detector: Detector) -> None:
    """A control: an engine without a fault passes everything."""
    assert not detector.detects(MutantTrial(Mutant("cells", "nothing"), detector.checks))
    assert len(detector.checks) > 50


def test_where_the_reference_itself_fails_nothing_is_measured(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Detector, "fails", lambda *_: True)
    with pytest.raises(InvalidMeasurement, match="the reference itself fails a check of"):
        measure(Detector(suite, SMALL))


def test_a_dropped_refusal_is_one_refusal(detector: Detector) -> None:
    """It is dropped in the checks that come upon it and nowhere else, and it is there again afterwards."""
    trials = list(refusal_mutants(detector))
    names = [trial.mutant.name for trial in trials]
    assert len(set(names)) > 30
    out_of_turn = named(trials, "not-your-turn in refuse_play")
    assert detector.detects(out_of_turn)
    before = [observations(detector.rules, detection.request.message) for detection in out_of_turn.checks]
    with out_of_turn.mutant.applied():
        meanwhile = [observations(detector.rules, detection.request.message) for detection in out_of_turn.checks]
    after = [observations(detector.rules, detection.request.message) for detection in out_of_turn.checks]
    assert before == after
    assert before != meanwhile


def test_every_refusal_of_the_interpreter_can_be_dropped(suite: Suite) -> None:
    """Each place is found by its own source, so that a new one is measured as soon as it is written."""
    detector = Detector(suite, "piquet-saunt-parlett+nought")
    for trial in refusal_mutants(detector):
        patch = trial.mutant.patch
        assert patch is not None
        assert patch.value.co_name == patch.thing.__name__
        assert patch.value.co_code != patch.thing.__code__.co_code, trial.mutant.name


def test_what_is_forgotten_is_one_field_of_one_event(detector: Detector) -> None:
    trials = list(state_mutants(detector))
    trick = named(trials, "Played: trick stays")
    right = Played.change
    with trick.mutant.applied():
        assert Played.change is not right
    assert Played.change is right
    assert detector.detects(named(trials, "TrickWon: leader stays"))
    fields = {field.name for field in detector.rules.fields}
    assert {trial.mutant.change.removesuffix(" stays") for trial in trials} <= fields


def test_a_patch_is_taken_back_whatever_happens() -> None:
    class Thing:
        value = 1

    def break_off() -> None:
        with Patch(Thing, "value", 2).applied():
            assert Thing.value == 1 + 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert Thing.value == 1


def test_what_could_be_another_reading_is_no_fault(suite: Suite) -> None:
    detector = Detector(suite, "bezique-hoyle+ten-at-whist-rank")
    for trial in cell_mutants(detector):
        assert trial.mutant.rules is not None
        cell = detector.rules.cells[trial.mutant.target]
        assert trial.mutant.rules.cells[cell.path].value not in [each.value for each in cell.readings]


def test_each_mutant_is_in_one_of_the_four_figures(rows: list[Measurement]) -> None:
    for row in rows:
        assert row.of == row.noticed + len(row.noticed_by_games) + len(row.excused) + len(row.surviving)


def test_every_measure_is_taken(rows: list[Measurement]) -> None:
    assert tuple(row.measure for row in rows) == MEASURES
    assert all(row.ruleset == SMALL and row.of >= len(row.missing) for row in rows)
    assert sum(row.of for row in rows) > 100


def test_what_lacks_a_check_is_listed_and_what_has_a_reason_only_when_asked() -> None:
    rows = [Measurement(SMALL, "cells", 3, (Gap("a", "because"), Gap("b")))]
    assert list(gap_lines(rows, everything=False)) == [f"{SMALL}, changed rules:", "  b  (needs a check)"]
    assert "  a  (because)" in list(gap_lines(rows, everything=True))
    rows = [Measurement(SMALL, "cells", 3, (Gap("a", "", "game 1"),))]
    assert list(gap_lines(rows, everything=False))[1] == "  a  (needs a check; noticed by game 1)"


def test_a_reason_that_fits_nothing_is_named() -> None:
    """Every reason is used by something; one that is no longer would excuse what comes later."""
    every = [scope for each in waivers() for scope in each.scopes if scope.measure != CODE]
    assert unused_waivers([]) == every
    plain = next(scope for scope in every if not set("*[") & set(scope.what))
    needed = [Measurement(plain.ruleset.replace("*", ""), plain.measure, 1, (Gap(plain.what),))]
    assert len(every) - 1 == len(unused_waivers(needed))
    assert all(each.because for each in waivers())


def test_evidence_is_counted_where_another_value_is_told(suite: Suite, detector: Detector) -> None:
    """A target that an option has is told by the games that it ends; where fewer than five do, it is said that it is
    thin."""
    found = {each.path: each for each in collect_evidence(detector)}
    target = found["settle.target"]
    assert (target.own, target.other, target.whose) == ("1000", "1500", "bezique-bicycle")
    assert target.positions
    assert target.is_thin == (len(target.positions) < target.wanted)
    assert all(f"{each}@{SMALL}" in suite.index.checks for each in target.positions)


def test_another_reading_is_told_only_where_it_alone_fits(suite: Suite) -> None:
    """Any reading may be followed, so that no position that is decided tells two of them apart."""
    detector = Detector(suite, "bezique-hoyle")
    other = next(each for each in other_values(suite, "bezique-hoyle") if each.is_reading)
    told = [detection for detection in detector.checks if tells_apart(detection, other)]
    assert told
    for detection in told:
        assert any(other.path in reading.cells for reading in detection.check.scenario.readings)


def test_every_value_of_another_ruleset_is_weighed_once(suite: Suite) -> None:
    for ruleset in ("bezique-hoyle", "piquet-saunt-parlett+nought"):
        values = [(each.path, each.other, each.whose) for each in other_values(suite, ruleset)]
        assert values
        assert len(values) == len(set(values))


def test_fewer_positions_are_enough_only_where_that_is_of_use(suite: Suite) -> None:
    """An entry that fits no value would excuse what comes later."""
    every = [(name, each.path, each.other) for name in suite.rules.names for each in other_values(suite, name)]
    for entry in fewer_positions():
        assert any(entry.fits(*value) for value in every), entry
        assert 0 <= entry.enough < USUALLY_REQUIRED
        assert entry.because


@pytest.mark.parametrize("game", ["Bézique", "Piquet"])
def test_what_tells_rulesets_apart_rests_on_enough_positions(suite: Suite, game: str) -> None:
    """Of every third ruleset or option: 'make adequacy' does it for all."""
    own = [name for name in suite.rules.names if suite.rulesets[name.partition("+")[0]].game == game][::3]
    thin = [each for name in own for each in collect_evidence(Detector(suite, name)) if each.is_thin]
    assert not thin, "\n".join(f"{len(each.positions)} of {each.wanted}: {each}" for each in thin)
