"""Wishes for a deal: a hand that holds a combination, no court card, or a certain card. What can be wished for is read
off the combinations of the rules."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any, Final

from hoyle_conformance.checks.plan import complete
from hoyle_conformance.web.explorer.deal import dealt
from hoyle_conformance.web.explorer.layout import Wrong
from hoyle_conformance.web.explorer.shorthands import plural_rank
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.rulings import plain
from hoyle_reference import ClassRules, Game, Rules, read_act, read_position
from hoyle_reference.acts import POINT, SEQUENCE, SET
from hoyle_reference.cards import RANK_NAMES, RANKS, SUITS, Card, Suit, face_of, name, rank_of, suit_of

Names = Mapping[str, str]
#: Faces, with repeats.
Faces = tuple[int, ...]

_TRIES: Final = 200
_MOST: Final = 8
_POINTS: Final = (5, 6, 7)
_CARD: Final = re.compile(rf"card:([{RANKS}][{SUITS}])(?:#[2-8])?")
_REMEDY: Final = "Wish for less, or deal without wishes."


@dataclass(frozen=True, slots=True)
class Wish:
    """Something that a hand may hold: its id, how it is said, and the ways in which cards make it, by the suit of
    trumps; or the ranks that the hand must be without."""

    id: str
    says: str
    ways: tuple[tuple[Faces, ...], ...] = ()
    without: frozenset[int] = frozenset()

    def under(self, trumps: Suit | None) -> tuple[Faces, ...]:
        """Return the ways in which cards make it, if a suit is trumps; any suit can be, if none is yet."""
        none_yet = self.ways[len(SUITS)] or [way for ways in self.ways for way in ways]
        return self.ways[trumps] if trumps is not None else tuple(dict.fromkeys(none_yet))


def wishes(rules: Rules, melds: Names) -> list[Wish]:
    """Return what can be wished for in a game, in the order of its rules: what fits into a hand."""
    found = [*_blanks(rules, melds), *_melds(rules, melds), *_classes(rules, melds), *_trumps(rules)]
    size = rules.deal.hand_size
    return [each for each in found if each.without or any(len(way) <= size for ways in each.ways for way in ways)]


def _always(ways: Sequence[Faces]) -> tuple[tuple[Faces, ...], ...]:
    """Return the same ways for every suit of trumps."""
    return (tuple(ways),) * (len(SUITS) + 1)


def _blanks(rules: Rules, melds: Names) -> Iterator[Wish]:
    says = melds.get("carte-blanche", "carte blanche")
    if "blank" in rules.chapters:
        yield Wish("carte-blanche", says, without=rules.blank.without.value)
    if "carte_blanche" in rules.chapters:
        yield Wish("carte-blanche", says, without=rules.carte_blanche.without.value)


def _melds(rules: Rules, melds: Names) -> Iterator[Wish]:
    for meld in rules.declare.melds.by_id.values() if "declare" in rules.chapters else ():
        ways = meld.pattern.shapes
        if meld.pattern.ranks:
            ways = _always(_of_ranks(meld.pattern.ranks, suits_differ=meld.pattern.suits_differ))
        if any(ways):
            yield Wish(f"meld:{meld.id}", melds.get(meld.id, plain(meld.id)), ways)


def _of_ranks(ranks: Sequence[tuple[int, int]], *, suits_differ: bool) -> list[Faces]:
    """Return ways to take so many cards of each rank: one of each suit as far as they go."""
    faces: list[Faces] = [()]
    for rank, count in ranks:
        of_rank = [suit << 3 | rank for suit in range(len(SUITS))]
        once = list(combinations(of_rank, count)) if count <= len(SUITS) else []
        some = once if suits_differ or once else [tuple(of_rank[at % len(SUITS)] for at in range(count))]
        faces = [(*before, *more) for before in faces for more in some]
    return faces


def _classes(rules: Rules, melds: Names) -> Iterator[Wish]:
    """Yield what is called: points, sequences, and sets of each rank."""
    classes = rules.get(ClassRules)
    if classes is None:
        return
    for count in _POINTS:
        some = [tuple(suit << 3 | rank for rank in held) for suit in range(len(SUITS)) for held in _held(count)]
        yield Wish(f"{POINT}:{count}", f"a point of {count}", _always(some))
    for count, kind in sorted(classes.sequences.items()):
        runs = [
            tuple(suit << 3 | rank for rank in range(low, low + count))
            for suit in range(len(SUITS))
            for low in range(len(RANKS) - count + 1)
        ]
        yield Wish(f"{SEQUENCE}:{count}", melds.get(kind.id, kind.id), _always(runs))
    for count, kind in sorted(classes.sets.items()):
        for rank in classes.set_ranks.value:
            faces = [suit << 3 | rank for suit in range(len(SUITS))]
            says = f"{melds.get(kind.id, kind.id)} of {plural_rank(RANK_NAMES[rank])}"
            yield Wish(f"{SET}:{count}:{RANKS[rank]}", says, _always(list(combinations(faces, count))))


def _held(count: int) -> list[tuple[int, ...]]:
    return list(combinations(range(len(RANKS)), count))


def _trumps(rules: Rules) -> Iterator[Wish]:
    """Yield each card of the suit of trumps, where a card is turned up."""
    if _places(rules, "").turn_up is not None:
        for rank in reversed(range(len(RANKS))):
            ways = tuple(((suit << 3 | rank,),) for suit in range(len(SUITS)))
            yield Wish(f"trump:{RANKS[rank]}", f"the {RANK_NAMES[rank]} of trumps", (*ways, ()))


# ---- a deal with them

Wished = tuple[str, Wish]


@dataclass(frozen=True, slots=True)
class Places:
    """The places in a pack, from the top, of the cards that each player is dealt, and of the turn-up."""

    hands: Mapping[str, tuple[int, ...]]
    turn_up: int | None


def read_wishes(rules: Rules, melds: Names, value: Any) -> list[Wished]:
    """Return the wishes of a request, each with its seat; raises Wrong."""
    known = {each.id: each for each in wishes(rules, melds)}
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise Wrong("The wishes for the deal must be a list.", _REMEDY)
    if len(value) > _MOST:
        raise Wrong(f"{len(value)} wishes are too many.", f"Choose up to {_MOST}.")
    found = []
    for each in value:
        seat, wish = each.get("seat"), each.get("wish")
        if not isinstance(seat, str) or seat not in rules.letters or len(seat) != 1:
            raise Wrong("A wish must be for one of the players.", f"The players are {', '.join(rules.letters)}.")
        found.append((seat, known.get(wish) or _one_card(wish) if isinstance(wish, str) else None))
    if any(wish is None for _, wish in found):
        raise Wrong("One of the wishes is for something that this game does not have.", "Choose one of those offered.")
    return [(seat, wish) for seat, wish in found if wish is not None]


def _one_card(text: str) -> Wish | None:
    """Return the wish for a card that is named (``card:KS``); None if none is."""
    match = _CARD.fullmatch(text)
    if match is None:
        return None
    face = RANKS.index(match[1][0]) | SUITS.index(match[1][1]) << 3
    return Wish(text, printed.card(match[1]), _always([(face,)]))


def deck_with(rules: Rules, wished: Sequence[Wished], dealer: str, rng: Random) -> list[str]:
    """Return a shuffled pack that deals what is wished for; raises Wrong if it cannot be found."""
    places = _places(rules, dealer)
    for _ in range(_TRIES):
        found = _tried(places, wished, rng.sample(rules.pack, len(rules.pack)), rng)
        if found is not None:
            return [name(card) for card in found]
    says = " and ".join(f"{seat} has {wish.says}" for seat, wish in wished)
    raise Wrong(f"No deal was found in which {says}.", _REMEDY)


def _places(rules: Rules, dealer: str) -> Places:
    """Return the places in the pack of the cards that are dealt."""
    given, step = dealt([rules], [name(card) for card in rules.pack], dealer)
    game = Game(read_position(rules, complete(rules, given, [step])))
    game.apply(read_act(rules, step))
    at = {card: place for place, card in enumerate(rules.pack)}
    hands = {letter: tuple(at[card] for card in game.table.hands[seat]) for seat, letter in enumerate(rules.letters)}
    return Places(hands, None if game.table.turn_up is None else at[game.table.turn_up])


def _tried(places: Places, wished: Sequence[Wished], deck: Sequence[Card], rng: Random) -> list[Card] | None:
    """Return a pack made of a shuffled one that deals what is wished for; None if these cards do not do it."""
    turned = () if places.turn_up is None else (deck[places.turn_up],)
    trumps = suit_of(turned[0]) if turned else None
    left = [card for card in deck if card not in turned]
    held: dict[str, list[Card]] = {seat: [] for seat in places.hands}
    for seat, wish in wished:
        if not wish.without and not _take(left, held[seat], wish.under(trumps), rng):
            return None
    laid = {} if places.turn_up is None else {places.turn_up: deck[places.turn_up]}
    strict_first = sorted(places.hands, key=lambda seat: not _without(wished, seat))
    for seat in strict_first:
        hand, without = places.hands[seat], _without(wished, seat)
        if len(held[seat]) > len(hand) or any(rank_of(card) in without for card in held[seat]):
            return None
        more = [card for card in left if rank_of(card) not in without][: len(hand) - len(held[seat])]
        if len(held[seat]) + len(more) < len(hand):
            return None
        left = [card for card in left if card not in more]
        laid |= zip(rng.sample(hand, len(hand)), (*held[seat], *more), strict=True)
    rest = iter(left)
    return [laid[place] if place in laid else next(rest) for place in range(len(deck))]


def _without(wished: Sequence[Wished], seat: str) -> frozenset[int]:
    """Return the ranks that a player's hand must be without."""
    return frozenset(rank for each, wish in wished if each == seat for rank in wish.without)


def _take(left: list[Card], hand: list[Card], ways: Sequence[Faces], rng: Random) -> bool:
    """Take cards for one of the ways, as far as the hand does not hold them yet; return whether there are such."""
    if not ways:
        return False
    wanted = Counter(rng.choice(ways)) - Counter(map(face_of, hand))
    found = []
    for face in wanted.elements():
        card = next((card for card in left if face_of(card) == face and card not in found), None)
        if card is None:
            return False
        found.append(card)
    hand += found
    left[:] = [card for card in left if card not in found]
    return True
