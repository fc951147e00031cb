"""Questions in place of an unsupported check: those in it that stand alone, for an engine that cannot take its steps.

The outcome of a scenario is derived from the source; the answer to a question that is derived from its acts is the
reference's. So such a question is sent only if the reference takes the course that the scenario expects, and no reading
of any disputed rule gives another answer.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.adapt.adapt import CheckAdapter, plays
from hoyle_conformance.checks.adapt.adapted import Adapted, with_steps
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.standalone import StandaloneKeys, answer_standalone
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.compare import comparable, face
from hoyle_conformance.runner.consensus import other_ways
from hoyle_conformance.runner.derive_questions import (
    StandaloneQuestion,
    course_steps,
    derived_questions,
    own_questions,
    question_words,
)
from hoyle_conformance.runner.guard import or_else
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.capabilities import Capabilities
from hoyle_conformance.suite.model import Check, Expected, Origin
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Malformed

#: The places of the questions if Hoyle fails to find them: it fails again when the check is sent, and reports that.
_FIRST: Final[tuple[int, ...]] = (0,)
#: The answer of readings that differ.
_DIFFERENT: Final = object()


class Questions(dict[str, tuple[int, ...]]):
    """The questions that are sent in place of unsupported checks, by the ids of the checks and their places in them;
    and the checks as these, as far as they were `made` in this process."""

    def __init__(self, which: Mapping[str, tuple[int, ...]] = MappingProxyType({})) -> None:
        super().__init__(which)
        self.made: dict[str, Adapted] = {}

    def __reduce__(self) -> tuple[type["Questions"], tuple[dict[str, tuple[int, ...]]]]:
        return Questions, (dict(self),)  # what was made is made anew sooner than it is read


class _Question(NamedTuple):
    """A question with the answer that each branch of its check expects, and its origin."""

    asks: Mapping[str, Any]
    answers: Mapping[str, Any]
    origin: Origin


def as_questions(suite: Suite, check: Check, plan: RunRequest, words: frozenset[str]) -> Adapted | None:
    """Return a check as the questions in it that stand alone and are among these words: its own, and those that its
    acts lead to; None if there are none, or the reference does not take the course that is expected."""
    standalone_keys, fresh = StandaloneKeys(suite.schemas), suite.rules.fresh_game(check.ruleset)
    traced = trace(fresh.rules, plan.message)
    result = judge(check, plan, [each.observation for each in traced], trusted=True)
    if check.follows not in result.readings:
        return None
    steps = course_steps(check, plan, traced)
    word = suite.capabilities.word
    own = (each for each in own_questions(standalone_keys, fresh.rules, steps) if word(each.question) in words)
    derived = (
        each for each in derived_questions(standalone_keys, fresh, check.cites, steps) if word(each.question) in words
    )
    questions = [
        *(_as_expected(suite, check, each) for each in own),
        *(_as_agreed(suite, check, each) for each in derived),
    ]
    found = sorted((each for each in questions if each is not None), key=lambda each: each.origin.step)
    return _as_questions(suite.capabilities, check, plan, _each_once(found, set())) if found else None


def choose_questions(check_adapter: CheckAdapter, checks: Iterable[Check]) -> Questions:
    """Return the questions that are sent in place of unsupported checks: each once under a ruleset, in the order of the
    checks."""
    suite, info = check_adapter.suite, check_adapter.info
    if StandaloneKeys(suite.schemas).words.isdisjoint(info.claims):
        return Questions()
    before: defaultdict[str, set[str]] = defaultdict(set)
    others: list[Check] = []
    for check in checks:
        request = or_else(None, check_adapter.adapt_ahead, check) if plays(suite, info, check.ruleset) else None
        if isinstance(request, Adapted):
            before[check.ruleset].update(_alike(step) for step in request.plan.message["steps"] if "ask" in step)
        elif request:
            others.append(check)
    questions = Questions()
    for check in others:
        which = or_else(_FIRST, _new, suite, info, check, before[check.ruleset], questions.made)
        if which:
            questions[check.id] = which
    return questions


def pose_questions(suite: Suite, info: AdapterInfo, check: Check, questions: Questions) -> Adapted:
    """Return a check as those of the questions in it that are sent."""
    if check.id not in questions.made:
        whole = as_questions(suite, check, planner_of(suite).request(check), info.claims)
        assert whole, "questions that were chosen are there"
        found = _asked_in(whole)
        those = [found[at] for at in questions[check.id]]
        questions.made[check.id] = _as_questions(suite.capabilities, check, whole.plan, those)
    return questions.made[check.id]


def _new(suite: Suite, info: AdapterInfo, check: Check, before: set[str], made: dict[str, Adapted]) -> tuple[int, ...]:
    """Return the places of the questions of a check that are not among those before, which they join; the check is made
    of these."""
    plan = planner_of(suite).request(check)
    may_put = not question_words(suite.capabilities.word, plan.message["steps"]).isdisjoint(info.claims)
    whole = as_questions(suite, check, plan, info.claims) if may_put else None
    found = _asked_in(whole) if whole else []
    new = _each_once(found, before)
    if whole and new:
        made[check.id] = _as_questions(suite.capabilities, check, whole.plan, new)
    return tuple(at for at, each in enumerate(found) if any(each is other for other in new))


def _as_expected(suite: Suite, check: Check, standalone: StandaloneQuestion) -> _Question | None:
    """Return a question of the check's own, with the answers that it expects; None if a reading leads to another
    position, in which they would not be the answers to this."""
    ways = {each.name: each.cells for each in check.readings} if check.follows else {"": {}}
    answers = {name: expected[standalone.step]["answer"] for name, expected in check.branches.items()}
    for name, answer in answers.items():
        if comparable(_answered(suite.rules.fresh_game(check.ruleset, ways[name]), standalone)) != comparable(answer):
            return None
    return _Question(standalone.question, answers, Origin(standalone.step, derived=False))


def _as_agreed(suite: Suite, check: Check, standalone: StandaloneQuestion) -> _Question | None:
    """Return a question that an act leads to, with the reference's answer, if all readings of all disputed rules agree
    on it."""
    named = [dict(each.cells) for each in check.readings if check.follows]
    known, key = suite.derived(_agreed_answers), (check.ruleset, json.dumps([named, standalone.question]))
    if key not in known:
        known[key] = _agreed(suite, check, standalone)
    if known[key] is _DIFFERENT:
        return None
    return _Question(
        standalone.question, dict.fromkeys(check.branches, known[key]), Origin(standalone.step, derived=True)
    )


def _agreed_answers(_suite: Suite) -> dict[tuple[str, str], Any]:
    """Return a new cache of the answers on which all readings agree, by ruleset and question."""
    return {}


def _agreed(suite: Suite, check: Check, standalone: StandaloneQuestion) -> Any:
    """Return the answer of all readings, or that they differ."""
    answer = _answered(suite.rules.fresh_game(check.ruleset), standalone)
    others = (suite.rules.fresh_game(check.ruleset, ways) for ways in other_ways(suite, check))
    return (
        _DIFFERENT if any(comparable(_answered(each, standalone)) != comparable(answer) for each in others) else answer
    )


def _answered(fresh: Game, standalone: StandaloneQuestion) -> Any:
    """Return the reference's answer, or `{"malformed": …}` if these rules have no such question."""
    try:
        return answer_standalone(fresh, standalone.question)
    except Malformed as error:
        return {"malformed": str(error)}


def _each_once(questions: Sequence[_Question], before: set[str]) -> list[_Question]:
    """Return the questions that are not among those before, which they join."""
    found = []
    for each in questions:
        key = _alike(each.asks)
        if key not in before:
            before.add(key)
            found.append(each)
    return found


#: Cards without an order; and questions to which the player does not matter.
_IN_NO_ORDER: Final = frozenset(
    {("playable", "hand"), ("worth", "cards"), ("counted", "cards"), ("declarable", "hand")}
)
_OF_ANYBODY: Final = frozenset({"playable", "winner", "declarable"})


def _alike(question: Mapping[str, Any]) -> str:
    """Return what a question has in common with those that differ from it only in the copies and the order of cards."""

    def plain(value: Any, *, in_order: bool) -> Any:
        if isinstance(value, Mapping):
            return {key: plain(each, in_order=False) for key, each in value.items()}
        if isinstance(value, list):
            return list(map(face, value)) if in_order else sorted(map(face, value))
        return value

    ask = question["ask"]
    plain_question = {key: plain(each, in_order=(ask, key) not in _IN_NO_ORDER) for key, each in question.items()}
    plain_question["by"] = "" if ask in _OF_ANYBODY else plain_question.get("by", "")
    return json.dumps(plain_question, sort_keys=True)


def _asked_in(request: Adapted) -> list[_Question]:
    """Return the questions of a check that was made of them."""
    check, steps = request.check, request.plan.message["steps"]
    return [
        _Question(step, {name: expected[at]["answer"] for name, expected in check.branches.items()}, origin)
        for at, (step, origin) in enumerate(zip(steps, check.origins, strict=True), start=1)
    ]


def _as_questions(
    capabilities: Capabilities, check: Check, plan: RunRequest, questions: Sequence[_Question]
) -> Adapted:
    """Return the check with these questions for its steps, and its request."""
    steps = [each.asks for each in questions]
    branches: dict[str, Expected] = {
        name: {at: {"answer": each.answers[name]} for at, each in enumerate(questions, start=1)}
        for name in check.branches
    }
    scenario = replace(
        check.scenario,
        steps=tuple(steps),
        outcomes=tuple(
            replace(each, rulesets=(check.ruleset,), expect=branches[""])
            for each in check.scenario.outcomes
            if not check.follows and check.ruleset in each.rulesets
        ),
        readings=tuple(replace(each, expect=branches[each.name]) for each in check.readings if check.follows),
    )
    origins = tuple(each.origin for each in questions)
    message = with_steps({**plan.message, "observe": []}, steps)
    needs = capabilities.needed({}, steps, (), steps)
    plan = RunRequest(message, tuple(range(1, len(steps) + 1)), needs, plan.seats, plan.turned)
    return Adapted(replace(check, scenario=scenario, branches=branches, origins=origins), plan)
