"""Chance: decks and choices made by counting through a hash, so that they are the same for ever and in any language."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from hoyle_reference.rules import Rules
from hoyle_reference.table.cards import Card, name
from hoyle_reference.table.seats import Seat

#: So much of a hash makes a number.
_BYTES: Final = 8


def deck(rules: Rules, game: int, number: int) -> tuple[Card, ...]:
    """A deck of a game, top card first: the cards of the pack in the order of the hashes of their texts.

    Deck 0 is cut from; the others are dealt, one after the other.
    """
    return tuple(sorted(rules.pack, key=lambda card: _hash(f"{rules.id} {game} {number} {name(card)}")))


def dealer(rules: Rules, game: int) -> Seat:
    """Who deals first in a game that begins before the deal."""
    return Seat(int.from_bytes(_hash(f"{rules.id} {game} dealer"), "big") % rules.players)


def cut(rules: Rules, game: int, times: int) -> tuple[Card, ...]:
    """The card that each player cuts, where they have cut so many times before."""
    first = times * rules.players
    return deck(rules, game, 0)[first : first + rules.players]


def number(rules: Rules, game: int, act: int, count: int) -> int:
    """The number by which an act of a game is chosen, the `count` telling how many such numbers were passed over."""
    return int.from_bytes(_hash(f"{rules.id} {game} act {act} {count}")[:_BYTES], "big")


def pick(number: int, pools: Sequence[int]) -> tuple[int, int]:
    """Which of two pools of so many things a number picks from, and which of the things: from the first two times of
    three, if there is anything in it."""
    first, second = pools
    at = int(second > 0 and (first == 0 or number % 3 == 2))  # noqa: PLR2004 -- two times of three
    return at, number // 3 % pools[at]


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()
