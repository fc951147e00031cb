"""Positions as plain mappings: what is read back is what was written, and what cannot be is refused with its reason."""

from typing import Any

import pytest

from games import after
from hoyle_reference import Game, Malformed, Phase, Rules, new_game, read_position, write_position
from hoyle_reference.acts import Choose, Cut, Deal
from hoyle_reference.cards import card
from hoyle_reference.seats import Seat

pytestmark = pytest.mark.interpreter

A = Seat(0)


def dealt(rules: Rules) -> Game:
    """A game after the cut and a deal in the fixed order of the pack: B leads."""
    game = new_game(rules)
    game.apply(Cut((card(7, 3), card(0, 3))))
    game.apply(Deal(A, rules.pack))
    return game


def reached(rules: Rules, phase: Phase) -> Game:
    """The first such phase of a random deal."""
    return next(game for stop in range(1, 40) if (game := after(rules, 7, b"\0", stop)).table.phase is phase)


@pytest.fixture
def whole(rules: Rules) -> dict[str, Any]:
    return write_position(dealt(rules).table)


@pytest.mark.parametrize("phase", [Phase.CUT, Phase.DEAL, Phase.PLAY, Phase.DECLARE, Phase.DRAW])
def test_a_position_is_read_as_it_was_written(rules: Rules, phase: Phase) -> None:
    game = new_game(rules) if phase is Phase.CUT else reached(rules, phase)
    spelt = write_position(game.table)
    again = Game(read_position(rules, spelt))
    assert write_position(again.table) == spelt
    if phase not in {Phase.CUT, Phase.DEAL}:  # where chance decides, there is nothing to choose from
        assert set(again.legal_actions) == set(game.legal_actions)


def test_a_finished_game_is_written_with_its_winner_and_not_set_up(rules: Rules) -> None:
    from games import play

    game, _ = play(rules, 1, b"\x00\x01\x02\x03")
    spelt = write_position(game.table)
    assert (spelt["phase"], spelt["game_won_by"] in {"A", "B"}) == ("over", True)
    with pytest.raises(Malformed, match="not 'over'"):
        read_position(rules, spelt)


def test_a_finished_game_is_read_where_it_is_said_to_be(rules: Rules) -> None:
    from games import play

    game, _ = play(rules, 1, b"\x00\x01\x02\x03")
    spelt = write_position(game.table)
    again = read_position(rules, spelt, finished=True)
    assert again.phase is Phase.OVER
    assert again.game_won_by is game.table.game_won_by
    assert write_position(again) == spelt
    short = read_position(rules, {key: spelt[key] for key in ("turn", "dealer", "score")}, finished=True)
    assert (short.game_won_by, short.is_dealt) == (None, False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"phase": "play "},
            "'phase' is one of cut, choose, deal, exchange, announce, play, declare, draw, not 'play '",
        ),
        ({"phase": None}, "not None"),
        ({"turn": "C"}, "no player 'C' in a game of 2"),
        ({"turn": None}, "'turn' is missing"),
        ({"dealer": "Z"}, "no player 'Z'"),
        ({"dealer": None}, "'dealer' is missing"),
        ({"leader": None}, "'leader' is missing"),
        ({"score": None}, "'score' is missing"),
        ({"score": [0, 0]}, r"'score' must be a mapping, not \[0, 0\]"),
        ({"score": {"A": "0"}}, "'A' must be a whole number, not '0'"),
        ({"score": {"A": True}}, "'A' must be a whole number, not True"),
        ({"choices": "deals"}, "'choices' must be a list, not 'deals'"),
        ({"hands": {"A": "KS"}}, "'A' must be a list, not 'KS'"),
        ({"hands": {"A": [7]}}, "no card 7"),
        ({"stock": None}, "'stock' is missing"),
        ({"turn_up": "KX"}, "no card 'KX'"),
        ({"trumps": "X"}, "no suit 'X'"),
        ({"trumps": ["H"]}, r"no suit \['H'\]"),
        ({"trumps": None}, "the turn-up 7H does not make trumps here"),
        ({"claimed": []}, "7H is turned up, and so it has scored: it belongs to 'claimed'"),
        ({"claimed": ["7H", "8C"]}, "8C is not a seven of trumps, and scores nothing by itself"),
        ({"trick": "KS"}, "'trick' must be a list, not 'KS'"),
        ({"claimed": 7}, "'claimed' must be a list, not 7"),
        ({"sevens_since_trick": -1}, "-1 sevens cannot have scored since the last trick"),
        ({"combinations_since_trick": "none"}, "'combinations_since_trick' must be a whole number, not 'none'"),
        ({"scored": {"A": ["marriage"]}}, "a combination has a 'meld' and its 'cards', unlike 'marriage'"),
        ({"scored": {"A": [{"cards": []}]}}, "'meld' is missing"),
        ({"scored": {"A": [{"meld": "flush", "cards": []}]}}, "no combination 'flush' in this game"),
        ({"kept": {"A": [{"meld": "bezique"}]}}, "'cards' is missing"),
        ({"turn": "A"}, "in this position it is the turn of B, not of A"),
        ({"phase": "deal", "turn": "B"}, "in this position it is the turn of A, not of B"),
        ({"phase": "declare"}, "the hands do not have the right number of cards: A 8, B 8"),
        ({"phase": "choose", "choices": ["deals"]}, "there is nothing to choose at this point of the game"),
    ],
)
def test_a_position_that_makes_no_sense_is_malformed(
    rules: Rules, whole: dict[str, Any], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(Malformed, match=message):
        read_position(rules, whole | changes)


def test_a_position_before_the_deal_has_no_cards(rules: Rules) -> None:
    spelt = {"phase": "choose", "turn": "A", "dealer": None, "score": {}, "choices": ["deals"]}
    game = Game(read_position(rules, spelt))
    assert list(game.legal_actions) == [Choose(A, "deals")]
    assert game.table.hands == [[], []]
    with pytest.raises(Malformed, match="the choices are deals and leaves-the-deal, not sings"):
        read_position(rules, {**spelt, "choices": ["sings"]})
    with pytest.raises(Malformed, match="the choices are deals and leaves-the-deal, not nothing"):
        read_position(rules, {**spelt, "choices": []})


def test_a_position_holds_every_card_once(rules: Rules, whole: dict[str, Any]) -> None:
    hands = whole["hands"]
    doubled = {**hands, "A": [hands["B"][0], *hands["A"][1:]]}
    with pytest.raises(Malformed, match=f"{hands['B'][0]} is in two places"):
        read_position(rules, whole | {"hands": doubled})
    with pytest.raises(Malformed, match=r"2 cards lie nowhere, \w+ among them"):
        read_position(rules, whole | {"stock": whole["stock"][2:]})
    with pytest.raises(Malformed, match="is shown but not held"):
        read_position(rules, whole | {"shown": {"A": [hands["B"][0]]}})


def test_a_position_has_the_right_number_of_cards_everywhere(rules: Rules, whole: dict[str, Any]) -> None:
    hands, stock = whole["hands"], whole["stock"]
    longer = {"A": [*hands["A"], stock[0]], "B": hands["B"]}
    with pytest.raises(Malformed, match="the hands do not have the right number of cards: A 9, B 8"):
        read_position(rules, whole | {"hands": longer, "stock": stock[1:]})
    both = {"A": [*hands["A"], stock[0]], "B": [*hands["B"], stock[1]]}
    with pytest.raises(Malformed, match="A 9, B 9"):
        read_position(rules, whole | {"hands": both, "stock": stock[2:]})
    with pytest.raises(Malformed, match="tricks have 2 cards each: A 1, B 0"):
        read_position(rules, whole | {"won": {"A": [stock[0]]}, "stock": stock[1:]})
    with pytest.raises(Malformed, match="the trick is complete"):
        read_position(rules, whole | {"trick": stock[:2], "stock": stock[2:]})


def test_nobody_declares_or_draws_in_the_middle_of_a_trick(rules: Rules) -> None:
    spelt = write_position(reached(rules, Phase.DECLARE).table)
    winner, played = spelt["turn"], spelt["hands"][spelt["turn"]][0]
    hands = spelt["hands"] | {winner: spelt["hands"][winner][1:]}
    with pytest.raises(Malformed, match="before drawing no card is in the trick, and some are left to be drawn"):
        read_position(rules, spelt | {"hands": hands, "trick": [played], "shown": {}})
    gone = {"A": [*spelt["won"]["A"], *spelt["stock"], spelt["turn_up"]], "B": spelt["won"]["B"]}
    with pytest.raises(Malformed, match="before drawing"):
        read_position(rules, spelt | {"stock": [], "turn_up": None, "won": gone})
