"""The talon: what is left of the pack after the deal, for which the players exchange cards before the play."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

from .acts import Choose, Discard, Peep
from .cards import Card
from .cells import Cells
from .events import Event, Offered
from .handling import Discarded, Peeped, RestExposed, RestLeft
from .refusals import Grounds, Violation
from .seats import Seat
from .table import Phase, Table

FIRST: Final[Grounds] = ("talon.first",)
DRAWN: Final[Grounds] = ("talon.drawn_from",)
DISCARDS: Final[Grounds] = ("talon.discards",)
PEEP: Final[Grounds] = ("talon.peep",)
UNTAKEN: Final[Grounds] = ("talon.untaken",)
ELDER_LEAST: Final[Grounds] = ("talon.elder.least",)
ELDER_MOST: Final[Grounds] = ("talon.elder.most",)
YOUNGER_LEAST: Final[Grounds] = ("talon.younger.least",)
YOUNGER_MOST: Final[Grounds] = ("talon.younger.most",)

#: What younger may choose, where cards are left.
EXPOSES: Final = "exposes-the-rest"
LEAVES: Final = "leaves-the-rest"


@dataclass(frozen=True, slots=True)
class TalonRules:
    """How many cards each player may exchange (elder first), and who sees what is left over."""

    elder_least: int
    elder_most: int
    younger_least: int
    may_peep: bool
    rest_may_be_exposed: bool
    discards_may_be_seen: bool


def read(cells: Cells) -> TalonRules:
    """The rules of this chapter, from the table."""
    return TalonRules(
        elder_least=cells.number("talon.elder.least"),
        elder_most=cells.number("talon.elder.most"),
        younger_least=cells.number("talon.younger.least"),
        may_peep=cells.word("talon.peep") == "at-the-rest-of-a-full-exchange",
        rest_may_be_exposed=cells.word("talon.untaken") == "exposed-or-left",
        discards_may_be_seen=cells.word("talon.discards") == "seen-by-their-owner",
    )


def _bounds(table: Table) -> tuple[int, int]:
    """How many cards the player whose turn it is exchanges, at least and at most."""
    rules = table.rules.talon
    if table.turn == table.leader:
        return rules.elder_least, min(rules.elder_most, len(table.stock))
    return rules.younger_least, len(table.stock)


def may_discard(table: Table, act: Discard) -> Violation | None:
    """Elder exchanges, then younger, each as many cards as the table allows (cells `talon.*`)."""
    if table.phase is not Phase.EXCHANGE:
        return Violation("not-now", FIRST)
    if act.by != table.turn:
        return Violation("not-your-turn", FIRST)
    if not set(act.cards) <= set(table.hands[act.by]):
        return Violation("card-not-held", DRAWN)
    (least, most), elder = _bounds(table), act.by == table.leader
    if len(act.cards) < least:
        return Violation("too-few-to-exchange", ELDER_LEAST if elder else YOUNGER_LEAST)
    return Violation("too-many-to-exchange", ELDER_MOST if elder else YOUNGER_MOST) if len(act.cards) > most else None


def discard(table: Table, act: Discard) -> Iterator[Event]:
    """The cards are put away and replaced from the top of the talon; what the last player leaves may be exposed."""
    count, elder = len(act.cards), act.by == table.leader
    least, most = (ELDER_LEAST, ELDER_MOST) if elder else (YOUNGER_LEAST, YOUNGER_MOST)
    drawn = tuple(reversed(table.stock[len(table.stock) - count :]))
    yield Discarded(act.by, act.cards, drawn, FIRST + DRAWN + least + most)
    if not elder and table.stock:
        if table.rules.talon.rest_may_be_exposed:
            yield Offered(act.by, (EXPOSES, LEAVES), UNTAKEN)
        else:
            yield RestLeft(UNTAKEN)


def what_is_left(table: Table, act: Choose) -> Iterator[Event]:
    """The cards that younger has not taken are exposed to both players, or stay face down for both."""
    if act.option == EXPOSES:
        yield RestExposed(tuple(reversed(table.stock)), UNTAKEN)
    else:
        yield RestLeft(UNTAKEN)


def _left_of_a_full_exchange(table: Table) -> tuple[Card, ...]:
    """The cards elder has left of those that could have been drawn."""
    left = table.rules.talon.elder_most - len(table.discards[table.leader])
    return tuple(reversed(table.stock[len(table.stock) - left :])) if left > 0 else ()


def may_peep(table: Table, act: Peep) -> Violation | None:
    """Elder, having exchanged less than a full number, may look at the cards left, until younger takes of them (cell
    `talon.peep`)."""
    if table.phase is not Phase.EXCHANGE or table.turn == table.leader:
        return Violation("not-now", PEEP)
    if act.by != table.leader:
        return Violation("not-your-turn", PEEP)
    left = set(_left_of_a_full_exchange(table))
    if not table.rules.talon.may_peep or not left or left <= table.seen[act.by]:
        return Violation("nothing-to-peep-at", PEEP)
    return None


def peep(table: Table, act: Peep) -> Iterator[Event]:
    """Elder sees the cards, and nobody else does."""
    yield Peeped(act.by, _left_of_a_full_exchange(table), PEEP)


class Discards(Sequence[Discard]):
    """Every exchange that is open to a player, in order, none of them made before it is asked for: fewer cards first,
    and of as many those that come first in the hand."""

    __slots__ = ("_by", "_hand", "_sizes")

    def __init__(self, by: Seat, hand: Sequence[Card], least: int, most: int) -> None:
        self._by, self._hand = by, tuple(sorted(hand))
        self._sizes = range(least, most + 1)

    def __len__(self) -> int:
        return sum(comb(len(self._hand), size) for size in self._sizes)

    def __iter__(self) -> Iterator[Discard]:
        for size in self._sizes:
            for cards in combinations(self._hand, size):
                yield Discard(self._by, cards)

    def __getitem__(self, index: int) -> Discard:  # type: ignore[override]  # slices are of no use here
        at = index if index >= 0 else len(self) + index
        for size in self._sizes:
            if 0 <= at < (ways := comb(len(self._hand), size)):
                return Discard(self._by, tuple(self._hand[n] for n in _combination(len(self._hand), size, at)))
            at -= ways
        raise IndexError(index)


def _combination(things: int, size: int, rank: int) -> Iterator[int]:
    """The combination of a rank, among all of so many things in their order: the places of what it holds."""
    for place in range(things):
        if not size:
            return
        with_it = comb(things - place - 1, size - 1)
        if rank < with_it:
            size -= 1
            yield place
        else:
            rank -= with_it


def choices_to_discard(table: Table) -> Discards:
    """Every exchange that is open to the player whose turn it is."""
    return Discards(table.turn, table.hands[table.turn], *_bounds(table))


def choices_to_peep(table: Table) -> list[Peep]:
    """To peep, for elder."""
    act = Peep(table.leader)
    return [] if may_peep(table, act) else [act]
