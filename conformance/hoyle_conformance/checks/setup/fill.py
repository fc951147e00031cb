"""Cards for the places of a position that are left open.

``...`` stands for cards that matter to nobody. They are dealt out by one fixed order, low cards of the plain suits
first, so that the same scenario always makes the same position. A nine of clubs scores nothing and wins nothing by
accident. `hoyle validate` fills every position in other orders as well, and an outcome that changes is an error.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any, Final

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.given import REST, Given, pile_of
from hoyle_reference import Rules, Table, rules_of
from hoyle_reference.cards import RANKS, Card, Suit, face_of, name, rank_of, read_card, suit_of
from hoyle_reference.seats import Seat, ring, seat_name
from hoyle_reference.table import BlankState

#: How little a rank matters, the least first. A seven may be the seven of trumps; brisques come last.
_FILLERS: Final = "987JQKTA"
#: A step through the pack that has no divisor in common with its size, so that it meets every card once.
_SHUFFLING_STEP: Final = 37
#: What is said only to one who writes a file: that in brackets, and what to write.
_WRITTEN: Final = re.compile(r" \('\w+: \w'\)")
_LETS: Final = re.compile(r"write '(leads|has_won): (\w)'")
#: What stands for a place of which nothing is said.
_OPEN: Final = (REST,)


@dataclass(slots=True)
class Filling:
    """A table that is being filled: what was given of it, the cards without a place, the least important first, and the
    cards that steps name, none of which is dealt out by chance if that can be helped."""

    table: Table
    given: Given
    cards: list[Card]
    wanted: frozenset[Card]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All the seats, A first."""
        return ring(Seat(0), self.table.players)

    def is_open(self, key: str, seat: Seat) -> bool:
        """Whether a place of a player may hold more cards than are given."""
        return REST in self.given.get(key, {}).get(seat_name(seat), _OPEN)

    @property
    def stock_is_open(self) -> bool:
        """Whether the stock may hold more cards than are given."""
        return REST in self.given.get("stock", _OPEN)

    @property
    def cards_each(self) -> int:
        """The number of cards that each player holds before playing to the trick: as many as are given, or else those
        dealt."""
        told = [seat for seat in self.seats if not self.is_open("hands", seat)]
        hands, surplus = self.table.hands, self.table.referee.surplus
        known = (len(hands[seat]) + self._has_played(seat) - surplus[seat] for seat in told)
        return max(known, default=rules_of(self.table).deal.hand_size)

    def _has_played(self, seat: Seat) -> bool:
        return seat in self.table.have_played

    def take(self, count: int, passed_over: frozenset[Card] = frozenset()) -> list[Card]:
        """Take the next cards for a hand or the stock, passing some over as long as others are left."""
        taken = sorted(self.cards, key=passed_over.__contains__)[:count]
        gone = set(taken)
        self.cards = [card for card in self.cards if card not in gone]
        return taken

    def take_last(self, count: int) -> list[Card]:
        """Take the most important cards left, for piles that nobody looks at."""
        at = max(0, len(self.cards) - count)
        self.cards, taken = self.cards[:at], self.cards[at:]
        return taken

    def fill_hands(self, due: "HandSize") -> None:
        """Fill up every hand, less the card that is played to the trick; raises CannotSetUp as `fill_pile` does."""
        for seat in self.seats:
            letter, surplus = seat_name(seat), self.table.referee.surplus[seat]
            played = f"; {letter} has played one of them to the trick" if self._has_played(seat) else ""
            more = f"; 'surplus' gives {letter} {abs(surplus)} {'more' if surplus > 0 else 'fewer'}" if surplus else ""
            size = due.full + surplus - self._has_played(seat)
            unless = due.unless.get(len(self.table.hands[seat]) + due.full - size, "")
            self.fill_pile("hands", seat, size, f"{due.why}{played}{more}", self._unfit(seat), unless)

    def _unfit(self, seat: Seat) -> frozenset[Card]:
        """Return the cards that a hand should not be filled with: those wanted, and those that its carte blanche
        lacks."""
        if "carte_blanche" not in self.table.rules.chapters or self.table.blanks[seat] is not BlankState.SCORED:
            return self.wanted
        without = rules_of(self.table).carte_blanche.without.value
        return self.wanted.union(card for card in self.table.rules.pack if rank_of(card) in without)

    def fill_pile(
        self, key: str, seat: Seat, size: int, why: str, passed_over: frozenset[Card], unless: str = ""
    ) -> None:
        """Fill up a pile of a player to its size.

        Raises CannotSetUp if more cards than that are given, or fewer and the pile is not open; the message gives `why`
        the size is this, and the remedy ends with `unless`.
        """
        pile, is_open = pile_of(self.table, key, seat), self.is_open(key, seat)
        known = len(pile)
        if known > size or (known < size and not is_open):
            letter = seat_name(seat)
            verb = "must have discarded" if key == "discarded" else "must hold"
            more = " or more" if is_open else ""
            message = f"{letter} {verb} {_cards(size)} here, not {known}{more}: {why}"
            remedy = f"{_right_number(size - known)}{unless}."
            raise CannotSetUp(message, remedy, key, letter, table=_unwritten(message, size - known, unless))
        pile += self.take(size - known, passed_over)

    def fill_stock(self, count: int, passed_over: frozenset[Card] = frozenset()) -> None:
        """Put a number of cards into the open place of the stock, if it has one."""
        if self.stock_is_open:
            given = self.given.get("stock", _OPEN)
            below = len(given) - given.index(REST) - 1
            self.table.stock[below:below] = reversed(self.take(count, passed_over))


@dataclass(frozen=True, slots=True)
class HandSize:
    """The number of cards that each player holds before playing to the trick, the reason, and the remedy if a hand of
    another size is meant."""

    full: int
    why: str
    unless: Mapping[int, str] = field(default_factory=dict)


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _right_number(missing: int) -> str:
    """Return the remedy for a number of missing cards, or of surplus cards if negative."""
    if missing < 0:
        return f"Take {_cards(-missing)} out"
    return f"Add {_cards(missing)}, or {REST} for cards that do not matter"


def _unwritten(message: str, missing: int, unless: str) -> tuple[str, str]:
    """Return what is wrong with a pile, and the remedy, for a user who has no file to write."""
    plain = _WRITTEN.sub("", message).replace("'surplus' gives", "the position gives")
    add = f"Add {_cards(missing)}, or let the rest be any cards"
    what = f"Take {_cards(-missing)} out" if missing < 0 else add
    return plain, f"{what}{_LETS.sub(_lets, unless)}."


def _lets(found: re.Match[str]) -> str:
    return f"let {found[2]} lead" if found[1] == "leads" else f"say that {found[2]} has won the trick"


Order = tuple[Card, ...]


@cache
def least_important_first(pack: Order, trumps: Suit | None, variant: int | str) -> Order:
    """Return the whole pack in the order in which open places are filled; each variant and each seed has an order of
    its own."""
    if isinstance(variant, str):
        return tuple(sorted(pack, key=lambda card: sha256(f"{variant}:{name(card)}".encode()).digest()))

    def importance(card: Card) -> tuple[bool, int, int, int]:
        suit = suit_of(card)
        return suit == trumps, _FILLERS.index(RANKS[rank_of(card)]), suit, card

    return VARIANTS[variant](tuple(sorted(pack, key=importance)))


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
    """Return the cards that steps name, in all their copies."""
    texts = (text for step in steps for key in ("card", "cards") for text in _as_list(step.get(key, ())))
    faces = {face_of(card) for text in texts if (card := read_card(text[:2])) is not None}
    return frozenset(card for card in rules.pack if face_of(card) in faces) if faces else frozenset()


def _as_list(value: Any) -> Iterable[str]:
    return [value] if isinstance(value, str) else value
