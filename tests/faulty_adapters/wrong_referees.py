"""Engines that do not see what is irregular, or rule on it by another book."""

from collections.abc import Mapping
from typing import Any

from faults import Message, Playing, Respond, adapter, reference, rules_of_the_suite, with_cell

from hoyle_conformance.runner.rule_changes import change_rules
from hoyle_reference import Rules


def _claiming_no_irregularities(right: Respond) -> Respond:
    def respond(message: Mapping[str, Any]) -> Message | None:
        answer = right(message)
        if answer is not None and message["type"] == "hello":
            answer["cannot"] = ["irregular", "mishap", "claim", "choose-remedy", "ruling", "choices"]
        return answer

    return respond


@adapter
def carries_out_nothing_irregular() -> Respond:
    """It is right: whatever would be irregular it refuses."""
    return _claiming_no_irregularities(reference())


@adapter
def accepts_a_revoke_in_silence() -> Respond:
    """It does not claim to rule on irregularities, and lets any card be played."""
    suite = rules_of_the_suite()
    duties = ("follow_suit", "win", "trump")

    def rules(name: str) -> Rules:
        return change_rules(suite.rules.of(name), {f"tricks.without_drawing.{duty}": "free" for duty in duties})

    return _claiming_no_irregularities(Playing(suite, rules))


@adapter
def rules_on_a_revoke_by_another_book() -> Respond:
    """It finds the revoke, and has the card taken back where the tricks are forfeited."""
    remedies = [{"choice": "tricks-are-forfeited", "does": [{"effect": "take-back"}]}]
    row = {"id": "revoke", "breaks": ["must-follow-suit", "must-win"], "until": "end-of-the-deal", "remedies": remedies}
    return with_cell("referee.irregularities.revoke", row)
