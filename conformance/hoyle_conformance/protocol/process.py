"""A child process that speaks the protocol: started, talked to line by line, and ended whatever it does.

One thread reads the adapter's error output, so that it cannot block on it; another ends the adapter when an answer is
overdue, which makes the blocking read in the main thread return.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO, Any, Final, cast

from .faults import Fault
from .messages import decode, encode

LONGEST_LINE: Final = 1_000_000  # bytes
_KEPT_STDERR: Final = 4_000  # bytes
_GRACE: Final = 2.0  # seconds for an adapter to end by itself
_POLL: Final = 0.02  # seconds


class Process:
    """An adapter as a long-lived child process; `timeout` is in seconds, for each answer; `log` is given every line."""

    def __init__(self, command: Sequence[str], timeout: float, log: Callable[[bytes], object]) -> None:
        self.timeout = timeout
        self._log = log
        self._deadline: float | None = None
        self._overdue = False
        self._stderr = b""
        try:
            self._child = subprocess.Popen(  # noqa: S603 -- running the user's own command is the purpose
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise Fault("cannot-start", f"{command[0]}: {(error.strerror or str(error)).lower()}") from error
        self._reader = threading.Thread(target=self._keep_stderr, daemon=True)
        self._reader.start()
        threading.Thread(target=self._watch, daemon=True).start()

    def ask(self, message: dict[str, Any]) -> Any:
        """Send a message and wait for the answer; raises Fault where there is none."""
        self._deadline = time.monotonic() + self.timeout
        try:
            self._send(message)
            line = cast("IO[bytes]", self._child.stdout).readline(LONGEST_LINE)
        except OSError:
            line = b""
        finally:
            self._deadline = None
        if self._overdue:
            raise Fault("timeout", f"no answer within {self.timeout:g} s", self.stderr)
        self._log(line)
        if not line:
            ending, said = self._ending(), self.stderr
            raise Fault("crashed", ending if said else f"{ending}, with nothing on its error output", said)
        if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            raise Fault("flooded", f"more than {LONGEST_LINE:,} bytes", self.stderr)
        return decode(line)

    def _send(self, message: dict[str, Any]) -> None:
        stdin = cast("IO[bytes]", self._child.stdin)
        line = encode(message)
        self._log(line)
        stdin.write(line)
        stdin.flush()

    @property
    def stderr(self) -> str:
        """The end of what the adapter has written to its error output."""
        self._reader.join(0.2 if self._child.poll() is not None else 0)
        return self._stderr.decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Say goodbye, wait a moment, and end the adapter if it has not ended by itself."""
        with contextlib.suppress(OSError, ValueError):
            self._send({"type": "bye"})
            cast("IO[bytes]", self._child.stdin).close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_GRACE)
        self.kill()

    def kill(self) -> None:
        """End the adapter and everything it has started."""
        self._end_group()
        self._child.wait()
        self._reader.join(_GRACE)
        for pipe in (self._child.stdin, self._child.stdout):
            with contextlib.suppress(OSError):
                cast("IO[bytes]", pipe).close()

    def _end_group(self) -> None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._child.kill()
            else:
                os.killpg(self._child.pid, signal.SIGKILL)

    def _ending(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._child.wait(_GRACE)
            return f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return "it closed its output"

    def _watch(self) -> None:
        while self._child.poll() is None:
            deadline = self._deadline
            if deadline is not None and time.monotonic() > deadline:
                self._overdue = True
                self._end_group()
                return
            time.sleep(_POLL)

    def _keep_stderr(self) -> None:
        with contextlib.suppress(OSError, ValueError), cast("IO[bytes]", self._child.stderr) as pipe:
            while chunk := os.read(pipe.fileno(), 65_536):
                self._stderr = (self._stderr + chunk)[-_KEPT_STDERR:]
