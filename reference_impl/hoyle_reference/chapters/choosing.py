"""Choices: what rules put before a player (`Offer`), and the act of choosing.

Implements SEMANTICS.md, act-6.
"""

from collections.abc import Iterator

from ..events.choosing import Chosen, Offered
from ..events.event import Event, awaits
from ..table.acts import Choose
from ..table.refusals import Refusal
from ..table.seats import Seat
from ..table.states import Phase
from ..table.table import Table
from .chapter import Move, Offer, during


def put(offer: Offer, table: Table, seat: Seat) -> Iterator[Event]:
    """A choice is put before a player."""
    yield Offered(seat, offer.open(table), offer.grounds(table))
    yield awaits(Phase.CHOOSE, seat)


def offered(table: Table) -> Offer:
    """The choice that has been put: every option belongs to one offer alone."""
    return next(offer for offer in table.rules.offers if table.options[0] in offer.options)


def refuse_choose(table: Table, act: Choose) -> Refusal | None:
    """A choice is made by the player to whom it is offered, from the options offered."""
    if table.phase is not Phase.CHOOSE:
        after_the_cut = table.phase is Phase.DEAL and not table.deals
        return Refusal("not-now", table.rules.deal.cut_winner_chooses.grounds if after_the_cut else ())
    if act.by != table.turn:
        return Refusal("not-your-turn", offered(table).grounds(table))
    return None if act.option in table.options else Refusal("not-an-option", offered(table).grounds(table))


def choose(table: Table, act: Choose) -> Iterator[Event]:
    """What the option brings about."""
    offer = offered(table)
    yield Chosen(act.by, act.option, offer.grounds(table))
    yield from offer.follow(table, act)


def open_choices(table: Table) -> list[Choose]:
    """Every option offered."""
    return [Choose(table.turn, option) for option in table.options]


CHOOSE = Move(Choose, refuse_choose, choose, during(Phase.CHOOSE), open_choices, exact=True)
