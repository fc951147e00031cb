"""What the doctor has seen: conversations as they were, line by line."""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_reference.frozen import frozen

BYTE_ORDER_MARK = codecs.BOM_UTF8


class Became(StrEnum):
    """What became of a message that was sent."""

    ANSWERED = "answered"
    SILENT = "silent"  # no answer in time
    ENDED = "ended"  # the adapter ended instead
    FLOODED = "flooded"  # more was written than anybody would read
    UNREADABLE = "unreadable"  # what is meant as an answer is no JSON, or in UTF-16 or the like


@frozen
class Exchange:
    """A message and what was heard for it: every line, of which the last few are the answer, where there is one; and
    what came only when the adapter's input had been closed. `spread` is the number of lines that the answer is on,
    and `fault` what the protocol has against it."""

    message: Mapping[str, Any]
    became: Became
    heard: tuple[bytes, ...] = ()
    answer: Mapping[str, Any] | None = None
    spread: int = 0
    released: tuple[bytes, ...] = ()
    fault: ProtocolError | None = None
    length: int = 0  # bytes of the message

    @property
    def name(self) -> str:
        """The message as people call it: ``hello``, ``run 41``."""
        return f"run {self.message['seq']}" if "seq" in self.message else str(self.message["type"])

    @property
    def beside(self) -> tuple[bytes, ...]:
        """The lines that are no part of the answer."""
        return self.heard[: len(self.heard) - self.spread]


@frozen
class Conversation:
    """One conversation, from the start of the adapter to its end: after how many seconds it was ready, what was wrong
    with its end, how it ended by itself, if it did, what it wrote after the last answer, and the end of its error
    output."""

    exchanges: tuple[Exchange, ...]
    ready: AdapterInfo | None = None
    seconds: float | None = None
    ending: ProtocolError | None = None
    ended: str = ""
    left: tuple[bytes, ...] = ()
    stderr: str = ""

    @property
    def runs(self) -> tuple[Exchange, ...]:
        """Whatever followed after hello."""
        return self.exchanges[1:]

    @property
    def whole(self) -> bool:
        """Whether every message was answered."""
        return all(each.became is Became.ANSWERED for each in self.exchanges)


@frozen
class AdapterTranscript:
    """All that was seen of an adapter: why it could not be started, if so, and how it can be; the `first` conversation,
    one with a fresh process that is asked the same in another order (`again`), and one in which it is asked of a
    ruleset that there is not (`stranger`). `timeout` is in seconds, `windows` says on which kind of system.
    """

    command: Sequence[str]
    timeout: float
    windows: bool
    cannot_start: ProtocolError | None = None
    how_to_start: str = ""
    first: Conversation | None = None
    again: Conversation | None = None
    stranger: Conversation | None = None
    #: The rulesets of the suite; those of them that it claims, and what it claims that is none.
    rulesets: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def conversations(self) -> tuple[Conversation, ...]:
        """Those that were held."""
        return tuple(each for each in (self.first, self.again, self.stranger) if each)

    @property
    def exchanges(self) -> Iterator[Exchange]:
        """Of all conversations."""
        return (each for conversation in self.conversations for each in conversation.exchanges)

    @property
    def runs(self) -> Iterator[Exchange]:
        """The runs of what it claims."""
        return (each for conversation in (self.first, self.again) if conversation for each in conversation.runs)

    @property
    def language(self) -> str:
        """The language that it says it is written in; empty if it has not said so."""
        return self.first.ready.language if self.first and self.first.ready else ""
