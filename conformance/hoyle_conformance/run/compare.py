"""Comparing what was reported with what is expected: cards by their faces, and without order where order is nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final

#: The face of a card, whose name is known to be one.
_TWO: Final = itemgetter(slice(2))
_CARD: Final = re.compile(r"([789TJQKA][CDHS])(#[1-8])?")
#: Places whose cards lie in a certain order.
_IN_ORDER: Final = frozenset({"the stock", "the trick"})

Faces = Counter[str]


def comparable(value: Any) -> Any:
    """A value as two of them are compared: any value an implementation may have sent has a form."""
    match value:
        case str():
            return face(value)
        case {"meld": meld, "cards": list(cards), **rest} if not rest:
            return str(meld), comparable(cards)
        case Mapping():
            return {key: comparable(each) for key, each in value.items()}
        case list() | tuple() if any(isinstance(each, Mapping) for each in value):
            return frozenset(repr(comparable(each)) for each in value)
        case list() | tuple():
            return tuple(sorted((comparable(each) for each in value), key=repr))
        case _:
            return value


@lru_cache(maxsize=4096)
def face(text: str) -> str:
    """A card without its copy; any other text as it is."""
    card = _CARD.fullmatch(text)
    return card[1] if card else text


def in_places(places: Mapping[str, Iterable[str]]) -> dict[str, Faces]:
    """The faces of the cards in each place, and how many there are of each."""
    return {place: Counter(map(face, cards)) for place, cards in places.items()}


def _where_cards_lie(position: Mapping[str, Any]) -> dict[str, list[str]]:
    """Each place, as people call it, and the faces of the cards in it."""
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


def cards_of(position: Mapping[str, Any]) -> Faces:
    """The faces of all the cards of a position."""
    piles = chain(position["hands"].values(), position["won"].values(), position.get("discards", {}).values())
    turned = [position["turn_up"]] if position.get("turn_up") else []
    return Counter(map(_TWO, chain(*piles, position["stock"], position["trick"], position.get("undrawn", ()), turned)))


def moved(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[dict[str, list[str]], dict[str, list[str]]] | None:
    """The places in which other cards lie now, with the cards before and after; nothing where there are none."""
    was, now = _where_cards_lie(before), _where_cards_lie(after)
    places = sorted(place for place in was | now if was.get(place, []) != now.get(place, []))
    if not places:
        return None
    return {place: was.get(place, []) for place in places}, {place: now.get(place, []) for place in places}


def lost_or_doubled(pack: Faces, position: Mapping[str, Any]) -> dict[str, list[str]] | None:
    """Which cards of the pack a position has too few and too many of; nothing where all is well."""
    now = cards_of(position)
    if dict.__eq__(now, pack):  # as counters are equal, but sooner: neither holds a face of which there is none
        return None
    return {"lost": sorted((pack - now).elements()), "doubled": sorted((now - pack).elements())}
