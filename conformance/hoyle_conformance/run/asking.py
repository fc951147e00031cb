"""Asking: a check put to an implementation, and what becomes of it."""

from collections.abc import Mapping
from dataclasses import field, replace
from time import perf_counter_ns
from typing import Any, Final

from hoyle_reference.frozen import frozen
from hoyle_reference.rules import Rules
from hoyle_reference.table.table import FIELDS

from ..asked.asked import Asked, Lacking
from ..asked.later import AT_ONCE, never_booked, says_nothing_else
from ..asked.putting import BY_ITSELF, LATER, Putting
from ..model import Check
from ..positions.prepared import LEGAL_ACTS, Incomplete, Plan, observing, under_the_name
from ..protocol.faults import Fault
from ..protocol.implementations import Implementation
from ..protocol.messages import Answer, Ready
from ..suite.value import Suite
from .agreed import Agreed
from .guarding import guarded
from .hindsight import of_fault
from .judge import judge
from .laid import Judged, Observed, judged_as_laid
from .questioning import chosen
from .results import Result, Status

#: Which questions of a check are asked, by the ids of checks.
Questions = Mapping[str, tuple[int, ...]]

#: What one claims that begins deals of its own, and knows what there is between two of them.
DEAL: Final = "deal"
_OF_ANY_GAME: Final = frozenset(field.name for field in FIELDS)
_IN_A_MILLISECOND: Final = 1_000_000  # nanoseconds


@frozen
class Asking:
    """An implementation that is asked the checks of a suite, how they are put to it, and which questions it is asked of
    those that cannot be, by their ids."""

    implementation: Implementation
    putting: Putting
    questions: Questions = field(default_factory=dict)

    @property
    def suite(self) -> Suite:
        """The suite that the checks are of."""
        return self.putting.suite

    @property
    def ready(self) -> Ready:
        """What the implementation has said of itself."""
        return self.putting.ready

    def result(self, number: int, check: Check) -> Result:
        """What becomes of a check, whatever the implementation does; its number is that of the message."""
        return guarded(check, lambda: self._put(number, check))

    def _put(self, number: int, check: Check) -> Result:
        try:
            asked = self.putting(check)
        except Incomplete as error:
            return Result(check, Status.ERROR, reason=error.message, remedy=error.remedy)
        if isinstance(asked, Lacking) and check.id in self.questions:
            questions = chosen(self.suite, self.ready, check, self.questions[check.id])
            return replace(self._result(number, questions), partly=asked.words)
        if isinstance(asked, Lacking):
            reason = f"not claimed: {', '.join(asked.words)}"
            return Result(check, Status.UNSUPPORTED, reason=reason, lacks=asked.words)
        became = self._result(number, asked)
        if became.check is check and not asked.partly:
            return became
        return replace(became, check=check, partly=(*asked.partly, *became.partly))

    def _result(self, number: int, asked: Asked) -> Result:
        if self.implementation.trusted:
            return self.answered(number, asked, self._as_expected)
        plan = for_all_that_is_claimed(self.suite, asked.check, asked.plan, self.ready.claims)
        return self.answered(number, replace(asked, plan=plan), self._in_its_way)

    def _message(self, check: Check, plan: Plan) -> Mapping[str, Any]:
        """What is sent: of house rules that are not claimed by their own name, in that of the ruleset they extend."""
        if check.ruleset in self.ready.rulesets:
            return plan.message
        return under_the_name(plan.message, self.suite.known_as(check.ruleset)[1])

    def answered(self, number: int, asked: Asked, judged: Judged) -> Result:
        """What becomes of a check by the answer of the implementation, judged like this."""
        message = self._message(asked.check, asked.plan)
        began = perf_counter_ns()
        answer = self._answer(number, message)
        took = (perf_counter_ns() - began) // _IN_A_MILLISECOND
        became = _became(asked, answer, judged)
        return replace(became, milliseconds=took) if took else became

    def _answer(self, number: int, message: Mapping[str, Any]) -> Answer | Fault:
        try:
            return self.implementation.run(number, message)
        except Fault as fault:
            return fault

    def _as_expected(self, asked: Asked, observed: Observed) -> Result:
        """What was observed, held against the expectations, and reasons with it."""
        return judge(asked.check, asked.plan, observed, trusted=True)

    def _as_agreed(self, asked: Asked, observed: Observed) -> Result:
        """The same without reasons, and whatever else was reported held against what all readings agree on."""
        agreed = Agreed(self.suite, asked.check, asked.plan, deals=DEAL in self.ready.claims)
        return judge(asked.check, asked.plan, observed, trusted=False, agreed=agreed)

    def _in_its_way(self, asked: Asked, observed: Observed) -> Result:
        """Likewise, of an implementation that chooses what it declares, or books points later."""
        if self.ready.declares == BY_ITSELF:
            return judged_as_laid(self.suite, asked, observed, self._as_agreed)
        became = self._as_agreed(asked, observed)
        if self.ready.score != LATER or became.status is not Status.PASS or not never_booked(asked, observed):
            return became
        if says_nothing_else(asked):
            reason = f"not claimed: {AT_ONCE}"
            return Result(asked.check, Status.UNSUPPORTED, reason=reason, lacks=(AT_ONCE,))
        return replace(became, partly=(AT_ONCE,))


def _became(asked: Asked, answer: Answer | Fault, judged: Judged) -> Result:
    """What becomes of a check by an answer, or by what went wrong instead."""
    check = asked.check
    if isinstance(answer, Fault):
        return of_fault(check, answer)
    if answer.kind != "observed":
        return Result(check, Status(answer.kind), reason=answer.reason)
    return guarded(check, lambda: judged(asked, answer.steps))


def for_all_that_is_claimed(suite: Suite, check: Check, prepared: Plan, claims: frozenset[str]) -> Plan:
    """A plan that asks to observe whatever an implementation claims, as far as the game has it; but in whole games
    alone how many acts are open."""
    claimed = (claims & suite.capabilities.observables) - {LEGAL_ACTS}
    observe = {*prepared.message["observe"], *(claimed - _not_in_the_game(suite.rules(check.ruleset)))}
    return replace(prepared, message=observing(prepared.message, sorted(observe)))


def _not_in_the_game(rules: Rules) -> frozenset[str]:
    """The fields that a position of this game does not hold."""
    return _OF_ANY_GAME.difference(field.name for field in rules.fields)
