"""Choices that rules put before a player (`Offer`), and the act of choosing.

Implements SEMANTICS.md, act-6.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from ..acts import Choose
from ..cards import Card
from ..events import Chosen, Event, Offered, awaits
from ..refusals import Malformed, Refusal
from ..seats import Seat
from ..table.states import Phase
from ..table.table import Table
from .chapter import Move, Offer, Procedure, during


def make_offer(offer: Offer, table: Table, seat: Seat) -> Iterator[Event]:
    """Yield an offer to a player."""
    yield Offered(seat, offer.open(table), offer.grounds(table))
    yield awaits(Phase.CHOOSE, seat)


def current_offer(table: Table) -> Offer:
    """Return the offer that has been made: every choice belongs to one offer alone."""
    return next(offer for offer in table.rules.of(Procedure).offers if table.choices[0] in offer.choices)


def refuse_choose(table: Table, act: Choose) -> Refusal | None:
    """Return why a choice is refused, or None: the player to whom the offer is made takes one of its choices."""
    if table.phase is not Phase.CHOOSE:
        offers = table.rules.of(Procedure).offers
        return Refusal("not-now", tuple(path for offer in offers for path in offer.why_not(table)))
    offer = current_offer(table)
    why = offer.grounds(table)
    if act.by != table.turn:
        return Refusal("not-your-turn", why)
    if act.choice not in table.choices:
        return Refusal("not-a-choice", why)
    due, among = _cards(table, offer, act.choice)
    if len(act.cards) != due:
        return Refusal("too-few-drawn" if len(act.cards) < due else "too-many-drawn", why)
    return None if set(act.cards) <= set(among) else Refusal("card-not-held", why)


def _cards(table: Table, offer: Offer, choice: str) -> tuple[int, Sequence[Card]]:
    """Return how many cards a choice names, and of which."""
    return next((cards(table) for naming, cards in offer.cards if naming == choice), (0, ()))


def sense_of_choose(table: Table, act: Choose) -> None:
    """Raise Malformed where a choice that names no cards has some, or a card is named twice."""
    if act.cards and not any(act.choice in dict(offer.cards) for offer in table.rules.of(Procedure).offers):
        raise Malformed(f"no cards are named with '{act.choice}'")
    if len(set(act.cards)) != len(act.cards):
        raise Malformed("a card is named twice")


def choose(table: Table, act: Choose) -> Iterator[Event]:
    """Yield what the choice brings about."""
    offer = current_offer(table)
    yield Chosen(act.by, act.choice, offer.grounds(table))
    yield from offer.follow(table, act)


def open_choices(table: Table) -> list[Choose]:
    """Return every choice offered, with all the cards that it may name."""
    offer = current_offer(table)
    choices = [(choice, *_cards(table, offer, choice)) for choice in table.choices]
    return [
        Choose(table.turn, choice, cards)
        for choice, due, among in choices
        for cards in combinations(sorted(among), due)
    ]


CHOOSE = Move(Choose, refuse_choose, choose, during(Phase.CHOOSE), open_choices, exact=True, sense=sense_of_choose)
