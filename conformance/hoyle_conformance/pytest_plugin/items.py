"""The items of pytest: one for each check, with the same text for a failure as in `hoyle check`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NoReturn, Protocol

import pytest

from hoyle_conformance.checks.request import Claims
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError
from hoyle_conformance.pytest_plugin.conversation import AdapterOptions, AdapterSession
from hoyle_conformance.reports.failure import FailureContext, cause_lines, cause_view
from hoyle_conformance.reports.words import phrase, reason, stop_reason
from hoyle_conformance.runner.group_failures import group_failures
from hoyle_conformance.runner.reference_adapter import start_command
from hoyle_conformance.runner.results import NEEDS_HELP, UNEXPECTED, Failure, FailureGroup, Result, Status
from hoyle_conformance.wording.text import cut, sanitize, sentence

_OUTPUT: Final = 1_000  # characters of an error output
_SHORT: Final = 160  # characters of text on one line


class TerminalWriter(Protocol):
    """The parts of pytest's terminal writer used here."""

    def line(self, s: str = "") -> None:
        """Write a line."""


@dataclass(frozen=True, slots=True)
class Crash:
    """The one line that pytest shows for a failure."""

    message: str


@dataclass(frozen=True, slots=True)
class FailureText:
    """A failure on one line, and in full."""

    short: str
    full: str

    @property
    def reprcrash(self) -> Crash:
        """The one line, under the name that pytest expects."""
        return Crash(self.short)

    def toterminal(self, writer: TerminalWriter) -> None:
        """Write the failure in full."""
        for line in self.full.split("\n"):
            writer.line(line)

    def __str__(self) -> str:
        return self.full


def text_of_failure(wanted: AdapterOptions, ready: AdapterInfo, result: Result) -> FailureText:
    """Return the cause of a check's failure, as `hoyle check` prints it."""
    context = FailureContext(wanted.suite, ready.name, ("hoyle", "check"), wanted.command, ready)
    (cause,) = group_failures(wanted.suite, [result]) or (
        FailureGroup(str(result.status), (Failure(result),), reason=reason(result)),
    )
    view = cause_view(context, cause)
    lines, example = [sentence(view.says), *cause_lines(view, {}, verbose=False)], view.example
    compared = f" (expected {example.expected}; observed {example.observed})" if example and example.expected else ""
    short = sanitize(f"{view.says}{compared}").replace("\n", " ")
    return FailureText(cut(short, _SHORT), "\n".join(lines).rstrip())


def text_of_fault(fault: ProtocolError, before: str = "Cannot communicate with the adapter: ") -> FailureText:
    """Return the text of a fault of the adapter as a whole."""
    lines = [sentence(f"{before}{fault.message}"), fault.remedy]
    if fault.stderr:
        lines.append(f"End of its error output:\n{fault.stderr[-_OUTPUT:]}")
    return FailureText(sanitize(lines[0]).replace("\n", " "), sanitize("\n".join(lines)))


class CheckFailed(Exception):
    """A result that differs from the expectation, with the `text` that pytest shows."""

    def __init__(self, text: FailureText) -> None:
        self.text = text
        super().__init__(text.short)


class SuiteOfChecks(pytest.Collector):
    """The selected checks of the suite, and the adapter for them."""

    wanted: AdapterOptions

    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self._introduced: tuple[Implementation, AdapterInfo] | None = None
        self._ending_reported = False
        self._left: Sequence[str] = ()
        self._next: dict[str, str] = {}
        #: The items of rulesets that the adapter does not claim, unless selected by name.
        self.not_its_own: list[OneCheck] = []

    def collect(self) -> Iterator["OneCheck"]:
        """Yield an item for each check; raise CheckFailed if the adapter sends no valid ready."""
        wanted = self.wanted
        implementation = start_command(
            wanted.command, wanted.timeout, wanted.suite, lambda _line: None, sandbox=wanted.sandbox
        )
        try:
            ready = implementation.introduce()
        except ProtocolError as fault:
            raise CheckFailed(text_of_fault(fault)) from fault
        self._introduced = implementation, ready
        headings = wanted.suite.index.headings
        own = set(filter(Claims(wanted.suite, ready).plays, wanted.suite.rules.names))
        for name in wanted.checks:
            item: OneCheck = OneCheck.from_parent(self, name=name)
            if not wanted.by_name and headings[name].ruleset not in own:
                self.not_its_own.append(item)
            yield item

    def see(self, items: Sequence[pytest.Item]) -> None:
        """Store the names of all items of the session, after deselection."""
        self._left = [item.name for item in items if isinstance(item, OneCheck)]

    def following(self, item: pytest.Item, then: pytest.Item | None) -> None:
        """Store the order of the items."""
        self._next.clear()
        if isinstance(item, OneCheck) and isinstance(then, OneCheck):
            self._next[item.name] = then.name

    @cached_property
    def _conversation(self) -> AdapterSession:
        """The conversation, started with the first check."""
        assert self._introduced, "what is collected has been introduced"
        return AdapterSession(self.wanted, *self._introduced, self._left)

    def result(self, name: str) -> Result:
        """Return the result of a check; skip it if no more checks run."""
        if stopped := self._conversation.stopped:
            pytest.skip(f"not run: {stop_reason(stopped)}")
        return self._conversation.result(name, self._next.get(name))

    def text_of_failure(self, result: Result) -> FailureText:
        """Return the text that pytest shows for a failed check."""
        return text_of_failure(self.wanted, self._conversation.ready, result)

    def close(self) -> None:
        """Stop the adapter, whatever it is doing."""
        if self._introduced:
            self._introduced[0].close()

    def ended_badly(self) -> FailureText | None:
        """Return the fault in the adapter's exit, if there is one, on the first call only."""
        ending = self._conversation.ending if "_conversation" in vars(self) else None
        if ending is None or ending.code == NEEDS_HELP or self._ending_reported:
            return None
        self._ending_reported = True
        return text_of_fault(ending, "At the end of the run, ")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], _style: Any = None) -> Any:
        """Return why the conversation with an adapter failed, as `hoyle check` prints it."""
        return excinfo.value.text if isinstance(excinfo.value, CheckFailed) else super().repr_failure(excinfo)


class OneCheck(pytest.Item):
    """A check as an item of pytest."""

    @property
    def _suite(self) -> SuiteOfChecks:
        assert isinstance(self.parent, SuiteOfChecks)
        return self.parent

    def runtest(self) -> None:
        """Send the check to the adapter; raise CheckFailed if the result is not as expected."""
        result = self._suite.result(self.name)
        match result.status:
            case Status.PASS:
                return
            case Status.EXPECTED_FAILURE:
                pytest.xfail(sanitize(self._suite.text_of_failure(replace(result, status=Status.FAIL)).short))
            case Status.UNSUPPORTED | Status.SKIPPED:
                self._not_done(result)
            case _:
                assert result.status in UNEXPECTED
                raise CheckFailed(self._suite.text_of_failure(result))

    def _not_done(self, result: Result) -> NoReturn:
        """Skip a check that is not claimed or a known failure; raise CheckFailed if it is claimed and declined."""
        if result.left_out and not result.known:
            why = phrase("pytest.declined", reason=reason(result) or phrase("result.no-reason"))
            remedy = phrase("pytest.declined.remedy", result=result)
            raise CheckFailed(self._suite.text_of_failure(replace(result, reason=why, remedy=remedy)))
        pytest.skip(sanitize(reason(result) or phrase("result.no-reason")))

    def teardown(self) -> None:
        """Fail if the adapter's exit after this check had a fault."""
        if text := self._suite.ended_badly():
            pytest.fail(str(text), pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return a failed check as `hoyle check` prints it, and anything else as pytest does."""
        if isinstance(excinfo.value, CheckFailed):
            return excinfo.value.text
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Return the place of the item for pytest's reports."""
        return self.path, None, f"hoyle {self.name}"  # pytest interprets dots in the id itself
