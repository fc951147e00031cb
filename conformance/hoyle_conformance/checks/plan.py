"""The request of one check: its whole position, its steps as single acts and questions, and the observables to report.

A request never contains an expectation. The words that must be claimed are derived from the scenario, since a list
written there would be incomplete or wrong. The observables are the same for every step, because a list for each step
would show the engine where something is expected.

The parts are: planning of a request, and completion of a position.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.fill import (
    Filling,
    fill_drawing,
    fill_exchange,
    least_important_first,
    named_in_steps,
)
from hoyle_conformance.checks.setup.given import REST, Given, another, check_card, check_seat, other_copy
from hoyle_conformance.checks.setup.layout import lay_out
from hoyle_conformance.suite.capabilities import Capabilities, observed
from hoyle_conformance.suite.model import Check
from hoyle_reference import Rules, write_position
from hoyle_reference.cards import Card, names, read_card
from hoyle_reference.seats import SEATS

#: The distance by which the rest of a deck is rotated for each variant; it is no multiple of a suit or a pack.
_VARIANT_STEP: Final = 7
#: The steps that need one card from each player.
ONE_CARD_EACH: Final = frozenset({"cut", "trick", "winner"})


def plan(check: Check, rules: Rules, capabilities: Capabilities, variant: int | str = 0) -> RunRequest:
    """Return the request of a check; raises CannotSetUp if its position cannot be completed."""
    scenario, variant = check.scenario, variant or check.turned.seed or 0
    acts: list[dict[str, Any]] = []
    ends: list[int] = []
    for number, step in enumerate(scenario.steps):
        acts += singles(step, rules, number, variant)
        ends.append(len(acts))
    ruleset, *options = check.ruleset.split("+")
    message = {
        "ruleset": ruleset,
        "options": options,
        "position": complete(rules, scenario.given, scenario.steps, variant),
        "steps": acts,
        "observe": sorted(observed(check.branches.values())),
    }
    needs = capabilities.needed(scenario.given, acts, check.branches.values(), scenario.steps)
    return RunRequest(message, tuple(ends), needs, SEATS[: rules.players], check.turned)


def singles(step: Mapping[str, Any], rules: Rules, number: int, variant: int | str) -> Iterator[dict[str, Any]]:
    """Yield a step, numbered from 0, as the single acts of the protocol; `trick` and `draw-all` become one act for each
    player. Raises CannotSetUp if the step names something that the game does not have."""
    _check_words(step, rules, number)
    match step.get("do"):
        case "trick":
            for seat, card in zip(_round(step["by"], rules), step["cards"], strict=True):
                yield {"by": seat, "do": "play", "card": card}
        case "draw-all":
            for seat in _round(step["by"], rules):
                yield {"by": seat, "do": "draw"}
        case "deal":
            yield {**step, "deck": _whole_deck(step["deck"], rules, number, variant)}
        case _:
            yield dict(step)


def _round(first: str, rules: Rules) -> list[str]:
    seats = SEATS[: rules.players]
    at = seats.index(first)
    return list(seats[at:] + seats[:at])


def _check_words(step: Mapping[str, Any], rules: Rules, number: int) -> None:
    """Raise CannotSetUp unless the seats and cards of a step exist, and a step that needs one card from each player has
    them."""
    if "by" in step:
        check_seat(rules, step["by"], "steps", number, "by")
    for key in ("card", "cards", "deck"):
        value = step.get(key, ())
        for text in [value] if isinstance(value, str) else value:
            if text != REST:
                check_card(rules, text, "steps", number, key)
    needed = rules.players if step.get("do", step.get("ask")) in ONE_CARD_EACH else None
    if needed and len(step["cards"]) != needed:
        what = f"{len(step['cards'])} cards where each of {needed} players has one"
        raise CannotSetUp(what, "Give one card for each player.", "steps", number, "cards")


def _whole_deck(deck: Sequence[str], rules: Rules, number: int, variant: int | str) -> list[str]:
    known = [text for text in deck if text != REST]
    if len(set(known)) < len(known):
        twice = next(text for text in known if known.count(text) > 1)
        remedy, table = other_copy(rules, twice), ("", another(rules, twice))
        raise CannotSetUp(f"{twice} is in the deck twice", remedy, "steps", number, "deck", table=table)
    placed = {read_card(text) for text in known}
    rest = _rest([card for card in rules.pack if card not in placed], variant)
    if REST not in deck:
        if rest:
            message, remedy = f"{len(rest)} cards are missing from the deck", f"Add {REST} for the rest."
            raise CannotSetUp(message, remedy, "steps", number, "deck", table=("", "Deal the whole pack."))
        return known
    at = list(deck).index(REST)
    return [*deck[:at], *rest, *(text for text in deck[at:] if text != REST)]


def _rest(cards: list[Card], variant: int | str) -> list[str]:
    """Return the cards that the deck does not specify, in the order of a variant or a seed."""
    if isinstance(variant, str):
        return names(least_important_first(tuple(cards), None, variant))
    return names(cards[variant * _VARIANT_STEP :] + cards[: variant * _VARIANT_STEP])


# ---- completion of a position
#
# The given cards are set up on a table, and the rest of the pack fills every open place. A card without a copy number
# is the first of its kind.


def complete(rules: Rules, given: Given, steps: Sequence[Mapping[str, Any]], variant: int | str = 0) -> dict[str, Any]:
    """Return the whole position, as the protocol writes it. A different `variant`, a number or a seed, deals the cards
    that do not matter in another order.

    Raises CannotSetUp if the given cannot be part of a position.
    """
    table = lay_out(rules, given)
    if "before" not in given:
        lying = set(table.cards())
        order = least_important_first(rules.pack, table.trumps, variant)
        fill = fill_exchange if "talon" in rules.chapters else fill_drawing
        fill(Filling(table, given, [card for card in order if card not in lying], named_in_steps(rules, steps)))
    # What a side has scored and keeps is given to the first of the partners, which is the form sent to an engine.
    for rows in (table.scored, table.kept):
        for first, *partners in table.rules.sides:
            for partner in partners:
                rows[first] += rows[partner]
                rows[partner] = []
    return write_position(table)
