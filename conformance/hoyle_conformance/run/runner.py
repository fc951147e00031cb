"""Running: every selected check, whatever the implementation does, and the results in the order of the checks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from ..asked.putting import Putting
from ..model import Check
from ..protocol.implementations import Implementation
from ..protocol.messages import Ready
from ..suite.value import Suite
from .asking import Asking
from .interrupting import INTERRUPTION
from .one_reading import Readings
from .questioning import new_questions
from .record import Recorder
from .results import FAILED, Cause, Result, Run, against_baseline

if TYPE_CHECKING:
    from .jobs import Helper

#: Puts a check to an implementation, by the number of the message, and says what becomes of it.
Ask = Callable[[Suite, Implementation, Ready, int, Check], Result]
#: After so many broken conversations in a row nothing better is to be expected.
GIVE_UP_AFTER: Final = 3
_GAVE_UP: Final = f"gave up after {GIVE_UP_AFTER} broken conversations in a row"


def run(
    suite: Suite,
    implementation: Implementation,
    selected: Sequence[Check],
    known_failures: frozenset[str] = frozenset(),
    recorder: Recorder | None = None,
    helpers: Sequence["Helper"] = (),
    ask: Ask | None = None,
) -> Run:
    """Hold an implementation against the checks, with the help of other processes if there are any, each put to it as
    it claims, or by `ask`; raises Fault where it cannot even be spoken to."""
    recorder = recorder or Recorder(suite)
    numbered = list(enumerate(selected, start=1))
    done: list[Result] = []
    readings = Readings(suite)

    def take(became: Result) -> None:
        done.append(became)
        recorder.add(became)

    try:
        with INTERRUPTION.while_waiting():
            ready = implementation.introduce()
        recorder.begin(ready, implementation.command, len(selected))
        putting = Putting(suite, ready)
        questions = {} if ask or implementation.trusted else new_questions(suite, ready, selected, putting)
        asking = Asking(suite, implementation, ready, questions, putting)
        put = partial(ask, suite, implementation, ready) if ask else asking.result
        own = (put(*each) for each in numbered[:: len(helpers) + 1])
        interrupted = False
        try:
            for helper in helpers:
                helper.begin(ready, questions)
            for each in _until_given_up(map(readings.take, _in_turn(own, helpers, len(selected))), known_failures):
                take(each)
        except KeyboardInterrupt:
            interrupted = True
            for each in _measured_meanwhile(helpers, selected):
                take(against_baseline(readings.take(each), known_failures))
        gave_up = "" if interrupted or len(done) == len(selected) else _GAVE_UP
        followed, failed = readings.followed(), _causes(suite, done)
        finished = Run(ready, implementation.command, selected, done, gave_up, interrupted, followed, failed)
        recorder.end(finished)
        return finished
    finally:
        for helper in helpers:
            helper.stop()
        implementation.close()
        for helper in helpers:
            helper.end()


def _causes(suite: Suite, results: Sequence[Result]) -> Sequence[Cause]:
    if all(each.status not in FAILED for each in results):
        return ()
    from .causes import causes  # most runs have nothing that must be told apart

    return causes(suite, results)


def _in_turn(own: Iterator[Result], helpers: Sequence["Helper"], count: int) -> Iterator[Result]:
    """So many results, in the order of the checks: one of each process, again and again."""
    shares = [own, *(helper.results() for helper in helpers)]
    for number in range(count):
        with INTERRUPTION.while_waiting():
            became = next(shares[number % len(shares)], None)
        if became is None:
            raise RuntimeError("a process has ended before it had done its share of the checks")
        yield became


def _measured_meanwhile(helpers: Sequence["Helper"], selected: Sequence[Check]) -> list[Result]:
    """The results that the other processes have beyond the one that was waited for when the run was interrupted."""
    for helper in helpers:
        helper.stop()
    place = {check.id: number for number, check in enumerate(selected)}
    return sorted(chain(*(helper.results() for helper in helpers)), key=lambda each: place[each.check.id])


def _until_given_up(results: Iterable[Result], known_failures: frozenset[str]) -> Iterator[Result]:
    """The results, in the light of the failures that are known, until too many conversations in a row have broken.

    In a row means in the order of the checks, so that it does not matter how many processes there are.
    """
    broken = 0
    for each in results:
        seen = against_baseline(each, known_failures)
        yield seen
        if seen.broke:
            broken += 1
        elif seen.ran and not seen.known:
            broken = 0
        if broken == GIVE_UP_AFTER:
            return
