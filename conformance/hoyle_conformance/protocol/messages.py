"""The messages of the protocol, written and read as JSON, one on each line, and validated against their schemas.

The first part has the faults of a conversation.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.capabilities import Capabilities

# ---- faults of a conversation with an adapter
#
# 1. The command is started.                          cannot-start
# 2. The harness says hello; the adapter says ready.  timeout, crashed, not-json, not-a-message, flooded, wrong-version
# 3. For each run, the adapter answers.               the same, and unasked, wrong-seq, says-otherwise
#    Its answer is wrong.                             invalid-answer, repeated-key, wrong-number-of-steps
#    It does more than answer.                        unasked, crashed-later
# 4. The harness says bye, and the adapter ends.      unasked, ended-badly, does-not-end
#
# A fault in stage 1 or 2 ends everything. A fault in stage 3 belongs to one check: the conversation goes on if the
# answer was complete and belonged to the run that was sent; otherwise, the adapter is ended and restarted for the next
# check. A fault found only when the next run is sent, or at the end, belongs to the previous check if a new adapter
# does not have the fault. A fault in stage 4 belongs to the whole run.


#: The event and the remedy of each fault.
FAULTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "cannot-start": (
            "the command could not be started",
            "Check that the command is spelled correctly and can be run from this folder.",
        ),
        "timeout": (
            "the adapter did not answer in time",
            "Write one line for every message, and flush it. If the adapter needs more time, use --timeout SECONDS.",
        ),
        "crashed": (
            "the adapter ended before it answered",
            "Look at the adapter's error output. --log FILE writes every message, so that you can repeat them by hand.",
        ),
        "crashed-later": (
            "the adapter ended after answering",
            "Look at the adapter's error output. Without this request, the adapter did not fail later on.",
        ),
        "not-json": (
            "the adapter wrote a line that is not JSON",
            "Write only responses to standard output, one line each. Print everything else to standard error.",
        ),
        "not-a-message": (
            "the adapter's response is not a message of the protocol",
            "Compare the response with the message schemas; spec/PROTOCOL.md shows an example of each message.",
        ),
        "invalid-answer": (
            "the adapter's response is not valid",
            "Compare the response with the message schemas; spec/PROTOCOL-REFERENCE.md gives the type of every value.",
        ),
        "repeated-key": (
            "the adapter's message has a key twice",
            "Write every key of an object once; otherwise its value is ambiguous.",
        ),
        "flooded": (
            "the adapter wrote a line that is too long",
            "A response is one line of at most a million bytes.",
        ),
        "wrong-version": (
            "the adapter uses another version of the protocol",
            "Update the adapter to this version, or use the release of Hoyle that it was written for.",
        ),
        "unasked": (
            "the adapter wrote a line that was not requested",
            "Answer every message once, and print everything else to standard error.",
        ),
        "wrong-seq": (
            "the adapter answered a different run",
            "Return the 'seq' of the run, and answer each run once.",
        ),
        "wrong-number-of-steps": (
            "the adapter's response does not have one observation for each step",
            "Answer every step, in order, even after a refused one.",
        ),
        "says-otherwise": (
            "the adapter's 'ready' message is different after a restart",
            "Answer hello in the same way every time: the claims decide which checks Hoyle sends.",
        ),
        "ended-badly": (
            "the adapter did not end cleanly",
            "End with exit code 0 at bye, or at the end of the input. The adapter's error output may show the cause.",
        ),
        "does-not-end": (
            "the adapter did not end by itself",
            "End at bye, or at the end of the input. Otherwise Hoyle ends the adapter.",
        ),
    }
)
#: The faults of an answer that was complete and belonged to the run that was sent. They do not disturb the
#: conversation.
OF_THE_ANSWER: Final = frozenset({"invalid-answer", "repeated-key", "wrong-number-of-steps"})


class ProtocolError(Exception):
    """A fault of a conversation.

    It has a stable code; the observed detail; the end of the adapter's error output; the number of the run, if it was
    answered nevertheless; and a fault of the previous run, if that run caused this fault too.
    """

    def __init__(
        self, code: str, detail: str = "", stderr: str = "", seq: int | None = None, late: "LateFault | None" = None
    ) -> None:
        self.code, self.detail, self.stderr, self.seq, self.late = code, detail, stderr, seq, late
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The fault, in words."""
        what = FAULTS[self.code][0]
        return f"{what}: {self.detail}" if self.detail else what

    @property
    def remedy(self) -> str:
        """The advice for the author of the adapter."""
        return FAULTS[self.code][1]

    @property
    def of_the_answer(self) -> bool:
        """Whether only the answer itself is wrong, so that the conversation can go on."""
        return self.code in OF_THE_ANSWER

    def alone(self) -> "ProtocolError":
        """Return the same fault without its traceback and its cause, which hold all data read."""
        return ProtocolError(self.code, self.detail, self.stderr, self.seq, self.late)

    @property
    def status(self) -> str:
        """The status of the check with the fault."""
        return {"timeout": "timeout", "crashed": "crash", "crashed-later": "crash"}.get(self.code, "error")


class LateFault(NamedTuple):
    """A fault found only after its run had been answered: the number of the run, and the fault."""

    seq: int
    fault: ProtocolError


# ---- messages


#: The kinds of a response, and the keys of a step in it, by which an adapter declines.
DECLINED: Final = ("unsupported", "skipped", "error")
PROTOCOL: Final = 1

#: The keys of an introduction for how the engine plays, if not in the usual way.
_WAYS: Final = ("score", "draws", "declarations", "declares", "refuses")
#: The types of response to a run.
ANSWERS: Final = frozenset({"observed", "skipped", "unsupported", "error"})
_DETAIL: Final = 120  # characters of a faulty line that are shown
_COMPLAINT: Final = 300  # characters of one complaint
#: Stands for a number that is too large for any use, and perhaps for this machine.
_BEYOND_ALL: Final = 10**18


class EncodedMessage(dict[str, Any]):
    """A message, or the body of one, with its JSON text."""

    def __init__(self, content: Mapping[str, Any], text: bytes) -> None:
        super().__init__(content)
        self.text = text


@dataclass(frozen=True, slots=True)
class AdapterInfo:
    """An adapter's introduction.

    It has the engine's name, the rulesets and words that it claims, and the ways in which it plays: how it gets into a
    position, when it books points, how its players draw, how combinations are declared, and who chooses them; how it
    refuses an act, and which of the combinations in a hand it lists.
    """

    name: str
    version: str
    language: str
    rulesets: frozenset[str]
    claims: frozenset[str]
    position: str = "any"
    score: str = "at-once"
    draws: str = "one-by-one"
    declarations: str = "one-by-one"
    declares: str = "as-asked"
    refuses: str = "as-not-accepted"
    lists: str = "every-choice"

    @property
    def unusual_modes(self) -> Mapping[str, tuple[str, str]]:
        """The modes in which the engine does not perform or refuse each act as usual; each has the usual mode and the
        engine's own."""
        usual = {each.name: str(each.default) for each in fields(self) if each.name in _WAYS}
        return {mode: (way, own) for mode, way in usual.items() if (own := getattr(self, mode)) != way}

    def differences(self, other: "AdapterInfo") -> Iterator[str]:
        """Yield the differences from another introduction, in words."""
        for name in (each.name for each in fields(self)):
            was, now = getattr(self, name), getattr(other, name)
            if isinstance(was, str) and was != now:
                yield f"{name} {now!r} instead of {was!r}"
            elif was != now:
                parts = (("without", was - now), ("now with", now - was))
                yield ", ".join(f"{name} {how} {', '.join(sorted(words))}" for how, words in parts if words)


@dataclass(frozen=True, slots=True)
class Response:
    """The response to a run: `observed` with one observation for each step, or the reason why there are none; and the
    fault of the previous run, if it was found with this response."""

    kind: str
    steps: tuple[Mapping[str, Any], ...] = ()
    reason: str = ""
    late: LateFault | None = None


@dataclass(frozen=True)
class Wire:
    """The writer and reader of messages, which validates them. Messages of an adapter that is `ours` are not validated,
    because the tests do that."""

    schemas: Schemas
    suite_version: str = field(default="")
    ours: bool = False

    @cached_property
    def capabilities(self) -> Capabilities:
        """The words that can be claimed."""
        return Capabilities(self.schemas)

    def hello(self) -> dict[str, Any]:
        """Return the first message."""
        return {"type": "hello", "protocol": PROTOCOL, "suite": self.suite_version}

    def run(self, seq: int, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the message for one check; its body was validated against the schema when it was planned."""
        message = {"type": "run", "seq": seq, **body}
        return (
            EncodedMessage(message, b'{"type":"run","seq":%d,' % seq + body.text[1:])
            if isinstance(body, EncodedMessage)
            else message
        )

    def ready(self, message: Any) -> AdapterInfo:
        """Return the introduction in the response to hello; raises ProtocolError if it is invalid or of another
        version."""
        if isinstance(message, Mapping) and message.get("type") == "ready" and message.get("protocol") != PROTOCOL:
            raise ProtocolError(
                "wrong-version", f"it uses {_shown(message.get('protocol'))}, Hoyle uses version {PROTOCOL}"
            )
        complaint = _of_no_kind(message, frozenset({"ready"})) or self._complaint(message)
        if complaint:
            raise ProtocolError("not-a-message", complaint)
        return AdapterInfo(
            message["name"],
            message["version"],
            message["language"],
            frozenset(message["rulesets"]),
            self.capabilities.words(message["claims"], message.get("cannot", ())),
            message.get("position", "none"),
            **{key: message[key] for key in (*_WAYS, "lists") if key in message},
        )

    def answer(self, message: Any, seq: int, steps: Sequence[Mapping[str, Any]]) -> Response:
        """Return the response to a run of these steps; raises ProtocolError if it is invalid or belongs to another
        run."""
        of_no_kind, answered = _of_no_kind(message, ANSWERS), _seq(message)
        if answered != seq and (of_no_kind or answered is None):
            raise ProtocolError("not-a-message", of_no_kind or f"'seq' is missing or not a number in {_shown(message)}")
        if answered != seq:
            raise ProtocolError("wrong-seq", f"it answered run {_cut(str(answered))}, not run {seq}")
        complaint = of_no_kind or self._wrong_answer(message, steps) or self._complaint(message)
        if complaint:
            raise ProtocolError("invalid-answer", complaint, seq=seq)
        if message["type"] != "observed":
            return Response(message["type"], reason=message.get("reason", ""))
        if len(message["steps"]) != len(steps):
            raise ProtocolError("wrong-number-of-steps", f"{len(message['steps'])} for {len(steps)} steps", seq=seq)
        return Response("observed", tuple(message["steps"]))

    def _complaint(self, message: Mapping[str, Any]) -> str:
        """Return the fault in a message of a known kind."""
        complaint = "" if self.ours else self.schemas.complaint(f"message-{message['type']}", message)
        return complaint and _cut(f"'{message['type']}': {complaint}", _COMPLAINT)

    def _wrong_answer(self, message: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> str:
        """Return the fault in the first answer whose kind does not fit its question; empty if there is none."""
        observed = message.get("steps")
        if self.ours or not isinstance(observed, list):
            return ""
        for number, (step, seen) in enumerate(zip(steps, observed, strict=False), start=1):
            if not (isinstance(seen, dict) and "answer" in seen):
                continue
            if "ask" not in step:
                return f"step {number} is an act: its observation has 'accepted', not 'answer'"
            kind = f"common#/$defs/answers/{step['ask']}"
            if complaint := self.schemas.complaint(kind, seen["answer"], "the answer"):
                return _cut(f"step {number} asks '{step['ask']}': {complaint}", _COMPLAINT)
        return ""


def _of_no_kind(message: Any, kinds: frozenset[str]) -> str:
    """Return the fault in a message that is not of one of these kinds."""
    kind = message.get("type") if isinstance(message, Mapping) else None
    if isinstance(kind, str) and kind in kinds:
        return ""
    return f"expected 'type' to be {' or '.join(sorted(kinds))}, got {_shown(message)}"


def _seq(message: Any) -> int | None:
    """Return the number of the run that a message claims to answer; None if it has no valid number."""
    seq = message.get("seq") if isinstance(message, Mapping) else None
    return seq if type(seq) is int else None


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as one line."""
    return (message.text if isinstance(message, EncodedMessage) else _ENCODER.encode(message).encode()) + b"\n"


def decode(line: bytes) -> Any:
    """Return the message on a line; raises ProtocolError if it is not JSON or has a repeated key.

    A number without a fraction is an integer, however it is written. All numbers that are too large become the same
    one.
    """
    try:
        return _DECODER.decode(_text(line))
    except (ValueError, RecursionError):
        return _decode_the_odd(line)


def show_line(line: bytes) -> str:
    """Return a line in the form shown to people, cut if it is long."""
    return _cut(repr(line.decode("utf-8", "replace").rstrip("\r\n")))


def _decode_the_odd(line: bytes) -> Any:
    """Return the message of an unusual line, decoded with more care. Raises ProtocolError as `decode` does."""
    repeated: list[str] = []

    def noted(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        read = dict(pairs)
        if len(read) != len(pairs):
            repeated.append(Counter(key for key, _ in pairs).most_common()[0][0])
        return read

    try:
        message = _decoder(noted, parse_int=_whole).decode(_text(line))
    except (ValueError, RecursionError) as error:
        raise ProtocolError("not-json", show_line(line)) from error
    if repeated:
        raise ProtocolError("repeated-key", _cut(repr(repeated[0])), seq=_seq(message))
    return message


def _text(line: bytes) -> str:
    return line.decode(json.detect_encoding(line), "surrogatepass")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a key appears twice")
    return read


def _number(text: str) -> float:
    number = float(text)
    if abs(number) > _BEYOND_ALL:
        return _BEYOND_ALL if number > 0 else -_BEYOND_ALL
    return int(number) if number.is_integer() else number


def _whole(text: str) -> int:
    if len(text) > len(str(_BEYOND_ALL)):
        return -_BEYOND_ALL if text.startswith("-") else _BEYOND_ALL
    return int(text)


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not a number")


def _decoder(
    read: Callable[[list[tuple[str, Any]]], dict[str, Any]], parse_int: Callable[[str], int] | None = None
) -> json.JSONDecoder:
    """Return a decoder that reads objects, and integers, with these functions."""
    return json.JSONDecoder(parse_float=_number, parse_int=parse_int, parse_constant=_no_number, object_pairs_hook=read)


#: Made once, because making a decoder takes longer than decoding most messages.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_DECODER: Final = _decoder(_once)


def _shown(message: Any) -> str:
    try:
        return _cut(json.dumps(message))
    except (ValueError, RecursionError):  # nested as deeply as can be read
        return "something that is nested too deeply"


def _cut(text: str, most: int = _DETAIL) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
