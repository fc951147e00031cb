"""Tracing: a check taken through the reference interpreter, with everything that happened and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hoyle_reference import Game, Rules, Violation, read_act, read_position, read_question, write_answer, write_position
from hoyle_reference.cards import SUITS, name, names
from hoyle_reference.events import Event, TrickWon
from hoyle_reference.refusals import Grounds
from hoyle_reference.seats import SEATS, seat_name
from hoyle_reference.table import Table


@dataclass(frozen=True, slots=True)
class Traced:
    """One single step: what it was, what the reference observes after it, what happened, and the cells behind it."""

    step: Mapping[str, Any]
    observation: Mapping[str, Any]
    events: tuple[Event, ...]
    violation: Violation | None
    grounds: Grounds
    position: Mapping[str, Any]


def trace(rules: Rules, body: Mapping[str, Any]) -> list[Traced]:
    """Set up the position of a `run` message and take its steps; raises Malformed where it makes no sense."""
    game = Game(read_position(rules, body["position"]))
    return [_take(game, step, body["observe"]) for step in body["steps"]]


def _take(game: Game, step: Mapping[str, Any], observe: Sequence[str]) -> Traced:
    if "ask" in step:
        question = read_question(game.rules, step)
        answer = game.ask(question)
        return Traced(
            step, {"answer": write_answer(question, answer)}, (), None, answer.grounds, write_position(game.table)
        )
    act = read_act(game.rules, step)
    violation = game.check(act)
    events = () if violation else tuple(game.apply(act))
    observation: dict[str, Any] = {"accepted": violation is None}
    if violation:
        observation["reason"] = violation.code
    observation |= {key: observed(game.table, key, events) for key in observe}
    grounds = violation.grounds if violation else tuple(path for event in events for path in event.grounds)
    return Traced(step, observation, events, violation, grounds, write_position(game.table))


def observed(table: Table, key: str, events: Sequence[Event]) -> Any:
    """One observable of a table, after these events, as the protocol spells it."""
    match key:
        case "score":
            return dict(zip(SEATS, table.score, strict=False))
        case "trick_won_by":
            return next((seat_name(event.seat) for event in events if isinstance(event, TrickWon)), None)
        case "turn":
            return seat_name(table.turn)
        case "dealer":
            return None if table.dealer is None else seat_name(table.dealer)
        case "trumps":
            return None if table.trumps is None else SUITS[table.trumps]
        case "turn_up":
            return None if table.turn_up is None else name(table.turn_up)
        case "hands":
            return {SEATS[seat]: names(sorted(hand)) for seat, hand in enumerate(table.hands)}
        case "shown":
            return {SEATS[seat]: names(sorted(cards)) for seat, cards in enumerate(table.shown)}
        case "stock_left":
            return len(table.stock)
        case "game_won_by":
            return None if table.game_won_by is None else seat_name(table.game_won_by)
        case "position":
            return _lying(table)
        case _:
            raise KeyError(key)


def _lying(table: Table) -> dict[str, Any] | None:
    whole = write_position(table)
    return {key: whole[key] for key in ("hands", "stock", "turn_up", "trick", "won")} if "hands" in whole else None
