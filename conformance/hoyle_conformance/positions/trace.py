"""Tracing: a check taken through the reference interpreter, with everything that happened and why."""

from collections.abc import Callable, Mapping, Sequence
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
from hoyle_reference.table.refusals import Grounds
from hoyle_reference.table.seats import seat_name, seat_or_none
from hoyle_reference.table.table import FIELDS, PLACES


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
    outcome = game.attempt(read_act(game.rules, step))
    refusal, events = (outcome, []) if isinstance(outcome, Refusal) else (None, outcome)
    observation: dict[str, Any] = {"accepted": refusal is None}
    if refusal:
        observation["reason"] = refusal.code
    position = write_position(game.table)
    seen = _After(game.table, events, position)
    observation |= {key: _observed(seen, key) for key in observe}
    grounds = refusal.grounds if refusal else tuple(path for event in events for path in event.grounds)
    return Traced(step, observation, tuple(events), refusal, grounds, position)


@dataclass(frozen=True, slots=True)
class _After:
    """What can be observed after an act: the table, what happened, and the whole position as it is written."""

    table: Table
    events: Sequence[Event]
    position: Mapping[str, Any]


def _observed(after: _After, key: str) -> Any:
    """One thing that can be observed: mostly a field of the position, as it is written."""
    if key in _BESIDE_THE_FIELDS:
        return _BESIDE_THE_FIELDS[key](after)
    return _FIELDS[key].kind.write(after.table.rules, getattr(after.table, key))


def _trick_won_by(events: Sequence[Event]) -> str | None:
    return next((seat_name(event.seat) for event in events if isinstance(event, TrickWon)), None)


def _lying(whole: Mapping[str, Any]) -> dict[str, Any] | None:
    """Where every card lies, once there has been a deal."""
    return {each.name: whole[each.name] for each in PLACES if each.name in whole} if "hands" in whole else None


def _settled(table: Table) -> dict[str, Any] | None:
    if table.phase is not Phase.OVER:
        return None
    return {"winner": seat_or_none(table.game_won_by), "points": table.settled}


_FIELDS: Final = MappingProxyType({field.name: field for field in FIELDS})
#: What can be observed and is no field, or no field as it is written.
_BESIDE_THE_FIELDS: Final[Mapping[str, Callable[[_After], Any]]] = MappingProxyType(
    {
        "trick_won_by": lambda after: _trick_won_by(after.events),
        "stock_left": lambda after: len(after.table.stock),
        "settled": lambda after: _settled(after.table),
        "options": lambda after: list(after.table.options),
        "position": lambda after: _lying(after.position),
    }
)
