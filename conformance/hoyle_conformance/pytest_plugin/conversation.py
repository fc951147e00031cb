"""A conversation with one adapter, in which the checks come one by one, and may stop after any of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..asked.putting import Putting
from ..model import Check
from ..protocol.implementations import Implementation
from ..protocol.messages import Ready
from ..run.asking import Asking
from ..run.hindsight import of_fault
from ..run.questioning import new_questions
from ..run.record import Recorder
from ..run.results import Result
from ..run.runner import Taking
from ..suite.value import Suite


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be held against the suite: the words of the command, how many seconds it may take for an answer, the
    checks that are selected, and the failures that are known."""

    suite: Suite
    command: tuple[str, ...]
    timeout: float
    checks: Sequence[Check]
    known: frozenset[str] = frozenset()


class Conversation:
    """An adapter that is asked the checks of a session, in their order.

    An adapter may answer and then crash, or write a line too many. So the one after it is asked before a result is
    given out, and after the last one the adapter is ended.
    """

    def __init__(self, suite: Suite, implementation: Implementation, checks: Sequence[Check], known: frozenset[str]):
        """Begin it; raises Fault where the implementation cannot be spoken to."""
        self._implementation = implementation
        self.ready: Ready = implementation.introduce()
        putting = Putting(suite, self.ready)
        self._asking = Asking(implementation, putting, new_questions(putting, checks))
        self._taking = Taking(suite, Recorder(suite), known)
        self._checks = checks
        self._place: Mapping[str, int] = {check.id: at for at, check in enumerate(checks)}
        #: What became of the checks that were asked and not given out yet, by the numbers of their messages.
        self._held: dict[int, Result] = {}
        self._numbers = 0

    @property
    def gave_up(self) -> str:
        """Why nothing more is to be asked, if it is so."""
        return self._taking.gave_up

    def result(self, check: Check, then: Check | None) -> Result:
        """What becomes of a check, where this one is asked `then`, or none."""
        number = self._asked(check)
        if self._was_put(number):
            self._find_out(then)
        self._taking.take_until_given_up([self._held.pop(number)])
        return self._taking.done.pop()

    @property
    def ending(self) -> str:
        """What was wrong with how the adapter ended, if it has been, whatever it had been asked."""
        ending = self._implementation.ending
        return f"In the end {ending.message}.\n{ending.remedy}\n{ending.stderr}".strip() if ending else ""

    @property
    def needed_help(self) -> bool:
        """Whether nothing was wrong with its end but that it did not come by itself."""
        return self._implementation.ending is not None and self._implementation.ending.code == "does-not-end"

    def close(self) -> None:
        """End it, whatever it is doing."""
        self._implementation.close()

    def _asked(self, check: Check) -> int:
        """The number under which a check has been asked; it is asked now if it has not been."""
        ahead = next((number for number, each in self._held.items() if each.check.id == check.id), None)
        if ahead is not None:
            return ahead
        self._numbers += 1
        self._held[self._numbers] = self._asking.result(self._numbers, check)
        self._blame()
        return self._numbers

    def _was_put(self, number: int) -> bool:
        """Whether this one, or one after it, was the last that was sent: nothing is sent of what is not claimed."""
        return self._implementation.asked >= number > 0 and not self._held[number].lacks

    def _find_out(self, then: Check | None) -> None:
        """Ask the next check that can be put, or end the adapter: then it is known what it has left behind."""
        for check in self._from(then):
            if self._was_put(self._asked(check)):
                return
        self._implementation.end()
        self._blame()

    def _from(self, then: Check | None) -> Iterator[Check]:
        return iter(self._checks[self._place[then.id] :] if then else ())

    def _blame(self) -> None:
        """What was found late becomes the result of the check that it belongs to."""
        late = self._implementation.late
        if late and late.seq in self._held:
            self._held[late.seq] = of_fault(self._held[late.seq].check, late.fault)
