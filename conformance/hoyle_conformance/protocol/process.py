"""The process of an adapter: started, exchanging lines with Hoyle, and always ended.

The harness never waits longer than necessary, whatever the adapter does. It waits for a line of output only until the
deadline (`system/pipes.py`), even if a process left behind by the adapter keeps the pipe open, and it writes input
without blocking. Except on Windows, no adapter outlives Hoyle by more than a moment: each has a supervisor
(`supervisor.py`), which ends the adapter when Hoyle has ended in any way.
"""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, Final, cast

from hoyle_conformance.protocol.messages import ProtocolError, decode, encode, show_line
from hoyle_conformance.protocol.sandbox import ending, sandboxed
from hoyle_conformance.system import DENIED, words_of
from hoyle_conformance.system.pipes import LONGEST_LINE, Lines, lines_of, start_thread, write_within
from hoyle_conformance.system.processes import start

#: The number of seconds that an adapter may take to respond, unless an option sets another.
TIMEOUT: Final = 10.0
_KEPT_STDERR: Final = 4_000  # bytes
_GRACE: Final = 2.0  # seconds for an adapter to end by itself
_UNENDING: Final = 20.0  # seconds after which a supervisor is considered stuck
_SUPERVISOR: Final = str(Path(__file__).with_name("supervisor.py"))
_LOOK_AFTER: Final = 0.2  # seconds without a line before checking whether the adapter is still running


class Process:
    """An adapter as a long-lived child process, in the working folder or in `folder`, and in a sandbox if `sandbox` is
    set. `timeout` is in seconds, for each response; `log` receives every line."""

    def __init__(
        self,
        command: Sequence[str],
        timeout: float,
        log: Callable[[bytes], object],
        folder: Path | None = None,
        *,
        sandbox: bool = False,
    ) -> None:
        self.timeout = timeout
        #: The last line that was read.
        self.said = b""
        self._log, self._sandbox = log, sandbox
        self._deadline = 0.0
        self._stderr = b""
        try:
            self._child, self._let_go = start(sandboxed(command, folder) if sandbox else command, folder, _SUPERVISOR)
            self._lines, self._listener = self._listen()
        except OSError as error:
            raise ProtocolError("cannot-start", f"{command[0]}: {words_of(error)}") from error

    def _listen(self) -> tuple[Lines, threading.Thread]:
        """Start to read the output of the adapter; raises OSError after ending the adapter if the system cannot start a
        thread."""
        output, errors = (cast("IO[bytes]", each) for each in (self._child.stdout, self._child.stderr))
        try:
            return lines_of(output), start_thread(self._keep_stderr)
        except OSError:
            self._end()
            output.close()
            errors.close()
            raise

    @property
    def _stdin(self) -> IO[bytes]:
        return cast("IO[bytes]", self._child.stdin)

    def ask(self, message: dict[str, Any]) -> Any:
        """Send a message and return the response. Raises ProtocolError as `send` and `answer` do."""
        self.send(message)
        return self.answer()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; raises ProtocolError if an unrequested line was already waiting."""
        self._deadline = time.monotonic() + self.timeout
        if unasked := self._lines.next(0):
            self.said = unasked
            self._log(unasked)
            raise ProtocolError("unasked", show_line(unasked), self.stderr)
        with contextlib.suppress(OSError):  # an adapter that has ended is detected when its output is read
            self._send(encode(message), self._deadline)

    def answer(self) -> Any:
        """Return the response to the last message; raises ProtocolError if it does not arrive in time."""
        self.said = line = self._next_line(self._deadline)
        self._log(line)
        if not line:
            ending, said = self.how_it_ended(), self.stderr
            raise ProtocolError("crashed", ending if said else f"{ending}, with no error output", said)
        if not line.endswith(b"\n") and len(line) >= LONGEST_LINE:
            raise ProtocolError("flooded", f"more than {LONGEST_LINE:,} bytes", self.stderr)
        return decode(line)

    def _next_line(self, deadline: float) -> bytes:
        """Return the next line; an empty one if the adapter has ended, even if another process holds its output
        open."""
        ended, left = False, deadline - time.monotonic()
        while (line := self._lines.next(max(0, min(left, _LOOK_AFTER)))) is None and left > 0:
            if ended:
                return b""
            ended = self._child.poll() is not None  # output written before the end is still to be read
            left = deadline - time.monotonic()
        if line is not None:
            return line
        raise ProtocolError("timeout", f"no response within {self.timeout} s", self.stderr)

    def _send(self, line: bytes, deadline: float) -> None:
        self._log(line)
        write_within(self._stdin, line, deadline - time.monotonic())

    @property
    def stderr(self) -> str:
        """The end of the adapter's error output."""
        self._listener.join(0.2 if self._child.poll() is not None else 0)
        return self._stderr.decode("utf-8", "replace").strip()

    def close(self) -> ProtocolError | None:
        """Say goodbye, wait a moment, and end the adapter if it has not ended by itself. Return the fault in how it
        ended."""
        with contextlib.suppress(OSError, ValueError):
            self._send(encode({"type": "bye"}), time.monotonic() + _GRACE)
        with contextlib.suppress(OSError):
            self._stdin.close()  # closing the input is also a goodbye
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_GRACE)
        code = self._child.poll()
        self._end()
        fault = self._unrequested()
        self._lines.close()
        if fault is None and code is None:
            return ProtocolError("does-not-end", f"it was still running {_GRACE} s after bye", self.stderr)
        return ProtocolError("ended-badly", self._in_words(code), self.stderr) if fault is None and code else fault

    def _unrequested(self) -> ProtocolError | None:
        """Return, as a fault, any unrequested line since the last response, once the adapter has ended."""
        line = self._lines.next(_GRACE)
        if line is not None:
            self._log(line)
        return ProtocolError("unasked", show_line(line), self.stderr) if line else None

    def kill(self) -> None:
        """End the adapter and everything it has started, and close its output."""
        self._end()
        self._lines.close()

    def _end(self) -> None:
        self._let_go()
        try:
            self._child.wait(_UNENDING)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        with contextlib.suppress(OSError):
            self._stdin.close()

    def how_it_ended(self) -> str:
        """Wait a moment for the adapter to end, and return how it has ended, in words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._in_words(self._child.wait(_GRACE))
        return "it closed its output"

    def _keep_stderr(self) -> None:
        with contextlib.suppress(*DENIED, ValueError), cast("IO[bytes]", self._child.stderr) as pipe:
            while chunk := os.read(pipe.fileno(), 65_536):
                self._stderr = (self._stderr + chunk)[-_KEPT_STDERR:]

    def _in_words(self, code: int) -> str:
        """Return how the adapter ended, in words."""
        code = ending(code) if self._sandbox else code
        return f"killed by signal {-code}" if code < 0 else f"exit code {code}"
