import copy

import pytest

import hoyle
from games import sent

#: The text of every kind of act, and its JSON.
SPELT = {
    "cut KS 7H#2": {"do": "cut", "cards": ["KS", "7H#2"]},
    "A choose deals": {"by": "A", "do": "choose", "choice": "deals"},
    "B play 8C": {"by": "B", "do": "play", "card": "8C"},
    "A declare bezique JD QS": {"by": "A", "do": "declare", "meld": "bezique", "cards": ["JD", "QS"]},
    "A hold marriage QS KS": {"by": "A", "do": "hold", "meld": "marriage", "cards": ["QS", "KS"]},
    "A exchange 7H": {"by": "A", "do": "exchange", "card": "7H"},
    "A show 7H#2": {"by": "A", "do": "show", "card": "7H#2"},
    "A draw": {"by": "A", "do": "draw"},
    "A draw count:2": {"by": "A", "do": "draw", "count": 2},
    "A claim revoke": {"by": "A", "do": "claim", "irregularity": "revoke"},
    "B mishap card-seen KS": {"by": "B", "do": "mishap", "irregularity": "card-seen", "cards": ["KS"]},
    "B play 8C irregular:revoke": {"by": "B", "do": "play", "card": "8C", "irregular": "revoke"},
    "A carte-blanche": {"by": "A", "do": "carte-blanche"},
    "A discard 8C 7D": {"by": "A", "do": "discard", "cards": ["8C", "7D"]},
    "A peep": {"by": "A", "do": "peep"},
    "A peep suit:H": {"by": "A", "do": "peep", "suit": "H"},
    "A announce point count:5": {"by": "A", "do": "announce", "class": "point", "count": 5},
    "A announce set rank:K": {"by": "A", "do": "announce", "class": "set", "rank": "K"},
    'A announce sequence top:"9"': {"by": "A", "do": "announce", "class": "sequence", "top": "9"},
    "B answer not-good": {"by": "B", "do": "answer", "says": "not-good"},
    "A prove": {"by": "A", "do": "prove"},
    # words that no rules know are no error of the notation
    'B answer "KS"': {"by": "B", "do": "answer", "says": "KS"},
    'B answer "yes"': {"by": "B", "do": "answer", "says": "yes"},
    'B answer "a; b"': {"by": "B", "do": "answer", "says": "a; b"},
    'A draw irregular:"drawn out of turn"': {"by": "A", "do": "draw", "irregular": "drawn out of turn"},
}


@pytest.mark.parametrize("text", SPELT)
def test_action_is_one_line_and_json(game: hoyle.Game, text: str) -> None:
    action = game.action(text)
    assert str(action) == text
    assert action.to_json() == SPELT[text]
    assert game.action(SPELT[text]) == action
    assert eval(repr(action), {"Action": hoyle.Action}) == action == hoyle.Action.from_text(text)  # noqa: S307


def test_every_kind_of_act_is_spelt_above() -> None:
    from hoyle_reference.notation.acts import ACTS

    assert {each["do"] for each in SPELT.values()} | {"deal"} == set(ACTS)


def test_parts_of_an_action(game: hoyle.Game) -> None:
    assert game.action("A declare bezique JD QS").cards == ("JD", "QS")
    assert game.action("A play KS").cards == ("KS",)
    assert game.action("A draw").cards == ()
    assert game.action("A play KS").player == "A"
    assert game.action("cut KS 7H").player is None
    assert game.action("A carte-blanche").kind == "carte-blanche"


def test_action_is_a_value(game: hoyle.Game, piquet: hoyle.Rules) -> None:
    one, other = game.action("A play KS"), hoyle.Game(piquet).action("A play KS")
    assert one == other
    assert hash(one) == hash(other)
    assert one != game.action("B play KS")
    assert one != "A play KS"
    assert copy.deepcopy(one) == one == sent(one)
    assert sorted(map(game.action, ["B draw", "A play KS", "A draw"])) == [
        game.action(text) for text in ["A draw", "A play KS", "B draw"]
    ]
    with pytest.raises(TypeError):
        sorted([one, "A play KS"])  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a player (A, B, C or D) is expected, not the end."),
        ("play KS", "a player (A, B, C or D) is expected, not 'play'."),
        ("E play KS", "a player (A, B, C or D) is expected, not 'E'."),
        ("A sing KS", "an act is expected, such as play, not 'sing'."),
        ("A play", "'play' takes one card, not 0"),
        ("A play 10S", "a word, a card or a key is expected, not '10S'. Write TS."),
        ("A play K♠", "a word, a card or a key is expected, not 'K♠'. Write KS."),
        ("A play ks", "'play' takes card, not 'ks'. Write KS."),
        ("A play KS; B play AS", "the action ends here"),
        ("A draw KS", "'draw' takes count, not 'KS'"),
        ("A draw count:yes", "must be a whole number"),
        ("C play KS", "no player 'C' in a game of 2"),
        ("A play KS#3", "no card 'KS#3' in 2 piquet packs. An action is written like 'A play KS'"),
    ],
)
def test_text_that_is_no_action(game: hoyle.Game, text: str, said: str) -> None:
    with pytest.raises(hoyle.NotationError) as caught:
        game.action(text)
    assert said in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize("text", ["D claim revoke", "D show 7H"])
def test_action_of_a_player_who_does_not_sit_here(game: hoyle.Game, text: str) -> None:
    assert not game.is_legal(hoyle.Action.from_text(text))
    with pytest.raises(hoyle.NotationError, match="no player 'D' in a game of 2"):
        game.apply_action(hoyle.Action.from_text(text))


@pytest.mark.parametrize("spelt", [None, {}, {"do": "play"}, object(), {"by": "A"}])
def test_value_that_is_no_action(game: hoyle.Game, spelt: object) -> None:
    with pytest.raises(hoyle.NotationError):
        game.action(spelt)  # type: ignore[arg-type]
