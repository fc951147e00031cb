"""Choices: what a rule puts before a player, and what follows from the option taken."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from . import deal, talon
from .acts import Choose
from .events import Event
from .refusals import Grounds, Violation
from .table import Phase, Table

#: What is put before the winner of the cut, and before younger where cards are left over.
DEAL_OPTIONS: Final = (deal.DEALS, deal.LEAVES_IT)
TALON_OPTIONS: Final = (talon.EXPOSES, talon.LEAVES)
#: What follows from each option.
FOLLOW: Final[Mapping[str, Callable[[Table, Choose], Iterator[Event]]]] = MappingProxyType(
    {
        deal.DEALS: deal.who_deals,
        deal.LEAVES_IT: deal.who_deals,
        talon.EXPOSES: talon.what_is_left,
        talon.LEAVES: talon.what_is_left,
    }
)


def may_choose(table: Table, act: Choose) -> Violation | None:
    """A choice is made by the player to whom it is offered, from the options offered."""
    if table.phase is not Phase.CHOOSE:
        return Violation("not-now", deal.CUT_WINNER if table.phase is Phase.DEAL and not table.deals else ())
    if act.by != table.turn:
        return Violation("not-your-turn", _offered_by(table))
    return None if act.option in table.options else Violation("not-an-option", _offered_by(table))


def _offered_by(table: Table) -> Grounds:
    return talon.UNTAKEN if talon.LEAVES in table.options else deal.CUT_WINNER


def choose(table: Table, act: Choose) -> Iterator[Event]:
    """What the option brings about."""
    return FOLLOW[act.option](table, act)


def choices_to_choose(table: Table) -> list[Choose]:
    """Every option offered."""
    return [Choose(table.turn, option) for option in table.options]
