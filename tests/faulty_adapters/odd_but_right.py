"""Engines that are right, each in a way that is odd: none of them may fail a check.

Each is the reference behind an adapter as somebody might write it; what is odd is the adapter's, or the engine's way to
play, and never a rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from faults import Message, Playing, Respond, adapter, rules_of_the_suite
from kinds import says
from ways import Choose, InItsWay, Step

from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Phase, Refusal, Rules, read_act, read_position, read_question, write_act
from hoyle_reference.seats import SEATS, seat_name

BEZIQUE = (
    *("bezique-hoyle", "bezique-bicycle", "bezique-britannica", "bezique-h2g2", "rubicon-hoyle", "rubicon-h2g2"),
    *("three-handed-h2g2", "four-handed-h2g2", "six-deck-h2g2", "eight-deck-h2g2"),
)
PIQUET = ("piquet-saunt-parlett", "piquet-rubicon-parlett", "piquet-hoyle", "piquet-rubicon-hoyle")
#: The acts by which the winner of a trick declares.
DECLARATIONS = ("declare", "hold", "exchange", "show")


class DrawsAtOnce(InItsWay):
    """In it the winner of a trick declares once, and everyone draws in that call, whether it is told to or not."""

    def acts(self, rules: Rules, message: Message, done: Sequence[Step], step: Step) -> tuple[Step, list[Step]]:
        """What a step comes to: a declaration and the draws after it."""
        if step.get("do") not in DECLARATIONS:
            return super().acts(rules, message, done, step)
        game = Game(read_position(rules, message["position"]))
        for act in (*message.get("prelude", ()), *done):
            if "do" in act:
                game.attempt(read_act(rules, act))
        alone = {key: value for key, value in step.items() if key != "then"}
        declares, leader = game.table.phase is Phase.DECLARE, game.table.leader
        if isinstance(game.attempt(read_act(rules, alone)), Refusal) or not declares:
            return {}, [alone]
        seats = SEATS[: rules.players]
        at = seats.index(seat_name(leader))
        draws = [{"by": seat, "do": "draw"} for seat in seats[at:] + seats[:at]]
        drawn = [draw for draw in draws if not isinstance(game.attempt(read_act(rules, draw)), Refusal)]
        return {}, [alone, *drawn]


@adapter
def draws_in_every_declaration() -> Respond:
    """It knows no act for drawing after a declaration, an exchange or a show."""
    claims = ["tricks", "draw", "declarations", "seven", "score", "table", "report", "legal-plays"]
    ready = says("draws in every declaration", BEZIQUE, claims, position="any", draws="with-the-declaration")
    return DrawsAtOnce(rules_of_the_suite(), **ready)


@adapter
def evaluates_hands() -> Respond:
    """It compares and reckons hands, and has no notion of a call."""
    ready = says("an evaluator of hands", PIQUET, ["piquet-declarations"], position="none")
    right = InItsWay(rules_of_the_suite(), **ready)

    def respond(message: Mapping[str, Any]) -> Message | None:
        answer = right(message)
        for seen, step in zip(answer.get("steps", ()), message.get("steps", ()), strict=True):
            if "calls" in step:
                seen.clear()
                seen["unsupported"] = "it needs the hands"
        return answer

    return respond


@adapter
def knows_which_cards_of_a_hand_may_be_played() -> Respond:
    """It has a function of a hand and a trick, and no table to take them from."""
    ready = says("a function of hands", (*BEZIQUE, *PIQUET), ["playable"], position="none")
    right = InItsWay(rules_of_the_suite(), **ready)

    def respond(message: Mapping[str, Any]) -> Message | None:
        answer = right(message)
        for seen, step in zip(answer.get("steps", ()), message.get("steps", ()), strict=True):
            if "hand" not in step:
                seen.clear()
                seen["error"] = "no hand"
        return answer

    return respond


class NotItsPhase(InItsWay):
    """In a phase that none of its acts leads out of, it has moved on already: another player is to move, or somebody
    deals."""

    def take(self, rules: Rules, message: Message) -> Iterator[dict[str, Any]]:
        """Yield one observation a step, with the turn as this engine has it."""
        game = Game(read_position(rules, message["position"]))
        for step, seen in zip(message["steps"], super().take(rules, message), strict=True):
            if "do" in step:
                game.attempt(read_act(rules, step))
            if not self.leads_on(game):
                if "turn" in seen:
                    seen["turn"] = {"A": "B", "B": "A"}[seen["turn"]]
                if "dealer" in seen and game.table.phase is Phase.CHOOSE:
                    seen["dealer"] = "A"
            yield seen

    def leads_on(self, game: Game) -> bool:
        """Whether it has an act for what the table waits for."""
        if game.table.phase in {Phase.CUT, Phase.DEAL, Phase.OVER}:
            return str(game.table.phase) in self.says["claims"]
        words = {write_act(act)["do"] for act in game.legal_actions if act.by == game.table.turn}
        return not words.isdisjoint(self.says["claims"])


@adapter
def has_no_phase_for_choosing_or_answering() -> Respond:
    """It knows no choice after the cut, no exchange and no answer, and has moved on where others wait for these."""
    claims = ["cut", "deal", "announce", "play", "dealer", "turn", "trick_won_by"]
    rulesets = ("bezique-hoyle", "bezique-britannica", *PIQUET)
    return NotItsPhase(rules_of_the_suite(), **says("no such phase", rulesets, claims, position="any"))


class EmptyPiles(InItsWay):
    """It has all its piles from the first moment on, and reports them, beside questions too."""

    def take(self, rules: Rules, message: Message) -> Iterator[dict[str, Any]]:
        """Yield one observation a step, with empty piles where there are none yet."""
        empty: Any = {seat: [] for seat in SEATS[: rules.players]}
        piles = {"hands": empty, "stock": [], "trick": [], "won": empty, "turn_up": None}
        before = "hands" not in message["position"]
        for step, seen in zip(message["steps"], super().take(rules, message), strict=True):
            before = before and not (step.get("do") == "deal" and seen["accepted"])
            for key, value in {"position": piles, "hands": empty, "shown": empty, "seen": empty}.items():
                if before and key in message["observe"]:
                    seen[key] = value
            yield seen


@adapter
def has_empty_piles_before_the_deal() -> Respond:
    suite = rules_of_the_suite()
    claims = sorted(suite.capabilities.everything)
    return EmptyPiles(suite, **says("empty piles", (*BEZIQUE, *PIQUET), claims, position="any"))


class OneMarriage(InItsWay):
    """It has one combination where a ruleset has two, of trumps and of another suit: the cards say which it is."""

    def __init__(self, suite: Suite, called: str, choose: Choose = lambda _open: None, **ready: Any) -> None:
        super().__init__(suite, choose, **ready)
        self.called = called

    def other(self, name: str) -> str:
        """The other name of a marriage; empty for other combinations."""
        if "marriage" not in name:
            return ""
        return name.replace("royal", "common") if "royal" in name else name.replace("common", "royal")

    def own(self, name: str) -> str:
        """The name that this engine has for a combination."""
        return name.replace("royal", self.called).replace("common", self.called) if "marriage" in name else name

    def acts(self, rules: Rules, message: Message, done: Sequence[Step], step: Step) -> tuple[Step, list[Step]]:
        """What a step comes to: if the cards are not the marriage that is called for, the other one."""
        laid, acts = super().acts(rules, message, done, step)
        if laid.get("declared"):
            laid = {"declared": {**laid["declared"], "meld": self.own(laid["declared"]["meld"])}}
        if "meld" not in step or not (other := self.other(step["meld"])):
            return laid, acts
        game = Game(read_position(rules, message["position"]))
        for act in (*message.get("prelude", ()), *done):
            if "do" in act:
                game.attempt(read_act(rules, act))
        if "ask" in step:
            worth = [game.ask(read_question(rules, {**step, "meld": meld})).value for meld in (step["meld"], other)]
            return laid, [{**step, "meld": other}] if worth[1] else acts
        tried = game.attempt(read_act(rules, acts[0]))
        if isinstance(tried, Refusal) and tried.code == "not-a-combination":
            return laid, [{**acts[0], "meld": other}, *acts[1:]]
        return laid, acts

    def reported(self, seen: dict[str, Any], observe: Sequence[str]) -> dict[str, Any]:
        """What it reports, with its own name for a marriage."""
        seen = super().reported(seen, observe)
        if isinstance(seen.get("answer"), list):
            seen["answer"] = [
                {**each, "meld": self.own(each["meld"])} if isinstance(each, dict) else each for each in seen["answer"]
            ]
        return seen


_OF_MARRIAGES: Final = ["tricks", "melds", "declarations", "draw", "score", "legal-plays", "trumps", "shown"]


@adapter
def calls_every_marriage_common() -> Respond:
    ready = says("every marriage is common", BEZIQUE, _OF_MARRIAGES, position="any")
    return OneMarriage(rules_of_the_suite(), "common", **ready)


@adapter
def lays_marriages_of_one_name_by_itself() -> Respond:
    ready = says("lays marriages", BEZIQUE, _OF_MARRIAGES, position="any", declares="by-itself")

    def marriage(open_: Sequence[Step]) -> Step | None:
        return next((each for each in open_ if "marriage" in each["meld"]), None)

    return OneMarriage(rules_of_the_suite(), "common", marriage, **ready)


@adapter
def finds_one_of_each_combination() -> Respond:
    """It looks in a hand for each combination, and stops when it has found the cards for it."""
    claims = ["worth", "worth-of-cards", "declarable-from-hand"]
    ready = says("finds one of each", BEZIQUE, claims, position="none", lists="one-of-each")
    right = InItsWay(rules_of_the_suite(), **ready)

    def respond(message: Mapping[str, Any]) -> Message | None:
        answer = right(message)
        for seen, step in zip(answer.get("steps", ()), message.get("steps", ()), strict=True):
            if step["ask"] == "declarable":
                seen["answer"] = list({_kind(each): each for each in reversed(seen["answer"])}.values())
        return answer

    return respond


def _kind(combination: Mapping[str, Any]) -> tuple[str, str]:
    """What it takes for one combination: fours of any suits, but marriages and sequences of each suit."""
    in_suit = "marriage" in combination["meld"] or "sequence" in combination["meld"]
    return combination["meld"], combination["cards"][0][1] if in_suit else ""


class Raises(InItsWay):
    """It raises an exception for what it refuses; its adapter reports it as any error, and nothing else."""

    def reported(self, seen: dict[str, Any], observe: Sequence[str]) -> dict[str, Any]:
        """What it reports: an error in place of a refusal."""
        return {"error": "IllegalMove"} if seen.get("accepted") is False else super().reported(seen, observe)


@adapter
def raises_what_it_refuses() -> Respond:
    claims = ["dealing", "tricks", "drawing", "declarations", "seven", "score", "legal-plays", "table", "report"]
    ready = says("raises", BEZIQUE, claims, position="from-deal", refuses="with-errors", score="later")
    return Raises(rules_of_the_suite(), **ready)


@adapter
def reads_every_disputed_rule_otherwise() -> Respond:
    """It reads every disputed rule in another way than the rule tables do, all of them at once."""
    suite = rules_of_the_suite()

    def rules(ruleset: str) -> Rules:
        others = dict(reversed(suite.rules.other_readings(ruleset)))
        return suite.rules.of(ruleset, others)

    return Playing(suite, rules)
