"""Pipes to and from a child process, with limits on waiting time and line length; and the threads that read or write
them."""

import errno
import os
import queue
import select
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Final, Protocol

#: Whether a server may use a port that was in use a moment ago. On Windows, this option would also let another program
#: use the port while the server is using it.
REUSE_ADDRESS: Final = sys.platform != "win32"


# ---- threads


def start_thread(work: Callable[..., object], *arguments: object) -> threading.Thread:
    """Start and return a thread that ends with the process; raises OSError if the system cannot start another
    thread."""
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        raise OSError(errno.EAGAIN, "The system starts no more threads") from error
    return thread


LONGEST_LINE: Final = 1_000_000  # bytes
_AT_ONCE: Final = 1 << 16  # bytes
_WAITING_LINES: Final = 100
_FOR_ROOM: Final = 0.01  # seconds to wait while too many unread lines are queued


class Lines(Protocol):
    """The lines of a pipe."""

    def next(self, seconds: float) -> bytes | None:
        """Return the next line, or None if none arrives within this number of seconds.

        A line that is too long is returned only up to the limit. After the end of the pipe, every further line is
        empty.
        """

    def close(self) -> None:
        """Stop reading."""


def lines_of(pipe: IO[bytes]) -> Lines:
    """Return the lines of a pipe. On Windows a thread reads them, because a pipe there cannot be asked whether it has
    data."""
    return Threaded(pipe) if sys.platform == "win32" else Polled(pipe)


class Polled:
    """Lines that are read on request, without a thread."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._read, self._searched, self._ended = pipe, bytearray(), 0, False
        self._poll = _poll(pipe)

    def next(self, seconds: float) -> bytes | None:
        """Return the next line, as `Lines` describes; data that arrives in small pieces does not extend the wait."""
        line, deadline, left = self._taken(), time.monotonic() + seconds, seconds
        while line is None and left >= 0 and self._poll(1000 * left):
            self._read_on()
            line, left = self._taken(), deadline - time.monotonic()
        return line

    def _taken(self) -> bytes | None:
        """Remove and return the first complete line of the data read; None if there is none yet."""
        end = self._read.find(b"\n", self._searched, LONGEST_LINE) + 1
        if not end and not self._ended and len(self._read) < LONGEST_LINE:
            self._searched = len(self._read)
            return None
        line = bytes(self._read[: end or LONGEST_LINE])
        del self._read[: len(line)]
        self._searched = 0
        return line

    def _read_on(self) -> None:
        """Read the available data; a pipe that cannot be read counts as ended."""
        try:
            more = os.read(self._pipe.fileno(), _AT_ONCE)
        except OSError:
            more = b""
        self._read += more
        self._ended = not more

    def close(self) -> None:
        """Stop reading."""
        self._ended = True
        self._read.clear()
        self._pipe.close()


def _poll(pipe: IO[bytes]) -> Callable[[float], object]:
    """Return a function that waits up to a number of milliseconds for a pipe to have data."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows cannot poll a pipe")
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    return poll.poll


class Threaded:
    """Lines that a thread reads as soon as they arrive, up to a limited number in advance."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._over = pipe, False
        self._waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()  # twice as fast as a queue with a maximum size
        self._reader = start_thread(self._read)

    def next(self, seconds: float) -> bytes | None:
        """Return the next line, as `Lines` describes."""
        try:
            line = self._waiting.get(block=seconds > 0, timeout=seconds)
        except queue.Empty:
            return None
        if not line:
            self._waiting.put(line)
        return line

    def _read(self) -> None:
        """Queue every line, and an empty one at the end; a line that is too long ends the reading."""
        with suppress(OSError, ValueError), self._pipe as pipe:
            while line := pipe.readline(LONGEST_LINE):
                while self._waiting.qsize() >= _WAITING_LINES and not self._over:
                    time.sleep(_FOR_ROOM)
                self._waiting.put(line)
                if not line.endswith(b"\n") and len(line) >= LONGEST_LINE:
                    return
        self._waiting.put(b"")

    def close(self) -> None:
        """Free no more room in the queue; the thread ends with the pipe."""
        self._over = True


def write_within(pipe: IO[bytes], line: bytes, seconds: float) -> None:
    """Write to a pipe, waiting up to this number of seconds for it to be read. Raises OSError, except on Windows, if
    the pipe has no reader.

    The part of a line that is not read in time is lost; on Windows, that part is still written when it can be.
    """
    if sys.platform == "win32":  # such a pipe cannot be asked whether it has room

        def write() -> None:
            with suppress(OSError, ValueError):
                pipe.write(line)
                pipe.flush()

        start_thread(write).join(max(0, seconds))
        return
    deadline, number, left = time.monotonic() + seconds, pipe.fileno(), memoryview(line)
    os.set_blocking(number, False)
    while left and (waiting := deadline - time.monotonic()) > 0:
        if select.select((), (number,), (), waiting)[1]:
            left = left[os.write(number, left) :]


def is_unread(number: int) -> bool:
    """Return whether the number of an error means that a pipe has no reader; Windows may report an invalid argument."""
    return number == errno.EPIPE or (sys.platform == "win32" and number == errno.EINVAL)
