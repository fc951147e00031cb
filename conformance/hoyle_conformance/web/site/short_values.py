"""Rules in a few words, as they stand beside each other in a table: points, cards, or what its word means."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.html import Markup, drawn, joined, tag, text
from hoyle_conformance.wording.rulebook_entries import Entry, kind_name, value_in_words
from hoyle_conformance.wording.rulings import is_irregularity
from hoyle_conformance.wording.text import join_and
from hoyle_reference.cards import RANK_NAMES, RANKS

_SUITS: Final = {"one-each": "four suits", "any": "any suits"}
#: So many lower combinations are named; several are not.
_FEW: Final = 1


def short(entry: Entry) -> Markup:
    """Return a rule in a few words, with ranks as cards; of an irregularity the ruling."""
    value = entry.cell.value
    if is_irregularity(value):
        return drawn(str(value["ruling"]))
    if isinstance(value, Mapping):
        return text(_called(value) if "class" in value else _combination(value))
    said = entry.short
    if isinstance(said, Mapping):
        return text(said[str(value)]) if str(value) in said else _plain(value)
    if not said:
        return _plain(value)
    before, _, after = said.replace("{s}", "" if value == 1 else "s").partition("{value}")
    return joined([before, _plain(value), after])


def _plain(value: Any) -> Markup:
    """Return a value by itself: ranks as cards, packets, numbers as figures, a word of the vocabulary without
    hyphens."""
    if isinstance(value, str):
        return ranks(value) if set(value.split()) <= set(RANKS) else text(value.replace("-", " "))
    if isinstance(value, Sequence):
        ways = [_packets(way) for way in value if isinstance(way, Sequence)]
        dealt = f"{sum(value[0])} cards, {join_and(ways, 'or')}" if ways else ""
        return text(dealt or ", ".join(map(str, value)))
    return text(f"{value:,}" if value else "no")


def _packets(way: Sequence[int]) -> str:
    if len(set(way)) > 1:
        return join_and([str(size) for size in way])
    return "one by one" if way[0] == 1 else f"by {value_in_words(way[0])}s"


def ranks(value: str) -> Markup:
    """Ranks in their order, drawn as cards; as names for those who do not see them."""
    names = [RANK_NAMES[RANKS.index(rank)] for rank in value.split()]
    cards = (tag("span", "10" if rank == "T" else rank, class_="card") for rank in value.split())
    return tag("span", joined(cards), class_="cards", role="img", aria_label=join_and(names))


def _combination(row: Mapping[str, Any]) -> str:
    """Return the points of a combination, and what it asks of its cards beyond its name."""
    if not row["points"]:
        return "scores nothing"
    alike = len(row["cards"]) > 1 and len(set(row["cards"])) == 1
    parts = [f"{row['points']:,} points", _SUITS.get(row.get("suits", ""), "") if alike else ""]
    parts += [f"{value_in_words(row['unused'])} of its cards fresh"] if row.get("unused") else []
    parts += [_by_trumps(row["cards_by_trumps"])] if row.get("cards_by_trumps") else []
    parts += ["may make trumps"] if row.get("makes_trumps") else []
    parts += [f"superior to {_lower(row['over'])}"] if row.get("over") else []
    return ", ".join(part for part in parts if part)


def _by_trumps(cards: Mapping[str, Any]) -> str:
    suits = [printed.card(f"A{suit}")[1:] for suit in cards]
    return f"other cards where {join_and(suits, 'or')} is trumps"


def _lower(kinds: Sequence[str]) -> str:
    return join_and([kind_name(kind) for kind in kinds]) if len(kinds) <= _FEW else "those below it"


def _called(row: Mapping[str, Any]) -> str:
    """Return the points of something that is called in a class."""
    worth = f"{row['points']:,} points" if row["points"] else "scores nothing"
    return f"{row['cards']} cards: {worth}"
