"""Talking to an adapter as one who listens: what it writes is kept line by line, whatever it is."""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import ANSWERS, decode, encode
from hoyle_conformance.protocol.process import Process
from hoyle_conformance.protocol.read_lines import LONGEST_LINE
from hoyle_conformance.tools.doctor.transcript import Became, Exchange

#: Seconds in which an adapter may write what it has kept back, once its input is closed.
TO_END: Final = 10.0
#: Seconds for what an adapter that has ended wrote last, if something else keeps its output open.
LAST_WORDS: Final = 2.0
#: More lines than this, or more bytes, are no answer.
_MOST_LINES: Final = 2_000
_MOST_BYTES: Final = 4 * LONGEST_LINE
#: A message that is spread over lines is looked for from so many of the last lines that could begin one.
_BEGINNINGS: Final = 3
#: What a byte is read as that is not UTF-8: the character sets of Windows and of old Unix have it so, or nearly so.
_OTHERWISE: Final = "latin-1"
_MESSAGES: Final = ANSWERS | {"ready"}


class Talk(Process):
    """An adapter that is listened to."""

    def __init__(self, command: Sequence[str], timeout: float, log: Callable[[bytes], object]) -> None:
        super().__init__(command, timeout, log)
        #: What it wrote after the last answer, once it has ended.
        self.left: tuple[bytes, ...] = ()
        self._answered: set[int] = set()
        self._flooded = False

    def tell(self, message: Mapping[str, Any]) -> Exchange:
        """Send a message, and hear what comes of it. Where there is no answer in time, its input is closed, and what it
        writes then is heard too."""
        line, deadline = encode(message), time.monotonic() + self.seconds_for(message)
        waiting = self._waiting()
        with suppress(OSError, ValueError):  # an adapter that has ended is found out when it is listened to
            self._send(line, deadline)
        kinds = ANSWERS if "seq" in message else _MESSAGES
        heard = self._heard(waiting, kinds, lambda: self._next_line(deadline))
        exchange = replace(heard, message=message, length=len(line))
        if exchange.answer and "seq" in message:
            self._answered.add(message["seq"])
        return replace(exchange, released=self._released()) if exchange.became is Became.SILENT else exchange

    def seconds_for(self, _message: Mapping[str, Any]) -> float:
        """How long it is waited for."""
        return self.timeout

    def close_its_input(self) -> None:
        """Let the adapter come to the end of its input."""
        with suppress(OSError, ValueError):
            self._stdin.close()

    def _send(self, line: bytes, deadline: float) -> None:
        """Send a line, if its input is still open."""
        if not self._stdin.closed:
            super()._send(line, deadline)

    def how_it_ended(self) -> str:
        """How it has ended by itself, in words."""
        return self._ending()

    def _unasked(self) -> None:
        """What it wrote after the last answer is kept, and is no reason not to say how it ended."""
        deadline, left = time.monotonic() + LAST_WORDS, list[bytes]()
        while not (self._flooded or _is_too_much(left)) and (
            line := self._lines.next(max(deadline - time.monotonic(), 0))
        ):
            self._log(line)
            left.append(line)
        self.left = tuple(left)

    def _waiting(self) -> list[bytes]:
        """The lines that have come since the last answer."""
        lines: list[bytes] = []
        while not _is_too_much(lines) and (line := self._lines.next(0)):
            self._log(line)
            lines.append(line)
        return lines

    def _heard(self, heard: list[bytes], kinds: frozenset[str], next_line: Callable[[], bytes]) -> Exchange:
        """What is heard until there is an answer of these kinds, or cannot be one any more. One to a run that was
        answered before is none to this."""
        while True:
            try:
                line = next_line()
            except ProtocolError:
                return Exchange({}, Became.SILENT, tuple(heard))
            self._log(line)
            if not line:
                return Exchange({}, Became.ENDED, tuple(heard))
            heard.append(line)
            if _is_too_much(heard) or len(line) >= LONGEST_LINE:
                self._flooded = True
                return Exchange({}, Became.FLOODED, tuple(heard))
            if b"\0" in line or is_broken_json(line):
                return Exchange({}, Became.UNREADABLE, tuple(heard))
            answer, spread = the_answer(heard)
            if answer is not None and answer["type"] in kinds and not self._has_answered(answer.get("seq")):
                return Exchange({}, Became.ANSWERED, tuple(heard), answer, spread)

    def _has_answered(self, seq: Any) -> bool:
        """Whether this is the number of a run that was answered before."""
        return type(seq) is int and seq in self._answered

    def _released(self) -> tuple[bytes, ...]:
        """What an adapter writes when its input is closed."""
        self.close_its_input()
        deadline, released = time.monotonic() + TO_END, list[bytes]()
        with suppress(ProtocolError):
            while not _is_too_much(released) and (line := self._next_line(deadline)):
                self._log(line)
                released.append(line)
        return tuple(released)


def _is_too_much(lines: Sequence[bytes]) -> bool:
    return len(lines) >= _MOST_LINES or sum(map(len, lines)) >= _MOST_BYTES


def the_answer(heard: Sequence[bytes]) -> tuple[Mapping[str, Any] | None, int]:
    """The message that the last of some lines is, or ends, and on how many lines it is; nothing if there is none."""
    message = _message(heard[-1])
    if message is not None:
        return message, 1
    if not heard[-1].rstrip().endswith(b"}"):
        return None, 0
    begins = [at for at, line in enumerate(heard) if line.lstrip(b"\xef\xbb\xbf").startswith(b"{")][-_BEGINNINGS:]
    for at in reversed(begins):
        message = _message(b"".join(heard[at:]))
        if message is not None:
            return message, len(heard) - at
    return None, 0


def _message(text: bytes) -> Mapping[str, Any] | None:
    """A text as a message of an adapter; nothing if it is none."""
    read = _read(text)
    return read if isinstance(read, Mapping) and is_a_message(read) else None


def _read(text: bytes) -> Any:
    """A text as JSON, also if it is not in UTF-8, or has a key twice; nothing if it is none."""
    for encoded in (text, text.decode(_OTHERWISE).encode()):
        with suppress(ProtocolError):
            return decode(encoded)
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def is_broken_json(line: bytes) -> bool:
    """Whether a line is meant as a message, and is no JSON."""
    text = line.strip()
    meant = text.startswith(b"{") and text.endswith(b"}") and b"type" in text
    return meant and _read(text) is None


def is_a_message(read: Mapping[str, Any]) -> bool:
    """Whether it says that it is one of those that an adapter writes."""
    kind = read.get("type")
    return isinstance(kind, str) and kind in _MESSAGES


def on_windows() -> bool:
    """Whether lines end with two characters here unless one asks for another thing."""
    return os.name == "nt"
