"""Playing at the table: a game goes as in the library, and a player is shown nothing that lies hidden."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import hoyle
from conftest import the_suite
from hoyle_conformance.web.explorer.books import layout_for_books
from hoyle_conformance.web.explorer.engine import Engine
from hoyle_conformance.web.explorer.game_state import Games, States
from hoyle_conformance.web.explorer.layout import Wrong
from hoyle_conformance.web.explorer.play import PlayRequests
from laws.test_library import other_deal

RULESETS = (
    *("bezique-hoyle", "bezique-britannica", "bezique-bicycle", "bezique-h2g2", "rubicon-hoyle", "three-handed-h2g2"),
    *("piquet-hoyle", "piquet-saunt-parlett", "piquet-rubicon-hoyle", "piquet-rubicon-parlett"),
)
Json = dict[str, Any]


def new(ruleset: str, seed: int = 1, **more: Any) -> Json:
    return {"v": 1, "ruleset": ruleset, "people": ["A"], "seed": seed, "acts": [], **more}


def gone_on(engine: Engine, answer: Mapping[str, Any], choose: Callable[[Mapping[str, Any]], Any]) -> Json:
    """The game after the next act: of the person as it is chosen, of an opponent the greedy one."""
    waits, game = answer["waits_for"], answer["game"]
    if waits["kind"] == "deal":
        act: Any = {"do": "deal"}
    elif waits["kind"] == "opponent":
        request = engine.ask({"ask": "sees", "game": game, "seat": waits["seat"]})["request"]
        act = engine.ask({**request, "level": "greedy"})["act"]
    else:
        act = choose(answer)
    done: Json = engine.ask({"ask": "play", "game": game, "act": act})
    assert "error" not in done, (game, act, done)
    return done


def any_act(rng: Random) -> Callable[[Mapping[str, Any]], Any]:
    def choose(answer: Mapping[str, Any]) -> Any:
        exchange = answer["acts"]["exchange"]
        legal = [each["step"] for each in answer["acts"]["legal"]]
        if exchange and (not legal or rng.random() < 0.8):
            count = rng.randint(exchange["least"], exchange["most"])
            return {"by": answer["acts"]["by"], "do": "discard", "cards": rng.sample(exchange["cards"], count)}
        return rng.choice(legal)

    return choose


def after(engine: Engine, ruleset: str, seed: int, acts: int, **more: Any) -> Json:
    """A game after so many acts, or its end."""
    choose, answer = any_act(Random(seed)), engine.ask({"ask": "play", "game": new(ruleset, seed, **more)})
    while answer["number"] < acts and answer["waits_for"]["kind"] != "nobody":
        answer = gone_on(engine, answer, choose)
    return answer


@pytest.mark.parametrize("ruleset", ["piquet-rubicon-hoyle", "three-handed-h2g2"])
def test_whoever_deals_the_cards_of_another_are_not_told(ruleset: str) -> None:
    engine = Engine(the_suite())
    for seed in range(3):
        game = after(engine, ruleset, seed, 130)["game"]
        done = engine.ask({"ask": "play", "game": game, "all": True})["done"]
        told = " ".join(says for each in done if each["says"].endswith("deals.") for says in each["follows"])
        of_others = re.findall(r"[BCD] is dealt ([^.]*)\.", told)
        assert of_others
        assert {each.lstrip("0123456789") for each in of_others} == {" cards"}


# ---- the same game as in the library


@pytest.mark.whole
@settings(max_examples=20, deadline=None)
@given(st.sampled_from(RULESETS), st.integers(0, 2**53 - 1), st.integers(3, 60))
def test_a_game_goes_as_in_the_library(ruleset: str, seed: int, acts: int) -> None:
    engine = Engine(the_suite())
    answer = after(engine, ruleset, seed, acts)
    state = States(the_suite()).read(answer["game"])
    own = Games().game(state)
    game = hoyle.Game(hoyle.rules(ruleset))
    for action in own.actions:
        game.apply_action(str(action))
    assert game.position().to_json() == own.position().to_json()
    assert answer["acts"]["by"] == game.current_player()
    shown = {place["key"]: place["cards"] for place in answer["table"]["places"] if place.get("seat") == "A"}
    hand = {*shown.get("hands", ()), *shown.get("shown", ())}
    assert hand == set(game.position().to_json().get("hands", {}).get("A", ()))
    if answer["waits_for"].get("seat") == "A" and not answer["acts"]["exchange"]:
        legal = {str(each) for each in game.legal_actions() if each.player == "A"}
        assert {str(game.action(each["step"])) for each in answer["acts"]["legal"]} == legal


@pytest.mark.whole
@settings(max_examples=30, deadline=None)
@given(st.sampled_from(RULESETS), st.integers(0, 999), st.integers(3, 70), st.integers(0, 99))
@example("three-handed-h2g2", 861, 29, 7)  # a rule that let an opponent play a card, for want of the suit that was led
@example("piquet-hoyle", 44, 44, 0)  # a rule that let elder announce less than the best point in the hand
def test_nothing_in_an_answer_depends_on_hidden_cards(ruleset: str, seed: int, acts: int, chance: int) -> None:
    """The same acts in a deal that the player cannot tell from this one have the same answers."""
    suite = the_suite()
    state = States(suite).read(after(Engine(suite), ruleset, seed, acts)["game"])
    true, told = Games().game(state), []
    for game in (true, other_deal(true, "A", Random(chance))):
        play, before = PlayRequests(suite), game.clone()
        before.undo()
        done = [each if each in {"cut", "deal"} else str(game.actions[at]) for at, each in enumerate(state.acts)]
        own = replace(state, acts=tuple(done))
        play._games.store(own, game)
        play._games.store(own.until(len(done) - 1), before)
        told.append([])
        for ask in ("play", "explain", *([] if game.is_chance_node() or game.is_terminal() else ["books"])):
            try:
                answer = play.answers[ask]({"game": own.written, "number": len(done)})
            except Wrong as wrong:  # a moment that cannot be set up as a position
                answer = {"error": wrong.says}
            told[-1].append({key: each for key, each in answer.items() if key not in {"game", "link"}})
    assert told[0] == told[1]


@pytest.mark.whole
def test_a_game_is_played_to_its_end(engine: Engine) -> None:
    answer = after(engine, "piquet-hoyle", 3, 10_000)
    assert answer["waits_for"] == {"kind": "nobody"}
    over = answer["over"]
    assert over["says"].startswith("Deal ")
    assert [sum(each["points"][side] for each in over["made"]) for side in (0, 1)] == over["total"]
    played = Games().game(States(engine.suite).read(answer["game"]))
    assert over["scores"][-1] == list(played.scores().values())
    assert "has won it" in answer["table"]["says"]
    again = engine.ask({"ask": "play", "game": answer["game"], "all": True})
    assert [each["number"] for each in again["done"]] == list(range(1, answer["number"] + 1))


def test_why_names_every_rule_that_scored_in_order(engine: Engine) -> None:
    game = after(engine, "piquet-rubicon-hoyle", 7, 10_000, deals=1)["game"]
    last = engine.ask({"ask": "explain", "game": game, "number": len(game["acts"])})
    scored = [each for each in last["follows"] if " scores " in each]
    assert len(scored) > 1
    names = ["last_trick" if "last trick" in each else "capot" if "capot" in each else "cards" for each in scored]
    cells = [each["cell"].split(".")[1] for each in last["rules"] if each["cell"].endswith(".points")]
    assert cells == names


# ---- what an act was


def test_a_refused_act_changes_nothing(engine: Engine) -> None:
    answer = after(engine, "bezique-hoyle", 1, 5)
    while answer["waits_for"].get("seat") != "A":
        answer = gone_on(engine, answer, any_act(Random(1)))
    refused = engine.ask({"ask": "play", "game": answer["game"], "act": {"by": "A", "do": "draw"}})
    assert refused["error"]["says"].startswith("This cannot be done now: ")
    assert engine.ask({"ask": "play", "game": answer["game"]})["acts"] == answer["acts"]


@pytest.mark.whole
def test_what_could_have_been_scored_is_told(engine: Engine) -> None:
    """Whatever is let pass could be done before the act, scored so many points, and cannot be done after it."""
    found = 0
    for seed in range(3):
        answer = engine.ask({"ask": "play", "game": new("bezique-hoyle", seed, deals=1)})
        while answer["waits_for"]["kind"] != "nobody":
            before = answer
            passive = lambda each: min(  # noqa: E731
                (one["step"] for one in each["acts"]["legal"]), key=lambda step: step["do"] not in {"draw", "play"}
            )
            answer = gone_on(engine, answer, passive)
            for missed in answer["let_pass"]:
                found += 1
                scored = engine.ask({"ask": "play", "game": before["game"], "act": missed["step"]})
                assert points(engine, scored) - points(engine, before) == missed["points"] > 0
                assert "error" in engine.ask({"ask": "play", "game": answer["game"], "act": missed["step"]})
    assert found > 1


def points(engine: Engine, answer: Mapping[str, Any]) -> int:
    """The points of the first player."""
    return int(Games().game(States(engine.suite).read(answer["game"])).scores()["A"])


def test_an_act_is_explained_by_its_rules(engine: Engine) -> None:
    answer = after(engine, "piquet-hoyle", 5, 20)
    for number in range(1, answer["number"] + 1):
        told = engine.ask({"ask": "explain", "game": answer["game"], "number": number})
        assert told["number"] == number
        assert told["says"].endswith(".")
        assert all(rule["says"] and rule["place"] for rule in told["rules"])


# ---- kept, and asked of the books


@pytest.mark.parametrize("ruleset", ["rubicon-hoyle", "piquet-saunt-parlett"])
def test_a_link_opens_the_same_game(engine: Engine, ruleset: str) -> None:
    answer = after(engine, ruleset, 11, 30)
    opened = engine.ask({"ask": "open", "link": f"https://example.org/table.html#{answer['link']}"})
    assert opened == {"game": answer["game"]}
    assert Engine(engine.suite).ask({"ask": "play", "game": opened["game"]})["table"]["says"] == answer["table"]["says"]


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", ["rubicon-hoyle", "piquet-hoyle"])
def test_the_books_are_asked_at_any_moment(engine: Engine, ruleset: str) -> None:
    """The position is that of the game, and every book of the form answers it."""
    answer = after(engine, ruleset, 6, 10_000, deals=1)
    state = States(engine.suite).read(answer["game"])
    asked = 0
    for number in range(3, answer["number"] - 1, 4):
        game = Games().game(state.until(number))
        if game.is_chance_node():
            continue
        try:
            layout = layout_for_books(engine.suite, state, game, None)
        except Wrong:  # a moment that cannot be set up as a position
            continue
        table = engine.ask({"ask": "answer", "layout": layout})["table"]
        hands = {place["seat"]: place["cards"] for place in table["places"] if place["key"] == "hands"}
        shown = {place["seat"]: place["cards"] for place in table["places"] if place["key"] == "shown"}
        for seat, hand in game.position().to_json()["hands"].items():
            assert {*hands.get(seat, ()), *shown.get(seat, ())} == set(hand)
        asked += 1
    assert asked > 5


def test_all_cards_are_told_only_after_the_deal(engine: Engine) -> None:
    def told(acts: int) -> list[str]:
        game = after(engine, "bezique-hoyle", 2, acts, deals=1)["game"]
        hands: dict[str, list[str]] = engine.ask({"ask": "books", "game": game})["layout"]["given"]["hands"]
        return hands["B"]

    assert told(30)[-1] == "..."
    assert "..." not in told(10_000)


# ---- opponents


def test_an_opponent_is_asked_with_what_it_knows_alone(engine: Engine) -> None:
    answer = after(engine, "bezique-hoyle", 2, 12)
    while answer["waits_for"]["kind"] != "opponent":
        answer = gone_on(engine, answer, any_act(Random(2)))
    request = engine.ask({"ask": "sees", "game": answer["game"], "seat": "B"})["request"]
    assert "seed" in request
    assert set(request) == {"ask", "rules", "seat", "knows", "seed"}
    hidden = Games().game(States(engine.suite).read(answer["game"])).position().to_json()["stock"]
    assert not set(hidden) & set(json.dumps(request["knows"]).replace('"', " ").replace(",", " ").split())
    other = Engine(engine.suite)
    for level in ("greedy", "search"):
        chosen = other.ask({**request, "level": level})
        assert "error" not in engine.ask({"ask": "play", "game": answer["game"], "act": chosen["act"]})


# ---- whatever is asked

GAME = new("bezique-hoyle")
MISTAKEN: list[Any] = [
    {"ask": "play"},
    {"ask": "play", "game": []},
    {"ask": "play", "game": {**GAME, "v": 2}},
    {"ask": "play", "game": {**GAME, "ruleset": "whist"}},
    {"ask": "play", "game": {**GAME, "ruleset": "house"}},
    {"ask": "play", "game": {**GAME, "readings": {"deal.cut_winner": "sideways"}}},
    {"ask": "play", "game": {**GAME, "house": {"extends": "bezique-hoyle", "rules": {}}}},
    {"ask": "play", "game": {**GAME, "people": ["E"]}},
    {"ask": "play", "game": {**GAME, "seed": -1}},
    {"ask": "play", "game": {**GAME, "acts": ["deal"]}},
    {"ask": "play", "game": {**GAME, "acts": ["cut", "cut"]}},
    {"ask": "play", "game": {**GAME, "acts": ["cut"] * 7_000}},
    {"ask": "play", "game": {**GAME, "more": 1}},
    {"ask": "play", "game": {**GAME, "acts": ["cut"]}, "act": "A play"},
    {"ask": "play", "game": {**GAME, "acts": ["cut"]}, "act": {"by": "A", "do": "claim", "irregularity": "revoke"}},
    {"ask": "sees", "game": GAME, "seat": "A"},
    {"ask": "opponent"},
    {"ask": "opponent", "rules": {"v": 1, "ruleset": "bezique-hoyle"}, "seat": "A", "knows": {}, "level": "god"},
    {"ask": "explain", "game": GAME},
    {"ask": "books", "game": GAME},
    {"ask": "books", "game": None},
    {"ask": "open", "link": "1.q1YqLi0uSS0qVrKqBgA"},
]


@pytest.mark.parametrize("request_", MISTAKEN, ids=range(len(MISTAKEN)))
def test_a_mistaken_request_is_answered_in_words(engine: Engine, request_: Any) -> None:
    answer = engine.ask(request_)
    assert set(answer["error"]) == {"says", "remedy"}
    assert answer["error"]["remedy"]
    assert "failed" not in answer


def test_house_rules_and_readings_are_played(engine: Engine) -> None:
    house = {"extends": "bezique-hoyle", "rules": {"settle.target": 20}}
    answer = after(engine, "house", 1, 10_000, house=house)
    assert answer["waits_for"] == {"kind": "nobody"}
    assert max(Games().game(States(engine.suite).read(answer["game"])).scores().values()) >= 20
    chosen = engine.ask({"ask": "play", "game": new("bezique-hoyle", 1, readings={"deal.cut_winner": "chooses"})})
    assert chosen["table"]["says"].endswith("may choose to deal or to leave the deal to the next player.")


def test_an_act_that_is_no_text_is_shown_in_visible_characters(engine: Engine) -> None:
    answer = engine.ask({"ask": "play", "game": new("piquet-hoyle", acts=["\ud800\u202e"])})
    says = "Act 1 of this game cannot be done: '\\ud800\\u202e' cannot be done now."
    assert answer["error"]["says"] == says
