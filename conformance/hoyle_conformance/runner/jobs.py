"""Jobs: the checks of a run shared out among processes.

Of several jobs the command itself is one; each other is a process of its own, with an implementation of its own. Who
has which check is known beforehand: they take turns in the order of the checks, and in that order the results are read.
So a run gives the same results in the same order whatever takes how long.
"""

import gc
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapt import Putting
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.ask_questions import Questions, chosen
from hoyle_conformance.runner.execute import CheckRunner
from hoyle_conformance.runner.interleave import InTurn
from hoyle_conformance.runner.interrupts import INTERRUPTION
from hoyle_conformance.runner.late_faults import LateFaults
from hoyle_conformance.runner.results import Result
from hoyle_conformance.runner.start_adapter import Log, Start
from hoyle_conformance.runner.workers import end_with_the_parent
from hoyle_conformance.suite.load import read_suite
from hoyle_conformance.suite.model import Check, Relabelling
from hoyle_conformance.suite.suite import JoinedRules, Suite
from hoyle_reference.frozen import frozen

#: A copy of this process needs to load nothing; where copies are not safe, or not to be had, jobs start afresh.
_START_METHOD: Final = "spawn" if sys.platform in {"darwin", "win32"} else "fork"
#: A check by its number, its id, and how it is turned.
_Named = tuple[int, str, Relabelling]
_FIELDS: Final = tuple(field.name for field in fields(Result) if field.name != "check")


class Helper:
    """A process that does its share of a run: of the checks `selected`, those whose numbers are in `share`."""

    def __init__(
        self,
        suite: Suite,
        start: Start,
        log: Log,
        selected: Sequence[Check],
        share: range,
        before: Sequence["Helper"],
    ) -> None:
        context: Any = multiprocessing.get_context(_START_METHOD)
        self.ours, theirs = context.Pipe()
        self._line, self._log, self._selected, self._left = _Line(self.ours), log, selected, len(share)
        self._suite = suite
        self._questions = Questions()
        carried = _Carried(suite, [(number, selected[number - 1]) for number in share])
        not_theirs = [self.ours, *(each.ours for each in before)]
        arguments = (carried, start, _Line(theirs), not_theirs)
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def begin(self, ready: AdapterInfo, questions: Questions) -> None:
        """Let it begin, with what the implementation has said of itself, and the questions that it is asked."""
        self._ready, self._questions = ready, questions
        with suppress(ConnectionError):  # one that has ended already is found out when it is listened to
            self._line.say((ready, questions))

    def results(self) -> Iterator[Result]:
        """What became of each check of its share, in order, as far as it has not been read yet."""
        while (said := self._line.hear()) is not None:
            if isinstance(said, bytes):
                self._log(said)
            else:
                number, *became = said
                self._left -= 1
                yield Result(self._as_put(self._selected[number - 1]), *became)

    def _as_put(self, check: Check) -> Check:
        """A check as it was put: its questions alone, if it was these."""
        return chosen(self._suite, self._ready, check, self._questions).check if check.id in self._questions else check

    def stop(self) -> None:
        """Tell it to end, if it has not done its share."""
        if self._left:
            self._process.terminate()
        self._go_on()

    def _go_on(self) -> None:
        """Let it go on if it has been stopped: nothing that it is told reaches it before."""
        if sys.platform != "win32" and self._process.exitcode is None:
            os.kill(self._process.pid, signal.SIGCONT)

    def end(self) -> None:
        """Wait until it has ended, and its implementation too."""
        self.stop()
        for _ in self.results():
            pass  # what is done too late for the report, and the last lines for the log
        self._process.join()


def helpers(suite: Suite, start: Start, log: Log, selected: Sequence[Check], jobs: int) -> list[Helper]:
    """The processes that do, of so many jobs, all but the first."""
    gc.freeze()  # to look through all that is there for garbage would make every process copy it
    made: list[Helper] = []
    for share in shares(len(selected), jobs)[1:]:
        made.append(Helper(suite, start, log, selected, share, made))
    return made


def shares(count: int, jobs: int) -> list[range]:
    """The numbers of the checks that each job does; where there are fewer checks than jobs, each does one."""
    jobs = max(1, min(jobs, count))
    return [range(job, count + 1, jobs) for job in range(1, jobs + 1)]


class _Line:
    """One end of the line between two jobs; once something is cut short on it, it is dead."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._alive = connection, True

    def say(self, what: object) -> None:
        """Send something, if it can still be understood."""
        if self._alive:
            self._alive = False  # as long as not all of it is sent
            self._connection.send_bytes(pickle.dumps(what))  # as send does, in a fraction of its time
            self._alive = True

    def hear(self) -> Any:
        """What the other end says next; nothing where it has ended."""
        if self._alive:
            self._alive = False
            try:
                said = pickle.loads(self._connection.recv_bytes())  # noqa: S301 -- said by a copy of this process
            except (EOFError, OSError):
                return None
            self._alive = True
            return said
        return None


@frozen
class _Carried:
    """A suite, and checks of it by their numbers, as they are put, on their way to another process: a copy of this one
    has them, any other loads the suite, and turns its checks again."""

    suite: Suite
    numbered: Sequence[tuple[int, Check]]

    def __reduce__(self) -> tuple[Callable[..., "_Carried"], tuple[Path, JoinedRules | None, list[_Named]]]:
        named = [(number, check.id, check.turned) for number, check in self.numbered]
        return _load, (self.suite.root, self.suite.house, named)


def _load(root: Path, house: JoinedRules | None, named: Sequence[_Named]) -> _Carried:
    suite, _ = read_suite(root)  # whoever sends it has looked at it
    suite = house.joined(suite) if house else suite
    put = Relabeller(suite)
    return _Carried(suite, [(number, put.turned(suite.index.checks[name], turn)) for number, name, turn in named])


def _work(
    carried: _Carried,
    start: Start,
    line: _Line,
    not_ours: Sequence[Connection],
) -> None:
    """Do a share of the checks, and end when it is done, when told so, and when nobody listens any more."""
    for each in not_ours:  # as long as any process holds the other end, nobody is missed there
        each.close()
    end_with_the_parent()
    INTERRUPTION.heed(only=signal.SIGTERM)  # the others reach every job: the first sees to it that all of them end
    suite = carried.suite
    log = InTurn(line.say)
    implementation, own = start(suite, log), None
    try:
        with INTERRUPTION.while_waiting():
            with suppress(ProtocolError):  # whatever is wrong with it is found out when it is asked something
                implementation.introduce()
            begun = line.hear()
            if begun is None:
                return
            ready, questions = begun
            implementation.keep_to(ready)
            asking = CheckRunner(implementation, Putting(suite, ready), questions)
            own = LateFaults(implementation, asking.begin, log.given)
            _say(line, own.results(carried.numbered))
    except (KeyboardInterrupt, ConnectionError):
        pass
    finally:
        with suppress(ConnectionError):
            if own:
                _say(line, own.left())
            implementation.close()
            log.rest()


def _say(line: _Line, results: Iterable[tuple[int, Result]]) -> None:
    for number, became in results:
        line.say((number, *(getattr(became, field) for field in _FIELDS)))
