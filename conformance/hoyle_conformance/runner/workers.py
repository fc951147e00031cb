"""Workers: processes that do a part of what this one has to do, and end with it, however it ends."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait

from hoyle_conformance.runner.interrupts import INTERRUPTION


@contextmanager
def workers(number: int | None) -> Iterator[Executor]:
    """So many workers, or as many as there are cores; what is broken off here they break off too."""
    executor = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        with INTERRUPTION.heeded():
            yield executor
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def end_with_the_parent() -> None:
    """From now on end at once when the process that has started this one has ended, however that was."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _begin() -> None:
    end_with_the_parent()
    # A terminal sends SIGINT to every process of the command, and the first one reports it. A command in the background
    # of a script is started to ignore SIGINT, as POSIX requires, and so are its workers.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
