"""Play a check through the reference interpreter, recording every event and its cells; and answer standalone
questions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.files.schemas import Schemas
from hoyle_reference import (
    CHANCE,
    Game,
    Malformed,
    Phase,
    Refusal,
    Rules,
    Table,
    read_act,
    read_position,
    read_question,
    write_answer,
    write_places,
    write_position,
)
from hoyle_reference.events import Event, TrickWon
from hoyle_reference.refusals import Grounds
from hoyle_reference.seats import seat_name, seat_or_none
from hoyle_reference.table import FIELDS


@dataclass(frozen=True, slots=True)
class Traced:
    """A single step, the reference's observation after it, its events or refusal, the cells behind them, and the
    position."""

    step: Mapping[str, Any]
    observation: Mapping[str, Any]
    events: tuple[Event, ...]
    refusal: Refusal | None
    grounds: Grounds
    position: Mapping[str, Any]


class TracedAct(NamedTuple):
    """The result of a single step: its observation, and its events or refusal; for a question, also the grounds of its
    answer."""

    observation: Mapping[str, Any]
    events: Sequence[Event] = ()
    refusal: Refusal | None = None
    answered: Grounds = ()

    @property
    def grounds(self) -> Grounds:
        """The cells behind the step."""
        if self.refusal:
            return self.refusal.grounds
        return self.answered + tuple(path for event in self.events for path in event.grounds)


def trace(rules: Rules, message: Mapping[str, Any]) -> list[Traced]:
    """Set up the position of a `run` message and play its steps; raises Malformed if the message makes no sense."""
    game, traced = _start(rules, message), []
    for step in message["steps"]:
        came = take(game, step, message["observe"])
        now = write_position(game.table)
        traced.append(Traced(step, came.observation, tuple(came.events), came.refusal, came.grounds, now))
    return traced


def trace_acts(rules: Rules, message: Mapping[str, Any], observe: Sequence[str] = ()) -> list[TracedAct]:
    """Return the events of each step, observing only these keys; raises Malformed as `trace` does."""
    game = _start(rules, message)
    return [take(game, step, observe) for step in message["steps"]]


def observation_before(rules: Rules, message: Mapping[str, Any], observe: Sequence[str]) -> Mapping[str, Any]:
    """Return the observations under these keys before the first step; raises Malformed as `trace` does."""
    table = _start(rules, message).table
    return {key: observation_of(table, (), key) for key in observe}


def positions(rules: Rules, message: Mapping[str, Any], ends: Sequence[int]) -> list[Mapping[str, Any]]:
    """Return the whole position before all steps, and after each of these numbers of single steps; raises Malformed as
    `trace` does."""
    game = _start(rules, message)
    found: list[Mapping[str, Any]] = [write_position(game.table)]
    wanted = set(ends)
    for number, step in enumerate(message["steps"], start=1):
        take(game, step, ())
        if number in wanted:
            found.append(write_position(game.table))
    return found


def observations(rules: Rules, message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return only the observations; raises Malformed as `trace` does."""
    game = _start(rules, message)
    return [take(game, step, message["observe"]).observation for step in message["steps"]]


def _start(rules: Rules, message: Mapping[str, Any]) -> Game:
    """Return the game of a message, after the acts of its prelude if it has one."""
    game = Game(read_position(rules, message["position"]))
    for act in message.get("prelude", ()):
        game.apply(read_act(rules, act))
    return game


def observe_what_is_known(rules: Rules, message: Mapping[str, Any], ends: Sequence[int]) -> Iterator[Mapping[str, Any]]:
    """Yield the observations of the steps at these indexes, under rules that may lack what a step names. An act that
    they lack is refused, and a question that they lack observes nothing.

    Raises Malformed if the position makes no sense.
    """
    game, wanted = _start(rules, message), frozenset(ends)
    for at, step in enumerate(message["steps"]):
        try:
            seen = take(game, step, message["observe"] if at in wanted else ()).observation
        except Malformed:
            seen = {} if "ask" in step else {"accepted": False}
        if at in wanted:
            yield seen


def take(game: Game, step: Mapping[str, Any], observe: Sequence[str]) -> TracedAct:
    """Play one single step of a game; raises Malformed if the step makes no sense."""
    if "ask" in step:
        question = read_question(game.rules, step)
        answer = game.ask(question)
        return TracedAct({"answer": write_answer(question, answer)}, answered=answer.grounds)
    outcome = game.attempt(read_act(game.rules, step))
    refusal, events = (outcome, []) if isinstance(outcome, Refusal) else (None, outcome)
    observation: dict[str, Any] = {"accepted": refusal is None}
    if refusal:
        observation["reason"] = refusal.code
    observation |= {key: observation_of(game.table, events, key) for key in observe}
    return TracedAct(observation, events, refusal)


def observation_of(table: Table, events: Sequence[Event], key: str) -> Any:
    """Return one observation after these events: usually a field of the position, as the protocol writes it."""
    if key in _BESIDE_THE_FIELDS:
        return _BESIDE_THE_FIELDS[key](table, events)
    return _FIELDS[key].kind.write(table.rules, _FIELDS[key].get(table))


def _trick_won_by(_table: Table, events: Sequence[Event]) -> str | None:
    return next((seat_name(event.seat) for event in events if isinstance(event, TrickWon)), None)


def legal_acts(table: Table) -> int | None:
    """Return the number of legal acts for the player whose turn it is; None if chance decides, or the game is over."""
    if table.phase in CHANCE or table.phase is Phase.OVER:
        return None
    return Game(table).legal_actions.open_to(table.turn)


def _settled(table: Table, _events: Sequence[Event]) -> dict[str, Any] | None:
    if table.phase is not Phase.OVER:
        return None
    return {"winner": seat_or_none(table.game_won_by), "points": table.settled}


_FIELDS: Final = MappingProxyType({field.name: field for field in FIELDS})
#: The observables that are not fields, or not in the form of a field: places of cards, only once there has been a deal.
_BESIDE_THE_FIELDS: Final[Mapping[str, Callable[[Table, Sequence[Event]], Any]]] = MappingProxyType(
    {
        "trick_won_by": _trick_won_by,
        "stock_left": lambda table, _events: len(table.stock) + len(table.referee.undrawn),
        "settled": _settled,
        "choices": lambda table, _events: list(table.choices),
        "legal_acts": lambda table, _events: legal_acts(table),
        "position": lambda table, _events: write_places(table) or None,
    }
)


# ---- standalone questions


Step = Mapping[str, Any]
Position = Mapping[str, Any]

#: The keys that a question has only in games in which cards are drawn.
_OF_DRAWING: Final = frozenset({"trumps", "drawing"})

#: The question whose answer depends only on the hand, if the question leaves the hand to the position.
_OF_ANY_HAND: Final = "playable"


class StandaloneKeys:
    """The questions that can be answered without a position, and the keys that the schema requires for it."""

    def __init__(self, schemas: Schemas) -> None:
        asks = schemas.documents["common"]["$defs"]["ask"]
        self._tells: Mapping[str, frozenset[str]] = MappingProxyType(
            {name: frozenset(ask["alone"]) for name, ask in asks.items() if "alone" in ask}
        )
        forms = (asks[name].get(kind, {}).values() for name in self._tells for kind in ("words", "words_without"))
        #: The words for questions that can stand alone.
        self.words: frozenset[str] = frozenset(self._tells).union(*forms)

    def can_stand_alone(self, rules: Rules, step: Step) -> bool:
        """Return whether a step is a question that can be answered without a position."""
        return step.get("ask") in self._tells and self._missing(rules, step) == frozenset()

    def complete(self, rules: Rules, step: Step, position: Position) -> Step | None:
        """Return the same question with the keys that it left to the position; None if it cannot stand alone, or asks
        about something that cannot be done in the position."""
        if step.get("ask") not in self._tells:
            return None
        missing = self._missing(rules, step)
        if "hand" in missing and not (step["ask"] == _OF_ANY_HAND and _plays(step["by"], position)):
            return None
        return {**step, **{key: _TOLD[key](step, position) for key in sorted(missing)}}

    def complete_if_alone(self, rules: Rules, step: Step, position: Position) -> Step | None:
        """Return the question completed as by `complete`; unchanged if it is not one that can stand alone."""
        return self.complete(rules, step, position) if step.get("ask") in self._tells else step

    def _missing(self, rules: Rules, step: Step) -> frozenset[str]:
        """Return the keys that the question leaves to the position."""
        tells = self._tells[step["ask"]]
        return tells.difference(step) - (frozenset() if rules.draws else _OF_DRAWING)


def _plays(seat: str, position: Position) -> bool:
    """Return whether it is this player's turn to play a card."""
    return bool(position["phase"] == Phase.PLAY and position["turn"] == seat)


_TOLD: Final[Mapping[str, Callable[[Step, Position], Any]]] = MappingProxyType(
    {
        "hand": lambda step, position: position["hands"][step["by"]],
        "led": lambda _step, position: position["trick"],
        "trumps": lambda _step, position: position.get("trumps"),
        "drawing": lambda _step, position: bool(position.get("stock")) or position.get("turn_up") is not None,
    }
)


def answer_standalone(fresh_game: Game, step: Step) -> Any:
    """Return the reference's answer to a standalone question, in a game before its first act; raises Malformed if the
    question makes no sense."""
    question = read_question(fresh_game.rules, step)
    return write_answer(question, fresh_game.ask(question))
