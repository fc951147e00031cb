"""Pipes: lines are the same whichever way they are read and written, and nobody waits longer than was said."""

import errno
import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import IO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import HANGS, until
from hoyle_conformance.system import pipes as lines
from hoyle_conformance.system.pipes import Lines, Polled, Threaded

WAYS = [pytest.param(Polled, marks=pytest.mark.posix), Threaded]
either = pytest.mark.parametrize("way", WAYS)
Way = Callable[[IO[bytes]], Lines]


class Pipe:
    """A pipe that is written to, and whose lines are read in one way."""

    def __init__(self, way: Way) -> None:
        reads, self.end = os.pipe()
        self.reads = os.fdopen(reads, "rb")
        self.lines = way(self.reads)

    def write(self, *pieces: bytes) -> None:
        for piece in pieces:
            os.write(self.end, piece)

    def stop(self) -> None:
        os.close(self.end)


@pytest.fixture
def pipe(way: Way) -> Iterator[Pipe]:
    made = Pipe(way)
    yield made
    made.lines.close()


def as_read_by_python(text: bytes) -> list[bytes]:
    """The lines up to the first that is too long."""
    file, read = io.BytesIO(text), list[bytes]()
    while line := file.readline(lines.LONGEST_LINE):
        read.append(line)
        if not line.endswith(b"\n") and len(line) >= lines.LONGEST_LINE:
            break
    return read


@either
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(st.binary(max_size=9).map(lambda some: some.replace(b"a", b"\n")), max_size=9))
def test_lines_are_those_of_the_text_whatever_the_pieces(
    way: Way, monkeypatch: pytest.MonkeyPatch, pieces: list[bytes]
) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 12)
    monkeypatch.setattr(lines, "_AT_ONCE", 5)
    pipe, expected = Pipe(way), as_read_by_python(b"".join(pieces))
    with suppress(BrokenPipeError):  # a line too long may end the reading before all is written
        pipe.write(*pieces)
    pipe.stop()
    assert [pipe.lines.next(HANGS) for _ in expected] == expected
    if not expected or expected[-1].endswith(b"\n") or len(expected[-1]) < lines.LONGEST_LINE:
        assert [pipe.lines.next(HANGS), pipe.lines.next(0)] == [b"", b""]
    pipe.lines.close()


@either
def test_where_no_whole_line_has_come_there_is_none(pipe: Pipe) -> None:
    assert pipe.lines.next(0.01) is None
    pipe.write(b"the beginning ")
    assert pipe.lines.next(0.01) is None
    pipe.write(b"and the end\n")
    assert pipe.lines.next(HANGS) == b"the beginning and the end\n"
    pipe.stop()


@pytest.mark.posix
@pytest.mark.parametrize("way", [Polled])
def test_adapter_that_writes_without_a_pause_delays_no_answer(pipe: Pipe) -> None:
    over = threading.Event()
    os.set_blocking(pipe.end, False)

    def drip() -> None:
        while not over.is_set():
            with suppress(BlockingIOError):  # nobody reads any more
                pipe.write(b"x")

    dripping = threading.Thread(target=drip)
    dripping.start()
    begun = time.monotonic()
    assert pipe.lines.next(0.05) is None
    assert time.monotonic() - begun < HANGS
    over.set()
    dripping.join()
    pipe.stop()


@pytest.mark.posix
@pytest.mark.parametrize("way", [Polled])
def test_what_cannot_be_read_has_ended(pipe: Pipe) -> None:
    unreadable = os.open(os.devnull, os.O_WRONLY)
    os.dup2(unreadable, pipe.reads.fileno())
    os.close(unreadable)
    assert pipe.lines.next(HANGS) == b""
    pipe.stop()


@pytest.mark.posix
@pytest.mark.parametrize("way", [Polled])
def test_closed_output_is_read_no_further(pipe: Pipe) -> None:
    pipe.write(b"a line\nanother\n")
    assert pipe.lines.next(HANGS) == b"a line\n"
    pipe.lines.close()
    assert pipe.reads.closed
    assert pipe.lines.next(HANGS) == b""
    pipe.stop()


# ---- by a thread


@pytest.mark.parametrize("way", [Threaded])
def test_endless_line_is_read_no_further_than_the_limit(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 100)
    pipe = Pipe(way)
    assert isinstance(pipe.lines, Threaded)
    pipe.write(b"x" * 1_000)
    pipe.lines._reader.join(HANGS)
    assert not pipe.lines._reader.is_alive()
    assert [pipe.lines.next(0), pipe.lines.next(0)] == [b"x" * 100, None]
    pipe.stop()


@pytest.mark.parametrize("way", [Threaded])
def test_a_limited_number_of_lines_waits_to_be_read(pipe: Pipe) -> None:
    assert isinstance(pipe.lines, Threaded)
    waiting = pipe.lines._waiting
    pipe.write(b"\n" * 102)
    until(lambda: waiting.qsize() >= 100)
    pipe.lines._reader.join(0.1)
    assert waiting.qsize() == 100
    assert pipe.lines.next(HANGS) == b"\n"
    until(lambda: waiting.qsize() >= 100)
    pipe.lines.close()
    until(lambda: waiting.qsize() >= 101)
    pipe.stop()
    pipe.lines._reader.join(HANGS)
    assert not pipe.lines._reader.is_alive()


def test_for_a_thread_what_cannot_be_read_has_ended() -> None:
    class Broken(io.BytesIO):
        def readline(self, _most: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    assert Threaded(Broken()).next(HANGS) == b""


@pytest.mark.posix
def test_on_windows_a_thread_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    for system, way in ((sys.platform, Polled), ("win32", Threaded)):
        monkeypatch.setattr(sys, "platform", system)
        pipe = Pipe(lines.lines_of)
        assert type(pipe.lines) is way
        pipe.stop()
        assert pipe.lines.next(HANGS) == b""
        pipe.lines.close()


# ---- written to


SYSTEMS = pytest.mark.parametrize("system", [sys.platform, "win32"])


@SYSTEMS
def test_a_reader_that_does_not_read_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    reads, writes = os.pipe()
    before, begun = set(threading.enumerate()), time.monotonic()
    with os.fdopen(writes, "wb") as pipe:
        lines.write_within(pipe, b"x" * 1_000_000, 0.05)
        waited = time.monotonic() - begun
        os.close(reads)  # as the end of the adapter does
    assert 0.05 <= waited < HANGS
    for thread in {*threading.enumerate()} - before:
        thread.join(HANGS)
        assert not thread.is_alive()


def read_all(reads: int) -> bytes:
    return b"".join(iter(lambda: os.read(reads, 1_000), b""))


@SYSTEMS
def test_what_is_read_in_time_is_written(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    reads, writes = os.pipe()
    with os.fdopen(writes, "wb") as pipe, ThreadPoolExecutor() as pool:
        lines.write_within(pipe, b"a line\n", HANGS)
        assert os.read(reads, 100) == b"a line\n"
        read = pool.submit(read_all, reads)
        lines.write_within(pipe, b"x" * 300_000, HANGS)
        pipe.close()
        assert read.result(HANGS) == b"x" * 300_000
    os.close(reads)


@pytest.mark.posix
@pytest.mark.parametrize(("system", "is_whole"), [(sys.platform, False), ("win32", True)])
def test_what_is_read_too_late_is_written_on_windows_alone(
    monkeypatch: pytest.MonkeyPatch, system: str, is_whole: bool
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    reads, writes = os.pipe()
    with os.fdopen(writes, "wb") as pipe, ThreadPoolExecutor() as pool:
        lines.write_within(pipe, b"x" * 300_000, 0.01)
        read = pool.submit(read_all, reads)
        pipe.close()  # waits for the thread that writes
        assert (len(read.result(HANGS)) == 300_000) is is_whole
    os.close(reads)


def test_windows_has_two_words_for_a_pipe_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    for system, unread in (("linux", {errno.EPIPE}), ("win32", {errno.EPIPE, errno.EINVAL})):
        monkeypatch.setattr(sys, "platform", system)
        assert {each for each in (0, errno.EPIPE, errno.EINVAL, errno.ENOSPC) if lines.is_unread(each)} == unread


def test_a_thread_that_cannot_be_started_is_an_error_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(OSError, match="The system starts no more threads") as refused:
        lines.start_thread(print)
    assert refused.value.errno == errno.EAGAIN
