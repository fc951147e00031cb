"""Turned positions: who sits where, and which suit is which, makes no difference to what the rules say."""

from itertools import cycle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import acts, tables
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Phase, Rules, new_game, read_act, read_position, read_question
from hoyle_reference.acts import (
    ClassWinner,
    Cut,
    Declarable,
    Exchangeable,
    Partie,
    Playable,
    Question,
    Reckoning,
    Ruling,
    Settlement,
    TrickPoints,
    Visible,
    Winner,
)
from hoyle_reference.cards import SUITS, Suit
from hoyle_reference.notation.acts import turn_act
from hoyle_reference.seats import Seat
from hoyle_reference.table.fields import Turn

NAMES = [table["id"] for table in tables()]
#: Two tables in which together everything is there to be turned; one in so many of their checks takes every branch.
ENOUGH = ("piquet-saunt-parlett", "rubicon-hoyle")
EVERY = 5
AS_THEY_ARE = tuple(map(Suit, range(len(SUITS))))
SWAPPED = (Suit(2), Suit(0), Suit(3), Suit(1))


def turns(rules: Rules) -> list[Turn]:
    """Everybody so many seats further on; in games that name no suit, the suits in another order too."""
    found = []
    for by in range(rules.players):
        seats = tuple(Seat((seat + by) % rules.players) for seat in range(rules.players))
        sides = tuple(rules.side_of[seats[side[0]]] for side in rules.sides)
        found += [Turn(seats, sides, suits) for suits in (AS_THEY_ARE, *(() if rules.draws else (SWAPPED,)))]
    return found[1:]


def turned_answer(turn: Turn, question: Question, value: Any) -> Any:  # noqa: PLR0911 -- one for each kind of answer
    match question:
        case Winner() | ClassWinner() | Partie():
            return None if value is None else turn.seats[value]
        case Settlement():
            return None if value[0] is None else turn.sides[value[0]], value[1]
        case Reckoning() | TrickPoints():
            return tuple(points for _, points in sorted(zip(turn.seats, value, strict=True)))
        case Playable() | Visible() | Exchangeable():
            return tuple(sorted(map(turn.card, value)))
        case Ruling() if value is not None:
            both, chooser, options, until = value
            return both, None if chooser is None else turn.seats[chooser], options, until
        case Declarable():
            return {turn_act(turn, act) for act in value}
    return value


@pytest.mark.parametrize(
    ("name", "every"),
    [
        *(pytest.param(name, 12, marks=pytest.mark.slow) for name in NAMES),
        *(pytest.param(name, EVERY, marks=pytest.mark.interpreter) for name in ENOUGH),
    ],
)
def test_a_turned_check_has_the_turned_outcome(suite: Suite, name: str, every: int) -> None:
    """Step by step: the same refusals, the turned answers, and the turned position after each act."""
    checks = [
        check for check in suite.index.checks.values() if check.ruleset == name
    ]  # under options they are the same
    in_turn = cycle(turns(suite.rules.of(name)))
    assert sum(turned(suite, check, next(in_turn)) for check in checks[::every]) > 10


def turned(suite: Suite, check: Check, turn: Turn) -> int:
    """How many steps of a check have the turned outcome; any other outcome is an error."""
    compared, rules, message = 0, suite.rules.of(check.ruleset), planner_of(suite).request(check).message
    if any(step.get("do") == "cut" for step in message["steps"]):
        return 0
    table = read_position(rules, message["position"])
    one, other = Game(table.copy()), Game(table.turned(turn))
    for step in message["steps"]:
        compared += 1
        if "ask" in step:
            question = read_question(rules, step)
            answers = one.ask(question), other.ask(turn_act(turn, question))
            wanted, got = turned_answer(turn, question, answers[0].value), answers[1].value
            assert wanted == (set(got) if isinstance(question, Declarable) else got), check.id
            continue
        act = read_act(rules, step)
        refusal, refused = one.check(act), other.check(turn_act(turn, act))
        assert (refusal and refusal.code) == (refused and refused.code), check.id
        if refusal is None:
            one.apply(act)
            other.apply(turn_act(turn, act))
        assert one.table.turned(turn).is_like(other.table), check.id
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ENOUGH, "four-handed-h2g2"])
def test_every_field_is_turned_in_every_turn(suite: Suite, name: str) -> None:
    """Step by step, as above, in the first check in which a field of the position is not as it is at first."""
    rules = suite.rules.of(name)
    showing: dict[str, Check] = {}
    for check in (check for check in suite.index.checks.values() if check.ruleset == name):
        table = read_position(rules, planner_of(suite).request(check).message["position"])
        for field in rules.fields:
            if field.get(table) != rules.first[field.name]:
                showing.setdefault(field.name, check)
    assert len(showing) > 10
    checks = {check.id: check for check in showing.values()}
    assert all(sum(turned(suite, check, turn) for check in checks.values()) for turn in turns(rules))


@pytest.mark.slow
@given(name=st.sampled_from(NAMES), seed=st.integers(0, 2**32), tape=st.binary(min_size=1, max_size=80))
@settings(max_examples=10, deadline=None)
def test_a_turned_game_has_the_turned_course(suite: Suite, name: str, seed: int, tape: bytes) -> None:
    rules = suite.rules.of(name)
    for turn in turns(rules)[-1:]:
        one, other = new_game(rules), new_game(rules)
        for act in acts(one, seed, tape, most_deals=2):
            one.apply(act)
            if isinstance(act, Cut):  # a card for each seat, in the order of the seats
                in_order = sorted(zip(turn.seats, map(turn.card, act.cards), strict=True))
                other.apply(Cut(tuple(card for _, card in in_order)))
            else:
                other.apply(turn_act(turn, act))
            if one.table.phase is not Phase.CUT:  # while the players cut, it is nobody's turn in particular
                back = other.table.turned(Turn(*map(inverse, (turn.seats, turn.sides, turn.suits))))
                assert back.is_like(one.table)


def inverse(order: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(order.index(type(order[0])(each)) for each in range(len(order)))
