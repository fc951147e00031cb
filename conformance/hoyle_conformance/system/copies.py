"""Copies of this process: how jobs begin, and work that may break or hang the process that does it."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Final

#: Whether a process can be copied: Windows cannot.
CAN_COPY: Final = hasattr(os, "fork")
#: How a job begins: a copy needs to load nothing. macOS does not allow copies of a process that uses its libraries.
START_METHOD: Final = "spawn" if sys.platform in {"darwin", "win32"} else "fork"

_NO_COPIES: Final = "Windows cannot copy a process"


def run_in_a_copy(work: Callable[[], int], broken: int) -> int:
    """Do some work in a copy of this process, and return its exit code: that of the work, or `broken` if it raises
    anything; less than 0 if a signal ends it."""
    if sys.platform == "win32":
        raise NotImplementedError(_NO_COPIES)
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
    if sys.platform == "win32":
        raise NotImplementedError(_NO_COPIES)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
