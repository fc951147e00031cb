"""The card that a refused act names although its player does not hold it, and the place of that card."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.given import REST, Given
from hoyle_conformance.checks.setup.trace import Traced

#: The reason of such a refusal.
CARD_NOT_HELD: Final = "card-not-held"
#: The words for places of cards that belong to no player, by the key in a position.
_SHARED: Final = {"stock": "is in the stock", "undrawn": "is in the stock", "trick": "is in the trick"}
#: The words for places of cards that belong to a player.
_OWNED: Final = {
    "hands": "is in the hand of {}",
    "won": "is among the cards won by {}",
    "discards": "was discarded by {}",
}


@dataclass(frozen=True, slots=True)
class NotHeld:
    """A card that a player does not hold: its place in the step, the fault, and the remedy."""

    path: tuple[str | int, ...]
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class _Act:
    """An act of a scenario that names a card which its player does not hold: its step (from 1), the card with its place
    in the step, and the whole position before the act."""

    step: int
    place: tuple[str | int, ...]
    by: str
    card: str
    stands: Mapping[str, Any]


def not_held(
    given: Given, steps: Sequence[Mapping[str, Any]], plan: RunRequest, traced: Sequence[Traced], start: int
) -> NotHeld | None:
    """Return the missing card of the first act, from step `start` on, that is refused because of it. Return None if
    every card is held and only may not be used."""
    refused = (at for at, each in enumerate(traced) if each.refusal and each.refusal.code == CARD_NOT_HELD)
    at = next(at for at in refused if at >= start)
    stands = traced[at - 1].position if at else plan.position
    step = next(number for number, end in enumerate(plan.ends, start=1) if at < end)
    act = next(_lacking(traced[at].step, steps[step - 1], step, stands), None)
    if act is None:
        return None
    if other := next((each for each in _hand(stands, act.by) if each[:2] == act.card[:2]), ""):
        message = f"{act.by} holds {other}, not {act.card}"
        written = f'"{other}"' if "#" in other else other
        return NotHeld(act.place, message, f"Write {written} here; or give {act.card} in hands.{act.by}.")
    lies = _lies(act, given, plan, traced[:at])
    return NotHeld(act.place, f"{act.by} does not hold {act.card}: {lies}", _give(act, given))


def _lacking(
    single: Mapping[str, Any], step: Mapping[str, Any], number: int, stands: Mapping[str, Any]
) -> Iterator[_Act]:
    """Yield every card of an act that is not in its player's hand; `step` is that of the scenario, which may stand for
    several acts."""
    cards = [single["card"]] if "card" in single else single.get("cards", ())
    for at, card in enumerate(cards):
        if card not in _hand(stands, single["by"]):
            within: tuple[str | int, ...] = ("card",)
            if "cards" in step:
                within = ("cards", step["cards"].index(card) if card in step["cards"] else at)
            yield _Act(number, ("steps", number - 1, *within), single["by"], card, stands)


def _hand(stands: Mapping[str, Any], by: str) -> Sequence[str]:
    """Return the cards that a player holds; none before the deal."""
    hand: Sequence[str] = stands.get("hands", {}).get(by, ())
    return hand


def _lies(act: _Act, given: Given, plan: RunRequest, before: Sequence[Traced]) -> str:
    """Return the words for the place of the card."""
    for at, each in enumerate(before):
        if each.step.get("card") == act.card and each.step.get("do") == "play" and not each.refusal:
            number = next(number for number, end in enumerate(plan.ends, start=1) if at < end)
            return f"{each.step['by']} has played it in step {number}"
    if act.card not in _cards_in(given):
        return "the position does not give it"
    if act.card == act.stands.get("turn_up"):
        return "it is the turn-up"
    shared = (words for key, words in _SHARED.items() if act.card in act.stands.get(key, ()))
    owned = (
        words.format(seat)
        for key, words in _OWNED.items()
        for seat, cards in act.stands.get(key, {}).items()
        if act.card in cards
    )
    return f"it {next(chain(shared, owned), 'is elsewhere')}"


def _cards_in(value: Any) -> Iterator[str]:
    """Yield every text in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _cards_in(each)


def _give(act: _Act, given: Given) -> str:
    """Return the remedy: how to give the card to the player, or how to expect the refusal."""
    hand = given.get("hands", {}).get(act.by, (REST,))
    instead = "" if REST in hand else ", in place of another card"
    give = f"Give it in hands.{act.by}{instead}"
    if act.card in hand:
        give = "Correct the card"
    elif act.card in _cards_in(given):
        give = f"Correct the card or the player, or move it to hands.{act.by}{instead}"
    return f"{give}; or, if the refusal is the point, expect it: '{act.step}: {{refused: {CARD_NOT_HELD}}}'."
