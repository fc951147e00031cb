"""The messages of the protocol, built and read. Each is JSON on one line, and held against its schema."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from ..files.schemas import Schemas
from ..positions.plan import Capabilities
from ..positions.prepared import Written
from .faults import Fault

PROTOCOL: Final = 1

#: How an implementation does things in its own way, where it does.
_WAYS: Final = ("score", "draws", "declarations", "declares")
#: What an adapter may answer to a run.
ANSWERS: Final = frozenset({"observed", "skipped", "unsupported", "error"})
_DETAIL: Final = 120  # characters of a faulty line that are shown


@dataclass(frozen=True, slots=True)
class Ready:
    """What an implementation says of itself: its name, the rulesets and the words it claims, how it gets into a
    position, when it books points, how its players draw, how combinations are declared, and who chooses them."""

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


@dataclass(frozen=True, slots=True)
class Answer:
    """What an implementation answered to a run: `observed` with one observation a step, or why there are none."""

    kind: str
    steps: tuple[Mapping[str, Any], ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Wire:
    """Writes and reads messages, and checks each of them; of an implementation that is `ours` nothing is held against
    the schemas, since the tests do that."""

    schemas: Schemas
    suite_version: str = field(default="")
    ours: bool = False

    @cached_property
    def capabilities(self) -> Capabilities:
        """The words that may be claimed."""
        return Capabilities(self.schemas)

    def hello(self) -> dict[str, Any]:
        """The first message."""
        return {"type": "hello", "protocol": PROTOCOL, "suite": self.suite_version}

    def run(self, seq: int, body: Mapping[str, Any]) -> dict[str, Any]:
        """The message for one check, whose body was held against its schema when it was planned."""
        message = {"type": "run", "seq": seq, **body}
        return (
            Written(message, b'{"type":"run","seq":%d,' % seq + body.text[1:]) if isinstance(body, Written) else message
        )

    def ready(self, message: Any) -> Ready:
        """The answer to hello; raises Fault where it is none, or of another version."""
        if isinstance(message, Mapping) and message.get("type") == "ready" and message.get("protocol") != PROTOCOL:
            raise Fault("wrong-version", f"it says {message.get('protocol')!r}, this is version {PROTOCOL}")
        self._check(message, frozenset({"ready"}))
        return Ready(
            message["name"],
            message["version"],
            message["language"],
            frozenset(message["rulesets"]),
            self.capabilities.words(message["claims"], message.get("cannot", ())),
            message.get("position", "none"),
            **{key: message[key] for key in _WAYS if key in message},
        )

    def answer(self, message: Any, seq: int, steps: int) -> Answer:
        """The answer to a run of so many steps; raises Fault where it is none, or belongs to another run."""
        self._check(message, ANSWERS)
        if message["seq"] != seq:
            raise Fault("wrong-seq", f"it answered run {message['seq']} when asked run {seq}")
        if message["type"] != "observed":
            return Answer(message["type"], reason=message.get("reason", ""))
        if len(message["steps"]) != steps:
            raise Fault("wrong-number-of-steps", f"{len(message['steps'])} for {steps} steps")
        return Answer("observed", tuple(message["steps"]))

    def _check(self, message: Any, kinds: frozenset[str]) -> None:
        kind = message.get("type") if isinstance(message, Mapping) else None
        if not isinstance(kind, str) or kind not in kinds:
            raise Fault("not-a-message", f"expected 'type' to be {' or '.join(sorted(kinds))}, got {_shown(message)}")
        complaint = "" if self.ours else self.schemas.complaint(f"message-{kind}", message)
        if complaint:
            raise Fault("not-a-message", f"'{kind}': {complaint}")


def encode(message: Mapping[str, Any]) -> bytes:
    """A message as one line."""
    return (message.text if isinstance(message, Written) else _ENCODER.encode(message).encode()) + b"\n"


def decode(line: bytes) -> Any:
    """A line as a message; raises Fault where it is not JSON. A number without a fraction is whole, however written."""
    try:
        return _DECODER.decode(line.decode(json.detect_encoding(line), "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise Fault("not-json", _cut(repr(line.decode("utf-8", "replace").rstrip("\r\n")))) from error


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


#: Made once: making one takes longer than most messages do.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_DECODER: Final = json.JSONDecoder(parse_float=_number, parse_constant=_no_number)


def _shown(message: Any) -> str:
    return _cut(json.dumps(message))


def _cut(text: str) -> str:
    return text if len(text) <= _DETAIL else text[: _DETAIL - 1] + "…"
