"""The outcomes of chance: the cards cut, and the order of the pack dealt."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import perm
from typing import Protocol

from hoyle._actions import Action
from hoyle_reference import Game, Phase, Table, rules_of
from hoyle_reference.acts import Act, Cut, Deal
from hoyle_reference.cards import Card


class Chance(Protocol):
    """A source of random numbers: a random.Random, or the module ``random``."""

    def randrange(self, stop: int, /) -> int:
        """Return a number below another, each equally likely."""


class ChanceOutcomes:
    """The outcomes of a cut or a deal, as a sequence in which each is computed from its number; all are equally likely.

    A cut has an outcome for each choice of different cards of the players, in order. A deal has one for each order of
    the pack, which is far too many to list: 64! for two packs. So `count` is exact, `outcomes[n]` and `sample(rng)`
    return one outcome, and a loop over all of them never ends in practice. ``len`` raises OverflowError, as Python does
    for such numbers.

    Where the dealer may choose the size of the packets, which is no chance, the outcomes have the first size that is
    allowed. The hands are as likely in any size. `Game.action` makes a deal in another size.
    """

    def __init__(self, table: Table) -> None:
        self._pack = table.rules.pack
        if table.phase is Phase.CUT or table.dealer is None:
            self._count = table.players
            self._outcome: Callable[[tuple[Card, ...]], Act] = Cut
        else:
            self._count = len(self._pack)
            self._outcome = partial(Deal, table.dealer, packets=_first_packets(table))

    @property
    def count(self) -> int:
        """The number of outcomes, exactly."""
        return perm(len(self._pack), self._count)

    @property
    def probability(self) -> Fraction:
        """The probability of each outcome."""
        return Fraction(1, self.count)

    def sample(self, rng: Chance) -> Action:
        """Return an outcome, each with the same probability; `rng` is a random.Random, or ``random``."""
        return self[rng.randrange(self.count)]

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, number: int) -> Action:
        """Return the outcome of a number; they are numbered in the order of their cards."""
        left, count = list(self._pack), self.count
        rest = number + count if number < 0 else number
        if not 0 <= rest < count:
            raise IndexError(number)
        drawn: list[Card] = []
        for _ in range(self._count):
            count //= len(left)
            at, rest = divmod(rest, count)
            drawn.append(left.pop(at))
        return Action(self._outcome(tuple(drawn)))

    def __iter__(self) -> Iterator[Action]:
        return map(self.__getitem__, range(self.count))

    def __contains__(self, action: object) -> bool:
        act = action._act if isinstance(action, Action) else None
        cards = act.cards if isinstance(act, Cut) else act.deck if isinstance(act, Deal) else ()
        return act == self._outcome(cards) and len(set(cards)) == self._count and set(cards) <= set(self._pack)


def _first_packets(table: Table) -> int | None:
    """Return the first packet size that the dealer may choose; None if there is no choice."""
    ways = rules_of(table).deal.packets.value
    if len(ways) == 1 or table.dealer is None:
        return None
    game = Game(table)
    deals = (Deal(table.dealer, table.rules.pack, way[0]) for way in ways)
    return next((deal.packets for deal in deals if game.check(deal) is None), None)
