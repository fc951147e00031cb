"""The settlement: when the game is won, and by whom."""

from dataclasses import dataclass
from typing import Final

from .cells import Cells
from .events import DealEnded, Event, GameWon, Scored, Tied
from .refusals import Grounds
from .seats import Seat
from .table import Table

GAME: Final[Grounds] = ("settle.game",)
TARGET: Final[Grounds] = ("settle.target",)
WINNER: Final[Grounds] = ("settle.winner",)
EQUAL: Final[Grounds] = ("settle.equal_scores",)

#: The events that can end a game.
DECISIVE: Final = frozenset({Scored, DealEnded})


@dataclass(frozen=True, slots=True)
class SettleRules:
    """The target (points), whether reaching it ends the game at once or at the end of the deal, and whether each deal
    is a game by itself."""

    target: int
    at_once: bool
    one_deal: bool


def read(cells: Cells) -> SettleRules:
    """The rules of this chapter, from the table."""
    one_deal = cells.word("settle.game") == "one-deal"
    return SettleRules(
        target=0 if one_deal else cells.number("settle.target"),
        at_once=not one_deal and cells.word("settle.winner") == "first-to-reach",
        one_deal=one_deal,
    )


def after_event(table: Table, event: Event) -> GameWon | Tied | None:
    """The end of the game, if what has just happened brings it about (cells `settle.*`)."""
    rules = table.rules.settle
    if isinstance(event, Scored):
        won = rules.at_once and table.score[event.seat] >= rules.target
        return GameWon(event.seat, GAME + TARGET + WINNER) if won else None
    best, why = max(table.score), GAME if rules.one_deal else GAME + TARGET + WINNER
    if isinstance(event, DealEnded) and best >= rules.target:
        if table.score.count(best) > 1:
            return Tied(why + EQUAL)
        return GameWon(Seat(table.score.index(best)), why)
    return None
