"""Mutants of the reference interpreter, and the detection of them by the checks of the suite.

A mutant is checked as any engine that claims everything: its reasons for refusal are not compared, and it may follow
any reading.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Final

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.rewrites import observe_all_claimed
from hoyle_conformance.checks.setup.trace import observations, trace
from hoyle_conformance.runner.consensus import Consensus
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules

#: The measures: mutants with a changed cell, without a refusal, without a write to the table; and outcomes of acts.
CELLS, REFUSALS, MEMORY, REACH = MEASURES = ("cells", "refusals", "memory", "reach")
#: The measure of mutants with another code, which is taken of all rulesets together.
CODE: Final = "code"
Observations = Sequence[Mapping[str, Any]]
#: The exceptions of a mutant whose mutant has led to an impossible position.
BROKEN: Final = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Mutant:
    """The reference interpreter with one fault: a measure's name, the rule, refusal or event concerned, and the change.

    The fault is in the table (`rules`) or in the interpreter's code (`patch`).
    """

    kind: str
    target: str
    change: str = ""
    rules: Rules | None = None
    patch: "Patch | None" = None

    @property
    def name(self) -> str:
        """The name in lists: the target and the change."""
        return f"{self.target}: {self.change}" if self.change else self.target

    def applied(self) -> AbstractContextManager[None]:
        """Return a context in which the interpreter has this fault."""
        return nullcontext() if self.patch is None else self.patch.applied()


@dataclass(frozen=True, slots=True)
class Patch:
    """A temporary value of an attribute in the interpreter."""

    thing: Any
    attribute: str
    value: Any

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Set the attribute for the duration of a context."""
        was = getattr(self.thing, self.attribute, None)
        setattr(self.thing, self.attribute, self.value)
        try:
            yield
        finally:
            setattr(self.thing, self.attribute, was)


@dataclass(frozen=True, slots=True)
class DetectionCheck:
    """A check as it is sent to an engine that claims everything, with the consensus of its readings, the
    observations of the unchanged reference, and the cells behind them."""

    check: Check
    request: RunRequest
    consensus: Consensus
    observed: Sequence[Mapping[str, Any]]
    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class MutantTrial:
    """A mutant, and the checks that may detect it, the likeliest first."""

    mutant: Mutant
    checks: Sequence[DetectionCheck]


class Detector:
    """The checks of one ruleset, prepared for mutants."""

    def __init__(self, suite: Suite, ruleset: str) -> None:
        self.suite, self.rules = suite, suite.rules.of(ruleset)
        relabel = Relabeller(suite)
        self.checks = [
            _detection_check(suite, self.rules, relabel(check)) for check in suite.index.checks_under(ruleset)
        ]

    def detects(self, trial: MutantTrial) -> bool:
        """Whether any check of a trial fails."""
        return any(self.fails(trial.mutant, detection) for detection in trial.checks)

    def fails(self, mutant: Mutant, detection: DetectionCheck) -> bool:
        """Whether a mutant fails a check. A mutant that raises an exception fails only if it should have refused the
        act: another engine with the same fault might not raise."""
        try:
            with mutant.applied():
                seen = observations(mutant.rules or self.rules, detection.request.message)
        except Malformed:
            return mutant.rules is not None  # such a table does not allow the position
        except BROKEN:
            return mutant.kind == REFUSALS and self._accepts_and_breaks(mutant, detection)
        return (
            judge(detection.check, detection.request, seen, trusted=False, agreed=detection.consensus).status
            is Status.FAIL
        )

    def _accepts_and_breaks(self, mutant: Mutant, detection: DetectionCheck) -> bool:
        """Whether the act at which a mutant raises an exception must be refused."""
        steps = detection.request.message["steps"]
        for count in range(1, len(steps) + 1):
            try:
                with mutant.applied():
                    observations(self.rules, {**detection.request.message, "steps": steps[:count]})
            except BROKEN:
                step = next(number for number, end in enumerate(detection.request.ends, start=1) if count <= end)
                return all("refused" in expected.get(step, {}) for expected in detection.check.branches.values())
        return False


def _detection_check(suite: Suite, rules: Rules, check: Check) -> DetectionCheck:
    everything = suite.capabilities.everything
    request = observe_all_claimed(suite, check, planner_of(suite).request(check), everything)
    traced = trace(rules, request.message)
    observed = [each.observation for each in traced]
    cells = frozenset(path for each in traced for path in each.grounds)
    return DetectionCheck(check, request, Consensus(suite, check, request, deals=True), observed, cells)
