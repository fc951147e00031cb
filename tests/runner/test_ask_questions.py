"""Checks made into questions, for engines that cannot take their steps."""

import pickle
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from conftest import HANGS, ROOT
from hoyle_conformance.checks.adapt import adapt as adapt_module
from hoyle_conformance.checks.adapt.adapt import CheckAdapter, adapt
from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.standalone import StandaloneKeys, answer_standalone
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.protocol.adapters import Command, InProcess
from hoyle_conformance.protocol.messages import AdapterInfo, Wire
from hoyle_conformance.reports.failure import FailureContext, failure_view
from hoyle_conformance.runner import ask_questions as making
from hoyle_conformance.runner import guard as guarding
from hoyle_conformance.runner.ask_questions import as_questions, choose_questions, pose_questions
from hoyle_conformance.runner.checker import Checker
from hoyle_conformance.runner.compare import comparable
from hoyle_conformance.runner.consensus import other_ways
from hoyle_conformance.runner.derive_questions import question_words
from hoyle_conformance.runner.group_failures import group_failures
from hoyle_conformance.runner.in_flight import ChecksInFlight
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Status
from hoyle_conformance.runner.runner import AdapterRun, run
from hoyle_conformance.suite.model import Check, Expected, Origin
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules.load import house_rules_from
from hoyle_conformance.wording.failure_view import failure_lines

pytestmark = pytest.mark.slow

WORDS = frozenset({"playable", "winner", "worth", "class-winner", "trick-points", "counted", "settlement", "reckoning"})


def of(suite: Suite, ruleset: str) -> list[Check]:
    return [check for check in suite.index.checks.values() if check.ruleset == ruleset]


def all_asked(suite: Suite, ready: AdapterInfo, checks: Sequence[Check]) -> list[Adapted]:
    """All that an implementation is asked: the checks that can be put to it, and the questions of the others."""
    questions, found = choose_questions(CheckAdapter(suite, ready), checks), list[Adapted]()
    for check in checks:
        asked = adapt(suite, ready, check)
        if isinstance(asked, Adapted):
            found.append(asked)
        elif check.id in questions:
            found.append(pose_questions(suite, ready, check, questions))
    return found


def made(suite: Suite, name: str, *words: str) -> Adapted | None:
    check = suite.index.checks[name]
    return as_questions(suite, check, planner_of(suite).request(check), frozenset(words))


def asks(asked: Adapted | None) -> list[tuple[Origin, dict[str, object], object]]:
    """Each question with its origin, without what it tells of trumps and drawing, and the answer expected."""
    assert asked is not None
    answers = [asked.check.expect[at]["answer"] for at in range(1, len(asked.plan.message["steps"]) + 1)]
    told = [
        {key: value for key, value in step.items() if key not in {"trumps", "drawing"}}
        for step in asked.plan.message["steps"]
    ]
    return list(zip(asked.check.origins, told, answers, strict=True))


@pytest.mark.parametrize("ruleset", ["bezique-h2g2", "four-handed-h2g2", "piquet-rubicon-parlett"])
def test_a_question_made_stands_alone_and_no_reading_answers_it_otherwise(suite: Suite, ruleset: str) -> None:
    """What the check asks itself has the answers of its branches; what is derived has one, under every reading."""
    standalone_keys, fresh_game, derived = StandaloneKeys(suite.schemas), suite.rules.fresh_game(ruleset), 0
    for check in map(Relabeller(suite), of(suite, ruleset)):
        asked = as_questions(suite, check, planner_of(suite).request(check), WORDS)
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


def test_a_play_refused_for_a_duty_becomes_playable(suite: Suite) -> None:
    question = {"ask": "playable", "by": "B", "hand": ["8S", "AS"], "led": ["KS"]}
    (asked,) = asks(made(suite, "last-tricks.need-not-win@bezique-bicycle", "playable"))
    assert asked == (Origin(2, derived=True), question, ["AS"])


def test_a_freedom_that_is_cited_becomes_playable(suite: Suite) -> None:
    (asked,) = asks(made(suite, "last-tricks.need-not-win@bezique-hoyle", "playable"))
    assert asked[2] == ["8S", "AS"]
    assert made(suite, "brisques.ace@bezique-hoyle", "playable") is None


def test_a_trick_becomes_winner(suite: Suite) -> None:
    found = asks(made(suite, "last-tricks.need-not-win@bezique-hoyle", "winner"))
    assert found == [(Origin(2, derived=True), {"ask": "winner", "by": "A", "cards": ["KS", "8S"]}, "A")]


def test_a_declaration_becomes_worth(suite: Suite) -> None:
    """One that scores, and one that is refused since its cards are no such combination; another refusal says nothing of
    what cards score."""
    (asked,) = asks(made(suite, "to-score.lost-when-its-king-is-played@bezique-hoyle", "worth"))
    assert asked == (Origin(1, derived=True), {"ask": "worth", "meld": "bezique", "cards": ["QS", "JD"]}, 40)
    refused = asks(made(suite, "melds.refused-marriage@bezique-hoyle", "worth"))
    assert {answer for _, _, answer in refused} == {0}


def test_a_class_that_is_called_becomes_class_winner(suite: Suite) -> None:
    (asked,) = asks(made(suite, "set.four-tens-beat-three-aces@piquet-rubicon-parlett", "class-winner"))
    assert (asked[0], asked[1]["class"], asked[2]) == (Origin(2, derived=True), "set", "B")


@pytest.mark.parametrize(
    ("step", "expected"),
    [(1, {"turn": "B"}), (2, {"turn": "A"}), (5, {"scores": {"B": 14}})],
    ids=str,
)
def test_whatever_a_check_says_of_a_class_asks_whose_it_is(suite: Suite, step: int, expected: dict[str, Any]) -> None:
    """Of its being announced, of the answer, or of the combination that is declared for it."""
    check = suite.index.checks["set.four-tens-beat-three-aces@piquet-rubicon-parlett"]
    refused: Expected = {3: {"refused": "class-not-won"}} if step > 2 else {}
    steps = check.scenario.steps[: max(step, 2)]
    of_one = replace(check, scenario=replace(check.scenario, steps=steps), branches={"": {**refused, step: expected}})
    (asked,) = asks(as_questions(suite, of_one, planner_of(suite).request(of_one), frozenset({"class-winner"})))
    assert (asked[0], asked[1]["class"], asked[2]) == (Origin(2, derived=True), "set", "B")
    of_none = replace(check, branches={"": {4: {"scores": {"A": 1}}}})
    assert as_questions(suite, of_none, planner_of(suite).request(check), frozenset({"class-winner"})) is None


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


def test_a_class_that_is_sunk_is_no_question(suite: Suite) -> None:
    """Elder has the best sequence and calls another, which is beaten: what is decided is not what the hands say."""
    assert made(suite, "sinking.a-sequence@piquet-rubicon-parlett", "class-winner") is None
    (asked,) = asks(made(suite, "sinking.a-lesser-sequence-called@piquet-rubicon-parlett", "class-winner"))
    assert (asked[1]["class"], asked[2]) == ("sequence", "A")


def test_tricks_become_trick_points(suite: Suite) -> None:
    (asked,) = asks(made(suite, "trick-points.a-capture-scores-one@piquet-rubicon-parlett", "trick-points"))
    question = {"ask": "trick-points", "by": "A", "cards": ["9S", "AS", "8D", "AD"]}
    assert asked == (Origin(4, derived=True), question, {"A": 2, "B": 2})


def test_what_readings_differ_in_is_asked_only_by_the_check_itself(suite: Suite) -> None:
    """Whether one must trump, h2g2 leaves open: the question that a scenario asks has an answer for each reading, and
    an act puts none."""
    own = made(suite, "last-tricks.whole-hand-without-the-suit@bezique-h2g2", "playable")
    assert own is not None
    assert own.check.branches == {"must": {1: {"answer": ["AH"]}}, "free": {1: {"answer": ["AH", "AC", "7D"]}}}
    assert [origin.derived for origin in own.check.origins] == [False]
    assert made(suite, "last-tricks.need-not-trump@bezique-h2g2", "playable") is None
    assert made(suite, "last-tricks.need-not-trump@bezique-hoyle", "playable") is not None


def test_nothing_is_derived_from_what_is_irregular_on(suite: Suite) -> None:
    check = next(
        check
        for check in of(suite, "rubicon-hoyle")
        if check.scenario.topic == "irregular" and any("irregular" in step for step in check.scenario.steps)
    )
    at = next(number for number, step in enumerate(check.scenario.steps, 1) if "irregular" in step)
    asked = as_questions(suite, check, planner_of(suite).request(check), WORDS)
    assert asked is None or all(origin.step < at for origin in asked.check.origins)


def test_nothing_is_asked_where_the_reference_takes_another_course(suite: Suite) -> None:
    check = suite.index.checks["last-tricks.need-not-win@bezique-hoyle"]
    other = replace(check, branches={"": {2: {"trick_won_by": "B"}}})
    assert as_questions(suite, other, planner_of(suite).request(check), WORDS) is None


def test_nothing_is_asked_where_the_reference_refuses_an_act_for_another_reason(suite: Suite) -> None:
    check = suite.index.checks["last-tricks.need-not-win@bezique-bicycle"]
    for reason, is_asked in (("must-win", True), ("must-follow-suit", False)):
        of_that = replace(check, branches={"": {2: {"refused": reason}}})
        assert (as_questions(suite, of_that, planner_of(suite).request(check), WORDS) is not None) == is_asked


def test_an_own_question_in_a_position_that_a_reading_does_not_reach_is_left_out(suite: Suite) -> None:
    check = suite.index.checks["last-tricks.whole-hand-without-the-suit@bezique-h2g2"]
    branches = {**check.branches, "free": {1: {"answer": []}}}
    assert as_questions(suite, replace(check, branches=branches), planner_of(suite).request(check), WORDS) is None


def test_the_same_question_is_asked_once_of_a_ruleset(suite: Suite) -> None:
    """A check that comes again under another name asks nothing new; the same position under another ruleset does."""
    checks = [suite.index.checks[f"declare.bezique@{name}"] for name in ("bezique-hoyle", "bezique-bicycle")]
    again = [replace(each, scenario=replace(each.scenario, id="declare.again")) for each in checks]
    ready = only(suite, "worth")
    asked = choose_questions(CheckAdapter(suite, ready), [*checks, *again])
    assert set(asked) == {each.id for each in checks}
    assert asked == choose_questions(CheckAdapter(suite, ready), checks)


def test_what_all_readings_answer_is_found_out_once(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    """And again for a check that names readings of its own."""
    found: list[str] = []
    plain = making._agreed

    def agreed(suite: Suite, check: Check, standalone: making.StandaloneQuestion) -> object:
        found.append(check.id)
        return plain(suite, check, standalone)

    monkeypatch.setattr(making, "_agreed", agreed)
    anew = replace(suite)
    check = anew.index.checks["seven.after-a-declaration@bezique-hoyle"]
    assert check.follows
    decided = replace(check, follows="", branches={"": check.expect})
    for each, times in ((check, 1), (check, 1), (decided, 2), (decided, 2)):
        asked = as_questions(anew, each, planner_of(anew).request(check), WORDS)
        assert asked is not None
        derived = sum(origin.derived for origin in asked.check.origins)
        assert derived
        assert len(found) == times * derived


def test_a_check_is_made_of_its_questions_once(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process, which is told only which they are, makes the same."""
    ready, check = only(suite, "worth"), suite.index.checks["declare.bezique@bezique-hoyle"]
    questions = choose_questions(CheckAdapter(suite, ready), [check])
    told = pickle.loads(pickle.dumps(questions))  # noqa: S301 -- it was written just now
    assert told == questions
    assert told.made == {}
    there = pose_questions(suite, ready, check, told)
    monkeypatch.setattr(making, "as_questions", None)
    assert pose_questions(suite, ready, check, questions) == there == pose_questions(suite, ready, check, told)


HAND = {"ask": "playable", "by": "A", "hand": ["KS", "AS", "9D"], "led": ["QS", "JS"], "trumps": "H", "drawing": False}
WORTH = {"ask": "worth", "by": "A", "meld": "bezique", "cards": ["QS", "JD"], "trumps": "H"}
WHOSE = {"ask": "class-winner", "by": "A", "class": "set", "hands": {"A": ["AS", "AH"], "B": ["TS", "TH"]}}
WON = {"ask": "winner", "by": "A", "cards": ["KS", "AS"], "trumps": "H"}


@pytest.mark.parametrize(
    ("question", "otherwise", "same"),
    [
        (HAND, {"hand": ["9D", "AS#2", "KS"]}, True),
        (HAND, {"by": "B"}, True),
        (HAND, {"hand": ["9D", "AS", "QS"]}, False),
        (HAND, {"led": ["JS", "QS"]}, False),
        (HAND, {"led": ["QS#2", "JS"]}, True),
        (HAND, {"trumps": "D"}, False),
        (HAND, {"drawing": True}, False),
        (WORTH, {"cards": ["JD", "QS#2"]}, True),
        (WORTH, {"meld": "double-bezique"}, False),
        (WORTH, {"by": "B"}, False),
        (WHOSE, {"hands": {"A": ["AH", "AS"], "B": ["TH", "TS"]}}, True),
        (WHOSE, {"hands": {"B": ["AS", "AH"], "A": ["TS", "TH"]}}, False),
        (WHOSE, {"by": "B"}, False),
        (WON, {"cards": ["AS", "KS"]}, False),
        (WON, {"cards": ["KS#2", "AS"], "by": "B"}, True),
    ],
    ids=lambda value: (
        str(value) if isinstance(value, bool) else "-".join(value) if "ask" not in value else value["ask"]
    ),
)
def test_questions_are_the_same_but_for_what_does_not_matter(
    question: dict[str, Any], otherwise: dict[str, Any], same: bool
) -> None:
    """Neither which copy of a card it is, nor in what order cards are held; nor, where the rest tells it, who is asked.
    In what order cards are played matters."""
    other = dict(reversed({**question, **otherwise}.items()))
    assert (making._alike(other) == making._alike(question)) == same


def test_what_a_check_asks_itself_is_not_asked_beside_it(suite: Suite) -> None:
    """A question that stands in a check which can be put is not derived from another one."""
    asks, acts = suite.index.checks["melds.bezique@bezique-hoyle"], suite.index.checks["declare.bezique@bezique-hoyle"]
    ready = only(suite, "worth")
    derived = choose_questions(CheckAdapter(suite, ready), [acts])
    steps = tuple(pose_questions(suite, ready, acts, derived).plan.message["steps"])
    expected = {at: {"answer": 40} for at in range(1, len(steps) + 1)}
    beside = replace(asks, scenario=replace(asks.scenario, steps=steps), branches={"": expected})
    assert choose_questions(CheckAdapter(suite, ready), [beside, acts]) == {}


def only(suite: Suite, *words: str) -> AdapterInfo:
    """What an implementation says that answers these questions, and is set up in no position."""
    return AdapterInfo("asked", "1", "Python", frozenset(suite.rulesets), frozenset(words), position="none")


def test_an_engine_with_a_legal_moves_function_alone_is_asked_hundreds_of_checks(suite: Suite) -> None:
    """The figure, for each table: how many checks it is asked as they stand, and with the questions of the others."""
    total = 0
    for ruleset in suite.rulesets:
        asked = all_asked(suite, only(suite, "playable"), of(suite, ruleset))
        before = sum(not each.check.origins for each in asked)
        print(f"{ruleset}: {before} before, {len(asked)} now")
        assert len(asked) > 2 * before
        assert {step["ask"] for each in asked for step in each.plan.message["steps"]} == {"playable"}
        total += len(asked)
    assert total > 400


def test_all_that_is_asked_is_of_rulesets_that_are_claimed_and_always_the_same(suite: Suite) -> None:
    ready = replace(only(suite, "winner"), rulesets=frozenset({"bezique-bicycle"}))
    checks = [*of(suite, "bezique-hoyle"), *of(suite, "bezique-bicycle")]
    asked = all_asked(suite, ready, checks)
    assert {each.check.ruleset for each in asked} == {"bezique-bicycle"}
    names = [each.check.id for each in asked]
    assert names == sorted(names, key=[check.id for check in checks].index)
    assert asked == all_asked(suite, ready, checks)


@pytest.mark.parametrize("claimed", ["bezique-hoyle", "mine"])
def test_house_rules_put_the_questions_of_their_base(suite: Suite, claimed: str) -> None:
    """Under whichever name they are claimed, an engine that can take no act is asked of its base what it is asked."""
    house = house_rules_from(suite, load("id: mine\nextends: bezique-hoyle\n", "mine.yaml")).joined(suite)
    topics = {"declare", "tricks", "last-tricks"}
    under, base = (
        [check for check in of(house, name) if check.scenario.topic in topics] for name in ("mine", "bezique-hoyle")
    )
    asked = choose_questions(
        CheckAdapter(house, replace(only(suite, "winner", "worth"), rulesets=frozenset({claimed}))), under
    )
    of_base = choose_questions(CheckAdapter(suite, only(suite, "winner", "worth")), base)
    assert asked == {name.replace("@bezique-hoyle", "@mine"): which for name, which in of_base.items()}
    assert len(asked) > 20


@pytest.mark.parametrize("ruleset", ["bezique-h2g2", "piquet-rubicon-parlett"])
def test_no_question_comes_from_an_act_that_may_not_put_it(suite: Suite, ruleset: str) -> None:
    """What an act may put is looked up before a check is played, and must be all that it puts."""
    found = set[str]()
    for check in of(suite, ruleset):
        plan = planner_of(suite).request(check)
        asked = as_questions(suite, check, plan, WORDS)
        put_ = set(map(suite.capabilities.word, asked.plan.message["steps"])) if asked else set()
        assert put_ <= question_words(suite.capabilities.word, plan.message["steps"]), check.id
        found |= put_
    assert len(found) >= 3


def test_a_check_is_put_once_in_a_run(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    times = Counter[str]()

    def counting(suite: Suite, ready: AdapterInfo, check: Check) -> Adapted | Unsupported:
        times[check.id] += 1
        return adapt(suite, ready, check)

    monkeypatch.setattr(adapt_module, "adapt", counting)
    checks = of(suite, "bezique-hoyle")[::20]
    reference = Reference(suite)
    done = run(suite, InProcess(Wire(suite.schemas, suite.version), reference), checks)
    assert all(each.status is Status.PASS for each in done.results)
    assert times == {check.id: 1 for check in checks}


def test_a_failure_says_which_step_a_question_was_made_of(suite: Suite) -> None:
    """Its place in the file is that step's, and its steps are the questions."""

    def wrong(message: Mapping[str, Any]) -> Any:
        if message["type"] == "hello":
            ready = {"protocol": 1, "name": "wrong", "version": "1", "language": "Python"}
            return {"type": "ready", **ready, "rulesets": ["bezique-h2g2"], "claims": ["playable"]}
        return {"type": "observed", "seq": message["seq"], "steps": [{"answer": []} for _ in message["steps"]]}

    origins = {
        "irregular.a-trump-that-is-due-is-not-played-at-rubicon@rubicon-hoyle": "as the question of step 2",
        "last-tricks.need-not-win@bezique-bicycle": "as a question made of step 2",
    }
    for name, origin in origins.items():
        check, ready = suite.index.checks[name], only(suite, "playable")
        engine, questions = InProcess(Wire(suite.schemas), wrong), choose_questions(CheckAdapter(suite, ready), [check])
        own = AdapterRun(Checker(CheckAdapter(suite, ready), questions), ChecksInFlight(engine))
        (cause,) = group_failures(suite, [own.judge(own.run(1, check))])
        context = FailureContext(suite, "wrong", ["hoyle", "check"], ["./wrong"])
        shown = list(failure_lines(failure_view(context, cause.example, cause.cell)))
        assert f"  asked     {origin}" in shown
        step = int(origin[-1])
        line = check.scenario.document.line_of(["steps", step - 1])
        assert f"  {check.scenario.file}:{line}" in shown


def test_an_example_engine_answers_as_the_reference_does(suite: Suite) -> None:
    answers_as_the_reference_does(suite, [sys.executable, str(ROOT / "conformance/adapters/python/tricks.py")])


def answers_as_the_reference_does(suite: Suite, command: list[str]) -> None:
    """What is derived comes from the reference; engines that are independent of it agree."""
    engine = Command(Wire(suite.schemas, suite.version), command, HANGS)
    ready = replace(engine.introduce(), position="none")
    checks = [check for check in map(Relabeller(suite), suite.index.checks.values()) if "+" not in check.ruleset]
    asked = [each for each in all_asked(suite, ready, checks) if each.check.origins]
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

    def engine(message: Mapping[str, Any]) -> Any:
        if message["type"] == "hello":
            ready = {"protocol": 1, "name": "shows nothing", "version": "1", "language": "Python"}
            return {"type": "ready", **ready, "rulesets": ["bezique-h2g2"], "claims": ["playable"]}
        return {"type": "observed", "seq": message["seq"], "steps": [{"answer": []} for _ in message["steps"]]}

    checks = of(suite, "bezique-h2g2")
    found = choose_questions(CheckAdapter(suite, only(suite, "playable")), checks)
    first, second = list(found)[:2]

    def failing(suite: Suite, check: Check, prepared: RunRequest, words: frozenset[str]) -> Adapted | None:
        if check.id == second:
            raise ZeroDivisionError
        return as_questions(suite, check, prepared, words)

    monkeypatch.setattr(making, "as_questions", failing)
    became = {each.check.id: each for each in run(suite, InProcess(Wire(suite.schemas), engine), checks).results}
    assert became[second].code == guarding.OWN_FAULT
    assert became[first].code != guarding.OWN_FAULT
    assert Counter(each.code for each in became.values())[guarding.OWN_FAULT] == 1
