"""Cards as people write them, and the first mistake in a text, in words."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import the_suite
from hoyle_conformance.web.explorer.card_text import read_cards
from hoyle_conformance.web.explorer.engine import Engine
from hoyle_conformance.web.explorer.layout import Wrong

LAYOUT = {"v": 1, "rulesets": ["bezique-hoyle"], "given": {"leads": "A"}, "steps": []}
FACES = [f"{rank}{suit}" for suit in "CDHS" for rank in "789TJQKA"]
SYMBOLS = dict(zip("CDHS", "♣♦♥♠", strict=True))
RANKS = dict(zip("789TJQKA", ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"), strict=True))
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def parsed(engine: Engine, text: Any, **more: Any) -> Any:
    return engine.ask({"ask": "parse", "text": text, "layout": LAYOUT, **more})


# ---- cards


@settings(deadline=None)
@given(st.lists(st.sampled_from(FACES), min_size=1, max_size=12, unique=True), st.randoms(use_true_random=False))
def test_a_hand_is_read_in_every_way_that_it_is_written(hand: list[str], rng: Random) -> None:
    ways = [
        lambda card: card,
        lambda card: card.lower(),
        lambda card: card[0].replace("T", "10") + SYMBOLS[card[1]],
        lambda card: f"{RANKS[card[0]]} of {SUITS[card[1]]}",
        lambda card: f"{RANKS[card[0]].capitalize()} {SUITS[card[1]]}",
    ]
    text = rng.choice([" ", ", ", "\n"]).join(rng.choice(ways)(card) for card in hand)
    assert read_cards(text, 1) == hand
    assert read_cards(text, 2, hand) == [f"{card}#2" for card in hand]


@settings(deadline=None)
@given(st.lists(st.sampled_from(FACES), min_size=1, max_size=12, unique=True), st.booleans(), st.booleans())
def test_ranks_after_a_suit_are_of_that_suit(hand: list[str], apart: bool, letters: bool) -> None:
    by_suit = {suit: [card[0] for card in hand if card[1] == suit] for suit in "SHDC"}
    text = " ".join(
        (f"{suit}:" if letters else SYMBOLS[suit]) + (" " if apart else "").join(ranks).replace("T", "10")
        for suit, ranks in by_suit.items()
        if ranks
    )
    assert sorted(read_cards(text, 1)) == sorted(hand)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("KS KS", ["KS", "KS#2"]),
        ("KS#2 KS", ["KS#2", "KS"]),
        ("K♠² K♠", ["KS#2", "KS"]),
        ("[KS, QS, ...]", ["KS", "QS", "..."]),
        ("KS … QS", ["KS", "...", "QS"]),
        ("K♠️ and Q♠️", ["KS", "QS"]),
    ],
)
def test_copies_are_given_their_numbers(text: str, cards: list[str]) -> None:
    assert read_cards(text, 2) == cards


@pytest.mark.parametrize(
    ("text", "packs", "says"),
    [
        ("KS QX", 2, "'QX' is not a card"),
        ("KS KS KS", 2, "only 2 K♠"),
        ("KS of", 1, "'of' is not a card"),
        ("KS#3", 2, "only 2 K♠"),
    ],
)
def test_a_mistake_is_told_with_its_remedy(text: str, packs: int, says: str) -> None:
    with pytest.raises(Wrong, match=says) as told:
        read_cards(text, packs)
    assert told.value.remedy


def test_cards_elsewhere_are_taken(engine: Engine) -> None:
    there = {**LAYOUT, "given": {"leads": "A", "hands": {"B": ["KS", "QS"]}}}
    request = {"ask": "parse", "layout": there, "text": "KS QS"}
    assert engine.ask(request) == {"cards": ["KS#2", "QS#2"]}
    assert engine.ask({**request, "free": ["KS", "QS"]}) == {"cards": ["KS", "QS"]}


@pytest.mark.parametrize("text", [None, "", " ", "hello", "...", "\ud800", "KS " * 1_000])
def test_text_that_is_no_card_is_answered_in_words(engine: Engine, text: Any) -> None:
    answer = parsed(engine, text)
    assert answer["error"]["says"]
    assert answer["error"]["remedy"]
    assert "failed" not in answer


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_no_text_fails(text: str) -> None:
    assert "failed" not in parsed(Engine(the_suite()), text)
