"""Interrupting: a signal that ends Hoyle breaks off what is being waited for, and nothing else.

What is measured is recorded, reported, and every adapter ended, however many signals come, and whenever they do: they
are heeded only `while_waiting`. One that comes at another time is remembered until then.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

#: Those that ask a program to end, as far as a system has them; one that ends it at once needs no handling.
_ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_BY_A_SIGNAL: Final = 128


class Interruption:
    """Whether the command has been asked to end, and by which signal first; or `why` it ends by itself."""

    def __init__(self) -> None:
        self.signal, self.why = 0, ""
        self._waiting = False

    def heed(self, *, only: int = 0) -> None:
        """From now on, take signals that end Hoyle as an interruption, or `only` one of them.

        A signal that the process was started to ignore stays ignored, as POSIX requires: `nohup` starts a command
        with SIGHUP ignored, and a shell without job control starts one in the background with SIGINT ignored.
        """
        for number in _numbers():
            if number == only or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._take if only in {0, number} else _no_matter)

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """As `heed` does, but only inside; raises KeyboardInterrupt there as `while_waiting`."""
        before = {number: signal.getsignal(number) for number in _numbers()}
        self.heed()
        try:
            with self.while_waiting():
                yield
        finally:
            for number, handler in before.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    @property
    def exit(self) -> int:
        """The exit code of a command that has been interrupted, as a shell says it."""
        return _BY_A_SIGNAL + (self.signal or signal.SIGINT)

    @contextmanager
    def while_waiting(self) -> Iterator[None]:
        """Raises KeyboardInterrupt inside, once, as soon as the command has been asked to end."""
        self._waiting = True
        try:
            if self.signal or self.why:
                raise KeyboardInterrupt(self.why)
            yield
        finally:
            self._waiting = False

    def at_the_deadline(self, why: str, interrupt: Callable[[], object] | None = None) -> None:
        """The time of this run has passed: break off what is being waited for, by way of `interrupt` where this is not
        the thread that waits."""
        self.why = why
        if interrupt:
            interrupt()
        else:
            self._break_off()

    def _take(self, number: int, _frame: object) -> None:
        if not self.why:
            self.signal = self.signal or number
        self._break_off()

    def _break_off(self) -> None:
        if self._waiting:
            self._waiting = False
            raise KeyboardInterrupt(self.why)


def _numbers() -> list[signal.Signals]:
    return [number for name in _ENDING if (number := getattr(signal, name, None)) is not None]


def _no_matter(_signal: int, _frame: object) -> None:
    """A handler of its own, since what is ignored would be ignored by the adapter too."""


#: That of this process: signals are sent to processes.
INTERRUPTION: Final = Interruption()
