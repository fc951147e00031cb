"""The kinds of acts of a game, with the fields that a person fills in, so that illegal acts can be tried too."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.web.explorer.forms import Vocabulary, fields, irregularities
from hoyle_conformance.web.explorer.irregularities import broken_by, spoken_of
from hoyle_conformance.wording.rulings import plain
from hoyle_reference import CHANCE, Game, Phase
from hoyle_reference.acts import Irregular, word_of

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
        "prove": "Show the carte blanche",
        "choose": "Choose",
        "cut": "Cut for the deal",
        "deal": "Deal",
        "mishap": "An irregularity happens",
        "claim": "Claim an irregularity",
    }
)
#: What stands for one act of each player.
SEVERAL: Final[Mapping[str, str]] = MappingProxyType({"trick": "play", "draw-all": "draw"})
#: What is announced, as it is said; and the fields of each.
_CLASSES: Final[Mapping[str, tuple[str, frozenset[str]]]] = MappingProxyType(
    {
        "blank": ("Announce a carte blanche", frozenset()),
        "point": ("Announce a point", frozenset({"count", "value"})),
        "sequence": ("Announce a sequence", frozenset({"count", "top"})),
        "set": ("Announce a set", frozenset({"count", "rank"})),
    }
)
_OF_A_CLASS: Final = frozenset({"count", "value", "top", "rank"})


#: What an act is, where the schema says it in words of its own.
_ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "trick": "Each player plays a card; the player named leads.",
        "draw-all": "Each player draws a card, the player named first.",
        "deal": "The dealer deals from the pack, top card first.",
    }
)


def kinds(game: Game, vocabulary: Vocabulary) -> list[Kind]:
    """Return the kinds of acts of the games that are asked; those that are open now are marked, and come first."""
    now = open_kinds(game)
    broken = _broken(vocabulary)
    found = [kind for word in _words(vocabulary) for kind in _of(vocabulary, word, broken.get(word, ()))]
    marked = [{**kind, "open": True} if kind["do"] in now else kind for kind in found]
    return sorted(marked, key=lambda kind: "open" not in kind)


def open_kinds(game: Game) -> set[str]:
    """Return the words for the kinds of acts that somebody may do now."""
    phase = game.table.phase
    if phase in CHANCE or game.is_over:
        return {"cut", "deal"} & {str(phase)}
    now = {word_of(type(part[0])) for part in game.legal_actions.parts if part}
    return now | ({"trick"} if phase is Phase.PLAY and not game.table.trick else set())


def _words(vocabulary: Vocabulary) -> list[str]:
    known = {word_of(act) for rules in vocabulary.rules for act in rules.procedure.moves if act is not Irregular}
    known |= {several for several, single in SEVERAL.items() if single in known}
    return [word for word in SHORT if word in known]


def _of(vocabulary: Vocabulary, word: str, broken: Sequence[str]) -> Iterator[Kind]:
    """Yield a kind of act, by which these irregularities arise; of announcing, one for each class."""
    shape = vocabulary.shape("do", word)
    if word == "announce":
        for class_, (short, own) in _CLASSES.items():
            made = fields(vocabulary, shape, {"class", *(_OF_A_CLASS - own)})
            yield {"do": word, "short": short, "step": {"do": word, "class": class_}, "fields": made}
    else:
        made = fields(vocabulary, shape)
        says = _ABOUT.get(word, shape["description"])
        yield {"do": word, "short": SHORT[word], "says": says, "fields": [*made, *_though_refused(broken)]}


def _broken(vocabulary: Vocabulary) -> Mapping[str, Sequence[str]]:
    """Return the irregularities of the rules, by the kinds of acts by which they arise."""
    found: dict[str, list[str]] = {}
    for each in irregularities(vocabulary):
        found.setdefault(broken_by(spoken_of(vocabulary, each)[0]), []).append(each)
    return found


def _though_refused(broken: Sequence[str]) -> list[dict[str, Any]]:
    """Return the field for the irregularity as which a refused act may be done, if there are any."""
    choices = [{"value": each, "says": plain(each)} for each in broken]
    made = {"key": "irregular", "says": "If refused, carry out as", "type": "choice", "choices": choices}
    return [{**made, "optional": True}] if choices else []
