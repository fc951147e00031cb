"""The distinct positions of a form: scenarios and rulesets of which an implementation is asked the same."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.games import NEEDLESS, Form, fitted
from hoyle_reference import Malformed, Rules
from hoyle_reference.frozen import frozen

Position = Mapping[str, Any]


@frozen
class DistinctPosition:
    """One position with its steps, as it is sent: a check by which it is known, all checks that it is, and what only
    some of their rulesets write of it."""

    check: Check
    position: Position
    checks: list[str] = field(default_factory=list)
    beside: dict[str, Position] = field(default_factory=dict)

    def is_of(self, ruleset: str) -> bool:
        """Whether a check of a ruleset, or of the plain one beneath it, is put here."""
        return not {f"{self.check.scenario.id}@{name}" for name in (ruleset, ruleset.partition("+")[0])}.isdisjoint(
            self.checks
        )

    def under(self, ruleset: str, rules: Rules) -> Position | None:
        """The position as a ruleset writes it, with the fields that these rules know; nothing where it says something
        that they know nothing of."""
        beside = self.beside.get(ruleset, self.beside.get(ruleset.partition("+")[0], {}))
        return fitted({**self.position, **beside}, rules)


def distinct(suite: Suite, form: Form, asked_as: str, claimed: Sequence[str]) -> list[DistinctPosition]:
    """The distinct positions of a form that make sense under one of the rulesets `claimed`, as they are sent to an
    implementation that is asked under one name."""
    found: dict[str, DistinctPosition] = {}
    rules = suite.rules(asked_as)
    for check in _own_first(suite, form, asked_as):
        try:
            message = suite.plan(check).message
        except CannotSetUp:
            continue
        fit = fitted(message["position"], rules)
        position = message["position"] if fit is None else fit
        each = found.setdefault(_question(check, position, message["steps"]), DistinctPosition(check, position))
        each.checks.append(check.id)
        each.beside[check.ruleset] = {name: message["position"][name] for name in NEEDLESS & message["position"].keys()}
    known = [suite.rules(name) for name in claimed]
    return [each for each in found.values() if any(_makes_sense(suite, each, rules) for rules in known)]


def _question(check: Check, position: Position, steps: Sequence[Mapping[str, Any]]) -> str:
    """What makes a position another one than those of the same scenario: not the cards that matter to nobody."""
    told = {name: position.get(name) for name in ("phase", "turn", "dealer", "leader", "score", "trumps", "choices")}
    return json.dumps([check.scenario.id, told, bool(position.get("turn_up")), sorted(position), steps], sort_keys=True)


def _own_first(suite: Suite, form: Form, asked_as: str) -> Iterator[Check]:
    """The checks of a form, of each scenario first that of the name that is asked under."""
    of_form = frozenset(form.rulesets)
    ids = [heading.id for heading in suite.headings.values() if heading.ruleset in of_form]
    order = {name: at for at, name in enumerate((asked_as, *form.rulesets))}
    ids.sort(key=lambda name: (name.partition("@")[0], order[name.partition("@")[2]]))
    return (suite.checks[name] for name in ids)


def _makes_sense(suite: Suite, each: DistinctPosition, rules: Rules) -> bool:
    """Whether these rules know all that a position and its steps speak of."""
    position = each.under(rules.id, rules)
    if position is None:
        return False
    try:
        observations(rules, {**suite.plan(each.check).message, "position": position, "observe": ()})
    except Malformed:
        return False
    return True
