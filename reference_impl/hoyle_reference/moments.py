"""Moments: when something may be declared, and what one trick has been used for; combinations and sevens share them."""

from typing import Final

from .refusals import Grounds
from .seats import Seat
from .table import Table

TRICKS_FIRST: Final[Grounds] = ("declare.tricks_won_first",)
BESIDE: Final[Grounds] = ("exchange.seven.with_a_declaration",)


def too_early(table: Table, seat: Seat) -> bool:
    """Whether a player (of partners, both together) must win more tricks before declaring anything (cell
    `declare.tricks_won_first`)."""
    won = sum(len(table.won[each]) for each in table.rules.side(seat))
    return won < table.rules.declare.tricks_won_first * table.players


def spent(table: Table) -> int:
    """How much has been scored after this trick, where a seven may count as a combination does."""
    return table.scored_now + (table.claimed_now if table.rules.seven_is_a_declaration else 0)
