"""Prepared checks: what is sent to an implementation for one check, made by `plan` or kept; or why there is nothing."""

import json
from collections.abc import Mapping
from typing import Any, Final

from hoyle_conformance.suite.model import AS_WRITTEN, Relabelling
from hoyle_reference.frozen import frozen

#: What an implementation claims that carries out irregular acts and rules on them.
IRREGULAR_ACTS: Final = "irregular"
#: What one claims that plays whole games and counts the acts that are open.
LEGAL_ACTS: Final = "legal_acts"


class Written(dict[str, Any]):
    """A message, or the body of one, with the JSON that it was written as before."""

    def __init__(self, content: Mapping[str, Any], text: bytes) -> None:
        super().__init__(content)
        self.text = text


def observing(message: Mapping[str, Any], observe: list[str]) -> Mapping[str, Any]:
    """A message, or the body of one, that asks to observe these; what was written as JSON stays written."""
    asking = {**message, "observe": observe}
    if not isinstance(message, Written):
        return asking
    was, now = (json.dumps(each, separators=(",", ":")).encode() for each in (message["observe"], observe))
    return Written(asking, now.join(message.text.rsplit(was, 1)))


def under_the_name(message: Mapping[str, Any], ruleset: str) -> Mapping[str, Any]:
    """A message, or the body of one, in which the ruleset has another name, with its options."""
    name, *options = ruleset.split("+")
    return {**message, "ruleset": name, "options": options}


@frozen
class RequestSteps:
    """What the reference is to play for a plan whose message it could not: its own message, the acts and questions of
    it that the observations of each sent step are of, and the position that the sent steps begin from."""

    message: Mapping[str, Any]
    at: tuple[int, ...]
    begins: Mapping[str, Any]


@frozen
class RunRequest:
    """One check made ready: what its `run` message says, where each step ends among the acts and questions sent (one of
    which nothing is sent, ends where the one before it does; acts may come after the last), the words that must be
    claimed for it, the seats that are taken, and how the check is turned; the `course` of the reference, where it is
    not the message; and the sent steps after which the score need not be booked yet."""

    message: Mapping[str, Any]
    ends: tuple[int, ...]
    needs: frozenset[str]
    seats: str
    turned: Relabelling = AS_WRITTEN
    course: RequestSteps | None = None
    unbooked: frozenset[int] = frozenset()

    def start(self, step: int) -> int:
        """The index among the acts and questions sent at which a scenario's step (counted from 1) begins."""
        return self.ends[step - 2] if step > 1 else 0

    @property
    def afterwards(self) -> range:
        """The places of the acts sent that come after the last of the scenario's steps."""
        end = len(self.message["steps"])
        return range(self.ends[-1] if self.ends else end, end)

    @property
    def position(self) -> Mapping[str, Any]:
        """The position that the steps begin from."""
        return self.course.begins if self.course else self.message["position"]


class CannotSetUp(Exception):
    """A position that cannot be completed; `path` leads to the place in the scenario's file.

    What is said of it speaks to who writes that file; where it would be strange to hear for one who lays cards on a
    table, the same is said `table` too: what is wrong, and the remedy, each in place of the other unless it is empty.
    """

    def __init__(self, message: str, remedy: str, *path: str | int, table: tuple[str, str] = ("", "")) -> None:
        super().__init__(message)
        self.message, self.remedy, self.path = message, remedy, path
        self._table = table

    @property
    def at_the_table(self) -> tuple[str, str]:
        """What is wrong, and the remedy, for one who lays cards on a table and has no file."""
        return self._table[0] or self.message, self._table[1] or self.remedy
