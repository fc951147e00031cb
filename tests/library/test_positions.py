from typing import Any

import pytest

import hoyle

#: A position of Bézique after Hoyle in the last trick: A has a trump, B another suit.
LAST: dict[str, Any] = {
    "phase": "play",
    "turn": "A",
    "dealer": "B",
    "score": {"A": 980, "B": 500},
    "leader": "A",
    "hands": {"A": ["KH"], "B": ["9C"]},
    "stock": [],
    "trumps": "H",
}


def whole() -> dict[str, Any]:
    """The position with all other cards in the tricks of B."""
    pack = [card for copy in ("", "#2") for card in [f"{rank}{suit}{copy}" for suit in "CDHS" for rank in "789TJQKA"]]
    return {**LAST, "won": {"A": [], "B": [card for card in pack if card not in {"KH", "9C"}]}}


def test_a_game_begins_from_a_position(bezique: hoyle.Rules) -> None:
    game = hoyle.Game(bezique, hoyle.Position.from_json(whole(), bezique))
    assert [str(action) for action in game.legal_actions()] == ["A play KH"]
    assert game.scores() == {"A": 980, "B": 500}
    for text in ("A play KH", "B play 9C"):
        game.apply_action(text)
    assert game.scores()["A"] == 990  # the last trick, hoyle/bezique/last-trick


def test_a_position_has_a_text(bezique: hoyle.Rules) -> None:
    position = hoyle.Position.from_json(whole(), bezique)
    assert position.to_text().startswith(
        "bezique-hoyle phase:play turn:A dealer:B score:{A:980,B:500} leader:A hands:{A:[KH],B:[9C]} stock:[] trick:[] "
    )
    with pytest.raises(hoyle.UnknownNameError, match="no ruleset 'whist'"):
        hoyle.Position.from_text("whist phase:cut")


def test_fields_that_are_not_given_have_their_first_value(bezique: hoyle.Rules) -> None:
    position = hoyle.Position.from_json(whole(), bezique)
    fields = position.to_json()
    assert fields["kept"] == {"A": [], "B": []}
    fields["kept"]["A"].append("changed")
    assert position.to_json()["kept"] == {"A": [], "B": []}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"turn": "B"}, "it is the turn of"),
        ({"turn": "C"}, "no player 'C' in a game of 2"),
        ({"hands": {"A": ["KH", "KH"], "B": ["9C"]}}, "KH is in two places"),
        ({"hands": {"A": ["KX"], "B": ["9C"]}}, "no card 'KX'"),
        ({"discards": {}}, "there is no 'discards' in a position of this game"),
    ],
    ids=str,
)
def test_mapping_that_is_no_position(bezique: hoyle.Rules, change: dict[str, Any], said: str) -> None:
    with pytest.raises(hoyle.NotationError) as caught:
        hoyle.Position.from_json({**whole(), **change}, bezique)
    assert said in str(caught.value)
    assert caught.value.place == "bezique-hoyle"
    assert "position.schema.json" in caught.value.remedy


@pytest.mark.parametrize("text", ["piquet-hoyle", "bezique-hoyle; cut KS 7H", "bezique-hoyle phase:x"])
def test_text_that_is_no_position(bezique: hoyle.Rules, text: str) -> None:
    with pytest.raises(hoyle.NotationError):
        hoyle.Position.from_text(text, bezique)


def test_between_deals_the_cards_are_gathered(piquet: hoyle.Rules) -> None:
    from random import Random

    game, rng = hoyle.Game(piquet), Random(1)
    while len(game.actions) < 5 or not game.is_chance_node():
        game.apply_action(game.sample_chance(rng) if game.is_chance_node() else rng.choice(game.legal_actions()))
    fields = game.position().to_json()
    assert fields["phase"] == "deal"
    assert not {"hands", "won", "stock"} & fields.keys()
    assert sum(fields["score"].values()) > 0
