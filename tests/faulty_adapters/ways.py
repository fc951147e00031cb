"""Engines that play rightly in a way of their own: the reference, which draws, declares or books points otherwise."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Phase, Rules, read_act, read_position, write_act
from hoyle_reference.acts import Declare
from hoyle_reference.seats import SEATS, seat_name

Message = Mapping[str, Any]
Step = Mapping[str, Any]
Choose = Callable[[Sequence[Step]], Step | None]


class InItsWay(Reference):
    """The reference, which says of itself what is given here, and keeps to it."""

    def __init__(self, suite: Suite, choose: Choose = lambda open_: next(iter(open_), None), **says: Any) -> None:
        super().__init__(suite)
        self.says, self.choose = says, choose
        self.asked: list[Message] = []

    def __call__(self, message: Message) -> dict[str, Any]:
        """The answer to one message."""
        if message["type"] == "hello":
            return {**super().__call__(message), **self.says}
        self.asked.append(message)
        rules = self.rules("+".join((message["ruleset"], *message["options"])))
        return {"type": "observed", "seq": message["seq"], "steps": list(self.take(rules, message))}

    def take(self, rules: Rules, message: Message) -> Iterator[dict[str, Any]]:
        """One observation a step, whatever acts that step comes to."""
        done: list[Step] = []
        for step in message["steps"]:
            laid, acts = self.acts(rules, message, done, step)
            before = len(done)
            done += acts
            observe = [*message["observe"], "phase", "trick_won_by"]
            seen = [dict(each) for each in observations(rules, {**message, "steps": done, "observe": observe})[before:]]
            if not seen:
                yield {"accepted": False, **laid}
                continue
            refused = next((each for each in seen if each.get("accepted") is False), None)
            if refused:
                del done[before:]
            yield self.reported(refused or seen[-1], message["observe"]) | laid

    def acts(self, rules: Rules, message: Message, done: Sequence[Step], step: Step) -> tuple[Step, list[Step]]:
        """What is said of a step beside what is observed, and the single acts that it comes to."""
        seats = SEATS[: rules.players]
        draws: list[Step] = []
        if "draw-all" in (step.get("do"), step.get("then")):
            at = seats.index(seat_name(self.game(rules, message, done).table.leader))
            draws = [{"by": seat, "do": "draw"} for seat in seats[at:] + seats[:at]]
        match step:
            case {"do": "draw-all"}:
                return {}, draws
            case {"do": "declare", "melds": melds}:
                return {}, [{"by": step["by"], "do": "declare", **each} for each in melds]
            case {"do": "declare", "meld": _} | {"do": "hold" | "exchange" | "show"}:
                return {}, [{key: value for key, value in step.items() if key != "then"}, *draws]
            case {"do": "declare"}:
                laid = self.choose(self.open_to(rules, message, done, step["by"]))
                if laid is None:
                    return {"declared": None, "accepted": True}, draws
                return {"declared": {key: laid[key] for key in ("meld", "cards")}}, [laid, *draws]
            case _:
                return {}, [step]

    @staticmethod
    def game(rules: Rules, message: Message, done: Sequence[Step]) -> Game:
        """The game after what has been done."""
        game = Game(read_position(rules, message["position"]))
        for act in (*message.get("prelude", ()), *done):
            if "do" in act:
                game.attempt(read_act(rules, act))
        return game

    def open_to(self, rules: Rules, message: Message, done: Sequence[Step], by: str) -> list[Step]:
        """The declarations open to a player after what has been done."""
        game = self.game(rules, message, done)
        return [write_act(act) for act in game.legal_actions if isinstance(act, Declare) and seat_name(act.by) == by]

    def reported(self, seen: dict[str, Any], observe: Sequence[str]) -> dict[str, Any]:
        """What it reports of what is to be seen: points when they are booked."""
        phase, won = seen.pop("phase", None), seen.get("trick_won_by")
        later = self.says.get("score") == "later"
        if later and "accepted" in seen and not won and phase not in {Phase.DEAL, Phase.OVER}:
            seen.pop("score", None)
        beside = {"accepted", "answer", "reason"}
        return {key: value for key, value in seen.items() if key in beside or key in observe}
