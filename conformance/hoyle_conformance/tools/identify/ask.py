"""Asking: each distinct position put to an implementation once, and its answer kept as it is.

How it is put, and whether it may be, is decided as in a run (`asked.putting`); answers are not judged here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hoyle_conformance.checks.adapt.adapt import put
from hoyle_conformance.checks.adapt.adapted import Unsupported
from hoyle_conformance.checks.adapt.grouping import course_of
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.errors import OF_THE_ANSWER, ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.execute import DEAL, for_all_that_is_claimed
from hoyle_conformance.runner.runner import GIVE_UP_AFTER
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.games import Form
from hoyle_conformance.tools.identify.positions import DistinctPosition
from hoyle_reference.frozen import frozen

Observation = Mapping[str, Any]


@frozen
class Answered:
    """A position that was put to an implementation: the acts and questions sent, one observation of each, and what
    rules are asked to have the same: acts and questions as they are written, and with which of them each sent one
    ends."""

    distinct: DistinctPosition
    sent: Sequence[Mapping[str, Any]]
    steps: Sequence[Observation]
    observe: Sequence[str]
    acts: Sequence[Mapping[str, Any]]
    ends: Sequence[int]


@frozen
class PositionResponses:
    """What became of all positions: those that were answered, how many there were, how many need what is not claimed,
    why others were not answered (by their checks), whether the implementation deals, and why it stopped early, if it
    did."""

    answered: Sequence[Answered]
    count: int
    not_claimed: int
    unanswered: Mapping[str, str]
    deals: bool
    gave_up: str = ""


def ask_all(
    suite: Suite,
    implementation: Implementation,
    ready: AdapterInfo,
    form: Form,
    asked_as: str,
    every: Sequence[DistinctPosition],
) -> PositionResponses:
    """Put the positions of a form to an implementation that has said this of itself, under one name."""
    everything = replace(ready, rulesets=frozenset(form.rulesets))
    answered: list[Answered] = []
    unanswered: dict[str, str] = {}
    gave_up, not_claimed, broken = "", 0, 0
    for number, each in enumerate(every, start=1):
        asked = put(suite, everything, each.check)
        if isinstance(asked, Unsupported):
            not_claimed += 1
            continue
        plan = for_all_that_is_claimed(suite, each.check, asked.plan, ready.claims)
        try:
            became = _ask(implementation, number, asked_as, each, plan)
        except ProtocolError as fault:
            became, broken = fault.message, 0 if fault.code in OF_THE_ANSWER else broken + 1
        else:
            broken = 0
        if isinstance(became, Answered):
            answered.append(became)
        else:
            unanswered[each.check.id] = became
        if broken == GIVE_UP_AFTER:
            gave_up = f"gave up after {GIVE_UP_AFTER} broken conversations in a row: {became}"
            break
    return PositionResponses(answered, len(every), not_claimed, unanswered, DEAL in ready.claims, gave_up)


def _ask(
    implementation: Implementation, number: int, asked_as: str, each: DistinctPosition, plan: RunRequest
) -> Answered | str:
    """The answer to one position, or why there is none; raises Fault where the conversation breaks."""
    ruleset, *options = asked_as.split("+")
    message = {**plan.message, "ruleset": ruleset, "options": options}
    if "prelude" not in message:
        message["position"] = each.position
    answer = implementation.run(number, message)
    if answer.kind != "observed":
        return answer.reason or answer.kind
    course = course_of(plan)
    return Answered(each, message["steps"], answer.steps, message["observe"], course.message["steps"], course.at)
