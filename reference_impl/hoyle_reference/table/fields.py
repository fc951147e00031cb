"""The kinds of values in a position, an act or an answer, each described once; and the fields of a position.

A kind defines how to write, read, relabel (seats and suits), copy and compare its values, and their JSON Schema.
Positions (`table`), acts and questions (`notation.acts`) are described in terms of these kinds.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from ..cards import BY_NAME, SUITS, Card, Suit, name, names, read_card, read_suit
from ..frozen import frozen
from ..refusals import Malformed
from ..seats import SEATS, Seat, Setting, seat_name

Schema = Mapping[str, Any]


@frozen
class Turn:
    """A relabelling: the new seat of each seat, the new side of each side, and the new suit of each suit."""

    seats: tuple[Seat, ...]
    sides: tuple[Seat, ...]
    suits: tuple[Suit, ...]

    def card(self, card: Card) -> Card:
        """Return the relabelled card."""
        return Card(card & ~24 | self.suits[card >> 3 & 3] << 3)


def _as_it_is(thing: Any) -> Any:
    return thing


@frozen
class Kind:
    """One kind of value.

    `read` takes the written value and its key, and raises Malformed; `write` is its inverse. `turn` returns the
    relabelled value, `copy` an independent one, `same` a key for comparison, and `empty` the value of an absent thing.
    """

    schema: Schema
    read: Callable[[Setting, str, Any], Any]
    write: Callable[[Setting, Any], Any]
    turn: Callable[[Turn, Any], Any]
    empty: Callable[[Setting], Any] = lambda _setting: None
    copy: Callable[[Any], Any] = _as_it_is
    same: Callable[[Any], Any] = _as_it_is


def ref(name: str) -> Schema:
    """Return a reference to the schema of something that many files use."""
    return {"$ref": f"common.schema.json#/$defs/{name}"}


def _unchanged(_by: Setting | Turn, thing: Any) -> Any:
    return thing


def of_type(type_: type, what: str, schema: Schema, empty: Any) -> Kind:
    """Return the kind of numbers, words and similar values, which are written unchanged."""

    def read(_setting: Setting, key: str, value: Any) -> Any:
        if isinstance(value, bool) != (type_ is bool) or not isinstance(value, type_):  # True would pass for 1
            raise missing_or(key, value, what)
        return value

    return Kind(schema, read, _unchanged, _unchanged, lambda _setting: empty)


def missing_or(key: str, value: Any, what: str) -> Malformed:
    """Return the error for a value that is missing, or is not `what` it should be."""
    message = f"'{key}' is missing" if value is None else f"'{key}' must be {what}, not {value!r}"
    return Malformed(message)


def row(key: str, value: Any) -> Sequence[Any]:
    """Return a written list; raise Malformed for anything else."""
    if not isinstance(value, (list, tuple)):
        raise missing_or(key, value, "a list")
    return value


def mapping(key: str, value: Any) -> Mapping[str, Any]:
    """Return a written mapping; raise Malformed for anything else."""
    if not isinstance(value, (dict, Mapping)):  # testing for a dict is faster than for other mappings
        raise missing_or(key, value, "a mapping")
    return value


_BY_LETTER: Final = MappingProxyType({letter: Seat(seat) for seat, letter in enumerate(SEATS)})


def seat_of(setting: Setting, text: Any) -> Seat:
    """Return the seat that a letter names; raise Malformed if nobody sits there."""
    seat = _BY_LETTER.get(text) if isinstance(text, str) else None
    if seat is None or seat >= setting.players:
        raise Malformed(f"no player {text!r} in a game of {setting.players}")
    return seat


def card_of(setting: Setting, text: Any) -> Card:
    """Return the card that `text` names; raise Malformed if the pack has none of that name."""
    card = read_card(text, setting.packs) if isinstance(text, str) else None
    if card is None:
        raise Malformed(f"no card {text!r} in {setting.packs} piquet pack{'' if setting.packs == 1 else 's'}")
    return card


def cards_of(setting: Setting, texts: Any) -> tuple[Card, ...]:
    """Return the cards that a list of `texts` names, in order; raise Malformed as `card_of` does."""
    if isinstance(texts, str) or not isinstance(texts, (list, tuple, Sequence)):
        raise Malformed(f"cards are a list, not {texts!r}")
    return _named_in(setting, texts)


def _named_in(setting: Setting, texts: Sequence[Any]) -> tuple[Card, ...]:
    try:
        return tuple(map(BY_NAME[setting.packs].__getitem__, texts))
    except (KeyError, TypeError, IndexError):
        return tuple(card_of(setting, text) for text in texts)  # which explains the error


def suit_of_letter(letter: Any) -> Suit:
    """Return the suit that a letter names; raise Malformed for any other."""
    if letter not in tuple(SUITS):
        raise Malformed(f"no suit {letter!r}")
    return read_suit(letter)


def cards(make: Callable[[Iterable[Card]], Any], order: Callable[[Any], Iterable[Card]]) -> Kind:
    """Return the kind of several cards, from the type of their row and the order in which they are written."""

    def read(setting: Setting, key: str, value: Any) -> Any:
        return make(_named_in(setting, row(key, value)))

    return Kind(
        {"type": "array", "items": ref("card")},
        read,
        lambda _setting, pile: names(order(pile)),
        lambda turn, pile: make(map(turn.card, pile)),
        lambda _setting: make(()),
        make,
        lambda pile: list(order(pile)),
    )


def reversed_list(pile: Iterable[Card]) -> list[Card]:
    """Return a pile in reverse order."""
    return list(pile)[::-1]


def maybe(kind: Kind) -> Kind:
    """Return the kind of an optional value of a kind."""
    return Kind(
        {"anyOf": [{"type": "null"}, kind.schema]},
        lambda setting, key, value: None if value is None else kind.read(setting, key, value),
        lambda setting, thing: None if thing is None else kind.write(setting, thing),
        lambda turn, thing: None if thing is None else kind.turn(turn, thing),
        copy=_as_it_is if kind.copy is _as_it_is else lambda thing: None if thing is None else kind.copy(thing),
        same=_as_it_is if kind.same is _as_it_is else lambda thing: None if thing is None else kind.same(thing),
    )


def row_of(kind: Kind, make: Callable[[Iterable[Any]], Any] = list) -> Kind:
    """Return the kind of a sequence of values of a kind."""
    return Kind(
        {"type": "array", "items": kind.schema},
        lambda setting, key, value: make(kind.read(setting, key, each) for each in row(key, value)),
        lambda setting, things: [kind.write(setting, each) for each in things],
        lambda turn, things: make(kind.turn(turn, each) for each in things),
        lambda _setting: make(()),
        make,
        lambda things: [kind.same(each) for each in things],
    )


def by_letter(schema: Schema) -> Schema:
    """Return the schema of an object with the letters of the seats as keys."""
    return {"type": "object", "propertyNames": ref("seat"), "additionalProperties": schema}


def object_of(properties: Schema) -> Schema:
    """Return the schema of an object with these properties, all required."""
    return {"type": "object", "additionalProperties": False, "required": [*properties], "properties": properties}


def some_seats(kind: Kind) -> Kind:
    """Return the kind of one value for some players and none for the others."""
    of_each = each_seat(maybe(kind))

    def write(setting: Setting, things: Sequence[Any]) -> dict[str, Any]:
        return {letter: each for letter, each in of_each.write(setting, things).items() if each is not None}

    return replace(of_each, schema=by_letter(kind.schema), write=write)


def each_seat(kind: Kind) -> Kind:
    """Return the kind of one value for every player."""
    return _each(kind, lambda setting: setting.letters, lambda turn: turn.seats)


def each_side(kind: Kind) -> Kind:
    """Return the kind of one value for every side: each player, or two partners under the letter of the first."""
    return _each(kind, lambda setting: setting.side_letters, lambda turn: turn.sides)


def _each(kind: Kind, letters: Callable[[Setting], str], seats: Callable[[Turn], Sequence[Seat]]) -> Kind:
    """Return the kind of one value for each of these letters, which stand for these seats."""

    def read(setting: Setting, key: str, value: Any) -> list[Any]:
        given = mapping(key, value)
        return [
            kind.empty(setting) if given.get(letter) is None else kind.read(setting, letter, given[letter])
            for letter in letters(setting)
        ]

    def write(setting: Setting, things: Sequence[Any]) -> dict[str, Any]:
        written = things if kind.write is _unchanged else [kind.write(setting, each) for each in things]
        return dict(zip(letters(setting), written, strict=True))

    return Kind(
        by_letter(kind.schema),
        read,
        write,
        lambda turn, things: [kind.turn(turn, each) for each in in_their_seats(seats(turn), things)],
        lambda setting: [kind.empty(setting) for _ in letters(setting)],
        list if kind.copy is _as_it_is else lambda things: [kind.copy(each) for each in things],
        list if kind.same is _as_it_is else lambda things: [kind.same(each) for each in things],
    )


def in_their_seats(seats: Sequence[Seat], things: Sequence[Any]) -> list[Any]:
    """Return values in the order of the relabelled seats, from values in the order of the seats."""
    return [thing for _, thing in sorted(zip(seats, things, strict=True), key=lambda pair: pair[0])]


def _read_seat(setting: Setting, key: str, value: Any) -> Seat:
    if value is None:
        raise missing_or(key, value, "a player")
    return seat_of(setting, value)


NUMBER: Final = of_type(int, "a whole number", {"type": "integer", "minimum": 0}, 0)
#: A number that may be negative.
INTEGER: Final = of_type(int, "a whole number", {"type": "integer"}, 0)
#: A number of points.
POINTS: Final = of_type(int, "a whole number", ref("points"), 0)
WORD: Final = of_type(str, "text", ref("word"), "")
TEXT: Final = of_type(str, "text", {"type": "string"}, "")
YES_OR_NO: Final = of_type(bool, "true or false", {"type": "boolean"}, empty=False)
SEAT: Final = Kind(
    ref("seat"),
    _read_seat,
    lambda _setting, seat: seat_name(seat),
    lambda turn, seat: turn.seats[seat],
)
#: A side, by its first seat.
SIDE: Final = replace(SEAT, turn=lambda turn, side: turn.sides[side])
SUIT: Final = Kind(
    ref("suit"),
    lambda _setting, _key, value: suit_of_letter(value),
    lambda _setting, suit: SUITS[suit],
    lambda turn, suit: turn.suits[suit],
)
CARD: Final = Kind(
    ref("card"),
    lambda setting, _key, value: card_of(setting, value),
    lambda _setting, card: name(card),
    lambda turn, card: turn.card(card),
)
#: Cards in their order; cards in no order; a set of cards; a pile with its top card first.
PILE: Final = cards(list, list)
HAND: Final = cards(list, sorted)
SET: Final = cards(set, sorted)
TOP_FIRST: Final = replace(
    cards(list, reversed_list),
    read=lambda setting, key, value: reversed_list(PILE.read(setting, key, value)),
    same=_as_it_is,
)


# The fields of a position


class Seen(StrEnum):
    """Who sees the content of a field: everybody; everybody only the number of cards; the owner, and others the number
    of cards; or only the owner."""

    BY_ALL = "by all"
    AS_A_COUNT = "as a count"
    BY_OWNER = "by the owner"
    BY_OWNER_ALONE = "by the owner alone"


class Of(StrEnum):
    """The scope of a field: the game, the deal in play, or the end of the game."""

    GAME = "game"
    DEAL = "deal"
    END = "end"


@frozen
class Field:
    """One field of a position, and its meaning in words.

    Every game has the field (`everywhere`), or only games with a chapter that needs it (`Chapter.fields`). Cards may
    lie in it (`place`), or lie elsewhere and be `in_sight`. A position may have to give it (`needed`), or may omit it
    when empty (`left_out`).
    """

    name: str
    #: The attribute of the table that holds the state with this field; empty if the table itself has the field.
    part: str
    kind: Kind
    says: str
    of: Of = Of.DEAL
    #: The first value, if it is not the empty value of the kind.
    new: Callable[[Setting], Any] | None = None
    everywhere: bool = True
    place: bool = False
    in_sight: bool = False
    needed: bool = False
    left_out: bool = False
    seen: Seen = Seen.BY_ALL

    def get(self, table: object) -> Any:
        """Return the value of the field at a table."""
        return getattr(getattr(table, self.part) if self.part else table, self.name)

    def put(self, table: object, value: Any) -> None:
        """Set the value of the field at a table."""
        setattr(getattr(table, self.part) if self.part else table, self.name, value)


def described(kind: Kind, says: str, **about: object) -> Any:
    """Declare a field of the table, with its description (see `Field`)."""
    return field(init=False, metadata={"kind": kind, "says": says, **about})


def fields_of(state: type[Any], part: str = "") -> tuple[Field, ...]:
    """Return the fields that a class describes, in order; `part` is the attribute of the table that holds its value."""
    return tuple(Field(name=each.name, part=part, **each.metadata) for each in fields(state) if each.metadata)
