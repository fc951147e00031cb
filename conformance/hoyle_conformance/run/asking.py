"""Asking: a check put to an implementation, and what becomes of it."""

from dataclasses import replace

from ..model import Check
from ..positions.prepared import IRREGULARITIES, Incomplete, Plan
from ..protocol.faults import Fault
from ..protocol.implementations import Implementation
from ..protocol.messages import Ready
from ..suite.value import Suite
from .judge import judge
from .results import Result, Status


def result(suite: Suite, implementation: Implementation, ready: Ready, number: int, check: Check) -> Result:
    """What becomes of a check, whatever the implementation does; its number is that of the message."""
    try:
        check_and_plan = _as_claimed(suite, check, suite.plan(check), ready)
        return _result(implementation, number, *check_and_plan, ready)
    except Incomplete as error:
        return Result(check, Status.ERROR, reason=error.message, remedy=error.remedy)


def _result(implementation: Implementation, number: int, check: Check, prepared: Plan, ready: Ready) -> Result:
    lacking = _lacking(check, prepared, ready)
    if lacking:
        return Result(check, Status.UNSUPPORTED, reason=f"not claimed: {', '.join(lacking)}", lacks=lacking)
    return _one(implementation, number, check, _with_report(prepared, ready))


def _as_claimed(suite: Suite, check: Check, prepared: Plan, ready: Ready) -> tuple[Check, Plan]:
    """A check as it is put to this implementation: the other way round, if it carries out nothing irregular."""
    if IRREGULARITIES not in prepared.needs or IRREGULARITIES in ready.capabilities:
        return check, prepared
    from .refusing import refusing  # most implementations need it for nothing

    return refusing(suite.capabilities, check, prepared) or (check, prepared)


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


def _one(implementation: Implementation, number: int, check: Check, prepared: Plan) -> Result:
    try:
        answer = implementation.run(number, prepared.message)
    except Fault as fault:
        said = f"\nIts error output ends: {fault.stderr[-500:]}" if fault.stderr else ""
        return Result(check, Status(fault.status), code=fault.code, reason=fault.message + said, remedy=fault.remedy)
    if answer.kind != "observed":
        return Result(check, Status(answer.kind), reason=answer.reason)
    return judge(check, prepared, answer.steps, trusted=implementation.trusted)
