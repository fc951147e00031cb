"""The conversation with one adapter for a pytest session, in which checks are run one by one, and may stop after
any."""

from collections.abc import Mapping, Sequence

from hoyle_conformance.checks.adapt.adapt import Putting
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.ask_questions import new_questions
from hoyle_conformance.runner.baseline import BaselineLine
from hoyle_conformance.runner.execute import CheckRunner
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.results import Result, of_fault
from hoyle_conformance.runner.runner import Taking
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.frozen import frozen


@frozen
class AdapterOptions:
    """The adapter and the checks of a session.

    The suite, the words of the command, how many seconds the adapter may take for a response, the ids of the selected
    checks, whether these were chosen `by_name`, and the known failures, each with the line of the baseline that names
    it.
    """

    suite: Suite
    command: tuple[str, ...]
    timeout: float
    checks: Sequence[str]
    by_name: bool
    known: Mapping[str, BaselineLine]


class AdapterSession:
    """An adapter that has introduced itself as `ready`, and runs these checks, by their ids, in their order.

    An adapter may respond and then crash, or write a line too many. So the next check is run before a result is given
    out, and after the last one the adapter is ended.
    """

    def __init__(
        self, wanted: AdapterOptions, implementation: Implementation, ready: AdapterInfo, names: Sequence[str]
    ) -> None:
        self._implementation, self.ready = implementation, ready
        put = Relabeller(wanted.suite)
        self._checks: Mapping[str, Check] = {name: put(wanted.suite.index.checks[name]) for name in names}
        self._place: Mapping[str, int] = {name: at for at, name in enumerate(names)}
        putting = Putting(wanted.suite, ready)
        self._asking = CheckRunner(implementation, putting, new_questions(putting, self._checks.values()))
        self._taking = Taking(wanted.suite, Recorder(wanted.suite), wanted.known)
        self._names, self._numbers = names, 0
        #: What became of the checks that were asked and not given out yet, by the numbers of their messages.
        self._held: dict[int, Result] = {}

    @property
    def gave_up(self) -> str:
        """The reason why no more checks are run, if there is one."""
        return self._taking.gave_up

    def result(self, name: str, then: str | None) -> Result:
        """Return the result of a check; `then` is the one that is run after it, or None."""
        number = self._asked(name)
        if self._implementation.asked == number:
            self._find_out(then)
        self._taking.take_until_stopped([self._held.pop(number)])
        return self._taking.done.pop()

    def _asked(self, name: str) -> int:
        """Return the number under which a check was run; run it now if it has not been."""
        ahead = next((number for number, each in self._held.items() if each.check.id == name), None)
        if ahead is not None:
            return ahead
        self._numbers += 1
        self._held[self._numbers] = self._asking.result(self._numbers, self._checks[name])
        self._blame()
        return self._numbers

    def _find_out(self, then: str | None) -> None:
        """Run the next check of which something is sent, or end the adapter: then late faults of those before it are
        known."""
        for name in self._names[self._place[then] :] if then else ():
            if self._implementation.asked == self._asked(name):
                return
        self._implementation.end()
        self._blame()

    def _blame(self) -> None:
        """Charge a late fault to the check that it belongs to."""
        late = self._implementation.late
        if late and late.seq in self._held:
            self._held[late.seq] = of_fault(self._held[late.seq].check, late.fault)
