"""Comparison of reported with expected values: cards by their faces, and without order unless that matters."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final

#: The face of a card, whose name is known to be one.
_TWO: Final = itemgetter(slice(2))
_CARD: Final = re.compile(r"([789TJQKA][CDHS])(#[1-8])?")
#: The keys of a position under which cards lie.
_PILES: Final = ("hands", "stock", "trick", "won", "discards", "turn_up")
#: Places whose cards lie in a certain order.
_IN_ORDER: Final = frozenset({"the stock", "the trick"})


def comparable(value: Any) -> Any:
    """Return a value in the form in which two of them are compared; any value that an engine may send has one."""
    match value:
        case str():
            return face(value)
        case {"meld": meld, "cards": list(cards), **rest} if not rest:
            return str(meld), comparable(cards)
        case Mapping():
            return {key: comparable(each) for key, each in value.items()}
        case list() | tuple() if any(isinstance(each, (dict, Mapping)) for each in value):
            return frozenset(repr(comparable(each)) for each in value)
        case list() | tuple():
            return tuple(sorted(map(comparable, value), key=repr))
        case _:
            return value


@lru_cache(maxsize=4096)
def face(text: str) -> str:
    """Return a card without the number of its copy, and any other text as it is."""
    card = _CARD.fullmatch(text)
    return card[1] if card else text


def _where_cards_lie(position: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the faces of the cards in each place, by the name of the place."""
    places = {f"the hand of {seat}": cards for seat, cards in position["hands"].items()}
    places |= {f"the tricks of {seat}": cards for seat, cards in position["won"].items()}
    places |= {f"the {key}": position[key] for key in ("stock", "trick")}
    places |= {f"the discards of {seat}": cards for seat, cards in position.get("discards", {}).items()}
    places |= {"the cards left undrawn": position["undrawn"]} if position.get("undrawn") else {}
    places["the turn-up"] = [position["turn_up"]] if position.get("turn_up") else []
    return {
        place: list(map(face, cards)) if place in _IN_ORDER else sorted(map(face, cards))
        for place, cards in places.items()
    }


def cards_of(position: Mapping[str, Any]) -> list[str]:
    """Return all the cards of a position."""
    piles = chain(position["hands"].values(), position["won"].values(), position.get("discards", {}).values())
    turned = [position["turn_up"]] if position.get("turn_up") else []
    return [*chain(*piles, position["stock"], position["trick"], position.get("undrawn", ()), turned)]


def moved_cards(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[dict[str, list[str]], dict[str, list[str]]] | None:
    """Return the places whose cards have changed, with the cards before and after, or None."""
    if all(before.get(key) == after.get(key) for key in _PILES):  # to the very names: mostly it is so
        return None
    was, now = _where_cards_lie(before), _where_cards_lie(after)
    places = sorted(place for place in was | now if was.get(place, []) != now.get(place, []))
    if not places:
        return None
    return {place: was.get(place, []) for place in places}, {place: now.get(place, []) for place in places}


def lost_or_doubled(pack: Sequence[str], position: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the cards of the pack that a position has too few and too many of, with all the places of the latter, or
    None."""
    cards = cards_of(position)
    if len(cards) == len(pack) and set(cards) == set(pack):  # even by their names: mostly they are
        return None
    was, now = Counter(map(_TWO, pack)), Counter(map(_TWO, cards))
    if was == now:
        return None
    doubled = sorted((now - was).elements())
    places = _where_cards_lie(position)
    lie = {card: [place for place, held in places.items() for each in held if each == card] for card in doubled}
    return {"lost": sorted((was - now).elements()), "doubled": doubled, "lie": lie}
