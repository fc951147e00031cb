"""Engines as people write them, each with one mistake that engines have been seen to make."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from faults import ADAPTERS, Message, Respond, adapter, reference, rules_of_the_suite, with_answers, with_cell
from kinds import Step, answering, says

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


# ---- evaluators of Piquet, which know what two hands bring before the play; each lacks a rule or more


#: The rules that an evaluator may lack, with the cell of each.
LACKS = {
    "repique": "reckoning.repique.points",
    "pips": "classes.point.values",
    "comparison": "classes.winner_scores",
    "order-of-cards": "classes.sequence.best",
    "lesser-ones": "classes.winner_scores",
    "second-sequence": "classes.combinations.tierce",
}
_CLASSES, _RANKS, _PIPS = ("point", "sequence", "set"), "789TJQKA", (7, 8, 9, 10, 10, 10, 10, 11)
#: The points of a sequence and of a set by the number of its cards, and those of a blank and of a repique.
_SEQUENCES: Mapping[int, int] = {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}
_SETS: Mapping[int, int] = {3: 3, 4: 14}
_BLANK, _REPIQUE, _THIRTY = 10, 60, 30
#: The number of cards of a combination, its height and its points.
Held = tuple[int, int, int]


def _held(class_: str, hand: Sequence[str], lacks: Collection[str]) -> Iterator[Held]:
    """Yield what a hand holds of a class."""
    if class_ == "set":
        counts = Counter(card[0] for card in hand if card[0] in "TJQKA")
        yield from ((count, _RANKS.index(rank), _SETS[count]) for rank, count in counts.items() if count in _SETS)
        return
    for suit in {card[1] for card in hand}:
        places = sorted(_RANKS.index(card[0]) for card in hand if card[1] == suit)
        if class_ == "point":
            yield len(places), sum(_PIPS[place] for place in places if "pips" not in lacks), len(places)
        else:
            yield from _sequences(places, lacks)


def _sequences(places: Sequence[int], lacks: Collection[str]) -> list[Held]:
    runs: list[list[int]] = []
    for place in places:
        follows = runs and place - runs[-1][-1] <= (2 if "order-of-cards" in lacks else 1)
        runs = [*runs[:-1], [*runs[-1], place]] if follows else [*runs, [place]]
    found = sorted((len(run), run[-1], _SEQUENCES[len(run)]) for run in runs if len(run) in _SEQUENCES)
    return found[-1:] if "second-sequence" in lacks else found


def _winner(held: Mapping[str, Sequence[Held]]) -> str | None:
    best = {seat: some[0][:2] if some else (0, 0) for seat, some in held.items()}
    return max(best, key=lambda seat: best[seat]) if best["A"] != best["B"] else None


def evaluator(*lacks: str) -> Respond:
    def of_class(step: Step, class_: str) -> dict[str, list[Held]]:
        return {seat: sorted(_held(class_, hand, lacks), reverse=True) for seat, hand in step["hands"].items()}

    def answer(step: Step, _position: Mapping[str, Any]) -> Any:
        if step["ask"] == "class-winner":
            return _winner(of_class(step, step["class"]))
        made = {seat: _BLANK * (seat in step.get("blanks", ())) for seat in ("A", "B")}
        ahead = {seat: bool(points) for seat, points in made.items()}
        for class_ in _CLASSES:
            held = of_class(step, class_)
            for seat in made if "comparison" in lacks else filter(None, [_winner(held)]):
                for _, _, points in held[seat][: 1 if class_ == "point" or "lesser-ones" in lacks else None]:
                    barred = ahead["B" if seat == "A" else "A"] or "repique" in lacks
                    reaches = made[seat] < _THIRTY <= made[seat] + points and not barred
                    made[seat] += points + _REPIQUE * reaches
                ahead[seat] |= bool(held[seat])
        return made

    ready = says("an evaluator", ["piquet-rubicon-parlett"], ["class-winner", "reckoning"], position="none")
    return answering(ready, answer)


ADAPTERS.update({f"evaluates-without-{rule}": partial(evaluator, rule) for rule in LACKS})
ADAPTERS["evaluates-without-five-rules"] = partial(evaluator, *[*LACKS][:5])
