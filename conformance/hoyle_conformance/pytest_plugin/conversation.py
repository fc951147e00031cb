"""The conversation with one adapter for a pytest session, which runs checks one by one and may stop
after any of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import Claims
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError
from hoyle_conformance.runner.baseline import BaselineLine
from hoyle_conformance.runner.checker import Checker
from hoyle_conformance.runner.interrupts import Stop
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.results import Result
from hoyle_conformance.runner.run import AdapterRun, ChecksInFlight, RunProgress
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite


@dataclass(frozen=True, slots=True)
class AdapterOptions:
    """The adapter and the checks of a session.

    The fields are the suite, the words of the command, the time limit of a response in seconds, and the ids of the
    selected checks, with whether they were chosen `by_name`. Then come the known failures, each with its line of the
    baseline, and whether the adapter runs in a sandbox.
    """

    suite: Suite
    command: tuple[str, ...]
    timeout: float
    checks: Sequence[str]
    by_name: bool
    known: Mapping[str, BaselineLine]
    sandbox: bool = False


class AdapterSession:
    """An adapter with its `ready` message, which runs these checks, by their ids, in their order.

    An adapter may respond and then crash, or write an extra line. So each result is returned only after the next check
    has run, or, for the last one, after the adapter has been stopped.
    """

    def __init__(
        self, wanted: AdapterOptions, implementation: Implementation, ready: AdapterInfo, names: Sequence[str]
    ) -> None:
        self.ready = ready
        put = Relabeller(wanted.suite)
        self._checks: Mapping[str, Check] = {name: put(wanted.suite.index.checks[name]) for name in names}
        self._place: Mapping[str, int] = {name: at for at, name in enumerate(names)}
        self._in_flight = ChecksInFlight(implementation)
        checker = Checker.with_questions(Claims(wanted.suite, ready), self._checks.values())
        self._run = AdapterRun(checker, self._in_flight)
        self._progress = RunProgress(wanted.suite, Recorder(wanted.suite), wanted.known)
        self._names, self._numbers = names, 0

    @property
    def stopped(self) -> Stop | None:
        """The reason why no more checks run, if there is one."""
        return self._progress.stopped

    @property
    def ending(self) -> ProtocolError | None:
        """The fault in the adapter's exit, if there is one."""
        return self._in_flight.ending

    def result(self, name: str, then: str | None) -> Result:
        """Return the result of a check; `then` is the next check to run, or None."""
        number = self._sent(name)
        if self._in_flight.last_sent == number:
            self._find_late_faults(then)
        self._progress.add(self._run.judge(self._in_flight.held.pop(number)))
        return self._progress.results.pop()

    def _sent(self, name: str) -> int:
        """Return the number under which a check was run, running it now if necessary."""
        ahead = next((number for number, each in self._in_flight.held.items() if each.check.id == name), None)
        if ahead is not None:
            return ahead
        self._numbers += 1
        self._run.run(self._numbers, self._checks[name])
        return self._numbers

    def _find_late_faults(self, then: str | None) -> None:
        """Run the next check that has a request, or stop the adapter, to detect late faults of earlier checks."""
        for name in self._names[self._place[then] :] if then else ():
            if self._in_flight.last_sent == self._sent(name):
                return
        self._in_flight.end()
