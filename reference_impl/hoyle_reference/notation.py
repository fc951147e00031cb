"""Notation: acts and questions as plain mappings, the way scenario files and the protocol spell them.

An act is ``{"by": "A", "do": "play", "card": "KS"}``; a question is ``{"ask": "winner", "by": "A", "cards": ["9D",
"9D#2"]}``.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeVar

from .acts import (
    Act,
    Announce,
    Answer,
    CarteBlanche,
    Choose,
    ClassWinner,
    Counted,
    Cut,
    Deal,
    Declarable,
    Declare,
    Discard,
    Draw,
    Exchange,
    Hold,
    Peep,
    Play,
    Playable,
    Prove,
    Question,
    Reckoning,
    Settlement,
    Show,
    TrickPoints,
    Visible,
    Winner,
    Worth,
)
from .cards import BY_NAME, Card, name, names, read_card
from .questions import Answer as Answered
from .refusals import Malformed
from .rules import Rules
from .seats import SEATS, Seat, seat_name, seat_or_none

ACTS: Final[Mapping[str, Callable[..., Act]]] = MappingProxyType(
    {
        "cut": Cut,
        "choose": Choose,
        "deal": Deal,
        "play": Play,
        "declare": Declare,
        "hold": Hold,
        "exchange": Exchange,
        "show": Show,
        "draw": Draw,
        "discard": Discard,
        "peep": Peep,
        "announce": Announce,
        "answer": Answer,
        "prove": Prove,
        "carte-blanche": CarteBlanche,
    }
)
QUESTIONS: Final[Mapping[str, Callable[..., Question]]] = MappingProxyType(
    {
        "winner": Winner,
        "playable": Playable,
        "worth": Worth,
        "declarable": Declarable,
        "counted": Counted,
        "visible": Visible,
        "class-winner": ClassWinner,
        "reckoning": Reckoning,
        "trick-points": TrickPoints,
        "settlement": Settlement,
    }
)
T = TypeVar("T")

#: Keys that are no names in Python.
_ATTRIBUTES: Final = MappingProxyType({"class": "class_"})
_KEYS: Final = MappingProxyType({attribute: key for key, attribute in _ATTRIBUTES.items()})
_NUMBERS: Final = frozenset({"packets", "count", "value"})

_NAMES: Final = MappingProxyType({make: name for name, make in (*ACTS.items(), *QUESTIONS.items())})


def read_act(rules: Rules, spelt: Mapping[str, Any]) -> Act:
    """The act that a mapping spells; raises Malformed for an unknown word, seat or card."""
    return _read(rules, spelt, "do", ACTS)


def read_question(rules: Rules, spelt: Mapping[str, Any]) -> Question:
    """The question that a mapping spells; raises Malformed for an unknown word, seat, card or combination."""
    question = _read(rules, spelt, "ask", QUESTIONS)
    if isinstance(question, Worth) and question.meld not in rules.combinations:
        raise Malformed(f"no combination '{question.meld}' in this game")
    return question


def _read(rules: Rules, spelt: Mapping[str, Any], tag: str, known: Mapping[str, Callable[..., T]]) -> T:
    word = str(spelt.get(tag))
    if word not in known:
        raise Malformed(f"'{tag}' is one of {', '.join(known)}, not {word!r}")
    fields = {_ATTRIBUTES.get(key, key): _field(rules, key, value) for key, value in spelt.items() if key != tag}
    try:
        return known[word](**fields)
    except TypeError as error:
        raise Malformed(f"'{word}' does not take these fields: {', '.join(map(str, fields)) or 'none'}") from error


def _field(rules: Rules, key: str, value: Any) -> Any:
    if key in _FIELDS:
        return _FIELDS[key](rules, value)
    if key in _NUMBERS:
        return _number(key, value)
    if isinstance(value, str):
        return value
    raise Malformed(f"'{key}' must be a word, not {value!r}")


def _number(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed(f"'{key}' must be a whole number, not {value!r}")
    return value


def _of_each(letters: str, key: str, value: Any) -> Mapping[str, Any]:
    """What is given for every player or side, in the order of the seats."""
    if not isinstance(value, Mapping) or set(value) != set(letters):
        raise Malformed(f"'{key}' must be given for {', '.join(letters)}, and nobody else")
    return {letter: value[letter] for letter in letters}


def seat_of(rules: Rules, text: Any) -> Seat:
    """The seat a letter names; raises Malformed where nobody sits there."""
    if text not in tuple(SEATS[: rules.players]):
        raise Malformed(f"no player {text!r} in a game of {rules.players}")
    return Seat(SEATS.index(text))


def card_of(rules: Rules, text: Any) -> Card:
    """The card that `text` names; raises Malformed where the pack holds none of that name."""
    card = read_card(text, rules.packs) if isinstance(text, str) else None
    if card is None:
        raise Malformed(f"no card {text!r} in {rules.packs} piquet pack{'' if rules.packs == 1 else 's'}")
    return card


def cards_of(rules: Rules, texts: Any) -> tuple[Card, ...]:
    """The cards that a list of `texts` names, in order; raises Malformed as `card_of` does."""
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        raise Malformed(f"cards are a list, not {texts!r}")
    try:
        return tuple(map(BY_NAME[rules.packs].__getitem__, texts))
    except (KeyError, TypeError, IndexError):
        return tuple(card_of(rules, text) for text in texts)  # which says what is wrong


def _hands_of(rules: Rules, spelt: Any) -> tuple[tuple[Card, ...], ...]:
    return tuple(cards_of(rules, cards) for cards in _of_each(SEATS[: rules.players], "hands", spelt).values())


def _points_of(key: str) -> Callable[[Rules, Any], tuple[int, ...]]:
    """What reads the points of every side."""

    def read(rules: Rules, spelt: Any) -> tuple[int, ...]:
        return tuple(_number(key, points) for points in _of_each(SEATS[: len(rules.sides)], key, spelt).values())

    return read


def _blanks_of(rules: Rules, spelt: Any) -> tuple[Seat, ...]:
    if isinstance(spelt, str) or not isinstance(spelt, Sequence):
        raise Malformed(f"'blanks' is a list of players, not {spelt!r}")
    return tuple(seat_of(rules, letter) for letter in spelt)


#: How the fields that are neither words nor numbers are read.
_FIELDS: Final[Mapping[str, Callable[[Rules, Any], Any]]] = MappingProxyType(
    {
        "by": seat_of,
        "card": card_of,
        "cards": cards_of,
        "deck": cards_of,
        "hands": _hands_of,
        "score": _points_of("score"),
        "brisques": _points_of("brisques"),
        "blanks": _blanks_of,
    }
)


def write_act(act: Act | Question) -> dict[str, Any]:
    """The mapping that spells an act or a question."""
    tag = "do" if isinstance(act, Act) else "ask"
    spelt: dict[str, Any] = {tag: _NAMES[type(act)]}
    for key, field in act.__dataclass_fields__.items():
        value = getattr(act, key)
        if key == "by":
            spelt = {"by": seat_name(value), **spelt}
        elif value != field.default:
            spelt[_KEYS.get(key, key)] = _written(key, value)
    return spelt


def _written(key: str, value: Any) -> Any:
    match key:
        case "card":
            return name(value)
        case "cards" | "deck":
            return names(value)
        case "hands":
            return {SEATS[seat]: names(hand) for seat, hand in enumerate(value)}
        case "score" | "brisques":
            return dict(zip(SEATS, value, strict=False))
        case "blanks":
            return [seat_name(seat) for seat in value]
        case _:
            return value


def write_answer(question: Question, answer: Answered) -> Any:
    """An answer as plain data: a seat's letter, points (of one, or of every seat), cards, declarations without their
    seat, or a settlement."""
    write = _ANSWERED.get(type(question))
    return write(answer.value) if write else answer.value


#: How answers that are not just a number are written.
_ANSWERED: Final[Mapping[type, Callable[[Any], Any]]] = MappingProxyType(
    {
        Winner: seat_or_none,
        ClassWinner: seat_or_none,
        Playable: names,
        Visible: names,
        Declarable: lambda acts: [{"meld": act.meld, "cards": names(act.cards)} for act in acts],
        Reckoning: lambda points: dict(zip(SEATS, points, strict=False)),
        TrickPoints: lambda points: dict(zip(SEATS, points, strict=False)),
        Settlement: lambda settled: {"winner": seat_or_none(settled[0]), "points": settled[1]},
    }
)
