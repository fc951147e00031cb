"""No check rests on a value that its source does not state, unless there is a reason against other values."""

from dataclasses import replace
from typing import Final

import pytest

from adequacy import silence
from adequacy.mutants import Detector
from adequacy.report import silence_lines
from adequacy.silence import Choice, choices, unstated_cells, unused_reasons
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.source_pages import Reason

SMALL: Final = "bezique-britannica+units"
REASON: Final = Reason(["bezique-*"], ["seven.until", "seven.shown"], ["stock-*"], "the other value contradicts a/b/c")
CHOICE: Final = Choice("bezique-hoyle", "seven.until", "stock-is-gone", ("one@bezique-hoyle",))


@pytest.mark.slow
def test_an_engine_with_a_stated_value_changed_fails_where_it_should(suite: Suite) -> None:
    """The fine for a draw out of turn is stated: checks fail an engine that adds another number."""
    detector = Detector(suite, SMALL)
    detector.checks = [each for each in detector.checks if "out-of-turn-adds" in each.check.id]
    found = {(each.cell, each.value): each.checks for each in choices(detector)}
    assert found["referee.irregularities.drew-out-of-turn", "adds: points"]
    assert not found["referee.irregularities.no-card-drawn", "adds: points"]


def test_a_cell_with_readings_is_no_choice(suite: Suite) -> None:
    for name in ("bezique-hoyle", "piquet-saunt-parlett", "three-handed-h2g2"):
        found = unstated_cells(suite, name)
        assert found
        assert not any(cell.readings for cell in found)


def test_a_choice_is_unreviewed_if_checks_fail_without_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silence, "reasons", lambda: [REASON])
    assert not CHOICE.is_unreviewed
    assert CHOICE.because == REASON.because
    assert replace(CHOICE, value="another").is_unreviewed
    assert not replace(CHOICE, value="another", checks=()).is_unreviewed


def test_each_pattern_that_excuses_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silence, "reasons", lambda: [REASON])
    assert unused_reasons([CHOICE]) == [f"seven.shown ({REASON.because})"]
    assert len(unused_reasons([replace(CHOICE, checks=())])) == 4


def test_the_figures_are_of_cells_values_and_checks() -> None:
    lines = list(silence_lines([CHOICE, replace(CHOICE, value="another"), replace(CHOICE, cell="x", checks=())]))
    assert lines[0].startswith("bezique-hoyle: 2 cells, 3 other values, 1 check")
    assert lines[-1].startswith("all: 2 cells, 3 other values, 1 check")
