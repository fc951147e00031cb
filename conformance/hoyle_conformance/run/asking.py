"""Asking: a check put to an implementation, and what becomes of it."""

from dataclasses import dataclass, replace

from hoyle_reference.rules import Rules
from hoyle_reference.table.table import FIELDS

from ..asked.asked import Asked, Lacking
from ..asked.putting import put
from ..model import Check
from ..positions.prepared import LEGAL_ACTS, Incomplete, Plan, observing
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
            asked = put(self.suite, self.ready, check)
        except Incomplete as error:
            return Result(check, Status.ERROR, reason=error.message, remedy=error.remedy)
        if isinstance(asked, Lacking):
            reason = f"not claimed: {', '.join(asked.words)}"
            return Result(check, Status.UNSUPPORTED, reason=reason, lacks=asked.words)
        return replace(self._result(number, asked), partly=asked.partly)

    def _result(self, number: int, asked: Asked) -> Result:
        if self.implementation.trusted:
            return self.answered(number, asked.check, asked.plan)
        plan = for_all_that_is_claimed(self.suite, asked.check, asked.plan, self.ready.claims)
        agreed = Agreed(self.suite, asked.check, plan, deals="deal" in self.ready.claims)
        return self.answered(number, asked.check, plan, agreed)

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


def for_all_that_is_claimed(suite: Suite, check: Check, prepared: Plan, claims: frozenset[str]) -> Plan:
    """A plan that asks to observe whatever an implementation claims, as far as the game has it; but in whole games
    alone how many acts are open."""
    claimed = (claims & suite.capabilities.observables) - {LEGAL_ACTS}
    observe = {*prepared.message["observe"], *(claimed - _not_in_the_game(suite.rules(check.ruleset)))}
    return replace(prepared, message=observing(prepared.message, sorted(observe)))


def _not_in_the_game(rules: Rules) -> frozenset[str]:
    """The fields that a position of this game does not hold."""
    return frozenset(field.name for field in FIELDS if field not in rules.fields)
