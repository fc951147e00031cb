"""What was meant: cards, suits and seats written otherwise, names that are near, words of another game."""

from dataclasses import replace
from itertools import product

import pytest

from hoyle_conformance.files.diagnostics import did_you_mean, near
from hoyle_conformance.files.schema_errors import card_meant, spelt_so
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.prove import prove_scenario
from hoyle_conformance.wording import explain
from hoyle_conformance.wording.cards import card

RANKS = {"7": "seven", "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"C": ("clubs", "♣", "♧"), "D": ("diamonds", "♦", "♢"), "H": ("hearts", "♥", "♡"), "S": ("spades", "♠", "♤")}


def ways(rank: str, suit: str) -> list[str]:
    """How people write a card, whatever they are used to."""
    figure = rank.replace("T", "10")
    words, *signs = SUITS[suit]
    plain = [*product((rank, figure), (suit, *signs)), *product((suit, *signs), (rank, figure))]
    joined = [mark.join(each) for each in plain for mark in ("", " ", "-")]
    name = f"{RANKS[rank]} of {words}"
    return [*joined, *(each.lower() for each in joined), name, name.title(), f"the {name}", f"{rank}{signs[0]}\ufe0f"]


@pytest.mark.parametrize(("rank", "suit"), list(product(RANKS, SUITS)))
def test_a_card_is_known_however_it_is_written(rank: str, suit: str) -> None:
    for way in ways(rank, suit):
        assert card_meant(way) == f"{rank}{suit}", way


@pytest.mark.parametrize("copy", range(1, 9))
def test_a_card_is_known_as_the_site_prints_it(copy: int) -> None:
    name = "TH" if copy == 1 else f"TH#{copy}"
    assert card_meant(card(name)) == name
    assert {card_meant(f"{face}{copy}") for face in ("TH", "10H", "♥10 #", "th#", "TH ")} == {name}


@pytest.mark.parametrize("text", ["", "K", "S", "joker", "KX", "K of", "KSS", "KS#9", "KS#0", "1S", "B", "K" * 10_000])
def test_what_is_no_card_means_none(text: str) -> None:
    assert card_meant(text) == spelt_so("card", text) == ""


def test_names_are_near_that_are_spelt_almost_so_or_have_all_the_words(suite: Suite) -> None:
    assert near("marriage", ["bezique", "common-marriage", "royal-marriage"]) == ["royal-marriage", "common-marriage"]
    assert near("bezique-hoile", suite.rulesets)[0] == "bezique-hoyle"
    alike = near("higher-card-wins", suite.clauses)
    assert len(alike) > 1
    assert all(each.endswith("/higher-card-wins") for each in alike)
    assert near("", suite.clauses) == near("x" * 1000, suite.clauses) == near("wholly-other", ["a", "b"]) == []
    assert did_you_mean("a", ["A", "B"]) == "Did you mean 'A'?"


# ---- why, of one outcome


def test_why_is_said_of_the_outcome_that_it_is_told_of(suite: Suite) -> None:
    scenario = suite.scenarios["reuse.plain-sequence-and-its-marriage"]
    one, other = (outcome.why for outcome in scenario.outcomes)
    checks = {check.ruleset: check for check in suite.index.checks_of(scenario)}
    assert one
    assert other
    assert scenario.why_under("rubicon-hoyle") == one
    assert scenario.why_under("rubicon-h2g2") == other
    assert scenario.why_under("piquet-hoyle") == ""
    said = " ".join(" ".join(explain.explanation(suite, [checks["rubicon-hoyle"]])).split())
    assert f"Why: {one}" in said
    assert other not in said


def test_every_outcome_that_is_wrong_is_told_at_once(suite: Suite) -> None:
    """What is wrong in the steps, under every ruleset, is told once."""
    right = suite.scenarios["reuse.plain-sequence-and-its-marriage"]
    wrong = [replace(outcome, expect={1: {"scores": {"A": 70}}}) for outcome in right.outcomes]
    told = prove_scenario(suite, replace(right, outcomes=tuple(wrong)))
    assert [each.code for each in told] == ["disagreement"] * 2
    assert len({each.line for each in told}) == 2
    too_many = ({**right.steps[0], "cards": ["KS#2", "QS#2"]},)
    (fault,) = prove_scenario(suite, replace(right, steps=too_many, outcomes=tuple(wrong)))
    assert (fault.code, fault.message) == ("card-not-held", "A holds KS, not KS#2")


def test_a_card_that_is_not_held_is_that_of_the_step_which_should_have_been_accepted(suite: Suite) -> None:
    """An earlier one may be refused for the same, and is to be."""
    right = suite.scenarios["reuse.plain-sequence-and-its-marriage"]
    first, *_ = right.steps
    steps = ({**first, "cards": ["KD", "QD"]}, {**first, "cards": ["KC", "QC"]})
    (outcome, *_) = right.outcomes
    only = (replace(outcome, expect={1: {"refused": "card-not-held"}}),)
    (fault,) = prove_scenario(suite, replace(right, steps=steps, outcomes=only))
    assert fault.message == "A does not hold KC: the position does not give it"
