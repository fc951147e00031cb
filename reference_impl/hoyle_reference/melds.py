"""Melds: which cards make a combination.

A row of the table describes a combination by its cards: faces (``[QS, JD]``), or ranks with what their suits must be
(``[K, Q]`` of trumps, of one plain suit; four queens of any suits). A row is compiled once into a `Pattern`, two
functions: one tells whether given cards are the combination, the other finds all of them in a hand.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Final

from .cards import RANKS, SUITS, Card, Suit, face_of, rank_of, read_card, read_rank, suit_of
from .cells import Cell
from .refusals import Malformed

_NO_TRUMPS: Final = len(SUITS)
#: Faces, lowest first, with repeats: what a combination looks like.
Shape = tuple[int, ...]


class Hand:
    """A hand as the search for combinations sees it: its cards, its faces, and how many cards it has of each rank."""

    __slots__ = ("cards", "faces", "ranks")

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = cards
        self.faces = {card & 31 for card in cards}
        self.ranks = [0] * len(RANKS)
        for card in cards:
            self.ranks[card & 7] += 1


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a combination is recognised, and how all of its kind are found in a hand."""

    fits: Callable[[Sequence[Card], Suit | None], bool]
    find: Callable[[Hand, Suit | None], Iterable[tuple[Card, ...]]]


@dataclass(frozen=True, slots=True)
class Meld:
    """A combination that scores (points), what it counts as for re-use (`kind`), and the kinds it is superior to."""

    id: str
    kind: str
    over: frozenset[str]
    points: int
    unused: int
    pattern: Pattern
    path: str


def compile_meld(row: Cell) -> Meld:
    """A combination from its row of the table; raises Malformed where the row makes no sense."""
    fields: Mapping[str, Any] = row.value
    return Meld(
        id=fields["id"],
        kind=fields["kind"],
        over=frozenset(fields.get("over", ())),
        points=fields["points"],
        unused=fields.get("unused", 0),
        pattern=_pattern(fields["cards"], fields.get("suits"), row.path),
        path=row.path,
    )


def _pattern(cards: Sequence[str], suits: str | None, path: str) -> Pattern:
    if suits is None:
        faces = [read_card(text) for text in cards]
        if None in faces:
            raise Malformed("its cards have no suits, so `suits` must say which", path)
        shape: Shape = tuple(sorted(face_of(card) for card in faces if card is not None))
        return _shaped(lambda _trumps: (shape,))
    ranks = [read_rank(text) for text in cards]
    if suits == "trumps":
        return _shaped(lambda trumps: () if trumps is None else (_of_suit(ranks, trumps),))
    if suits == "plain":
        return _shaped(lambda trumps: tuple(_of_suit(ranks, suit) for suit in range(len(SUITS)) if suit != trumps))
    return _of_ranks(Counter(ranks), each_once=suits == "one-each")


def _of_suit(ranks: Iterable[int], suit: int) -> Shape:
    return tuple(sorted(suit << 3 | rank for rank in ranks))


def _shaped(shapes: Callable[[Suit | None], tuple[Shape, ...]]) -> Pattern:
    """A pattern that consists of one or more shapes, which may depend on the trumps."""
    trumps_or_none = [*map(Suit, range(len(SUITS))), None]
    by_trumps = [shapes(trumps) for trumps in trumps_or_none]
    needs = [[(Counter(shape), frozenset(shape)) for shape in known] for known in by_trumps]

    def fits(cards: Sequence[Card], trumps: Suit | None) -> bool:
        return tuple(sorted(map(face_of, cards))) in by_trumps[_NO_TRUMPS if trumps is None else trumps]

    def find(hand: Hand, trumps: Suit | None) -> Iterable[tuple[Card, ...]]:
        found: list[tuple[Card, ...]] = []
        for counted, faces in needs[_NO_TRUMPS if trumps is None else trumps]:
            if faces <= hand.faces:
                found += _choose([(face_of, face, n) for face, n in counted.items()], hand.cards)
        return found

    return Pattern(fits, find)


def _of_ranks(counted: Counter[Any], *, each_once: bool) -> Pattern:
    """A pattern of ranks whose suits do not matter, or must all differ."""
    size = counted.total()

    def suits_do(cards: Sequence[Card]) -> bool:
        return not each_once or len({suit_of(card) for card in cards}) == size

    def fits(cards: Sequence[Card], _trumps: Suit | None) -> bool:
        return Counter(map(rank_of, cards)) == counted and suits_do(cards)

    def find(hand: Hand, _trumps: Suit | None) -> Iterable[tuple[Card, ...]]:
        if any(hand.ranks[rank] < n for rank, n in counted.items()):
            return ()
        return filter(suits_do, _choose([(rank_of, rank, n) for rank, n in counted.items()], hand.cards))

    return Pattern(fits, find)


def _choose(
    wanted: Iterable[tuple[Callable[[Card], int], int, int]], hand: Sequence[Card]
) -> Iterator[tuple[Card, ...]]:
    """All ways to take, for each wanted (of what, which, how many), that many cards of the hand."""
    ways = [combinations(sorted(card for card in hand if of(card) == which), n) for of, which, n in wanted]
    for parts in product(*ways):
        yield tuple(sorted(card for part in parts for card in part))
