"""Asking: a check put to an implementation, and what becomes of it."""

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapt import BY_ITSELF, LATER, Putting
from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported
from hoyle_conformance.checks.adapt.booking_mode import AT_ONCE, never_booked, says_nothing_else
from hoyle_conformance.checks.request import CannotSetUp, RunRequest, observing, under_the_name
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.ask_questions import Questions, chosen
from hoyle_conformance.runner.consensus import Consensus
from hoyle_conformance.runner.guard import guarded
from hoyle_conformance.runner.in_flight import Came, Pending, Sent, Settled
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.own_declarations import Judged, Observed, judged_as_laid
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.capabilities import LEGAL_ACTS
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.frozen import frozen
from hoyle_reference.rules import Rules
from hoyle_reference.table.table import FIELDS

#: What one claims that begins deals of its own, and knows what there is between two of them.
DEAL: Final = "deal"
_OF_ANY_GAME: Final = frozenset(field.name for field in FIELDS)


def _as_it_is(became: Result) -> Result:
    return became


@frozen
class CheckRunner:
    """An implementation that is asked the checks of a suite, how they are put to it, and which questions it is asked of
    those that cannot be, by their ids."""

    implementation: Implementation
    putting: Putting
    questions: Questions = field(default_factory=Questions)

    @property
    def suite(self) -> Suite:
        """The suite that the checks are of."""
        return self.putting.suite

    @property
    def ready(self) -> AdapterInfo:
        """What the implementation has said of itself."""
        return self.putting.ready

    def result(self, number: int, check: Check) -> Result:
        """What becomes of a check, whatever the implementation does; its number is that of the message."""
        return self.begin(number, check).result()

    def begin(self, number: int, check: Check) -> Pending:
        """Put a check likewise, and do not wait for its answer."""
        put = guarded(check, lambda: self._put(number, check))
        return Settled(put) if isinstance(put, Result) else put

    def _put(self, number: int, check: Check) -> Pending:
        try:
            asked = self.putting(check)
        except CannotSetUp as error:
            return Settled(Result(check, Status.ERROR, reason=error.message, remedy=error.remedy))
        if isinstance(asked, Unsupported) and check.id in self.questions:
            questions = chosen(self.suite, self.ready, check, self.questions)
            return self._sent(number, questions, lambda became: replace(became, partly=asked.words))
        if isinstance(asked, Unsupported):
            reason = f"not claimed: {', '.join(asked.words)}"
            return Settled(Result(check, Status.UNSUPPORTED, reason=reason, lacks=asked.words))

        def whole(became: Result) -> Result:
            if became.check is check and not asked.partly:
                return became
            return replace(became, check=check, partly=(*asked.partly, *became.partly))

        return self._sent(number, asked, whole)

    def _sent(self, number: int, asked: Adapted, whole: Callable[[Result], Result]) -> Pending:
        if self.implementation.trusted:
            return self.sent(number, asked, self._as_expected, whole)
        plan = for_all_that_is_claimed(self.suite, asked.check, asked.plan, self.ready.claims)
        return self.sent(number, replace(asked, plan=plan), self._in_its_way, whole)

    def _message(self, check: Check, plan: RunRequest) -> Mapping[str, Any]:
        """What is sent: of house rules that are not claimed by their own name, in that of the ruleset they extend."""
        if check.ruleset in self.ready.rulesets:
            return plan.message
        return under_the_name(plan.message, self.suite.rules.claimable_names(check.ruleset)[1])

    def sent(
        self, number: int, asked: Adapted, judged: Judged, whole: Callable[[Result], Result] = _as_it_is
    ) -> Pending:
        """What is asked of a check, sent; its answer will be judged like this, and be part of a `whole`."""
        message = self._message(asked.check, asked.plan)
        return Sent(
            asked.check,
            lambda: self.implementation.begin(number, message),
            lambda came: whole(_became(asked, came, judged)),
        )

    def _as_expected(self, asked: Adapted, observed: Observed) -> Result:
        """What was observed, held against the expectations, and reasons with it."""
        return judge(asked.check, asked.plan, observed, trusted=True)

    def _as_agreed(self, asked: Adapted, observed: Observed) -> Result:
        """The same without reasons, and whatever else was reported held against what all readings agree on."""
        agreed = Consensus(self.suite, asked.check, asked.plan, deals=DEAL in self.ready.claims)
        return judge(asked.check, asked.plan, observed, trusted=False, agreed=agreed)

    def _in_its_way(self, asked: Adapted, observed: Observed) -> Result:
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


def _became(asked: Adapted, came: Came, judged: Judged) -> Result:
    """What becomes of a check by an answer, or by what went wrong instead."""
    check = asked.check
    if isinstance(came, Result):
        return came
    if came.kind != "observed":
        return Result(check, Status(came.kind), reason=came.reason)
    return guarded(check, lambda: judged(asked, came.steps))


def for_all_that_is_claimed(suite: Suite, check: Check, prepared: RunRequest, claims: frozenset[str]) -> RunRequest:
    """A plan that asks to observe whatever an implementation claims, as far as the game has it; but in whole games
    alone how many acts are open."""
    claimed = (claims & suite.capabilities.observables) - {LEGAL_ACTS}
    observe = {*prepared.message["observe"], *(claimed - _not_in_the_game(suite.rules.of(check.ruleset)))}
    return replace(prepared, message=observing(prepared.message, sorted(observe)))


def _not_in_the_game(rules: Rules) -> frozenset[str]:
    """The fields that a position of this game does not hold."""
    return _OF_ANY_GAME.difference(field.name for field in rules.fields)
