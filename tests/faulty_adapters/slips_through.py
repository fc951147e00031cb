"""Engines with mistakes that few questions find: each is right but for one thing."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from faults import ADAPTERS, Message, Respond, adapter, rules_of_the_suite
from kinds import answering, says
from ways import InItsWay, Step

from hoyle_conformance.checks.setup.standalone import answer_standalone
from hoyle_conformance.runner.compare import face
from hoyle_reference import Rules

_SEQUENCE = sorted("ATKQJ")
#: The fewest cards of a sequence at Piquet.
_LEAST = 3


def _is_sequence(cards: Sequence[str]) -> bool:
    """Whether these are the five best cards of a suit."""
    return sorted(card[0] for card in cards) == _SEQUENCE and len({card[1] for card in cards}) == 1


@adapter
def pays_any_sequence_150() -> Respond:
    """It values combinations of Bézique, and has a plain sequence for 150, which the book does not."""
    suite = rules_of_the_suite()
    game = suite.rules.fresh_game("bezique-hoyle")

    def worth(step: Step, position: Mapping[str, Any]) -> Any:
        right = answer_standalone(game, {"trumps": position.get("trumps"), **step})
        if right or not _is_sequence(step["cards"]):
            return right
        if "meld" not in step:
            return {"meld": "plain-sequence", "points": 150}
        return 150 if step["meld"] == "plain-sequence" else 0

    return answering(says("pays any sequence", ["bezique-hoyle"], ["worth", "worth-of-cards"]), worth)


@adapter
def loses_a_second_sequence_in_a_suit() -> Respond:
    """It evaluates hands of Piquet, and finds one sequence in a suit at the most."""
    ready = says("one sequence a suit", ["piquet-saunt-parlett"], ["piquet-declarations"], position="none")
    right = InItsWay(rules_of_the_suite(), **ready)

    def respond(message: Mapping[str, Any]) -> Message | None:
        steps = [
            {**step, "hands": {seat: list(_one_run_a_suit(hand)) for seat, hand in step["hands"].items()}}
            if step.get("ask") == "reckoning"
            else step
            for step in message.get("steps", ())
        ]
        return right({**message, "steps": steps} if "steps" in message else message)

    return respond


def _one_run_a_suit(hand: Sequence[str]) -> Iterator[str]:
    """Yield a hand of which a shorter run is lost where a suit has two: its middle card is one of another suit."""
    ranks = "789TJQKA"
    for suit in "CDHS":
        held = [card for card in hand if card[1] == suit]
        places = sorted(ranks.index(card[0]) for card in held)
        runs = [run for run in _runs(places) if len(run) >= _LEAST]
        lost = {ranks[run[1]] for run in sorted(runs, key=len, reverse=True)[1:]}
        yield from (f"{card[0]}{suit}" for card in held if card[0] not in lost)


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Return the runs of neighbouring places."""
    runs: list[list[int]] = []
    for at in places:
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


class StampsTheTable(InItsWay):
    """When a combination scores, it stamps its value on every card that lies on the table, and not only on its own."""

    def take(self, rules: Rules, message: Message) -> Iterator[dict[str, Any]]:
        """Yield one observation a step; a card stamped with as much scores nothing less."""
        asked = {**message, "observe": sorted({*message["observe"], "shown", "score"})}
        stamped: dict[str, int] = {}
        steps: list[Step] = []
        for step in message["steps"]:
            cards = [face(card) for card in step.get("cards", ())] if step.get("do") == "declare" else []
            seen = list(super().take(rules, {**asked, "steps": [*steps, step]}))
            points = self.points(seen, message["position"]["score"])
            if cards and points and any(stamped.get(card, 0) >= points for card in cards):
                before = seen[-2] if len(seen) > 1 else message["position"]
                yield {"accepted": False, **{key: before[key] for key in message["observe"] if key in before}}
                continue
            steps.append(step)
            if cards and points:
                lie = {face(card) for shown in seen[-1]["shown"].values() for card in shown} - set(cards)
                stamped.update({card: max(points, stamped.get(card, 0)) for card in lie})
            yield {key: value for key, value in seen[-1].items() if key in {"accepted", "answer", *message["observe"]}}

    @staticmethod
    def points(seen: Sequence[Mapping[str, Any]], score: Mapping[str, int]) -> int:
        """What the last act has scored."""
        scores = [score, *(each["score"] for each in seen if "score" in each)]
        return sum(scores[-1].values()) - sum(scores[-2].values()) if len(scores) > 1 else 0


@adapter
def stamps_cards() -> Respond:
    claims = ["tricks", "drawing", "declarations", "score", "legal-plays"]
    ready = says("stamps the table", ["bezique-hoyle"], claims, position="any")
    return StampsTheTable(rules_of_the_suite(), **ready)


def slips() -> list[str]:
    """The names of all of them."""
    here = [make.__name__.replace("_", "-") for make in globals().values() if make in ADAPTERS.values()]
    return [name for name in here if ADAPTERS[name].__module__ == __name__]
