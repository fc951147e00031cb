"""The views of one player: of a position, and of a game so far."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from hoyle._notation import canonical
from hoyle_reference import Game as Machine
from hoyle_reference import Table, write_act
from hoyle_reference.acts import Act, Choose, Deal, Discard, Irregular, Mishap, by
from hoyle_reference.questions import observe
from hoyle_reference.seats import Seat

#: Acts whose cards only their player sees. Others see the effects in the changes after the act.
_FACE_DOWN: Final = (Choose, Discard, Mishap)


@dataclass(frozen=True)
class _View:
    """The view of the player in a `seat`, as JSON: a value that compares and hashes, and prints as one line."""

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

    It has perfect recall, and depends on no card that the player has not seen; but an irregular action is shown as
    one. A step has the ``action`` and its ``changes``, in which a field that is gone is null.
    """


def recalled(table: Table, acts: Iterable[Act], seat: Seat) -> Iterator[str]:
    """Yield the JSON of each act as a player sees it, with the changes after it; the table changes along."""
    machine, before = Machine(table), seen_fields(table, seat)
    for act in acts:
        machine.apply(act)
        after = seen_fields(table, seat)
        changed = [field for field in {**before, **after} if field not in before or before[field] != after.get(field)]
        changes = {field: after.get(field) for field in changed}
        yield canonical({"action": seen_act(act, seat), "changes": changes})
        before = after


def seen_fields(table: Table, seat: Seat) -> dict[str, Any]:
    """Return the fields of the position in use, as a player sees them."""
    sees = observe(table, seat)
    return {field.name: sees[field.name] for field in table.fields_in_use}


def seen_act(act: Act, seat: Seat) -> dict[str, Any]:
    """Return an act as a player sees it: the deck, and another player's face-down cards, are a number."""
    spelt, plain = write_act(act), act.act if isinstance(act, Irregular) else act
    if isinstance(plain, Deal):
        spelt["deck"] = len(spelt["deck"])
    elif isinstance(plain, _FACE_DOWN) and by(plain) != seat:
        spelt |= {"cards": len(spelt["cards"])} if "cards" in spelt else {}
    return spelt
