"""The request of one check, ready to be adapted and sent, or the reason why there is none."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hoyle_conformance.protocol.messages import EncodedMessage
from hoyle_conformance.suite.model import AS_WRITTEN, Relabelling

#: The acts by which an irregularity is ruled on; an irregular act itself is marked.
_RULED_ON: Final = frozenset({"claim", "mishap"})


def is_irregular(step: Mapping[str, Any]) -> bool:
    """Whether a step is an irregular act, or an act by which an irregularity is ruled on."""
    return "irregular" in step or step.get("do") in _RULED_ON


def observing(message: Mapping[str, Any], observe: list[str]) -> Mapping[str, Any]:
    """Return a message, or the body of one, with other observables; an encoded one stays encoded."""
    asking = {**message, "observe": observe}
    if not isinstance(message, EncodedMessage):
        return asking
    was, now = (json.dumps(each, separators=(",", ":")).encode() for each in (message["observe"], observe))
    return EncodedMessage(asking, now.join(message.text.rsplit(was, 1)))


def under_the_name(message: Mapping[str, Any], ruleset: str) -> Mapping[str, Any]:
    """Return a message, or the body of one, with another name for the ruleset."""
    name, *options = ruleset.split("+")
    return {**message, "ruleset": name, "options": options}


@dataclass(frozen=True, slots=True)
class RequestSteps:
    """The reference's own version of a request whose message it cannot play: its message, the indexes of the acts and
    questions that the observations of each sent step belong to, and the position that the sent steps begin from."""

    message: Mapping[str, Any]
    at: tuple[int, ...]
    begins: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The request of one check.

    `message` is the body of the `run` message. `ends` says where each step ends among the acts and questions sent: a
    step of which nothing is sent ends where the one before it does, and acts may follow the last. `needs` are the words
    that must be claimed, `seats` the seats that are taken, and `turned` the relabelling. `course` is what the reference
    plays where that is not the message. The score need not be booked yet after the sent steps in `unbooked`. After the
    steps that are `undecided`, only what is expected is compared.
    """

    message: Mapping[str, Any]
    ends: tuple[int, ...]
    needs: frozenset[str]
    seats: str
    turned: Relabelling = AS_WRITTEN
    course: RequestSteps | None = None
    unbooked: frozenset[int] = frozenset()
    undecided: frozenset[int] = frozenset()

    def start(self, step: int) -> int:
        """Return the index among the acts and questions sent at which a scenario's step, counted from 1, begins."""
        return self.ends[step - 2] if step > 1 else 0

    @property
    def afterwards(self) -> range:
        """The indexes of the acts sent after the last of the scenario's steps."""
        end = len(self.message["steps"])
        return range(self.ends[-1] if self.ends else end, end)

    @property
    def position(self) -> Mapping[str, Any]:
        """The position that the steps begin from."""
        return self.course.begins if self.course else self.message["position"]


class CannotSetUp(Exception):
    """A position that cannot be completed; `path` leads to the place in the scenario's file.

    The message and the remedy address the author of the file. Where they would puzzle a user of the table, `table` has
    others, each in place of the first unless it is empty.
    """

    def __init__(self, message: str, remedy: str, *path: str | int, table: tuple[str, str] = ("", "")) -> None:
        super().__init__(message)
        self.message, self.remedy, self.path = message, remedy, path
        self._table = table

    @property
    def at_the_table(self) -> tuple[str, str]:
        """The message and the remedy for a user of the table, who has no file."""
        return self._table[0] or self.message, self._table[1] or self.remedy
