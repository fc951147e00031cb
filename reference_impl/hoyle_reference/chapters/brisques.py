"""Brisques: what cards count for the player who has won them in tricks.

Implements SEMANTICS.md, score-3.
"""

from collections.abc import Iterable

from ..table.cards import Card, rank_of
from ..table.table import Table


def counted(table: Table, cards: Iterable[Card]) -> int:
    """The points that cards count for the player who has won them in tricks (cells `score.brisques.*`)."""
    counting = table.rules.score.counting.value
    return sum(counting[rank_of(card)] for card in cards)
