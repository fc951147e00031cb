"""`determinise`: a game that looks the same to one player."""

from random import Random

import pytest

import hoyle
from hoyle_environments import determinise


def after(rules: hoyle.Rules, actions: int, seed: int) -> hoyle.Game:
    """A game after so many random actions of players, in which a player is to act."""
    game, rng = hoyle.Game(rules), Random(seed)
    while actions or game.is_chance_node():
        if game.is_chance_node():
            game.apply_action(game.sample_chance(rng))
        else:
            game.apply_action(rng.choice(game.legal_actions()))
            actions -= 1
    return game


@pytest.mark.parametrize("ruleset", hoyle.rulesets())
@pytest.mark.parametrize("actions", [0, 7, 20, 45])
def test_the_player_cannot_tell_the_games_apart(ruleset: str, actions: int) -> None:
    game = after(hoyle.rules(ruleset), actions, seed=actions)
    for seat in game.players:
        other = determinise(game, seat, Random(1))
        assert other.information_state(seat) == game.information_state(seat)
        assert other.observation(seat) == game.observation(seat)
        assert hoyle.Game.from_json(other.to_json()) == other, "every action of it is legal"
        assert other.current_player() == game.current_player()


def test_hidden_cards_lie_elsewhere(bezique: hoyle.Rules) -> None:
    game = after(bezique, 6, seed=1)
    hands = {determinise(game, "A", Random(seed)).position().to_json()["hands"]["B"][0] for seed in range(12)}
    assert len(hands) > 6, "other cards each time"


def test_the_same_random_numbers_give_the_same_game(piquet: hoyle.Rules) -> None:
    game = after(piquet, 9, seed=2)
    assert determinise(game, "B", Random(5)) == determinise(game, "B", Random(5))


def test_a_game_from_a_position_has_no_history_to_keep(bezique: hoyle.Rules) -> None:
    position = after(bezique, 21, seed=4).position()
    game = hoyle.Game(bezique, position)
    for _ in range(3):
        game.apply_action(game.legal_actions()[0])
    other = determinise(game, "A", Random(3))
    assert other.observation("A") == game.observation("A")
    assert other.position() != game.position()
    assert hoyle.Game.from_json(other.to_json()) == other
    assert sorted(cards_of(other)) == sorted(cards_of(game))


def cards_of(game: hoyle.Game) -> list[str]:
    """All cards in the hands, the stock and the tricks."""
    spelt = game.position().to_json()
    piles = [*spelt["hands"].values(), *spelt["won"].values(), spelt["stock"], spelt["trick"]]
    return [card for pile in piles for card in pile]


def test_what_was_said_stays_true(piquet: hoyle.Rules) -> None:
    """Announcements and answers limit the hands that fit: all the games are legal to the last action."""
    game, rng = after(piquet, 2, seed=6), Random(2)
    while game.position().to_json()["phase"] != "play":
        game.apply_action(rng.choice(game.legal_actions()))
    for seed in range(5):
        other = determinise(game, "A", Random(seed))
        assert hoyle.Game.from_text(other.to_text()) == other


def test_undo_goes_on_from_the_other_game(bezique: hoyle.Rules) -> None:
    other = determinise(after(bezique, 12, seed=3), "A", Random(1))
    before = other.clone()
    action = other.legal_actions()[0]
    other.apply_action(action)
    assert other.undo() == action
    assert other == before
    assert other.position() == before.position()


def test_nobody_sits_there(bezique: hoyle.Rules) -> None:
    with pytest.raises(hoyle.UnknownNameError):
        determinise(hoyle.Game(bezique), "C", Random(1))
