"""The checks of a suite for one adapter: each adapted to what it claims, and judged by how it plays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapt import BY_ITSELF, LATER, CheckAdapter
from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported
from hoyle_conformance.checks.adapt.modes import AT_ONCE, expects_points_only, has_never_booked
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp, RunRequest, observing, under_the_name
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.messages import AdapterInfo, Wire, encode
from hoyle_conformance.runner.ask_questions import Questions, choose_questions, pose_questions
from hoyle_conformance.runner.by_cards import judged_by_cards
from hoyle_conformance.runner.consensus import Consensus
from hoyle_conformance.runner.guard import Guard
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.own_declarations import judge_own_declaration, other_declaration, steps_before
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.capabilities import LEGAL_ACTS
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules
from hoyle_reference.table import FIELDS

Observations = Sequence[Mapping[str, Any]]

#: What an engine lacks that has accepted a combination by another name, so that the check is judged up to there.
ANOTHER_NAME: Final = "two names for what it has one for"
#: The claim of an engine that begins deals of its own, and knows what there is between two of them.
DEAL: Final = "deal"
_OF_ANY_GAME: Final = frozenset(field.name for field in FIELDS)


@dataclass(frozen=True, slots=True)
class Checker:
    """The checks of a suite, how they are adapted, and the questions that are sent in place of an unsupported check, by
    its id. A `trusted` adapter is sent what the check says and nothing more, and its reasons are compared."""

    check_adapter: CheckAdapter
    questions: Questions = field(default_factory=Questions)
    trusted: bool = False

    @property
    def _suite(self) -> Suite:
        return self.check_adapter.suite

    @property
    def _info(self) -> AdapterInfo:
        return self.check_adapter.info

    def adapt(self, check: Check) -> Adapted | Result:
        """Return the request for a check, or its result if nothing is sent: it is unsupported, or an error."""
        with Guard(check) as guard:
            try:
                request = self.check_adapter(check)
            except CannotSetUp as error:
                return Result(check, Status.ERROR, reason=error.message, remedy=error.remedy)
            if isinstance(request, Unsupported) and check.id in self.questions:
                request = replace(pose_questions(self._suite, self._info, check, self.questions), partly=request.words)
            if isinstance(request, Unsupported):
                return unsupported_result(check, request.words)
            return self._as_sent(request)
        assert guard.broken, "what is not returned is broken"
        return guard.broken

    def _as_sent(self, request: Adapted) -> Adapted:
        """Return the request with everything observed that is claimed, in the name of a ruleset that is claimed."""
        check, plan = request.check, request.plan
        if not self.trusted:
            plan = observe_all_claimed(self._suite, check, plan, self._info.claims)
        name = claimed_name(self._suite, self._info, check.ruleset)
        return replace(request, plan=replace(plan, message=under_the_name(plan.message, name)))

    def judge(self, request: Adapted, observed: Observations) -> Result:
        """Return the result of a check by what was observed, as the adapter books points and declares."""
        check = request.check
        if self.trusted:
            return judge(check, request.plan, observed, trusted=True)
        if self._info.declares == BY_ITSELF:
            return self._judge_own_declarations(request, observed)
        result = self._judge(request, observed)
        if self._info.score == LATER and result.status is Status.PASS and has_never_booked(request, observed):
            return (
                unsupported_result(check, (AT_ONCE,))
                if expects_points_only(request)
                else replace(result, partly=(AT_ONCE,))
            )
        return result

    def _judge(self, request: Adapted, observed: Observations) -> Result:
        """Return the result without comparing reasons; whatever else is reported is as all readings agree."""
        claims = self._info.claims
        agreed = Consensus(self._suite, request.check, request.plan, deals=DEAL in claims, claims=claims)
        result = judge(request.check, request.plan, observed, trusted=False, agreed=agreed)
        if result.mismatch or result.reading:
            result = self._judge_by_cards(request, observed, agreed, result)
        return self._judge_joint_readings(request, observed, agreed) or result if result.mismatch else result

    def _judge_by_cards(self, request: Adapted, observed: Observations, agreed: Consensus, result: Result) -> Result:
        """Return the result with combinations judged by their cards, where an engine may have one name for two: all the
        readings that fit then, or the same failure if it fails at the same step."""
        by_cards = judged_by_cards(self._suite, request, observed)
        if by_cards is None:
            return result
        check, plan = by_cards.request.check, by_cards.request.plan
        again = judge(check, plan, by_cards.observed, trusted=False, agreed=agreed)
        if result.status is Status.PASS:
            return replace(result, readings=again.readings or result.readings)
        if again.mismatch and result.mismatch and again.mismatch.step == result.mismatch.step:
            return result
        partly = (ANOTHER_NAME,) if by_cards.another_name and again.status is Status.PASS else ()
        return replace(again, check=request.check, partly=partly)

    @staticmethod
    def _judge_joint_readings(request: Adapted, observed: Observations, agreed: Consensus) -> Result | None:
        """Return a pass if the engine does all that the reference does by other readings of the rules at work, taken
        together; None otherwise."""
        if len(observed) < len(request.plan.message["steps"]):
            return None
        joint = agreed.joint
        ways = (way for way in joint.ways(joint.at_work) if agreed.agrees_with(way, request.plan, observed))
        together = tuple(frozenset(way.items()) for way in ways)
        return Result(request.check, Status.PASS, together=together) if together else None

    def _judge_own_declarations(self, request: Adapted, observed: Observations) -> Result:
        """Return the result if the adapter chooses what it declares: from another declaration on the check is another
        game, so it is judged up to there, and then by that declaration."""
        other = other_declaration(self._suite, request, observed)
        if other is None:
            return self._judge(request, observed)
        before = steps_before(request, other)
        if any(before.check.branches.values()):
            result = self._judge(before, observed[: len(before.plan.message["steps"])])
            if result.status is not Status.PASS:
                return replace(result, check=request.check)
        return judge_own_declaration(request, other, observed)


def unsupported_result(check: Check, words: Sequence[str]) -> Result:
    """Return the result of a check that is not run for want of these claims."""
    return Result(check, Status.UNSUPPORTED, reason=f"not claimed: {', '.join(words)}", lacks=tuple(words))


def claimed_name(suite: Suite, info: AdapterInfo, ruleset: str) -> str:
    """Return the name that a claimed ruleset is sent by: house rules may be known by the ruleset that they extend."""
    return ruleset if ruleset in info.rulesets else suite.rules.claimable_names(ruleset)[1]


def observe_all_claimed(suite: Suite, check: Check, plan: RunRequest, claims: frozenset[str]) -> RunRequest:
    """Return the request with everything observed that is claimed and that the game has; the number of legal acts is
    observed only in whole games."""
    claimed = (claims & suite.capabilities.observables) - {LEGAL_ACTS}
    observe = {*plan.message["observe"], *(claimed - not_in_the_game(suite.rules.of(check.ruleset)))}
    return replace(plan, message=observing(plan.message, sorted(observe)))


def not_in_the_game(rules: Rules) -> frozenset[str]:
    """Return the fields that no position of this game has."""
    return _OF_ANY_GAME.difference(field.name for field in rules.fields)


def deal_by_seed(suite: Suite, check: Check) -> Check:
    """Return a relabelled check whose open cards are dealt by its seed; as usual, if they happen to matter then."""
    as_usual = replace(check, turned=replace(check.turned, seed=""))
    only = replace(check, branches={check.follows: check.expect})
    try:
        plan = planner_of(suite).request(check)
        result = judge(only, plan, observations(suite.rules.of(check.ruleset), plan.message), trusted=True)
    except (CannotSetUp, Malformed):
        return as_usual
    return check if result.status is Status.PASS else as_usual


def compose_messages(suite: Suite, info: AdapterInfo, checks: Iterable[Check]) -> Iterator[bytes | Result]:
    """Yield for each check the line that an adapter with this introduction is sent, numbered from 1, or the result that
    says why nothing is sent."""
    check_adapter, selected, wire = CheckAdapter(suite, info), list(checks), Wire(suite.schemas, suite.version)
    checker = Checker(check_adapter, choose_questions(check_adapter, selected))
    number = 1
    for check in selected:
        request = checker.adapt(check)
        if isinstance(request, Result):
            yield request
        else:
            yield encode(wire.run(number, request.plan.message))
            number += 1


def claim_everything(suite: Suite) -> AdapterInfo:
    """Return the introduction of an adapter that plays and claims everything, and can be set up in any position."""
    return AdapterInfo("", "", "", frozenset(suite.rules.names), suite.capabilities.everything)
