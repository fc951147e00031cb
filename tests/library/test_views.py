import json

import pytest

import hoyle
from games import sent


@pytest.fixture
def game(piquet: hoyle.Rules) -> hoyle.Game:
    """Piquet after both exchanges: elder, A, has put away five cards, and younger three."""
    game = hoyle.Game(piquet)
    for action in ("cut 8C 7S", "B choose deals"):
        if not game.is_legal(action):
            continue
        game.apply_action(action)
    while game.is_chance_node() or game.current_player() is None or not game.observation("A").to_json().get("hands"):
        game.apply_action(game.chance_outcomes()[0] if game.is_chance_node() else game.legal_actions()[0])
    while len([action for action in game.actions if action.kind == "discard"]) < 2:
        discards = [action for action in game.legal_actions() if action.kind == "discard"]
        game.apply_action(next(action for action in discards if len(action.cards) == 3))
    return game


def test_a_player_sees_the_own_hand_and_the_number_of_the_others(game: hoyle.Game) -> None:
    first, other = (game.actions[-2].player, game.actions[-1].player)
    for own, another in ((first, other), (other, first)):
        sees = game.observation(str(own)).to_json()
        position = game.position().to_json()
        assert sees["hands"] == {own: position["hands"][own], another: 12}
        assert sees["discards"] == {own: position["discards"][own], another: 3}
        assert sees["stock"] == len(position["stock"]) == 2
        assert sees["score"] == position["score"]


def test_a_discard_is_seen_by_the_player_who_made_it(game: hoyle.Game) -> None:
    first, second = game.actions[-2:]
    for own in (first.player, second.player):
        steps = game.information_state(str(own)).to_json()[1:]
        for action, step in zip((first, second), steps[-2:], strict=True):
            assert step["action"]["cards"] == (list(action.cards) if action.player == own else 3)


def test_nobody_sees_the_deck(game: hoyle.Game) -> None:
    for seat in game.players:
        steps = game.information_state(seat).to_json()
        (deal,) = [step for step in steps[1:] if step["action"]["do"] == "deal"]
        assert deal["action"]["deck"] == 32
        assert len(deal["changes"]["hands"][seat]) == 12


def test_an_information_state_remembers_what_an_observation_does_not(bezique: hoyle.Rules) -> None:
    """Two ways to the same position: the cut is only remembered."""
    games = []
    for cut in ("cut KS 7H", "cut AS 7D"):
        game = hoyle.Game(bezique)
        game.apply_action(cut)
        while not game.is_chance_node():
            game.apply_action(game.legal_actions()[0])
        game.apply_action(game.chance_outcomes()[9])
        games.append(game)
    one, other = games
    assert one.observation("A") == other.observation("A")
    assert one.information_state("A") != other.information_state("A")


def test_views_are_values(game: hoyle.Game) -> None:
    for view in (game.observation("A"), game.information_state("A")):
        assert json.loads(str(view)) == view.to_json()
        assert sent(view) == view
        assert len({view, sent(view)}) == 1
        assert view.seat == "A"
        assert "\n" not in str(view)
    assert game.observation("A") != game.observation("B")
    assert game.observation("A") != game.information_state("A")
    assert game.observation("A")["phase"] == game.position().to_json()["phase"]


def test_a_view_may_be_changed_by_whoever_asked_for_it(game: hoyle.Game) -> None:
    view = game.observation("A")
    view.to_json()["hands"].clear()
    assert view["hands"]
