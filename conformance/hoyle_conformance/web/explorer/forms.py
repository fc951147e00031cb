"""The kinds of acts, questions and irregularities of some games, and the form fields for each: those of the schemas,
restricted by the rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.checks.plan import ONE_CARD_EACH
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import rulings
from hoyle_conformance.wording.calls import ANSWERS
from hoyle_conformance.wording.rulings import plain
from hoyle_conformance.wording.text import sentence
from hoyle_reference import CHANCE, Game, Irregularity, Phase, Rules
from hoyle_reference.acts import NOUGHT, Irregular, Visible, word_of
from hoyle_reference.cards import RANK_NAMES, RANKS, SUITS

# ---- fields


Shape = Mapping[str, Any]
Field = dict[str, Any]
Choice = dict[str, Any]
#: A kind of act, a question or an irregularity, with its fields.
Entry = dict[str, Any]

#: The label of a field, by its key.
SAYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "by": "Who",
        "card": "Card",
        "cards": "Cards",
        "meld": "Combination",
        "choice": "What is chosen",
        "count": "How many cards",
        "packets": "In packets of",
        "takes": "How many are taken, if not as many",
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
        "single": "Single games won",
        "double": "Double games won",
    }
)
#: The keys that name the kind of step, or that other parts of the form fill in.
_NOT_FILLED: Final = frozenset({"do", "ask", "irregular"})


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The rules of the drawn table and of the other rulesets asked, the names of combinations, and the schemas."""

    rules: tuple[Rules, ...]
    melds: Mapping[str, str]
    documents: Mapping[str, Any]

    @property
    def drawn(self) -> Rules:
        """The rules of the drawn table."""
        return self.rules[0]

    def shape(self, tag: str, word: str) -> Shape:
        """Return the schema of an act ('do') or a question ('ask'), from the scenarios if they have their own."""
        own: Mapping[str, Shape] = self.documents["scenario"]["$defs"].get(tag, {})
        found: Shape = own[word] if word in own else self.documents["common"]["$defs"][tag][word]
        return found


def fields(vocabulary: Vocabulary, shape: Shape, given: Iterable[str] = ()) -> list[Field]:
    """Return the fields of an act or a question from its schema, without those already given; required
    ones come first."""
    taken, needed = _NOT_FILLED.union(given), shape.get("required", ())
    keys = sorted((key for key in shape["properties"] if key not in taken), key=lambda key: key not in needed)
    made = [_field(vocabulary, key, shape["properties"][key], needed) for key in keys]
    return [_of_each_player(vocabulary, each) for each in made] if shape.get("title") in ONE_CARD_EACH else made


def _of_each_player(vocabulary: Vocabulary, field: Field) -> Field:
    """Return a field for one card of each player."""
    players = vocabulary.drawn.players
    return {**field, "least": players, "most": players} if field["type"] == "cards" else field


def _field(vocabulary: Vocabulary, key: str, shape: Shape, needed: Sequence[str]) -> Field:
    made = {"key": key, "says": SAYS[key], **_kind(vocabulary, key, shape)}
    return made if key in needed else {**made, "optional": True}


def _kind(vocabulary: Vocabulary, key: str, shape: Shape) -> Field:
    """Return the field for a key: a choice if the rules or the schema list all values, otherwise by its type."""
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
    """Return a field for cards or players in a row; for cards also their number, and whether dots may
    replace the rest."""
    items = shape["items"]
    if _name(items) == "seat":
        return {"type": "seats"}
    of_a_pack = len(vocabulary.drawn.pack)
    most = min(shape.get("maxItems", of_a_pack), of_a_pack)
    rest = {"rest": True} if "anyOf" in items else {}
    return {"type": "cards", "least": shape.get("minItems", 0), "most": most, **rest}


def _of_each(vocabulary: Vocabulary, shape: Shape) -> Field:
    """Return a field for each player's cards or call, or for each side's points."""
    each = shape["additionalProperties"]
    match _name(each):
        case "points":
            return {"type": "points", "seats": list(vocabulary.drawn.side_letters)}
        case "call":
            return {
                "type": "calls",
                "seats": list(vocabulary.drawn.letters),
                "fields": fields(vocabulary, _resolved(vocabulary, each)),
            }
        case _:
            return {"type": "hands", "seats": list(vocabulary.drawn.letters)}


def _name(shape: Shape) -> str:
    """Return the name to which a schema refers: seat, card, points."""
    return str(shape.get("$ref", "")).rpartition("/")[2]


def _resolved(vocabulary: Vocabulary, shape: Shape) -> Shape:
    """Return the schema to which another refers, unless it refers to a thing of the game."""
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
    """Return the combinations of all rules asked, in the order of their tables."""
    known = dict.fromkeys(
        meld for meld in vocabulary.melds if any(meld in each.combinations for each in vocabulary.rules)
    )
    others = sorted({meld for each in vocabulary.rules for meld in each.combinations}.difference(known))
    return _chosen([*known, *others], lambda meld: vocabulary.melds.get(meld, plain(meld)))


def _choices(vocabulary: Vocabulary, shape: Shape) -> Iterator[Choice]:
    """Return the choices that any rule of these games may offer a player."""
    known = {choice for each in vocabulary.rules for offer in each.procedure.offers for choice in offer.choices}
    return _chosen((choice for choice in shape["enum"] if choice in known), rulings.choice)


def _irregularities(vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    return _chosen(irregularities(vocabulary), plain)


def irregularities(vocabulary: Vocabulary) -> list[str]:
    """Return the irregularities of these rules, those of the drawn table first."""
    speaking = (each for each in vocabulary.rules if "referee" in each.chapters)
    return list(dict.fromkeys(word for each in speaking for word in each.referee.rows))


def _tops(vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    yield from _ranks(vocabulary, _shape)
    yield {"value": NOUGHT, "says": "a void suit"}


def _ranks(_vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    return _chosen(reversed(RANKS), lambda rank: RANK_NAMES[RANKS.index(rank)])


def _trumps(_vocabulary: Vocabulary, _shape: Shape) -> Iterator[Choice]:
    yield from _chosen(SUITS, printed.suit_name)
    yield {"value": None, "says": "none yet"}


def _of_the_schema(_vocabulary: Vocabulary, shape: Shape) -> Iterator[Choice]:
    return _chosen(shape["enum"], lambda value: ANSWERS.get(value, plain(value)))


#: The choices for each key.
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


# ---- acts


#: The button label of each kind of act, in the order in which players meet them.
ACTS: Final[Mapping[str, str]] = MappingProxyType(
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
#: The kinds of act that one act of each player makes up.
SEVERAL: Final[Mapping[str, str]] = MappingProxyType({"trick": "play", "draw-all": "draw"})
#: The labels of announcements, with the fields of each.
_CLASSES: Final[Mapping[str, tuple[str, frozenset[str]]]] = MappingProxyType(
    {
        "blank": ("Announce a carte blanche", frozenset()),
        "point": ("Announce a point", frozenset({"count", "value"})),
        "sequence": ("Announce a sequence", frozenset({"count", "top"})),
        "set": ("Announce a set", frozenset({"count", "rank"})),
    }
)
_OF_A_CLASS: Final = frozenset({"count", "value", "top", "rank"})


def kinds(game: Game, vocabulary: Vocabulary) -> list[Entry]:
    """Return the kinds of acts of the games asked; those open now are marked and come first."""
    now = open_kinds(game)
    broken: dict[str, list[str]] = {}  # the irregularities, by the kinds of acts that cause them
    for each in irregularities(vocabulary):
        for word in broken_by(spoken_of(vocabulary, each)[0]):
            broken.setdefault(word, []).append(each)
    found = [kind for word in _known_acts(vocabulary) for kind in _kinds_of(vocabulary, word, broken.get(word, ()))]
    marked = [{**kind, "open": True} if kind["do"] in now else kind for kind in found]
    return sorted(marked, key=lambda kind: "open" not in kind)


def open_kinds(game: Game) -> set[str]:
    """Return the words for the kinds of acts that somebody may do now."""
    phase = game.table.phase
    if phase in CHANCE or game.is_over:
        return {"cut", "deal"} & {str(phase)}
    now = {word_of(type(part[0])) for part in game.legal_actions.parts if part}
    return now | ({"trick"} if phase is Phase.PLAY and not game.table.trick else set())


def _known_acts(vocabulary: Vocabulary) -> list[str]:
    known = {word_of(act) for rules in vocabulary.rules for act in rules.procedure.moves if act is not Irregular}
    known |= {several for several, single in SEVERAL.items() if single in known}
    return [word for word in ACTS if word in known]


def _kinds_of(vocabulary: Vocabulary, word: str, broken: Sequence[str]) -> Iterator[Entry]:
    """Yield a kind of act, with the irregularities that it may cause; for announcements, one for each class."""
    shape = vocabulary.shape("do", word)
    if word == "announce":
        for class_, (short, own) in _CLASSES.items():
            made = [*fields(vocabulary, shape, {"class", *(_OF_A_CLASS - own)}), *_though_refused(broken)]
            yield {"do": word, "short": short, "step": {"do": word, "class": class_}, "fields": made}
    else:
        made = fields(vocabulary, shape, () if broken else {"takes"})
        yield {
            "do": word,
            "short": ACTS[word],
            "says": shape["description"],
            "fields": [*made, *_though_refused(broken)],
        }


def _though_refused(broken: Sequence[str]) -> list[dict[str, Any]]:
    """Return the field for the irregularity under which a refused act may be carried out, if there are any."""
    choices = [{"value": each, "says": plain(each)} for each in broken]
    made = {"key": "irregular", "says": "If refused, carry out as", "type": "choice", "choices": choices}
    return [{**made, "optional": True}] if choices else []


# ---- questions


#: The titles of the kinds of questions, in the order in which players meet them.
_QUESTIONS: Final[Mapping[str, str]] = MappingProxyType(
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
        "partie": "Who has won the partie?",
        "ruling": "What is the ruling?",
    }
)
#: Explanations of questions that their fields do not explain; then the titles of the two ways to ask about a class.
_ABOUT_QUESTIONS: Final[Mapping[str, str]] = MappingProxyType(
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


def questions(vocabulary: Vocabulary) -> list[Entry]:
    """Return every kind of question that these games have."""
    known = {word_of(each) for rules in vocabulary.rules for each in (*rules.procedure.asks, Visible)}
    return [each for word in _QUESTIONS if word in known for each in _question(vocabulary, word)]


def _question(vocabulary: Vocabulary, word: str) -> Iterator[Entry]:
    """Yield one kind of question, once for each way to ask it."""
    shape = vocabulary.shape("ask", word)
    ways = [way["required"] for way in shape.get("oneOf", ())]
    for way in ways or [[]]:
        others = {key for each in ways for key in each if key not in way}
        needed = {**shape, "required": [*shape["required"], *way]}
        short = _WAYS[way[0]] if way else _QUESTIONS[word]
        made = fields(vocabulary, needed, others)
        yield {"ask": word, "short": short, "says": _ABOUT_QUESTIONS.get(word, ""), "fields": made}


# ---- irregularities


def irregular(vocabulary: Vocabulary) -> list[Entry]:
    """Return every irregularity in any of these rules. An act that is irregular is done and may then be claimed.
    Irregularities beyond the cards on the table, for which only a ruling can be requested, come last."""
    every = [stated for word in irregularities(vocabulary) for stated in _stated(vocabulary, word)]
    return sorted(every, key=lambda stated: "ask" in stated)


def _stated(vocabulary: Vocabulary, word: str) -> Iterator[Entry]:
    row, title = spoken_of(vocabulary, word)
    if row.breaks:
        for kind in (kinds := broken_by(row)):
            made = _entry(vocabulary, word, title, {"do": kind, "irregular": word, **_count(row)})
            yield {**made, "short": f"{made['short']}: {ACTS[kind].lower()}"} if len(kinds) > 1 else made
        if row.until != "at-once":
            claimed = _entry(vocabulary, word, title, {"do": "claim", "irregularity": word})
            yield {**claimed, "short": f"Claim: {plain(word)}"}
    elif row.finds:
        yield _entry(vocabulary, word, title, {"do": "claim", "irregularity": word})
    elif row.beyond_play:
        yield _entry(vocabulary, word, title, {"ask": "ruling", "irregularity": word})
    else:
        yield _entry(vocabulary, word, title, {"do": "mishap", "irregularity": word})


def spoken_of(vocabulary: Vocabulary, word: str) -> tuple[Irregularity, str]:
    """Return the row and the title of an irregularity in the first of these rules that has it."""
    rules = next(each for each in vocabulary.rules if "referee" in each.chapters and word in each.referee.rows)
    row = rules.referee.rows[word]
    return row, str(rules.cells[row.grounds[0]].value["title"])


#: The kinds of acts that are refused with some codes; the others are plays.
_REFUSED: Final[Mapping[str, str]] = MappingProxyType(
    {"not-a-combination": "declare", "not-held": "announce", "nothing-better-held": "answer"}
)


def broken_by(row: Irregularity) -> Sequence[str]:
    """Return the kinds of acts that cause an irregularity."""
    if row.by_drawing:
        return ["draw"]
    return [row.by_act] if row.by_act else list(dict.fromkeys(_REFUSED.get(code, "play") for code in row.breaks))


def _count(row: Irregularity) -> dict[str, int]:
    """Return the number of cards of an irregularity, if it arises only by drawing exactly that many."""
    if "too-few-drawn" in row.breaks and row.by_drawing:
        return {"count": 0}
    return {"count": row.at_least} if row.at_least == row.at_most else {}


def _entry(vocabulary: Vocabulary, word: str, title: str, step: Mapping[str, str | int]) -> Entry:
    tag = "do" if "do" in step else "ask"
    made = fields(vocabulary, vocabulary.shape(tag, str(step[tag])), step)
    short = sentence(plain(word)).removesuffix(".")
    return {
        "irregular": word,
        tag: step[tag],
        "short": short,
        "says": sentence(title),
        "step": dict(step),
        "fields": made,
    }
