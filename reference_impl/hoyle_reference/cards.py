"""The piquet pack, doubled as often as a game wants it.

A physical card is a small integer, ``copy * 32 + suit * 8 + rank``, so that a hand is a list of integers and play is
fast. Two queens of spades differ only in their copy. A card's name is its rank and suit, ``QS``; the second copy is
``QS#2``.
"""

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Final, NewType

Card = NewType("Card", int)
Suit = NewType("Suit", int)
Rank = NewType("Rank", int)
#: A rank and a suit, whichever copy: 0 to 31.
Face = NewType("Face", int)

RANKS: Final = "789TJQKA"
SUITS: Final = "CDHS"
CARDS_IN_PACK: Final = 32
MOST_PACKS: Final = 8

SEVEN: Final = Rank(0)
RANK_NAMES: Final = ("seven", "eight", "nine", "ten", "knave", "queen", "king", "ace")
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")


_NUMBERS: Final = range(CARDS_IN_PACK * MOST_PACKS)

#: The rank of a card or face: 0 for a seven to 7 for an ace, regardless of its strength in a game.
rank_of: Final[Callable[[int], Rank]] = tuple(Rank(n & 7) for n in _NUMBERS).__getitem__
#: The suit of a card or face: 0 clubs, 1 diamonds, 2 hearts, 3 spades.
suit_of: Final[Callable[[int], Suit]] = tuple(Suit(n >> 3 & 3) for n in _NUMBERS).__getitem__
#: The face of a card, the same for all its copies.
face_of: Final[Callable[[int], Face]] = tuple(Face(n & 31) for n in _NUMBERS).__getitem__


def card(rank: int, suit: int, copy: int = 1) -> Card:
    """Return the card of a rank and suit; `copy` counts from 1."""
    return Card((copy - 1) << 5 | suit << 3 | rank)


def pack(packs: int) -> tuple[Card, ...]:
    """Return all the cards of `packs` piquet packs together, in their fixed order."""
    return tuple(Card(n) for n in range(CARDS_IN_PACK * packs))


def read_rank(text: str) -> Rank:
    """Return the rank that a letter or digit stands for; raise ValueError for any other character."""
    return Rank(RANKS.index(text))


def strengths(ranks: tuple[str, ...]) -> tuple[int, ...]:
    """Return a strength for each rank from a list of ranks, highest first; 0 for ranks not in it."""
    order = [0] * 8
    for strength, rank in enumerate(reversed(ranks), start=1):
        order[read_rank(rank)] = strength
    return tuple(order)


def read_suit(text: str) -> Suit:
    """Return the suit that a letter stands for; raise ValueError for any other character."""
    return Suit(SUITS.index(text))


_NAMES: Final = tuple(
    f"{RANKS[rank_of(n)]}{SUITS[suit_of(n)]}" + (f"#{n // CARDS_IN_PACK + 1}" if n >= CARDS_IN_PACK else "")
    for n in _NUMBERS
)
_name_of: Final[Callable[[int], str]] = _NAMES.__getitem__

#: The cards of a number of packs (the index), by name.
BY_NAME: Final = tuple(
    MappingProxyType({text: Card(n) for n, text in enumerate(_NAMES[: CARDS_IN_PACK * packs])})
    for packs in range(MOST_PACKS + 1)
)


def read_card(text: str, packs: int = MOST_PACKS) -> Card | None:
    """Return the card that `text` names (``QS``, ``TH#2``), or None if this many packs have no such card."""
    return BY_NAME[min(packs, MOST_PACKS)].get(text)


def name(card: Card) -> str:
    """Return the name of a card: ``KH`` for the first king of hearts, ``KH#2`` for the second."""
    return _NAMES[card]


def names(cards: Iterable[Card]) -> list[str]:
    """Return the names of cards, in the order given."""
    return list(map(_name_of, cards))
