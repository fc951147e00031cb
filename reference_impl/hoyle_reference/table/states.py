"""Phases, and the states of combinations, blanks, calls, errors and claims; each with its kind."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from ..cards import Card, Suit, names
from ..frozen import frozen
from ..refusals import Malformed
from ..seats import Seat, Setting
from .field_kinds import (
    NUMBER,
    PILE,
    POINTS,
    SEAT,
    TEXT,
    WORD,
    YES_OR_NO,
    Kind,
    Turn,
    by_letter,
    cards_of,
    mapping,
    maybe,
    ref,
    row,
    row_of,
)


class Phase(StrEnum):
    """What the table is waiting for."""

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
    """What has become of a player's blank hand (carte blanche) in this deal."""

    UNSPOKEN = "unspoken"
    ANNOUNCED = "announced"
    SCORED = "scored"
    #: It has scored, and the card drawn since leaves it as it was.
    DRAWN = "drawn"
    #: A card has been drawn that it may not hold.
    OVER = "over"


class Cause(StrEnum):
    """By what a player has made points in a deal, in the order in which they are reckoned."""

    BLANK = "blank"
    POINT = "point"
    SEQUENCE = "sequence"
    SET = "set"
    TRICKS = "tricks"
    BONUS = "bonus"
    #: What is not reckoned towards any bonus.
    BESIDE = "beside"


@frozen
class Combination:
    """A combination a player has scored or keeps to score, with its very cards."""

    meld: str
    cards: tuple[Card, ...]


@frozen
class Called:
    """How far the calling has come: which seat has each class decided so far (none where both are equal) and what had
    been announced of it; and, of the class being called, what is announced and whether more has been asked.

    What is announced is a number of cards and what tells equal ones apart, once it is told: a value (pips), a top card
    or a rank.
    """

    decided: tuple[Seat | None, ...] = ()
    announced: tuple[tuple[int, str], ...] = ()
    count: int = 0
    height: str = ""
    asked: bool = False


@frozen
class Error:
    """Something irregular that a player has done and that may still be claimed: how many tricks had been won by then,
    how many cards were left to draw, and the cards it is about; of a declaration also what they were called."""

    seat: Seat
    irregularity: str
    tricks: int
    left: int
    cards: tuple[Card, ...] = ()
    meld: str = ""


@frozen
class Claim:
    """A claim that is being dealt with: the error, what the table waited for and for whom, whether one of two players
    who must agree has agreed, and who claims, where that matters; a position does not hold the last, since nothing is
    chosen then."""

    error: Error
    phase: Phase
    turn: Seat
    agreed: bool = False
    claimant: Seat | None = None


@frozen
class BeforeTheLead:
    """What a lead changes besides the hand and the trick, as it was before: whether the card lay on the table, what
    each side kept to score, and the trumps."""

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
    """Return the combinations of every player; those of partners together under the first of them."""
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


def _word_among(known: Iterable[StrEnum], what: str, make: type[StrEnum]) -> Kind:
    words = [str(each) for each in known]

    def read(_setting: Setting, _key: str, value: Any) -> StrEnum:
        if value not in words:
            raise Malformed(f"{what} {', '.join(words)}, not {value!r}")
        return make(value)

    return Kind({"enum": words}, read, lambda _setting, each: str(each), lambda _turn, each: each)


PHASE: Final = Kind(
    ref("phase"),
    _word_among([phase for phase in Phase if phase is not Phase.OVER], "'phase' is one of", Phase).read,
    lambda _setting, phase: str(phase),
    lambda _turn, phase: phase,
)
_BLANK: Final = _word_among(BlankState, "a blank is", BlankState)
BLANK: Final = Kind(_BLANK.schema, _BLANK.read, _BLANK.write, _BLANK.turn, lambda _setting: BlankState.UNSPOKEN)

#: What each cause of points is, in words.
_CAUSES: Final = (
    (Cause.BLANK, "By the blank."),
    (Cause.POINT, "By the point."),
    (Cause.SEQUENCE, "By sequences."),
    (Cause.SET, "By sets."),
    (Cause.TRICKS, "By leading, by winning tricks, and by the last trick."),
    (Cause.BONUS, "By a repique or pique, by the cards (most of the tricks) or capot."),
    (Cause.BESIDE, "By scores that do not count towards a pique or repique: a carte rouge, a penalty."),
)


def _read_made_of(setting: Setting, key: str, value: Any) -> dict[str, int]:
    given, made = mapping(key, value), _nothing_made(setting)
    for cause in given:
        if cause not in made:
            raise Malformed(f"points are made by {', '.join(made)}, not by {cause!r}")
        made[cause] = POINTS.read(setting, cause, given[cause])
    return made


def _nothing_made(_setting: Setting) -> dict[str, int]:
    return {str(cause): 0 for cause, _ in _CAUSES}


#: How many points one player has made by each cause.
MADE_OF: Final = Kind(
    {
        "type": "object",
        "additionalProperties": False,
        "required": [str(cause) for cause, _ in _CAUSES],
        "properties": {str(cause): {**POINTS.schema, "description": says} for cause, says in _CAUSES},
    },
    _read_made_of,
    lambda _setting, made: dict(made),
    lambda _turn, made: dict(made),
    _nothing_made,
    dict,
)

_UP_TO_TWELVE: Final = {"type": "integer", "minimum": 0, "maximum": 12}
_CLASSES: Final = 3


def _read_call(setting: Setting, _key: str, value: Any) -> tuple[int, str]:
    if not isinstance(value, Mapping):
        raise Malformed(f"what was announced has a 'count' and a 'height', unlike {value!r}")
    return NUMBER.read(setting, "count", value.get("count")), TEXT.read(setting, "height", value.get("height"))


_CALL: Final = Kind(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["count", "height"],
        "properties": {
            "count": {**_UP_TO_TWELVE, "description": "The number of cards."},
            "height": {
                "type": "string",
                "description": "The tie-breaker between equal numbers of cards: a value, a top card or a rank.",
            },
        },
    },
    _read_call,
    lambda _setting, call: {"count": call[0], "height": call[1]},
    lambda _turn, call: call,
)
#: The parts of `Called`, each with its kind, the schema it has there, and what it says.
_CALLED: Final = (
    (
        "decided",
        row_of(maybe(SEAT), tuple),
        {"type": "array", "maxItems": _CLASSES, "items": maybe(SEAT).schema},
        "The player whose combinations are good in each decided class, in order (point, sequence, set); null: nobody.",
    ),
    (
        "announced",
        row_of(_CALL, tuple),
        {"type": "array", "maxItems": _CLASSES, "items": _CALL.schema},
        "The announcements in these classes.",
    ),
    ("count", NUMBER, _UP_TO_TWELVE, "How many cards have been announced in the class being called."),
    (
        "height",
        TEXT,
        TEXT.schema,
        'The value ("49"), top card or rank ("K") announced in the class, as text; empty until it is announced.',
    ),
    ("asked", YES_OR_NO, YES_OR_NO.schema, "Whether the height has been asked for."),
)


def _read_called(setting: Setting, key: str, value: Any) -> Called:
    given = mapping(key, value)
    return Called(
        **{
            part: kind.empty(setting) if given.get(part) is None else kind.read(setting, part, given[part])
            for part, kind, _, _ in _CALLED
        }
    )


CALLED: Final = Kind(
    {
        "type": "object",
        "additionalProperties": False,
        "required": [part for part, _, _, _ in _CALLED],
        "properties": {part: {**schema, "description": says} for part, _, schema, says in _CALLED},
    },
    _read_called,
    lambda setting, called: {part: kind.write(setting, getattr(called, part)) for part, kind, _, _ in _CALLED},
    lambda turn, called: Called(**{part: kind.turn(turn, getattr(called, part)) for part, kind, _, _ in _CALLED}),
    lambda _setting: Called(),
)

#: The parts of `Error`, each with its kind and what it says.
_ERROR: Final = (
    ("by", "seat", SEAT, "Who has committed the irregularity."),
    ("irregularity", "irregularity", WORD, "The irregularity."),
    ("tricks", "tricks", NUMBER, "How many tricks had been won by then."),
    ("left", "left", NUMBER, "How many cards were left to draw."),
    ("cards", "cards", replace(PILE, turn=lambda turn, pile: tuple(map(turn.card, pile))), "The cards concerned."),
    ("meld", "meld", TEXT, "The combination they were declared as; empty if they were not declared."),
)


def _read_error(setting: Setting, key: str, value: Any) -> Error:
    given = mapping(key, value)
    read = {name: kind.read(setting, part, given.get(part)) for part, name, kind, _ in _ERROR}
    return Error(**{**read, "cards": tuple(read["cards"])})


ERROR: Final = Kind(
    {
        "type": "object",
        "additionalProperties": False,
        "required": [part for part, _, _, _ in _ERROR],
        "properties": {part: {**kind.schema, "description": says} for part, _, kind, says in _ERROR},
    },
    _read_error,
    lambda setting, error: {part: kind.write(setting, getattr(error, name)) for part, name, kind, _ in _ERROR},
    lambda turn, error: Error(**{name: kind.turn(turn, getattr(error, name)) for _, name, kind, _ in _ERROR}),
)
#: The parts of `Claim`.
_CLAIM: Final = (
    ("error", ERROR, "The irregularity."),
    ("phase", PHASE, "The phase before the claim."),
    ("turn", SEAT, "The player whose turn it was before the claim."),
    ("agreed", YES_OR_NO, "Whether one of those who must agree has done so."),
)


def _read_claim(setting: Setting, key: str, value: Any) -> Claim:
    given = mapping(key, value)
    return Claim(**{part: kind.read(setting, part, given.get(part)) for part, kind, _ in _CLAIM})


def _turn_claim(turn: Turn, claim: Claim) -> Claim:
    parts = {part: kind.turn(turn, getattr(claim, part)) for part, kind, _ in _CLAIM}
    return Claim(**parts, claimant=None if claim.claimant is None else turn.seats[claim.claimant])


CLAIM: Final = Kind(
    {
        "type": "object",
        "additionalProperties": False,
        "required": [part for part, _, _ in _CLAIM],
        "properties": {part: {**kind.schema, "description": says} for part, kind, says in _CLAIM},
    },
    _read_claim,
    lambda setting, claim: {part: kind.write(setting, getattr(claim, part)) for part, kind, _ in _CLAIM},
    _turn_claim,
)
