"""One side of a conversation with an adapter: send messages, and record every line that comes back, valid or not."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.protocol.messages import ANSWERS, ProtocolError, decode, encode
from hoyle_conformance.protocol.process import Process
from hoyle_conformance.system.pipes import LONGEST_LINE
from hoyle_conformance.tools.doctor.transcript import Exchange, ExchangeOutcome

#: Seconds for an adapter to write buffered output after its input is closed.
TO_END: Final = 10.0
#: Seconds to read the last output of an ended adapter if another process keeps the pipe open.
LAST_WORDS: Final = 2.0
#: Limits of one response.
_MOST_LINES: Final = 2_000
_MOST_BYTES: Final = 4 * LONGEST_LINE
#: How many of the last lines that may begin a message are tried, if it is spread over several lines.
_BEGINNINGS: Final = 3
#: The encoding of bytes that are not UTF-8: close to the character sets of Windows and of old Unix.
_FALLBACK_ENCODING: Final = "latin-1"
_MESSAGES: Final = ANSWERS | {"ready"}


class RecordedProcess(Process):
    """An adapter's process whose output is recorded."""

    def __init__(
        self,
        command: Sequence[str],
        timeout: float,
        log: Callable[[bytes], object],
        folder: Path | None = None,
        *,
        sandbox: bool = False,
    ) -> None:
        super().__init__(command, timeout, log, folder, sandbox=sandbox)
        #: The lines after the last answer, once the adapter has ended.
        self.leftover: tuple[bytes, ...] = ()
        self._answered: set[int] = set()
        self._flooded = False

    def exchange(self, message: Mapping[str, Any]) -> Exchange:
        """Send a message and return the exchange. If no answer comes in time, close the adapter's input and record
        the lines that it writes then."""
        line, deadline = encode(message), time.monotonic() + self.seconds_for(message)
        pending = self._pending_lines()
        with suppress(OSError, ValueError):  # reading finds out that an adapter has ended
            self._send(line, deadline)
        kinds = ANSWERS if "seq" in message else _MESSAGES
        response = self._read_response(pending, kinds, deadline)
        exchange = replace(response, message=message, length=len(line))
        if exchange.answer and "seq" in message:
            self._answered.add(message["seq"])
        return (
            replace(exchange, late_lines=self._read_late_lines())
            if exchange.outcome is ExchangeOutcome.SILENT
            else exchange
        )

    def seconds_for(self, _message: Mapping[str, Any]) -> float:
        """Return the time limit of a message, in seconds."""
        return self.timeout

    def close_input(self) -> None:
        """Close the adapter's input."""
        with suppress(OSError, ValueError):
            self._stdin.close()

    def _send(self, line: bytes, deadline: float) -> None:
        """Send a line if the adapter's input is still open."""
        if not self._stdin.closed:
            super()._send(line, deadline)

    def describe_exit(self) -> str:
        """Return in words how the adapter ended by itself."""
        return self._ending()

    def _unasked(self) -> None:
        """Record the lines after the last answer; unlike in a run, they do not hide how the adapter ended."""
        deadline, left = time.monotonic() + LAST_WORDS, list[bytes]()
        while not (self._flooded or _is_too_much(left)) and (
            line := self._lines.next(max(deadline - time.monotonic(), 0))
        ):
            self._log(line)
            left.append(line)
        self.leftover = tuple(left)

    def _pending_lines(self) -> list[bytes]:
        """Return the lines that have come since the last answer."""
        lines: list[bytes] = []
        while not _is_too_much(lines) and (line := self._lines.next(0)):
            self._log(line)
            lines.append(line)
        return lines

    def _read_response(self, lines: list[bytes], kinds: frozenset[str], deadline: float) -> Exchange:
        """Read until there is an answer of one of these kinds, or there can be none. A second answer to an earlier
        run does not count."""
        while True:
            try:
                line = self._next_line(deadline)
            except ProtocolError:
                return Exchange({}, ExchangeOutcome.SILENT, tuple(lines))
            self._log(line)
            if not line:
                return Exchange({}, ExchangeOutcome.ENDED, tuple(lines))
            lines.append(line)
            if _is_too_much(lines) or len(line) >= LONGEST_LINE:
                self._flooded = True
                return Exchange({}, ExchangeOutcome.FLOODED, tuple(lines))
            if b"\0" in line or is_broken_json(line):
                return Exchange({}, ExchangeOutcome.UNREADABLE, tuple(lines))
            answer, spread = find_answer(lines)
            if answer is not None and answer["type"] in kinds and not self._has_answered(answer.get("seq")):
                return Exchange({}, ExchangeOutcome.ANSWERED, tuple(lines), answer, spread)

    def _has_answered(self, seq: Any) -> bool:
        """Whether the run with this number was answered before."""
        return type(seq) is int and seq in self._answered

    def _read_late_lines(self) -> tuple[bytes, ...]:
        """Close the adapter's input and return the lines that it writes then."""
        self.close_input()
        deadline, lines = time.monotonic() + TO_END, list[bytes]()
        with suppress(ProtocolError):
            while not _is_too_much(lines) and (line := self._next_line(deadline)):
                self._log(line)
                lines.append(line)
        return tuple(lines)


def _is_too_much(lines: Sequence[bytes]) -> bool:
    return len(lines) >= _MOST_LINES or sum(map(len, lines)) >= _MOST_BYTES


def find_answer(lines: Sequence[bytes]) -> tuple[Mapping[str, Any] | None, int]:
    """Return the message that ends with the last line, and the number of its lines; ``(None, 0)`` if there is none."""
    message = _message(lines[-1])
    if message is not None:
        return message, 1
    if not lines[-1].rstrip().endswith(b"}"):
        return None, 0
    begins = [at for at, line in enumerate(lines) if line.lstrip(b"\xef\xbb\xbf").startswith(b"{")][-_BEGINNINGS:]
    for at in reversed(begins):
        message = _message(b"".join(lines[at:]))
        if message is not None:
            return message, len(lines) - at
    return None, 0


def _message(text: bytes) -> Mapping[str, Any] | None:
    """Return a text as a message of an adapter; None if it is not one."""
    read = _decode_leniently(text)
    if not isinstance(read, Mapping):
        return None
    kind = read.get("type")
    return read if isinstance(kind, str) and kind in _MESSAGES else None


def _decode_leniently(text: bytes) -> Any:
    """Return the JSON value of a text, even if it is not UTF-8 or has a key twice; None if it is no JSON."""
    for encoded in (text, text.decode(_FALLBACK_ENCODING).encode()):
        with suppress(ProtocolError):
            return decode(encoded)
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def is_broken_json(line: bytes) -> bool:
    """Whether a line looks like a message but is no JSON."""
    text = line.strip()
    meant = text.startswith(b"{") and text.endswith(b"}") and b"type" in text
    return meant and _decode_leniently(text) is None
