"""Proposed: what is said of a sound file that only proposes, and whether the reference interpreter gives it still."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.proposals import CONFIRM, as_if_confirmed
from hoyle_conformance.suite.model import Check, Proposal, Scenario
from hoyle_conformance.suite.paths import kind_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import plural


def proposes(path: Path) -> bool:
    """Whether a file, sound or not, is a scenario that only proposes."""
    return "proposals" in _data(path)


def proposal_in(path: Path) -> Scenario | None:
    """The scenario in a sound file, if it only proposes; else nothing."""
    return scenario_from(read_file(path, str(path))) if proposes(path) else None


def _data(path: Path) -> Mapping[str, Any]:
    if kind_of(path) != "scenario":
        return {}
    try:
        data = read_file(path, str(path)).data
    except Invalid:
        return {}
    return data if isinstance(data, dict) else {}


def told(suite: Suite, scenario: Scenario) -> Iterator[str]:
    """That a scenario only proposes, what to do about it, and where the reference interpreter gives something else."""
    count = plural(len(scenario.proposals), "proposal")
    yield f"{scenario.id} has {count} and no outcomes: nobody has confirmed what it says, and it makes no checks."
    yield f"  {CONFIRM}"
    departures = list(otherwise(suite, scenario))
    if not departures:
        yield "  The reference interpreter gives what is proposed. That proves nothing."
    yield from (f"  {each}" for each in departures)


def otherwise(suite: Suite, scenario: Scenario) -> Iterator[str]:
    """Where the reference interpreter does not give any more what is proposed."""
    plain = as_if_confirmed(scenario)
    for proposal in scenario.proposals:
        for ruleset in proposal.rulesets:
            check = Check(plain, ruleset, proposal.cites, {"": proposal.expect}, "", computed=True)
            if said := _departs(suite, check, proposal):
                yield said


def _departs(suite: Suite, check: Check, proposal: Proposal) -> str:
    planned = suite.plan(check)
    seen = observations(suite.rules(check.ruleset, proposal.cells), planned.message)
    mismatch = judge(check, planned, seen, trusted=True).mismatch
    if mismatch is None:
        return ""
    melds = suite.meld_names(check.ruleset)
    wanted = words.value(mismatch.what, mismatch.expected, melds)
    given = words.value(mismatch.what, mismatch.observed, melds)
    where = f"under {check.ruleset}, at step {mismatch.step}"
    return f"The reference interpreter gives something else now {where}: {given}, where the file proposes: {wanted}."
