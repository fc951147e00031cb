"""The hooks of a pytest session in which the checks of the suite are items."""

import gc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import pytest

from hoyle_conformance.checks.cache.cached_suite import load_requests, open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol import process, sandbox
from hoyle_conformance.pytest_plugin.conversation import AdapterOptions
from hoyle_conformance.pytest_plugin.items import SuiteOfChecks
from hoyle_conformance.runner.baseline import BaselineLine, lines_by_check, read_baseline
from hoyle_conformance.runner.select import NothingSelected, choose
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.processes import split_command

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
