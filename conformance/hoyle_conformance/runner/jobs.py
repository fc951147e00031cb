"""Workers: processes that share other work than checks; and jobs: processes that share the checks of a run.

Workers end with this process, however it ends.

The command itself is one of the jobs; each other job is a process with an adapter of its own. The jobs take turns in
the order of the checks and their results are read in that order, so timing changes neither the results nor their order.
"""

import gc
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import Claims
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError
from hoyle_conformance.runner.checker import Checker, Questions
from hoyle_conformance.runner.interrupts import INTERRUPTION
from hoyle_conformance.runner.reference_adapter import Log, Start
from hoyle_conformance.runner.results import Result
from hoyle_conformance.runner.run import AdapterRun, ChecksInFlight, HeldLog, WithGames
from hoyle_conformance.runner.select import is_game
from hoyle_conformance.suite.load import read_suite
from hoyle_conformance.suite.model import Check, Relabelling
from hoyle_conformance.suite.suite import JoinedRules, Suite
from hoyle_conformance.system import DENIED, reason_of
from hoyle_conformance.system.pipes import start_thread
from hoyle_conformance.system.processes import START_METHOD, ask_to_end, resume

# ---- workers


@contextmanager
def workers(number: int | None = None) -> Iterator[Executor]:
    """Yield this many processes, or one for each core. An interruption here also interrupts the processes."""
    processes = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        with INTERRUPTION.heeded():
            yield processes
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        processes.shutdown(cancel_futures=True)


def end_with_the_parent() -> None:
    """End this process as soon as its parent process has ended for any reason; raises OSError."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        start_thread(_end_after, parent.sentinel)


def _begin() -> None:
    end_with_the_parent()
    # A terminal sends SIGINT to every process of the command, and the first one reports it. A background command of a
    # script starts with SIGINT ignored, as POSIX requires, and so do its workers.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


# ---- jobs


#: A check by its number, its id and its relabelling; a game as it is.
_Named = tuple[int, str | Check, Relabelling]
_FIELDS: Final = tuple(field.name for field in fields(Result) if field.name != "check")


class Helper:
    """A process that runs its share of the checks: those of `selected` whose numbers are in `share`."""

    def __init__(
        self, suite: Suite, start: Start, log: Log, selected: Sequence[Check], share: range, before: Sequence["Helper"]
    ) -> None:
        context: Any = multiprocessing.get_context(START_METHOD)
        self.ours, theirs = context.Pipe()
        self._line, self._log, self._selected, self._left = _Line(self.ours), log, selected, len(share)
        self._suite = suite
        self._checker: Checker | None = None
        carried = _Carried(suite, [(number, selected[number - 1]) for number in share])
        not_theirs = [self.ours, *(each.ours for each in before)]
        arguments = (carried, start, _Line(theirs), not_theirs)
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def begin(self, info: AdapterInfo, questions: Questions, with_games: WithGames) -> None:
        """Start the work of the process: send it the adapter's introduction, the questions that replace unsupported
        checks, and what plays games."""
        self._checker = Checker(Claims(self._suite, info), questions)
        with suppress(ConnectionError):  # a process that has already ended is found when its results are read
            self._line.send((info, questions, with_games))

    def results(self) -> Iterator[Result]:
        """Yield the unread results of its share, in order, and pass on the lines of its log."""
        while (received := self._line.receive()) is not None:
            if isinstance(received, bytes):
                self._log(received)
            else:
                number, *values = received
                self._left -= 1
                check = self._selected[number - 1]
                questions = self._checker and self._checker.questions_of(check)
                yield Result(questions.check if questions else check, *values)

    def stop(self) -> None:
        """Ask the process to end if it has not finished its share."""
        if self._process.exitcode is None:
            if self._left:
                ask_to_end(self._process.pid)
            resume(self._process.pid)

    def end(self) -> None:
        """Wait until the process and its adapter have ended."""
        self.stop()
        for _ in self.results():
            pass  # results too late for the report, and the last lines of the log
        self._process.join()


def helpers(suite: Suite, start: Start, log: Log, selected: Sequence[Check], jobs: int) -> list[Helper]:
    """Start the processes for all of these jobs but the first, and return them."""
    gc.freeze()  # a garbage collection would make every process copy all objects
    started: list[Helper] = []
    for share in shares(len(selected), jobs)[1:]:
        started.append(Helper(suite, start, log, selected, share, started))
    return started


def shares(count: int, jobs: int) -> list[range]:
    """Return the numbers of the checks for each job; with fewer checks than jobs, each check has a job."""
    jobs = max(1, min(jobs, count))
    return [range(job, count + 1, jobs) for job in range(1, jobs + 1)]


class _Line:
    """One end of the connection between two jobs, unusable after an incomplete message."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._alive = connection, True

    def send(self, what: object) -> None:
        """Send an object, unless the connection is unusable."""
        if self._alive:
            self._alive = False  # until the whole message has been sent
            self._connection.send_bytes(pickle.dumps(what))  # the same as send(), but much faster
            self._alive = True

    def receive(self) -> Any:
        """Return the next object from the other end, or None if that has ended."""
        if self._alive:
            self._alive = False
            try:
                received = pickle.loads(self._connection.recv_bytes())  # noqa: S301 -- from a copy of this process
            except (EOFError, OSError):
                return None
            self._alive = True
            return received
        return None


@dataclass(frozen=True, slots=True)
class _Carried:
    """A suite, and checks of it by number, relabelled, on their way to another process.

    A copy of this process has them already; any other process loads the suite, from the cache if possible, and relabels
    its checks again.
    """

    suite: Suite
    numbered: Sequence[tuple[int, Check]]

    def __reduce__(self) -> tuple[Callable[..., "_Carried"], tuple[Path, JoinedRules | None, bool, list[_Named]]]:
        named = [(number, check if is_game(check) else check.id, check.turned) for number, check in self.numbered]
        return _load, (self.suite.root, self.suite.house, bool(planner_of(self.suite).cache_key), named)


def _load(root: Path, house: JoinedRules | None, is_cached: bool, named: Sequence[_Named]) -> _Carried:
    # The process that sends the suite has linted it.
    suite = open_suite(root, positions=False) if is_cached else read_suite(root)[0]
    suite = house.joined(suite) if house else suite
    relabeller, checks = Relabeller(suite), suite.index.checks
    return _Carried(
        suite,
        [
            (number, check if isinstance(check, Check) else relabeller.turned(checks[check], turn))
            for number, check, turn in named
        ],
    )


def _work(carried: _Carried, start: Start, line: _Line, not_ours: Sequence[Connection]) -> None:
    """Run a share of the checks; end when it is done, when asked to, or when the other end is closed. If the system
    denies an operation, end too: the first job then finds that results are missing."""
    for each in not_ours:  # if this process kept these open, nobody would notice that the other end is gone
        each.close()
    try:
        end_with_the_parent()
        INTERRUPTION.heed(only=signal.SIGTERM)  # the first job receives the others and ends the other jobs
        _do_share(carried, start, line)
    except (KeyboardInterrupt, ConnectionError):
        pass
    except DENIED as denied:
        sys.stderr.write(f"A process of Hoyle cannot continue: {reason_of(denied)}.\n")
    except Invalid as invalid:  # a schema is read only when it is first needed
        sys.stderr.write(f"A process of Hoyle cannot continue.\n{invalid}\n")


def _do_share(carried: _Carried, start: Start, line: _Line) -> None:
    """Start an adapter, run a share of the checks, and end the adapter; raises KeyboardInterrupt when asked to end."""
    log = HeldLog(line.send)
    adapter, own = start(carried.suite, log), None
    try:
        with INTERRUPTION.while_waiting():
            with suppress(ProtocolError):  # a fault is found when the adapter is sent something
                adapter.introduce()
            begun = line.receive()
            if begun is None:
                return
            info, questions, with_games = begun
            adapter.keep_to(info)
            checks = with_games(Checker(Claims(carried.suite, info, adapter.trusted), questions))
            own = AdapterRun(checks, ChecksInFlight(adapter, log))
            _send(line, own.results(carried.numbered))
    finally:
        with suppress(ConnectionError):
            if own:
                _send(line, own.remaining())
            adapter.close()
            log.write_all()


def _send(line: _Line, results: Iterable[tuple[int, Result]]) -> None:
    for number, result in results:
        line.send((number, *(getattr(result, field) for field in _FIELDS)))
