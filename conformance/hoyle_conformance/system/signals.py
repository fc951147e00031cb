"""Signals: which end a program, alarms, and how a process ends by a signal."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Timer
from types import FrameType
from typing import Final

#: The signals that ask a program to end, without those that the system lacks. One that ends it at once is not here.
ENDING: Final = tuple(
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if (number := getattr(signal, name, None)) is not None
)


def end_by(number: int) -> None:
    """End this process by a signal, as a shell expects of a program that is interrupted. On Windows, where no shell
    does, return."""
    if sys.platform != "win32":
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


@contextmanager
def alarm(seconds: float, note: Callable[[], None], ring: Callable[[], None]) -> Iterator[None]:
    """Call `note` after so many seconds, and then `ring` in the main thread, even while it waits, unless what is inside
    ends before. On Windows, a handler of SIGINT that is set inside takes the place of `ring`."""
    if sys.platform == "win32":
        with _timer(seconds, note, ring):
            yield
        return

    def take(_number: int, _frame: FrameType | None) -> None:
        note()
        ring()

    before = signal.signal(signal.SIGALRM, take)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _timer(seconds: float, note: Callable[[], None], ring: Callable[[], None]) -> Iterator[None]:
    """Do the same without an alarm: another thread raises SIGINT, the one signal that ends waiting on Windows."""
    due, before = Event(), signal.getsignal(signal.SIGINT)

    def take(number: int, frame: FrameType | None) -> None:
        if due.is_set():
            ring()
        elif callable(before):
            before(number, frame)

    def raise_it() -> None:
        due.set()
        note()
        signal.raise_signal(signal.SIGINT)

    timer = Timer(seconds, raise_it)
    timer.daemon = True
    signal.signal(signal.SIGINT, take)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
