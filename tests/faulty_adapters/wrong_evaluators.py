"""Evaluators of Piquet, which know what two hands bring before the play; each lacks a rule or more."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from faults import ADAPTERS, Respond
from kinds import Step, answering, says

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
