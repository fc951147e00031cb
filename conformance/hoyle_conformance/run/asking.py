"""Asking: a check put to an implementation, and what becomes of it."""

from dataclasses import dataclass, replace

from hoyle_reference.rules import Rules
from hoyle_reference.table.table import FIELDS

from ..model import Check
from ..positions.prepared import IRREGULARITIES, Incomplete, Plan, observing
from ..protocol.faults import Fault
from ..protocol.implementations import Implementation
from ..protocol.messages import Ready
from ..suite.value import Suite
from .agreed import Agreed
from .judge import judge
from .results import Result, Status


@dataclass(frozen=True, slots=True)
class Asking:
    """An implementation that is asked the checks of a suite, and what it has said of itself."""

    suite: Suite
    implementation: Implementation
    ready: Ready

    def result(self, number: int, check: Check) -> Result:
        """What becomes of a check, whatever the implementation does; its number is that of the message."""
        try:
            return self._result(number, *self._as_claimed(check, self.suite.plan(check)))
        except Incomplete as error:
            return Result(check, Status.ERROR, reason=error.message, remedy=error.remedy)

    def _as_claimed(self, check: Check, prepared: Plan) -> tuple[Check, Plan]:
        """A check as it is put to this implementation: the other way round, if it carries out nothing irregular."""
        if IRREGULARITIES not in prepared.needs or IRREGULARITIES in self.ready.capabilities:
            return check, prepared
        from .refusing import refusing  # most implementations need it for nothing

        return refusing(self.suite.capabilities, check, prepared) or (check, prepared)

    def _result(self, number: int, check: Check, prepared: Plan) -> Result:
        lacking = self._lacking(check, prepared)
        if lacking:
            return Result(check, Status.UNSUPPORTED, reason=f"not claimed: {', '.join(lacking)}", lacks=lacking)
        if self.implementation.trusted:
            return self.answered(number, check, prepared)
        asked = for_all_that_is_claimed(self.suite, check, prepared, self.ready.capabilities)
        agreed = Agreed(self.suite, check, asked, deals="deal" in self.ready.capabilities)
        return self.answered(number, check, asked, agreed)

    def _lacking(self, check: Check, prepared: Plan) -> tuple[str, ...]:
        """What the implementation does not claim that this check needs; nothing where it claims everything."""
        if check.ruleset not in self.ready.rulesets:
            return (f"ruleset {check.ruleset}",)
        return tuple(sorted(prepared.needs - self.ready.capabilities))

    def answered(self, number: int, check: Check, prepared: Plan, agreed: Agreed | None = None) -> Result:
        """What the implementation answers, judged."""
        try:
            answer = self.implementation.run(number, prepared.message)
        except Fault as fault:
            said = f"\nIts error output ends: {fault.stderr[-500:]}" if fault.stderr else ""
            reason = fault.message + said
            return Result(check, Status(fault.status), code=fault.code, reason=reason, remedy=fault.remedy)
        if answer.kind != "observed":
            return Result(check, Status(answer.kind), reason=answer.reason)
        return judge(check, prepared, answer.steps, trusted=self.implementation.trusted, agreed=agreed)


def ask(suite: Suite, implementation: Implementation, ready: Ready, number: int, check: Check) -> Result:
    """What becomes of a check that is put to an implementation which has said this of itself."""
    return Asking(suite, implementation, ready).result(number, check)


def for_all_that_is_claimed(suite: Suite, check: Check, prepared: Plan, capabilities: frozenset[str]) -> Plan:
    """A plan that asks to observe whatever an implementation claims, as far as the game has it."""
    claimed = suite.capabilities.observed_by(capabilities)
    if "report" in capabilities:
        claimed |= {"position", "score"}
    observe = {*prepared.message["observe"], *(claimed - _not_in_the_game(suite.rules(check.ruleset)))}
    return replace(prepared, message=observing(prepared.message, sorted(observe)))


def _not_in_the_game(rules: Rules) -> frozenset[str]:
    """The fields that a position of this game does not hold."""
    return frozenset(field.name for field in FIELDS if field not in rules.fields)
