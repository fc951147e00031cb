"""Positions: the place of every card, the turn and the score, as a value with one line of text."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from hoyle._errors import NotationError
from hoyle._notation import Reader, canonical, read_json, write_key, write_value
from hoyle._rules import Rules
from hoyle_reference import CHANCE, Malformed, Table, read_position, write_position
from hoyle_reference.seats import SEATS
from hoyle_reference.table import FIELDS

#: The names of the fields that belong to one deal.
_OF_THE_DEAL: Final = frozenset(field.name for field in FIELDS if field.of == "deal")
_NAME: Final = re.compile(r"[a-z0-9+-]+")
_NAMES: Final = "Write 'ruleset' as a text, 'options' as a list, and 'readings' as a mapping."
_HOW: Final = "spec/schemas/position.schema.json describes the fields of a position."


@dataclass(frozen=True)
class Position:
    """A position of a game, with every card: a value that compares and hashes.

    `Game.position` returns one, and `Game(rules, position)` plays on from one. `rules` are the rules of its game. A
    position has no history: claims of earlier irregularities cannot put cards back that only the history knows.
    """

    rules: Rules
    #: The mapping of the protocol, as JSON.
    _json: str

    def to_json(self) -> dict[str, Any]:
        """Return the position as the protocol spells it."""
        return dict(json.loads(self._json))

    @classmethod
    def from_json(cls, data: object, rules: Rules) -> "Position":
        """Return the position that a mapping of the protocol, or its JSON text, spells; raises NotationError if it is
        no position of a game with these rules."""
        return position_of(rules, table_from(rules, read_json(data, "the position")))

    def to_text(self) -> str:
        """Return the position in the text notation: the rules, then each field as ``key:value``."""
        fields = (f"{write_key(key)}:{write_value(each)}" for key, each in self.to_json().items())
        return " ".join([str(self.rules), *fields])

    @classmethod
    def from_text(cls, text: str, rules: Rules | None = None) -> "Position":
        """Return the position that a line of the text notation spells.

        Without `rules`, those of this installation are taken by name; positions with house rules need them. Raises
        NotationError, and UnknownNameError if there are no such rules.
        """
        reader = Reader(text)
        rules = read_rules(reader, rules)
        fields = read_fields(reader)
        if not reader.is_done:
            reader.fail("the position ends here")
        return position_of(rules, table_from(rules, fields)) if fields else position_of(rules, rules._table_asked)

    def __str__(self) -> str:
        """Return a board: the score and hand of each player, and below them what else lies on the table."""
        fields = self.to_json()
        acts = "" if fields["phase"] in {*CHANCE, "over"} else f", {fields['turn']} to act"
        lines = [f"{self.rules}: {fields['phase']}{acts}"]
        for seat, side in zip(self.rules.players, self.rules._compiled.side_of, strict=True):
            dealer = "dealer" if seat == fields["dealer"] else ""
            hand = " ".join(fields.get("hands", {}).get(seat, ()))
            lines.append(f"{seat} {dealer:<6} {fields['score'][SEATS[side]]:>5}  {hand}".rstrip())
        below = {key: _on_board(key, fields[key]) for key in _BOARD if fields.get(key)}
        return "\n".join([*lines, *(f"{key:<11} {shown}" for key, shown in below.items() if shown)])

    def __repr__(self) -> str:
        return self.rules._written(self)


#: The fields on a board below the hands.
_BOARD: Final = ("trick", "trumps", "turn_up", "shown", "scored", "stock", "won", "game_won_by", "settled")


def _on_board(key: str, value: Any) -> str:
    """Return the value of a field in words and cards."""
    if isinstance(value, dict) and "meld" in value:
        return f"{value['meld']} {' '.join(value['cards'])}"
    if isinstance(value, dict):
        return "; ".join(f"{name} {_on_board(key, each)}" for name, each in value.items() if each)
    if not isinstance(value, list):
        return str(value)
    if key in {"stock", "won"}:
        return f"{len(value)} cards"
    return (", " if key == "scored" else " ").join(_on_board(key, each) for each in value)


def position_of(rules: Rules, table: Table) -> Position:
    """Return the position of a table; between deals without the cards of the last deal, which have been gathered."""
    gathered = _OF_THE_DEAL if table.phase in CHANCE else frozenset[str]()
    return Position(rules, canonical({key: each for key, each in write_position(table).items() if key not in gathered}))


def table_from(rules: Rules, spelt: Any) -> Table:
    """Return the table that plain data describes; raise NotationError."""
    if not isinstance(spelt, dict):
        raise NotationError("bad-position", "a position is a mapping", rules.name, _HOW)
    try:
        return read_position(rules._compiled, spelt, finished=spelt.get("phase") == "over")
    except Malformed as malformed:
        raise NotationError("bad-position", str(malformed), rules.name, _HOW) from malformed


def read_rules(reader: Reader, rules: Rules | None) -> Rules:
    """Read the name of rules at the beginning of a line, and return the rules: those of this installation, or the given
    ones, which must have that name."""
    if rules is None:
        ruleset, *options = reader.match(_NAME, "the name of a ruleset")[0].split("+")
        return named_rules(ruleset, options, reader.value() if reader.comes("{") else {})
    if not reader.take(str(rules)):
        reader.fail(f"this does not begin with the rules, '{rules}'")
    return rules


def named_rules(ruleset: Any, options: Any, readings: Any, rules: Rules | None = None) -> Rules:
    """Return the rules of this installation with these names, or the given ones, which must have them; raise
    NotationError or UnknownNameError."""
    if not (isinstance(ruleset, str) and isinstance(options, list) and isinstance(readings, dict)):
        raise NotationError("bad-game", "these are no names of rules", "the game", _NAMES)
    if rules is None:
        from hoyle import _load  # a game with given rules needs no suite

        return _load.rules(ruleset, options=options, readings=readings)
    if ("+".join(map(str, (ruleset, *options))), tuple(sorted(readings.items()))) != (rules.name, rules.readings):
        raise NotationError("other-rules", "the game has other rules", str(rules), "Give the rules of the game.")
    return rules


def read_fields(reader: Reader) -> dict[str, Any]:
    """Read the fields of a position, up to the last."""

    def pairs() -> Any:
        while reader.take(" "):
            yield reader.key(), reader.value()

    return reader.once(pairs())
