"""Observations as numbers: named planes, each of a fixed length."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from hoyle import Rules
from hoyle_reference import Phase
from hoyle_reference import Rules as CompiledRules
from hoyle_reference.cards import RANKS, SUITS, Card, read_card
from hoyle_reference.seats import SEATS, Seat, ring
from hoyle_reference.table import BlankState, Cause

_PHASES: Final = tuple(Phase)
_BLANKS: Final = tuple(BlankState)
#: How high a void suit stands, and a height that has not been told.
_HEIGHTS: Final = {rank: number for number, rank in enumerate(RANKS, start=1)} | {"nought": 0, "": -1}


class Plane(NamedTuple):
    """One part of an observation as numbers: its name, and how many numbers it has."""

    name: str
    size: int


class _View(NamedTuple):
    """The fields that one player sees, the letters of the seats from that player's on, and cards put away."""

    seen: Mapping[str, Any]
    seats: Sequence[str]
    away: Sequence[Card]


#: What a plane has in a view: its numbers, as many as its size, or none where all of them are 0.
_Fill = Callable[[_View], list[int]]


def planes_of(rules: Rules) -> tuple[Plane, ...]:
    """Return the planes of a game; they depend on the rules alone."""
    return tuple(plane for plane, _ in _planes(rules))


def array_of(rules: Rules, who: Seat, seen: Mapping[str, Any], away: Sequence[Card]) -> list[int]:
    """Return the numbers of all planes for what the player in a seat sees."""
    seats = [SEATS[seat] for seat in ring(who, rules._compiled.players)]
    view = _View(seen, seats, away)
    numbers: list[int] = []
    for plane, fill in _planes(rules):
        numbers += fill(view) or [0] * plane.size
    return numbers


@lru_cache(maxsize=64)
def _planes(rules: Rules) -> tuple[tuple[Plane, _Fill], ...]:
    compiled = rules._compiled
    held = {field.name for field in compiled.fields}
    return tuple((plane, fill) for field, plane, fill in _every(compiled) if not field or field in held)


def _every(rules: CompiledRules) -> Iterator[tuple[str, Plane, _Fill]]:
    """Yield every plane, with the field that a game must hold to have it, and what fills it."""
    cards, players = len(rules.pack), rules.players
    melds = sorted(rules.combinations)
    choices = [choice for offer in rules.procedure.offers for choice in offer.choices]
    yield "", Plane("phase", len(Phase)), lambda view: _one_of(_PHASES, view.seen["phase"])
    for field in ("turn", "dealer", "leader", "last_trick_won_by", "first_to_target"):
        yield field, Plane(field, players), _seat(field)
    yield "", Plane("score", players), lambda view: [view.seen["score"][_side(rules, seat)] for seat in view.seats]
    yield (
        "",
        Plane("choices", len(choices)),
        lambda view: [int(each in view.seen.get("choices", ())) for each in choices],
    )
    for field in ("deals", "deals_left", "stock", "combinations_since_trick", "sevens_since_trick", "undrawn"):
        yield field, Plane(field, 1), _count(field)
    for field in ("trumps", "named_suit"):
        yield field, Plane(field, len(SUITS)), _suit(field)
    for field in ("turn_up", "claimed", "heap"):
        yield field, Plane(field, cards), _cards(field, cards)
    for field in ("hands", "won", "discards", "seen", "drawn", "to_show"):
        yield field, Plane(f"{field}: own", cards), _cards_of(field, 0, cards)
    yield "discards", Plane("put away so far", cards), lambda view: _bits(view.away, cards)
    for field in ("hands", "won", "discards"):
        yield field, Plane(f"{field}: numbers of cards", players), _sizes(field)
    for at in range(players):
        yield "", Plane(f"trick: player {at + 1}", cards), _of_the_trick(at, cards)
        yield "shown", Plane(f"shown: player {at + 1}", cards), _cards_of("shown", at, cards)
        for field in ("scored", "kept"):
            yield field, Plane(f"{field}: player {at + 1}", len(melds)), _melds(rules, field, at, melds)
        yield "blanks", Plane(f"blanks: player {at + 1}", len(BlankState)), _blank(at)
        yield "made_of", Plane(f"made_of: player {at + 1}", len(Cause)), _made_of(at)
    yield "called", Plane("called", _CALLED * 3 + 3 * players + 3), _called


def _one_of(words: Sequence[str], word: str | None) -> list[int]:
    return [int(word == each) for each in words]


def _bits(cards: Iterable[Card], size: int) -> list[int]:
    bits = [0] * size
    for card in cards:
        bits[card] = 1
    return bits


def _named(names: Any) -> list[Card]:
    """Return the cards of names; none for a number of cards, or for nothing."""
    several = [names] if isinstance(names, str) else names if isinstance(names, list) else []
    return [card for name in several if (card := read_card(name)) is not None]


def _side(rules: CompiledRules, seat: str) -> str:
    return SEATS[rules.side_of[SEATS.index(seat)]]


def _seat(field: str) -> _Fill:
    return lambda view: _one_of(view.seats, view.seen.get(field))


def _count(field: str) -> _Fill:
    return lambda view: [view.seen.get(field, 0)]


def _suit(field: str) -> _Fill:
    return lambda view: _one_of(SUITS, view.seen.get(field))


def _cards(field: str, size: int) -> _Fill:
    return lambda view: _bits(_named(view.seen.get(field)), size)


def _cards_of(field: str, at: int, size: int) -> _Fill:
    return lambda view: _bits(_named(view.seen.get(field, {}).get(view.seats[at])), size)


def _sizes(field: str) -> _Fill:
    def sizes(view: _View) -> list[int]:
        piles = [view.seen.get(field, {}).get(seat, 0) for seat in view.seats]
        return [pile if isinstance(pile, int) else len(pile) for pile in piles]

    return sizes


def _of_the_trick(at: int, size: int) -> _Fill:
    def played(view: _View) -> list[int]:
        trick = view.seen.get("trick", [])
        if not trick:
            return []
        place = (at - view.seats.index(view.seen["leader"])) % len(view.seats)
        return _bits(_named(trick[place : place + 1]), size)

    return played


def _melds(rules: CompiledRules, field: str, at: int, melds: Sequence[str]) -> _Fill:
    def counts(view: _View) -> list[int]:
        named = [each["meld"] for each in view.seen.get(field, {}).get(_side(rules, view.seats[at]), ())]
        return [named.count(meld) for meld in melds]

    return counts


def _blank(at: int) -> _Fill:
    return lambda view: _one_of(_BLANKS, view.seen.get("blanks", {}).get(view.seats[at]))


def _made_of(at: int) -> _Fill:
    def points(view: _View) -> list[int]:
        made = view.seen.get("made_of", {}).get(view.seats[at], {})
        return [made.get(cause, 0) for cause in Cause]

    return points


#: The numbers of one announcement: its number of cards, and its height.
_CALLED: Final = 2


def _called(view: _View) -> list[int]:
    """Return what has been announced of each class and whose it is, and what is announced of the class being called."""
    called, players = view.seen.get("called"), len(view.seats)
    if called is None:
        return []
    announced = [number for each in called["announced"] for number in (each["count"], _height(each["height"]))]
    decided = [number for seat in called["decided"] for number in _one_of(view.seats, seat)]
    now = [called["count"], _height(called["height"]), int(called["asked"])]
    return [*_filled(announced, _CALLED * 3), *_filled(decided, 3 * players), *now]


def _filled(numbers: list[int], size: int) -> list[int]:
    return numbers + [0] * (size - len(numbers))


def _height(told: str) -> int:
    """Return a height as a number: the value of a point, or the rank of a card from 1 (a seven) to 8 (an ace)."""
    return _HEIGHTS[told] if told in _HEIGHTS else int(told)
