import json
from random import Random

import pytest

import hoyle
from games import sent


def random_game(rules: hoyle.Rules, seed: int, most: int = 10_000) -> hoyle.Game:
    game, rng = hoyle.Game(rules), Random(seed)
    while not game.is_terminal() and len(game.actions) < most:
        game.apply_action(game.sample_chance(rng) if game.is_chance_node() else rng.choice(game.legal_actions()))
    return game


@pytest.fixture
def dealt(bezique: hoyle.Rules) -> hoyle.Game:
    """A game of Bézique after the deal; the pack is in its order, so that the hands hold low clubs and diamonds."""
    game = hoyle.Game(bezique)
    game.apply_action("cut KS 7H")
    while not game.is_chance_node():
        game.apply_action(game.legal_actions()[0])
    game.apply_action(game.chance_outcomes()[0])
    return game


def test_a_game_begins_with_the_cut(bezique: hoyle.Rules) -> None:
    game = hoyle.Game(bezique)
    assert game.is_chance_node()
    assert not game.is_terminal()
    assert game.current_player() is None
    assert game.actions == ()
    assert game.players == ("A", "B")
    assert game.rules == bezique
    assert game == hoyle.Game("bezique-hoyle")
    with pytest.raises(hoyle.UnknownNameError, match="no ruleset 'bezique'"):
        hoyle.Game("bezique")


def test_a_refused_action_changes_nothing_and_names_the_clauses(dealt: hoyle.Game) -> None:
    before, player = dealt.position(), dealt.current_player()
    other = "A" if player == "B" else "B"
    with pytest.raises(hoyle.IllegalActionError) as caught:
        dealt.apply_action(f"{other} play {dealt.observation(other)['hands'][other][0]}")
    assert caught.value.code == "not-your-turn"
    assert caught.value.action.startswith(f"{other} play ")
    assert caught.value.place == f"bezique-hoyle, action 3, '{caught.value.action}'"
    assert caught.value.remedy == "legal_actions() has the legal ones."
    with pytest.raises(hoyle.IllegalActionError) as caught:
        dealt.apply_action(f"{player} play AS")
    assert caught.value.code == "card-not-held"
    with pytest.raises(hoyle.IllegalActionError) as caught:
        dealt.apply_action(f"{player} declare bezique QS JD")
    assert caught.value.code == "only-after-winning-a-trick"
    assert all(clause in hoyle.suite().clauses for clause in caught.value.clauses)
    assert caught.value.clauses
    assert dealt.position() == before
    assert len(dealt.actions) == 2


def test_an_action_of_another_game_makes_no_sense(dealt: hoyle.Game, piquet: hoyle.Rules) -> None:
    action = hoyle.Game(piquet).action("A discard 7C")
    assert not dealt.is_legal(action)
    with pytest.raises(hoyle.NotationError, match="no act 'discard' in this game") as caught:
        dealt.apply_action(action)
    assert caught.value.place == "bezique-hoyle, action 3, 'A discard 7C'"


@pytest.mark.parametrize("reverse", [False, True])
def test_order_of_actions_is_that_of_kinds_words_and_cards(bezique: hoyle.Rules, *, reverse: bool) -> None:
    """After a trick won A may score one of three combinations, exchange or show the seven, or draw; in whatever order
    the hand is given."""
    hands = {"A": ["QS", "JD", "KS", "QH", "KH", "7H#2", "9C"], "B": ["7C", "8C", "7D", "8D", "9D", "7S", "8S"]}
    pack = [f"{rank}{suit}{copy}" for copy in ("", "#2") for suit in "CDHS" for rank in "789TJQKA"]
    elsewhere = {*hands["A"], *hands["B"], "TC", "9C#2", "8H"}
    position = {
        "phase": "declare",
        "turn": "A",
        "dealer": "B",
        "score": {"A": 0, "B": 0},
        "leader": "A",
        "hands": {seat: hand[::-1] if reverse else hand for seat, hand in hands.items()},
        "stock": [card for card in pack if card not in elsewhere],
        "trumps": "H",
        "turn_up": "8H",
        "won": {"A": ["TC", "9C#2"], "B": []},
    }
    game = hoyle.Game(bezique, hoyle.Position.from_json(position, bezique))
    assert [str(action) for action in game.legal_actions()] == [
        "A declare bezique JD QS",
        "A declare common-marriage QS KS",
        "A declare royal-marriage QH KH",
        "A exchange 7H#2",
        "A show 7H#2",
        "A draw",
    ]


def test_chance_has_no_legal_actions_and_a_player_no_outcomes(bezique: hoyle.Rules, dealt: hoyle.Game) -> None:
    with pytest.raises(hoyle.NotNowError, match="chance decides now") as caught:
        hoyle.Game(bezique).legal_actions()
    assert caught.value.place == "bezique-hoyle, action 1"
    assert "chance_outcomes()" in caught.value.remedy
    for ask in (dealt.chance_outcomes, lambda: dealt.sample_chance(Random(1))):
        with pytest.raises(hoyle.NotNowError, match="chance does not decide now"):
            ask()


@pytest.mark.parametrize("name", ["four-handed-h2g2"])
def test_a_game_ends_with_a_winner(name: str) -> None:
    game = random_game(hoyle.rules(name), 5)
    assert game.is_terminal()
    assert not game.is_chance_node()
    assert game.current_player() is None
    assert game.legal_actions() == ()
    returns, scores = game.returns(), game.scores()
    assert sum(returns.values()) == 0
    best = max(scores.values())
    assert {player for player, points in returns.items() if points > 0} == {
        player for player, points in scores.items() if points == best
    }


def test_of_three_players_the_winner_has_what_the_others_lose() -> None:
    game = random_game(hoyle.rules("three-handed-h2g2"), 1)
    assert sorted(game.returns().values()) == [-1, -1, 2]


def test_returns_are_the_points_that_the_game_is_settled_for() -> None:
    """Hoyle's Rubicon is settled for the difference of the scores, and 500 for the game, or more for a rubicon."""
    game = random_game(hoyle.rules("rubicon-hoyle"), 5)
    settled = game.position().to_json()["settled"]
    assert settled >= 500
    assert sorted(game.returns().values()) == [-settled, settled]


def test_a_drawn_partie_brings_nobody_anything() -> None:
    """Hoyle's Piquet of six deals may end equal: nothing is paid."""
    rules = hoyle.rules("piquet-rubicon-hoyle")
    over = {"phase": "over", "turn": "A", "dealer": "A", "score": {"A": 90, "B": 90}, "game_won_by": None, "settled": 0}
    game = hoyle.Game(rules, hoyle.Position.from_json(over, rules))
    assert game.is_terminal()
    assert game.returns() == {"A": 0, "B": 0}


# ---- undo and copies


def test_nothing_is_undone_before_the_first_action(bezique: hoyle.Rules) -> None:
    with pytest.raises(hoyle.NotNowError, match="no action to take back") as caught:
        hoyle.Game(bezique).undo()
    assert caught.value.code == "nothing-to-undo"


def test_games_of_other_rules_are_others(bezique: hoyle.Rules) -> None:
    assert hoyle.Game(bezique) != hoyle.Game(hoyle.rules("bezique-hoyle+brisques-at-end"))


# ---- JSON and text


def test_json_has_the_words_of_the_protocol(dealt: hoyle.Game) -> None:
    dealt.apply_action(dealt.legal_actions()[0])
    spelt = json.loads(json.dumps(dealt.to_json()))
    assert list(spelt) == ["ruleset", "options", "readings", "steps"]
    assert spelt["ruleset"] == "bezique-hoyle"
    assert spelt["steps"][0] == {"do": "cut", "cards": ["KS", "7H"]}
    assert spelt["steps"][2]["do"] == "play"


def test_rules_with_options_and_readings_have_a_text() -> None:
    rules = hoyle.rules("bezique-hoyle+brisques-at-end", readings={"deal.cut_winner": "chooses"})
    game = hoyle.Game(rules)
    game.apply_action("cut KS 7H")
    assert game.to_text() == "bezique-hoyle+brisques-at-end{deal.cut_winner:chooses}; cut KS 7H"
    assert hoyle.Game.from_text(game.to_text()) == game
    names = {"Game": hoyle.Game, "Position": hoyle.Position, "rules": hoyle.rules}
    assert all(eval(repr(value), names) == value for value in (game, rules, game.position()))  # noqa: S307


def test_a_game_prints_as_a_board(dealt: hoyle.Game) -> None:
    first, *rows = str(dealt).splitlines()
    assert first == "bezique-hoyle: play, B to act"
    assert rows[1].split() == ["B", "0", *dealt.position().to_json()["hands"]["B"]]
    assert [row.split()[0] for row in rows[2:]] == ["trumps", "turn_up", "stock"]
    with pytest.raises(hoyle.NotationError, match=r"to_text\(\) writes it"):
        hoyle.Game.from_text(str(dealt))


def test_a_game_with_house_rules_needs_them() -> None:
    house = {"id": "my-rules", "extends": "bezique-hoyle", "rules": {"settle.target": 500}}
    game = hoyle.Game(hoyle.rules(house=house))
    game.apply_action("cut KS 7H")
    assert repr(game) == "Game.from_text('my-rules; cut KS 7H', <Rules my-rules>)"
    for text in (game.to_text(), "my-rules"):
        with pytest.raises(hoyle.UnknownNameError, match="no ruleset 'my-rules'"):
            hoyle.Game.from_text(text)
    with pytest.raises(hoyle.UnknownNameError):
        hoyle.Game.from_json(game.to_json())
    assert hoyle.Game.from_text(game.to_text(), game.rules) == game == hoyle.Game.from_json(game.to_json(), game.rules)
    assert sent(game) == game


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "bad-game"),
        ("", "bad-json"),
        ({"ruleset": "bezique-hoyle", "steps": [], "more": 1}, "bad-game"),
        ({"ruleset": "bezique-hoyle", "options": "units", "steps": []}, "bad-game"),
        ({"ruleset": "bezique-hoyle", "readings": {"deal.cut_winner": "x"}, "steps": []}, "unknown-reading"),
        ({"ruleset": "bezique-hoyle", "steps": [3]}, "bad-action"),
        ({"ruleset": "bezique-hoyle", "steps": [{"by": "A", "do": "draw"}]}, "not-now"),
        ({"ruleset": "bezique-hoyle", "position": {}, "steps": []}, "bad-position"),
    ],
    ids=str,
)
def test_json_that_is_no_game(data: object, code: str) -> None:
    with pytest.raises(hoyle.HoyleError) as caught:
        hoyle.Game.from_json(data)
    assert caught.value.code == code
    assert str(caught.value)


def test_a_game_of_other_rules_is_not_read(bezique: hoyle.Rules, piquet: hoyle.Rules) -> None:
    game = hoyle.Game(bezique)
    with pytest.raises(hoyle.NotationError, match="other rules"):
        hoyle.Game.from_json(game.to_json(), piquet)
    with pytest.raises(hoyle.NotationError, match="does not begin with the rules, 'piquet-hoyle'"):
        hoyle.Game.from_text(game.to_text(), piquet)
    with pytest.raises(hoyle.NotationError, match="the position is one of 'bezique-hoyle'"):
        hoyle.Game(piquet, game.position())


# ---- what a player sees


def test_nobody_sits_elsewhere(dealt: hoyle.Game) -> None:
    for seat in ("C", "", "a", "AB", None, 0):
        for ask in (dealt.observation, dealt.information_state):
            with pytest.raises(hoyle.UnknownNameError, match=r"The players are A, B\."):
                ask(seat)  # type: ignore[arg-type]
