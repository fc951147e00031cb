"""The responses of an implementation to distinct positions, each sent once.

Positions are adapted to the claims as in a run (`checks.adapt`). The answers are not judged here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hoyle_conformance.checks.adapt.adapt import adapt
from hoyle_conformance.checks.adapt.adapted import Unsupported
from hoyle_conformance.checks.adapt.grouping import reference_steps
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.errors import OF_THE_ANSWER, ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.checker import DEAL, observe_all_claimed
from hoyle_conformance.runner.run_progress import GIVE_UP_AFTER
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.positions import DistinctPosition, Form
from hoyle_reference.frozen import frozen

Observation = Mapping[str, Any]


@frozen
class AnsweredPosition:
    """A position that an implementation has answered: the acts and questions sent, and an observation of each.

    `acts` are the acts and questions as the rules take them, and `ends` the last of them for each one sent.
    """

    distinct: DistinctPosition
    sent_steps: Sequence[Mapping[str, Any]]
    observations: Sequence[Observation]
    observe: Sequence[str]
    acts: Sequence[Mapping[str, Any]]
    ends: Sequence[int]


@frozen
class PositionResponses:
    """The responses to all positions: the answered ones, the number of positions, how many need unclaimed things,
    the reasons why others have no answer (by their checks), whether the implementation deals, and why it was given
    up, if it was."""

    answered: Sequence[AnsweredPosition]
    count: int
    not_claimed: int
    unanswered: Mapping[str, str]
    deals: bool
    gave_up: str = ""


def ask_positions(
    suite: Suite,
    implementation: Implementation,
    ready: AdapterInfo,
    form: Form,
    sent_as: str,
    every: Sequence[DistinctPosition],
) -> PositionResponses:
    """Send the positions of a form to an implementation with these claims, all under one ruleset name."""
    everything = replace(ready, rulesets=frozenset(form.rulesets))
    answered: list[AnsweredPosition] = []
    unanswered: dict[str, str] = {}
    gave_up, not_claimed, broken = "", 0, 0
    for number, each in enumerate(every, start=1):
        adapted = adapt(suite, everything, each.check)
        if isinstance(adapted, Unsupported):
            not_claimed += 1
            continue
        plan = observe_all_claimed(suite, each.check, adapted.plan, ready.claims)
        try:
            result = _ask(implementation, number, sent_as, each, plan)
        except ProtocolError as fault:
            result, broken = fault.message, 0 if fault.code in OF_THE_ANSWER else broken + 1
        else:
            broken = 0
        if isinstance(result, AnsweredPosition):
            answered.append(result)
        else:
            unanswered[each.check.id] = result
        if broken == GIVE_UP_AFTER:
            gave_up = f"gave up after {GIVE_UP_AFTER} broken conversations in a row: {result}"
            break
    return PositionResponses(answered, len(every), not_claimed, unanswered, DEAL in ready.claims, gave_up)


def _ask(
    implementation: Implementation, number: int, sent_as: str, each: DistinctPosition, plan: RunRequest
) -> AnsweredPosition | str:
    """Return the answer to one position, or the reason why there is none; raises ProtocolError if the conversation
    breaks."""
    ruleset, *options = sent_as.split("+")
    message = {**plan.message, "ruleset": ruleset, "options": options}
    if "prelude" not in message:
        message["position"] = each.position
    answer = implementation.run(number, message)
    if answer.kind != "observed":
        return answer.reason or answer.kind
    course = reference_steps(plan)
    return AnsweredPosition(
        each, message["steps"], answer.steps, message["observe"], course.message["steps"], course.at
    )
