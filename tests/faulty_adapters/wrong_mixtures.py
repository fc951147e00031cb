"""Engines that play no printed ruleset: rules of several sources together, and some of nobody."""

from collections.abc import Mapping
from typing import Any

from faults import Message, Playing, Respond, adapter, rules_of_the_suite

from hoyle_conformance.runner.rule_changes import change_rules, fit_position
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Rules

#: What the mixture claims, for want of knowing better; and what it is most like.
CLAIMED = ("bezique-bicycle", "bezique-britannica", "bezique-h2g2", "bezique-hoyle")
NEAREST = "bezique-hoyle"
#: The rules that it has from elsewhere, with a ruleset that has them so.
FROM_ELSEWHERE = {
    "tricks.without_drawing.win": "bezique-britannica",
    "seven.with_a_declaration": "bezique-bicycle",
    "declare.tricks_won_first": "bezique-h2g2+three-tricks-first",
}
#: A rule that nobody has: what four queens count.
FOUR_QUEENS = 80
#: A bug: what a refused declaration costs.
FINE = 10


def whatever_it_is_called(suite: Suite, rules: Rules, claimed: tuple[str, ...]) -> Respond:
    """The reference playing by these rules, under every name that it claims."""
    playing = Playing(suite, lambda _name: rules)

    def respond(message: Mapping[str, Any]) -> Message:
        if message["type"] == "hello":
            return {**playing(message), "rulesets": list(claimed)}
        return playing({**message, "position": fit_position(message["position"], rules) or message["position"]})

    return respond


def fining(right: Respond) -> Respond:
    """An engine that takes points for a declaration that it refuses."""

    def respond(message: Mapping[str, Any]) -> Message | None:
        answer = right(message)
        if answer and answer["type"] == "observed":
            for step, seen in zip(message["steps"], answer["steps"], strict=True):
                if step.get("do") == "declare" and seen["accepted"] is False and "score" in seen:
                    seen["score"] = {**seen["score"], step["by"]: seen["score"][step["by"]] - FINE}
        return answer

    return respond


@adapter
def plays_a_mixture() -> Respond:
    """It plays Hoyle; the last tricks must be won, as Britannica has it; the seven is scored instead of a declaration,
    as Bicycle has it; three tricks must be won before the first declaration, as h2g2 allows. Four queens count 80, and
    a refused declaration costs 10 points: nobody has that."""
    suite = rules_of_the_suite()
    rules = suite.rules.of(NEAREST)
    values = {path: suite.rules.cells(name)[path].value for path, name in FROM_ELSEWHERE.items()}
    values["declare.melds.four-queens"] = {**rules.cells["declare.melds.four-queens"].value, "points": FOUR_QUEENS}
    return fining(whatever_it_is_called(suite, change_rules(rules, values), CLAIMED))
