"""Pipes to and from a child process: lines are waited for only so long, and none is longer than allowed."""

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

#: Whether a server may take a port that was used a moment ago. On Windows, this option would also let another program
#: take the port while the server uses it.
REUSE_ADDRESS: Final = sys.platform != "win32"


# ---- threads, whose start the system can refuse like that of a process


def start_thread(work: Callable[..., object], *arguments: object) -> threading.Thread:
    """Start and return a thread that ends with the process; raises OSError if the system starts no more threads."""
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        raise OSError(errno.EAGAIN, "The system starts no more threads") from error
    return thread


LONGEST_LINE: Final = 1_000_000  # bytes
_AT_ONCE: Final = 1 << 16  # bytes
_WAITING_LINES: Final = 100
_FOR_ROOM: Final = 0.01  # seconds to wait while so many lines wait that answer nothing


class Lines(Protocol):
    """The lines of a pipe."""

    def next(self, seconds: float) -> bytes | None:
        """Return the next line, waited for so many seconds, or None if none has come.

        Of a line that is too long the beginning is returned. Once the pipe has ended the line is empty, however often
        it is asked for.
        """

    def close(self) -> None:
        """Read no more."""


def lines_of(pipe: IO[bytes]) -> Lines:
    """Return the lines of a pipe. Windows cannot ask a pipe whether it has something to read, so a thread reads it."""
    return Threaded(pipe) if sys.platform == "win32" else Polled(pipe)


class Polled:
    """Lines that are read when they are asked for, without a thread."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._read, self._searched, self._ended = pipe, bytearray(), 0, False
        self._poll = _poll(pipe)

    def next(self, seconds: float) -> bytes | None:
        """Return the next line, as `Lines` describes; small pieces do not make the wait longer."""
        line, deadline, left = self._taken(), time.monotonic() + seconds, seconds
        while line is None and left >= 0 and self._poll(1000 * left):
            self._read_on()
            line, left = self._taken(), deadline - time.monotonic()
        return line

    def _taken(self) -> bytes | None:
        """Take the first line of what was read, or return None if that is not a whole one yet."""
        end = self._read.find(b"\n", self._searched, LONGEST_LINE) + 1
        if not end and not self._ended and len(self._read) < LONGEST_LINE:
            self._searched = len(self._read)
            return None
        line = bytes(self._read[: end or LONGEST_LINE])
        del self._read[: len(line)]
        self._searched = 0
        return line

    def _read_on(self) -> None:
        """Read what there is; a pipe that cannot be read has ended."""
        try:
            more = os.read(self._pipe.fileno(), _AT_ONCE)
        except OSError:
            more = b""
        self._read += more
        self._ended = not more

    def close(self) -> None:
        """Read no more."""
        self._ended = True
        self._read.clear()
        self._pipe.close()


def _poll(pipe: IO[bytes]) -> Callable[[float], object]:
    """Return what waits so many milliseconds until a pipe has something to read."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows cannot poll a pipe")
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    return poll.poll


class Threaded:
    """Lines that are read by a thread as soon as they are there, so many beforehand."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._over = pipe, False
        self._waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()  # half the time of one that waits for room
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
        """Pass on every line, and an empty one at the end; a line that is too long ends the reading."""
        with suppress(OSError, ValueError), self._pipe as pipe:
            while line := pipe.readline(LONGEST_LINE):
                while self._waiting.qsize() >= _WAITING_LINES and not self._over:
                    time.sleep(_FOR_ROOM)
                self._waiting.put(line)
                if not line.endswith(b"\n") and len(line) >= LONGEST_LINE:
                    return
        self._waiting.put(b"")

    def close(self) -> None:
        """Make no more room: the thread ends with the pipe."""
        self._over = True


def write_within(pipe: IO[bytes], line: bytes, seconds: float) -> None:
    """Write to a pipe, and wait for so many seconds until it is read; raises OSError, except on Windows, if nobody
    reads it any more.

    The rest of a line that is not read until then is lost. On Windows it is written when it is read.
    """
    if sys.platform == "win32":
        _write_by_thread(pipe, line, seconds)
        return
    deadline, number, left = time.monotonic() + seconds, pipe.fileno(), memoryview(line)
    os.set_blocking(number, False)
    while left and (waiting := deadline - time.monotonic()) > 0:
        if select.select((), (number,), (), waiting)[1]:
            left = left[os.write(number, left) :]


def _write_by_thread(pipe: IO[bytes], line: bytes, seconds: float) -> None:
    """Do the same where a pipe cannot be asked whether it has room."""

    def write() -> None:
        with suppress(OSError, ValueError):
            pipe.write(line)
            pipe.flush()

    start_thread(write).join(max(0, seconds))


def is_unread(number: int) -> bool:
    """Whether the number of an error says that nobody reads a pipe any more: Windows may report an invalid argument."""
    return number == errno.EPIPE or (sys.platform == "win32" and number == errno.EINVAL)
