"""Phases, and the states of combinations, blanks, calls, errors and claims, each with its kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ..cards import Card, Suit, names
from ..frozen import frozen
from ..refusals import Malformed
from ..seats import Seat, Setting
from .fields import (
    NUMBER,
    POINTS,
    SEAT,
    TEXT,
    WORD,
    YES_OR_NO,
    Kind,
    Schema,
    Turn,
    by_letter,
    cards,
    cards_of,
    mapping,
    maybe,
    object_of,
    ref,
    row,
    row_of,
)


class Phase(StrEnum):
    """The act that the table is waiting for."""

    CUT = "cut"
    CHOOSE = "choose"
    DEAL = "deal"
    EXCHANGE = "exchange"
    ANNOUNCE = "announce"
    PLAY = "play"
    DECLARE = "declare"
    DRAW = "draw"
    OVER = "over"


class BlankState(StrEnum):
    """The state of a player's blank hand (carte blanche) in this deal."""

    UNSPOKEN = "unspoken"
    ANNOUNCED = "announced"
    SCORED = "scored"
    #: It has scored, and the card drawn since then leaves it intact.
    DRAWN = "drawn"
    #: A card has been drawn that it may not hold.
    OVER = "over"


class Cause(StrEnum):
    """The causes of a player's points in a deal, in the order of reckoning."""

    BLANK = "blank"
    POINT = "point"
    SEQUENCE = "sequence"
    SET = "set"
    TRICKS = "tricks"
    BONUS = "bonus"
    #: Points that count towards no bonus.
    BESIDE = "beside"


@frozen
class Combination:
    """A combination that a player has scored or keeps to score, with its very cards."""

    meld: str
    cards: tuple[Card, ...]


@frozen
class Called:
    """The progress of the calling: the seat that has each class decided so far (none if both are equal), with its
    announcement; and, for the class being called, the announcement and whether more has been asked.

    An announcement is a number of cards and, once given, the value that distinguishes equal ones: a value (pips), a top
    card or a rank.
    """

    decided: tuple[Seat | None, ...] = ()
    announced: tuple[tuple[int, str], ...] = ()
    count: int = 0
    height: str = ""
    asked: bool = False


@frozen
class Error:
    """An irregularity that a player has caused and that may still be claimed: the numbers of tricks won and of cards
    left to draw at that time, and its cards; for a declaration also their name."""

    seat: Seat
    irregularity: str
    tricks: int
    left: int
    cards: tuple[Card, ...] = ()
    meld: str = ""


@frozen
class Claim:
    """A claim in progress: the error, the phase and player that the table waited for, whether one of two players who
    must agree has agreed, and the claimant, if that matters. A position does not hold the claimant, because nothing is
    chosen then."""

    error: Error
    phase: Phase
    turn: Seat
    agreed: bool = False
    claimant: Seat | None = None


@frozen
class BeforeTheLead:
    """The earlier state of the values that a lead changes besides the hand and the trick: whether the card lay on the
    table, the combinations that each side kept to score, and the trumps."""

    was_shown: bool
    kept: tuple[tuple[Combination, ...], ...]
    trumps: Suit | None


def _read_combination(setting: Setting, _key: str, value: Any) -> Combination:
    if not isinstance(value, Mapping):
        raise Malformed(f"a combination has a 'meld' and its 'cards', unlike {value!r}")
    meld = TEXT.read(setting, "meld", value.get("meld"))
    if meld not in setting.combinations:
        raise Malformed(f"no combination '{meld}' in this game")
    return Combination(meld, tuple(sorted(cards_of(setting, row("cards", value.get("cards"))))))


COMBINATION: Final = Kind(
    ref("combination"),
    _read_combination,
    lambda _setting, each: {"meld": each.meld, "cards": names(each.cards)},
    lambda turn, each: Combination(each.meld, tuple(sorted(map(turn.card, each.cards)))),
)


def _read_scored(setting: Setting, key: str, value: Any) -> list[list[Combination]]:
    """Return the combinations of every player; those of partners are together under the first of them."""
    rows: list[list[Combination]] = [[] for _ in range(setting.players)]
    given = mapping(key, value)
    for seat, letter in enumerate(setting.letters):
        each = row(letter, given.get(letter, ()))
        rows[setting.side_of[seat]] += [_read_combination(setting, letter, one) for one in each]
    return rows


def _turn_scored(turn: Turn, rows: Sequence[Sequence[Combination]]) -> list[list[Combination]]:
    turned: list[list[Combination]] = [[] for _ in rows]
    for side, each in zip(turn.sides, rows, strict=False):
        turned[side] = [COMBINATION.turn(turn, one) for one in each]
    return turned


#: The combinations that each side has scored, or keeps, under its first seat.
SCORED: Final = Kind(
    by_letter({"type": "array", "items": ref("combination")}),
    _read_scored,
    lambda setting, rows: {
        letter: [COMBINATION.write(setting, one) for one in each]
        for letter, each in zip(setting.letters, rows, strict=True)
    },
    _turn_scored,
    lambda setting: [[] for _ in range(setting.players)],
    lambda rows: [list(each) for each in rows],
)


def _word_among(known: Iterable[StrEnum], what: str, schema: Schema | None = None) -> Kind:
    """Return the kind of one of these words; the first of them is the initial value."""
    by_word = {str(each): each for each in known}

    def read(_setting: Setting, _key: str, value: Any) -> StrEnum:
        if value not in tuple(by_word):
            raise Malformed(f"{what} {', '.join(by_word)}, not {value!r}")
        return by_word[value]

    first, schema = next(iter(by_word.values())), schema or {"enum": [*by_word]}
    return Kind(schema, read, lambda _setting, each: str(each), lambda _turn, each: each, lambda _setting: first)


PHASE: Final = _word_among([phase for phase in Phase if phase is not Phase.OVER], "'phase' is one of", ref("phase"))
BLANK: Final = _word_among(BlankState, "a blank is")

#: The description of each cause of points.
_CAUSES: Final = MappingProxyType(
    {
        str(Cause.BLANK): "By the blank.",
        str(Cause.POINT): "By the point.",
        str(Cause.SEQUENCE): "By sequences.",
        str(Cause.SET): "By sets.",
        str(Cause.TRICKS): "By leading, by winning tricks, and by the last trick.",
        str(Cause.BONUS): "By a repique or pique, by the cards (most of the tricks) or capot.",
        str(Cause.BESIDE): "By scores that do not count towards a pique or repique: a carte rouge, a penalty.",
    }
)


def _read_made_of(setting: Setting, key: str, value: Any) -> dict[str, int]:
    given, made = mapping(key, value), dict.fromkeys(_CAUSES, 0)
    for cause in given:
        if cause not in made:
            raise Malformed(f"points are made by {', '.join(made)}, not by {cause!r}")
        made[cause] = POINTS.read(setting, cause, given[cause])
    return made


#: A player's points by each cause.
MADE_OF: Final = Kind(
    object_of({cause: {**POINTS.schema, "description": says} for cause, says in _CAUSES.items()}),
    _read_made_of,
    lambda _setting, made: dict(made),
    lambda _turn, made: dict(made),
    lambda _setting: dict.fromkeys(_CAUSES, 0),
    dict,
)


class _Part(NamedTuple):
    """One part of a state: its attribute, its kind and its description; its key, if different, and its schema there."""

    name: str
    kind: Kind
    says: str
    key: str = ""
    schema: Schema | None = None


def _state(make: Callable[..., Any], *parts: _Part, whole: bool = False) -> Kind:
    """Return the kind of a state with these parts; if a state may be given in part, missing parts are empty."""
    keyed = {part.key or part.name: part for part in parts}

    def read(setting: Setting, key: str, value: Any) -> Any:
        given = mapping(key, value)
        return make(
            **{
                part.name: part.kind.read(setting, at, given.get(at))
                if whole or given.get(at) is not None
                else part.kind.empty(setting)
                for at, part in keyed.items()
            }
        )

    return Kind(
        object_of({at: {**(part.schema or part.kind.schema), "description": part.says} for at, part in keyed.items()}),
        read,
        lambda setting, state: {at: part.kind.write(setting, getattr(state, part.name)) for at, part in keyed.items()},
        lambda turn, state: replace(
            state, **{part.name: part.kind.turn(turn, getattr(state, part.name)) for part in parts}
        ),
        lambda _setting: make(),
    )


_UP_TO_TWELVE: Final = {"type": "integer", "minimum": 0, "maximum": 12}
_CLASSES: Final = 3


def _read_call(setting: Setting, _key: str, value: Any) -> tuple[int, str]:
    if not isinstance(value, Mapping):
        raise Malformed(f"what was announced has a 'count' and a 'height', unlike {value!r}")
    return NUMBER.read(setting, "count", value.get("count")), TEXT.read(setting, "height", value.get("height"))


_CALL: Final = Kind(
    object_of(
        {
            "count": {**_UP_TO_TWELVE, "description": "The number of cards."},
            "height": {
                "type": "string",
                "description": "The tie-breaker between equal numbers of cards: a value, a top card or a rank.",
            },
        }
    ),
    _read_call,
    lambda _setting, call: {"count": call[0], "height": call[1]},
    lambda _turn, call: call,
)
CALLED: Final = _state(
    Called,
    _Part(
        "decided",
        row_of(maybe(SEAT), tuple),
        "The player whose combinations are good in each decided class, in order (point, sequence, set); null: nobody.",
        schema={"type": "array", "maxItems": _CLASSES, "items": maybe(SEAT).schema},
    ),
    _Part(
        "announced",
        row_of(_CALL, tuple),
        "The announcements in these classes.",
        schema={"type": "array", "maxItems": _CLASSES, "items": _CALL.schema},
    ),
    _Part("count", NUMBER, "How many cards have been announced in the class being called.", schema=_UP_TO_TWELVE),
    _Part(
        "height",
        TEXT,
        'The value ("49"), top card or rank ("K") announced in the class, as text; empty until it is announced.',
    ),
    _Part("asked", YES_OR_NO, "Whether the height has been asked for."),
)
ERROR: Final = _state(
    Error,
    _Part("seat", SEAT, "Who has committed the irregularity.", "by"),
    _Part("irregularity", WORD, "The irregularity."),
    _Part("tricks", NUMBER, "How many tricks had been won by then."),
    _Part("left", NUMBER, "How many cards were left to draw."),
    _Part("cards", cards(tuple, list), "The cards concerned."),
    _Part("meld", TEXT, "The combination they were declared as; empty if they were not declared."),
    whole=True,
)
_CLAIM: Final = _state(
    Claim,
    _Part("error", ERROR, "The irregularity."),
    _Part("phase", PHASE, "The phase before the claim."),
    _Part("turn", SEAT, "The player whose turn it was before the claim."),
    _Part("agreed", YES_OR_NO, "Whether one of those who must agree has done so."),
    whole=True,
)
CLAIM: Final = replace(
    _CLAIM,
    turn=lambda turn, claim: replace(
        _CLAIM.turn(turn, claim), claimant=None if claim.claimant is None else turn.seats[claim.claimant]
    ),
)
