"""One reading at a time: what a run leaves of the readings of a cell, and an engine that follows two of them."""

from collections.abc import Iterable

import pytest

from hoyle_conformance.reports import words
from hoyle_conformance.runner.readings import ANOTHER_READING, Readings
from hoyle_conformance.runner.results import Contradiction, Result, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

CELL = "seven.with_a_declaration"
CHECKS = ("seven.after-a-declaration", "seven.before-a-declaration", "seven.both-after-one-trick")


@pytest.fixture
def checks(suite: Suite) -> list[Check]:
    return [suite.index.checks[f"{name}@bezique-hoyle"] for name in CHECKS]


def taken(suite: Suite, fits: Iterable[tuple[Check, tuple[str, ...]]]) -> tuple[list[Result], Readings]:
    readings = Readings(suite)
    return [readings.take(Result(check, Status.PASS, readings=names)) for check, names in fits], readings


def test_engine_that_follows_one_reading_throughout_passes(suite: Suite, checks: list[Check]) -> None:
    for name in ("beside", "instead"):
        results, readings = taken(suite, [(check, (name,)) for check in checks])
        assert {result.status for result in results} == {Status.PASS}
        assert readings.followed()["bezique-hoyle"][CELL] == (name,)


def test_engine_that_follows_two_readings_fails_and_both_positions_are_named(suite: Suite, checks: list[Check]) -> None:
    results, readings = taken(suite, zip(checks, [("beside",), ("instead",), ("beside",)], strict=True))
    assert [result.status for result in results] == [Status.PASS, Status.FAIL, Status.PASS]
    assert results[1].code == ANOTHER_READING
    assert words.reason(results[1]) == (
        f"{CELL} is read as 'instead' here, but as 'beside' in {checks[0].id}: one rule in two ways"
    )
    assert readings.followed()["bezique-hoyle"][CELL] == ("beside",)


def test_cell_that_both_positions_are_about_is_named(suite: Suite) -> None:
    one = suite.index.checks["blank.aces-are-allowed@piquet-hoyle"]
    two = suite.index.checks["blank.a-hundred-when-the-blank-is-shown@piquet-hoyle"]
    assert {path for reading in two.scenario.readings for path in reading.cells} == {
        "blank.elder_shows",
        "settle.winner",
    }
    results, _ = taken(suite, [(one, ("after-youngers-exchange",)), (two, ("at-once",))])
    contradiction = Contradiction("blank.elder_shows", ("at-once",), ("after-youngers-exchange",), one.id)
    assert results[1].contradiction == contradiction


def test_an_outcome_that_another_rule_explains_contradicts_nothing(suite: Suite) -> None:
    """The seven may be exchanged whenever held; that it must not be here, with a declaration still due, comes of a rule
    that the scenario does not name."""
    one = suite.index.checks["seven.not-after-drawing@bezique-hoyle"]
    two = suite.index.checks["seven.not-before-playing-to-a-trick@bezique-hoyle"]
    results, readings = taken(suite, [(one, ("whenever-held",)), (two, ("after-winning-a-trick",))])
    assert {result.status for result in results} == {Status.PASS}
    assert readings.followed()["bezique-hoyle"]["seven.when"] == ("whenever-held",)


def test_what_fits_both_decides_nothing(suite: Suite, checks: list[Check]) -> None:
    results, readings = taken(suite, zip(checks, [("beside", "instead"), ("instead",), ("instead",)], strict=True))
    assert {result.status for result in results} == {Status.PASS}
    assert readings.followed()["bezique-hoyle"][CELL] == ("instead",)


def test_engine_that_reads_an_option_unlike_its_ruleset_fails(suite: Suite, checks: list[Check]) -> None:
    option = suite.index.checks["seven.before-a-declaration@bezique-hoyle+ten-at-whist-rank"]
    results, readings = taken(suite, [(checks[0], ("beside",)), (option, ("instead",))])
    assert [(result.status, result.code) for result in results] == [(Status.PASS, ""), (Status.FAIL, ANOTHER_READING)]
    assert readings.followed() == {"bezique-hoyle": {CELL: ("beside",)}}


def test_what_an_option_puts_in_dispute_by_itself_is_read_by_itself(suite: Suite) -> None:
    base, option = "piquet-saunt-parlett", "piquet-saunt-parlett+ten-for-the-last"
    one = suite.index.checks[f"pique.not-by-capot@{base}"]
    other = suite.index.checks[f"pique.ten-for-the-last@{option}"]
    results, readings = taken(suite, [(one, (one.follows,)), (other, (other.follows,))])
    assert {result.status for result in results} == {Status.PASS}
    assert one.follows != other.follows
    assert set(readings.followed()) == {base, option}


def test_readings_of_several_cells_stay_if_they_fit_together(suite: Suite) -> None:
    for check in suite.index.checks.values():
        if len({path for reading in check.readings for path in reading.cells}) > 1 and check.follows:
            for reading in check.readings:
                results, readings = taken(suite, [(check, (reading.name,))])
                assert results[0].status is Status.PASS
                followed = readings.followed().values()  # an option's, and those of its ruleset
                left = {cell: ways for each in followed for cell, ways in each.items()}
                assert all(way in left[cell] for cell, way in reading.cells.items())


def test_what_is_decided_and_what_did_not_pass_says_nothing(suite: Suite, checks: list[Check]) -> None:
    decided = suite.index.checks["melds.bezique@bezique-hoyle"]
    readings = Readings(suite)
    for result in (Result(decided, Status.PASS, readings=("",)), Result(checks[0], Status.FAIL)):
        assert readings.take(result) is result
    assert readings.followed() == {}
