"""What is told of a failure, as pytest shows it."""

from typing import Protocol

from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.pytest_plugin.conversation import AdapterOptions
from hoyle_conformance.reports import causes as in_words
from hoyle_conformance.reports.failure import Telling
from hoyle_conformance.reports.failure import told as in_detail
from hoyle_conformance.runner.group_failures import causes
from hoyle_conformance.runner.results import Failure, FailureGroup, Result
from hoyle_conformance.wording.text import harmless, sentence
from hoyle_reference.frozen import frozen

_OUTPUT = 1_000  # characters of an error output
_SHORT = 160  # of what stands on one line


class Paper(Protocol):
    """What pytest lets one write on."""

    def line(self, s: str = "") -> None:
        """Write a line."""


@frozen
class Crash:
    """What pytest shows of a failure on one line."""

    message: str


@frozen
class FailureText:
    """A failure in a few words, and in full."""

    short: str
    full: str

    @property
    def reprcrash(self) -> Crash:
        """The few words, where pytest looks for them."""
        return Crash(self.short)

    def toterminal(self, paper: Paper) -> None:
        """Write it in full."""
        for line in self.full.split("\n"):
            paper.line(line)

    def __str__(self) -> str:
        return self.full


def told(wanted: AdapterOptions, ready: AdapterInfo, result: Result) -> FailureText:
    """What went wrong in a check."""
    telling = Telling(wanted.suite, ready.name, ("hoyle", "check"), wanted.command, ready)
    found = causes(wanted.suite, [result]) or (
        FailureGroup(str(result.status), (Failure(result),), reason=result.reason),
    )
    lines = []
    for cause in found:
        numbers = {each.id: at for at, each in enumerate(found, start=1)}
        lines += [sentence(in_words.wrong(cause)), *in_words.in_full(telling, cause, numbers, verbose=False), ""]
    return FailureText(_short(telling, found[0]), "\n".join(lines).rstrip())


def told_of(fault: ProtocolError, before: str = "The adapter cannot be spoken to: ") -> FailureText:
    """What went wrong with the adapter as a whole."""
    lines = [sentence(f"{before}{fault.message}"), fault.remedy]
    if fault.stderr:
        lines.append(f"Its error output ends:\n{fault.stderr[-_OUTPUT:]}")
    return FailureText(harmless(lines[0]).replace("\n", " "), harmless("\n".join(lines)))


def _short(telling: Telling, cause: FailureGroup) -> str:
    """What went wrong, and what was expected and observed, on one line."""
    made = in_detail(telling, cause.example, cause.cell)
    compared = f" (expected {made.expected}; observed {made.observed})" if made.expected else ""
    said = harmless(f"{in_words.wrong(cause)}{compared}").replace("\n", " ")
    return said if len(said) <= _SHORT else f"{said[: _SHORT - 1]}…"
