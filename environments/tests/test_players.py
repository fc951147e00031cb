"""The players of numbered games."""

from random import Random

import pytest

import hoyle
from hoyle_environments import Greedy, NumberedGame, Player, RandomPlayer, Searcher, play_out


def ahead(rules: hoyle.Rules, one: Player, other: Player, deals: int) -> int:
    """The points by which one player is ahead of another after so many deals, each dealt twice with seats exchanged."""
    points = 0
    for deal in range(deals):
        game = NumberedGame(rules, deals=1)
        points += play_out(game.clone(), {"A": one, "B": other}, Random(deal))["A"]
        points += play_out(game, {"A": other, "B": one}, Random(deal))["B"]
    return points


@pytest.mark.parametrize("ruleset", ["bezique-hoyle", "piquet-hoyle", "piquet-rubicon-parlett"])
def test_greedy_beats_random(ruleset: str) -> None:
    assert ahead(hoyle.rules(ruleset), Greedy(), RandomPlayer(Random(1)), deals=3) > 0


def test_searcher_beats_greedy(piquet: hoyle.Rules) -> None:
    assert ahead(piquet, Searcher(Random(1), deals=8), Greedy(), deals=3) > 0


@pytest.mark.parametrize("ruleset", hoyle.rulesets())
def test_greedy_uses_no_hidden_card(ruleset: str) -> None:
    game, rng = NumberedGame(hoyle.rules(ruleset), deals=1), Random(5)
    for _ in range(40):
        game.sample_chance(rng)
        if game.is_terminal():
            break
        other = game.determinise(str(game.current_player()), rng)
        assert Greedy().choose(other) == Greedy().choose(game)
        game.apply_action(rng.choice(game.legal_actions()))


@pytest.mark.parametrize("ruleset", ["bezique-hoyle", "piquet-hoyle", "three-handed-h2g2", "four-handed-h2g2"])
def test_choices_are_legal_and_leave_the_game_as_it_is(ruleset: str) -> None:
    game, rng = NumberedGame(hoyle.rules(ruleset), deals=1), Random(3)
    players = (RandomPlayer(rng), Greedy(), Searcher(rng, deals=1))
    for _ in range(12):
        game.sample_chance(rng)
        before = game.clone()
        choices = [player.choose(game) for player in players]
        assert set(choices) <= set(game.legal_actions())
        assert game == before
        game.apply_action(choices[0])


def test_searcher_with_a_number_of_deals_repeats_its_choice(piquet: hoyle.Rules) -> None:
    game = NumberedGame(piquet, deals=1)
    game.sample_chance(Random(1))
    game.apply_action(game.legal_actions()[0])
    game.sample_chance(Random(2))
    assert len({Searcher(Random(4), deals=3).choose(game) for _ in range(3)}) == 1


def test_a_game_is_played_out(bezique: hoyle.Rules) -> None:
    game = NumberedGame(bezique)
    returns = play_out(game, {"A": Greedy(), "B": RandomPlayer(Random(2))}, Random(1))
    assert game.is_terminal()
    assert returns == game.returns()
