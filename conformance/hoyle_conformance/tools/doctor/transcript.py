"""The transcript of the doctor's conversations with an adapter, line by line, and the findings that quote it."""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError, encode, show_line

BYTE_ORDER_MARK = codecs.BOM_UTF8


class ExchangeOutcome(StrEnum):
    """The outcome of sending one message."""

    ANSWERED = "answered"
    SILENT = "silent"  # no answer in time
    ENDED = "ended"  # the adapter ended instead
    FLOODED = "flooded"  # the adapter wrote more than the doctor reads
    UNREADABLE = "unreadable"  # the intended answer is no JSON, or in UTF-16 or the like


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message and the lines that the adapter wrote in response.

    The last `answer_line_count` of the `lines` are the answer, if there is one. `late_lines` came only after the
    adapter's input was closed. `fault` is the protocol error in the answer.
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
        """The lines that are no part of the answer."""
        return self.lines[: len(self.lines) - self.answer_line_count]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation, from the start of the adapter to its end.

    `startup_seconds` passed until the adapter was ready. `ending` is the protocol error in how it ended, `exit_text`
    describes how it ended by itself, `leftover` are the lines after the last answer, and `stderr` is the end of its
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

    `cannot_start` is the error if the command could not be started, `how_to_start` a command that can be. `timeout` is
    in seconds. `windows` is true if the adapter ran on Windows.
    """

    command: Sequence[str]
    timeout: float
    windows: bool
    cannot_start: ProtocolError | None = None
    how_to_start: str = ""
    first: Conversation | None = None
    second: Conversation | None = None
    third: Conversation | None = None
    #: The rulesets of the suite; those of them that the adapter claims; and claimed names that are no rulesets.
    rulesets: tuple[str, ...] = ()
    known_rulesets: tuple[str, ...] = ()
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
        """The language that the adapter's `ready` names; empty without a valid `ready`."""
        return self.first.ready.language if self.first and self.first.ready else ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of an adapter: a summary, quoted lines of the conversation with their speakers (``Hoyle``, ``adapter``),
    and the end of its error output.

    A finding that `is_grave` breaks the conversation in 'hoyle check'. The remedy is `remedy`, or the one named
    `remedy_of` in `remedies.yaml`, or else the one with the question's name.
    """

    summary: str
    lines: Sequence[tuple[str, str]] = ()
    stderr: str = ""
    is_grave: bool = True
    remedy: str = ""
    remedy_of: str = ""


def quote_message(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return one of Hoyle's messages as a quoted line."""
    return "Hoyle", show_line(encode(message))


def quote_line(line: bytes) -> tuple[str, str]:
    """Return a line of the adapter as a quoted line."""
    return "adapter", show_line(line)


def quote_exchange(exchange: Exchange, *lines: bytes) -> tuple[tuple[str, str], ...]:
    """Return a message and some of the lines that followed, as quoted lines."""
    return (quote_message(exchange.message), *map(quote_line, lines))


def stderr_of(conversation: Conversation | None) -> str:
    """Return the end of a conversation's error output."""
    return conversation.stderr if conversation else ""
