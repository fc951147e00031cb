"""The tricks of a history, found from the last one to the first.

Going backwards, the winner of a trick is known: the player who leads to the next. Any player may have led to it, and
that player won the one before. What a player has declared and then played is declared before the trick to which it was
played; so going backwards a declaration finds its place as soon as those of its cards that have been played are in
later tricks. The search is bounded by a number of tricks tried, and always finds the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product
from typing import Final, TypeVar

from hoyle_reference import Rules, Table
from hoyle_reference.cards import SUITS, Card, Suit, rank_of, suit_of
from hoyle_reference.questions import playable, trick_winner
from hoyle_reference.seats import Seat, ring
from hoyle_reference.table import new_table
from preludes.declared import DeclaredInDeal

T = TypeVar("T")

#: So many cards that matter to nobody are looked at for one place in a trick, and so many ways are gone on with.
_LOW: Final = 5
_WAYS: Final = 8
_TWO: Final = 2
_GIVEN: Final = 5
_COMBINED: Final = 600


@dataclass(frozen=True, slots=True)
class Trick:
    """A complete trick: its leader and winner, the card of each seat, and what was declared after it."""

    leader: Seat
    winner: Seat
    cards: tuple[Card, ...]
    declared: tuple[DeclaredInDeal, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """The bounds that all tricks of a history must fit.

    There are so many `tricks`, of which those up to `drawn` are followed by drawing, and by declarations up to
    `declare_until`; the first is led to by `first`, the last won by `last`. `hands` are those after the last trick;
    `owners` has the side by which a card was played; `blank` are seats that hold no court card. If the turn-up has been
    drawn it was one of the `turn_ups`. The `poor` should win no cards that count.
    """

    rules: Rules
    tricks: int
    drawn: int
    declare_until: int
    first: Seat
    last: Seat
    trumps: Suit | None
    hands: tuple[tuple[Card, ...], ...]
    owners: Mapping[Card, Seat]
    blank: frozenset[Seat] = frozenset()
    courts: frozenset[int] = frozenset()
    turn_up_is_drawn: bool = False
    turn_ups: frozenset[Card] = frozenset()
    poor: frozenset[Seat] = frozenset()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All the seats."""
        return ring(Seat(0), self.rules.players)


@dataclass(frozen=True, slots=True)
class Left:
    """The part that is still to be placed, going backwards: of each seat the cards it has won that are given and, if
    the number is given too, how many tricks; of each side what it has declared and how many tricks it must have won by
    then; the cards that matter to nobody; and those played later, by each seat."""

    won: tuple[frozenset[Card], ...]
    tricks: tuple[int | None, ...]
    declared: tuple[tuple[DeclaredInDeal, ...], ...]
    first: tuple[int, ...]
    free: tuple[Card, ...]
    later: tuple[tuple[Card, ...], ...]
    trumps: Suit | None


@dataclass(slots=True)
class Budget:
    """The number of tricks that may still be tried."""

    steps: int
    tables: dict[tuple[Suit | None, bool], Table] = field(default_factory=dict)

    def table(self, rules: Rules, trumps: Suit | None, *, drawing: bool) -> Table:
        """Return an empty table with these trumps, while cards are drawn or after that."""
        if (trumps, drawing) not in self.tables:
            table = new_table(rules)
            table.trumps = trumps
            table.stock = list(rules.pack[:1]) if drawing else []
            self.tables[trumps, drawing] = table
        return self.tables[trumps, drawing]


def tricks(frame: Frame, left: Left, budget: Budget) -> Iterator[tuple[Trick, ...]]:
    """Yield every way that is found to play these tricks, first trick first."""
    yield from _before(frame, left, frame.tricks, frame.last, budget)


def _before(frame: Frame, left: Left, at: int, taker: Seat, budget: Budget) -> Iterator[tuple[Trick, ...]]:
    """Yield the ways to play the tricks up to this one, which this player has won."""
    if at == 0:
        if taker == frame.first and _nothing_is_left(left):
            yield ()
        return
    if at == frame.drawn and not _can_draw_the_turn_up(frame, left, taker):
        return
    told, left = _declares(frame, left, at, taker)
    budget.steps -= 1
    for leader, cards in _ways(frame, left, at, taker, budget) if budget.steps > 0 else ():
        budget.steps -= 1
        if budget.steps < 0:
            return
        rest = _without(frame, left, taker, cards)
        if _can_be(frame, rest, at - 1):
            for earlier in _before(frame, rest, at - 1, leader, budget):
                yield (*earlier, Trick(leader, taker, cards, told))


def _can_draw_the_turn_up(frame: Frame, left: Left, taker: Seat) -> bool:
    """Whether the player who draws last of all ends up with a trump that can have been the turn-up."""
    last = ring(taker, frame.rules.players)[-1]
    if not frame.turn_up_is_drawn:
        return True
    return not frame.turn_ups.isdisjoint((*frame.hands[last], *left.later[last]))


def _nothing_is_left(left: Left) -> bool:
    return not any(left.won) and not any(left.declared) and not any(left.tricks) and not any(left.first)


def _declares(frame: Frame, left: Left, at: int, taker: Seat) -> tuple[tuple[DeclaredInDeal, ...], Left]:
    """Return the declarations after a trick, and what is left: the last one that the winner's side has left, if its
    cards that were played were played later; and any kept to score with it."""
    side = frame.rules.side_of[taker]
    if at > frame.declare_until:
        return (), left
    rules = frame.rules.declare
    told: list[DeclaredInDeal] = []
    rest = list(left.declared[side])
    unplayed = frozenset().union(*left.won)
    while rest and unplayed.isdisjoint(rest[-1].cards):
        last = rest[-1]
        if not (rules.by_the_partner.value or last.by == taker):
            break
        if any(not each.kept for each in told):
            break
        told.insert(0, rest.pop())
    if not told:
        return (), left
    makes = any(each.makes_trumps for each in told)
    after = replace(
        left,
        declared=_put(left.declared, side, tuple(rest)),
        first=_put(left.first, side, rules.tricks_won_first.value),
        trumps=None if makes else left.trumps,
    )
    # what is kept is laid down after something that scores
    return tuple(sorted(told, key=lambda each: each.kept)), after


def _put(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*row[:at], value, *row[at + 1 :])


def _ways(frame: Frame, left: Left, at: int, taker: Seat, budget: Budget) -> list[tuple[Seat, tuple[Card, ...]]]:
    """Return ways to play one trick that this player wins: the leader and each seat's card, the most promising
    first."""
    leaders = (
        [frame.first]
        if at == 1
        else sorted(frame.seats, key=lambda seat: (-_demand(frame, left, seat), seat in frame.poor))
    )
    table = budget.table(frame.rules, left.trumps, drawing=at <= frame.drawn)
    found: list[tuple[Seat, tuple[Card, ...]]] = []
    choices = [_choices(frame, left, taker, seat, at) for seat in frame.seats]
    for leader in leaders:
        order = ring(leader, frame.rules.players)
        place = order.index(taker)
        fit = (
            cards
            for cards in islice(product(*choices), _COMBINED)
            if len(set(cards)) == len(cards)
            and trick_winner(table, [cards[seat] for seat in order])[0] == place
            and (at <= frame.drawn or _is_allowed(frame, left, table, order, cards))
        )
        found += [(leader, cards) for cards in islice(fit, _WAYS)]
    return found


def _demand(frame: Frame, left: Left, seat: Seat) -> int:
    """Return the number of tricks that a player must still have won, going backwards."""
    players, side = frame.rules.players, frame.rules.side_of[seat]
    exact = left.tricks[seat]
    of_cards = -(-len(left.won[seat]) // players) if exact is None else exact
    if exact == 0:
        return -1
    return max(of_cards, sum(not each.kept for each in left.declared[side]), left.first[side])


def _choices(frame: Frame, left: Left, taker: Seat, seat: Seat, at: int) -> list[Card]:
    """Return the cards that a seat may have played to a trick which `taker` won, the best to be gone first: given ones,
    and some of those that are not."""
    given = [
        card
        for card in sorted(left.won[taker], key=lambda card: (card not in frame.owners, card))
        if frame.owners.get(card, seat) == seat
    ]
    exact = left.tricks[taker]
    if exact is not None and len(left.won[taker]) >= exact * frame.rules.players:
        return given
    return given[:_GIVEN] + _some(frame, left, taker, seat, at)


def _some(frame: Frame, left: Left, taker: Seat, seat: Seat, at: int) -> list[Card]:
    """Return some of the cards that matter to nobody: the least important, and the best of each suit.

    A card that may have been the turn-up is played late, and only one; cards that count go to those who may have
    points.
    """
    fit = left.free
    if seat in frame.blank:
        fit = tuple(card for card in fit if rank_of(card) not in frame.courts)
    if frame.poor:
        counting, poor = frame.rules.score.counting.value, taker in frame.poor
        fit = tuple(sorted(fit, key=lambda card: (counting[rank_of(card)] > 0) == poor))
    if frame.turn_up_is_drawn and at > frame.drawn:
        is_late = not frame.turn_ups.isdisjoint(chain(*frame.hands, *left.later))
        fit = tuple(sorted(fit, key=lambda card: (card in frame.turn_ups) == is_late))
    suits = [[card for card in fit if suit_of(card) == suit] for suit in range(len(SUITS))]
    best = [card for of_suit in suits for card in of_suit[-1:]]
    lowest = [card for of_suit in suits for card in of_suit[:1]]
    if frame.rules.players == _TWO:
        return list(dict.fromkeys((*fit[:2], *fit[-1:], *fit[2:_LOW], *best, *lowest)))
    some = [*best[-2:], *fit[:2]] if seat == taker else list(fit[:_LOW])
    return list(dict.fromkeys((*some[seat:], *some[:seat])))


def _is_allowed(frame: Frame, left: Left, table: Table, order: Sequence[Seat], cards: tuple[Card, ...]) -> bool:
    """Whether a trick after which nobody draws obeys the duties, given the hands at that time."""
    table.trick, table.leader = [], order[0]
    try:
        for seat in order:
            table.turn = seat
            table.hands[seat] = [*frame.hands[seat], *left.later[seat], cards[seat]]
            if cards[seat] not in playable(table, seat)[0]:
                return False
            table.trick.append(cards[seat])
    finally:
        table.trick = []
    return True


def _without(frame: Frame, left: Left, taker: Seat, cards: tuple[Card, ...]) -> Left:
    """Return what is left before a trick."""
    gone, side, exact = frozenset(cards), frame.rules.side_of[taker], left.tricks[taker]
    return replace(
        left,
        won=_put(left.won, taker, left.won[taker] - gone),
        tricks=left.tricks if exact is None else _put(left.tricks, taker, exact - 1),
        first=_put(left.first, side, max(0, left.first[side] - 1)),
        free=tuple(card for card in left.free if card not in gone),
        later=tuple((*later, card) for later, card in zip(left.later, cards, strict=True)),
    )


def _can_be(frame: Frame, left: Left, at: int) -> bool:
    """Whether this number of tricks is enough for all that is left, and not too many."""
    demands = [_demand(frame, left, seat) for seat in frame.seats]
    of_sides = [max(0, *(demands[seat] for seat in side)) for side in frame.rules.sides]
    if sum(of_sides) > at:
        return False
    exact = [each for each in left.tricks if each is not None]
    return len(exact) < frame.rules.players or sum(exact) == at
