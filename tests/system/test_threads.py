"""Threads: one that the system refuses is an error like a process that it refuses."""

import errno
import queue
import threading

import pytest

from conftest import HANGS
from hoyle_conformance.system.pipes import start_thread


def test_a_thread_gets_its_arguments_and_ends_with_the_process() -> None:
    done: queue.SimpleQueue[str] = queue.SimpleQueue()
    thread = start_thread(done.put, "this")
    assert done.get(timeout=HANGS) == "this"
    assert thread.daemon


def test_a_thread_that_cannot_be_started_is_an_error_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(OSError, match="The system starts no more threads") as refused:
        start_thread(print)
    assert refused.value.errno == errno.EAGAIN
