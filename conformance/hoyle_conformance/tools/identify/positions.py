"""The distinct positions of a game form, and an implementation's responses to them; each position is sent once.

A form is a game for a number of players with a number of packs. Several rulesets of a form can share a position.
Positions are adapted to the implementation's claims as in a run (`checks.rewrites`). This module does not judge the
answers.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp, Claims, RunRequest, Unsupported
from hoyle_conformance.checks.rewrites import adapt, as_sent
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import OF_THE_ANSWER, AdapterInfo, ProtocolError
from hoyle_conformance.runner.answers import Answer
from hoyle_conformance.runner.rule_changes import OPTIONAL_FIELDS, Form, fit_position
from hoyle_conformance.runner.run import GIVE_UP_AFTER
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules

Position = Mapping[str, Any]

#: The distance between positions sent in succession: neighbours are similar, so that the first cover all topics.
_STRIDE: Final = 17


@dataclass(frozen=True, slots=True)
class DistinctPosition:
    """One position with its steps, as sent: a check with this position, the ids of all such checks, and the fields that
    only some of their rulesets have."""

    check: Check
    position: Position
    checks: list[str] = field(default_factory=list)
    extra_fields: dict[str, Position] = field(default_factory=dict)

    def is_of(self, ruleset: str) -> bool:
        """Whether this is the position of a check of a ruleset, with its options or without."""
        return not {f"{self.check.scenario.id}@{name}" for name in (ruleset, ruleset.partition("+")[0])}.isdisjoint(
            self.checks
        )

    def position_under(self, ruleset: str, rules: Rules) -> Position | None:
        """Return the position as a ruleset writes it, with the fields that these rules have; None if it has a value in
        any other field."""
        beside = self.extra_fields.get(ruleset, self.extra_fields.get(ruleset.partition("+")[0], {}))
        return fit_position({**self.position, **beside}, rules)


def distinct_positions(suite: Suite, form: Form, sent_as: str, claimed: Sequence[str]) -> list[DistinctPosition]:
    """Return the distinct positions of a form that are valid under any of the rulesets `claimed`, as sent under one
    ruleset name."""
    found: dict[str, DistinctPosition] = {}
    rules = suite.rules.of(sent_as)
    for check in _checks_in_order(suite, form, sent_as):
        try:
            message = planner_of(suite).request(check).message
        except CannotSetUp:
            continue
        position = fit_position(message["position"], rules) or message["position"]
        each = found.setdefault(_position_key(check, position, message["steps"]), DistinctPosition(check, position))
        each.checks.append(check.id)
        each.extra_fields[check.ruleset] = {
            name: message["position"][name] for name in OPTIONAL_FIELDS & message["position"].keys()
        }
    known = [suite.rules.of(name) for name in claimed]
    return [each for each in found.values() if any(_makes_sense(suite, each, rules) for rules in known)]


def _position_key(check: Check, position: Position, steps: Sequence[Mapping[str, Any]]) -> str:
    """Return a key that is equal for two checks of a scenario if their positions differ only in irrelevant cards."""
    fields = {name: position.get(name) for name in ("phase", "turn", "dealer", "leader", "score", "trumps", "choices")}
    return json.dumps(
        [check.scenario.id, fields, bool(position.get("turn_up")), sorted(position), steps], sort_keys=True
    )


def _checks_in_order(suite: Suite, form: Form, sent_as: str) -> Iterator[Check]:
    """Yield the checks of a form, in each scenario first the check of the ruleset name that is sent."""
    order = {name: at for at, name in enumerate((sent_as, *form.rulesets))}
    ids = [each.id for each in suite.index.headings.values() if each.ruleset in form.rulesets]
    ids.sort(key=lambda name: (name.partition("@")[0], order[name.partition("@")[2]]))
    return (suite.index.checks[name] for name in ids)


def _makes_sense(suite: Suite, each: DistinctPosition, rules: Rules) -> bool:
    """Whether a position and its steps are valid under these rules."""
    position = each.position_under(rules.id, rules)
    if position is None:
        return False
    try:
        observations(rules, {**planner_of(suite).request(each.check).message, "position": position, "observe": ()})
    except Malformed:
        return False
    return True


# ---- responses


@dataclass(frozen=True)
class AnsweredPosition(Answer):
    """A position with an implementation's answer; each ruleset may write the position differently."""

    distinct: DistinctPosition

    def position_under(self, ruleset: str, rules: Rules) -> Position | None:
        """Return the position as a ruleset writes it; None if it cannot."""
        return self.distinct.position_under(ruleset, rules)


@dataclass(slots=True)
class PositionResponses:
    """The responses to the positions so far.

    They are the answered positions, the number of positions that need something unclaimed, and the reasons for missing
    answers (by check). The other fields are whether the implementation deals, and why Hoyle gave up, if it did.
    """

    deals: bool
    answered: list[AnsweredPosition] = field(default_factory=list)
    not_claimed: int = 0
    unanswered: dict[str, str] = field(default_factory=dict)
    gave_up: str = ""


def ask_positions(
    suite: Suite,
    implementation: Implementation,
    ready: AdapterInfo,
    form: Form,
    sent_as: str,
    every: Sequence[DistinctPosition],
    responses: PositionResponses,
) -> None:
    """Send the positions of a form to an implementation with these claims, all under one ruleset name, and record its
    responses."""
    claims = Claims(suite, replace(ready, rulesets=frozenset(form.rulesets)))
    broken = 0
    spread = (each for start in range(_STRIDE) for each in every[start::_STRIDE])
    for number, each in enumerate(spread, start=1):
        adapted = as_sent(claims, adapt(claims, each.check), None)
        if isinstance(adapted, Unsupported):
            responses.not_claimed += 1
            continue
        try:
            result = _ask(implementation, number, sent_as, each, adapted.plan)
        except ProtocolError as fault:
            result, broken = fault.message, 0 if fault.code in OF_THE_ANSWER else broken + 1
        else:
            broken = 0
        if isinstance(result, AnsweredPosition):
            responses.answered.append(result)
        else:
            responses.unanswered[each.check.id] = result
        if broken == GIVE_UP_AFTER:
            responses.gave_up = f"gave up after {GIVE_UP_AFTER} broken conversations in a row: {result}"
            return


def _ask(
    implementation: Implementation, number: int, sent_as: str, each: DistinctPosition, plan: RunRequest
) -> AnsweredPosition | str:
    """Return the answer to one position, or the reason why there is none; raise ProtocolError if the conversation
    breaks."""
    ruleset, *options = sent_as.split("+")
    message = {**plan.message, "ruleset": ruleset, "options": options}
    if "prelude" not in message:
        message["position"] = each.position
    answer = implementation.run(number, message)
    if answer.kind != "observed":
        return answer.reason or answer.kind
    return replace(AnsweredPosition.to(plan, list(plan.read(answer.steps)), distinct=each), position=each.position)
