"""Copies of this process, for work that may break or hang the process that does it."""

import os
import signal
from collections.abc import Callable


def run_in_a_copy(work: Callable[[], int], broken: int) -> int:
    """Do some work in a copy of this process, and return its exit code: that of the work, or `broken` if it raises
    anything; less than 0 if a signal ends it."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = broken
    try:
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        code = work()
    finally:
        os._exit(code)


def limit_processor_time(seconds: float) -> None:
    """Let a signal end this copy after so many more seconds of processor time; with 0, do not."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
