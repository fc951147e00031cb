"""Interruptions: signals that end Hoyle, and the deadline of a run, break off what is being waited for.

Results are recorded and reported, and every adapter is ended, however many signals come, and whenever they do: they are
heeded only `while_waiting`. A signal that comes at another time is remembered until then.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hoyle_conformance.system.processes import ENDING, alarm

_BY_A_SIGNAL: Final = 128


class StopCode(StrEnum):
    """Why a run ends before its last check."""

    INTERRUPTED = "interrupted"
    DEADLINE = "deadline"
    LOST_PROCESS = "lost-process"
    BROKE_IN_A_ROW = "broke-in-a-row"
    BROKE_IN_ALL = "broke-in-all"
    ENOUGH_FAILURES = "enough-failures"


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of a run before its last check: why, and the limit that was reached (seconds, scenarios or checks)."""

    code: StopCode = StopCode.INTERRUPTED
    limit: float = 0


class Interruption:
    """The first signal that asked the command to end, if any did; or the reason `why` it ends by itself."""

    def __init__(self) -> None:
        self.signal = 0
        self.why: Stop | None = None
        self._waiting = False

    def heed(self, *, only: int = 0) -> None:
        """Take signals that end Hoyle as an interruption from now on, or `only` one of them.

        A signal that the process was started to ignore stays ignored, as POSIX requires: `nohup` starts a command
        with SIGHUP ignored, and a shell without job control starts one in the background with SIGINT ignored.
        """
        for number in ENDING:
            if number == only or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._take if only in {0, number} else _no_matter)

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Heed signals inside, as `heed` does; raises KeyboardInterrupt there as `while_waiting` does."""
        before = {number: signal.getsignal(number) for number in ENDING}
        self.heed()
        try:
            with self.while_waiting():
                yield
        finally:
            for number, handler in before.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    @property
    def exit(self) -> int:
        """The exit code of a command that has been interrupted, as a shell reports it."""
        return _BY_A_SIGNAL + (self.signal or signal.SIGINT)

    @contextmanager
    def while_waiting(self) -> Iterator[None]:
        """Raise KeyboardInterrupt inside, once, as soon as the command has been asked to end."""
        self._waiting = True
        try:
            if self.signal or self.why:
                raise KeyboardInterrupt
            yield
        finally:
            self._waiting = False

    def _take(self, number: int, _frame: object) -> None:
        if not self.why:
            self.signal = self.signal or number
        self.break_off()

    def break_off(self) -> None:
        """Break off what is being waited for, if anything is."""
        if self._waiting:
            self._waiting = False
            raise KeyboardInterrupt


def _no_matter(_signal: int, _frame: object) -> None:
    """Do nothing: a signal that is ignored instead would be ignored by the adapter too."""


#: The interruption of this process, since signals are sent to processes.
INTERRUPTION: Final = Interruption()


class DeadlinePassed(Exception):
    """The deadline of a run passed before the adapter was ready; its argument is the `Stop`."""


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Interrupt what is waited for inside after so many seconds, if any, as a signal that ends Hoyle does."""
    if seconds is None:
        yield
        return

    def note() -> None:
        INTERRUPTION.why = Stop(StopCode.DEADLINE, seconds)

    try:
        with alarm(seconds, note, INTERRUPTION.break_off):
            yield
    finally:
        INTERRUPTION.why = None
