"""The distinct positions of a game form: scenarios and rulesets with the same question for an implementation.

A form is a game for a number of players with a number of packs; a position can be the same under any of its rulesets.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.departures.forms import OPTIONAL_FIELDS, Form, fit_position
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules

Position = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DistinctPosition:
    """One position with its steps, as it is sent: a check that it is, the ids of all such checks, and the fields
    that only some of their rulesets have."""

    check: Check
    position: Position
    checks: list[str] = field(default_factory=list)
    extra_fields: dict[str, Position] = field(default_factory=dict)

    def is_of(self, ruleset: str) -> bool:
        """Whether a check of a ruleset, or of the plain one beneath it, is this position."""
        return not {f"{self.check.scenario.id}@{name}" for name in (ruleset, ruleset.partition("+")[0])}.isdisjoint(
            self.checks
        )

    def position_under(self, ruleset: str, rules: Rules) -> Position | None:
        """Return the position as a ruleset writes it, with the fields that these rules have; None if another field
        of it is filled."""
        beside = self.extra_fields.get(ruleset, self.extra_fields.get(ruleset.partition("+")[0], {}))
        return fit_position({**self.position, **beside}, rules)


def distinct_positions(suite: Suite, form: Form, sent_as: str, claimed: Sequence[str]) -> list[DistinctPosition]:
    """Return the distinct positions of a form that make sense under one of the rulesets `claimed`, as they are sent
    under one ruleset name."""
    found: dict[str, DistinctPosition] = {}
    rules = suite.rules.of(sent_as)
    for check in _checks_in_order(suite, form, sent_as):
        try:
            message = planner_of(suite).request(check).message
        except CannotSetUp:
            continue
        fit = fit_position(message["position"], rules)
        position = message["position"] if fit is None else fit
        each = found.setdefault(_position_key(check, position, message["steps"]), DistinctPosition(check, position))
        each.checks.append(check.id)
        each.extra_fields[check.ruleset] = {
            name: message["position"][name] for name in OPTIONAL_FIELDS & message["position"].keys()
        }
    known = [suite.rules.of(name) for name in claimed]
    return [each for each in found.values() if any(_makes_sense(suite, each, rules) for rules in known)]


def first_positions(suite: Suite, sent_as: str, count: int) -> list[DistinctPosition]:
    """Return the positions of a few checks of one ruleset, of all topics."""
    rules, ids = suite.rules.of(sent_as), sorted(_ids(suite, frozenset({sent_as, sent_as.partition("+")[0]})))
    found = []
    for check in (suite.index.checks[name] for name in ids[:: max(1, len(ids) // count)]):
        try:
            position = planner_of(suite).request(check).message["position"]
        except CannotSetUp:
            continue
        fit = fit_position(position, rules)
        found.append(DistinctPosition(check, position if fit is None else fit, [check.id]))
    return found


def _position_key(check: Check, position: Position, steps: Sequence[Mapping[str, Any]]) -> str:
    """Return a key that is equal for two checks of a scenario if their positions differ only in cards that do not
    matter."""
    fields = {name: position.get(name) for name in ("phase", "turn", "dealer", "leader", "score", "trumps", "choices")}
    return json.dumps(
        [check.scenario.id, fields, bool(position.get("turn_up")), sorted(position), steps], sort_keys=True
    )


def _checks_in_order(suite: Suite, form: Form, sent_as: str) -> Iterator[Check]:
    """Yield the checks of a form; of each scenario first the one of the name that is sent."""
    ids = _ids(suite, frozenset(form.rulesets))
    order = {name: at for at, name in enumerate((sent_as, *form.rulesets))}
    ids.sort(key=lambda name: (name.partition("@")[0], order[name.partition("@")[2]]))
    return (suite.index.checks[name] for name in ids)


def _ids(suite: Suite, rulesets: frozenset[str]) -> list[str]:
    """Return the ids of the checks of some rulesets."""
    return [heading.id for heading in suite.index.headings.values() if heading.ruleset in rulesets]


def _makes_sense(suite: Suite, each: DistinctPosition, rules: Rules) -> bool:
    """Whether these rules know everything in a position and its steps."""
    position = each.position_under(rules.id, rules)
    if position is None:
        return False
    try:
        observations(rules, {**planner_of(suite).request(each.check).message, "position": position, "observe": ()})
    except Malformed:
        return False
    return True
