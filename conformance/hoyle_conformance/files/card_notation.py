"""Cards, suits and players as people write them elsewhere, and their form in Hoyle.

A schema has the keyword `spelt` for values that are a card, a suit or a seat.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

_RANKS: Final = MappingProxyType(
    {
        **{each: each for each in "789tjqka"},
        **dict.fromkeys(("10", "1o", "io", "lo", "0", "ten"), "t"),
        **dict.fromkeys(("jack", "knave", "valet"), "j"),
        "seven": "7",
        "eight": "8",
        "nine": "9",
        "queen": "q",
        "king": "k",
        "ace": "a",
    }
)
_SUITS: Final = MappingProxyType(
    {
        **dict.fromkeys(("c", "club", "clubs", "♣", "♧"), "C"),
        **dict.fromkeys(("d", "diamond", "diamonds", "♦", "♢"), "D"),
        **dict.fromkeys(("h", "heart", "hearts", "♥", "♡"), "H"),
        **dict.fromkeys(("s", "spade", "spades", "♠", "♤"), "S"),
    }
)
_A_RANK: Final = "|".join(sorted(_RANKS, key=len, reverse=True))
_A_SUIT: Final = "|".join(sorted(_SUITS, key=len, reverse=True))
_COPY: Final = r"(?:[ ]?#?[ ]?\(?([1-8])\)?)?"
_BETWEEN: Final = r"[ _./-]?(?:of )?(?:the )?"
_RANK_FIRST: Final = re.compile(rf"(?:the )?({_A_RANK}){_BETWEEN}({_A_SUIT}){_COPY}")
_SUIT_FIRST: Final = re.compile(rf"({_A_SUIT}){_BETWEEN}({_A_RANK}){_COPY}")
#: Ranks that other packs have.
_NO_RANK: Final = re.compile(rf"([2-6]){_BETWEEN}(?:{_A_SUIT})|(?:{_A_SUIT}){_BETWEEN}([2-6])")
_LONGEST: Final = 30  # characters
_DOTS: Final = frozenset({"..", "....", "…", "*", "?", "etc", "etc.", "rest", "x"})
#: What the seats are called elsewhere.
_ELDER: Final = frozenset({"elder", "eldest", "younger", "dealer", "non-dealer", "pone", "leader", "nobody"})


def card_meant(text: str) -> str:
    """Return a card that is written otherwise in Hoyle's form: ``TH`` for ``10♥``; empty if it is no card."""
    plain = _plain(text)
    if found := _RANK_FIRST.fullmatch(plain):
        rank, suit, copy = found.groups()
    elif found := _SUIT_FIRST.fullmatch(plain):
        suit, rank, copy = found.groups()
    else:
        return ""
    return f"{_RANKS[rank].upper()}{_SUITS[suit]}{f'#{copy}' if copy and copy != '1' else ''}"


def _plain(text: str) -> str:
    """Return a text in small letters, without marks that only change how signs look; superscripts become figures."""
    return unicodedata.normalize("NFKC", text[:_LONGEST]).replace("\ufe0f", "").replace("\ufe0e", "").strip().lower()


def _of_card(text: str) -> str:
    if meant := card_meant(text):
        return f"Write {meant}: ranks are 7 8 9 T J Q K A, suits C D H S."
    if found := _NO_RANK.fullmatch(_plain(text)):
        return f"A piquet pack has no {found[1] or found[2]}: its ranks are 7 8 9 T J Q K A."
    return "Write ... for cards that do not matter." if text in _DOTS else ""


def _of_suit(text: str) -> str:
    meant = _SUITS.get(_plain(text), "")
    return f"Write {meant}." if meant else ""


def _of_seat(text: str) -> str:
    if text.upper() in {"A", "B", "C", "D"}:
        return f"Write {text.upper()}."
    if _plain(text) in _ELDER:
        return "Name players by their seats: A and B, and in some games C and D. 'dealer' decides who is who."
    return ""


_REMEDIES: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {"card": _of_card, "suit": _of_suit, "seat": _of_seat}
)


def spelt_so(kind: str, text: str) -> str:
    """Return the remedy for a card, a suit or a seat that is written otherwise; empty if its meaning is not known."""
    return _REMEDIES[kind](text) if kind in _REMEDIES else ""
