"""The part of a position that a question gives itself, so that it can be answered without one.

Implements SEMANTICS.md, ask-2.
"""

from ..acts import UNSAID, ToldDrawing, ToldTrumps
from ..cards import Suit
from ..refusals import Malformed
from ..table.table import Table


def trumps_of_question(table: Table, told: ToldTrumps) -> Suit | None:
    """Return the trumps that a question gives, or those of the position; raise Malformed for trumps in a game
    without."""
    if told is UNSAID:
        return table.trumps
    if told is not None and not table.rules.draws:
        raise Malformed("no suit is trumps in this game")
    return told


def table_of_question(table: Table, trumps: ToldTrumps, drawing: ToldDrawing) -> Table:
    """Return a table like this, but for the trumps that a question gives, and whether cards are still drawn after the
    trick.

    Raises Malformed for what there is not in this game.
    """
    other = table.copy()
    other.trumps = trumps_of_question(table, trumps)
    if drawing is not UNSAID:
        if drawing and not table.rules.draws:
            raise Malformed("no cards are drawn in this game")
        other.turn_up, other.stock = None, list(table.rules.pack[:1]) if drawing else []  # which card does not matter
    return other
