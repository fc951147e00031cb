"""Planning: what is sent to an implementation for one check, and what it must be able to do for it.

The message holds the whole position, the steps as single acts and questions, and which things to observe; never an
expectation. What an implementation must be capable of is read off the scenario by the words of the schemas, where each
act, question and observable names its capability.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_reference.rules import Rules
from hoyle_reference.table.cards import Card, names, read_card
from hoyle_reference.table.seats import SEATS

from ..files.schemas import Schemas
from ..model import Check, Expected
from .complete import complete
from .filling import least_important_first
from .given import REST, check_card, check_seat, other_copy
from .prepared import CENSUS, IRREGULARITIES, Incomplete, Plan

#: The keys of an expectation that are not observables of their own.
_OBSERVED_AS: Final = {"scores": "score", "total": "score"}
#: How far the rest of a deck is turned for another variant: not by whole suits or packs.
_VARIANT_STEP: Final = 7
_NOT_OBSERVED: Final = frozenset({"refused", "answer"})
#: The steps that need one card of each player.
_ONE_CARD_EACH: Final = frozenset({"cut", "trick", "winner"})
#: What of a position only an implementation can be set up in that rules on irregularities.
IRREGULAR: Final = frozenset({"surplus", "untouched", "heap"})


def plan(check: Check, rules: Rules, capabilities: "Capabilities", variant: int | str = 0) -> Plan:
    """Make a check ready to be sent; raises Incomplete where its position cannot be completed."""
    scenario, variant = check.scenario, variant or check.turned.seed or 0
    acts: list[dict[str, Any]] = []
    ends: list[int] = []
    for number, step in enumerate(scenario.steps):
        acts += _acts(step, rules, number, variant)
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
    return Plan(message, tuple(ends), needs, SEATS[: rules.players], check.turned)


def _acts(step: Mapping[str, Any], rules: Rules, number: int, variant: int | str) -> Iterator[dict[str, Any]]:
    """A step as the protocol knows it: `trick` and `draw-all` stand for one act of each player."""
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
    """The seats and cards of a step exist, and where it needs a card of each player it has them."""
    if "by" in step:
        check_seat(rules, step["by"], "steps", number, "by")
    for key in ("card", "cards", "deck"):
        value = step.get(key, ())
        for text in [value] if isinstance(value, str) else value:
            if text != REST:
                check_card(rules, text, "steps", number, key)
    needed = rules.players if step.get("do", step.get("ask")) in _ONE_CARD_EACH else None
    if needed and len(step["cards"]) != needed:
        what = f"{len(step['cards'])} cards where each of {needed} players has one"
        raise Incomplete(what, "Give one card for each player.", "steps", number, "cards")


def _whole_deck(deck: Sequence[str], rules: Rules, number: int, variant: int | str) -> list[str]:
    known = [text for text in deck if text != REST]
    if len(set(known)) < len(known):
        twice = next(text for text in known if known.count(text) > 1)
        raise Incomplete(f"{twice} stands in the deck twice", other_copy(rules, twice), "steps", number, "deck")
    placed = {read_card(text) for text in known}
    rest = _rest([card for card in rules.pack if card not in placed], variant)
    if REST not in deck:
        if rest:
            raise Incomplete(
                f"{len(rest)} cards are missing from the deck", f"Add {REST} for the rest.", "steps", number, "deck"
            )
        return known
    at = list(deck).index(REST)
    return [*deck[:at], *rest, *(text for text in deck[at:] if text != REST)]


def _rest(cards: list[Card], variant: int | str) -> list[str]:
    """The cards that the deck leaves open, in the order of a variant or a seed."""
    if isinstance(variant, str):
        return names(least_important_first(tuple(cards), None, variant))
    return names(cards[variant * _VARIANT_STEP :] + cards[: variant * _VARIANT_STEP])


def observed(branches: Iterable[Expected]) -> set[str]:
    """What must be observed for these expectations."""
    keys = {key for expected in branches for expectation in expected.values() for key in expectation}
    return {_OBSERVED_AS.get(key, key) for key in keys - _NOT_OBSERVED}


class Capabilities:
    """Which capability each act, question and observable needs, as the schemas say."""

    def __init__(self, schemas: Schemas) -> None:
        words = schemas.documents["common"]["$defs"]
        self.meanings: Mapping[str, str] = words["capability"]["sentences"]
        self.acts: Mapping[str, str] = {name: act["capability"] for name, act in words["do"].items()}
        #: Options of a choice that need another capability than the others.
        self.options: Mapping[str, str] = words["do"]["choose"]["properties"]["option"]["capabilities"]
        self.asks: Mapping[str, str] = {name: ask["capability"] for name, ask in words["ask"].items()}
        self.observables: Mapping[str, str] = {name: each["capability"] for name, each in words["observables"].items()}

    def observed_by(self, capabilities: frozenset[str]) -> frozenset[str]:
        """What those who claim these capabilities observe, but for what is asked in whole games alone."""
        known = capabilities - {CENSUS}
        return frozenset(name for name, capability in self.observables.items() if capability in known)

    def needed(
        self,
        given: Mapping[str, Any],
        acts: Sequence[Mapping[str, Any]],
        branches: Iterable[Expected],
        steps: Sequence[Mapping[str, Any]],
    ) -> frozenset[str]:
        """What an implementation must be able to do for these steps and expectations."""
        branches = list(branches)
        needs = {self.options.get(step.get("option", ""), self.acts[step["do"]]) for step in acts if "do" in step}
        if any("irregular" in step for step in acts) or not IRREGULAR.isdisjoint(given):
            needs.add(IRREGULARITIES)
        needs |= {self.asks[step["ask"]] for step in acts if "ask" in step}
        needs |= {self.observables[key] for key in observed(branches)}
        if "before" not in given and any("do" in step for step in acts):
            needs.add("position")
        if any(_refused_play(expected, steps) for expected in branches):
            needs.add("legal-plays")
        return frozenset(needs)


def _refused_play(expected: Expected, steps: Sequence[Mapping[str, Any]]) -> bool:
    return any("refused" in each and steps[number - 1].get("do") == "play" for number, each in expected.items())
