"""Worker processes, which do a part of the work of this one, and end with it, however it ends."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.connection import wait
from typing import Any, Final, TypeVar

from hoyle_conformance.runner.interrupts import INTERRUPTION
from hoyle_conformance.system.threads import start_thread

T = TypeVar("T")
#: Seconds for a cluster to answer, and after which Hoyle looks whether any worker is left.
_SECONDS_FOR_A_CLUSTER: Final = 30
_SECONDS_BETWEEN_LOOKS: Final = 5
#: The names of the exceptions of a piece of work whose worker was lost. Dask may not be installed.
_LOST: Final = frozenset({"BrokenProcessPool", "KilledWorker", "FutureCancelledError"})


class NoCluster(Exception):
    """The cluster cannot be used; the message gives the reason and the remedy."""


class LostWorker(Exception):
    """The worker that had a piece of work has ended."""


class Pool:
    """Workers that do pieces of work; `is_alive` says whether any of them is left, after so many seconds of waiting."""

    def __init__(
        self,
        executor: Executor,
        is_alive: Callable[[], bool] = lambda: True,
        seconds: float = _SECONDS_BETWEEN_LOOKS,
    ) -> None:
        self.map, self._submit = executor.map, executor.submit
        self._is_alive, self._seconds = is_alive, seconds

    def submit(self, work: Callable[..., T], *arguments: Any) -> "Future[T]":
        """Return the future result of a piece of work, which fails if no worker can take it."""
        try:
            return self._submit(work, *arguments)
        except BrokenProcessPool as broken:
            failed = Future[T]()
            failed.set_exception(broken)
            return failed

    def result(self, future: "Future[T]") -> T:
        """Return the result of a piece of work; raises LostWorker, and NoCluster if no worker is left to do it."""
        while True:
            try:
                return future.result(timeout=self._seconds)
            except TimeoutError as error:
                if not self._is_alive():
                    raise NoCluster("no worker of the cluster is left") from error
            except CancelledError as error:
                raise LostWorker from error
            except Exception as error:
                if type(error).__name__ in _LOST:
                    raise LostWorker from error
                raise


#: Returns workers, for as long as they are used; called again if one of the last was lost.
Workers = Callable[[], AbstractContextManager[Pool]]


@contextmanager
def cluster_workers(address: str) -> Iterator[Pool]:
    """Return the workers of the Dask cluster at an address; raises NoCluster if it does not answer or has none."""
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
        yield Pool(client.get_executor(), lambda: bool(client.scheduler_info()["workers"]))


@contextmanager
def workers(number: int | None) -> Iterator[Pool]:
    """Return a pool of so many workers, or of as many as there are cores; an interruption here interrupts them too."""
    executor = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        with INTERRUPTION.heeded():
            yield Pool(executor)
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


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
