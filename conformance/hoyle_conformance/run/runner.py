"""Running: every selected check, one after the other, whatever the implementation does."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..protocol.faults import Fault
from ..protocol.implementations import Implementation
from ..protocol.messages import Ready
from ..suite.load import Suite
from ..suite.model import Check
from ..suite.plan import Plan, plan
from .judge import judge
from .record import Recorder
from .results import Result, Run, Status, against_baseline

#: After so many broken conversations in a row nothing better is to be expected.
GIVE_UP_AFTER: Final = 3


def run(
    suite: Suite,
    implementation: Implementation,
    selected: Sequence[Check],
    known_failures: frozenset[str] = frozenset(),
    recorder: Recorder | None = None,
) -> Run:
    """Hold an implementation against the checks; raises Fault where it cannot even be spoken to."""
    recorder = recorder or Recorder(suite, None)
    try:
        ready = implementation.introduce()
        recorder.begin(ready, implementation.command, len(selected))
        results: list[Result] = []
        gave_up = ""
        try:
            for result in _until_given_up(_results(suite, implementation, ready, selected)):
                results.append(against_baseline(result, known_failures))
                recorder.add(results[-1])
        except KeyboardInterrupt:
            gave_up = "interrupted"
        if len(results) < len(selected) and not gave_up:
            gave_up = f"gave up after {GIVE_UP_AFTER} broken conversations in a row"
        finished = Run(ready, implementation.command, selected, results, gave_up)
        recorder.end(finished)
        return finished
    finally:
        implementation.close()


def _until_given_up(results: Iterable[Result]) -> Iterator[Result]:
    broken = 0
    for result in results:
        yield result
        if result.ran:
            broken = broken + 1 if result.code else 0
        if broken == GIVE_UP_AFTER:
            return


def _results(suite: Suite, implementation: Implementation, ready: Ready, selected: Iterable[Check]) -> Iterator[Result]:
    for seq, check in enumerate(selected, start=1):
        prepared = plan(check, suite.rules(check.ruleset), suite.capabilities)
        lacking = _lacking(check, prepared, ready)
        if lacking:
            yield Result(check, Status.UNSUPPORTED, reason=lacking)
        else:
            yield _one(implementation, seq, check, _with_report(prepared, ready))


def _lacking(check: Check, prepared: Plan, ready: Ready) -> str:
    """What the implementation does not claim that this check needs; empty where it claims everything."""
    if check.ruleset not in ready.rulesets:
        return f"ruleset {check.ruleset}"
    return ", ".join(sorted(prepared.needs - ready.capabilities))


def _with_report(prepared: Plan, ready: Ready) -> Plan:
    if "report" not in ready.capabilities:
        return prepared
    body = {**prepared.body, "observe": sorted({*prepared.body["observe"], "position", "score"})}
    return Plan(body, prepared.ends, prepared.needs)


def _one(implementation: Implementation, seq: int, check: Check, prepared: Plan) -> Result:
    try:
        answer = implementation.run(seq, prepared.body)
    except Fault as fault:
        said = f"\nIts error output ends: {fault.stderr[-500:]}" if fault.stderr else ""
        return Result(check, Status(fault.status), code=fault.code, reason=fault.message + said, remedy=fault.remedy)
    if answer.kind != "observed":
        return Result(check, Status(answer.kind), reason=answer.reason)
    return judge(check, prepared, answer.steps, trusted=implementation.trusted)
