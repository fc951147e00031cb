"""Proposed: scenarios whose outcomes nobody has confirmed. They may be sound, and have no place in a suite."""

from dataclasses import replace
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.suite.model import Outcome, Scenario

#: What there is to be done with what is proposed.
CONFIRM: Final = (
    "Derive each outcome from its source, by reading; then move it from 'proposals' to 'outcomes', with the clauses "
    "that decide it."
)


def as_if_confirmed(scenario: Scenario) -> Scenario:
    """A scenario with what is proposed for its outcomes, but for what holds only where cells are read otherwise."""
    plain = (each for each in scenario.proposals if not each.cells)
    outcomes = tuple(Outcome(each.rulesets, each.cites, each.expect, each.why) for each in plain)
    return replace(scenario, outcomes=outcomes, proposals=())


def unconfirmed(scenario: Scenario) -> Diagnostic:
    """That a scenario has no place in the suite as long as it only proposes."""
    message = "what this scenario proposes nobody has confirmed: it is no part of the suite yet"
    return scenario.document.diagnose(["proposals"], "unconfirmed", message, CONFIRM, key=True)
