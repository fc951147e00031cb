"""The rules that an engine plays are found in its games: the ruleset, and the rules in which it differs."""

from dataclasses import replace

import pytest

from hoyle_conformance.runner.departures.changes import CellValue, RuleChange
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.fuzz.game import Recipe, Setting, play
from hoyle_conformance.tools.transcript.model import Transcript
from hoyle_conformance.tools.transcript.nearest import NearestRules, nearest_rules
from hoyle_conformance.tools.transcript.report import nearest_data, nearest_lines
from hoyle_reference import Rules, compile_cells
from tools.transcript.written import a_transcript, write_down

#: Rules that an engine may have otherwise than bezique-hoyle.
CHANGED = (
    CellValue("score.last_trick.points", "", 20),
    CellValue("declare.melds.common-marriage", "points", 30),
    CellValue("declare.melds.bezique", "points", 50),
)


def unnamed(game: Transcript) -> Transcript:
    return replace(game, ruleset="")


def found_in(suite: Suite, games: list[Transcript]) -> NearestRules:
    (found,) = nearest_rules(suite, games)
    return found


@pytest.mark.whole
@pytest.mark.parametrize(
    "ruleset", ["bezique-h2g2", "piquet-rubicon-hoyle", "rubicon-hoyle", "three-handed-h2g2", "bezique-britannica"]
)
def test_a_ruleset_that_is_played_exactly_is_found(suite: Suite, ruleset: str) -> None:
    found = found_in(suite, [unnamed(a_transcript(suite, ruleset, seed)) for seed in range(4)])
    assert (found.run.departures, found.rules) == (0, ())
    assert ruleset in {found.run.ruleset, *found.as_near}
    assert "no act differs" in "\n".join(nearest_lines(suite, found))


def changed_rules(suite: Suite) -> Rules:
    cells = RuleChange(CHANGED).apply_to(suite.rules.cells("bezique-hoyle"))
    return compile_cells("bezique-hoyle", cells)


@pytest.mark.slow
def test_the_rules_of_an_engine_of_its_own_are_found(suite: Suite) -> None:
    """An engine with three rules of its own plays bezique-hoyle, except for these three."""
    words = {word for word in suite.capabilities.everything if not word.startswith("refuse-")}
    claims = frozenset(words - {"irregular", "mishap", "claim"})
    setting = Setting("bezique-hoyle", changed_rules(suite), suite.capabilities, claims, "any")
    games = [unnamed(write_down(play(setting, Recipe(seed)), "bezique-hoyle")) for seed in range(40, 52)]
    found = found_in(suite, games)
    assert found.run.ruleset == "bezique-hoyle"
    values = [value for rule in found.rules for value in rule.changes[0].cell_values]
    assert sorted((each.path, each.value) for each in values) == sorted((each.path, each.value) for each in CHANGED)
    assert found.run.departures == 0
    said = "\n".join(nearest_lines(suite, found))
    assert "The engine plays bezique-hoyle (Bézique for two, after Hoyle), except for 3 rules." in said
    assert "Bézique scores 50, not 40 as in bezique-hoyle." in said
    assert "The last trick scores 20, not 10 as in bezique-hoyle." in said
    assert said.count(" as in bezique-hoyle.") == len(CHANGED)
    assert len(nearest_data(suite, found)["rules"]) == len(CHANGED)


@pytest.mark.whole
def test_games_of_two_forms_are_reported_apart(suite: Suite) -> None:
    games = [unnamed(a_transcript(suite, name, 5)) for name in ("bezique-hoyle", "piquet-hoyle", "bezique-hoyle")]
    found = nearest_rules(suite, games)
    assert [(each.form.game, len(each.run.games)) for each in found] == [("Bézique", 2), ("Piquet", 1)]
