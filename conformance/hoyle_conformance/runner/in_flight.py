"""Pending: a check that was put to an implementation, which answers it while Hoyle judges another."""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter_ns
from typing import Final, Protocol

from hoyle_conformance.protocol.adapters import Answers
from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import Response
from hoyle_conformance.runner.guard import guarded
from hoyle_conformance.runner.results import Result, of_fault
from hoyle_conformance.suite.model import Check

#: What comes of a check that was sent: the answer, or, where the conversation or Hoyle itself fails, the result.
Came = Response | Result
_IN_A_MILLISECOND: Final = 1_000_000  # nanoseconds


class Pending(Protocol):
    """A check that was put."""

    def wait(self) -> None:
        """Wait for the answer, whatever that is."""

    def result(self) -> Result:
        """What becomes of the check; the answer is judged when this is asked for the first time."""


class Settled:
    """One that needs no answer, or has been judged."""

    def __init__(self, became: Result) -> None:
        self._became = became

    def wait(self) -> None:
        """Nothing to wait for."""

    def result(self) -> Result:
        """What became of it."""
        return self._became


class Sent:
    """One that was sent, and is judged like this; what is waited for it counts as the time that it takes."""

    def __init__(self, check: Check, send: Callable[[], Answers], judge: Callable[[Came], Result]) -> None:
        self._check, self._judge = check, judge
        self._came: Came | None = None
        self._became: Result | None = None
        began = perf_counter_ns()
        self._answers = send()
        self._took = perf_counter_ns() - began

    def wait(self) -> None:
        """Wait for the answer; where Hoyle itself fails in that, what becomes of the check is known already."""
        began = perf_counter_ns()
        self._came = guarded(self._check, self._waited_for)
        self._took += perf_counter_ns() - began

    def _waited_for(self) -> Came:
        try:
            return self._answers()
        except (
            ProtocolError
        ) as fault:  # its traceback holds the whole answer as it was parsed, so the fault itself is not kept
            return of_fault(self._check, fault)

    def result(self) -> Result:
        """What becomes of the check by the answer, which is waited for if it has not been."""
        if self._became is None:
            if self._came is None:
                self.wait()
            assert self._came is not None, "it was waited for"
            took, became = self._took // _IN_A_MILLISECOND, self._judge(self._came)
            self._became = replace(became, milliseconds=took) if took else became
        return self._became


def at_once(ask: Callable[[int, Check], Result]) -> Callable[[int, Check], Pending]:
    """Puts checks by what waits for the answer and judges it."""
    return lambda number, check: Settled(ask(number, check))
