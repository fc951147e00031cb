"""Completing: from a position given in part to one in which every card of the pack lies somewhere.

What is given is laid out on a table, and every card that it leaves open is put somewhere. A card without a copy number
is the first of its kind.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle_conformance.checks.setup import fill_drawing as drawn
from hoyle_conformance.checks.setup import fill_exchange as exchanged
from hoyle_conformance.checks.setup.fill import Filling, least_important_first, named_in_steps
from hoyle_conformance.checks.setup.given import Given
from hoyle_conformance.checks.setup.layout import lay_out
from hoyle_reference import Rules, write_position


def complete(rules: Rules, given: Given, steps: Sequence[Mapping[str, Any]], variant: int | str = 0) -> dict[str, Any]:
    """The whole position, as the protocol spells it; `variant`, a number or a seed, deals the cards that do not matter
    in another order.

    Raises Incomplete where the cards given cannot be those of a position.
    """
    table = lay_out(rules, given)
    if "before" not in given:
        lying = set(table.cards())
        order = least_important_first(rules.pack, table.trumps, variant)
        game = exchanged if "talon" in rules.chapters else drawn
        game.fill(Filling(table, given, [card for card in order if card not in lying], named_in_steps(rules, steps)))
    return write_position(table)
