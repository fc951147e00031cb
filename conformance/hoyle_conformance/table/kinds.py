"""Kinds: every kind of act that a game has, with what a person fills in, so that acts can be tried that are illegal."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_reference.table.acts import Irregular, word_of

from .fields import Vocabulary, fields

Kind = dict[str, Any]

#: What a kind of act is called on its button; in the order in which players meet them.
SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "play": "Play a card",
        "trick": "The whole trick",
        "declare": "Declare a combination",
        "hold": "Keep a combination to score",
        "exchange": "Exchange the seven",
        "show": "Show the seven",
        "draw": "Draw",
        "draw-all": "Everybody draws",
        "carte-blanche": "Show carte blanche",
        "discard": "Exchange cards",
        "peep": "Look at the rest",
        "announce": "Announce",
        "answer": "Answer",
        "prove": "Show the blank",
        "choose": "Choose",
        "cut": "Cut for the deal",
        "deal": "Deal",
        "mishap": "Something happens",
        "claim": "Claim an irregularity",
    }
)
#: What stands for one act of each player.
SEVERAL: Final[Mapping[str, str]] = MappingProxyType({"trick": "play", "draw-all": "draw"})
#: What is announced, as it is said; and what is told of each.
_CLASSES: Final[Mapping[str, tuple[str, frozenset[str]]]] = MappingProxyType(
    {
        "blank": ("Announce a blank", frozenset()),
        "point": ("Announce a point", frozenset({"count", "value"})),
        "sequence": ("Announce a sequence", frozenset({"count", "top"})),
        "set": ("Announce a set", frozenset({"count", "rank"})),
    }
)
_TOLD: Final = frozenset({"count", "value", "top", "rank"})


def kinds(vocabulary: Vocabulary) -> list[Kind]:
    """The kinds of acts that the games have which are asked."""
    return [kind for word in _words(vocabulary) for kind in _of(vocabulary, word)]


def _words(vocabulary: Vocabulary) -> list[str]:
    known = {word_of(act) for rules in vocabulary.rules for act in rules.moves if act is not Irregular}
    known |= {several for several, single in SEVERAL.items() if single in known}
    return [word for word in SHORT if word in known]


def _of(vocabulary: Vocabulary, word: str) -> Iterator[Kind]:
    shape = vocabulary.shape("do", word)
    if word == "announce":
        for class_, (short, told) in _CLASSES.items():
            step = {"do": word, "class": class_}
            yield {
                "do": word,
                "short": short,
                "step": step,
                "fields": fields(vocabulary, shape, {"class", *(_TOLD - told)}),
            }
    else:
        made = fields(vocabulary, shape)
        yield {"do": word, "short": SHORT[word], "fields": [_of_each_player(vocabulary, word, each) for each in made]}


def _of_each_player(vocabulary: Vocabulary, word: str, field: dict[str, Any]) -> dict[str, Any]:
    """The cards of a cut or a trick are one of each player."""
    if word in {"cut", "trick"} and field["key"] == "cards":
        return {**field, "least": vocabulary.drawn.players, "most": vocabulary.drawn.players}
    return field
