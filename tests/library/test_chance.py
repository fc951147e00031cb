from fractions import Fraction
from math import factorial
from random import Random

import pytest

import hoyle


def test_cut_has_an_outcome_for_each_two_cards(game: hoyle.Game) -> None:
    outcomes = game.chance_outcomes()
    every = list(outcomes)
    assert outcomes.count == len(outcomes) == len(every) == len(set(every)) == 64 * 63
    assert outcomes.probability == Fraction(1, 4032)
    assert [str(outcomes[0]), str(outcomes[1]), str(outcomes[-1])] == ["cut 7C 8C", "cut 7C 9C", "cut AS#2 KS#2"]
    assert all(game.is_legal(outcome) for outcome in every[::97])


def test_deal_has_an_outcome_for_each_order_of_the_pack(game: hoyle.Game) -> None:
    game.apply_action("cut KS 7H")
    while not game.is_chance_node():
        game.apply_action(game.legal_actions()[0])
    outcomes = game.chance_outcomes()
    assert outcomes.count == factorial(64)
    with pytest.raises(OverflowError):
        len(outcomes)
    first, last = outcomes[0], outcomes[-1]
    assert first.cards == tuple(sorted(first.cards, key=list(last.cards)[::-1].index))
    assert first.cards == last.cards[::-1]
    assert next(iter(outcomes)) == first
    for number in (0, 12345, factorial(63), factorial(64) - 1):
        outcome = outcomes[number]
        assert len(set(outcome.cards)) == 64
        assert outcome in outcomes
        assert game.is_legal(outcome)
        assert outcomes[number - factorial(64)] == outcome
    for number in (factorial(64), -factorial(64) - 1):
        with pytest.raises(IndexError):
            outcomes[number]


def test_other_actions_are_no_outcomes(game: hoyle.Game, piquet: hoyle.Rules) -> None:
    outcomes = game.chance_outcomes()
    assert game.action("cut KS KD") in outcomes
    for text in ("cut KS KS", "cut KS", "cut KS KD KC", "A play KS"):
        assert game.action(text) not in outcomes
    assert "cut KS KD" not in outcomes
    assert game.action("cut KS KD#2") not in hoyle.Game(piquet).chance_outcomes()


def test_sample_is_the_same_for_the_same_seed(game: hoyle.Game) -> None:
    samples = [str(game.sample_chance(Random(seed))) for seed in range(40)]
    assert samples == [str(game.sample_chance(Random(seed))) for seed in range(40)]
    assert len(set(samples)) > 30


def test_packets_are_the_first_that_are_allowed() -> None:
    """Parlett lets the dealer of Piquet deal by twos or by threes."""
    game = hoyle.Game(hoyle.rules("piquet-saunt-parlett"))
    game.apply_action(game.action("cut AS 7S"))
    while not game.is_chance_node():
        game.apply_action(game.legal_actions()[0])
    outcome = game.sample_chance(Random(1))
    assert outcome.to_json()["packets"] == 2
    assert game.is_legal(outcome)
    assert game.is_legal({**outcome.to_json(), "packets": 3})


def test_who_keeps_to_packets_of_three_deals_in_those() -> None:
    """The other reading of the rule: the size that each dealer has chosen binds."""
    game = hoyle.Game(hoyle.rules("piquet-saunt-parlett", readings={"deal.packets_kept": "all-dealers"}))
    position = {"phase": "deal", "turn": "A", "dealer": "A", "score": {"A": 0, "B": 0}, "deals": 1, "packets": {"B": 3}}
    game = hoyle.Game(game.rules, hoyle.Position.from_json(position, game.rules))
    assert game.sample_chance(Random(1)).to_json()["packets"] == 3
