"""Faults of a conversation with an adapter.

1. The command is started.                          cannot-start
2. The harness says hello; the adapter says ready.  timeout, crashed, not-json, not-a-message, flooded, wrong-version
3. For each run, the adapter answers.               the same, and unasked, wrong-seq, says-otherwise
   Its answer is wrong.                             invalid-answer, repeated-key, wrong-number-of-steps
   It does more than answer.                        unasked, crashed-later
4. The harness says bye, and the adapter ends.      unasked, ended-badly, does-not-end

A fault in stage 1 or 2 ends everything. A fault in stage 3 belongs to one check: the conversation goes on if the answer
was whole and to the run that was sent; else the adapter is ended, and started again for the next check. A fault that is
found only when the next run is sent, or at the end, belongs to the check before, if a fresh adapter does without. A
fault in stage 4 belongs to the whole.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

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
#: The faults of an answer that came whole, to the run that was sent: they leave the conversation as it was.
OF_THE_ANSWER: Final = frozenset({"invalid-answer", "repeated-key", "wrong-number-of-steps"})


class ProtocolError(Exception):
    """A fault of a conversation: a stable code, the detail that was seen, the end of the adapter's error output, and
    the number of the run that was answered all the same, if any; and a fault of the run before, if that caused it too.
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
        """The advice for whoever writes the adapter."""
        return FAULTS[self.code][1]

    def alone(self) -> "ProtocolError":
        """Return the same fault without its traceback and its cause, which hold everything that was read."""
        return ProtocolError(self.code, self.detail, self.stderr, self.seq, self.late)

    @property
    def status(self) -> str:
        """The status of the check that has the fault."""
        return {"timeout": "timeout", "crashed": "crash", "crashed-later": "crash"}.get(self.code, "error")


class LateFault(NamedTuple):
    """A fault that was found only after its run had been answered: the number of the run, and the fault."""

    seq: int
    fault: ProtocolError
