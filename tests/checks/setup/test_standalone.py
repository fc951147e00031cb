"""Questions that tell what decides them: they have the answer that the position would have had."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import acts, after
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import StandaloneKeys, answer_standalone, trace
from hoyle_conformance.runner.consensus import comparable
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Malformed, Phase, Rules, new_game, read_question, write_act
from hoyle_reference.acts import (
    CLASSES,
    POINT,
    SEQUENCE,
    Call,
    ClassWinner,
    Exchange,
    Exchangeable,
    Play,
    Playable,
    Show,
    TrickPoints,
    Winner,
)
from hoyle_reference.cards import Card, Suit
from hoyle_reference.chapters.calling import classes
from hoyle_reference.chapters.calling.classes import ClassRules
from hoyle_reference.chapters.seven import SevenRules
from hoyle_reference.notation.acts import turn_act
from hoyle_reference.seats import Seat
from hoyle_reference.table.fields import Turn

pytestmark = pytest.mark.interpreter

A, B = Seat(0), Seat(1)
PIQUET = "piquet-rubicon-parlett"
EVERY = ("bezique-h2g2", "rubicon-hoyle", "three-handed-h2g2", "four-handed-h2g2", PIQUET)
seeds, tapes = st.integers(0, 2**32), st.binary(min_size=20, max_size=80)
laws = settings(max_examples=15, deadline=None)


@pytest.mark.slow
def test_a_question_that_stands_alone_has_the_answer_of_the_position(suite: Suite) -> None:
    """Some questions of the suite that can be put so, with what they tell besides."""
    standalone_keys, compared = StandaloneKeys(suite.schemas), 0
    for check in list(suite.index.checks.values())[::6]:
        if "+" in check.ruleset or not any("ask" in step for step in check.scenario.steps):
            continue
        rules, message = suite.rules.of(check.ruleset), planner_of(suite).request(check).message
        traced = trace(rules, message)
        positions = [message["position"], *(each.position for each in traced)]
        for each, before in zip(traced, positions, strict=False):
            told = standalone_keys.complete(rules, each.step, before) if "ask" in each.step else None
            if told is not None:
                compared += 1
                assert standalone_keys.can_stand_alone(rules, told)
                assert comparable(answer_standalone(suite.rules.fresh_game(check.ruleset), told)) == comparable(
                    each.observation["answer"]
                ), check.id
    assert compared > 100


def test_what_is_left_to_the_position_does_not_stand_alone(suite: Suite) -> None:
    standalone_keys, bezique, piquet = (
        StandaloneKeys(suite.schemas),
        suite.rules.of("bezique-hoyle"),
        suite.rules.of(PIQUET),
    )
    winner = {"ask": "winner", "by": "A", "cards": ["7C", "8C"]}
    assert not standalone_keys.can_stand_alone(bezique, winner)
    assert not standalone_keys.can_stand_alone(bezique, {**winner, "trumps": "C"})
    assert standalone_keys.can_stand_alone(bezique, {**winner, "trumps": None, "drawing": True})
    assert standalone_keys.can_stand_alone(piquet, winner)
    assert not standalone_keys.can_stand_alone(piquet, {"ask": "declarable", "by": "A"})
    assert not standalone_keys.can_stand_alone(piquet, {"by": "A", "do": "play", "card": "7C"})


def positions(rules: Rules, seed: int, tape: bytes) -> Iterator[Game]:
    """The positions of a deal, after every act."""
    game = new_game(rules)
    for act in acts(game, seed, tape, most_deals=1):
        game.apply(act)
        yield game


@pytest.mark.slow
@given(name=st.sampled_from(EVERY), seed=seeds, tape=tapes)
@laws
def test_a_hand_and_what_was_led_tell_what_may_be_played(suite: Suite, name: str, seed: int, tape: bytes) -> None:
    rules = suite.rules.of(name)
    for game in positions(rules, seed, tape):
        table = game.table
        if table.phase is Phase.PLAY:
            told = Playable(table.turn, tuple(table.hands[table.turn]), tuple(table.trick))
            if rules.draws:
                told = replace(told, trumps=table.trumps, drawing=table.drawing)
            assert new_game(rules).ask(told).value == game.ask(Playable(table.turn)).value


@given(seed=seeds, tape=tapes)
@laws
def test_the_tricks_of_a_deal_score_what_they_score_one_by_one(suite: Suite, seed: int, tape: bytes) -> None:
    """All but the last are fewer than a deal's, so that nothing is added; the last trick alone has no bonus either."""
    rules = suite.rules.of(PIQUET)
    plays: list[Play] = []
    game = new_game(rules)
    for act in acts(game, seed, tape, most_deals=1):
        game.apply(act)
        plays += [act] if isinstance(act, Play) else []
    asked = [(play.by, (play.card, reply.card)) for play, reply in zip(plays[::2], plays[1::2], strict=True)][:11]

    def points(by: Seat, cards: tuple[Card, ...]) -> Any:
        return new_game(rules).ask(TrickPoints(by, cards)).value

    together = points(asked[0][0], tuple(card for _, cards in asked for card in cards))
    assert together == tuple(map(sum, zip(*(points(*each) for each in asked), strict=True)))


def call(rules: ClassRules, class_: str, hand: tuple[Card, ...]) -> Call:
    """The best of a hand, as it is called in full."""
    best = classes.whole_combinations(rules, class_, hand)[:1]
    if not best:
        return Call(0)
    height = classes.said(best[0])
    if class_ == POINT:
        return Call(best[0].count, value=int(height))
    return Call(best[0].count, top=height) if class_ == SEQUENCE else Call(best[0].count, rank=height)


@given(
    deck=st.permutations(range(32)), elder=st.sampled_from([A, B]), name=st.sampled_from([PIQUET, f"{PIQUET}+nought"])
)
@settings(max_examples=100, deadline=None)
def test_the_calls_of_two_hands_decide_as_the_hands_do(suite: Suite, deck: list[int], elder: Seat, name: str) -> None:
    rules = suite.rules.of(name)
    hands = tuple(map(Card, deck[:12])), tuple(map(Card, deck[12:24]))
    for class_ in CLASSES:
        calls = tuple(call(rules.of(ClassRules), class_, hand) for hand in hands)
        game = new_game(rules)
        by_hands = game.ask(ClassWinner(elder, class_, hands)).value
        assert game.ask(ClassWinner(elder, class_, calls=calls)).value == by_hands


@pytest.mark.slow
@given(name=st.sampled_from(["bezique-hoyle", "bezique-bicycle", "bezique-h2g2"]), seed=seeds, tape=tapes)
@laws
def test_the_sevens_that_may_be_exchanged_are_those_that_are_not_refused(
    suite: Suite, name: str, seed: int, tape: bytes
) -> None:
    rules = suite.rules.of(name)
    for game in positions(rules, seed, tape):
        for seat in (A, B):
            ways = {card: (Exchange(seat, card), Show(seat, card)) for card in game.table.hands[seat]}
            open_ = sorted(card for card, both in ways.items() if None in map(game.check, both))
            assert list(game.ask(Exchangeable(seat)).value) == open_


def test_before_there_are_trumps_no_seven_is_exchanged_or_shown(suite: Suite) -> None:
    game = new_game(suite.rules.of("bezique-britannica+first-marriage-trumps"))
    before = 0
    for act in acts(game, 1, b"\0", most_deals=1):
        if game.table.trumps is not None:
            break
        if game.table.phase not in {Phase.CUT, Phase.DEAL}:
            before += 1
            assert not any(isinstance(each, Exchange | Show) for each in game.legal_actions)
            assert game.ask(Exchangeable(A)).value == ()
        game.apply(act)
    assert before > 10


def test_every_seven_is_asked_of_by_its_rules(suite: Suite) -> None:
    """A second seven that scores by itself may be shown by anybody, and is not bound to a trick."""
    assert suite.rules.of("bezique-h2g2").of(SevenRules).second_by_itself.value
    message = (
        planner_of(suite).request(suite.index.checks["seven.the-second-before-a-trick-is-won@bezique-h2g2"]).message
    )
    (asked,) = trace(suite.rules.of("bezique-h2g2"), message)
    assert asked.observation == {"answer": ["7H#2"]}
    assert "seven.second.when" in asked.grounds


@pytest.mark.parametrize(
    ("name", "question", "message"),
    [
        (PIQUET, {"ask": "worth", "meld": "trio", "cards": ["AS"], "trumps": "C"}, "no suit is trumps in this game"),
        (
            PIQUET,
            {"ask": "winner", "by": "A", "cards": ["7C", "8C"], "drawing": True},
            "no cards are drawn in this game",
        ),
        ("bezique-hoyle", {"ask": "playable", "by": "A", "trumps": "C"}, "are told beside a hand"),
        ("bezique-hoyle", {"ask": "playable", "by": "A", "led": []}, "are told beside a hand"),
        (
            "bezique-hoyle",
            {"ask": "playable", "by": "A", "hand": ["7C"], "led": ["8C", "9C"]},
            "a trick with 2 cards is complete",
        ),
        ("bezique-hoyle", {"ask": "playable", "by": "A", "hand": ["7C"], "led": ["7C"]}, "a card is named twice"),
        ("bezique-hoyle", {"ask": "worth", "meld": "bezique", "cards": ["QS"], "trumps": "X"}, "no suit 'X'"),
        (PIQUET, {"ask": "class-winner", "by": "A", "class": "set"}, "by 'hands' or by 'calls'"),
        (PIQUET, {"ask": "trick-points", "by": "A", "cards": []}, "the cards of 1 to 12 tricks are 2 for each, not 0"),
        ("rubicon-hoyle", {"ask": "exchangeable", "by": "A"}, "there is no such question in this game: exchangeable"),
    ],
)
def test_what_a_question_tells_must_make_sense(suite: Suite, name: str, question: dict[str, Any], message: str) -> None:
    rules = suite.rules.of(name)
    with pytest.raises(Malformed, match=message):
        new_game(rules).ask(read_question(rules, question))


@pytest.mark.parametrize(
    ("class_", "calls", "message"),
    [
        ("flush", {"A": {"count": 1}, "B": {"count": 1}}, "no class 'flush' of combinations"),
        ("point", {"A": {"count": 5}, "B": {"count": 5, "value": 44}}, "both are of 5 cards: 'value' decides"),
        ("point", {"A": {"count": 5, "top": "K"}, "B": {"count": 4}}, "a point is called by 'count' and 'value'"),
        ("set", {"A": {"count": 0, "rank": "K"}, "B": {"count": 3}}, "and that there is none by a count of 0"),
        ("sequence", {"A": {"count": 2, "top": "K"}, "B": {"count": 3}}, "no sequence has 2 cards"),
        ("sequence", {"A": {"count": 5, "top": "nought"}, "B": {"count": 3}}, "a sequence is not as high as 'nought'"),
        ("sequence", {"A": {"count": 5, "top": "8"}, "B": {"count": 3}}, "no sequence of 5 cards has the top 8"),
        ("sequence", {"A": {"count": 4}, "B": {"count": 8, "top": "K"}}, "no sequence of 8 cards has the top K"),
        ("set", {"A": {"count": 4}, "B": {"count": 3, "rank": "9"}}, "no set of 3 cards has the rank 9"),
        ("point", {"A": {"count": 5}}, "'calls' must be given for A, B"),
        ("point", {"A": {"length": "five"}, "B": {"count": 5}}, "a call has a 'count', and 'value', 'top' or 'rank'"),
        ("point", {"A": 5, "B": {"count": 5}}, "'calls' must be a mapping"),
    ],
)
def test_a_call_must_make_sense(suite: Suite, class_: str, calls: dict[str, Any], message: str) -> None:
    rules = suite.rules.of(PIQUET)
    with pytest.raises(Malformed, match=message):
        new_game(rules).ask(read_question(rules, {"ask": "class-winner", "by": "A", "class": class_, "calls": calls}))


def test_a_void_suit_is_called_with_as_many_cards_as_it_stands_for(suite: Suite) -> None:
    rules = suite.rules.of(f"{PIQUET}+nought")
    calls = {"A": {"count": 4, "top": "nought"}, "B": {"count": 3}}
    question = read_question(rules, {"ask": "class-winner", "by": "A", "class": "sequence", "calls": calls})
    with pytest.raises(Malformed, match="no sequence of 4 cards has the top nought"):
        new_game(rules).ask(question)


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("bezique-hoyle", {"by": "B", "ask": "playable"}),
        (
            "bezique-hoyle",
            {"by": "B", "ask": "playable", "hand": ["7C", "7C#2"], "led": [], "trumps": None, "drawing": False},
        ),
        ("bezique-hoyle", {"by": "A", "ask": "winner", "cards": ["7C", "8C"], "trumps": "C", "drawing": True}),
        ("bezique-hoyle", {"ask": "worth", "meld": "bezique", "cards": ["QS", "JD"], "trumps": "H"}),
        ("bezique-hoyle", {"by": "A", "ask": "exchangeable"}),
        (
            PIQUET,
            {
                "by": "A",
                "ask": "class-winner",
                "class": "set",
                "calls": {"A": {"count": 0}, "B": {"count": 3, "rank": "K"}},
            },
        ),
    ],
)
def test_what_a_question_tells_is_written_as_it_is_read(suite: Suite, name: str, spelt: dict[str, Any]) -> None:
    assert write_act(read_question(suite.rules.of(name), spelt)) == spelt


def test_what_a_question_tells_is_turned_with_it(suite: Suite) -> None:
    rules = suite.rules.of("bezique-hoyle")
    turn = Turn((B, A), (B, A), tuple(map(Suit, (2, 0, 3, 1))))
    question = read_question(rules, {"ask": "winner", "by": "A", "cards": ["7C", "8C"], "trumps": "C"})
    turned = {"by": "B", "ask": "winner", "cards": ["7H", "8H"], "trumps": "H"}
    assert write_act(turn_act(turn, question)) == turned
    calls = {"A": {"count": 5}, "B": {"count": 4}}
    called = read_question(suite.rules.of(PIQUET), {"ask": "class-winner", "by": "A", "class": "point", "calls": calls})
    assert write_act(turn_act(turn, called))["calls"] == {"A": {"count": 4}, "B": {"count": 5}}


def test_a_question_that_tells_nothing_leaves_it_to_the_position(suite: Suite) -> None:
    """A seven of trumps beats an ace, by the trumps of the table; not if the question says that there are none."""
    rules = suite.rules.of("bezique-hoyle")
    game = after(rules, 1, b"quest", stop=2)
    assert game.table.trumps is not None
    ace = next(card for card in rules.pack if card & 7 == 7 and card >> 3 & 3 != game.table.trumps)
    seven = next(card for card in rules.pack if card & 7 == 0 and card >> 3 & 3 == game.table.trumps)
    assert game.ask(Winner(A, (ace, seven))).value == B
    assert game.ask(Winner(A, (ace, seven), trumps=None)).value == A
