"""Notation: acts and questions as plain mappings, the way scenario files and the protocol spell them.

An act is ``{"by": "A", "do": "play", "card": "KS"}``; a question is ``{"ask": "winner", "by": "A", "cards": ["9D",
"9D#2"]}``.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeVar

from .acts import (
    Act,
    Choose,
    Counted,
    Cut,
    Deal,
    Declarable,
    Declare,
    Draw,
    Exchange,
    Hold,
    Play,
    Playable,
    Question,
    Show,
    Winner,
    Worth,
)
from .cards import Card, name, names, read_card
from .questions import Answer
from .refusals import Malformed
from .rules import Rules
from .seats import SEATS, Seat, seat_name

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
    }
)
QUESTIONS: Final[Mapping[str, Callable[..., Question]]] = MappingProxyType(
    {"winner": Winner, "playable": Playable, "worth": Worth, "declarable": Declarable, "counted": Counted}
)
T = TypeVar("T")

_NAMES: Final = MappingProxyType({make: name for name, make in (*ACTS.items(), *QUESTIONS.items())})


def read_act(rules: Rules, spelt: Mapping[str, Any]) -> Act:
    """The act that a mapping spells; raises Malformed for an unknown word, seat or card."""
    return _read(rules, spelt, "do", ACTS)


def read_question(rules: Rules, spelt: Mapping[str, Any]) -> Question:
    """The question that a mapping spells; raises Malformed for an unknown word, seat, card or combination."""
    question = _read(rules, spelt, "ask", QUESTIONS)
    if isinstance(question, Worth) and question.meld not in rules.declare.melds.by_id:
        raise Malformed(f"no combination '{question.meld}' in this game")
    return question


def _read(rules: Rules, spelt: Mapping[str, Any], tag: str, known: Mapping[str, Callable[..., T]]) -> T:
    word = str(spelt.get(tag))
    if word not in known:
        raise Malformed(f"'{tag}' is one of {', '.join(known)}, not {word!r}")
    fields = {key: _field(rules, key, value) for key, value in spelt.items() if key != tag}
    try:
        return known[word](**fields)
    except TypeError as error:
        raise Malformed(f"'{word}' does not take these fields: {', '.join(map(str, fields)) or 'none'}") from error


def _field(rules: Rules, key: str, value: Any) -> Any:
    match key:
        case "by":
            return seat_of(rules, value)
        case "card":
            return card_of(rules, value)
        case "cards" | "deck":
            return cards_of(rules, value)
        case _ if isinstance(value, str):
            return value
        case _:
            raise Malformed(f"'{key}' must be a word, not {value!r}")


def seat_of(rules: Rules, text: Any) -> Seat:
    """The seat a letter names; raises Malformed where nobody sits there."""
    if text not in tuple(SEATS[: rules.players]):
        raise Malformed(f"no player {text!r} in a game of {rules.players}")
    return Seat(SEATS.index(text))


def card_of(rules: Rules, text: Any) -> Card:
    """The card that `text` names; raises Malformed where the pack holds none of that name."""
    card = read_card(text, rules.packs) if isinstance(text, str) else None
    if card is None:
        raise Malformed(f"no card {text!r} in {rules.packs} piquet packs")
    return card


def cards_of(rules: Rules, texts: Any) -> tuple[Card, ...]:
    """The cards that a list of `texts` names, in order; raises Malformed as `card_of` does."""
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        raise Malformed(f"cards are a list, not {texts!r}")
    return tuple(card_of(rules, text) for text in texts)


def write_act(act: Act | Question) -> dict[str, Any]:
    """The mapping that spells an act or a question."""
    tag = "do" if isinstance(act, Act) else "ask"
    spelt: dict[str, Any] = {tag: _NAMES[type(act)]}
    for key in act.__dataclass_fields__:
        value = getattr(act, key)
        if key == "by":
            spelt = {"by": seat_name(value), **spelt}
        elif key == "card":
            spelt[key] = name(value)
        elif key in {"cards", "deck"}:
            spelt[key] = names(value)
        else:
            spelt[key] = value
    return spelt


def write_answer(question: Question, answer: Answer) -> Any:
    """An answer as plain data: a seat's letter, points, cards, or declarations without their seat."""
    value: Any = answer.value
    match question:
        case Winner():
            return seat_name(value)
        case Playable():
            return names(value)
        case Declarable():
            return [{"meld": act.meld, "cards": names(act.cards)} for act in value]
        case _:
            return value
