"""The progress of a run: its results so far, and the end of a run in which too much goes wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.baseline import BaselineLine, compare_with_baseline
from hoyle_conformance.runner.guard import Guard, or_else
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.readings import Readings
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.results import UNEXPECTED, FailureGroup, Result, Run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

#: After so many scenarios in a row in which the conversation broke nothing better is to be expected; nor after so many
#: checks in all, for each of which the adapter was started again.
GIVE_UP_AFTER: Final = 3
GIVE_UP_AFTER_IN_ALL: Final = 100


@dataclass(slots=True)
class RunProgress:
    """The results of a run so far, each compared with the baseline and recorded; why it is `stopped`: too many
    conversations have broken, or as many checks have failed as may."""

    suite: Suite
    recorder: Recorder
    known: Mapping[str, BaselineLine]
    most_failures: int | None = None
    watch: Callable[[Result], object] | None = None
    results: list[Result] = field(default_factory=list)
    stopped: Stop | None = None
    _failed: int = 0
    _broken_in_a_row: set[str] = field(default_factory=set)
    _broken: int = 0
    _readings: Readings = field(init=False)

    def __post_init__(self) -> None:
        self._readings = Readings(self.suite)

    def add(self, result: Result) -> None:
        """Add a result: a failure if it fits no reading that is left, and as the baseline expects it."""
        with Guard(result.check) as guard:
            result = self._readings.take(result)
        result = compare_with_baseline(guard.broken or result, self.known)
        self.results.append(result)
        with Guard(result.check) as guard:
            self.recorder.add(result)
        if guard.broken:
            self.results[-1] = result = guard.broken
            self.recorder.add(result)
        if self.watch:
            self.watch(result)
        self._count(result)

    def _count(self, result: Result) -> None:
        """Count what has gone wrong, and note if it is too much.

        In a row means in the order of the checks, so that it does not matter how many processes there are; and a
        scenario counts once, under however many rulesets it is run.
        """
        self._failed += result.status in UNEXPECTED
        if result.ended:
            self._broken_in_a_row.add(result.check.scenario.id)
            self._broken += 1
        elif result.ran and not result.known:
            self._broken_in_a_row.clear()
        if len(self._broken_in_a_row) == GIVE_UP_AFTER:
            self.stopped = Stop(StopCode.BROKE_IN_A_ROW, GIVE_UP_AFTER)
        elif self._broken == GIVE_UP_AFTER_IN_ALL:
            self.stopped = Stop(StopCode.BROKE_IN_ALL, GIVE_UP_AFTER_IN_ALL)
        elif self._failed == self.most_failures:
            self.stopped = Stop(StopCode.ENOUGH_FAILURES, self._failed)

    def finish(
        self,
        info: AdapterInfo,
        command: tuple[str, ...],
        selected: Sequence[Check],
        interrupted: Stop | None,
        ending: ProtocolError | None,
    ) -> Run:
        """Return the run as a whole. The last check stops no run by a failure."""
        whole = self.stopped and self.stopped.code is StopCode.ENOUGH_FAILURES and len(self.results) == len(selected)
        stopped = interrupted or (None if whole else self.stopped)
        readings, causes = or_else({}, self._readings.followed), _causes(self.suite, self.results)
        return Run(info, command, selected, self.results, stopped, readings, causes, ending)


def _causes(suite: Suite, results: Sequence[Result]) -> Sequence[FailureGroup]:
    """Return the causes of all failures; a failure that Hoyle itself cannot explain is an error of its own."""
    if all(each.status not in UNEXPECTED for each in results):
        return ()
    from hoyle_conformance.runner.group_failures import group_failures  # most runs have nothing that must be told apart

    found = or_else(None, group_failures, suite, results)
    if found is None:
        explained = []
        for each in results:
            with Guard(each.check) as guard:
                group_failures(suite, [each])
            explained.append(guard.broken or each)
        found = or_else(None, group_failures, suite, explained)
    return found or ()
