"""Workers, which do a part of the work of this process: processes that end with it, however it ends, or a cluster."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Final

from hoyle_conformance.runner.interrupts import INTERRUPTION
from hoyle_conformance.system.threads import start_thread

#: Seconds for a cluster to answer.
_SECONDS_FOR_A_CLUSTER: Final = 30


class NoCluster(Exception):
    """The cluster cannot be used; the message gives the reason and the remedy."""


@contextmanager
def workers(number: int | None = None, cluster: str = "") -> Iterator[Executor]:
    """Return the workers of the Dask cluster at an address, or so many processes, or one for each core; raises
    NoCluster. An interruption here interrupts the processes too."""
    if cluster:
        with _cluster(cluster) as executor:
            yield executor
        return
    processes = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        with INTERRUPTION.heeded():
            yield processes
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        processes.shutdown(cancel_futures=True)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client  # noqa: PLC0415 -- an optional dependency
    except ImportError as error:
        raise NoCluster("a cluster needs Dask: pip install distributed") from error
    try:
        client = Client(address, timeout=_SECONDS_FOR_A_CLUSTER)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoCluster(f"no Dask scheduler responds at {address}") from error
    with client:
        if not client.scheduler_info()["workers"]:
            raise NoCluster(f"the cluster at {address} has no worker; 'dask worker {address}' starts one")
        yield client.get_executor()


def end_with_the_parent() -> None:
    """End this process from now on when the process that started it has ended, however that was; raises OSError."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        start_thread(_end_after, parent.sentinel)


def _begin() -> None:
    end_with_the_parent()
    # A terminal sends SIGINT to every process of the command, and the first one reports it. A command in the background
    # of a script is started to ignore SIGINT, as POSIX requires, and so are its workers.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
