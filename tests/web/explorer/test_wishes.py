"""Wishes for a deal: the hand that is dealt holds what was wished for, whatever the rules."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hoyle
from conftest import the_suite
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.engine import Engine

RANKS = "789TJQKA"
TWO = ("bezique-hoyle", "bezique-h2g2", "rubicon-hoyle", "piquet-hoyle", "three-handed-h2g2", "eight-deck-h2g2")


@pytest.fixture(scope="module")
def engine(suite: Suite) -> Engine:
    return Engine(suite)


def laid(ruleset: str) -> dict[str, Any]:
    return {"v": 1, "rulesets": [ruleset], "given": {}, "steps": []}


def dealt(engine: Engine, ruleset: str, wishes: list[Any], seed: int = 1, **more: Any) -> dict[str, Any]:
    """The layout of a deal, or the mistake."""
    answer = engine.ask({"ask": "deal", "layout": laid(ruleset), "seed": seed, "wishes": wishes, **more})
    return answer.get("layout") or answer


def hands(engine: Engine, layout: dict[str, Any]) -> dict[str, list[str]]:
    table = engine.ask({"ask": "answer", "layout": layout})["table"]
    return {place["seat"]: place["cards"] for place in table["places"] if place["key"] == "hands"}


def turned_up(engine: Engine, layout: dict[str, Any]) -> str:
    places = engine.ask({"ask": "answer", "layout": layout})["table"]["places"]
    return next((place["cards"][0] for place in places if place["key"] == "turn_up"), "")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TWO), st.integers(0, 2**53 - 1), st.integers(0, 99), st.sampled_from("AB"))
def test_a_hand_holds_what_is_wished_for(ruleset: str, seed: int, which: int, seat: str) -> None:
    """Held means what the source prints: so many cards of a rank, or in sequence, the cards of a combination."""
    engine = Engine(the_suite())
    known = engine.ask({"ask": "wishes", "layout": laid(ruleset)})["wishes"]
    wish = known[which % len(known)]["id"]
    layout = dealt(engine, ruleset, [{"seat": seat, "wish": wish}], seed)
    hand, up = hands(engine, layout)[seat], turned_up(engine, layout)
    assert holds(wish, hand, up[1:2]), (wish, hand, up)


def holds(wish: str, hand: list[str], trumps: str) -> bool:
    kind, _, what = wish.partition(":")
    ranks = [card[0] for card in hand]
    by_suit = {suit: {card[0] for card in hand if card[1] == suit} for suit in "CDHS"}
    if kind == "carte-blanche":
        return not set("JQK") & set(ranks)
    if kind == "trump":
        return what in by_suit[trumps]
    if kind == "point":
        return max(map(len, by_suit.values())) >= int(what)
    if kind == "sequence":
        return any(
            "".join("789TJQKA")[at : at + int(what)] in run for at in range(9 - int(what)) for run in runs(by_suit)
        )
    if kind == "set":
        count, _, rank = what.partition(":")
        return ranks.count(rank) >= int(count)
    return meld_held(what, hand)


def runs(by_suit: dict[str, set[str]]) -> list[str]:
    return ["".join(rank if rank in held else " " for rank in RANKS) for held in by_suit.values()]


#: What some combinations are, as all books print them: so many of each card.
CARDS = {"bezique": {"QS": 1, "JD": 1}, "double-bezique": {"QS": 2, "JD": 2}}
SETS = {"aces": "A", "kings": "K", "queens": "Q", "knaves": "J"}


def meld_held(meld: str, hand: list[str]) -> bool:
    faces = [card[:2] for card in hand]
    if meld in CARDS:
        return all(faces.count(face) >= count for face, count in CARDS[meld].items())
    for word, rank in SETS.items():
        if meld == f"four-{word}":
            return sum(face[0] == rank for face in faces) >= 4
    if meld.endswith("marriage") and "double" not in meld:
        return any({f"K{suit}", f"Q{suit}"} <= set(faces) for suit in "CDHS")
    return True  # those of one book alone


def test_several_wishes_are_met_together(engine: Engine) -> None:
    wishes = [{"seat": "A", "wish": "meld:bezique"}, {"seat": "A", "wish": "trump:7"}, {"seat": "B", "wish": "card:AH"}]
    layout = dealt(engine, "bezique-hoyle", wishes)
    held, up = hands(engine, layout), turned_up(engine, layout)
    assert {"QS", "JD", f"7{up[1]}"} <= {card[:2] for card in held["A"]}
    assert "AH" in {card[:2] for card in held["B"]}


def test_a_seed_deals_the_same_again_and_another_one_otherwise(engine: Engine) -> None:
    wishes = [{"seat": "B", "wish": "set:4:K"}]
    one, again, other = (dealt(engine, "piquet-hoyle", wishes, seed) for seed in (7, 7, 8))
    assert one == again != other


def test_what_cannot_be_dealt_is_said(engine: Engine) -> None:
    both = [{"seat": seat, "wish": "set:4:K"} for seat in "AB"]
    told = dealt(engine, "piquet-hoyle", both)
    assert told["error"]["says"] == "No deal was found in which A has quatorze of kings and B has quatorze of kings."


@pytest.mark.parametrize(
    "more",
    [
        {"wishes": "a quint"},
        {"wishes": [5]},
        {"wishes": [{"seat": "Z", "wish": "meld:bezique"}]},
        {"wishes": [{"seat": "A", "wish": "meld:flush"}]},
        {"wishes": [{"seat": "A", "wish": ["meld:bezique"]}]},
        {"wishes": [{"seat": "A", "wish": "card:1H"}]},
        {"wishes": [{"seat": "A", "wish": "meld:bezique"}] * 9},
        {"seed": "1"},
        {"dealer": "Z"},
    ],
)
def test_mistaken_wishes_are_refused(engine: Engine, more: dict[str, Any]) -> None:
    request = {"ask": "deal", "layout": laid("bezique-hoyle"), "seed": 1, "wishes": [], **more}
    answer = engine.ask(request)
    assert answer["error"]["remedy"]
    assert "failed" not in answer


def test_every_wish_offered_can_be_met(engine: Engine) -> None:
    for ruleset in hoyle.rulesets():
        for wish in engine.ask({"ask": "wishes", "layout": laid(ruleset)})["wishes"]:
            seed = Random(wish["id"]).randrange(99)
            assert "given" in dealt(engine, ruleset, [{"seat": "A", "wish": wish["id"]}], seed), (ruleset, wish)
