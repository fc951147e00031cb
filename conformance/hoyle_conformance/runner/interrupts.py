"""Interruptions: signals to end Hoyle, and the deadline of a run, interrupt whatever Hoyle is waiting for.

Results are still recorded and reported, and every adapter is ended, regardless of how many signals arrive and when.
Signals take effect only `while_waiting`; one that arrives at another time is remembered until then.
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
    """The reason why a run ends before its last check."""

    INTERRUPTED = "interrupted"
    DEADLINE = "deadline"
    LOST_PROCESS = "lost-process"
    BROKE_IN_A_ROW = "broke-in-a-row"
    BROKE_IN_ALL = "broke-in-all"
    ENOUGH_FAILURES = "enough-failures"


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of a run before its last check: the reason, and the limit that was reached (seconds, scenarios or
    checks)."""

    code: StopCode = StopCode.INTERRUPTED
    limit: float = 0


class Interruption:
    """The first signal that asked the command to end, if any; or the reason `why` the command ends by itself."""

    def __init__(self) -> None:
        self.signal = 0
        self.why: Stop | None = None
        self._waiting = False

    def heed(self, *, only: int = 0) -> None:
        """Treat the signals that end Hoyle, or `only` one of them, as interruptions from now on.

        A signal that the process was started to ignore stays ignored, as POSIX requires: `nohup` starts a command with
        SIGHUP ignored, and a shell without job control starts one in the background with SIGINT ignored.
        """
        for number in ENDING:
            if number == only or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._take if only in {0, number} else _no_matter)

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Heed signals inside the block, as `heed` does, and raise KeyboardInterrupt there, as `while_waiting` does."""
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
        """The exit code of an interrupted command, as a shell reports it."""
        return _BY_A_SIGNAL + (self.signal or signal.SIGINT)

    @contextmanager
    def while_waiting(self) -> Iterator[None]:
        """Raise KeyboardInterrupt inside the block, once, as soon as the command has been asked to end."""
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
        """Interrupt whatever is being waited for."""
        if self._waiting:
            self._waiting = False
            raise KeyboardInterrupt


def _no_matter(_signal: int, _frame: object) -> None:
    """Do nothing. If the signal were ignored instead, the adapter would ignore it too."""


#: The interruption of this process, since signals are sent to processes.
INTERRUPTION: Final = Interruption()


class DeadlinePassed(Exception):
    """The deadline of a run passed before the adapter was ready; the argument is the `Stop`."""


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Interrupt waiting inside the block after this many seconds, if any, as a signal that ends Hoyle does."""
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
