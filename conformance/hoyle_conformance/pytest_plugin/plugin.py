"""The items of pytest, one for each check of the suite, and the hooks of a session that has them."""

import gc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol

import pytest

from hoyle_conformance.checks.cache.cached_suite import load_requests, open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import Claims
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol import process, sandbox
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError
from hoyle_conformance.pytest_plugin.conversation import AdapterOptions, AdapterSession
from hoyle_conformance.reports.failure import FailureContext, cause_lines, cause_view
from hoyle_conformance.reports.words import phrase, reason, stop_reason
from hoyle_conformance.runner.baseline import BaselineLine, lines_by_check, read_baseline
from hoyle_conformance.runner.group_failures import group_failures
from hoyle_conformance.runner.reference_adapter import start_command
from hoyle_conformance.runner.results import NEEDS_HELP, UNEXPECTED, Failure, FailureGroup, Result, Status
from hoyle_conformance.runner.select import NothingSelected, choose
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.processes import split_command
from hoyle_conformance.wording.text import cut, sanitize, sentence

# ---- the items


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


# ---- the session


_LONGEST = 86_400  # seconds
_NOTHING_PASSED = (
    "Hoyle: no check passed, so the baseline excuses nothing: fix the engine, or select checks that pass too."
)
_NOTHING = "Hoyle: every check was skipped, so nothing is known about this engine. Does it claim the rulesets it plays?"


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Pause garbage collection: the objects made meanwhile live until the end, and scanning them takes time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Session:
    """The hooks of a session, in which `command` starts the adapter.

    The checks that match one of `patterns` are items; without patterns, all checks are.
    """

    def __init__(self, config: pytest.Config, command: str, patterns: Sequence[str]) -> None:
        self._config, self._command, self._patterns = config, command, [each for each in patterns if each]
        self._collector: SuiteOfChecks | None = None
        #: The numbers of our items that passed, failed, failed as expected or were skipped, in the reporting process.
        self._became: Counter[str] = Counter()

    @cached_property
    def wanted(self) -> AdapterOptions:
        """The adapter and the checks; raise UsageError if the options are inconsistent."""
        try:
            with garbage_collection_paused():
                suite = open_suite(positions=False)  # faults of the selected checks are reported later
                if planner_of(suite).cache_key:
                    load_requests(suite)
                names = [each.id for each in choose(suite, self._patterns, self._rulesets)]
            by_name = bool(self._patterns or self._rulesets)
            return AdapterOptions(suite, self._words, self._timeout, names, by_name, self._known(suite), self._sandbox)
        except Invalid as invalid:
            raise pytest.UsageError(str(invalid)) from invalid
        except NothingSelected as nothing:
            raise pytest.UsageError(f"Hoyle: {nothing}") from nothing

    def pytest_report_header(self) -> str:
        """Return the suite and the command, for the report's header."""
        where = f", sandbox: {sandbox.NAME}" if self.wanted.sandbox else ""
        return f"hoyle: suite {self.wanted.suite.version} ({self.wanted.suite.digest[:8]}), {self._command}{where}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Report an invalid call once, before other processes share the items."""
        assert self.wanted

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the items of the suite after those of the files; they may be deselected like those."""
        collector = SuiteOfChecks.from_parent(session, name="hoyle", nodeid="hoyle")
        collector.wanted, self._collector = self.wanted, collector
        session.ihook.pytest_collectstart(collector=collector)
        collected = session.ihook.pytest_make_collect_report(collector=collector)
        vars(collected).pop("call", None)  # as in pytest: it cannot be sent from one process to another
        session.ihook.pytest_collectreport(report=collected)
        left_out = set(collector.not_its_own)
        for each in collected.result:
            session.ihook.pytest_itemcollected(item=each)
            if each not in left_out:
                items.append(each)
        if left_out:
            session.config.hook.pytest_deselected(items=collector.not_its_own)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Give the collector the remaining items."""
        if self._collector:
            self._collector.see(session.items)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """Give the collector the next item."""
        if self._collector:
            self._collector.following(item, nextitem)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the outcomes of our items."""
        if report.nodeid.startswith("hoyle::") and (report.when == "call" or report.failed):
            self._became["xfailed" if hasattr(report, "wasxfail") else report.outcome] += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Stop the adapter; if no check ran, or none passed, the session does not exit with code 0."""
        if self._collector:
            self._collector.close()
        if exitstatus == pytest.ExitCode.OK and self._all_skipped:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
        elif exitstatus == pytest.ExitCode.OK and self._nothing_passed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Print that no check ran, or that none passed."""
        if self._all_skipped:
            terminalreporter.write_line(_NOTHING, red=True)
        elif self._nothing_passed:
            terminalreporter.write_line(_NOTHING_PASSED, red=True)

    @property
    def _all_skipped(self) -> bool:
        return set(self._became) == {"skipped"}

    @property
    def _nothing_passed(self) -> bool:
        """Whether the baseline expected every failure, and no check passed."""
        return "xfailed" in self._became and self._became.keys() <= {"xfailed", "skipped"}

    @property
    def _rulesets(self) -> Sequence[str]:
        given: Sequence[str] = self._config.getoption("--hoyle-ruleset") or self._config.getini("hoyle_ruleset")
        return given

    @property
    def _words(self) -> tuple[str, ...]:
        """The command, word by word; raise UsageError if it cannot be split."""
        try:
            words = split_command(self._command)
        except ValueError as error:
            raise pytest.UsageError(f"--hoyle {self._command!r}: {str(error).lower()}.") from error
        if not words:
            raise pytest.UsageError("--hoyle needs a command, as in --hoyle 'python adapter.py'.")
        return words

    @property
    def _timeout(self) -> float:
        """The time limit in seconds; raise UsageError if it is invalid."""
        given = self._config.getoption("--hoyle-timeout") or self._config.getini("hoyle_timeout") or process.TIMEOUT
        try:
            seconds = float(given)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds <= _LONGEST:
            raise pytest.UsageError(f"--hoyle-timeout {given!r}: give a number of seconds, as in --hoyle-timeout 30.")
        return seconds

    @property
    def _sandbox(self) -> bool:
        """Whether the adapter runs in a sandbox; raise UsageError if this system cannot set one up."""
        wanted, value = self._config.getoption("--hoyle-sandbox"), self._config.getini("hoyle_sandbox") or "false"
        if value not in {"true", "false"}:
            raise pytest.UsageError(f"hoyle_sandbox = {value}: use true or false.")
        wanted = wanted or value == "true"
        if wanted and (problem := sandbox.problem()):
            raise pytest.UsageError(f"This system has no sandbox, so the adapter was not started; {problem}.")
        return bool(wanted)

    def _known(self, suite: Suite) -> Mapping[str, BaselineLine]:
        """Return the known failures, each with the line that names it; raise Invalid if their file is invalid."""
        given = self._config.getoption("--hoyle-baseline")
        files = [self._config.invocation_params.dir / given] if given else self._config.getini("hoyle_baseline")
        return lines_by_check([line for file in files for line in read_baseline(Path(file), suite)])
