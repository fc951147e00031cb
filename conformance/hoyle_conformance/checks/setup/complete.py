"""A position given in part, completed to one in which every card of the pack has a place.

The given cards are set up on a table, and every open place is filled. A card without a copy number is the first of its
kind.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle_conformance.checks.setup import fill_drawing as drawn
from hoyle_conformance.checks.setup import fill_exchange as exchanged
from hoyle_conformance.checks.setup.fill import Filling, least_important_first, named_in_steps
from hoyle_conformance.checks.setup.given import Given
from hoyle_conformance.checks.setup.layout import lay_out
from hoyle_reference import Rules, Table, write_position


def complete(rules: Rules, given: Given, steps: Sequence[Mapping[str, Any]], variant: int | str = 0) -> dict[str, Any]:
    """Return the whole position, as the protocol writes it; `variant`, a number or a seed, deals the cards that do not
    matter in another order.

    Raises CannotSetUp if the given cannot be part of a position.
    """
    table = lay_out(rules, given)
    if "before" not in given:
        lying = set(table.cards())
        order = least_important_first(rules.pack, table.trumps, variant)
        game = exchanged if "talon" in rules.chapters else drawn
        game.fill(Filling(table, given, [card for card in order if card not in lying], named_in_steps(rules, steps)))
    _give_to_the_sides(table)
    return write_position(table)


def _give_to_the_sides(table: Table) -> None:
    """Give the first of partners all that the side has scored and keeps, as an engine gets it."""
    for rows in (table.scored, table.kept):
        for first, *partners in table.rules.sides:
            for partner in partners:
                rows[first] += rows[partner]
                rows[partner] = []
