"""Forms of acts and questions: the fields that a person fills in, from the schemas, as the rules narrow them down."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import rulings
from hoyle_conformance.wording.calls import ANSWERS
from hoyle_conformance.wording.rulings import plain
from hoyle_reference import Rules
from hoyle_reference.cards import RANK_NAMES, RANKS, SUITS

Shape = Mapping[str, Any]
Field = dict[str, Any]
Choice = dict[str, Any]

#: What a field is called, by its key.
SAYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "by": "Who",
        "card": "Card",
        "cards": "Cards",
        "meld": "Combination",
        "choice": "What is chosen",
        "count": "How many cards",
        "packets": "In packets of",
        "deck": "The pack, from the top",
        "suit": "Suit that is named",
        "class": "Of what",
        "value": "Its value",
        "top": "Its top card",
        "rank": "Of which rank",
        "says": "What is answered",
        "irregularity": "What has happened",
        "hand": "Of these cards",
        "led": "Cards in the trick",
        "trumps": "Trumps",
        "drawing": "Cards are still drawn",
        "hands": "The hands",
        "calls": "What is called",
        "blanks": "Who has shown a carte blanche",
        "score": "Scores at the end",
        "brisques": "Points of brisques",
    }
)
#: The steps whose cards are one of each player.
_ONE_CARD_EACH: Final = frozenset({"cut", "trick", "winner"})
#: The keys that say what kind of step it is, or are filled in elsewhere.
_NOT_FILLED: Final = frozenset({"do", "ask", "irregular"})
_NOUGHT: Final = "nought"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The rules that are played by and those that are asked besides, the names of combinations, and the schemas."""

    rules: tuple[Rules, ...]
    melds: Mapping[str, str]
    documents: Mapping[str, Any]

    @property
    def drawn(self) -> Rules:
        """The rules of the table that is drawn."""
        return self.rules[0]

    def shape(self, tag: str, word: str) -> Shape:
        """Return the schema of an act ('do') or a question ('ask'): that of scenarios if they have one of their own."""
        own: Mapping[str, Shape] = self.documents["scenario"]["$defs"].get(tag, {})
        found: Shape = own[word] if word in own else self.documents["common"]["$defs"][tag][word]
        return found


def fields(vocabulary: Vocabulary, shape: Shape, given: Iterable[str] = ()) -> list[Field]:
    """Return the fields of an act or a question by its schema, without those already given; required ones come
    first."""
    taken, needed = _NOT_FILLED.union(given), shape.get("required", ())
    keys = sorted((key for key in shape["properties"] if key not in taken), key=lambda key: key not in needed)
    made = [_field(vocabulary, key, shape["properties"][key], needed) for key in keys]
    return [_of_each_player(vocabulary, each) for each in made] if shape.get("title") in _ONE_CARD_EACH else made


def _of_each_player(vocabulary: Vocabulary, field: Field) -> Field:
    """Return a field for cards of which each player has one."""
    players = vocabulary.drawn.players
    return {**field, "least": players, "most": players} if field["type"] == "cards" else field


def _field(vocabulary: Vocabulary, key: str, shape: Shape, needed: Sequence[str]) -> Field:
    made = {"key": key, "says": SAYS[key], **_kind(vocabulary, key, shape)}
    return made if key in needed else {**made, "optional": True}


def _kind(vocabulary: Vocabulary, key: str, shape: Shape) -> Field:
    """Return the field for a key: a choice if the rules or the schema know all values, and else by its type."""
    choices = _CHOICES.get(key)
    if choices:
        return {"type": "choice", "choices": list(choices(vocabulary, shape))}
    whole = _resolved(vocabulary, shape)
    match whole.get("type"):
        case "integer":
            return {"type": "number", "least": whole.get("minimum", 0), "most": whole.get("maximum", 100_000)}
        case "array":
            return _row(vocabulary, whole)
        case "object":
            return _of_each(vocabulary, whole)
        case _:
            return {"type": _name(shape)}


def _row(vocabulary: Vocabulary, shape: Shape) -> Field:
    """Cards or players in a row; of cards also how many, and whether dots may stand for the rest."""
    items = shape["items"]
    if _name(items) == "seat":
        return {"type": "seats"}
    of_a_pack = len(vocabulary.drawn.pack)
    most = min(shape.get("maxItems", of_a_pack), of_a_pack)
    rest = {"rest": True} if "anyOf" in items else {}
    return {"type": "cards", "least": shape.get("minItems", 0), "most": most, **rest}


def _of_each(vocabulary: Vocabulary, shape: Shape) -> Field:
    """Something of each player: cards, a call or points; points stand for a side."""
    each = shape["additionalProperties"]
    match _name(each):
        case "points":
            return {"type": "points", "seats": list(vocabulary.drawn.side_letters)}
        case "call":
            return {"type": "calls", "seats": list(vocabulary.drawn.letters), "fields": _call(vocabulary, each)}
        case _:
            return {"type": "hands", "seats": list(vocabulary.drawn.letters)}


def _call(vocabulary: Vocabulary, shape: Shape) -> list[Field]:
    return fields(vocabulary, _resolved(vocabulary, shape))


def _name(shape: Shape) -> str:
    """Return the name to which a schema refers: seat, card, points."""
    return str(shape.get("$ref", "")).rpartition("/")[2]


def _resolved(vocabulary: Vocabulary, shape: Shape) -> Shape:
    """Return a schema, or the one to which it refers, unless that is for a thing of the game."""
    while "$ref" in shape and _name(shape) not in {"seat", "card", "suit"}:
        file, _, pointer = shape["$ref"].partition("#/")
        node: Any = vocabulary.documents[file.removesuffix(".schema.json") or "common"]
        for part in pointer.split("/"):
            node = node[part]
        shape = node
    return shape


def _chosen(values: Iterable[Any], says: Callable[[Any], str]) -> Iterator[Choice]:
    for value in values:
        yield {"value": value, "says": says(value)}


def _combinations(vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    """Return the combinations of all rules that are asked, in the order of their tables."""
    known = dict.fromkeys(
        meld for meld in vocabulary.melds if any(meld in each.combinations for each in vocabulary.rules)
    )
    others = sorted({meld for each in vocabulary.rules for meld in each.combinations}.difference(known))
    return _chosen([*known, *others], lambda meld: vocabulary.melds.get(meld, plain(meld)))


def _choices(vocabulary: Vocabulary, shape: Shape) -> Iterator[Choice]:
    """Return the choices that any rule of these games may put before a player."""
    known = {choice for each in vocabulary.rules for offer in each.procedure.offers for choice in offer.choices}
    return _chosen((choice for choice in shape["enum"] if choice in known), rulings.choice)


def _irregularities(vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    return _chosen(irregularities(vocabulary), plain)


def irregularities(vocabulary: Vocabulary) -> list[str]:
    """Return the irregularities of these rules, those of the table that is drawn first."""
    speaking = (each for each in vocabulary.rules if "referee" in each.chapters)
    return list(dict.fromkeys(word for each in speaking for word in each.referee.rows))


def _tops(vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    yield from _ranks(vocabulary, _shape)
    yield {"value": _NOUGHT, "says": "a void suit"}


def _ranks(_vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    return _chosen(reversed(RANKS), lambda rank: RANK_NAMES[RANKS.index(rank)])


def _trumps(_vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    yield from _chosen(SUITS, printed.suit_name)
    yield {"value": None, "says": "none yet"}


def _of_the_schema(_vocabulary: Vocabulary, shape: Shape) -> Iterator[Choice]:
    return _chosen(shape["enum"], lambda value: ANSWERS.get(value, plain(value)))


#: The choices there are for a key.
_CHOICES: Final[Mapping[str, Callable[[Vocabulary, Shape], Iterator[Choice]]]] = MappingProxyType(
    {
        "meld": _combinations,
        "choice": _choices,
        "irregularity": _irregularities,
        "top": _tops,
        "rank": _ranks,
        "trumps": _trumps,
        "drawing": lambda _v, _s: _chosen((True, False), lambda value: "yes" if value else "no"),
        "class": _of_the_schema,
        "says": _of_the_schema,
    }
)
