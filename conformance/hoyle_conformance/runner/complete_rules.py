"""Completing by a seed: the cards that matter to nobody, dealt out otherwise than usual."""

from dataclasses import replace

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.table.refusals import Malformed


def completed(suite: Suite, check: Check) -> Check:
    """A turned check whose open cards are dealt out by its seed; as usual, if dealt so they happen to matter."""
    as_usual = replace(check, turned=replace(check.turned, seed=""))
    only = replace(check, branches={check.follows: check.expect})
    try:
        prepared = planner_of(suite).request(check)
        seen = judge(only, prepared, observations(suite.rules.of(check.ruleset), prepared.message), trusted=True)
    except (CannotSetUp, Malformed):
        return as_usual
    return check if seen.status is Status.PASS else as_usual
