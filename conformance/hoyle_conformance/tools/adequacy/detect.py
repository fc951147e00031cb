"""Noticing: which checks an engine with a fault fails, held against them as any implementation is.

It claims everything, gives no reasons that would be compared, and may follow any reading.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import observations, trace
from hoyle_conformance.runner.consensus import Consensus
from hoyle_conformance.runner.execute import for_all_that_is_claimed
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.mutants import BROKEN, REFUSALS, Mutant
from hoyle_reference import Malformed, Rules
from hoyle_reference.frozen import frozen


@frozen
class DetectionCheck:
    """A check as it is put to an engine that claims everything, what it is compared with, what is observed of an engine
    without a fault, and the cells behind that."""

    check: Check
    plan: RunRequest
    agreed: Consensus
    observed: Sequence[Mapping[str, Any]]
    cells: frozenset[str]


@frozen
class MutantTrial:
    """An engine with a fault, and the checks that may notice it, the likeliest first."""

    fault: Mutant
    asked: Sequence[DetectionCheck]


class Noticing:
    """The checks of one ruleset, ready to be put to engines with faults."""

    def __init__(self, suite: Suite, ruleset: str) -> None:
        self.suite, self.rules = suite, suite.rules(ruleset)
        put = Relabeller(suite)
        own = (check for check in suite.checks.values() if check.ruleset == ruleset)
        self.asked = [_asked(suite, self.rules, put(check)) for check in own]

    def is_noticed(self, trial: MutantTrial) -> bool:
        """Whether any check notices a fault."""
        return any(self.fails(trial.fault, asked) for asked in trial.asked)

    def fails(self, fault: Mutant, asked: DetectionCheck) -> bool:
        """Whether an engine fails a check. One that breaks off fails by that only where it should have refused: another
        with the same fault might not break."""
        try:
            with fault.at_work():
                seen = observations(fault.rules or self.rules, asked.plan.message)
        except Malformed:
            return fault.rules is not None  # by such a table the position cannot be
        except BROKEN:
            return fault.kind == REFUSALS and self._accepts_and_breaks(fault, asked)
        return judge(asked.check, asked.plan, seen, trusted=False, agreed=asked.agreed).status is Status.FAIL

    def _accepts_and_breaks(self, fault: Mutant, asked: DetectionCheck) -> bool:
        """Whether the act at which an engine breaks off is one that must be refused."""
        steps = asked.plan.message["steps"]
        for count in range(1, len(steps) + 1):
            try:
                with fault.at_work():
                    observations(self.rules, {**asked.plan.message, "steps": steps[:count]})
            except BROKEN:
                step = next(number for number, end in enumerate(asked.plan.ends, start=1) if count <= end)
                return all("refused" in expected.get(step, {}) for expected in asked.check.branches.values())
        return False


def _asked(suite: Suite, rules: Rules, check: Check) -> DetectionCheck:
    everything = suite.capabilities.everything
    prepared = for_all_that_is_claimed(suite, check, suite.plan(check), everything)
    traced = trace(rules, prepared.message)
    observed = [each.observation for each in traced]
    cells = frozenset(path for each in traced for path in each.grounds)
    return DetectionCheck(check, prepared, Consensus(suite, check, prepared, deals=True), observed, cells)
