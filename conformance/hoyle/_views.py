"""What one player sees: of a position, and of a game so far."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from hoyle._notation import canonical
from hoyle_reference.machine import Game as Machine
from hoyle_reference.notation.acts import write_act
from hoyle_reference.observation import observe
from hoyle_reference.table.acts import Act, Choose, Deal, Discard, Irregular, Mishap, by
from hoyle_reference.table.seats import Seat, seat_name
from hoyle_reference.table.table import Table

#: Acts whose cards only the player who does them sees. What others see of them is in the changes after the act.
_FACE_DOWN: Final = (Choose, Discard, Mishap)


@dataclass(frozen=True)
class _View:
    """What the player in a `seat` sees, as JSON: a value that compares and hashes, and prints as one line."""

    seat: str
    _json: str

    def to_json(self) -> Any:
        """Return the view as plain data."""
        return json.loads(self._json)

    def __str__(self) -> str:
        return self._json


@dataclass(frozen=True)
class Observation(_View):
    """A position as one player sees it now: the position of the protocol, in which hidden cards are a number.

    The player's own hand, the cards on the table and all that is announced are there; of another hand, of the stock and
    of the cards won there is the number of cards.
    """

    def __getitem__(self, field: str) -> Any:
        """Return one field, such as ``hands``."""
        return self.to_json()[field]


@dataclass(frozen=True)
class InformationState(_View):
    """All that one player has seen and done in a game: the first observation, then each action as the player saw it,
    with the fields of the observation that changed.

    It has perfect recall, and depends on no card that the player has not seen. The key of an action's changes is
    ``changes``; a field that is gone is null there.
    """


def observation_of(table: Table, seat: Seat) -> Observation:
    """Return the position at a table as the player in a seat sees it."""
    return Observation(seat_name(seat), canonical(_seen(table, seat)))


def information_state_of(start: Table, acts: Iterable[Act], seat: Seat) -> InformationState:
    """Return what the player in a seat has seen and done in the game that these acts make from a table; the table
    itself stays as it is."""
    return InformationState(seat_name(seat), canonical(list(_recalled(Machine(start.copy()), acts, seat))))


def _recalled(machine: Machine, acts: Iterable[Act], seat: Seat) -> Iterator[dict[str, Any]]:
    """Yield the first observation, and then each act with the changes that the player sees."""
    before = _seen(machine.table, seat)
    yield {"observation": before}
    for act in acts:
        machine.apply(act)
        after = _seen(machine.table, seat)
        changed = [field for field in {**before, **after} if field not in before or before[field] != after.get(field)]
        yield {"action": _seen_act(act, seat), "changes": {field: after.get(field) for field in changed}}
        before = after


def _seen(table: Table, seat: Seat) -> dict[str, Any]:
    """Return the fields of the position that are in use, as a player sees them."""
    sees = observe(table, seat)
    return {field.name: sees[field.name] for field in table.fields_in_use}


def _seen_act(act: Act, seat: Seat) -> dict[str, Any]:
    """Return an act as a player sees it: the deck and the cards face down of another player are a number."""
    spelt, plain = write_act(act), act.act if isinstance(act, Irregular) else act
    if isinstance(plain, Deal):
        spelt["deck"] = len(spelt["deck"])
    elif isinstance(plain, _FACE_DOWN) and by(plain) != seat:
        spelt |= {"cards": len(spelt["cards"])} if "cards" in spelt else {}
    return spelt
