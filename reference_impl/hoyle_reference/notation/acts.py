"""Acts and questions as plain mappings, as in scenario files and the protocol.

An act is ``{"by": "A", "do": "play", "card": "KS"}``; a question is ``{"ask": "winner", "by": "A", "cards": ["9D",
"9D#2"]}``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Final, TypeVar

from .. import acts
from ..cards import MOST_PACKS, names
from ..chapters.chapter import Ruling
from ..refusals import Malformed
from ..rules import CHAPTERS, Rules
from ..seats import SEATS, Setting, seat_or_none
from ..table.fields import (
    CARD,
    SEAT,
    SUIT,
    YES_OR_NO,
    Kind,
    Turn,
    cards_of,
    in_their_seats,
    mapping,
    maybe,
    of_type,
    seat_of,
)

T = TypeVar("T")

#: The kinds of acts and of questions, by the words for them.
ACTS: Final[Mapping[str, type[acts.Act]]] = MappingProxyType(
    {
        acts.word_of(move.act): move.act
        for chapter in CHAPTERS
        for move in chapter.moves
        if move.act is not acts.Irregular
    }
)
QUESTIONS: Final[Mapping[str, type[acts.Question]]] = MappingProxyType(
    {
        acts.word_of(acts.Visible): acts.Visible,
        **{acts.word_of(ask.question): ask.question for chapter in CHAPTERS for ask in chapter.asks},
    }
)


def _of_each(letters: str, key: str, value: Any) -> list[Any]:
    """Return the values given for every player or side, in the order of the seats."""
    if not isinstance(value, Mapping) or set(value) != set(letters):
        raise Malformed(f"'{key}' must be given for {', '.join(letters)}, and nobody else")
    return [value[letter] for letter in letters]


def _call(setting: Setting, spelt: Any) -> acts.Call:
    """Return a player's call of a class, from its mapping."""
    given = {key: _kind(key).read(setting, key, value) for key, value in mapping("calls", spelt).items()}
    try:
        return acts.Call(**given)
    except TypeError as error:
        raise Malformed("a call has a 'count', and 'value', 'top' or 'rank'") from error


def _written(call: acts.Call) -> dict[str, Any]:
    """Return a player's call as a mapping, without the parts not given."""
    said = ((field.name, getattr(call, field.name)) for field in fields(call))
    return {key: value for key, value in said if value not in {None, ""}}


def _read_seats(setting: Setting, key: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise Malformed(f"'{key}' is a list of players, not {value!r}")
    return tuple(seat_of(setting, letter) for letter in value)


_WORD: Final = of_type(str, "a word", {}, "")
_NUMBER: Final = of_type(int, "a whole number", {}, 0)
_CARDS: Final = Kind(
    {},
    lambda setting, _key, value: cards_of(setting, value),
    lambda _setting, cards: names(cards),
    lambda turn, cards: tuple(map(turn.card, cards)),
)
_HANDS: Final = Kind(
    {},
    lambda setting, key, value: tuple(cards_of(setting, each) for each in _of_each(setting.letters, key, value)),
    lambda _setting, hands: {SEATS[seat]: names(hand) for seat, hand in enumerate(hands)},
    lambda turn, hands: (
        tuple(_CARDS.turn(turn, hand) for hand in in_their_seats(turn.seats, hands)) if hands else hands
    ),
)
_OF_EACH_SIDE: Final = Kind(
    {},
    lambda setting, key, value: tuple(
        _NUMBER.read(setting, key, each) for each in _of_each(setting.side_letters, key, value)
    ),
    lambda _setting, points: dict(zip(SEATS, points, strict=False)),
    lambda turn, points: tuple(in_their_seats(turn.sides, points)) if points else points,
)
_CALLS: Final = Kind(
    {},
    lambda setting, key, value: tuple(_call(setting, each) for each in _of_each(setting.letters, key, value)),
    lambda _setting, calls: {SEATS[seat]: _written(call) for seat, call in enumerate(calls)},
    lambda turn, calls: tuple(in_their_seats(turn.seats, calls)) if calls else calls,
)
_SEATS: Final = Kind(
    {},
    _read_seats,
    lambda _setting, seats: [SEATS[seat] for seat in seats],
    lambda turn, seats: tuple(turn.seats[seat] for seat in seats),
)
#: The kinds of the values in acts and questions, by key; values of other keys are words.
_KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "by": SEAT,
        "card": CARD,
        "cards": _CARDS,
        "deck": _CARDS,
        "hands": _HANDS,
        "hand": _CARDS,
        "led": _CARDS,
        "calls": _CALLS,
        "trumps": maybe(SUIT),
        "suit": SUIT,
        "drawing": YES_OR_NO,
        "score": _OF_EACH_SIDE,
        "brisques": _OF_EACH_SIDE,
        "single": _OF_EACH_SIDE,
        "double": _OF_EACH_SIDE,
        "blanks": _SEATS,
        "packets": _NUMBER,
        "count": _NUMBER,
        "takes": _NUMBER,
        "value": _NUMBER,
    }
)


def _kind(key: str) -> Kind:
    return _KINDS.get(key, _WORD)


def _key(attribute: str) -> str:
    """Return the key of an attribute: some keys, such as ``class``, cannot be names in Python."""
    return attribute.rstrip("_")


def read_act(rules: Rules | None, spelt: Mapping[str, Any]) -> acts.Act:
    """Return the act that a mapping describes, in a game with these rules or in any game; raise Malformed for an
    unknown word, seat or card."""
    setting = rules or _ANY_GAME
    if "irregular" in spelt:
        act = read_act(rules, {key: value for key, value in spelt.items() if key != "irregular"})
        by = seat_of(setting, spelt.get("by"))
        return acts.Irregular(by, act, _WORD.read(setting, "irregular", spelt["irregular"]))
    if rules is None or str(spelt.get("do")) in ACTS:
        return _read(setting, spelt, "do", ACTS)
    return _read(rules, spelt, "do", {**ACTS, **{acts.word_of(kind): kind for kind in rules.procedure.moves}})


def read_question(rules: Rules, spelt: Mapping[str, Any]) -> acts.Question:
    """Return the question that a mapping describes; raise Malformed for an unknown word, seat or card. The game need
    not have the combination."""
    return _read(rules, spelt, "ask", QUESTIONS)


def _read(setting: Setting, spelt: Mapping[str, Any], tag: str, known: Mapping[str, Callable[..., T]]) -> T:
    word = str(spelt.get(tag))
    if word not in known:
        raise Malformed(f"'{tag}' is one of {', '.join(known)}, not {word!r}")
    given = {
        "class_" if key == "class" else key: _kind(key).read(setting, key, value)
        for key, value in spelt.items()
        if key != tag
    }
    try:
        return known[word](**given)
    except TypeError as error:
        takes = ", ".join(_key(each.name) for each in fields(known[word]))  # type: ignore[arg-type]  # a dataclass
        raise Malformed(
            f"'{word}' takes {takes}, not {', '.join(_key(str(key)) for key in given) or 'nothing'}"
        ) from error


#: Acts have the same form in every game.
_ANY_GAME: Final = Setting(len(SEATS), MOST_PACKS, sides=(), side_of=(), combinations=frozenset(), least_deals=1)


def write_act(act: acts.Act | acts.Question) -> dict[str, Any]:
    """Return the mapping that describes an act or a question."""
    if isinstance(act, acts.Irregular):
        return {**write_act(act.act), "irregular": act.irregularity}
    spelt: dict[str, Any] = {"do" if isinstance(act, acts.Act) else "ask": acts.word_of(type(act))}
    for field in fields(act):  # type: ignore[arg-type]  # every act and question is a dataclass
        value, key = getattr(act, field.name), _key(field.name)
        if key == "by":
            spelt = {key: SEAT.write(_ANY_GAME, value), **spelt}
        elif value != field.default:
            spelt[key] = _kind(key).write(_ANY_GAME, value)
    return spelt


#: The empty values, which relabelling leaves unchanged.
_NOTHING: Final = (None, acts.UNSAID)


def turn_act(turn: Turn, act: T) -> T:
    """Return the same act or question with seats and suits relabelled."""
    if isinstance(act, acts.Irregular):
        return replace(act, by=turn.seats[act.by], act=turn_act(turn, act.act))
    turned: dict[str, Any] = {}
    for each in fields(act):  # type: ignore[arg-type]  # as in write_act
        thing: Any = getattr(act, each.name)
        turned[each.name] = thing if thing in _NOTHING else _kind(_key(each.name)).turn(turn, thing)
    return type(act)(**turned)


def write_answer(question: acts.Question, answer: Ruling) -> Any:
    """Return an answer as plain data: a seat's letter, points (of one seat, or every seat), cards, declarations without
    their seat, or a settlement."""
    write = _ANSWERED.get(type(question))
    return write(answer.value) if write else answer.value


def _write_ruling(value: Any) -> dict[str, Any] | None:
    """Return a ruling as plain data: the player who chooses, the choices, and the time limit for a claim."""
    if value is None:
        return None
    both, chooser, choices, until = value
    return {"chooses": "both" if both else seat_or_none(chooser), "choices": list(choices), "until": until}


#: The writers of answers that are not just a number.
_ANSWERED: Final[Mapping[type, Callable[[Any], Any]]] = MappingProxyType(
    {
        acts.Winner: seat_or_none,
        acts.ClassWinner: seat_or_none,
        acts.Partie: seat_or_none,
        acts.Playable: names,
        acts.Exchangeable: names,
        acts.Visible: names,
        acts.Declarable: lambda declared: [{"meld": each.meld, "cards": names(each.cards)} for each in declared],
        acts.Worth: lambda worth: {"meld": worth[0], "points": worth[1]} if isinstance(worth, tuple) else worth,
        acts.Reckoning: lambda points: dict(zip(SEATS, points, strict=False)),
        acts.TrickPoints: lambda points: dict(zip(SEATS, points, strict=False)),
        acts.Ruling: _write_ruling,
        acts.Settlement: lambda settled: {"winner": seat_or_none(settled[0]), "points": settled[1]},
    }
)
