"""Laid: what an implementation declares of its own choice is judged by what it may declare, and what that scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from hoyle_conformance.checks.combinations import AS_ASKED, OwnDeclaration, other_declaration
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import NOTHING_REPORTED, Adapted, Claims
from hoyle_conformance.checks.rewrites import adapt
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.reports import words
from hoyle_conformance.runner.checker import Checker
from hoyle_conformance.runner.results import Mismatch, Result, Status
from hoyle_conformance.suite.suite import Suite

TWICE = "declare.another-after-the-next-trick@bezique-hoyle"

KINGS, QUEENS = ["KS", "QS"], ["KD", "QD"]


def marriage(cards: Sequence[str]) -> dict[str, Any]:
    return {"meld": "common-marriage", "cards": list(cards)}


def laying(suite: Suite, one: Any = NOTHING_REPORTED, other: Any = NOTHING_REPORTED, **scores: Any) -> Result:
    """What becomes of a check in which A declares twice, when it lays these and scores so."""
    check = suite.index.checks[TWICE]
    asked = Adapted(check, planner_of(suite).request(check))
    seen = list(map(dict, observations(suite.rules.of(check.ruleset), asked.plan.message)))
    for at, declared, score in ((0, one, "first"), (5, other, "second")):
        if declared is not NOTHING_REPORTED:
            seen[at]["declared"] = declared
        if score in scores:
            seen[at]["score"] = scores[score]
        if seen[at].get("score") is NOTHING_REPORTED:
            del seen[at]["score"]
    seen[4]["accepted"] = scores.get("replied", True)
    info = AdapterInfo("", "", "", frozenset({check.ruleset}), frozenset(), declares="by-itself")
    return Checker(Claims(suite, info)).judge(asked, seen)


def test_what_is_laid_as_it_is_asked_is_judged_as_it_is(suite: Suite) -> None:
    check = suite.index.checks[TWICE]
    assert laying(suite, marriage(KINGS), marriage(QUEENS)) == Result(check, Status.PASS, readings=("",))
    assert laying(suite, marriage(KINGS[::-1]), marriage(QUEENS)) == Result(check, Status.PASS, readings=("",))
    wrong = laying(suite, marriage(KINGS), marriage(QUEENS), second={"A": 20, "B": 0})
    assert wrong.mismatch == Mismatch(4, "scores", {"A": 20}, {"A": -10})  # it had ten for an ace


def test_what_is_laid_otherwise_must_be_open_and_score_what_it_should(suite: Suite) -> None:
    check = suite.index.checks[TWICE]
    another = Result(check, Status.PASS, partly=(AS_ASKED,))
    assert laying(suite, marriage(QUEENS)) == another
    assert laying(suite, marriage(QUEENS), first=NOTHING_REPORTED) == another
    wrong = laying(suite, marriage(QUEENS), first={"A": 40, "B": 0})
    assert wrong == Result(check, Status.FAIL, Mismatch(1, "total", {"A": 20, "B": 0}, {"A": 40, "B": 0}))
    not_held = {"meld": "bezique", "cards": ["QS", "JD"]}
    not_open = "a combination that may be declared"
    assert laying(suite, not_held) == Result(check, Status.FAIL, Mismatch(1, "declared", not_open, not_held))
    assert laying(suite) == Result(check, Status.FAIL, Mismatch(1, "declared", not_open, NOTHING_REPORTED))
    again = laying(suite, marriage(KINGS), marriage(KINGS))
    assert again == Result(check, Status.FAIL, Mismatch(4, "declared", not_open, marriage(KINGS)))
    other_name = laying(suite, {**marriage(KINGS), "meld": "royal-marriage"}, marriage(QUEENS))
    assert other_name.status is Status.PASS
    wrong = laying(suite, {**marriage(QUEENS), "meld": "royal-marriage"}, first={"A": 40, "B": 0})
    assert wrong == Result(check, Status.FAIL, Mismatch(1, "total", {"A": 20, "B": 0}, {"A": 40, "B": 0}))


def test_declaring_nothing_makes_the_check_unsupported(suite: Suite) -> None:
    check = suite.index.checks[TWICE]
    nothing = Result(check, Status.UNSUPPORTED, lacks=(AS_ASKED,))
    assert words.reason(nothing) == "the engine has declared nothing"
    assert laying(suite, None) == nothing
    assert laying(suite, marriage(KINGS), None) == nothing


def declared_as(suite: Suite, asked: Adapted, declared: Mapping[str, Any]) -> OwnDeclaration | None:
    """The declaration that the first step makes by itself, if everything else is as the reference has it."""
    message = asked.plan.course.message if asked.plan.course else asked.plan.message
    seen = list(map(dict, observations(suite.rules.of(asked.check.ruleset), message)))
    places = asked.plan.course.at if asked.plan.course else range(len(seen))
    return other_declaration(suite, asked, [{**seen[next(iter(places))], "declared": declared}])


def test_after_a_prelude_it_is_the_declaration_of_the_check_that_is_meant(suite: Suite) -> None:
    """The acts that lead to the position are none of the check's."""
    check = suite.index.checks[TWICE]
    claims = suite.capabilities.everything
    ready = AdapterInfo("x", "1", "x", frozenset({check.ruleset}), claims, position="deal", declares="by-itself")
    asked = adapt(Claims(suite, ready), check)
    assert isinstance(asked, Adapted)
    assert {"cut", "play"} & {act["do"] for act in asked.plan.message["prelude"]}
    assert declared_as(suite, asked, marriage(KINGS)) is None
    laid = declared_as(suite, asked, marriage(QUEENS))
    assert laid is not None
    assert (laid.at, laid.open, laid.score) == (0, True, {"A": 20, "B": 0})
