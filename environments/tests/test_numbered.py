"""`NumberedGame`: every decision is a number, by one player."""

import copy
import pickle
from random import Random

import pytest

import hoyle
from hoyle_environments import NumberedGame

RULESETS = hoyle.rulesets()


def played(game: NumberedGame, seed: int, most: int = 1_000_000) -> NumberedGame:
    """Play so many random decisions, or to the end."""
    rng = Random(seed)
    while most and not game.is_terminal():
        game.sample_chance(rng)
        if not game.is_terminal():
            game.apply_action(rng.choice(game.legal_actions()))
            most -= 1
    game.sample_chance(rng)
    return game


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_deal_ends_with_the_difference_of_the_scores(ruleset: str) -> None:
    game = played(NumberedGame(hoyle.rules(ruleset), deals=1), seed=2)
    scores, returns = game.game.scores(), game.returns()
    assert sum(returns.values()) == 0
    if len(scores) == 2:
        assert returns["A"] == scores["A"] - scores["B"]
    assert game.legal_actions() == []
    assert game.current_player() is None


def test_a_game_ends_with_what_it_is_settled_for(piquet: hoyle.Rules) -> None:
    game = played(NumberedGame(piquet), seed=1)
    assert game.game.is_terminal()
    assert game.returns() == game.game.returns()
    assert not NumberedGame(piquet).is_terminal()
    assert NumberedGame(piquet, deals=2).returns() == {"A": 0, "B": 0}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_mask_has_the_legal_actions_and_an_observation_all_planes(ruleset: str) -> None:
    game = NumberedGame(hoyle.rules(ruleset), deals=1)
    for seed in range(25):
        played(game, seed, most=2)
        if game.is_terminal():
            break
        legal = game.legal_actions()
        assert [number for number, open_ in enumerate(game.mask()) if open_] == legal
        for seat in game.rules.players:
            assert len(game.observation(seat)) == sum(plane.size for plane in game.planes)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_observation_depends_on_no_hidden_card(ruleset: str) -> None:
    game = NumberedGame(hoyle.rules(ruleset), deals=1)
    for seed in range(6):
        played(game, seed, most=9)
        if game.is_terminal():
            break
        seat = str(game.current_player())
        other = game.determinise(seat, Random(seed))
        assert other.observation(seat) == game.observation(seat)
        assert other.information_state(seat) == game.information_state(seat)
        assert other.observation_text(seat) == game.observation_text(seat)
        assert other.current_player() == seat
        assert other.legal_actions() == game.legal_actions()


def test_cards_are_put_away_one_by_one(piquet: hoyle.Rules) -> None:
    game = exchanging(piquet)
    hand = game.game.position().to_json()["hands"]
    elder = str(game.current_player())
    assert names(game) == {f"put-away {card}" for card in hand[elder]}, "elder must put away one at least"
    first = game.legal_actions()[0]
    game.apply_action(first)
    assert game.catalogue.names[first] not in names(game)
    assert "put-no-more" in names(game)
    away = dict(zip([plane.name for plane in game.planes], split(game, elder), strict=True))["put away so far"]
    assert sum(away) == 1
    assert game.information_state(elder).endswith(f" {game.catalogue.names[first].removeprefix('put-away ')}")
    other = "A" if elder == "B" else "B"
    assert game.information_state(other).endswith("]"), "the other player does not see it"
    game.apply_action(game.catalogue.number("put-no-more"))
    assert game.game.actions[-1].kind == "discard"
    assert game.game.current_player() == other
    assert names(game) == {"pass", "peep"}, "elder, who has put away one card, may look at those that are left"
    game.apply_action(game.catalogue.number("pass"))
    assert game.current_player() == other


def names(game: NumberedGame) -> set[str]:
    """The names of the legal actions."""
    return {game.catalogue.names[number] for number in game.legal_actions()}


def exchanging(rules: hoyle.Rules) -> NumberedGame:
    """A game of Piquet in which elder is to exchange."""
    game = NumberedGame(rules)
    while not any(name.startswith("put-away") for name in names(game)):
        played(game, seed=4, most=1)
    return game


def split(game: NumberedGame, seat: str) -> list[list[int]]:
    """The numbers of an observation, plane by plane."""
    numbers, planes = game.observation(seat), []
    for plane in game.planes:
        planes.append(numbers[: plane.size])
        numbers = numbers[plane.size :]
    return planes


def test_the_exchange_ends_when_no_more_may_be_put_away(piquet: hoyle.Rules) -> None:
    game = exchanging(piquet)
    for _ in range(5):
        game.apply_action(game.legal_actions()[0])
    assert len(game.game.actions[-1].cards) == 5


def test_chance_takes_one_card_at_a_time(bezique: hoyle.Rules) -> None:
    game = NumberedGame(bezique)
    assert len(game.chance_outcomes()) == 64
    game.apply_chance(63)
    assert game.is_chance_node()
    assert 63 not in game.chance_outcomes()
    assert str(game).endswith(" AS#2")
    game.apply_chance(0)
    assert str(game.game.actions[0]) == "cut AS#2 7C"
    game.sample_chance(Random(1))
    assert game.current_player() is not None


def test_a_player_who_could_act_out_of_turn_is_asked_first_and_may_pass() -> None:
    """In Bézique for three the seven may be exchanged whenever it is held."""
    game, rng = NumberedGame(hoyle.rules("three-handed-h2g2")), Random(1)
    passing = game.catalogue.number("pass")
    while passing not in game.legal_actions():
        game.sample_chance(rng)
        game.apply_action(rng.choice(game.legal_actions()))
        game.sample_chance(rng)
    asked, turn = game.current_player(), game.game.current_player()
    assert asked != turn
    game.apply_action(passing)
    while passing in game.legal_actions():
        assert game.current_player() not in {asked, turn}
        game.apply_action(passing)
    assert game.current_player() == turn


def test_a_number_that_is_not_legal_changes_nothing(bezique: hoyle.Rules) -> None:
    game = played(NumberedGame(bezique), seed=1, most=3)
    before = game.clone()
    with pytest.raises(hoyle.IllegalActionError) as caught:
        game.apply_action(game.catalogue.number("pass"))
    assert caught.value.action == "pass"
    with pytest.raises(hoyle.IllegalActionError):
        game.apply_action(-7)
    assert game == before


def test_numbered_games_compare_copy_and_pickle(piquet: hoyle.Rules) -> None:
    game = exchanging(piquet)
    game.apply_action(game.legal_actions()[0])
    seat = str(game.current_player())
    sent = pickle.loads(pickle.dumps(game))  # noqa: S301 -- made here
    for other in (game.clone(), copy.copy(game), copy.deepcopy(game), sent):
        assert other == game
        assert other.information_state(seat) == game.information_state(seat)
        other.apply_action(other.legal_actions()[0])
        assert other != game
    assert game != "a game"
    assert game.rules == piquet


def test_what_a_player_has_seen_is_kept_up_to_date(bezique: hoyle.Rules) -> None:
    game = played(NumberedGame(bezique), seed=3, most=4)
    for most in (1, 3):
        played(game, seed=most, most=most)
        assert game.information_state("A") == str(game.game.information_state("A"))
