"""Asking: a check put to an implementation is judged as the implementation has said that it plays."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faulty_adapters"))

from ways import InItsWay

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.checks.rewrites import AT_ONCE, observe_all_claimed
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.reports import words
from hoyle_conformance.runner.checker import DEAL, Checker
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.runner.run import AdapterRun, ChecksInFlight
from hoyle_conformance.suite.suite import Suite

Message = Mapping[str, Any]
#: It ends in the midst of a trick, and something is refused in it; and a trick of which nothing but points is told.
IN_THE_MIDST, POINTS = "declare.bezique@bezique-hoyle", "brisques.ace@bezique-hoyle"
#: Between its two steps the one deal is over, and the other has not begun.
DEALT_AGAIN = "reuse.a-new-deal-forgets@bezique-hoyle"


def became(suite: Suite, name: str, engine: Reference, *, trusted: bool = False) -> Result:
    """What becomes of a check that is put to an engine."""
    implementation = InProcess(Wire(suite.schemas, suite.version), engine, trusted=trusted)
    checker = Checker(Claims(suite, implementation.introduce(), trusted))
    own = AdapterRun(checker, ChecksInFlight(implementation))
    return own.judge(own.run(1, suite.index.checks[name]))


class NeverBooks(InItsWay):
    """It says that it books points later, and does not."""

    def __init__(self, suite: Suite) -> None:
        super().__init__(suite, score="later")

    def __call__(self, message: Message) -> dict[str, Any]:
        answer = super().__call__(message)
        for each in answer.get("steps", ()):
            each.pop("score", None)
        return answer


def test_where_points_are_booked_later_and_the_check_ends_before_that_they_are_left_out(suite: Suite) -> None:
    for engine in (InItsWay(suite, score="later"), NeverBooks(suite)):
        result = became(suite, IN_THE_MIDST, engine)
        assert (result.status, result.partly) == (Status.PASS, (AT_ONCE,))
    assert became(suite, IN_THE_MIDST, Reference(suite)).partly == ()


def test_engine_that_never_books_points_leaves_a_check_of_points_unsupported(suite: Suite) -> None:
    result = became(suite, POINTS, NeverBooks(suite))
    assert (result.status, result.lacks, words.reason(result)) == (
        Status.UNSUPPORTED,
        (AT_ONCE,),
        "not claimed: the score at once",
    )
    booked = became(suite, POINTS, InItsWay(suite, score="later"))
    assert (booked.status, booked.partly, booked.lacks) == (Status.PASS, (), ())


def test_engine_that_books_points_later_is_judged_on_the_rest(suite: Suite) -> None:
    class Accepts(NeverBooks):
        def __call__(self, message: Message) -> dict[str, Any]:
            answer = super().__call__(message)
            for each in answer.get("steps", ()):
                each["accepted"] = True
            return answer

    result = became(suite, IN_THE_MIDST, Accepts(suite))
    assert (result.status, result.partly) == (Status.FAIL, ())
    assert result.mismatch is not None
    assert (result.mismatch.step, result.mismatch.what) == (1, "refused")


@pytest.mark.whole
@pytest.mark.parametrize("deals", [True, False])
def test_engine_that_deals_is_judged_between_two_deals(suite: Suite, deals: bool) -> None:
    check = suite.index.checks[DEALT_AGAIN]
    claims = suite.capabilities.everything - (frozenset() if deals else {DEAL})
    plan = observe_all_claimed(suite, check, planner_of(suite).request(check), claims)
    seen = list(map(dict, observations(suite.rules.of(check.ruleset), plan.message)))
    seen[plan.ends[0] - 1]["position"] = None
    implementation = InProcess(Wire(suite.schemas, suite.version), Reference(suite))
    checker = Checker(Claims(suite, replace(implementation.introduce(), claims=claims)))
    result = checker.judge(Adapted(check, plan), seen)
    assert [(each.step, each.what) for each in result.mismatches[:1]] == ([(1, "cards lie")] if deals else [])


@pytest.mark.parametrize(
    ("name", "there", "elsewhere"),
    [
        ("brisques.ace@bezique-hoyle", "trumps", "deals_left"),
        ("point.eight-cards@piquet-saunt-parlett", "deals_left", "trumps"),
    ],
)
def test_all_that_is_claimed_is_observed_as_far_as_the_game_has_it(
    suite: Suite, name: str, there: str, elsewhere: str
) -> None:
    check = suite.index.checks[name]
    observe = observe_all_claimed(
        suite, check, planner_of(suite).request(check), suite.capabilities.observables
    ).message["observe"]
    assert there in observe
    assert {elsewhere, "legal_acts"}.isdisjoint(observe)
