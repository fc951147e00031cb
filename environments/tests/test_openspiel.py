"""The games for OpenSpiel, by its own tests. They need the extra `openspiel`."""

import re

import pytest

import hoyle
from hoyle_environments import Catalogue

pytest.importorskip("pyspiel", reason="needs open-spiel (make environments)")

import pyspiel
from open_spiel.python.algorithms import generate_playthrough

from hoyle_environments.openspiel import GAMES


def test_every_ruleset_of_two_players_is_registered() -> None:
    two = [name for name in hoyle.rulesets() if len(hoyle.rules(name).players) == 2]
    assert sorted(GAMES) == sorted(f"hoyle_{name.replace('-', '_')}" for name in two)
    assert {*GAMES} <= set(pyspiel.registered_names())


@pytest.mark.parametrize("game", GAMES)
def test_openspiel_plays_every_game(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game, {"deals": 1}), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", ["hoyle_piquet_hoyle", "hoyle_rubicon_hoyle"])
def test_openspiel_plays_to_the_end_of_a_game(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1, serialize=False, verbose=False)


def test_a_playthrough_is_repeated() -> None:
    """OpenSpiel writes down everything that a game shows, and the same actions show it again."""
    game = "hoyle_piquet_hoyle(deals=1)"
    first = generate_playthrough.playthrough(game, action_sequence=None, seed=3)
    actions = [int(number) for number in re.findall(r"^action: (\d+)$", first, re.MULTILINE)]
    assert len(actions) > 60
    assert generate_playthrough.playthrough(game, action_sequence=actions) == first


def test_names_and_numbers_are_those_of_the_catalogue() -> None:
    state = pyspiel.load_game("hoyle_bezique_hoyle", {"deals": 1}).new_initial_state()
    assert state.is_chance_node()
    assert state.action_to_string(63) == "AS#2"
    assert state.chance_outcomes()[0] == (0, pytest.approx(1 / 64))
    for card in (63, 0, *range(64)):
        state.apply_action(card)
    catalogue = Catalogue(hoyle.rules("bezique-hoyle"))
    assert [state.action_to_string(number) for number in state.legal_actions()] == [
        catalogue.names[number] for number in state.legal_actions()
    ]
    assert state.returns() == [0.0, 0.0]


def test_an_observer_has_no_parameters() -> None:
    game = pyspiel.load_game("hoyle_bezique_hoyle")
    with pytest.raises(ValueError, match="an observer has no parameters"):
        game.make_py_observer(None, {"planes": 3})
