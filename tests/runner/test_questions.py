"""Checks made into questions, for engines that cannot take their steps."""

import pickle
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from conftest import HANGS, ROOT
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.checks.setup.trace import StandaloneKeys, answer_standalone
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.protocol.adapters import Command, InProcess
from hoyle_conformance.protocol.messages import AdapterInfo, Wire
from hoyle_conformance.reports.failure import FailureContext, failure_view
from hoyle_conformance.runner import checker as making
from hoyle_conformance.runner import results as guarding
from hoyle_conformance.runner.checker import Checker, Questions, find_questions, pose_questions, question_words
from hoyle_conformance.runner.consensus import comparable, other_ways
from hoyle_conformance.runner.group_failures import group_failures
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.runner.run import AdapterRun, ChecksInFlight, run
from hoyle_conformance.suite.model import Check, Expected, Origin
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import house_rules_from
from hoyle_conformance.wording.failure_view import failure_lines

pytestmark = pytest.mark.slow

WORDS = frozenset({"playable", "winner", "worth", "class-winner", "trick-points", "counted", "settlement", "reckoning"})


def of(suite: Suite, ruleset: str) -> list[Check]:
    return [check for check in suite.index.checks.values() if check.ruleset == ruleset]


def only(suite: Suite, *words: str, rulesets: Sequence[str] = ()) -> Claims:
    """What an implementation claims that answers these questions, and is set up in no position."""
    plays = frozenset(rulesets or suite.rulesets)
    return Claims(suite, AdapterInfo("asked", "1", "Python", plays, frozenset(words), position="none"))


def chosen(claims: Claims, checks: Sequence[Check]) -> Questions:
    return Checker.with_questions(claims, checks).questions


def all_asked(claims: Claims, checks: Sequence[Check]) -> list[Adapted]:
    """All that an implementation is asked: the checks that can be put to it, and the questions of the others."""
    checker = Checker.with_questions(claims, checks)
    return [asked for asked in map(checker.adapt, checks) if isinstance(asked, Adapted)]


def made_of(suite: Suite, check: Check, *words: str) -> Adapted | None:
    """A check as all the questions in it among these words."""
    plan, claims = planner_of(suite).request(check), only(suite, *words or WORDS)
    found = find_questions(suite, check, plan, claims.info.claims, set())
    return pose_questions(claims, check, {check.id: found}) if found else None


def made(suite: Suite, name: str, *words: str) -> Adapted | None:
    return made_of(suite, suite.index.checks[name], *words)


def asks(asked: Adapted | None) -> list[tuple[Origin, dict[str, object], object]]:
    """Each question with its origin, without what it tells of trumps and drawing, and the answer expected."""
    assert asked is not None
    answers = [asked.check.expect[at]["answer"] for at in range(1, len(asked.plan.message["steps"]) + 1)]
    told = [
        {key: value for key, value in step.items() if key not in {"trumps", "drawing"}}
        for step in asked.plan.message["steps"]
    ]
    return list(zip(asked.check.origins, told, answers, strict=True))


@pytest.mark.parametrize("ruleset", ["bezique-h2g2", "piquet-rubicon-parlett"])
def test_a_question_made_stands_alone_and_no_reading_answers_it_otherwise(suite: Suite, ruleset: str) -> None:
    """What the check asks itself has the answers of its branches; what is derived has one, under every reading."""
    standalone_keys, fresh_game, derived = StandaloneKeys(suite.schemas), suite.rules.fresh_game(ruleset), 0
    for check in map(Relabeller(suite), of(suite, ruleset)):
        asked = made_of(suite, check)
        if asked is None:
            continue
        message = {"type": "run", "seq": 1, **asked.plan.message}
        assert suite.schemas.complaint("message-run", message) == "", check.id
        assert asked.plan.needs == set(map(suite.capabilities.word, asked.plan.message["steps"]))
        for at, (origin, step) in enumerate(zip(asked.check.origins, asked.plan.message["steps"], strict=True), 1):
            assert standalone_keys.can_stand_alone(fresh_game.rules, step)
            assert origin.derived == ("do" in check.scenario.steps[origin.step - 1])
            answers = {name: comparable(expected[at]["answer"]) for name, expected in asked.check.branches.items()}
            assert comparable(answer_standalone(fresh_game, step)) == answers[check.follows]
            if origin.derived:
                derived += 1
                answer = answers[check.follows]
                assert all(each == answer for each in answers.values())
                others = (suite.rules.fresh_game(ruleset, ways) for ways in other_ways(suite, check))
                assert all(comparable(answer_standalone(other, step)) == answer for other in others)
            else:
                assert answers == {
                    name: comparable(each[origin.step]["answer"]) for name, each in check.branches.items()
                }
    assert derived > 50


#: A check, a word, and each question that it becomes: its step, what it asks, and its answer.
EXAMPLES: list[tuple[str, str, list[tuple[int, dict[str, Any], Any]]]] = [
    (
        "last-tricks.need-not-win@bezique-bicycle",  # a play that is refused for a duty
        "playable",
        [(2, {"ask": "playable", "by": "B", "hand": ["8S", "AS"], "led": ["KS"]}, ["AS"])],
    ),
    (
        "last-tricks.need-not-win@bezique-hoyle",  # a freedom that is cited
        "playable",
        [(2, {"ask": "playable", "by": "B", "hand": ["8S", "AS"], "led": ["KS"]}, ["8S", "AS"])],
    ),
    ("brisques.ace@bezique-hoyle", "playable", []),
    (
        "last-tricks.need-not-win@bezique-hoyle",
        "winner",
        [(2, {"ask": "winner", "by": "A", "cards": ["KS", "8S"]}, "A")],
    ),
    (
        "to-score.lost-when-its-king-is-played@bezique-hoyle",
        "worth",
        [(1, {"ask": "worth", "meld": "bezique", "cards": ["QS", "JD"]}, 40)],
    ),
    (
        "trick-points.a-capture-scores-one@piquet-rubicon-parlett",
        "trick-points",
        [(4, {"ask": "trick-points", "by": "A", "cards": ["9S", "AS", "8D", "AD"]}, {"A": 2, "B": 2})],
    ),
    # Whether one must trump is disputed, so that an act puts no question.
    ("last-tricks.need-not-trump@bezique-h2g2", "playable", []),
    ("sinking.a-sequence@piquet-rubicon-parlett", "class-winner", []),  # what is decided is not what the hands say
]


@pytest.mark.parametrize(("name", "word", "expected"), EXAMPLES, ids=lambda value: value if type(value) is str else "")
def test_an_act_becomes_the_question_that_the_check_is_about(
    suite: Suite, name: str, word: str, expected: list[tuple[int, dict[str, Any], Any]]
) -> None:
    asked = made(suite, name, word)
    assert (asks(asked) if asked else []) == [(Origin(step, derived=True), *rest) for step, *rest in expected]


def test_a_refused_declaration_becomes_worth_only_if_its_cards_are_no_such_combination(suite: Suite) -> None:
    refused = asks(made(suite, "melds.refused-marriage@bezique-hoyle", "worth"))
    assert {answer for _, _, answer in refused} == {0}


@pytest.mark.parametrize(
    ("step", "expected"), [(1, {"turn": "B"}), (2, {"turn": "A"}), (5, {"scores": {"B": 14}})], ids=str
)
def test_whatever_a_check_says_of_a_class_asks_whose_it_is(suite: Suite, step: int, expected: dict[str, Any]) -> None:
    """Of its being announced, of the answer, or of the combination that is declared for it."""
    check = suite.index.checks["set.four-tens-beat-three-aces@piquet-rubicon-parlett"]
    refused: Expected = {3: {"refused": "class-not-won"}} if step > 2 else {}
    steps = check.scenario.steps[: max(step, 2)]
    of_one = replace(check, scenario=replace(check.scenario, steps=steps), branches={"": {**refused, step: expected}})
    (asked,) = asks(made_of(suite, of_one, "class-winner"))
    assert (asked[0], asked[1]["class"], asked[2]) == (Origin(2, derived=True), "set", "B")
    of_none = replace(check, branches={"": {4: {"scores": {"A": 1}}}})
    assert made_of(suite, of_none, "class-winner") is None


def test_an_answer_that_the_hands_forbid_asks_whose_the_class_is_and_no_other_that_is_refused(suite: Suite) -> None:
    forbidden = asks(made(suite, "calling.false-equal@piquet-saunt-parlett", "class-winner"))
    assert [(origin.step, question["class"], answer) for origin, question, answer in forbidden] == [
        (2, "point", "A"),
        (6, "sequence", "A"),
        (10, "set", "A"),
    ]
    name = "calling.asked-once@piquet-rubicon-parlett"
    refused = {
        step for step, each in suite.index.checks[name].expect.items() if each.get("refused") == "not-to-be-asked"
    }
    assert refused
    assert refused.isdisjoint(origin.step for origin, _, _ in asks(made(suite, name, "class-winner")))


def test_what_readings_differ_in_is_asked_only_by_the_check_itself(suite: Suite) -> None:
    """Whether one must trump, h2g2 leaves open: the question that a scenario asks has an answer for each reading, and
    an act puts none."""
    own = made(suite, "last-tricks.whole-hand-without-the-suit@bezique-h2g2", "playable")
    assert own is not None
    assert own.check.branches == {"must": {1: {"answer": ["AH"]}}, "free": {1: {"answer": ["AH", "AC", "7D"]}}}
    assert [origin.derived for origin in own.check.origins] == [False]


def test_nothing_is_derived_from_what_is_irregular_on(suite: Suite) -> None:
    check = next(
        check
        for check in of(suite, "rubicon-hoyle")
        if check.scenario.topic == "irregular" and any("irregular" in step for step in check.scenario.steps)
    )
    at = next(number for number, step in enumerate(check.scenario.steps, 1) if "irregular" in step)
    asked = made_of(suite, check)
    assert asked is None or all(origin.step < at for origin in asked.check.origins)


def test_nothing_is_asked_where_the_reference_takes_another_course(suite: Suite) -> None:
    """It scores otherwise, refuses an act for another reason, or does not come to the position by a reading."""
    check = suite.index.checks["last-tricks.need-not-win@bezique-bicycle"]
    courses: list[tuple[Expected, bool]] = [
        ({2: {"trick_won_by": "A"}}, False),
        ({2: {"refused": "must-win"}}, True),
        ({2: {"refused": "must-follow-suit"}}, False),
    ]
    for expected, is_asked in courses:
        assert (made_of(suite, replace(check, branches={"": expected})) is not None) == is_asked
    check = suite.index.checks["last-tricks.whole-hand-without-the-suit@bezique-h2g2"]
    branches = {**check.branches, "free": {1: {"answer": []}}}
    assert made_of(suite, replace(check, branches=branches)) is None


def test_the_same_question_is_asked_once_of_a_ruleset(suite: Suite) -> None:
    """A check that comes again under another name asks nothing new; the same position under another ruleset does."""
    checks = [suite.index.checks[f"declare.bezique@{name}"] for name in ("bezique-hoyle", "bezique-bicycle")]
    again = [replace(each, scenario=replace(each.scenario, id="declare.again")) for each in checks]
    asked = chosen(only(suite, "worth"), [*checks, *again])
    assert set(asked) == {each.id for each in checks}
    assert asked == chosen(only(suite, "worth"), checks)


def test_another_process_asks_the_same_questions_and_does_not_look_for_them(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims, check = only(suite, "worth"), suite.index.checks["declare.bezique@bezique-hoyle"]
    questions = chosen(claims, [check])
    monkeypatch.setattr(making, "find_questions", None)
    told = pickle.loads(pickle.dumps(questions))  # noqa: S301 -- it was written just now
    assert pose_questions(claims, check, told) == pose_questions(claims, check, questions)


def test_what_a_check_asks_itself_is_not_asked_beside_it(suite: Suite) -> None:
    """A question that stands in a check which can be put is not derived from another one."""
    asks, acts = suite.index.checks["melds.bezique@bezique-hoyle"], suite.index.checks["declare.bezique@bezique-hoyle"]
    claims = only(suite, "worth")
    steps = tuple(pose_questions(claims, acts, chosen(claims, [acts])).steps)
    expected = {at: {"answer": 40} for at in range(1, len(steps) + 1)}
    beside = replace(asks, scenario=replace(asks.scenario, steps=steps), branches={"": expected})
    assert chosen(claims, [beside, acts]) == {}


def test_an_engine_with_a_legal_moves_function_alone_is_asked_many_checks(suite: Suite) -> None:
    """More of them as questions of others than as they stand."""
    for ruleset in ("bezique-hoyle", "piquet-hoyle"):
        asked = all_asked(only(suite, "playable"), of(suite, ruleset))
        before = sum(not each.check.origins for each in asked)
        assert len(asked) > 2 * before
        assert {step["ask"] for each in asked for step in each.plan.message["steps"]} == {"playable"}


def test_all_that_is_asked_is_of_rulesets_that_are_claimed_and_always_the_same(suite: Suite) -> None:
    claims = only(suite, "winner", rulesets=["bezique-bicycle"])
    checks = [*of(suite, "bezique-hoyle"), *of(suite, "bezique-bicycle")][::5]
    asked = all_asked(claims, checks)
    assert {each.check.ruleset for each in asked} == {"bezique-bicycle"}
    names = [each.check.id for each in asked]
    assert names == sorted(names, key=[check.id for check in checks].index)
    assert asked == all_asked(claims, checks)


@pytest.mark.parametrize("claimed", ["bezique-hoyle", "mine"])
def test_house_rules_put_the_questions_of_their_base(suite: Suite, claimed: str) -> None:
    """Under whichever name they are claimed, an engine that can take no act is asked of its base what it is asked."""
    house = house_rules_from(suite, load("id: mine\nextends: bezique-hoyle\n", "mine.yaml")).joined(suite)
    topics = {"declare", "tricks", "last-tricks"}
    under, base = (
        [check for check in of(house, name) if check.scenario.topic in topics] for name in ("mine", "bezique-hoyle")
    )
    asked = chosen(only(house, "winner", "worth", rulesets=[claimed]), under)
    of_base = chosen(only(suite, "winner", "worth"), base)
    assert asked == {name.replace("@bezique-hoyle", "@mine"): which for name, which in of_base.items()}
    assert len(asked) > 20


def test_no_question_comes_from_an_act_that_may_not_put_it(suite: Suite) -> None:
    """What an act may put is looked up before a check is played, and must be all that it puts."""
    found = set[str]()
    for check in of(suite, "piquet-rubicon-parlett")[::2]:
        asked, steps = made_of(suite, check), planner_of(suite).request(check).message["steps"]
        put_ = set(map(suite.capabilities.word, asked.steps)) if asked else set()
        assert put_ <= question_words(suite.capabilities, steps), check.id
        found |= put_
    assert len(found) >= 3


def knows_no_card(message: Mapping[str, Any]) -> Any:
    """The answer of an engine by which no card may be played."""
    if message["type"] == "hello":
        ready = {"protocol": 1, "name": "wrong", "version": "1", "language": "Python"}
        return {"type": "ready", **ready, "rulesets": ["bezique-h2g2"], "claims": ["playable"]}
    return {"type": "observed", "seq": message["seq"], "steps": [{"answer": []} for _ in message["steps"]]}


def test_a_failure_says_which_step_a_question_was_made_of(suite: Suite) -> None:
    """Its place in the file is that step's, and its steps are the questions."""
    origins = {
        "irregular.a-trump-that-is-due-is-not-played-at-rubicon@rubicon-hoyle": "as the question of step 2",
        "last-tricks.need-not-win@bezique-bicycle": "as a question made of step 2",
    }
    for name, origin in origins.items():
        check = suite.index.checks[name]
        checker = Checker.with_questions(only(suite, "playable"), [check])
        own = AdapterRun(checker, ChecksInFlight(InProcess(Wire(suite.schemas), knows_no_card)))
        (cause,) = group_failures(suite, [own.judge(own.run(1, check))])
        context = FailureContext(suite, "wrong", ["hoyle", "check"], ["./wrong"])
        shown = list(failure_lines(failure_view(context, cause.example, cause.cell)))
        assert f"  asked     {origin}" in shown
        line = check.scenario.document.line_of(["steps", int(origin[-1]) - 1])
        assert f"  {check.scenario.file}:{line}" in shown


def test_an_example_engine_answers_as_the_reference_does(suite: Suite) -> None:
    answers_as_the_reference_does(suite, [sys.executable, str(ROOT / "conformance/adapters/python/tricks.py")])


def answers_as_the_reference_does(suite: Suite, command: list[str]) -> None:
    """What is derived comes from the reference; engines that are independent of it agree."""
    engine = Command(Wire(suite.schemas, suite.version), command, HANGS)
    claims = Claims(suite, replace(engine.introduce(), position="none"))
    checks = [check for check in map(Relabeller(suite), suite.index.checks.values()) if "+" not in check.ruleset]
    asked = [each for each in all_asked(claims, checks) if each.check.origins]
    assert len(asked) > 30
    for number, each in enumerate(asked, start=1):
        response = engine.run(number, each.plan.message)
        assert response.kind == "observed"
        result = judge(each.check, each.plan, response.steps, trusted=True)
        assert result.status is Status.PASS, (each.check.id, result)
    engine.close()


def test_where_hoyle_cannot_make_questions_of_a_check_that_check_alone_is_an_error(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes wrong while the questions are chosen, before the run begins, is told where the check is asked."""
    first, second = list(chosen(only(suite, "playable"), of(suite, "bezique-h2g2")))[:2]
    checks = [suite.index.checks[each] for each in (first, second)]

    def failing(suite: Suite, check: Check, *about: Any) -> Any:
        if check.id == second:
            raise ZeroDivisionError
        return find_questions(suite, check, *about)

    monkeypatch.setattr(making, "find_questions", failing)
    became = {each.check.id: each for each in run(suite, InProcess(Wire(suite.schemas), knows_no_card), checks).results}
    assert became[second].code == guarding.OWN_FAULT
    assert became[first].code != guarding.OWN_FAULT
    assert Counter(each.code for each in became.values())[guarding.OWN_FAULT] == 1
