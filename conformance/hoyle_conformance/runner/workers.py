"""Worker processes, which do a part of the work of this one, and end with it, however it ends."""

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
    """Return a pool of so many workers, or of as many as there are cores; an interruption here interrupts them too."""
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
    """End this process from now on when the process that started it has ended, however that was."""
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
