"""The deadline of a run: when it has passed, the run is interrupted."""

import signal
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from hoyle_conformance.runner.interrupts import INTERRUPTION


class DeadlinePassed(Exception):
    """The deadline of a run passed before the implementation was ready; the message says which deadline."""


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Interrupts what is waited for within it after so many seconds, if any, as a signal that ends Hoyle does."""
    if seconds is None:
        yield
        return
    why = f"the deadline of {seconds:g} s has passed"
    if sys.platform == "win32":
        timer = Timer(seconds, lambda: INTERRUPTION.at_the_deadline(why, interrupt_main))
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            INTERRUPTION.why = ""
        return
    before = signal.signal(signal.SIGALRM, lambda _signal, _frame: INTERRUPTION.at_the_deadline(why))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        INTERRUPTION.why = ""
