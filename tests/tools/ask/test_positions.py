"""Positions are found by their titles, among the rulesets that the words name."""

import pytest

from conftest import the_suite
from hoyle_conformance.tools.ask.positions import PositionFinder
from hoyle_conformance.tools.ask.scope import find_scope

SUITE = the_suite()
FINDER = PositionFinder(SUITE)
#: A title is found among the first so many: some hardly differ.
FIRST = 3


@pytest.mark.slow
def test_nearly_every_position_is_found_by_its_title() -> None:
    some = list(FINDER.every.values())[::40]
    found = [each for each in some if each.scenario in [one.scenario for one in FINDER.found(each.title)][:FIRST]]
    assert len(found) >= 0.9 * len(some)


def test_words_that_name_rulesets_choose_the_positions() -> None:
    named = find_scope(SUITE, "parlett piquet").rulesets
    found = FINDER.found("carte blanche in piquet by parlett")
    assert found
    assert all({name.partition("+")[0] for name in each.rulesets} & set(named) for each in found)
    assert any("carte blanche" in each.title.lower() for each in found[:FIRST])


def test_a_game_alone_finds_all_its_positions() -> None:
    own = {each.id for each in SUITE.rulesets.values() if each.game == "Piquet"}
    every = [each for each in FINDER.every.values() if {name.partition("+")[0] for name in each.rulesets} & own]
    assert [each.scenario for each in FINDER.found("piquet")] == [each.scenario for each in every]
