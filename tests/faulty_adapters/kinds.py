"""Kinds of engines that exist: each can do some things, in its own way, and is right in what it does.

They are adapters as people write them around what they have: a function that knows who wins, a manager of scores, a
loop that plays a whole game and asks for the next card.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any

from faults import ADAPTERS, Message, Respond, adapter, rules_of_the_suite
from ways import InItsWay

from hoyle_conformance.checks.setup.trace import observation_of
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Refusal, Table, read_act, read_position
from hoyle_reference.chapters.calling.classes import ClassRules
from hoyle_reference.events import Event

Step = Mapping[str, Any]

_RANKS = "ATKQJ987"


def says(name: str, rulesets: Sequence[str], claims: Sequence[str], **ways: Any) -> dict[str, Any]:
    """What an engine says of itself."""
    about = {"name": name, "version": "1", "language": "Python", "rulesets": list(rulesets), "claims": list(claims)}
    return {"type": "ready", "protocol": 1, **about, **ways}


def answering(ready: dict[str, Any], answer: Callable[[Step, Mapping[str, Any]], Any]) -> Respond:
    """An engine that answers questions, each by itself."""

    def respond(message: Mapping[str, Any]) -> Message | None:
        if message["type"] == "hello":
            return ready
        steps = [{"answer": answer(step, message["position"])} for step in message["steps"]]
        return {"type": "observed", "seq": message["seq"], "steps": steps}

    return respond


@adapter
def knows_who_wins_a_trick() -> Respond:
    """A winner function, and nothing else."""

    def winner(step: Step, position: Mapping[str, Any]) -> str:
        trumps, cards = step.get("trumps", position.get("trumps")), step["cards"]

        def strength(at: int) -> tuple[bool, bool, int, int]:
            rank, suit = cards[at][:2]
            return suit == trumps, suit == cards[0][1], -_RANKS.index(rank), -at

        seats = sorted(position["score"])
        best = max(range(len(cards)), key=strength)
        return str(seats[(seats.index(step["by"]) + best) % len(seats)])

    return answering(says("a winner function", ["bezique-hoyle"], ["winner"]), winner)


@adapter
def values_combinations() -> Respond:
    """A function that knows what a combination of Bézique is worth."""
    quartets = {"four-aces": "A", "four-kings": "K", "four-queens": "Q", "four-knaves": "J"}
    of_rank = {"J": 40, "Q": 60, "K": 80, "A": 100}

    def worth(step: Step, position: Mapping[str, Any]) -> int:
        trumps = step.get("trumps", position.get("trumps"))
        faces = sorted(card[:2] for card in step["cards"])
        ranks, suits = sorted(face[0] for face in faces), {face[1] for face in faces}
        match step["meld"]:
            case "bezique" | "double-bezique" as name:
                pairs = 1 if name == "bezique" else 2
                return (40, 500)[pairs - 1] if faces == sorted(["JD", "QS"] * pairs) else 0
            case "common-marriage" | "royal-marriage" as name:
                married = ranks == ["K", "Q"] and len(suits) == 1
                royal = suits == {trumps}
                return (40 if royal else 20) if married and royal == (name == "royal-marriage") else 0
            case "sequence":
                return 250 if ranks == sorted("ATKQJ") and suits == {trumps} else 0
            case name:
                return of_rank[quartets[name]] if ranks == [quartets.get(name)] * 4 else 0

    return answering(says("a function of combinations", ["bezique-hoyle"], ["melds"]), worth)


class Manager(InItsWay):
    """A manager of scores: it books what it is told to, and refuses nothing."""

    def reported(self, seen: dict[str, Any], observe: Sequence[str]) -> dict[str, Any]:
        """Whatever it is told is booked."""
        return {**super().reported(seen, observe), **({"accepted": True} if "accepted" in seen else {})}


@adapter
def keeps_the_score() -> Respond:
    ready = says(
        "a manager of scores",
        ["bezique-hoyle", "rubicon-hoyle"],
        ["play", "draw", "declare", "hold", "exchange", "show", "carte-blanche", "score", "game_won_by"],
        position="any",
    )
    return Manager(rules_of_the_suite(), **ready)


@adapter
def books_points_when_the_trick_is_complete() -> Respond:
    claims = ["tricks", "drawing", "declarations", "seven", "score", "legal-plays"]
    ready = says("points at the end of the trick", ["bezique-hoyle"], claims, position="any", score="later")
    return InItsWay(rules_of_the_suite(), **ready)


@adapter
def lets_everyone_draw_together() -> Respond:
    claims = ["tricks", "draw", "declarations", "score", "table", "legal-plays"]
    ready = says("draws together", ["rubicon-hoyle", "three-handed-h2g2"], claims, position="any", draws="together")
    return InItsWay(rules_of_the_suite(), **ready)


class InOneGo(InItsWay):
    """An engine that takes calls, elder's lead and declarations in one go, and cannot be stopped before whoever's class
    is good has declared it."""

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one message: none, where it would have to wait for a declaration."""
        if any("do" in step for step in message.get("steps", ())) and self.waits(message):
            return {"type": "unsupported", "seq": message["seq"], "reason": "it waits for what is good"}
        return super().__call__(message)

    def waits(self, message: Mapping[str, Any]) -> bool:
        """Whether after all steps somebody has yet to declare something good."""
        rules = self.rules("+".join((message["ruleset"], *message["options"])))
        game = Game(read_position(rules, message["position"]))
        for step in message["steps"]:
            for act in self.acts(rules, message, (), step)[1] if "do" in step else ():
                game.attempt(read_act(rules, act))
        table = game.table
        if table.a_trick_is_won or len(table.trick) > 1:
            return False
        decided = list(zip(("point", "sequence", "set"), table.called.decided, strict=False))
        younger = [class_ for class_, seat in decided if seat == table.dealer]
        elder = [class_ for class_, seat in decided[-1:] if seat == table.leader == table.turn and not table.trick]
        declared = {rules.of(ClassRules).by_id[each.meld].class_ for scored in table.scored for each in scored}
        return not declared.issuperset(younger + elder)


@adapter
def declares_in_one_go() -> Respond:
    claims = ["tricks", "calling", "declare", "talon", "score", "legal-plays"]
    ready = says("declares in one go", ["piquet-rubicon-parlett"], claims, position="any", declarations="as-a-set")
    return InOneGo(rules_of_the_suite(), **ready)


@adapter
def declares_by_itself() -> Respond:
    """It declares what scores most."""

    def best(open_: Sequence[Step]) -> Step | None:
        return max(open_, key=lambda act: len(act["cards"]), default=None)

    claims = ["tricks", "draw", "declare", "score", "legal-plays"]
    ready = says("declares by itself", ["bezique-hoyle"], claims, position="any", declares="by-itself")
    return InItsWay(rules_of_the_suite(), best, **ready)


@adapter
def plays_whole_games_from_a_pack() -> Respond:
    """It cannot be set up: it begins a game with a pack, and is led to a position by a prelude."""
    claims = ["dealing", "tricks", "drawing", "declarations", "seven", "score", "game", "legal-plays"]
    ready = says("whole games", ["bezique-hoyle", "rubicon-hoyle"], claims, position="deal")
    return InItsWay(rules_of_the_suite(), **ready)


#: A loop waits for the next act and tells what came of the last.
Loop = Generator[tuple[Table, Sequence[Event] | Refusal | None], Step, None]


class InALoop:
    """An engine that plays in one blocking loop: it asks for an act where it needs one, and cannot be asked itself."""

    def __init__(self, suite: Suite, ready: dict[str, Any]) -> None:
        self.suite, self.ready = suite, ready

    def __call__(self, message: Mapping[str, Any]) -> Message | None:
        """The answer to one message; the acts are fed to the loop one by one."""
        if message["type"] == "hello":
            return self.ready
        loop = self.loop(message)
        next(loop)
        for act in message.get("prelude", ()):
            loop.send(act)
        steps = [self.shown(loop.send(step), message["observe"]) for step in message["steps"]]
        return {"type": "observed", "seq": message["seq"], "steps": steps}

    def loop(self, message: Mapping[str, Any]) -> Loop:
        """The game, from the deal on."""
        rules = self.suite.rules.of("+".join((message["ruleset"], *message["options"])))
        game = Game(read_position(rules, message["position"]))
        act = yield game.table, None
        while True:
            act = yield game.table, game.attempt(read_act(rules, act))

    @staticmethod
    def shown(state: tuple[Table, Sequence[Event] | Refusal | None], observe: Sequence[str]) -> dict[str, Any]:
        """What there is to be seen when the loop asks for the next act."""
        table, became = state
        events = became if isinstance(became, list) else []
        return {
            "accepted": not isinstance(became, Refusal),
            **{key: observation_of(table, events, key) for key in observe},
        }


@adapter
def plays_in_one_loop() -> Respond:
    claims = ["tricks", "draw", "declarations", "seven", "score", "refuse-play"]
    cannot = ["declarable", "exchangeable", "winner", "trick-points"]
    ready = says("one loop", ["bezique-hoyle"], claims, cannot=cannot, position="from-deal")
    return InALoop(rules_of_the_suite(), ready)


def kinds() -> Iterator[str]:
    """The names of all of them."""
    here = (make for make in globals().values() if getattr(make, "__annotations__", {}).get("return") == Respond)
    return (make.__name__.replace("_", "-") for make in here if ADAPTERS.get(make.__name__.replace("_", "-")) is make)
