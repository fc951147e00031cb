"""Tracing: a check taken through the reference interpreter, with everything that happened and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from hoyle_reference import (
    Game,
    Phase,
    Refusal,
    Rules,
    Table,
    read_act,
    read_position,
    read_question,
    write_answer,
    write_position,
)
from hoyle_reference.events.event import Event
from hoyle_reference.events.tricks import TrickWon
from hoyle_reference.table.cards import SUITS, Card, name, names
from hoyle_reference.table.refusals import Grounds
from hoyle_reference.table.seats import SEATS, seat_name, seat_or_none


@dataclass(frozen=True, slots=True)
class Traced:
    """One single step: what it was, what the reference observes after it, what happened, and the cells behind it."""

    step: Mapping[str, Any]
    observation: Mapping[str, Any]
    events: tuple[Event, ...]
    refusal: Refusal | None
    grounds: Grounds
    position: Mapping[str, Any]


def trace(rules: Rules, message: Mapping[str, Any]) -> list[Traced]:
    """Set up the position of a `run` message and take its steps; raises Malformed where it makes no sense."""
    game = Game(read_position(rules, message["position"]))
    return [_take(game, step, message["observe"]) for step in message["steps"]]


def _take(game: Game, step: Mapping[str, Any], observe: Sequence[str]) -> Traced:
    if "ask" in step:
        question = read_question(game.rules, step)
        answer = game.ask(question)
        return Traced(
            step, {"answer": write_answer(question, answer)}, (), None, answer.grounds, write_position(game.table)
        )
    act = read_act(game.rules, step)
    refusal = game.check(act)
    events = () if refusal else tuple(game.apply(act))
    observation: dict[str, Any] = {"accepted": refusal is None}
    if refusal:
        observation["reason"] = refusal.code
    position = write_position(game.table)
    seen = _After(game.table, events, position)
    observation |= {key: _OBSERVABLES[key](seen) for key in observe}
    grounds = refusal.grounds if refusal else tuple(path for event in events for path in event.grounds)
    return Traced(step, observation, events, refusal, grounds, position)


@dataclass(frozen=True, slots=True)
class _After:
    """What can be observed after an act: the table, what happened, and the whole position as it is written."""

    table: Table
    events: Sequence[Event]
    position: Mapping[str, Any]


def _trick_won_by(events: Sequence[Event]) -> str | None:
    return next((seat_name(event.seat) for event in events if isinstance(event, TrickWon)), None)


def _hands(hands: Iterable[Iterable[Card]]) -> dict[str, list[str]]:
    return {SEATS[seat]: names(sorted(cards)) for seat, cards in enumerate(hands)}


def _lying(whole: Mapping[str, Any]) -> dict[str, Any] | None:
    places = ("hands", "stock", "turn_up", "trick", "won", "discards")
    return {key: whole[key] for key in places if key in whole} if "hands" in whole else None


def _settled(table: Table) -> dict[str, Any] | None:
    if table.phase is not Phase.OVER:
        return None
    return {"winner": seat_or_none(table.game_won_by), "points": table.settled}


_OBSERVABLES: Final[Mapping[str, Callable[[_After], Any]]] = MappingProxyType(
    {
        "score": lambda after: dict(zip(SEATS, after.table.score, strict=False)),
        "trick_won_by": lambda after: _trick_won_by(after.events),
        "turn": lambda after: seat_name(after.table.turn),
        "dealer": lambda after: seat_or_none(after.table.dealer),
        "trumps": lambda after: None if after.table.trumps is None else SUITS[after.table.trumps],
        "turn_up": lambda after: None if after.table.turn_up is None else name(after.table.turn_up),
        "hands": lambda after: _hands(after.table.hands),
        "shown": lambda after: _hands(after.table.shown),
        "stock_left": lambda after: len(after.table.stock),
        "seen": lambda after: _hands(after.table.seen),
        "deals_left": lambda after: after.table.deals_left,
        "settled": lambda after: _settled(after.table),
        "game_won_by": lambda after: seat_or_none(after.table.game_won_by),
        "position": lambda after: _lying(after.position),
    }
)
