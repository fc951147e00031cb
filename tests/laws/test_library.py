"""Laws of the library: whatever is played by whatever rules, these hold."""

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import hoyle
from games import acts, sent
from hoyle._load import shipped_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import observations
from hoyle_reference import Phase, new_game
from hoyle_reference.acts import Declare, Exchange, Hold, Play, Show
from hoyle_reference.cards import read_card
from hoyle_reference.seats import SEATS, Seat
from laws.test_play import Kind, kinds, seeds, tapes
from laws.test_referee import REFEREED, every_claim, irregular_acts

laws = settings(max_examples=10, deadline=None)


def played(kind: Kind, seed: int, tape: bytes, length: int, most_deals: int = 2) -> hoyle.Game:
    """A game after so many actions, and so many deals at most."""
    name, readings = kind
    game = hoyle.Game(hoyle.rules(name, readings=readings))
    for number, act in enumerate(acts(game._machine, seed, tape, most_deals)):
        if number == length:
            break
        game.apply_action(hoyle.Action(act))
    return game


#: Games of which some actions are played.
games = st.builds(played, kinds, seeds, tapes, st.integers(0, 300))


def goes_on(game: hoyle.Game, seed: int = 1) -> hoyle.Action | None:
    """An action that the game may go on with, or None where it is over."""
    if game.is_terminal():
        return None
    return game.sample_chance(Random(seed)) if game.is_chance_node() else game.legal_actions()[-1]


@pytest.mark.slow
@given(game=games)
@laws
def test_a_game_is_the_same_in_json_in_text_copied_and_sent(game: hoyle.Game) -> None:
    others = [
        hoyle.Game.from_json(game.to_json()),
        hoyle.Game.from_json(json.dumps(game.to_json())),
        hoyle.Game.from_json(game.to_json(), game.rules),
        hoyle.Game.from_text(game.to_text()),
        hoyle.Game.from_text(game.to_text(), game.rules),
        game.clone(),
        copy.copy(game),
        copy.deepcopy(game),
        sent(game),
    ]
    assert "\n" not in game.to_text()
    for other in others:
        assert other == game
        assert other.position() == game.position()
        assert (other.rules, hash(other.rules)) == (game.rules, hash(game.rules))
        assert all(other.observation(seat) == game.observation(seat) for seat in game.players)
    action = goes_on(game)
    if action:
        for other in others:
            before = game.position()
            other.apply_action(action)
            assert other != game
            assert game.position() == before


@pytest.mark.slow
@given(game=games)
@laws
def test_a_position_is_the_same_in_json_in_text_and_sent(game: hoyle.Game) -> None:
    position, rules = game.position(), game.rules
    for other in (
        hoyle.Position.from_json(position.to_json(), rules),
        hoyle.Position.from_json(json.dumps(position.to_json()), rules),
        hoyle.Position.from_text(position.to_text(), rules),
        hoyle.Position.from_text(position.to_text()),
        copy.deepcopy(position),
        sent(position),
    ):
        assert other == position
        assert hash(other) == hash(position)
        assert other.to_text() == position.to_text()
    assert "\n" not in position.to_text()


@pytest.mark.slow
@given(kind=kinds, seed=seeds, tape=tapes)
@settings(max_examples=8, deadline=None)
def test_a_finished_game_is_the_same_in_json_in_text_and_sent(kind: Kind, seed: int, tape: bytes) -> None:
    """It may have ended at any point of a deal."""
    game = played(kind, seed, tape, 100_000, most_deals=40)
    assume(game.is_terminal())
    position = game.position()
    for other in (
        hoyle.Position.from_json(position.to_json(), game.rules),
        hoyle.Position.from_text(position.to_text()),
        sent(position),
    ):
        assert other == position
        again = hoyle.Game(game.rules, other)
        assert again.is_terminal()
        assert (again.scores(), again.returns(), again.legal_actions()) == (game.scores(), game.returns(), ())
        assert all(again.observation(seat) == game.observation(seat) for seat in game.players)
    assert sum(game.returns().values()) == 0
    assert hoyle.Game.from_text(game.to_text()) == hoyle.Game.from_json(game.to_json()) == sent(game) == game
    last = game.undo()
    assert not game.is_terminal()
    game.apply_action(last)
    assert game.position() == position


@pytest.mark.slow
@given(game=games)
@laws
def test_a_game_goes_on_from_its_position(game: hoyle.Game) -> None:
    other = hoyle.Game(game.rules, game.position())
    assert other.position() == game.position()
    assert (other.is_terminal(), other.is_chance_node()) == (game.is_terminal(), game.is_chance_node())
    assert (other.current_player(), other.scores(), other.returns()) == (
        game.current_player(),
        game.scores(),
        game.returns(),
    )
    if not game.is_chance_node():
        assert other.legal_actions() == game.legal_actions()
    assert hoyle.Game.from_text(other.to_text()) == other == hoyle.Game.from_json(other.to_json()) == sent(other)
    for _ in range(3):
        if action := goes_on(game):
            game.apply_action(action)
            other.apply_action(action)
    assert other.position() == game.position()
    assert hoyle.Game.from_text(other.to_text()) == other == hoyle.Game.from_json(other.to_json()) == sent(other)


@pytest.mark.slow
@given(game=games)
@laws
def test_undo_takes_back_each_action(game: hoyle.Game) -> None:
    again = hoyle.Game(game.rules)
    positions = [again.position()]
    for action in game.actions:
        again.apply_action(action)
        positions.append(again.position())
    other = game.clone()
    for action in reversed(game.actions):
        assert game.position() == positions.pop()
        assert game.undo() == action
    assert game == hoyle.Game(game.rules)
    assert game.position() == positions.pop()
    assert other == again


@pytest.mark.slow
@given(game=games)
@laws
def test_legal_actions_are_values_that_are_legal(game: hoyle.Game) -> None:
    assume(not game.is_chance_node())
    actions = game.legal_actions()
    assert bool(actions) != game.is_terminal()
    assert len({*actions}) == len({*map(str, actions)}) == len(actions)
    for action in actions[:40]:
        assert game.is_legal(action)
        assert action.player in game.players
        assert game.action(str(action)) == game.action(action.to_json()) == sent(action) == action
        assert hash(game.action(str(action))) == hash(action)
        assert "\n" not in str(action)


@pytest.mark.slow
@given(game=games)
@laws
def test_returns_add_up_to_nothing(game: hoyle.Game) -> None:
    assert sum(game.returns().values()) == 0
    assert game.is_terminal() or not any(game.returns().values())
    assert game.current_player() in {*game.players, None}
    assert (game.current_player() is None) == (game.is_terminal() or game.is_chance_node())


# ---- irregularities


def irregular_game(name: str, seed: int, tape: bytes, *, claims: bool) -> hoyle.Game:
    """A game of one deal in which players do what the rules refuse, and claim what others have done."""
    game = hoyle.Game(hoyle.rules(name))
    for at, act in enumerate(acts(game._machine, seed, tape, most_deals=1)):
        game.apply_action(hoyle.Action(act))
        byte, choosing = tape[at % len(tape)], game._machine.table.phase is Phase.CHOOSE
        wrong = list(irregular_acts(game._machine)) if byte % 5 == 0 and not choosing else []
        if wrong:
            game.apply_action(hoyle.Action(wrong[byte % len(wrong)]))
        made = [hoyle.Action(claim) for claim in every_claim(game._machine)] if claims else []
        if open_ := [claim for claim in made if game.is_legal(claim)]:
            game.apply_action(open_[byte % len(open_)])
    return game


@pytest.mark.slow
@pytest.mark.parametrize("name", REFEREED)
@given(seed=seeds, tape=tapes, claims=st.booleans())
@settings(max_examples=2, deadline=None)
def test_irregular_actions_are_written_copied_and_undone_like_others(
    name: str, seed: int, tape: bytes, claims: bool
) -> None:
    game = irregular_game(name, seed, tape, claims=claims)
    again = hoyle.Game(game.rules)
    positions = [again.position()]
    for action in game.actions:
        assert again.is_legal(action)
        assert again.action(str(action)) == action == again.action(action.to_json()) == sent(action)
        again.apply_action(action)
        positions.append(again.position())
        assert hoyle.Position.from_text(positions[-1].to_text()) == positions[-1]
    assert hoyle.Game.from_text(game.to_text()) == hoyle.Game.from_json(game.to_json()) == sent(game) == game == again
    for action in reversed(game.actions):
        assert game.position() == positions.pop()
        assert game.undo() == action
    assert game.position() == positions.pop()


# ---- what a player sees


@pytest.mark.slow
@given(game=games)
@laws
def test_what_a_player_has_seen_adds_up_to_what_is_seen_now(game: hoyle.Game) -> None:
    for seat in game.players:
        first, *steps = game.information_state(seat).to_json()
        sees = dict(first["observation"])
        for step in steps:
            sees |= step["changes"]
        now = game.observation(seat).to_json()
        assert {key: each for key, each in sees.items() if key in now} == now
        assert all(each is None for key, each in sees.items() if key not in now)
        assert len(steps) == len(game.actions)


@pytest.mark.slow
@given(game=games, asks=st.randoms(use_true_random=False))
@laws
def test_what_a_player_has_seen_is_the_same_whenever_it_is_asked_for(game: hoyle.Game, asks: Random) -> None:
    other = hoyle.Game(game.rules)
    for action in game.actions:
        other.apply_action(action)
        if asks.random() < 0.2:
            other.information_state(asks.choice(game.players))
        if asks.random() < 0.1:
            clone = other.clone()
            other.undo()
            other = asks.choice([clone, other])
            if len(other.actions) < len(clone.actions):
                other.apply_action(action)
    assert other == game
    for seat in game.players:
        assert other.information_state(seat) == game.information_state(seat) == sent(game).information_state(seat)


def hidden_from(seat: str, game: hoyle.Game) -> tuple[int, list[str]]:
    """The number of the last deal among the actions, and its cards that a player has never seen: those that were never
    in the own hand, in a trick, shown, turned up, or named aloud. This is said of the table and the acts, not of what
    the library shows."""
    deal = max((at for at, each in enumerate(game.actions) if each.kind == "deal"), default=-1)
    machine, own, seen = new_game(game.rules._compiled), Seat(SEATS.index(seat)), set[int]()
    for number, action in enumerate(game.actions):
        machine.apply(action._act)
        if number < deal:
            continue
        if isinstance(action._act, Play | Declare | Hold | Exchange | Show):
            seen |= {read_card(card) for card in action.cards}
        table = machine.table
        seen.update(table.hands[own], table.trick, table.seen[own], table.discards[own], table.referee.heap)
        seen.update(*table.shown, {table.turn_up} - {None})
    return deal, [card for card in (game.actions[deal].cards if deal >= 0 else ()) if read_card(card) not in seen]


def exchanged(action: hoyle.Action, one: str, other: str) -> Any:
    """An action in which one card stands for another."""
    places = {one: other, other: one}
    spelt = action.to_json()
    for key in {"cards", "deck"} & spelt.keys():
        spelt[key] = [places.get(card, card) for card in spelt[key]]
    return spelt | ({"card": places.get(spelt["card"], spelt["card"])} if "card" in spelt else {})


def other_deal(game: hoyle.Game, seat: str, chosen: Random, exchanges: int = 20) -> hoyle.Game:
    """A game in which cards that a player has not seen in the deal have changed places, two at a time; exchanges after
    which another player could not have acted so are left out."""
    for _ in range(exchanges):
        deal, hidden = hidden_from(seat, game)
        if len(hidden) < 2:
            break
        one, other = chosen.sample(hidden, 2)
        another = hoyle.Game(game.rules)
        with suppress(hoyle.IllegalActionError):
            for number, action in enumerate(game.actions):
                another.apply_action(action if number < deal else another.action(exchanged(action, one, other)))
            game = another
    return game


@pytest.mark.slow
@given(kind=kinds, seed=seeds, tape=tapes, length=st.integers(2, 90), chosen=st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_nothing_that_a_player_has_seen_depends_on_cards_that_the_player_has_not(
    kind: Kind, seed: int, tape: bytes, length: int, chosen: Random
) -> None:
    """Two cards that a player has not seen in a deal change places in it, and the player does not notice."""
    game = played(kind, seed, tape, length)
    seat = chosen.choice(game.players)
    another = other_deal(game, seat, chosen, exchanges=1)
    assume(another != game)
    assert another.information_state(seat) == game.information_state(seat)
    assert another.observation(seat) == game.observation(seat)


# ---- other processes


@pytest.mark.slow
def test_everything_crosses_a_process() -> None:
    """A process that starts anew, with another hash seed, and that has read nothing."""
    games = [played((name, {}), 3, b"a process", 40) for name in hoyle.rulesets()]
    with get_context("spawn").Pool(1) as pool:
        positions = pool.map(hoyle.Game.position, games)
        states = pool.starmap(hoyle.Game.information_state, [(game, "B") for game in games])
        again = pool.map(copy.deepcopy, games)
    assert positions == [game.position() for game in games]
    assert [hash(position) for position in positions] == [hash(game.position()) for game in games]
    assert states == [game.information_state("B") for game in games]
    assert again == games


# ---- hostile input

plain = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(["A", "KS", "QS#2", "QS#9", "over", "cut", "deal", "play", "revoke", "bezique-hoyle"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["by", "do", "card", "cards", "A", "phase", "irregular"]), inner, max_size=4),
    ),
    max_leaves=8,
)


def spoiled(data: Any, value: Any, chosen: Random) -> Any:
    """Plain data in which one value is another, or is missing."""
    if not isinstance(data, (dict, list)) or not data or chosen.random() < 0.1:
        return value
    at = chosen.choice([*data]) if isinstance(data, dict) else chosen.randrange(len(data))
    other: Any = copy.copy(data)
    if chosen.random() < 0.2:
        del other[at]
    else:
        other[at] = spoiled(other[at], value, chosen)
    return other


def cut_up(text: str, chosen: Random) -> str:
    """A text with some characters that are others, doubled or missing."""
    letters = list(text)
    for _ in range(chosen.randrange(1, 4)):
        at = chosen.randrange(len(letters))
        letters[at] = chosen.choice(["", letters[at] * 2, *' {}[]:;,"KS#-0\\\n'])
    return "".join(letters)


@pytest.mark.slow
@given(game=games, value=plain, chosen=st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_hostile_input_is_an_error_of_the_library_or_is_read_alike(
    game: hoyle.Game, value: Any, chosen: Random
) -> None:
    rules, action = game.rules, goes_on(game)
    reads: list[Callable[[], Any]] = [
        lambda: hoyle.Game.from_json(spoiled(game.to_json(), value, chosen)),
        lambda: hoyle.Game.from_text(cut_up(game.to_text(), chosen)),
        lambda: hoyle.Position.from_json(spoiled(game.position().to_json(), value, chosen), rules),
        lambda: hoyle.Position.from_text(cut_up(game.position().to_text(), chosen), rules),
    ]
    if action:
        reads += [
            lambda: game.action(spoiled(action.to_json(), value, chosen)),
            lambda: game.action(cut_up(str(action), chosen)),
            lambda: game.action(value),
        ]
    for made in filter(None, map(or_error, reads)):
        if isinstance(made, hoyle.Action):
            assert game.action(str(made)) == made == game.action(made.to_json())
            or_error(lambda act=made: game.clone().apply_action(act))
        else:
            again = [made.to_text()] if isinstance(made, hoyle.Game) else [made.to_text(), rules]
            assert type(made).from_text(*again) == made


def or_error(read: Callable[[], Any]) -> Any:
    """The value that is read, or None where the library has raised an error of its own, which explains itself."""
    try:
        return read()
    except hoyle.HoyleError as error:
        said, code = str(error), error.code
    assert said
    assert code
    return None


@pytest.mark.whole
@given(text=st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_is_an_error_of_the_library(text: str) -> None:
    rules = hoyle.rules("piquet-hoyle")
    for read in (
        lambda: hoyle.Game.from_text(text),
        lambda: hoyle.Game.from_json(text),
        lambda: hoyle.Game(rules).action(text),
        lambda: hoyle.Position.from_text(text, rules),
        lambda: hoyle.Position.from_json(text, rules),
    ):
        with pytest.raises(hoyle.HoyleError):
            read()


# ---- questions


def asked(game: hoyle.Game, step: dict[str, Any]) -> Any:
    """The answer of the library as plain data, by the method of a question. A is elder in it: where B calls first, the
    seats change."""
    word, given = step["ask"], {"class_" if key == "class" else key: each for key, each in step.items() if key != "ask"}
    seats = {"A": "A", "B": "B"}
    if word in {"class-winner", "reckoning"}:
        seats = {"A": given["by"], "B": "B" if given.pop("by") == "A" else "A"}
        of_each = given.pop("hands", None) or given.pop("calls")
        given |= {"elder": of_each[seats["A"]], "younger": of_each[seats["B"]]}
        given |= {"blanks": [seats[seat] for seat in given["blanks"]]} if "blanks" in given else {}
    if word == "settlement":
        given["scores"] = given.pop("score")
    answer = getattr(game, word.replace("-", "_"))(**given)
    value = plain_value(answer.value)
    if word in {"class-winner", "reckoning"} and value is not None:
        value = seats[value] if isinstance(value, str) else {seats[seat]: points for seat, points in value.items()}
    return value["points"] if word == "worth" and "meld" in step and value else value


def plain_value(value: Any) -> Any:
    """A value of an answer as plain data."""
    if hasattr(value, "_asdict"):
        return {key: plain_value(each) for key, each in value._asdict().items()}
    return [plain_value(each) for each in value] if isinstance(value, tuple) else value


@pytest.mark.whole
def test_the_library_answers_what_the_reference_answers_in_every_check() -> None:
    """The questions of the suite, by their methods and as data."""
    suite, questions = shipped_suite(), 0
    for check in suite.index.checks.values():
        if not any("ask" in step for step in check.scenario.steps):
            continue
        message = planner_of(suite).request(check).message
        rules = hoyle.rules(check.ruleset)
        game = hoyle.Game(rules, hoyle.Position.from_json(message["position"], rules))
        for step, observed in zip(message["steps"], observations(suite.rules.of(check.ruleset), message), strict=True):
            if "ask" in step:
                questions += 1
                assert asked(game, step) == observed["answer"] == game.ask(step).value, (check.id, step)
            elif observed["accepted"]:
                game.apply_action(step)
    assert questions > 5_000
