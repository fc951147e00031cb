"""The checks of a suite for one adapter: each adapted to what it claims, and judged by how it plays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hoyle_conformance.checks.combinations import judged_by_cards
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import Adapted, CannotSetUp, Claims, Unsupported
from hoyle_conformance.checks.rewrites import adapt, as_sent, partial_verdict
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.messages import AdapterInfo, Wire, encode
from hoyle_conformance.runner.consensus import Consensus
from hoyle_conformance.runner.guard import Guard, or_else
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.questions import Questions, asks_anything, choose_questions, pose_questions
from hoyle_conformance.runner.results import Mismatch, Result, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed

Observations = Sequence[Mapping[str, Any]]

#: What an engine lacks that has accepted a combination by another name, so that the check is judged up to there.
ANOTHER_NAME: Final = "two names for what it has one for"
#: The claim of an engine that begins deals of its own, and knows what there is between two of them.
DEAL: Final = "deal"


@dataclass(frozen=True, slots=True)
class Checker:
    """The checks of a suite for an adapter with these claims, and the questions that are sent in place of unsupported
    ones."""

    claims: Claims
    questions: Questions = field(default_factory=Questions)
    _ahead: dict[str, tuple[Check, Adapted | Unsupported]] = field(default_factory=dict)

    @classmethod
    def with_questions(cls, claims: Claims, checks: Iterable[Check]) -> "Checker":
        """Return the checker of a run of these checks: all are adapted ahead of their turn, and stored until then, if
        the adapter can be asked questions in place of those that are unsupported."""
        checker = cls(claims)
        if not claims.trusted and asks_anything(claims):
            adapted = ((check, or_else(None, checker._adapt_ahead, check)) for check in checks)
            checker.questions.update(choose_questions(claims, adapted))
        return checker

    def _adapt_ahead(self, check: Check) -> Adapted | Unsupported | None:
        """Adapt a check before its turn and return it; None if its position cannot be completed."""
        try:
            adapted = adapt(self.claims, check)
        except CannotSetUp:
            return None
        self._ahead[check.id] = check, adapted
        return adapted

    def adapt(self, check: Check) -> Adapted | Result:
        """Return the request for a check, or its result if nothing is sent: it is unsupported, or an error."""
        with Guard(check) as guard:
            of, adapted = self._ahead.pop(check.id, (None, None))
            try:
                if adapted is None or of is not check:
                    adapted = adapt(self.claims, check)
            except CannotSetUp as error:
                return Result(check, Status.ERROR, reason=error.message, remedy=error.remedy)
            questions = self.questions_of(check) if isinstance(adapted, Unsupported) else None
            request = as_sent(self.claims, adapted, questions)
            return (
                Result(check, Status.UNSUPPORTED, lacks=request.words) if isinstance(request, Unsupported) else request
            )
        assert guard.broken, "what is not returned is broken"
        return guard.broken

    def questions_of(self, check: Check) -> Adapted | None:
        """Return the questions that are sent in place of a check; None if there are none."""
        return pose_questions(self.claims, check, self.questions) if check.id in self.questions else None

    def judge(self, request: Adapted, observed: Observations) -> Result:
        """Return the result of a check by what was observed, as the adapter books points and declares."""
        check = request.check
        if self.claims.trusted:
            return judge(check, request.plan, observed, trusted=True)
        own = partial_verdict(self.claims, request, observed)
        if own is None:
            return self._judge(request, observed)
        usual = Result(check, Status.PASS)
        if any(own.request.check.branches.values()):
            usual = self._judge(own.request, observed[: len(own.request.steps)])
        if usual.status is not Status.PASS:
            return replace(usual, check=check)
        if own.wrong:
            return Result(check, Status.FAIL, Mismatch(*own.wrong))
        if own.unsupported:
            return Result(check, Status.UNSUPPORTED, lacks=(own.lacks,))
        return replace(usual if own.request is request else Result(check, Status.PASS), partly=(own.lacks,))

    def _judge(self, request: Adapted, observed: Observations) -> Result:
        """Return the result without comparing reasons; whatever else is reported is as all readings agree."""
        claims = self.claims.info.claims
        agreed = Consensus(self.claims.suite, request.check, request.plan, deals=DEAL in claims, claims=claims)
        result = judge(request.check, request.plan, observed, trusted=False, agreed=agreed)
        if result.mismatch or result.reading:
            result = self._judge_by_cards(request, observed, agreed, result)
        return self._judge_joint_readings(request, observed, agreed) or result if result.mismatch else result

    def _judge_by_cards(self, request: Adapted, observed: Observations, agreed: Consensus, result: Result) -> Result:
        """Return the result with combinations judged by their cards, where an engine may have one name for two: all the
        readings that fit then, or the same failure if it fails at the same step."""
        by_cards = judged_by_cards(self.claims.suite, request, observed)
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
    selected, wire = list(checks), Wire(suite.schemas, suite.version)
    checker = Checker.with_questions(Claims(suite, info), selected)
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
