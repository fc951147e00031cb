"""A history played by the reference from before the deal, as far as all its acts are legal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hoyle_reference import Game, Phase, Refusal, Table, rules_of
from hoyle_reference.acts import Act, Deal
from hoyle_reference.cards import Card
from hoyle_reference.table import new_table


class PlayedHistory(Protocol):
    """A history: the deck that is dealt, and the acts after that, each to be carried out before the next is taken."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """The whole pack, the top card first."""

    @property
    def tricks(self) -> int:
        """The number of complete tricks."""

    def acts(self, game: Game) -> Iterator[Act]:
        """Yield the acts at the table of a game."""


@dataclass(frozen=True, slots=True)
class Played:
    """A history that was played: the table before the deal, the deal, the table just dealt, the acts, and the table
    that they lead to."""

    before: Table
    deal: Deal
    start: Table
    acts: tuple[Act, ...]
    reached: Table


def before_the_deal(then: Table, score: Sequence[int]) -> Table:
    """Return the table before the deal of a position, with these scores."""
    table = new_table(then.rules)
    table.phase, table.dealer = Phase.DEAL, then.dealer
    assert then.dealer is not None, "a deal has been dealt"
    table.turn = then.dealer
    table.score = list(score)
    table.deals, table.deals_left = max(0, then.deals - 1), then.deals_left
    table.packets = [None if seat == then.dealer else size for seat, size in enumerate(then.packets)]
    return table


def deal_act(before: Table, deck: tuple[Card, ...], packets: Sequence[int | None]) -> Deal:
    """Return the deal of a deck, in packets of the size that the dealer, or else the other player, is known to have
    chosen."""
    ways = rules_of(before).deal.packets.value
    assert before.dealer is not None, "somebody deals"
    told = (packets[before.dealer], *packets)
    size = next((size for size in told if size is not None), ways[0][0])
    return Deal(before.dealer, deck, size if len(ways) > 1 else None)


def play(before: Table, course: PlayedHistory, packets: Sequence[int | None]) -> Played | Refusal:
    """Play a history from before its deal; return the refusal if an act is illegal."""
    dealt = deal_act(before, course.deck, packets)
    game = Game(before.copy())
    refused = game.attempt(dealt)
    if isinstance(refused, Refusal):
        return refused
    start, acts = game.table.copy(), []
    for act in course.acts(game):
        if game.is_over:
            return Refusal("game-is-over")
        outcome = game.attempt(act)
        if isinstance(outcome, Refusal):
            return outcome
        acts.append(act)
    return Played(before, dealt, start, tuple(acts), game.table)
