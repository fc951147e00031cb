"""The forms of games: the data that a table needs before a position is set up. All data comes from the rule tables and
the schema of scenarios."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Final

from hoyle_conformance.checks.setup.given import not_given
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import cards as printed
from hoyle_reference import Rules
from hoyle_reference.cards import RANKS, SUITS

#: The stages of a position in a player's words, first those that name a seat, then the others.
_STANDS: Final = {
    "leads": "{} leads to the trick",
    "has_won": "{} has won the trick, and not drawn",
    "exchanges": "{} is to exchange",
    "announces": "{} is to announce",
}
_BEFORE: Final = {"deal": "Before the deal", "cut": "Before the cut"}
#: The places of cards, in the order in which a table shows them.
_PLACES: Final[tuple[dict[str, Any], ...]] = (
    {"key": "hands", "says": "hand", "seat": True},
    {"key": "trick", "says": "Trick"},
    {"key": "turn_up", "says": "Turn-up", "one": True},
    {"key": "stock", "says": "Stock", "rest": True},
    {"key": "discarded", "says": "cards put away", "seat": True},
    {"key": "won", "says": "cards won", "seat": True},
    {"key": "claimed", "says": "Sevens exchanged or shown", "refers": True, "rare": True},
    {"key": "heap", "says": "Cards won that lie face up", "refers": True, "rare": True},
)
#: Further facts of a position, with their types; `seat` and `side` mark one a seat or side, `rare` seldom needed ones.
_FACTS: Final[tuple[dict[str, Any], ...]] = (
    {"key": "trumps", "says": "Trumps", "type": "suit"},
    {"key": "score", "says": "Score", "type": "number", "side": True},
    {"key": "dealer", "says": "Dealer", "type": "seat"},
    {"key": "scored", "says": "has scored", "type": "combinations", "seat": True},
    {"key": "kept", "says": "keeps to score", "type": "combinations", "seat": True},
    {"key": "called", "says": "Called so far", "type": "parts"},
    {"key": "announced", "says": "Elder has announced", "type": "parts"},
    {"key": "made_of", "says": "Made in this deal", "type": "parts", "seat": True},
    {"key": "last_trick_won_by", "says": "Last trick won by", "type": "seat", "rare": True},
    {"key": "last_tricks", "says": "Tricks won since nobody draws", "type": "number", "seat": True, "rare": True},
    {"key": "blanks", "says": "Carte blanche, scored by", "type": "seats", "rare": True},
    {"key": "untouched", "says": "Hand not taken up yet by", "type": "seats", "rare": True},
    {"key": "surplus", "says": "Cards too many, or too few", "type": "number", "seat": True, "rare": True},
    {"key": "deal", "says": "Number of this deal", "type": "number", "rare": True},
    {"key": "packets", "says": "Packets dealt by", "type": "number", "seat": True, "rare": True},
)
#: The labels of the parts of a fact.
_PARTS: Final = {
    "point": "The point",
    "sequence": "Sequences",
    "set": "Sets",
    "blank": "Carte blanche",
    "tricks": "Tricks",
    "bonus": "Repique, pique, cards, capot",
    "beside": "In other ways",
    "count": "Number of cards",
    "value": "Value",
    "top": "Top card",
    "rank": "Rank",
}
_NO_LETTER: Final = re.compile(r"[^a-z0-9]+")


def inline(suite: Suite) -> dict[str, Any]:
    """Return the data of the page: the forms, and the sets of rulesets that can be compared."""
    made = forms(suite)
    return {"forms": made, "sets": sets(made)}


def forms(suite: Suite) -> list[dict[str, Any]]:
    """Return every form of every game: its cards, seats and places, the facts of a position, and its books."""
    by_title: dict[str, list[str]] = {}
    for rulesets in suite.rules.games.values():
        for each in rulesets:
            by_title.setdefault(each.form or each.title, []).append(each.id)
    return [_form(suite, title, names) for title, names in by_title.items()]


def sets(made: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the sets of rulesets: each form, or all forms of a game with the same numbers of players and cards."""
    alike: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for each in made:
        alike.setdefault(tuple(each[key] for key in ("game", "players", "packs", "hand")), []).append(each)
    return [
        {
            "title": title,
            "form": some[0]["key"],
            "rulesets": [ruleset["id"] for each in some for ruleset in each["rulesets"]],
        }
        for some in alike.values()
        for title in [" and ".join(each["title"] for each in some)]
    ]


def _form(suite: Suite, title: str, names: list[str]) -> dict[str, Any]:
    rules = [suite.rules.of(name) for name in names]
    first = rules[0]
    lacking = set.intersection(*({*not_given(each)} for each in rules))
    seats = list(first.letters)
    return {
        "key": _slug(title),
        "title": title,
        "game": suite.rulesets[names[0]].game,
        "players": first.players,
        "packs": first.packs,
        "hand": first.deal.hand_size,
        "ranks": _ranks(first),
        "suits": [{"value": suit, "says": printed.suit_name(suit), "shown": printed.SYMBOLS[suit]} for suit in SUITS],
        "seats": seats,
        "sides": [[seats[seat] for seat in side] for side in first.sides],
        "stands": _stands(suite, seats, lacking),
        "places": [place for place in _PLACES if _has(first, place["key"], lacking)],
        "facts": list(_facts(suite, first, lacking)),
        "melds": _melds(suite, names),
        "rulesets": [_ruleset(suite, name) for name in names],
        "start": {"leads" if first.draws else "exchanges": first.letters[0]},  # the first player begins
    }


def _slug(title: str) -> str:
    """Return a title as a word: ``bezique-for-two``."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return _NO_LETTER.sub("-", plain).strip("-")


def _ranks(rules: Rules) -> str:
    """Return the ranks, lowest first, as they count in a trick."""
    duties = rules.tricks.while_drawing if rules.draws else rules.tricks.without_drawing
    strength = duties.strength.value
    return "".join(sorted(RANKS, key=lambda rank: strength[RANKS.index(rank)]))


def _has(rules: Rules, key: str, lacking: set[str]) -> bool:
    """Whether a position of these rules can have something of this name."""
    return key not in lacking and (key != "stock" or rules.draws or "talon" in rules.chapters)


def _stands(suite: Suite, seats: list[str], lacking: set[str]) -> list[dict[str, Any]]:
    """Return the stages of a position, with the facts that are unknown in the stages before the deal."""
    of = suite.schemas.documents["scenario"]["$defs"]["given"]["then"]["properties"]
    without = [key for key, allowed in of.items() if allowed is False]
    ways = [
        {"key": key, "value": seat, "says": says.format(seat)}
        for key, says in _STANDS.items()
        if key not in lacking
        for seat in seats
    ]
    before = ({"key": "before", "value": value, "says": says, "without": without} for value, says in _BEFORE.items())
    return [*ways, *before]


def _facts(suite: Suite, rules: Rules, lacking: set[str]) -> Iterable[dict[str, Any]]:
    """Return the facts of a form, each with its description in the schema of scenarios."""
    described = suite.schemas.documents["scenario"]["$defs"]["given"]["properties"]
    for fact in _FACTS:
        if fact["key"] in lacking:
            continue
        schema = described[fact["key"]]
        made = {**fact, **_limits(schema)}
        if fact["type"] == "parts":
            made["parts"] = list(_parts(schema, list(rules.letters)))
        yield made


def _limits(schema: Mapping[str, Any]) -> dict[str, int]:
    """Return the minimum and the maximum of a number."""
    of = schema.get("additionalProperties") or schema
    known = {"least": of.get("minimum"), "most": of.get("maximum")} if isinstance(of, Mapping) else {}
    return {key: value for key, value in known.items() if value is not None}


def _parts(schema: Mapping[str, Any], seats: list[str]) -> Iterable[dict[str, Any]]:
    """Return the parts of a compound fact, each with its type: a number, words, a choice, or parts again."""
    inside = schema.get("properties") or schema["additionalProperties"]["properties"]
    for key, part in inside.items():
        made = {"key": key, "says": _PARTS[key]}
        if "properties" in part:
            yield {**made, "type": "parts", "parts": list(_parts(part, seats))}
        elif "enum" in part:
            yield {**made, **_choice(value for value in part["enum"] if value in seats or len(value) > 1)}
        elif key == "rank":
            yield {**made, **_choice(RANKS)}
        elif part.get("type") == "string":
            yield {**made, "type": "text"}
        else:
            yield {**made, "type": "number", **_limits(part)}


def _choice(values: Iterable[str]) -> dict[str, Any]:
    return {"type": "choice", "choices": [{"value": value, "says": value} for value in values]}


def _melds(suite: Suite, names: list[str]) -> list[dict[str, str]]:
    """Return the combinations of these books by their names, each once."""
    said = {meld: says for name in names for meld, says in suite.rules.meld_names(name).items()}
    known = set().union(*(suite.rules.of(name).combinations for name in names))
    in_order = [*sorted(known - said.keys()), *(meld for meld in said if meld in known)]
    return [{"id": meld, "says": said.get(meld, meld)} for meld in in_order]


def _ruleset(suite: Suite, name: str) -> dict[str, Any]:
    ruleset = suite.rulesets[name]
    return {
        "id": name,
        "name": " and ".join(suite.sources[source].short for source in ruleset.sources),
        "title": ruleset.title,
        "href": f"rulesets/{name}.html",
        "options": [{"id": option, "says": says} for option, says in suite.rules.options(name).items()],
    }
