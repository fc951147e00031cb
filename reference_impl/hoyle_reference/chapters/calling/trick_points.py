"""The points that tricks bring each player, found by playing them.

Implements SEMANTICS-PIQUET.md, count-5.
"""

from collections.abc import Iterator
from typing import Final

from ...acts import Play, TrickPoints
from ...cards import Card
from ...events import PIQUE, Event, Scored
from ...refusals import Malformed
from ...seats import Seat, after, ring
from ...table.states import Phase
from ...table.table import Table, new_table
from ..chapter import Ruling
from ..deal import DealRules
from ..score import CARDS
from ..tricks import play, refuse_play, trick_winner
from .reckoning import CARTE_ROUGE

#: What is scored in the course of a deal and is not for these tricks alone.
_NOT_OF_A_DEAL: Final = frozenset({PIQUE, CARTE_ROUGE})
_NOT_OF_TRICKS: Final = _NOT_OF_A_DEAL | {CARDS}


def trick_points(table: Table, question: TrickPoints) -> Ruling:
    """Return the points of tricks, by playing them; bonuses that they help to are left out, and the score at the end of
    a deal (the last trick, the cards, capot) counts only if they are all tricks of one."""
    players, leader, cards = table.players, question.by, question.cards
    tricks, whole = len(cards) // players, table.rules.of(DealRules).hand_size
    if len(cards) % players or not 0 < tricks <= whole:
        raise Malformed(f"the cards of 1 to {whole} tricks are {players} for each, not {len(cards)}")
    played = _table_of(table, leader, cards)
    others = [] if tricks == whole else [card for card in table.rules.pack if card not in cards]
    left_out = _NOT_OF_A_DEAL if tricks == whole else _NOT_OF_TRICKS
    grounds: list[str] = []
    for card in cards:
        for event in _played(played, card, others):
            if isinstance(event, Scored) and event.what in left_out:
                continue
            event.change(played)
            grounds += event.grounds
    return Ruling(tuple(sum(made.values()) for made in played.made_of), tuple(grounds))


def _played(table: Table, card: Card, others: list[Card]) -> Iterator[Event]:
    """Yield the events of playing the next card; raise Malformed where it may not be played. While the deal goes on, a
    player is left with a card of which nothing is known."""
    seat = table.turn
    act = Play(seat, card)
    if (refused := refuse_play(table, act)) is not None:
        raise Malformed(f"a card of these cannot be played: {refused.message}")
    if others and len(table.hands[seat]) == 1:
        table.hands[seat].append(others.pop())
    yield from play(table, act)


def _table_of(table: Table, leader: Seat, cards: tuple[Card, ...]) -> Table:
    """Return a table at which these cards are to be played: each player holds those that will come from the seat."""
    fresh = new_table(table.rules)
    fresh.phase, fresh.leader, fresh.turn = Phase.PLAY, leader, leader
    fresh.dealer = after(leader, table.players)
    for at in range(0, len(cards), table.players):
        trick, order = cards[at : at + table.players], ring(leader, table.players)
        for seat, card in zip(order, trick, strict=True):
            fresh.hands[seat].append(card)
        leader = order[trick_winner(fresh, trick)[0]]
    return fresh
