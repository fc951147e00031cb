"""Running: every selected check, one after the other, whatever the implementation does."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ..model import Check
from ..positions.plan import Plan
from ..protocol.faults import Fault
from ..protocol.implementations import Implementation
from ..protocol.messages import Ready
from ..suite.value import Suite
from .judge import judge
from .record import Recorder
from .results import Result, Run, Status, against_baseline

#: After so many broken conversations in a row nothing better is to be expected.
GIVE_UP_AFTER: Final = 3
_GAVE_UP: Final = f"gave up after {GIVE_UP_AFTER} broken conversations in a row"


def run(
    suite: Suite,
    implementation: Implementation,
    selected: Sequence[Check],
    known_failures: frozenset[str] = frozenset(),
    recorder: Recorder | None = None,
) -> Run:
    """Hold an implementation against the checks; raises Fault where it cannot even be spoken to."""
    recorder = recorder or Recorder(suite)
    try:
        ready = implementation.introduce()
        recorder.begin(ready, implementation.command, len(selected))
        results: list[Result] = []
        interrupted = False
        try:
            for result in _until_given_up(_results(suite, implementation, ready, selected), known_failures):
                results.append(result)
                recorder.add(result)
        except KeyboardInterrupt:
            interrupted = True
        gave_up = "" if interrupted or len(results) == len(selected) else _GAVE_UP
        finished = Run(ready, implementation.command, selected, results, gave_up, interrupted)
        recorder.end(finished)
        return finished
    finally:
        implementation.close()


def _until_given_up(results: Iterable[Result], known_failures: frozenset[str]) -> Iterator[Result]:
    """The results, in the light of the failures that are known, until too many conversations in a row have broken."""
    broken = 0
    for each in results:
        result = against_baseline(each, known_failures)
        yield result
        if result.broke:
            broken += 1
        elif result.ran and not result.known:
            broken = 0
        if broken == GIVE_UP_AFTER:
            return


def _results(suite: Suite, implementation: Implementation, ready: Ready, selected: Iterable[Check]) -> Iterator[Result]:
    for seq, check in enumerate(selected, start=1):
        prepared = suite.plan(check)
        lacking = _lacking(check, prepared, ready)
        if lacking:
            yield Result(check, Status.UNSUPPORTED, reason=f"not claimed: {', '.join(lacking)}", lacks=lacking)
        else:
            yield _one(implementation, seq, check, _with_report(prepared, ready))


def _lacking(check: Check, prepared: Plan, ready: Ready) -> tuple[str, ...]:
    """What the implementation does not claim that this check needs; nothing where it claims everything."""
    if check.ruleset not in ready.rulesets:
        return (f"ruleset {check.ruleset}",)
    return tuple(sorted(prepared.needs - ready.capabilities))


def _with_report(prepared: Plan, ready: Ready) -> Plan:
    if "report" not in ready.capabilities:
        return prepared
    message = {**prepared.message, "observe": sorted({*prepared.message["observe"], "position", "score"})}
    return replace(prepared, message=message)


def _one(implementation: Implementation, seq: int, check: Check, prepared: Plan) -> Result:
    try:
        answer = implementation.run(seq, prepared.message)
    except Fault as fault:
        said = f"\nIts error output ends: {fault.stderr[-500:]}" if fault.stderr else ""
        return Result(check, Status(fault.status), code=fault.code, reason=fault.message + said, remedy=fault.remedy)
    if answer.kind != "observed":
        return Result(check, Status(answer.kind), reason=answer.reason)
    return judge(check, prepared, answer.steps, trusted=implementation.trusted)
