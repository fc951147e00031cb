"""Hindsight: what is found out about a check only when the next one is asked, or at the end.

An adapter may answer and then crash, or write a line too many. So a result is given out only once the implementation
has been asked something else, or has ended; and it is judged while the implementation answers that.

A result that was corrected after it was recorded would need two lines in the record. To send every suspected check
again would prove nothing, since a crash that follows from an earlier request does not recur.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace

from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.runner.in_flight import Pending, Settled
from hoyle_conformance.runner.results import Result, of_fault
from hoyle_conformance.suite.model import Check
from hoyle_reference.frozen import frozen


def _nobody_is_told(_number: int) -> None:
    """Where nothing waits for a result to be given out."""


@frozen
class LateFaults:
    """The results of one implementation to which checks are put like this; `held` are those not given out yet, by
    number; that one is `given` is told before it is."""

    implementation: Implementation
    begin: Callable[[int, Check], Pending]
    given: Callable[[int], object] = _nobody_is_told
    held: dict[int, Pending] = field(default_factory=dict)

    def results(self, numbered: Iterable[tuple[int, Check]]) -> Iterator[tuple[int, Result]]:
        """What becomes of the checks with these numbers, in order; after the last the implementation is ended."""
        before: Pending | None = None
        for number, check in numbered:
            put = self.begin(number, check)
            if before:
                before.result()
            put.wait()
            before = put
            self._blame()
            certain = list(self.held) if self.implementation.asked == number else []
            self.held[number] = put
            yield from self._given(certain)
        self.implementation.end()
        self._blame()
        yield from self.left()

    def left(self) -> Iterator[tuple[int, Result]]:
        """Those not given out yet, as far as they are known."""
        return self._given(list(self.held))

    def _given(self, numbers: Iterable[int]) -> Iterator[tuple[int, Result]]:
        for number in numbers:
            became = self.held[number].result()
            del self.held[number]
            self.given(number)
            yield number, became

    def _blame(self) -> None:
        """What was found late becomes the result of the check that it belongs to."""
        late = self.implementation.late
        if late and late.seq in self.held:
            before = self.held[late.seq].result()
            blamed = replace(of_fault(before.check, late.fault), milliseconds=before.milliseconds)
            self.held[late.seq] = Settled(blamed)
