"""The talon: what is left of the pack after the deal, for which the players exchange cards before the play."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

from ..cells import Cells, Rule, equals, number, word
from ..events.event import Event, awaits
from ..events.talon import Discarded, Peeped, RestExposed, RestLeft
from ..table.acts import Choose, Discard, Peep
from ..table.cards import Card
from ..table.refusals import Malformed, Refusal
from ..table.seats import Seat, after
from ..table.states import Phase
from ..table.table import Table
from . import choosing
from .chapter import Chapter, Move, Offer, during

#: What younger may choose, where cards are left.
EXPOSES: Final = "exposes-the-rest"
LEAVES: Final = "leaves-the-rest"


@dataclass(frozen=True, slots=True)
class TalonRules:
    """How many cards each player may exchange (elder first), and who sees what is left over."""

    first: Rule[str]
    drawn_from: Rule[str]
    elder_least: Rule[int]
    elder_most: Rule[int]
    younger_least: Rule[int]
    younger_most: Rule[str]
    may_peep: Rule[bool]
    rest_may_be_exposed: Rule[bool]
    discards_may_be_seen: Rule[bool]

    def bounds(self, *, elder: bool) -> tuple[Rule[int], Rule[int] | Rule[str]]:
        """How many cards a player exchanges, at least and at most: elder a number, younger what is left."""
        return (self.elder_least, self.elder_most) if elder else (self.younger_least, self.younger_most)


def read(cells: Cells) -> TalonRules:
    """The rules of this chapter, from the table."""
    return TalonRules(
        first=cells.rule("talon.first", word),
        drawn_from=cells.rule("talon.drawn_from", word),
        elder_least=cells.rule("talon.elder.least", number),
        elder_most=cells.rule("talon.elder.most", number),
        younger_least=cells.rule("talon.younger.least", number),
        younger_most=cells.rule("talon.younger.most", word),
        may_peep=cells.rule("talon.peep", equals("at-the-rest-of-a-full-exchange")),
        rest_may_be_exposed=cells.rule("talon.untaken", equals("exposed-or-left")),
        discards_may_be_seen=cells.rule("talon.discards", equals("seen-by-their-owner")),
    )


def _bounds(table: Table) -> tuple[int, int]:
    """How many cards the player whose turn it is exchanges, at least and at most."""
    rules, left = table.rules.of(TalonRules), len(table.stock)
    if table.turn == table.leader:
        return rules.elder_least.value, min(rules.elder_most.value, left)
    return rules.younger_least.value, left


def sense_of_discard(_table: Table, act: Discard) -> None:
    """Raise Malformed where a card is named twice."""
    if len(set(act.cards)) != len(act.cards):
        raise Malformed("a card is named twice")


def refuse_discard(table: Table, act: Discard) -> Refusal | None:
    """Elder exchanges, then younger, each as many cards as the table allows (cells `talon.*`)."""
    rules = table.rules.of(TalonRules)
    if table.phase is not Phase.EXCHANGE:
        return Refusal("not-now", rules.first.grounds)
    if act.by != table.turn:
        return Refusal("not-your-turn", rules.first.grounds)
    if not set(act.cards) <= set(table.hands[act.by]):
        return Refusal("card-not-held", rules.drawn_from.grounds)
    (least, most), why = _bounds(table), rules.bounds(elder=act.by == table.leader)
    if len(act.cards) < least:
        return Refusal("too-few-to-exchange", why[0].grounds)
    return Refusal("too-many-to-exchange", why[1].grounds) if len(act.cards) > most else None


def discard(table: Table, act: Discard) -> Iterator[Event]:
    """The cards are put away and replaced from the top of the talon; what the last player leaves may be exposed."""
    rules, elder = table.rules.of(TalonRules), act.by == table.leader
    least, most = rules.bounds(elder=elder)
    drawn = tuple(reversed(table.stock[len(table.stock) - len(act.cards) :]))
    why = rules.first.grounds + rules.drawn_from.grounds + least.grounds + most.grounds
    yield Discarded(act.by, act.cards, drawn, why)
    if elder:
        yield awaits(Phase.EXCHANGE, after(act.by, table.players))
    elif table.stock and rules.rest_may_be_exposed.value:
        yield from choosing.put(THE_REST, table, act.by)
    else:
        if table.stock:
            yield RestLeft(rules.rest_may_be_exposed.grounds)
        yield awaits(Phase.ANNOUNCE, table.leader)


def what_is_left(table: Table, act: Choose) -> Iterator[Event]:
    """The cards that younger has not taken are exposed to both players, or stay face down for both."""
    why = table.rules.of(TalonRules).rest_may_be_exposed.grounds
    yield RestExposed(tuple(reversed(table.stock)), why) if act.option == EXPOSES else RestLeft(why)
    yield awaits(Phase.ANNOUNCE, table.leader)


THE_REST: Final = Offer(
    (EXPOSES, LEAVES),
    lambda table: table.rules.of(TalonRules).rest_may_be_exposed.grounds,
    what_is_left,
    lambda table: table.is_dealt,
)


def _left_of_a_full_exchange(table: Table) -> tuple[Card, ...]:
    """The cards elder has left of those that could have been drawn."""
    left = table.rules.of(TalonRules).elder_most.value - len(table.discards[table.leader])
    return tuple(reversed(table.stock[len(table.stock) - left :])) if left > 0 else ()


def refuse_peep(table: Table, act: Peep) -> Refusal | None:
    """Elder, having exchanged less than a full number, may look at the cards left, until younger takes of them (cell
    `talon.peep`)."""
    rule = table.rules.of(TalonRules).may_peep
    if table.phase is not Phase.EXCHANGE or table.turn == table.leader:
        return Refusal("not-now", rule.grounds)
    if act.by != table.leader:
        return Refusal("not-your-turn", rule.grounds)
    left = set(_left_of_a_full_exchange(table))
    seen = not rule.value or not left or left <= table.seen[act.by]
    return Refusal("nothing-to-peep-at", rule.grounds) if seen else None


def peep(table: Table, act: Peep) -> Iterator[Event]:
    """Elder sees the cards, and nobody else does."""
    yield Peeped(act.by, _left_of_a_full_exchange(table), table.rules.of(TalonRules).may_peep.grounds)


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


def open_discards(table: Table) -> Discards:
    """Every exchange that is open to the player whose turn it is."""
    return Discards(table.turn, table.hands[table.turn], *_bounds(table))


def open_peeps(table: Table) -> list[Peep]:
    """To peep, for elder."""
    return [Peep(table.leader)]


def sees_discards(table: Table, _seat: Seat, discards: dict[str, list[str] | int]) -> dict[str, list[str] | int]:
    """What a player has put away, if it may be looked at again, and how many cards the others have (cell
    `talon.discards`)."""
    if table.rules.of(TalonRules).discards_may_be_seen.value:
        return discards
    return {letter: pile if isinstance(pile, int) else len(pile) for letter, pile in discards.items()}


def sense(table: Table) -> None:
    """Raise Malformed where not as many cards are put away as were drawn, or elder does not exchange and lead first."""
    if not table.is_dealt:
        return
    whole = len(table.rules.pack) - table.players * table.rules.deal.hand_size
    away = sum(map(len, table.discards)) + len(table.stock)
    if away != whole:
        raise Malformed(f"the discards and the stock must hold {whole} cards together, not {away}")
    if table.leader == table.dealer and not table.a_trick_is_won:
        raise Malformed("elder leads to the first trick, and is not the dealer")
    if table.phase is not Phase.PLAY and table.trick:
        raise Malformed("no card is played before the calling is over")
    rules, elder = table.rules.of(TalonRules), len(table.discards[table.elder])
    if table.phase is Phase.EXCHANGE and table.turn == table.leader:
        if any(table.discards):
            raise Malformed("before elder exchanges nobody has put cards away")
    elif not rules.elder_least.value <= elder <= rules.elder_most.value:
        least, most = rules.elder_least.value, rules.elder_most.value
        raise Malformed(f"elder puts away {least} to {most} cards, not {elder}")


_EXCHANGE = during(Phase.EXCHANGE)

CHAPTER: Chapter = Chapter(
    "talon",
    read,
    (
        Move(Discard, refuse_discard, discard, _EXCHANGE, open_discards, exact=True, sense=sense_of_discard),
        Move(Peep, refuse_peep, peep, _EXCHANGE, open_peeps),
    ),
    offers=(THE_REST,),
    phases=frozenset({Phase.EXCHANGE, Phase.ANNOUNCE}),
    opens=Phase.EXCHANGE,
    fields=lambda _rules: ("deals", "deals_left", "packets", "discards", "seen"),
    sees=(("discards", sees_discards),),
    sight=lambda rules: rules.discards_may_be_seen.grounds,
    sense=sense,
)
