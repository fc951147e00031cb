"""Choices: what rules put before a player (`Offer`), and the act of choosing.

Implements SEMANTICS.md, act-6.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from ..events.choosing import Chosen, Offered
from ..events.event import Event, awaits
from ..table.acts import Choose
from ..table.cards import Card
from ..table.refusals import Malformed, Refusal
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
    offer = offered(table)
    why = offer.grounds(table)
    if act.by != table.turn:
        return Refusal("not-your-turn", why)
    if act.option not in table.options:
        return Refusal("not-an-option", why)
    due, among = _cards(table, offer, act.option)
    if len(act.cards) != due:
        return Refusal("too-few-drawn" if len(act.cards) < due else "too-many-drawn", why)
    return None if set(act.cards) <= set(among) else Refusal("card-not-held", why)


def _cards(table: Table, offer: Offer, option: str) -> tuple[int, Sequence[Card]]:
    """How many cards an option names, and of which."""
    return next((cards(table) for naming, cards in offer.cards if naming == option), (0, ()))


def sense_of_choose(table: Table, act: Choose) -> None:
    """Raise Malformed where an option that names no cards has some, or a card is named twice."""
    if act.cards and not any(act.option in dict(offer.cards) for offer in table.rules.offers):
        raise Malformed(f"no cards are named with '{act.option}'")
    if len(set(act.cards)) != len(act.cards):
        raise Malformed("a card is named twice")


def choose(table: Table, act: Choose) -> Iterator[Event]:
    """What the option brings about."""
    offer = offered(table)
    yield Chosen(act.by, act.option, offer.grounds(table))
    yield from offer.follow(table, act)


def open_choices(table: Table) -> list[Choose]:
    """Every option offered, with all the cards that it may name."""
    offer = offered(table)
    options = [(option, *_cards(table, offer, option)) for option in table.options]
    return [
        Choose(table.turn, option, cards)
        for option, due, among in options
        for cards in combinations(sorted(among), due)
    ]


CHOOSE = Move(Choose, refuse_choose, choose, during(Phase.CHOOSE), open_choices, exact=True, sense=sense_of_choose)
