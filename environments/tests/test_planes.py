"""Observations as numbers: the planes and what is in them."""

import pytest

import hoyle
from hoyle_environments import NumberedGame


def planes(game: NumberedGame, seat: str) -> dict[str, list[int]]:
    """The numbers of an observation, by the names of the planes."""
    numbers, named = game.observation(seat), {}
    for plane in game.planes:
        named[plane.name] = numbers[: plane.size]
        numbers = numbers[plane.size :]
    return named


@pytest.fixture
def begun(bezique: hoyle.Rules) -> NumberedGame:
    """A game of Bézique in which B, the non-dealer, has led the seven of clubs; the pack was in its order."""
    game = NumberedGame(bezique)
    for card in (*range(63, 61, -1), *range(64)):
        game.apply_chance(card)
    while game.current_player() is not None and not any(planes(game, "A")["trick: player 1"]):
        game.apply_action(game.legal_actions()[0])
        if any(planes(game, "A")["trick: player 2"]):
            break
    return game


def test_planes_are_named_once_and_depend_on_the_rules_alone(begun: NumberedGame) -> None:
    names = [plane.name for plane in begun.planes]
    assert len(set(names)) == len(names)
    assert begun.planes == NumberedGame(begun.rules).planes
    assert sum(plane.size for plane in begun.planes) == len(begun.observation("A"))


def test_a_player_sees_the_own_cards_and_numbers_of_others(begun: NumberedGame) -> None:
    hands = begun.game.position().to_json()["hands"]
    for seat, other in (("A", "B"), ("B", "A")):
        seen = planes(begun, seat)
        assert sum(seen["hands: own"]) == len(hands[seat])
        assert seen["hands: numbers of cards"] == [len(hands[seat]), len(hands[other])]


def test_players_are_counted_from_the_one_who_sees(begun: NumberedGame) -> None:
    led = [planes(begun, seat) for seat in ("A", "B")]
    player = "AB".index(str(begun.game.position().to_json()["leader"]))
    for seat, seen in enumerate(led):
        at = 1 + (player - seat) % 2
        assert sum(seen[f"trick: player {at}"]) == 1
        assert sum(seen[f"trick: player {3 - at}"]) == 0
        assert seen["leader"] == [int(at == 1), int(at == 2)]


def test_trumps_the_phase_and_the_stock_are_there(begun: NumberedGame) -> None:
    seen, position = planes(begun, "A"), begun.game.position().to_json()
    assert seen["phase"].count(1) == 1
    assert seen["trumps"] == [int(suit == position["trumps"]) for suit in "CDHS"]
    assert seen["stock"] == [len(position["stock"])]
    assert sum(seen["turn_up"]) == 1


def test_what_is_called_at_piquet_is_there(piquet: hoyle.Rules) -> None:
    game = NumberedGame(piquet)
    for card in (31, 0, *range(32)):
        game.apply_chance(card)
        if game.catalogue.number("choose deals") in game.legal_actions():
            game.apply_action(game.catalogue.number("choose deals"))
    while not any(game.catalogue.names[number].startswith("announce") for number in game.legal_actions()):
        game.apply_action(game.legal_actions()[0])
    elder = str(game.current_player())
    assert planes(game, elder)["called"][-3:] == [0, -1, 0], "nothing is announced, and so there is no height"
    game.apply_action(game.catalogue.number("announce point count:0"))
    game.apply_action(game.catalogue.number("answer good"))
    called = planes(game, elder)["called"]
    assert called[:2] == [0, -1]
    assert called[6:8] == [0, 0], "nobody has the point"
