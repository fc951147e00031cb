"""The responses of an implementation to distinct positions, each sent once.

Positions are adapted to the claims as in a run (`checks.rewrites`). The answers are not judged here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hoyle_conformance.checks.claimed import observe_all_claimed
from hoyle_conformance.checks.request import Claims, RunRequest, Unsupported
from hoyle_conformance.checks.rewrites import adapt
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.errors import OF_THE_ANSWER, ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.departures.forms import Form
from hoyle_conformance.runner.departures.match import Answer
from hoyle_conformance.runner.run_progress import GIVE_UP_AFTER
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.positions import DistinctPosition, Position
from hoyle_reference import Rules

#: Every so manieth position is sent first, then the others, since neighbours are alike.
_STRIDE: Final = 17


@dataclass(frozen=True)
class AnsweredPosition(Answer):
    """A position that an implementation has answered, which may be written in another way under each ruleset."""

    distinct: DistinctPosition

    def position_under(self, ruleset: str, rules: Rules) -> Position | None:
        """Return the position as a ruleset writes it; None if these rules have no such position."""
        return self.distinct.position_under(ruleset, rules)


@dataclass(slots=True)
class PositionResponses:
    """The responses to the positions so far: the answered ones, how many need unclaimed things, the reasons why others
    have no answer (by their checks), whether the implementation deals, and why it was given up, if it was."""

    deals: bool
    answered: list[AnsweredPosition] = field(default_factory=list)
    not_claimed: int = 0
    unanswered: dict[str, str] = field(default_factory=dict)
    gave_up: str = ""
    _sent: set[str] = field(default_factory=set)

    @property
    def sent(self) -> int:
        """The number of positions that were sent, or could not be."""
        return len(self._sent)

    def note_sent(self, each: DistinctPosition) -> None:
        """Note that a position was sent, or could not be."""
        self._sent.add(each.check.id)

    def keep(self, every: Sequence[DistinctPosition]) -> list[DistinctPosition]:
        """Take over what is known of the positions now, and return those that were not sent yet."""
        known = {name: each for each in every for name in each.checks}
        for at, answer in enumerate(self.answered):
            sent = answer.distinct
            full = replace(known.get(sent.check.id, sent), check=sent.check, position=sent.position)
            self.answered[at] = replace(answer, distinct=full)
        return [each for each in every if self._sent.isdisjoint(each.checks)]


def ask_positions(
    suite: Suite,
    implementation: Implementation,
    ready: AdapterInfo,
    form: Form,
    sent_as: str,
    every: Sequence[DistinctPosition],
    responses: PositionResponses,
) -> Iterator[int]:
    """Send the positions of a form to an implementation with these claims, all under one ruleset name; add its
    responses, and yield the number of answers after each."""
    claims = Claims(suite, replace(ready, rulesets=frozenset(form.rulesets)))
    broken, before = 0, responses.sent
    if responses.gave_up:
        return
    for number, each in enumerate(_spread(every), start=before + 1):
        responses.note_sent(each)
        adapted = adapt(claims, each.check)
        if isinstance(adapted, Unsupported):
            responses.not_claimed += 1
            continue
        plan = observe_all_claimed(suite, each.check, adapted.plan, ready.claims)
        try:
            result = _ask(implementation, number, sent_as, each, plan)
        except ProtocolError as fault:
            result, broken = fault.message, 0 if fault.code in OF_THE_ANSWER else broken + 1
        else:
            broken = 0
        if isinstance(result, AnsweredPosition):
            responses.answered.append(result)
            yield len(responses.answered)
        else:
            responses.unanswered[each.check.id] = result
        if broken == GIVE_UP_AFTER:
            responses.gave_up = f"gave up after {GIVE_UP_AFTER} broken conversations in a row: {result}"
            return


def _spread(every: Sequence[DistinctPosition]) -> Iterator[DistinctPosition]:
    """Yield the positions so that the first are of all topics."""
    return (each for start in range(_STRIDE) for each in every[start::_STRIDE])


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
    course = plan.reference_steps
    return AnsweredPosition(
        each.position, message["steps"], answer.steps, message["observe"], course.message["steps"], course.at, each
    )
