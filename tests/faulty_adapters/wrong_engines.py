"""Engines as people write them, each with one mistake that engines have been seen to make."""

from collections.abc import Iterator, Mapping
from typing import Any

from faults import Message, Respond, adapter, reference, rules_of_the_suite, with_answers, with_cell
from kinds import answering, says

from hoyle_reference import Table
from hoyle_reference.chapters.calling import reckoning
from hoyle_reference.events import Event, NoBonus, Scored
from hoyle_reference.seats import Seat
from hoyle_reference.table.states import Cause

#: What four of a kind score, in an engine that has two of them the wrong way round.
FOURS = {"four-aces": ("A", 100), "four-kings": ("K", 80), "four-queens": ("Q", 40), "four-knaves": ("J", 60)}
#: Of all engines here, what they claim of the game that is played.
PLAYED = ("bezique-hoyle",)


def of_one_game(respond: Respond, rulesets: tuple[str, ...]) -> Respond:
    """The same engine, which claims these rulesets alone."""

    def claiming(message: Mapping[str, Any]) -> Message | None:
        answer = respond(message)
        return {**answer, "rulesets": list(rulesets)} if answer and message["type"] == "hello" else answer

    return claiming


@adapter
def swaps_queens_and_knaves() -> Respond:
    """A function that says what cards are worth, in which four queens and four knaves are the wrong way round."""

    def worth(step: Mapping[str, Any], _position: Mapping[str, Any]) -> int:
        rank, points = FOURS.get(step["meld"], ("", 0))
        return points if [card[0] for card in step["cards"]] == [rank] * 4 else 0

    return answering(says("an evaluator of hands", PLAYED, ["worth"]), worth)


@adapter
def pays_little_for_four_knaves() -> Respond:
    """It plays the game of the book, not the house rules by which it is checked; and four knaves score 20."""
    row = rules_of_the_suite().rules.cells("bezique-hoyle")["declare.melds.four-knaves"].value
    return of_one_game(with_cell("declare.melds.four-knaves", {**row, "points": 20}), PLAYED)


@adapter
def counts_a_repique_by_totals() -> Respond:
    """A repique is for whoever has thirty points in hand, whatever the other scores first."""
    right = reckoning.after_combination

    def by_totals(table: Table, seat: Seat, points: int) -> Iterator[Event]:
        for event in right(table, seat, points):
            barred = isinstance(event, NoBonus)
            yield Scored(seat, 60, "repique", event.grounds, Cause.BONUS) if barred else event

    reckoning.after_combination = by_totals
    return of_one_game(reference(), ("piquet-rubicon-parlett",))


@adapter
def throws_where_it_should_refuse() -> Respond:
    """What it should refuse ends in an exception, whose text names another property each time."""

    def throw(answer: Message, message: Mapping[str, Any]) -> Message:
        for at, (step, seen) in enumerate(zip(message["steps"], answer.get("steps", ()), strict=False)):
            if seen.get("accepted") is False:
                undefined = f"Cannot read properties of undefined (reading '{step.get('meld', step['do'])}')"
                answer["steps"][at:] = [{"error": f"TypeError: {undefined}\n    at engine.js:{at + 12}:{at + 7}"}]
                answer["steps"] += [{"skipped": "it has thrown"}] * (len(message["steps"]) - at - 1)
                break
        return answer

    return of_one_game(with_answers(throw), PLAYED)
