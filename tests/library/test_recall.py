"""What a player knows: deals drawn from it look the same to the player, and nothing hidden is in it."""

import json
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hoyle
from hoyle._opponents import Greedy, Searcher
from hoyle._recall import Sampler, chosen, knowledge
from laws.test_library import other_deal

RULESETS = ("bezique-hoyle", "rubicon-hoyle", "piquet-hoyle", "piquet-rubicon-parlett", "four-handed-h2g2")


def played(name: str, seed: int, acts: int) -> hoyle.Game:
    """A game after so many acts at random, or its end; scores are taken more often than not."""
    rng, game = Random(seed), hoyle.Game(hoyle.rules(name))
    for _ in range(acts):
        if game.is_terminal():
            break
        if game.is_chance_node():
            game.apply_action(game.sample_chance(rng))
            continue
        legal = game.legal_actions()
        scoring = [each for each in legal if each.kind in {"declare", "announce"}]
        game.apply_action(rng.choice(scoring if scoring and rng.random() < 0.7 else legal))
    return game


def asked(game: hoyle.Game) -> Iterator[str]:
    player = game.current_player()
    if player is not None:
        yield player


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(RULESETS), st.integers(0, 999), st.integers(2, 120))
def test_a_deal_that_is_drawn_looks_the_same_to_the_player(name: str, seed: int, acts: int) -> None:
    game = played(name, seed, acts)
    for seat in asked(game):
        knows, own = knowledge(game, seat), game.observation(seat)
        other = Sampler(game.rules, seat, knows, Random(seed)).next()
        assert {**other.observation(seat).to_json(), "won": 0} == {**own.to_json(), "won": 0}
        assert knowledge(other, seat)["now"] == knows["now"]
        own_acts = [str(each) for each in game.legal_actions() if each.player == seat]
        assert [str(each) for each in other.legal_actions() if each.player == seat] == own_acts


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(RULESETS[:4]), st.integers(0, 999), st.integers(2, 80))
def test_nothing_that_the_player_cannot_see_is_known(name: str, seed: int, acts: int) -> None:
    """Deals that have the same information state are known alike."""
    game = played(name, seed, acts)
    for seat in asked(game):
        other = other_deal(game, seat, Random(seed))
        assert other.information_state(seat) == game.information_state(seat)
        assert knowledge(other, seat) == knowledge(game, seat)


@pytest.mark.whole
@pytest.mark.parametrize("name", ["bezique-hoyle", "piquet-hoyle", "four-handed-h2g2"])
def test_players_who_know_only_this_play_a_deal_to_its_end(name: str) -> None:
    rng, game = Random(5), hoyle.Game(hoyle.rules(name))
    dealt = 0
    while not game.is_terminal():
        if game.is_chance_node():
            dealt += game.action(str(game.chance_outcomes()[0])).kind == "deal"
            if dealt > 1:
                break
            game.apply_action(game.sample_chance(rng))
        else:
            seat = str(game.current_player())
            game.apply_action(chosen(game.rules, seat, knowledge(game, seat), Greedy(), rng))
    assert len(game.actions) > 20


def test_a_searcher_chooses_the_same_from_the_same_knowledge() -> None:
    game = played("piquet-hoyle", 3, 25)
    seat = str(game.current_player())
    knows = json.dumps(knowledge(game, seat))
    one, again = (chosen(game.rules, seat, knows, Searcher(deals=2), Random(1)) for _ in range(2))
    assert one == again
    assert game.is_legal(one)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"before": {}, "acts": [], "now": {}},
        {"before": {"hands": {"A": ["XX"], "B": 9}}, "acts": [{}], "now": {"hands": 5}},
    ],
)
def test_what_nobody_can_know_is_refused(data: object) -> None:
    rules = hoyle.rules("bezique-hoyle")
    with pytest.raises(hoyle.NotationError):
        Sampler(rules, "A", data, Random(1))


def test_a_player_who_is_not_to_act_is_not_asked() -> None:
    game = played("bezique-hoyle", 1, 10)
    other = next(seat for seat in game.players if seat != game.current_player())
    with pytest.raises(hoyle.NotationError, match="not to act"):
        chosen(game.rules, other, knowledge(game, other), Greedy(), Random(1))
