"""Filling: cards for the places of a position that are left open.

``...`` stands for cards that matter to nobody. They are dealt out by one fixed order, low cards of the plain suits
first, so that the same scenario always makes the same position.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from hoyle_reference.rules import Rules
from hoyle_reference.table.cards import RANKS, SUITS, Card, name, names, rank_of, suit_of

#: How little a rank matters, the least first. A seven may be the seven of trumps; brisques come last.
_FILLERS: Final = "987JQKTA"
#: A step through the pack that has no divisor in common with its size, so that it meets every card once.
_SHUFFLING_STEP: Final = 37


@dataclass(slots=True)
class Pool:
    """The cards not placed yet, the least important first."""

    cards: list[Card]

    def take(self, count: int, fit: frozenset[Card] = frozenset()) -> list[str]:
        """The next cards for a hand or the stock, passing over those in `fit` as long as others are left."""
        taken = [card for card in self.cards if card not in fit][:count]
        taken += [card for card in self.cards if card in fit][: count - len(taken)]
        gone = set(taken)
        self.cards = [card for card in self.cards if card not in gone]
        return names(taken)

    def take_last(self, count: int) -> list[str]:
        """The most important cards left, for piles that nobody looks at."""
        at = max(0, len(self.cards) - count)
        self.cards, taken = self.cards[:at], self.cards[at:]
        return names(taken)


@cache
def least_important_first(pack: tuple[Card, ...], trumps: str | None, variant: int) -> tuple[Card, ...]:
    """The whole pack in the order in which open places are filled; each variant has an order of its own."""

    def importance(card: Card) -> tuple[bool, int, int, int]:
        suit = suit_of(card)
        return SUITS[suit] == trumps, _FILLERS.index(RANKS[rank_of(card)]), suit, card

    order = tuple(sorted(pack, key=importance))
    return VARIANTS[variant](order)


Order = tuple[Card, ...]

#: The orders in which open places are filled: the one that scenarios are sent with, and others, in which the outcome
#: must be the same.
VARIANTS: Final[tuple[Callable[[Order], Order], ...]] = (
    lambda order: order,
    lambda order: order[::-1],
    lambda order: order[1:] + order[:1],
    lambda order: tuple(order[at * _SHUFFLING_STEP % len(order)] for at in range(len(order))),
    lambda order: tuple(order[at * _SHUFFLING_STEP % len(order)] for at in reversed(range(len(order)))),
)


def named_in_steps(rules: Rules, steps: Sequence[Mapping[str, Any]]) -> frozenset[Card]:
    """The cards that steps speak of, in all their copies."""
    texts = [text for step in steps for key in ("card", "cards") for text in _as_list(step.get(key, ()))]
    faces = {text[:2] for text in texts}
    return frozenset(card for card in rules.pack if name(card)[:2] in faces)


def _as_list(value: Any) -> Iterable[str]:
    return [value] if isinstance(value, str) else value
