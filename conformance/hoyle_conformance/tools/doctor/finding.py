"""A finding: what is wrong with an adapter, with the lines that show it."""

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle_conformance.protocol.messages import encode, shown
from hoyle_conformance.tools.doctor.transcript import Conversation, Exchange
from hoyle_reference.frozen import frozen


@frozen
class Finding:
    """What was found: in words, with lines of the conversation as they were, each with who said it (``Hoyle``,
    ``adapter``), and the end of its error output. A `grave` finding breaks the conversation in 'hoyle check'; without
    it, that works. Its remedy is that of its question, or of another name, or stands here.
    """

    what: str
    lines: Sequence[tuple[str, str]] = ()
    stderr: str = ""
    grave: bool = True
    remedy: str = ""
    remedy_of: str = ""


def said(message: Mapping[str, Any]) -> tuple[str, str]:
    """A line of ours, to be quoted."""
    return "Hoyle", shown(encode(message))


def heard(line: bytes) -> tuple[str, str]:
    """A line of the adapter, to be quoted."""
    return "adapter", shown(line)


def of(exchange: Exchange, *lines: bytes) -> tuple[tuple[str, str], ...]:
    """A message and lines that were heard for it, to be quoted."""
    return (said(exchange.message), *map(heard, lines))


def stderr_of(conversation: Conversation | None) -> str:
    """The end of the error output of a conversation."""
    return conversation.stderr if conversation else ""
