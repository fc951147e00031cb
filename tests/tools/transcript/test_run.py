"""Runs over several games: readings are followed and named, departures are explained by the rules of other books."""

import json
from typing import Any

import pytest

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.model import LoggedAct, Transcript
from hoyle_conformance.tools.transcript.report import run_data, run_lines
from hoyle_conformance.tools.transcript.run import JudgedRun, RunSetting, judge_run
from tools.transcript.written import a_transcript

#: Readings that decide something in the games of these seeds.
READINGS = [
    ("bezique-hoyle", "seven.when", "whenever-held"),
    ("bezique-hoyle", "settle.winner", "higher-at-the-end"),
    ("rubicon-hoyle", "tricks.without_drawing.win", "free"),
    ("piquet-hoyle", "classes.sinking", "parts-too"),
]
SEEDS = range(4)


def judged(suite: Suite, ruleset: str, games: list[Transcript]) -> JudgedRun:
    return judge_run(RunSetting.of(suite, ruleset, games))


@pytest.mark.whole
@pytest.mark.parametrize(("ruleset", "path", "name"), READINGS)
def test_a_game_by_another_reading_does_not_differ_and_the_reading_is_named(
    suite: Suite, ruleset: str, path: str, name: str
) -> None:
    games = [a_transcript(suite, ruleset, seed, readings={path: name}) for seed in SEEDS]
    found = judged(suite, ruleset, games)
    assert found.departures == 0
    assert [(each.path, each.name) for each in found.readings] == [(path, name)]
    (line,) = [line for line in run_lines(suite, found) if line.startswith("The engine follows another reading")]
    assert path in line


def test_one_reading_is_followed_throughout(suite: Suite) -> None:
    """An engine that follows one reading in one game and another in the next differs in one of them."""
    path = "classes.sinking"
    ways = [{path: "parts-too"}] * 2 + [{}] * 2
    games = [a_transcript(suite, "piquet-hoyle", seed % 2 + 2, readings=way) for seed, way in enumerate(ways)]
    found = judged(suite, "piquet-hoyle", games)
    alone = judged(suite, "piquet-hoyle", games[:2])
    assert alone.departures == 0
    assert bool(alone.readings) <= (found.departures > 0)


@pytest.mark.whole
def test_a_departure_is_explained_by_the_rule_of_the_book_that_was_played(suite: Suite) -> None:
    games = [a_transcript(suite, "bezique-britannica", seed) for seed in (1, 3)]
    (cause,) = judged(suite, "bezique-hoyle", games).causes
    assert cause.first.change is not None
    (value,) = cause.first.change.cell_values
    assert (value.path, value.value) == ("score.last_trick.which", "last-before-the-stock-is-gone")
    assert "bezique-britannica" in {owner.ruleset for owner in cause.first.change.owners}


@pytest.mark.whole
def test_points_that_no_source_has_are_a_rule_of_their_own(suite: Suite) -> None:
    game = a_transcript(suite, "bezique-hoyle", 13)
    acts, more = [], 0
    for act in game.acts:
        made: dict[str, Any] = dict(act.facts["scored"])
        if act.step.get("meld") == "bezique":
            made[act.step["by"]] += 5
            more += 5 if act.step["by"] == "A" else 0
        acts.append(LoggedAct(act.step, {"scored": made}))
    changed = Transcript(tuple(acts), ruleset=game.ruleset, facts=game.facts)
    causes = judged(suite, "bezique-hoyle", [changed]).causes
    if not any(act.step.get("meld") == "bezique" for act in game.acts):
        pytest.fail("the game has no bézique: choose another seed")
    (cause,) = causes
    assert cause.first.change is not None
    assert [value.full_path for value in cause.first.change.cell_values] == ["declare.melds.bezique.points"]
    assert cause.first.change.owners == ()


@pytest.mark.whole
def test_the_data_of_a_run_names_every_departure(suite: Suite) -> None:
    games = [a_transcript(suite, "bezique-h2g2", seed) for seed in (0, 2)]
    run = judged(suite, "bezique-hoyle", games)
    data = json.loads(json.dumps(run_data(suite, run)))
    found = [each for game in data["games"] for each in game["departures"]]
    assert len(found) == data["departures"] == run.departures > 0
    assert all(each["cells"] and each["clauses"] for each in found)
    assert sum(game["acts"] for game in data["games"]) == data["acts"]
