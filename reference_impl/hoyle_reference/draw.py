"""Drawing: after each trick every player draws a card, the trick's winner first, while the stock lasts."""

from collections.abc import Iterator
from typing import Final

from . import declare
from .acts import Draw
from .events import Drew, Event
from .refusals import Grounds, Violation
from .table import Phase, Table

ORDER: Final[Grounds] = ("draw.first",)
WHEN: Final[Grounds] = ("draw.when",)
UNTIL: Final[Grounds] = ("draw.until",)
FROM_STOCK: Final[Grounds] = ("draw.first", "draw.when")
TURN_UP: Final[Grounds] = ("draw.first", "draw.turn_up", "draw.until")
LAST_OF_STOCK: Final[Grounds] = ("draw.first", "draw.when", "draw.until")


def may_draw(table: Table, act: Draw) -> Violation | None:
    """Players draw in turn after a trick, and only while there are cards to draw (cells `draw.*`)."""
    if table.phase not in {Phase.DECLARE, Phase.DRAW}:
        return Violation("not-now", _out_of_time(table))
    return None if act.by == table.turn else Violation("not-your-turn", ORDER)


def _out_of_time(table: Table) -> Grounds:
    if table.phase is not Phase.PLAY:
        return ()
    return WHEN if table.drawing else UNTIL


def draw(table: Table, act: Draw) -> Iterator[Event]:
    """The player takes the top card, or the turn-up when it alone is left; with the last card the declarations end."""
    card = table.stock[-1] if table.stock else table.turn_up
    assert card is not None, "a table that awaits a draw has a card to draw"
    last = table.left_to_draw == 1
    why = FROM_STOCK if not last else LAST_OF_STOCK if table.stock else TURN_UP
    yield Drew(act.by, card, why + declare.left_lying(table) if last else why)
    for follows in table.rules.on_draw:
        yield from follows(table, act.by, card)
    if not table.drawing:
        yield from declare.ends_with_the_stock(table)


def choices_to_draw(table: Table) -> Iterator[Draw]:
    """To draw, for the one whose turn it is."""
    yield Draw(table.turn)
