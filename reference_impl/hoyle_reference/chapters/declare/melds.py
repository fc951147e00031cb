"""The combinations of cards, and the cards that make each of them.

A row of the table describes a combination by its cards: faces (``[QS, JD]``), or ranks with a condition on their suits
(``[K, Q]`` of trumps, of one plain suit; four queens of any suits). Each row is compiled once, for each trump suit,
into its possible shapes, so that a few look-ups find the combinations in a hand.

Implements SEMANTICS-BEZIQUE.md, combination-1 to combination-4.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, product
from types import MappingProxyType
from typing import Any, Final

from ...cards import SUITS, Card, Suit, face_of, rank_of, read_card, read_rank, suit_of
from ...cells import Cell
from ...frozen import frozen
from ...refusals import Malformed

#: The shape of a combination: faces, lowest first, with repeats.
Shape = tuple[int, ...]
#: Faces or ranks, with the number of each.
Counted = tuple[tuple[int, int], ...]
#: The trump suits and none; a suit is its own index, and none comes last.
_TRUMPS: Final[tuple[Suit | None, ...]] = (*map(Suit, range(len(SUITS))), None)


@frozen
class Pattern:
    """The pattern of a combination: a tuple of shapes for each trump suit; or, if suits do not matter, a number of
    cards of each rank, perhaps all of different suits."""

    shapes: tuple[tuple[Shape, ...], ...] = ((),) * len(_TRUMPS)
    ranks: Counted = ()
    suits_differ: bool = False

    def fits(self, cards: Sequence[Card], trumps: Suit | None) -> bool:
        """Whether these cards are exactly the combination."""
        if self.ranks:
            return _counted(tuple(map(rank_of, cards))) == self.ranks and self.suits_do(cards)
        return tuple(sorted(map(face_of, cards))) in self.shapes[_index(trumps)]

    def suits_do(self, cards: Sequence[Card]) -> bool:
        """Whether the suits satisfy the condition, in a pattern of ranks."""
        return not self.suits_differ or len(set(map(suit_of, cards))) == len(cards)


@frozen
class Meld:
    """A combination that scores (points): its `kind` for re-use, and the kinds it is superior to.

    Further fields are the number of its cards that must not have scored yet in its kind or those, and whether it makes
    trumps if there are none.
    """

    id: str
    kind: str
    over: frozenset[str]
    points: int
    unused: int
    makes_trumps: bool
    pattern: Pattern
    path: str


def complete(row: Cell) -> Cell:
    """Return the row of a combination; raise Malformed if it lacks a required field, as when it changes a combination
    that the table below does not have."""
    lacking = [field for field in ("kind", "cards", "points") if field not in row.value]
    if lacking:
        raise Malformed(f"the combination '{row.value['id']}' has no '{lacking[0]}'", row.path)
    return row


def compile_meld(row: Cell, *, makes_trumps: bool, waits_for_trumps: bool) -> Meld:
    """Return a combination from its row of the table; raise Malformed if the row is invalid.

    `makes_trumps` is whether it makes trumps. With `waits_for_trumps`, it does not exist before there are trumps if its
    cards depend on them.
    """
    fields: Mapping[str, Any] = {**row.value, "makes_trumps": makes_trumps, "waits_for_trumps": waits_for_trumps}
    return Meld(
        id=fields["id"],
        kind=fields["kind"],
        over=frozenset(fields.get("over", ())),
        points=fields["points"],
        unused=fields.get("unused", 0),
        makes_trumps=makes_trumps,
        pattern=_pattern(fields, row.path) if fields["points"] else Pattern(),  # worth nothing: not a combination
        path=row.path,
    )


def _pattern(fields: Mapping[str, Any], path: str) -> Pattern:
    suits = fields.get("suits")
    if suits is None:
        usual, by_trumps = fields["cards"], fields.get("cards_by_trumps", {})
        shapes = [(_of_faces(by_trumps.get(suit, usual), path),) for suit in SUITS]
        before = () if by_trumps and fields["waits_for_trumps"] else (_of_faces(usual, path),)
        return Pattern(shapes=(*shapes, before))
    if any(read_card(text) is not None for text in fields["cards"]):
        raise Malformed("its cards have suits of their own, so `suits` cannot say which", path)
    ranks = [read_rank(text) for text in fields["cards"]]
    if suits in {"trumps", "plain"}:
        of_trumps, makes_trumps = suits == "trumps", fields["makes_trumps"]
        return Pattern(
            shapes=tuple(
                tuple(
                    _of_suit(ranks, suit)
                    for suit in range(len(SUITS))
                    if (makes_trumps if trumps is None else (suit == trumps) == of_trumps)
                )
                for trumps in _TRUMPS
            )
        )
    return Pattern(ranks=_counted(tuple(ranks)), suits_differ=suits == "one-each")


def _of_faces(texts: Sequence[str], path: str) -> Shape:
    faces = [face_of(card) for card in map(read_card, texts) if card is not None]
    if len(faces) < len(texts):
        raise Malformed("its cards have no suits, so `suits` must say which", path)
    return tuple(sorted(faces))


def _of_suit(ranks: Iterable[int], suit: int) -> Shape:
    return tuple(sorted(suit << 3 | rank for rank in ranks))


def _index(trumps: Suit | None) -> int:
    return len(SUITS) if trumps is None else trumps


#: Combinations found in a hand, each with its very cards.
Found = tuple[tuple[Meld, tuple[Card, ...]], ...]
#: The number of hands in the cache: those of a table, and some before them.
_HANDS: Final = 64


class Melds:
    """All the combinations of a game, in the table's order, with a fast search in a hand."""

    __slots__ = ("_by_ranks", "_held", "_of_faces", "by_id")

    def __init__(self, melds: Iterable[Meld]) -> None:
        self.by_id: Mapping[str, Meld] = MappingProxyType({meld.id: meld for meld in melds})
        numbered = list(enumerate(self.by_id.values()))
        #: For each trump suit, the shapes of the combinations, each with a bit mask of its faces.
        self._of_faces: list[list[tuple[int, Shape, int, Meld]]] = [
            [(_mask(shape), shape, order, meld) for order, meld in numbered for shape in meld.pattern.shapes[trumps]]
            for trumps in range(len(_TRUMPS))
        ]
        #: The combinations of ranks, each with one of its ranks, and the required number of cards of it.
        self._by_ranks = [(*meld.pattern.ranks[0], order, meld) for order, meld in numbered if meld.pattern.ranks]
        self._held = lru_cache(maxsize=_HANDS)(self._search)

    def held(self, hand: Sequence[Card], trumps: Suit | None) -> Found:
        """Return every combination in a hand, with its very cards, in the table's order; cached by hand."""
        return self._held(tuple(sorted(hand)), trumps)

    def _search(self, hand: tuple[Card, ...], trumps: Suit | None) -> Found:
        faces, ranks = _mask(hand), [card & 7 for card in hand]
        found = [
            (order, meld, cards)
            for mask, shape, order, meld in self._of_faces[_index(trumps)]
            if faces & mask == mask
            for cards in _choose(face_of, _counted(shape), hand)
        ]
        for rank, least, order, meld in self._by_ranks:
            if ranks.count(rank) >= least:
                ways = _choose(rank_of, meld.pattern.ranks, hand)
                found += [(order, meld, cards) for cards in ways if meld.pattern.suits_do(cards)]
        if len(found) > 1:
            found.sort(key=_in_order)
        return tuple([(meld, cards) for _, meld, cards in found])


def _mask(cards: Iterable[int]) -> int:
    """Return a bit mask of the faces in some cards or faces."""
    mask = 0
    for card in cards:
        mask |= 1 << (card & 31)
    return mask


def _in_order(found: tuple[int, Meld, tuple[Card, ...]]) -> tuple[int, tuple[Card, ...]]:
    return found[0], found[2]


@lru_cache(maxsize=1024)
def _counted(things: tuple[int, ...]) -> Counted:
    """Return each thing and its number of occurrences, in order."""
    return tuple(sorted(Counter(things).items()))


def _choose(of: Callable[[Card], int], wanted: Counted, hand: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Return all ways to take the given number of the hand's cards of each face or rank."""
    ways = [combinations([card for card in hand if of(card) == which], n) for which, n in wanted]
    return [tuple(sorted(chain.from_iterable(parts))) for parts in product(*ways)]
