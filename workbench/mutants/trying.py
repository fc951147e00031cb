"""Trying mutants: the tests are run once as they are, to see which lines each of them reaches; then for each mutant
those that reach its line are run in a copy of the process in which its function has the change."""

import contextlib
import faulthandler
import functools
import gc
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TextIO

import coverage
import pytest
from _pytest.runner import runtestprotocol

from mutants.code_changes import SourceChange, changed_module, functions_in

HOOK: Final = Path(__file__).parent / "hook"
#: What a test may take longer than it did, and seconds beside that, before a mutant is held to hang.
_SLOWER, _BESIDE = 10, 20.0
#: A script that imports nothing of Hoyle: a test that starts it does not start the command.
_ALONE = "supervisor.py"
#: What became of a mutant.
NOTICED, SURVIVED, UNREACHED = "noticed", "survived", "reached by no test"


@dataclass
class Trying:
    """A plugin of pytest that tries mutants with the tests that were collected; `became` says what became of each."""

    mutants: Sequence[SourceChange]
    jobs: int
    told: TextIO
    became: dict[SourceChange, str] = field(default_factory=dict)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test as it is, and then try the mutants."""
        reached = Reached(sorted({str(each.path) for each in self.mutants}))
        for item in session.items:
            reached.run(item)
        tests = {mutant: reached.tests(mutant) for mutant in self.mutants}
        self._try(tests)
        return True

    def _try(self, tests: Mapping[SourceChange, Sequence[tuple[pytest.Item, float]]]) -> None:
        running: dict[int, SourceChange] = {}
        waiting = [mutant for mutant in self.mutants if tests[mutant]]
        self.became |= {mutant: UNREACHED for mutant in self.mutants if not tests[mutant]}
        while waiting or running:
            while waiting and len(running) < self.jobs:
                running[_begun(waiting[0], tests[waiting[0]])] = waiting[0]
                waiting.pop(0)
            child, status = os.wait()
            with contextlib.suppress(ProcessLookupError):  # what the child has left behind
                os.killpg(child, signal.SIGKILL)
            if mutant := running.pop(child, None):
                self.became[mutant] = NOTICED if status else SURVIVED
                self._tell(mutant)

    def _tell(self, mutant: SourceChange) -> None:
        done = f"{len(self.became)} of {len(self.mutants)}"
        if self.became[mutant] == SURVIVED:
            print(f"{done}: {mutant.name}", file=self.told, flush=True)
        elif len(self.became) % 50 == 0:
            print(done, file=self.told, flush=True)


class Reached:
    """Which lines of some modules each test reaches, which tests start the command, or a copy of this process, as a
    process of its own, and how many seconds each takes."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._coverage = coverage.Coverage(data_file=None, include=list(paths), config_file=False)
        self._took: dict[pytest.Item, float] = {}
        self._whole: list[pytest.Item] = []
        self._now: pytest.Item | None = None
        sys.addaudithook(self._heard)

    def run(self, item: pytest.Item) -> None:
        """Run a test as it is; raises `pytest.exit.Exception` if it fails."""
        self._now, began = item, time.monotonic()
        self._coverage.start()
        self._coverage.switch_context(item.nodeid)
        reports = _reports(item)
        self._coverage.stop()
        self._took[item], self._now = time.monotonic() - began, None
        for report in reports:
            if report.failed:
                pytest.exit(f"{item.nodeid} fails as it is:\n{report.longreprtext}", returncode=1)

    def tests(self, mutant: SourceChange) -> list[tuple[pytest.Item, float]]:
        """The tests that reach the line of a mutant, the quickest first; then those that start a process."""
        lines = self._contexts(str(mutant.path))
        names = {name for line in range(mutant.line, mutant.last_line + 1) for name in lines.get(line, ())}
        here = sorted((each for each in self._took if each.nodeid in names), key=self._took.__getitem__)
        beside = sorted((each for each in self._whole if each.nodeid not in names), key=self._took.__getitem__)
        return [(each, self._took[each]) for each in (*here, *beside)]

    @functools.cache  # noqa: B019 -- there is one, for as long as the process lasts
    def _contexts(self, path: str) -> Mapping[int, Sequence[str]]:
        found: dict[int, list[str]] = self._coverage.get_data().contexts_by_lineno(path)
        return found

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if self._now is None or self._now in self._whole:
            return
        if event == "os.fork":  # what the copy of the process reaches is not seen here
            self._whole.append(self._now)
        if event != "subprocess.Popen":
            return
        words = args[1] if isinstance(args[1], (list, tuple)) else [args[1]]
        here = str(Path(__file__).parents[2])
        ours = [os.fsdecode(word).replace(here, "") for word in words]
        if any("hoyle" in word and not word.endswith(_ALONE) for word in ours):
            self._whole.append(self._now)


def _reports(item: pytest.Item) -> list[pytest.TestReport]:
    """What becomes of a test; only what the whole session has set up is still there after it."""
    return runtestprotocol(item, log=False, nextitem=item.session)  # type: ignore[arg-type] # a node will do


def _begun(mutant: SourceChange, tests: Sequence[tuple[pytest.Item, float]]) -> int:
    """The number of a copy of this process that runs the tests until one fails or hangs, and then ends with 1."""
    child = os.fork()
    if child:
        return child
    ends = 1
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os.environ["HOYLE_MUTANT"] = f"{mutant.path}:{mutant.number}"
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HOOK), os.environ.get("PYTHONPATH"))))
        _change(mutant)
        ends = int(any(_fails(*test) for test in tests))
    finally:
        os._exit(ends)


def _fails(item: pytest.Item, took: float) -> bool:
    faulthandler.dump_traceback_later(_BESIDE + _SLOWER * took, exit=True)
    return any(report.failed for report in _reports(item))


def _change(mutant: SourceChange) -> None:
    """Give the function of a mutant its change, and forget what functions have remembered."""
    path = str(mutant.path)
    gc.unfreeze()  # a run with several jobs freezes what there is, and what is frozen is not listed
    changed = changed_module(mutant.path, mutant.number)
    code = dict(functions_in(compile(changed, path, "exec", dont_inherit=True)))
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename == path:
            now = each.__code__
            each.__code__ = code.get((now.co_qualname, now.co_firstlineno), now)
        elif isinstance(each, functools._lru_cache_wrapper) and "hoyle" in str(getattr(each, "__module__", "")):
            each.cache_clear()
