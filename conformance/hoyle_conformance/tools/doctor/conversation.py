"""The doctor's conversations with an adapter, each in a new process: send messages, and record every response line,
valid or not.

1. A few runs of what the adapter claims, with numbers that are not consecutive, and the first two again; then bye.
2. The same runs in another order; then the input ends without bye.
3. A run of an unknown ruleset, and one of a known ruleset.

If a conversation breaks, the later ones are skipped: they would show nothing new.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.protocol.messages import ANSWERS, AdapterInfo, ProtocolError, Wire, decode, encode
from hoyle_conformance.protocol.process import Process
from hoyle_conformance.runner.checker import Checker
from hoyle_conformance.runner.reference_adapter import Log
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.pipes import LONGEST_LINE

#: The number of runs in a conversation.
RUNS: Final = 4
#: The number of claimed checks to choose runs from, evenly spread; if none of them can be sent, all are used.
_SAMPLE: Final = 300
#: A ruleset name that no suite has.
UNKNOWN_RULESET: Final = "no-such-game"
#: The `seq` of the runs in one conversation; an adapter that counts by itself gets them wrong.
_RUN_NUMBERS: Final = (41, 17, 92, 63, 80, 38)
#: The time for an adapter to write buffered output after its input is closed, in seconds.
TO_END: Final = 10.0
#: The time to read the last output of an exited adapter if another process keeps the pipe open, in seconds.
LAST_WORDS: Final = 2.0
#: The limits of one response.
_MOST_LINES: Final = 2_000
_MOST_BYTES: Final = 4 * LONGEST_LINE
#: The number of final lines that may begin a message spread over several lines.
_BEGINNINGS: Final = 3
#: The encoding for bytes that are not UTF-8, close to the character sets of Windows and old Unix.
_FALLBACK_ENCODING: Final = "latin-1"
_MESSAGES: Final = ANSWERS | {"ready"}
Body = Mapping[str, Any]


class ExchangeOutcome(StrEnum):
    """The outcome of sending one message."""

    ANSWERED = "answered"
    SILENT = "silent"  # no answer in time
    ENDED = "ended"  # the adapter exited instead
    FLOODED = "flooded"  # the adapter wrote more than the doctor reads
    UNREADABLE = "unreadable"  # the answer is not JSON, or is in UTF-16 or another encoding


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message and the lines that the adapter wrote in response.

    The answer, if any, is the last `answer_line_count` of the `lines`. The adapter wrote the `late_lines` only after
    its input was closed. `fault` is the protocol error in the answer.
    """

    message: Mapping[str, Any]
    outcome: ExchangeOutcome
    lines: tuple[bytes, ...] = ()
    answer: Mapping[str, Any] | None = None
    answer_line_count: int = 0
    late_lines: tuple[bytes, ...] = ()
    fault: ProtocolError | None = None
    length: int = 0  # bytes of the message

    @property
    def name(self) -> str:
        """The usual name of the message: ``hello``, ``run 41``."""
        return f"run {self.message['seq']}" if "seq" in self.message else str(self.message["type"])

    @property
    def extra_lines(self) -> tuple[bytes, ...]:
        """The lines that are not part of the answer."""
        return self.lines[: len(self.lines) - self.answer_line_count]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation, from the start of the adapter to its end.

    `startup_seconds` is the time until the adapter was ready. `ending` is the protocol error in its exit, and
    `exit_text` describes an exit of its own. `leftover` holds the lines after the last answer, `stderr` the end of its
    error output.
    """

    exchanges: tuple[Exchange, ...]
    ready: AdapterInfo | None = None
    startup_seconds: float | None = None
    ending: ProtocolError | None = None
    exit_text: str = ""
    leftover: tuple[bytes, ...] = ()
    stderr: str = ""

    @property
    def runs(self) -> tuple[Exchange, ...]:
        """Every exchange after hello."""
        return self.exchanges[1:]

    @property
    def is_complete(self) -> bool:
        """Whether every message was answered."""
        return all(each.outcome is ExchangeOutcome.ANSWERED for each in self.exchanges)


@dataclass(frozen=True, slots=True)
class AdapterTranscript:
    """The conversations with an adapter: the `first`; the `second`, in which a new process gets the same runs in
    another order; and the `third`, with a run of an unknown ruleset.

    `cannot_start` is the error if the command could not be started, and `how_to_start` is a command that works.
    `timeout` is in seconds. `windows` is true if the adapter ran on Windows.
    """

    command: Sequence[str]
    timeout: float
    windows: bool
    cannot_start: ProtocolError | None = None
    how_to_start: str = ""
    first: Conversation | None = None
    second: Conversation | None = None
    third: Conversation | None = None
    #: The ruleset names of the suite, and other names that the adapter claims as rulesets.
    rulesets: tuple[str, ...] = ()
    unknown_rulesets: tuple[str, ...] = ()

    @property
    def conversations(self) -> tuple[Conversation, ...]:
        """The conversations that took place."""
        return tuple(each for each in (self.first, self.second, self.third) if each)

    @property
    def exchanges(self) -> Iterator[Exchange]:
        """The exchanges of all conversations."""
        return (each for conversation in self.conversations for each in conversation.exchanges)

    @property
    def runs(self) -> Iterator[Exchange]:
        """The runs of what the adapter claims, in the first two conversations."""
        return (each for conversation in (self.first, self.second) if conversation for each in conversation.runs)

    @property
    def language(self) -> str:
        """The language named in the adapter's `ready`; empty without a valid `ready`."""
        return self.first.ready.language if self.first and self.first.ready else ""


class RecordedProcess(Process):
    """An adapter's process whose output is recorded."""

    def __init__(self, *command: Any, **how: Any) -> None:
        super().__init__(*command, **how)
        #: The lines after the last answer, after the adapter's exit.
        self.leftover: tuple[bytes, ...] = ()
        self._answered: set[int] = set()
        self._flooded = False

    def exchange(self, message: Mapping[str, Any]) -> Exchange:
        """Send a message and return the exchange. If no answer comes in time, close the adapter's input and record the
        lines that follow."""
        line, deadline = encode(message), time.monotonic() + self.seconds_for(message)
        pending = self._collect(lambda: self._lines.next(0))
        with suppress(OSError, ValueError):  # only reading detects that an adapter has exited
            self._send(line, deadline)
        kinds = ANSWERS if "seq" in message else _MESSAGES
        response = self._read_response(pending, kinds, deadline)
        exchange = replace(response, message=message, length=len(line))
        if exchange.answer and "seq" in message:
            self._answered.add(message["seq"])
        if exchange.outcome is not ExchangeOutcome.SILENT:
            return exchange
        self.close_input()
        end = time.monotonic() + TO_END
        return replace(exchange, late_lines=tuple(self._collect(lambda: self._next_line(end))))

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

    def _unrequested(self) -> None:
        """Record the lines after the last answer; unlike in a run, they do not hide the adapter's exit."""
        end = time.monotonic() + LAST_WORDS
        if not self._flooded:
            self.leftover = tuple(self._collect(lambda: self._lines.next(max(end - time.monotonic(), 0))))

    def _collect(self, next_line: Callable[[], bytes | None]) -> list[bytes]:
        """Return the lines that arrive, up to the end of output or a limit."""
        lines: list[bytes] = []
        with suppress(ProtocolError):
            while not _is_too_much(lines) and (line := next_line()):
                self._log(line)
                lines.append(line)
        return lines

    def _read_response(self, lines: list[bytes], kinds: frozenset[str], deadline: float) -> Exchange:
        """Read until there is an answer of one of these kinds or none can come, ignoring repeated answers to an earlier
        run."""
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
        """Whether the run with this number has been answered before."""
        return type(seq) is int and seq in self._answered


def _is_too_much(lines: Sequence[bytes]) -> bool:
    return len(lines) >= _MOST_LINES or sum(map(len, lines)) >= _MOST_BYTES


def find_answer(lines: Sequence[bytes]) -> tuple[Mapping[str, Any] | None, int]:
    """Return the message that ends with the last line, and its number of lines; ``(None, 0)`` if there is none."""
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
    """Return a text as an adapter's message; None if it is not one."""
    read = _decode_leniently(text)
    if not isinstance(read, Mapping):
        return None
    kind = read.get("type")
    return read if isinstance(kind, str) and kind in _MESSAGES else None


def _decode_leniently(text: bytes) -> Any:
    """Return the JSON value of a text, even one that is not UTF-8 or repeats a key; None if it is not JSON."""
    for encoded in (text, text.decode(_FALLBACK_ENCODING).encode()):
        with suppress(ProtocolError):
            return decode(encoded)
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def is_broken_json(line: bytes) -> bool:
    """Whether a line looks like a message but is not JSON."""
    text = line.strip()
    meant = text.startswith(b"{") and text.endswith(b"}") and b"type" in text
    return meant and _decode_leniently(text) is None


def runs_to_ask(suite: Suite, ready: AdapterInfo) -> list[Mapping[str, Any]]:
    """Return a few different runs that an adapter claims, as 'hoyle check' would send them, shortest first; an empty
    list if no check can be sent."""
    plays = Claims(suite, ready).plays
    claimed = [suite.index.checks[each.id] for each in suite.index.headings.values() if plays(each.ruleset)]
    sample = claimed[:: len(claimed) // _SAMPLE + 1]
    found = list(_run_bodies(suite, ready, sample)) or list(_run_bodies(suite, ready, claimed))
    by_length = sorted({encode(each): each for each in found}.items(), key=lambda each: (len(each[0]), each[0]))
    last = len(by_length) - 1
    places = sorted({round(last * place / (RUNS - 1)) for place in range(RUNS)}) if by_length else []
    return [by_length[at][1] for at in places]


def _run_bodies(suite: Suite, ready: AdapterInfo, checks: Sequence[Check]) -> Iterator[Mapping[str, Any]]:
    """Yield the run of each of these checks that can be sent to the adapter."""
    for asked in map(Checker.with_questions(Claims(suite, ready), checks).adapt, checks):
        if isinstance(asked, Adapted):
            yield dict(asked.plan.message)


def examine(
    suite: Suite, command: Sequence[str], timeout: float, log: Log, folder: Path | None, *, sandbox: bool
) -> AdapterTranscript:
    """Return the transcript of a few conversations with an adapter, which runs in `folder` or the working folder, and
    in a sandbox if `sandbox` is set; pass every line to `log`."""
    transcript = AdapterTranscript(tuple(command), timeout, os.linesep == "\r\n", rulesets=suite.rules.names)
    start = partial(RecordedProcess, command, timeout, log, folder, sandbox=sandbox)
    converse = partial(_converse, Wire(suite.schemas, suite.version), start)
    bodies: list[Body] = []

    def choose(ready: AdapterInfo) -> list[Body]:
        bodies.extend(runs_to_ask(suite, ready))
        return [*bodies, *bodies[:2]]

    try:
        first = converse(choose)
        claimed = sorted(first.ready.rulesets) if first.ready else []
        unknown = tuple(name for name in claimed if not suite.rules.knows(name))
        transcript = replace(transcript, first=first, unknown_rulesets=unknown)
        if bodies and first.is_complete:
            second = converse(lambda _ready: reversed(bodies), goodbye=False)
            transcript = replace(transcript, second=second)
            if second.is_complete:
                foreign = {**bodies[0], "ruleset": UNKNOWN_RULESET, "options": []}
                transcript = replace(transcript, third=converse(lambda _ready: [foreign, bodies[0]]))
    except ProtocolError as fault:
        return replace(transcript, cannot_start=fault)
    return transcript


def _converse(
    wire: Wire,
    start: Callable[[], RecordedProcess],
    choose: Callable[[AdapterInfo], Iterable[Body]],
    *,
    goodbye: bool = True,
) -> Conversation:
    """Return a conversation with the runs chosen for an adapter, up to the first unanswered one; raise ProtocolError if
    the adapter cannot be started."""
    began, process = time.monotonic(), start()
    try:
        hello, ready = _validated(process.exchange(wire.hello()), wire.ready)
        exchanges, seconds = [hello], time.monotonic() - began if hello.answer else None
        for seq, body in zip(_RUN_NUMBERS, choose(ready) if ready else (), strict=False):
            if exchanges[-1].outcome is ExchangeOutcome.ANSWERED:
                asked = process.exchange(wire.run(seq, body))
                exchanges.append(_validated(asked, partial(_read_answer, wire, seq, body))[0])
        exit_text = process.how_it_ended() if exchanges[-1].outcome is ExchangeOutcome.ENDED else ""
        if not goodbye:
            process.close_input()
    finally:
        ending = process.close()
    so_far = Conversation(tuple(exchanges), ready, seconds, None, exit_text, process.leftover, process.stderr)
    return replace(so_far, ending=ending) if so_far.is_complete else so_far


def _read_answer(wire: Wire, seq: int, body: Body, answer: Mapping[str, Any]) -> None:
    """Raise ProtocolError if an answer to a run is invalid, ignoring its number."""
    wire.answer({**answer, "seq": seq}, seq, body["steps"])


def _validated(exchange: Exchange, read: Callable[[Mapping[str, Any]], Any]) -> tuple[Exchange, Any]:
    """Return an exchange with the protocol error in its answer, if any, and the content of the answer."""
    if exchange.answer is None:
        return exchange, None
    try:
        decode(b"".join(exchange.lines[len(exchange.extra_lines) :]))
    except ProtocolError as fault:
        if fault.code == "repeated-key":  # other faults in its text are found elsewhere
            return replace(exchange, fault=fault), None
    try:
        return exchange, read(exchange.answer)
    except ProtocolError as fault:
        return replace(exchange, fault=fault), None
