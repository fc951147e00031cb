"""Cards: their printed form, their names, and their order in a hand."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from hoyle_reference.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS

SYMBOLS: Final = MappingProxyType(dict(zip(SUITS, "♣♦♥♠", strict=True)))
_COPIES: Final = "⁰¹²³⁴⁵⁶⁷⁸"


def card(text: str) -> str:
    """Return the printed form of a card: ``K♠``, ``10♥²``; text that is not a card is returned unchanged."""
    if text[:1] not in RANKS or text[1:2] not in SUITS or not text[1:]:
        return text
    rank = "10" if text[0] == "T" else text[0]
    return rank + SYMBOLS[text[1]] + (_COPIES[int(text[3])] if "#" in text else "")


def card_name(text: str) -> str:
    """Return the name of a card, as read aloud: ``king of spades``."""
    copy = f" (copy {text[3]})" if "#" in text else ""
    return f"{RANK_NAMES[RANKS.index(text[0])]} of {SUIT_NAMES[SUITS.index(text[1])]}{copy}"


def cards(texts: Iterable[str]) -> str:
    """Return cards in a row, or a word for no cards."""
    return " ".join(map(card, texts)) or "nothing"


def sort_hand(texts: Iterable[str]) -> list[str]:
    """Return cards sorted as in a hand: by suit, from high to low. Anything that is not a card comes last, in the given
    order."""
    return sorted(texts, key=lambda text: (SUITS.find(text[1:2]), -RANKS.find(text[:1]), text))


def suit_name(letter: str) -> str:
    """Return the name of a suit."""
    return SUIT_NAMES[SUITS.index(letter)]
