"""The questions at this point of a game, complete or with the fields that a person fills in."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.web.explorer.forms import Vocabulary, fields
from hoyle_conformance.wording.questions import QUESTIONS
from hoyle_reference import Game, Malformed, Phase, read_question
from hoyle_reference.acts import Visible, word_of
from hoyle_reference.seats import SEATS, seat_name

Asked = dict[str, Any]

#: What a kind of question is called; in the order in which players meet them.
SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "winner": "Who wins a trick?",
        "playable": "Which cards may be played?",
        "worth": "What is a combination worth?",
        "declarable": "Which combinations may be scored?",
        "exchangeable": "Which sevens may be exchanged or shown?",
        "class-winner": "Whose class is good?",
        "reckoning": "What do the hands score before the play?",
        "trick-points": "What do tricks score?",
        "counted": "What do cards count in tricks?",
        "visible": "Which cards may a player look at?",
        "settlement": "How is a game settled?",
        "ruling": "What is the ruling?",
    }
)
#: How a question is put, where its fields do not say it; and the ways to tell a class.
_ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "winner": "The cards in the order of play; the player named leads the first.",
        "playable": "From the hand on the table, or from a hand and a trick that you give.",
        "class-winner": "The player named calls first.",
        "reckoning": "The player named calls first; both call everything they hold.",
        "trick-points": "The cards of the tricks in the order of play; the player named leads the first.",
        "settlement": "The game ends with these scores. Give the brisques only if they can decide the game.",
        "ruling": "The number of cards matters only for some irregularities.",
    }
)
_WAYS: Final[Mapping[str, str]] = MappingProxyType(
    {"hands": "Whose class is good, from the hands?", "calls": "Whose class is good, from the calls?"}
)
#: What is asked of the player whose turn it is, or of each player.
_OF_THE_TURN: Final = ("playable", "declarable", "exchangeable")


def questions(game: Game, vocabulary: Vocabulary) -> list[Asked]:
    """First those about this very position that need nothing filled in, then every kind that these games have."""
    known = {word_of(each) for rules in vocabulary.rules for each in (*rules.procedure.asks, Visible)}
    kinds = [each for word in SHORT if word in known for each in _kind(vocabulary, word)]
    return [*_ready(game, known), *kinds]


def _ready(game: Game, known: set[str]) -> Iterator[Asked]:
    for step in _about_the_position(game):
        if step["ask"] in known and _makes_sense(game, step):
            yield {"ask": step["ask"], "short": QUESTIONS[step["ask"]](step), "says": "", "step": step, "fields": []}


def _about_the_position(game: Game) -> Iterator[Asked]:
    table = game.table
    if table.phase in {Phase.PLAY, Phase.DECLARE}:
        for word in _OF_THE_TURN:
            yield {"ask": word, "by": seat_name(table.turn)}
    if table.is_dealt:
        for letter in game.rules.letters:
            yield {"ask": "visible", "by": letter}
    if any(table.score):
        yield {"ask": "settlement", "score": dict(zip(SEATS, game.scores, strict=False))}


def _makes_sense(game: Game, step: Asked) -> bool:
    try:
        game.ask(read_question(game.rules, step))
    except Malformed:
        return False
    return True


def _kind(vocabulary: Vocabulary, word: str) -> Iterator[Asked]:
    """One kind of question; where it can be put in one of several ways, each of them."""
    shape = vocabulary.shape("ask", word)
    ways = [way["required"] for way in shape.get("oneOf", ())]
    for way in ways or [[]]:
        others = {key for each in ways for key in each if key not in way}
        needed = {**shape, "required": [*shape["required"], *way]}
        short = _WAYS[way[0]] if way else SHORT[word]
        made = fields(vocabulary, needed, others)
        yield {"ask": word, "short": short, "says": _ABOUT.get(word, ""), "fields": made}
