"""Completing: from a position given in part to one in which every card of the pack lies somewhere.

``...`` stands for cards that matter to nobody. They are dealt out by one fixed order, low cards of the plain suits
first, so that the same scenario always makes the same position. A card without a copy number is the first of its kind.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle_reference.rules import Rules
from hoyle_reference.table.seats import SEATS

from . import drawn, exchanged
from .filling import named_in_steps
from .given import Given, place_cards


def complete(rules: Rules, given: Given, steps: Sequence[Mapping[str, Any]], variant: int = 0) -> dict[str, Any]:
    """The whole position, as the protocol spells it; `variant` deals the cards that do not matter in another order.

    Raises Incomplete where the cards given cannot be those of a position.
    """
    places = place_cards(rules, given)
    dealer = given.get("dealer", "B")
    marked = {**given.get("made", {}), **given.get("score", {})}
    score = {letter: marked.get(letter, 0) for letter in SEATS[: len(rules.sides)]}
    before, of_the_game = given.get("before"), exchanged.of_the_game(rules, given)
    if before == "cut":
        return {"phase": "cut", "turn": SEATS[0], "dealer": None, "score": score, **of_the_game}
    if before == "deal":
        return {"phase": "deal", "turn": dealer, "dealer": dealer, "score": score, **of_the_game}
    game = exchanged if "talon" in rules.chapters else drawn
    position = game.complete(rules, given, places, dealer, named_in_steps(rules, steps), variant)
    return {"dealer": dealer, "score": score, **of_the_game, **position}
