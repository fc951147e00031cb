"""Planning: what is sent to an implementation for one check, and what it must be able to do for it.

The message holds the whole position, the steps as single acts and questions, and which things to observe; never an
expectation. What an implementation must be capable of is read off the scenario in the words of the schemas: each act,
refusal, question and observable is one.

A list in the scenario would be forgotten or wrong. What to observe is the same for every step: a list for each would
show an engine where something is expected to happen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from hoyle_conformance.checks.request import IRREGULAR_ACTS, CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.complete import complete
from hoyle_conformance.checks.setup.fill import least_important_first
from hoyle_conformance.checks.setup.given import REST, another, check_card, check_seat, other_copy
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.model import Check, Expected
from hoyle_reference.rules import Rules
from hoyle_reference.table.cards import Card, names, read_card
from hoyle_reference.table.seats import SEATS

#: The keys of an expectation that are not observables of their own.
_OBSERVED_AS: Final = {"scores": "score", "total": "score"}
#: How far the rest of a deck is turned for another variant: not by whole suits or packs.
_VARIANT_STEP: Final = 7
_NOT_OBSERVED: Final = frozenset({"refused", "answer"})
#: The steps that need one card of each player.
_ONE_CARD_EACH: Final = frozenset({"cut", "trick", "winner"})
#: The acts that a step of several comes to.
_SINGLE: Final = {"trick": "play", "draw-all": "draw"}
#: What of a position only an implementation can be set up in that rules on irregularities.
IRREGULAR: Final = frozenset({"surplus", "untouched", "heap"})


def plan(check: Check, rules: Rules, capabilities: "Capabilities", variant: int | str = 0) -> RunRequest:
    """Make a check ready to be sent; raises Incomplete where its position cannot be completed."""
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
    """A step, by its number from 0, as the protocol knows it: `trick` and `draw-all` stand for one act of each player;
    raises Incomplete where it names what the game does not have."""
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
        raise CannotSetUp(what, "Give one card for each player.", "steps", number, "cards")


def _whole_deck(deck: Sequence[str], rules: Rules, number: int, variant: int | str) -> list[str]:
    known = [text for text in deck if text != REST]
    if len(set(known)) < len(known):
        twice = next(text for text in known if known.count(text) > 1)
        remedy, table = other_copy(rules, twice), ("", another(rules, twice))
        raise CannotSetUp(f"{twice} stands in the deck twice", remedy, "steps", number, "deck", table=table)
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
    """The cards that the deck leaves open, in the order of a variant or a seed."""
    if isinstance(variant, str):
        return names(least_important_first(tuple(cards), None, variant))
    return names(cards[variant * _VARIANT_STEP :] + cards[: variant * _VARIANT_STEP])


def observed(branches: Iterable[Expected]) -> set[str]:
    """What must be observed for these expectations."""
    keys = {key for expected in branches for expectation in expected.values() for key in expectation}
    return {word for key in keys if (word := observed_as(key))}


def observed_as(key: str) -> str | None:
    """What must be observed for a key of an expectation, if anything."""
    return None if key in _NOT_OBSERVED else _OBSERVED_AS.get(key, key)


class Capabilities:
    """The words that an implementation claims, as the schemas have them: acts, refusals, questions, observables, and
    the capabilities that stand for sets of these; and which of them a check needs."""

    def __init__(self, schemas: Schemas) -> None:
        words = schemas.documents["common"]["$defs"]
        self.meanings: Mapping[str, str] = words["capability"]["sentences"]
        self.sets: Mapping[str, frozenset[str]] = {
            name: frozenset(each) for name, each in words["capability"]["words"].items()
        }
        self.everything: frozenset[str] = frozenset(words["claimed"]["enum"])
        self.acts: frozenset[str] = frozenset(words["do"])
        self.asks: frozenset[str] = frozenset(words["ask"])
        self.observables: frozenset[str] = frozenset(words["observable"]["enum"])
        #: The word for each choice: who leaves a deal need not know of the talon.
        self.choices: Mapping[str, str] = words["do"]["choose"]["properties"]["choice"]["words"]

    def words(self, claims: Iterable[str], cannot: Iterable[str] = ()) -> frozenset[str]:
        """The words that claims come to, without those that are taken out again."""
        found = (self.sets.get(claim, frozenset((claim,))) for claim in claims)
        return frozenset(chain.from_iterable(found)) - frozenset(cannot)

    def word(self, step: Mapping[str, Any]) -> str:
        """The word for an act or a question."""
        if "ask" in step:
            return str(step["ask"])
        return self.choices[step["choice"]] if step["do"] == "choose" else str(step["do"])

    def needed(
        self,
        given: Mapping[str, Any],
        acts: Sequence[Mapping[str, Any]],
        branches: Iterable[Expected],
        steps: Sequence[Mapping[str, Any]],
    ) -> frozenset[str]:
        """What an implementation must be able to do for these steps and expectations."""
        branches = list(branches)
        needs = {self.word(step) for step in acts} | observed(branches)
        if any("irregular" in step for step in acts) or not IRREGULAR.isdisjoint(given):
            needs.add(IRREGULAR_ACTS)
        return frozenset(needs.union(refusal_of(steps[number - 1]) for number in _refused(branches)))


def refusal_of(step: Mapping[str, Any]) -> str:
    """The word for refusing the act of a step, or the last one of several."""
    return f"refuse-{_SINGLE.get(step['do'], step['do'])}"


def _refused(branches: Iterable[Expected]) -> Iterator[int]:
    """The steps that some branch has refused."""
    return (number for expected in branches for number, each in expected.items() if "refused" in each)
