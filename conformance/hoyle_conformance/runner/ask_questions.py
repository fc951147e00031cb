"""Questioning: a check as questions that stand alone, for an engine that cannot take its steps.

The outcome of a scenario is derived from the source; the answer to a question that is derived from its acts is the
reference's. So such a question is put only where the reference takes the course that the scenario expects, and no
reading of any disputed rule gives another answer.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.adapt.adapt import Putting, plays
from hoyle_conformance.checks.adapt.adapted import Adapted, sending
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.standalone import Alone, answered
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.compare import comparable, face
from hoyle_conformance.runner.consensus import other_ways
from hoyle_conformance.runner.derive_questions import StandaloneQuestion, course, derived, own, words_put
from hoyle_conformance.runner.guard import or_else
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.capabilities import Capabilities
from hoyle_conformance.suite.model import Check, Expected, Origin
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Malformed

#: What fails here fails again when the check is asked, and is told there.
_FIRST: Final[tuple[int, ...]] = (0,)
#: Stands for answers that are not the same.
_DIFFERENT: Final = object()


class Questions(dict[str, tuple[int, ...]]):
    """Of the checks that cannot be put to an implementation, by their ids, which of the questions in them it is asked;
    and the checks as these, as far as they were `made` in this process."""

    def __init__(self, which: Mapping[str, tuple[int, ...]] = MappingProxyType({})) -> None:
        super().__init__(which)
        self.made: dict[str, Adapted] = {}

    def __reduce__(self) -> tuple[type["Questions"], tuple[dict[str, tuple[int, ...]]]]:
        return Questions, (dict(self),)  # what was made is made anew sooner than it is read


class _Question(NamedTuple):
    """A question with the answer that each branch of its check expects, and where it comes from."""

    asks: Mapping[str, Any]
    answers: Mapping[str, Any]
    origin: Origin


def questioning(suite: Suite, check: Check, prepared: RunRequest, words: frozenset[str]) -> Adapted | None:
    """A check as the questions in it that stand alone and are among these words: those that it asks, and those that its
    acts put; nothing where there are none, or the reference does not take the course that is expected."""
    alone, fresh_game = Alone(suite.schemas), suite.rules.fresh_game(check.ruleset)
    traced = trace(fresh_game.rules, prepared.message)
    result = judge(check, prepared, [each.observation for each in traced], trusted=True)
    if check.follows not in result.readings:
        return None
    taken = course(check, prepared, traced)
    asked = [each for each in own(alone, fresh_game.rules, taken) if each.question["ask"] in words]
    follow = [each for each in derived(alone, fresh_game, check.cites, taken) if each.question["ask"] in words]
    questions = [
        *(_as_expected(suite, check, each) for each in asked),
        *(_as_agreed(suite, check, each) for each in follow),
    ]
    found = sorted((each for each in questions if each is not None), key=lambda each: each.origin.step)
    return _as_questions(suite.capabilities, check, prepared, _each_once(found, set())) if found else None


def new_questions(putting: Putting, checks: Iterable[Check]) -> Questions:
    """Which questions an implementation is asked of the checks that cannot be put to it: each once under a ruleset, in
    the order of the checks."""
    suite, ready = putting.suite, putting.ready
    if Alone(suite.schemas).words.isdisjoint(ready.claims):
        return Questions()
    before: defaultdict[str, set[str]] = defaultdict(set)
    others: list[Check] = []
    for check in checks:
        asked = or_else(None, partial(putting.ahead, check)) if plays(suite, ready, check.ruleset) else None
        if isinstance(asked, Adapted):
            before[check.ruleset].update(_alike(step) for step in asked.plan.message["steps"] if "ask" in step)
        elif asked:
            others.append(check)
    questions = Questions()
    for check in others:
        which = or_else(_FIRST, partial(_new, suite, ready, check, before[check.ruleset], questions.made))
        if which:
            questions[check.id] = which
    return questions


def chosen(suite: Suite, ready: AdapterInfo, check: Check, questions: Questions) -> Adapted:
    """A check as those of the questions in it that are asked."""
    if check.id not in questions.made:
        whole = questioning(suite, check, planner_of(suite).request(check), ready.claims)
        assert whole, "questions that were chosen are there"
        found = _asked_in(whole)
        those = [found[at] for at in questions[check.id]]
        questions.made[check.id] = _as_questions(suite.capabilities, check, whole.plan, those)
    return questions.made[check.id]


def _new(suite: Suite, ready: AdapterInfo, check: Check, before: set[str], made: dict[str, Adapted]) -> tuple[int, ...]:
    """Which questions of a check are not among those before, which they join; of these the check is made."""
    plan = planner_of(suite).request(check)
    may_put = not words_put(plan.message["steps"]).isdisjoint(ready.claims)
    whole = questioning(suite, check, plan, ready.claims) if may_put else None
    found = _asked_in(whole) if whole else []
    new = _each_once(found, before)
    if whole and new:
        made[check.id] = _as_questions(suite.capabilities, check, whole.plan, new)
    return tuple(at for at, each in enumerate(found) if any(each is other for other in new))


def _as_expected(suite: Suite, check: Check, put: StandaloneQuestion) -> _Question | None:
    """A question of the check's own, with the answers that it expects; nothing where a reading leads to another
    position, in which they would not be the answers to this."""
    ways = {each.name: each.cells for each in check.readings} if check.follows else {"": {}}
    answers = {name: expected[put.step]["answer"] for name, expected in check.branches.items()}
    for name, answer in answers.items():
        if comparable(_answered(suite.rules.fresh_game(check.ruleset, ways[name]), put)) != comparable(answer):
            return None
    return _Question(put.question, answers, Origin(put.step, derived=False))


def _as_agreed(suite: Suite, check: Check, put: StandaloneQuestion) -> _Question | None:
    """A question that an act puts, with the reference's answer, if all readings of all disputed rules agree on it."""
    named = [dict(each.cells) for each in check.readings if check.follows]
    known, key = suite.derived(_agreed_answers), (check.ruleset, json.dumps([named, put.question]))
    if key not in known:
        known[key] = _agreed(suite, check, put)
    if known[key] is _DIFFERENT:
        return None
    return _Question(put.question, dict.fromkeys(check.branches, known[key]), Origin(put.step, derived=True))


def _agreed_answers(_suite: Suite) -> dict[tuple[str, str], Any]:
    """Return a new cache of the answers on which all readings agree, by ruleset and question."""
    return {}


def _agreed(suite: Suite, check: Check, put: StandaloneQuestion) -> Any:
    """What all readings answer; that they differ, if they do."""
    answer = _answered(suite.rules.fresh_game(check.ruleset), put)
    others = (suite.rules.fresh_game(check.ruleset, ways) for ways in other_ways(suite, check))
    return _DIFFERENT if any(comparable(_answered(each, put)) != comparable(answer) for each in others) else answer


def _answered(fresh_game: Game, put: StandaloneQuestion) -> Any:
    """The answer under these rules; that it is none, where they do not know what is asked."""
    try:
        return answered(fresh_game, put.question)
    except Malformed as error:
        return {"malformed": str(error)}


def _each_once(questions: Sequence[_Question], before: set[str]) -> list[_Question]:
    """Those that are not among the ones before, which they join."""
    found = []
    for each in questions:
        key = _alike(each.asks)
        if key not in before:
            before.add(key)
            found.append(each)
    return found


#: Cards that lie in no order; and questions to which it does not matter who is asked.
_IN_NO_ORDER: Final = frozenset({("playable", "hand"), ("worth", "cards"), ("counted", "cards")})
_OF_ANYBODY: Final = frozenset({"playable", "winner"})


def _alike(question: Mapping[str, Any]) -> str:
    """What a question has in common with those that differ from it only in the copies and the order of cards."""

    def plain(value: Any, *, in_order: bool) -> Any:
        if isinstance(value, Mapping):
            return {key: plain(each, in_order=False) for key, each in value.items()}
        if isinstance(value, list):
            return list(map(face, value)) if in_order else sorted(map(face, value))
        return value

    ask = question["ask"]
    told = {key: plain(each, in_order=(ask, key) not in _IN_NO_ORDER) for key, each in question.items()}
    told["by"] = "" if ask in _OF_ANYBODY else told.get("by", "")
    return json.dumps(told, sort_keys=True)


def _asked_in(asked: Adapted) -> list[_Question]:
    """The questions of a check that was made of them."""
    check, steps = asked.check, asked.plan.message["steps"]
    return [
        _Question(step, {name: expected[at]["answer"] for name, expected in check.branches.items()}, origin)
        for at, (step, origin) in enumerate(zip(steps, check.origins, strict=True), start=1)
    ]


def _as_questions(
    capabilities: Capabilities, check: Check, prepared: RunRequest, questions: Sequence[_Question]
) -> Adapted:
    """The check with these questions for its steps, and what is sent for it."""
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
    message = sending({**prepared.message, "observe": []}, steps)
    needs = capabilities.needed({}, steps, (), steps)
    plan = RunRequest(message, tuple(range(1, len(steps) + 1)), needs, prepared.seats, prepared.turned)
    return Adapted(replace(check, scenario=scenario, branches=branches, origins=origins), plan)
