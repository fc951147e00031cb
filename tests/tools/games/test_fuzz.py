"""Fuzzing: games come again from their recipes, and another engine's fault is found, shrunk and named."""

import random
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, Done
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games import campaign
from hoyle_conformance.tools.games import campaign as campaign_module
from hoyle_conformance.tools.games.fuzz_report import read_known, reason_for, value_lines
from hoyle_conformance.tools.games.random_game import Recipe, Setting, play, replay
from hoyle_conformance.tools.games.shrink import Shrinker, Shrunk, declined, first_difference, with_readings

OTHER = (sys.executable, str(Path(__file__).with_name("other_engine.py")))
TIMEOUT = 60.0
RECIPES = st.builds(
    Recipe,
    st.integers(0, 10**9),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 99)), max_size=3, unique_by=lambda each: each[0]).map(tuple),
)
RULESETS = st.sampled_from(
    [
        "bezique-britannica",
        "piquet-rubicon-parlett",
        "rubicon-hoyle",
        "four-handed-h2g2",
        "bezique-hoyle+brisques-at-end",
    ]
)


def setting(suite: Suite, ruleset: str, claims: frozenset[str] | None = None, position: str = "any") -> Setting:
    everything = suite.capabilities.everything
    return Setting(ruleset, suite.rules.of(ruleset), suite.capabilities, claims or everything, position)


# Games


@given(recipe=RECIPES)
def test_a_recipe_is_read_as_it_is_written(recipe: Recipe) -> None:
    assert Recipe.read(str(recipe)) == recipe


@pytest.mark.parametrize("text", ["", "x", "17/", "17/4", "17/4:5:6", "-3"])
def test_another_text_is_no_recipe(text: str) -> None:
    with pytest.raises(ValueError, match="does not name a game"):
        Recipe.read(text)


@pytest.mark.whole
@settings(max_examples=15, deadline=None)
@given(ruleset=RULESETS, recipe=RECIPES)
def test_a_game_comes_again_and_the_message_says_all_of_it(suite: Suite, ruleset: str, recipe: Recipe) -> None:
    game = play(setting(suite, ruleset), recipe)
    assert game == play(setting(suite, ruleset), recipe)
    assert list(replay(setting(suite, ruleset), game.message)) == list(game.observed)
    assert first_difference(game.observed, game.observed, game.message["observe"], deals=True) is None


@pytest.mark.whole
@settings(max_examples=15, deadline=None)
@given(ruleset=RULESETS, seed=st.integers(0, 10**6), data=st.data())
def test_an_engine_is_sent_only_what_it_claims(suite: Suite, ruleset: str, seed: int, data: st.DataObject) -> None:
    words = sorted(suite.capabilities.everything - {"play", "deal", "draw", "refuse-play"})
    claims = frozenset(data.draw(st.sets(st.sampled_from(words)))) | {"play", "deal", "draw", "refuse-play"}
    game = play(setting(suite, ruleset, claims), Recipe(seed))
    for step, seen in zip(game.message["steps"], game.observed, strict=True):
        assert suite.capabilities.word(step) in claims
        assert "irregular" not in step or "irregular" in claims
        assert seen["accepted"] or f"refuse-{step['do']}" in claims
    assert set(game.message["observe"]) <= claims


@pytest.mark.whole
@settings(max_examples=10, deadline=None)
@given(ruleset=RULESETS, seed=st.integers(0, 10**6))
def test_an_engine_that_begins_with_the_deal_is_sent_no_score(suite: Suite, ruleset: str, seed: int) -> None:
    game = play(setting(suite, ruleset, position="deal"), Recipe(seed))
    assert set(game.message["position"]["score"].values()) == {0}


@pytest.mark.slow
def test_what_is_rare_at_cards_is_not_rare_here(suite: Suite) -> None:
    seen = {
        (step["do"], step.get("irregular", step.get("irregularity", "")))
        for ruleset in ("rubicon-hoyle", "bezique-britannica", "piquet-rubicon-hoyle")
        for seed in range(60)
        for game in [play(setting(suite, ruleset), Recipe(seed))]
        for step, shows in zip(game.message["steps"], game.observed, strict=True)
        if shows["accepted"]
    }
    rare = "carte-blanche prove exchange show hold declare peep choose claim mishap"
    assert {do for do, _ in seen} >= set(rare.split())
    assert {irregularity for _, irregularity in seen} >= {"revoke", "scored-no-combination", "led-out-of-turn"}


@pytest.mark.whole
@settings(max_examples=30, deadline=None)
@given(ruleset=RULESETS, seed=st.integers(0, 10**6), data=st.data())
def test_one_altered_observation_is_found(suite: Suite, ruleset: str, seed: int, data: st.DataObject) -> None:
    game = play(setting(suite, ruleset), Recipe(seed))
    at = data.draw(st.integers(0, len(game.observed) - 1))
    altered = list(game.observed)
    altered[at] = {**altered[at], "accepted": not altered[at]["accepted"]}
    found = first_difference(game.observed, altered, game.message["observe"], deals=True)
    assert found is not None
    assert (found.at, found.keys) == (at, ("accepted",))


def test_what_comes_after_an_act_that_was_declined_is_not_compared() -> None:
    observed: list[dict[str, Any]] = [{"accepted": True, "phase": "play"}, {"unsupported": "no"}, {"accepted": False}]
    wanted = [{"accepted": True, "phase": "play", "settled": None}] * 3
    assert declined(observed) == 1
    assert first_difference([{"accepted": True, "phase": "play"}] * 3, observed, (), deals=True) is None
    assert first_difference(wanted, [{"accepted": True}] * 3, ("settled",), deals=True) is not None


# Pieces


def piece(ruleset: str, *arguments: str, games: int = 12, seed: int = 1) -> campaign.Piece:
    source = random.Random(seed)
    recipes = tuple(Recipe(source.randrange(10**6)) for _ in range(games))
    return campaign.Piece(ROOT / "spec", campaign.Opponent((*OTHER, *arguments), TIMEOUT), ruleset, recipes)


@pytest.mark.slow
def test_another_reading_is_no_difference(suite: Suite) -> None:
    path = "classes.after_good"
    (other,) = [name for where, name in suite.rules.other_readings("piquet-rubicon-parlett") if where == path]
    result = campaign.run_piece(piece("piquet-rubicon-parlett", "--reading", f"{path}={other}", games=40))
    assert result.found == {}
    assert result.readings == ((path, other),)


@pytest.mark.slow
def test_a_wrong_value_is_found_and_shrunk_to_a_scenario(suite: Suite) -> None:
    opponent = piece("bezique-hoyle", "--cell", "score.last_trick.points=20", games=6)
    result = campaign.run_piece(opponent)
    (found, *_) = result.found.values()
    assert "score" in found.cause.differs
    shrunk = shrink(suite, opponent.opponent, found)
    assert len(shrunk.message["steps"]) <= 3
    assert shrunk.given is not None
    assert any(line.startswith("score: the reference shows") for line in value_lines(shrunk))


def shrink(suite: Suite, opponent: campaign.Opponent, found: campaign.Found) -> Shrunk:
    adapter = opponent.start(suite)
    try:
        info = adapter.introduce()
        plain = campaign.setting_of(suite, info, found.cause.ruleset)
        assert found.difference is not None
        settings_ = with_readings(suite, plain, dict(found.readings))
        shrunk = Shrinker(settings_, adapter, deals=True).shrink(found.message, found.difference)
    finally:
        adapter.close()
    assert shrunk is not None
    return shrunk


@pytest.mark.whole
def test_a_crash_is_a_cause_of_its_own() -> None:
    result = campaign.run_piece(piece("bezique-hoyle", "--crash-at", "2", games=3))
    assert [cause.differs for cause in result.found] == [("crashed",)]
    assert result.counts["games"] == 3


# Campaigns


def plan(*rulesets: str, games: int = 10, seed: int = 1) -> campaign.Plan:
    return campaign.Plan(ROOT / "spec", campaign.Opponent((), TIMEOUT), rulesets, games, seed)


def test_a_campaign_is_the_same_however_many_workers_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though games follow what earlier ones have reached, and may be finished in another order."""

    def reach(piece: campaign.Piece) -> campaign.PieceResult:
        time.sleep(piece.recipes[0].seed % 5 / 1000)
        return campaign.PieceResult(piece.ruleset, reached={("game", str(each)): (each, 9) for each in piece.recipes})

    def lines(many: int) -> dict[str, list[str]]:
        @contextmanager
        def workers() -> Iterator[Executor]:
            with ThreadPoolExecutor(many) as executor:
                yield executor

        found = campaign.run_campaign(plan("piquet-saunt-parlett", "bezique-hoyle", games=200), workers)
        return {
            ruleset: [str(recipe) for recipe, _ in corpus.reached.values()] for ruleset, corpus in found.corpora.items()
        }

    monkeypatch.setattr(campaign_module, "run_piece", reach)
    one = lines(1)
    assert one == lines(7)
    assert all(any("/10:" in line for line in corpus) for corpus in one.values())


# Known differences


def test_a_known_difference_has_its_reason(suite: Suite, tmp_path: Path) -> None:
    file = tmp_path / "known.yaml"
    file.write_text(
        "- rulesets: [rubicon-hoyle]\n  act: claim\n  irregularity: revoke\n"
        "  differs: [score]\n  reason: The law is silent.\n"
    )
    known = read_known(suite.schemas, file)
    assert (
        reason_for(campaign.Cause("rubicon-hoyle", "claim", "revoke", ("score", "turn")), known) == "The law is silent."
    )
    for other in (
        campaign.Cause("rubicon-h2g2", "claim", "revoke", ("score",)),
        campaign.Cause("rubicon-hoyle", "play", "revoke", ("score",)),
        campaign.Cause("rubicon-hoyle", "claim", "no-card-drawn", ("score",)),
        campaign.Cause("rubicon-hoyle", "claim", "revoke", ("turn",)),
    ):
        assert reason_for(other, known) == ""


def test_a_mistake_in_a_file_of_known_differences_has_its_place(suite: Suite, tmp_path: Path) -> None:
    file = tmp_path / "known.yaml"
    file.write_text("- rulesets: [rubicon-hoyle]\n  act: claim\n  difers: [score]\n  reason: The law is silent.\n")
    with pytest.raises(Invalid, match=r"known.yaml:3:3: .*difers"):
        read_known(suite.schemas, file)


# The command


@pytest.mark.slow
def test_the_command_ends_with_0_where_nothing_differs(hoyle: Any) -> None:
    done: Done = hoyle("fuzz", "-r", "piquet-saunt-parlett", "--game", "17/5:3", *OTHER)
    assert done.returncode == 0
    assert "No new difference" in done.stdout


@pytest.mark.slow
def test_the_page_shows_what_is_printed(hoyle: Any) -> None:
    options = ("-r", "bezique-hoyle", "--games", "20", "--jobs", "1")
    done: Done = hoyle("fuzz", *options, *OTHER, "--cell", "score.last_trick.points=20")
    example = re.findall(r"```\n(1\. bezique-hoyle.*?)\n```", (ROOT / "docs/fuzz.md").read_text("utf-8"), re.DOTALL)
    assert len(example) == 1
    assert example[0] in done.stdout
