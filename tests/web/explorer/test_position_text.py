"""Positions as text: a written line can be read again, and each mistake is reported once, with its place."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hoyle
from conftest import the_suite
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.engine import Engine
from hoyle_conformance.web.explorer.layout import link_of
from hoyle_conformance.web.explorer.position_text import TextFault, read_cards

LAYOUT = {"v": 1, "rulesets": ["bezique-hoyle"], "given": {"leads": "A"}, "steps": []}
FACES = [f"{rank}{suit}" for suit in "CDHS" for rank in "789TJQKA"]
SYMBOLS = dict(zip("CDHS", "♣♦♥♠", strict=True))
RANKS = dict(zip("789TJQKA", ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"), strict=True))
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def parsed(engine: Engine, text: Any, **more: Any) -> Any:
    return engine.ask({"ask": "parse", "text": text, "layout": LAYOUT, **more})


# ---- JSON


@pytest.mark.parametrize("number", ["NaN", "1e999"])
def test_a_number_that_json_does_not_have_is_a_mistake(engine: Engine, number: str) -> None:
    """The answer would not be JSON either, and no browser could read it."""
    error = parsed(engine, f'{{"given": {{"score": {{"A": {number}}}}}}}')["error"]
    assert error["says"] == "This is not valid JSON."


def test_a_mistake_in_json_has_its_place(engine: Engine) -> None:
    assert parsed(engine, '{"given": {"leads": A}}')["error"]["at"] == [20, 21]
    assert parsed(engine, '{"given": {}, "given": {}}')["error"]["says"] == "This is not valid JSON."
    assert parsed(engine, '{"given": {"score": {"A": 40.0}}}')["layout"]["given"] == {"score": {"A": 40}}


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
    ("text", "packs", "place"),
    [
        ("KS QX", 2, "QX"),
        ("KS KS KS", 2, "KS"),
        ("KS of", 1, "of"),
        ("KS#3", 2, "KS#3"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, packs: int, place: str) -> None:
    with pytest.raises(TextFault) as told:
        read_cards(text, packs)
    assert text[told.value.start : told.value.end] == place
    assert told.value.remedy


def test_cards_elsewhere_are_taken_and_places_are_those_of_a_browser(engine: Engine) -> None:
    there = {**LAYOUT, "given": {"leads": "A", "hands": {"B": ["KS", "QS"]}}}
    request = {"ask": "parse", "layout": there, "text": "KS QS"}
    assert engine.ask(request) == {"cards": ["KS#2", "QS#2"]}
    assert engine.ask({**request, "free": ["KS", "QS"]}) == {"cards": ["KS", "QS"]}
    assert parsed(engine, "  KS \N{MUSICAL SYMBOL G CLEF} zz")["error"]["at"] == [5, 7]


# ---- positions


def test_a_position_is_written_and_read_again(engine: Engine) -> None:
    for ruleset, given_ in (
        ("bezique-hoyle", {"leads": "A", "trumps": "H", "hands": {"A": ["KS", "QS", "..."]}}),
        ("piquet-hoyle", {"leads": "A", "hands": {"A": ["KS", "QS", "..."]}}),
        ("rubicon-hoyle", {"has_won": "B", "trumps": "none", "hands": {"B": ["QS", "JD", "..."]}}),
    ):
        layout = {"v": 1, "rulesets": [ruleset], "given": given_, "steps": []}
        text = engine.ask({"ask": "text", "layout": layout})["text"]
        assert str(hoyle.Position.from_text(text)) == text
        read = parsed(engine, text)["layout"]
        assert read["drawn_by"] == ruleset
        again = engine.ask({"ask": "text", "layout": read})["text"]
        one, other = (hoyle.Position.from_text(each).to_json() for each in (text, again))
        assert {key: one[key] for key in ("hands", "score", "phase", "turn")} == {
            key: other[key] for key in ("hands", "score", "phase", "turn")
        }


def test_a_scenario_and_a_link_are_read(engine: Engine, suite: Suite) -> None:
    scenario = suite.scenarios["to-score.the-example"]
    text = (suite.root / "scenarios/to-score/the-example.scenario.yaml").read_text("utf-8")
    layout = parsed(engine, text)["layout"]
    assert layout["given"] == scenario.given
    assert layout["steps"] == list(scenario.steps)
    assert layout["title"] == scenario.title
    link = link_of(layout)
    assert parsed(engine, f"https://example.org/table.html#{link}") == {"layout": layout}
    game = {"v": 1, "ruleset": "bezique-hoyle", "people": ["A"], "seed": 1, "acts": ["cut"]}
    kept = engine.ask({"ask": "save", "game": game})["link"]
    assert parsed(engine, f"https://example.org/table.html#{kept}") == {"game": game}


@pytest.mark.parametrize(
    "text",
    [
        *(None, "", " ", "hello", "{", '{"given": 5}', '{"given": {}, "rulesets": ["whist"]}', "{}" * 40_000),
        *(
            "given:\n  leads: [A\n",
            "title: x\n",
            "1.abcdefghijk",
            "#g=1.abc",
            "bezique-hoyle phase:foo",
            "whist phase:play",
        ),
        *("bezique-hoyle; Z play", "bezique-hoyle{x:y} phase:play", "bezique-hoyle{", "\ud800", "#1.", "..."),
    ],
)
def test_text_that_is_none_of_these_is_answered_in_words(engine: Engine, text: Any) -> None:
    answer = parsed(engine, text)
    assert answer["error"]["says"]
    assert answer["error"]["remedy"]
    assert "failed" not in answer


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_no_text_fails(text: str) -> None:
    assert "failed" not in parsed(Engine(the_suite()), text)
