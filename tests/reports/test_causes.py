"""Failures by cause: what goes wrong in one way is one group, and what goes wrong in two is two."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import FAULTS, Wire
from hoyle_conformance.reports import failure, terminal
from hoyle_conformance.runner.group_failures import group_failures
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Mismatch, Result, Run, Status
from hoyle_conformance.runner.rule_changes import change_rules
from hoyle_conformance.runner.run import run
from hoyle_conformance.runner.select import select
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Rules

pytestmark = pytest.mark.slow

Message = dict[str, Any]
Respond = Callable[[Message], Message]


class Playing(Reference):
    """The reference by other rules, that cannot do everything."""

    def __init__(self, suite: Suite, cells: Mapping[str, Any], without: Sequence[str] = ()) -> None:
        super().__init__(suite)
        self._known, self._cells, self._without = suite, cells, without

    def rules(self, ruleset: str) -> Rules:
        rules = self._known.rules.of(ruleset)
        return change_rules(rules, {path: value for path, value in self._cells.items() if path in rules.cells})

    def _ready(self) -> Message:
        ready = super()._ready()
        return {**ready, "cannot": list(self._without)}


def held(suite: Suite, respond: Respond, checks: Sequence[Check]) -> Run:
    return run(suite, InProcess(Wire(suite.schemas, suite.version), respond), checks)


def spoilt(right: Reference, spoil: Callable[[Message, Message], None]) -> Respond:
    """A reference with each observation spoilt, step by step."""

    def respond(message: Message) -> Message:
        answer = right(message)
        for step, seen in zip(message.get("steps", ()), answer.get("steps", ()), strict=True):
            spoil(step, seen)
        return answer

    return respond


def of_hoyle(suite: Suite, *topics: str) -> list[Check]:
    return list(select(suite, rulesets=["bezique-hoyle"], patterns=list(topics)))


def printed(suite: Suite, done: Run, **how: Any) -> str:
    stream = io.StringIO()
    terminal.print_report(Console(file=stream, width=100), suite, done, again=["hoyle", "check"], **how)
    return stream.getvalue()


def test_what_no_rule_explains_is_said_to_be_unexplained(suite: Suite) -> None:
    """It plays another rule, and takes points for what it refuses, which no rule table can say."""

    def fine(step: Message, seen: Message) -> None:
        if step.get("do") == "declare" and seen.get("accepted") is False:
            seen["score"] = {**seen["score"], step["by"]: seen["score"][step["by"]] - 10}

    engine = spoilt(Playing(suite, {"seven.points": 20}), fine)
    done = held(suite, engine, of_hoyle(suite, "seven", "melds", "reuse"))
    assert "seven.points" in {each.cell for each in done.causes if each.change}
    (unexplained,) = {each.kind for each in done.causes if not each.change}
    assert unexplained == "unchanged score"
    told = printed(suite, done, failures=99)
    assert "The engine plays another rule: " in told
    assert "No rule of the game explains these failures." in told
    assert held(suite, Reference(suite), of_hoyle(suite, "seven")).causes == ()


def test_broken_conversations_come_first_and_are_told_apart_by_what_was_said(suite: Suite) -> None:
    checks = list(suite.index.checks.values())[:6]
    reason, output = FAULTS["crashed"][0] + ": exit code 1", "Traceback\n{}: no card {}\n  frozen"
    results = [
        Result(checks[0], Status.FAIL, Mismatch(1, "answer", 1, 2)),
        Result(checks[1], Status.ERROR, reason="not written yet"),
        Result(checks[2], Status.CRASH, code="crashed", reason=reason, output=output.format("IndexError", "KS#2")),
        Result(checks[3], Status.CRASH, code="crashed", reason=reason, output=output.format("IndexError", "9D")),
        Result(checks[4], Status.CRASH, code="crashed", reason=reason, output=output.format("KeyError", "9D")),
        Result(checks[5], Status.ERROR, code="not-json", reason=FAULTS["not-json"][0] + ": 'debug'"),
    ]
    found = group_failures(suite, results)
    assert [(each.kind, each.reason, len(each.checks)) for each in found[:4]] == [
        ("error", "the adapter wrote a line that is not JSON", 1),
        ("crash", "IndexError: no card CARD", 2),
        ("crash", "KeyError: no card CARD", 1),
        ("error", "not written yet", 1),
    ]


def test_all_questions_of_a_scenario_are_judged(suite: Suite) -> None:
    check = next(each for each in of_hoyle(suite) if sum("ask" in step for step in each.scenario.steps) > 2)
    plan, rules = planner_of(suite).request(check), suite.rules.of(check.ruleset)
    seen = [
        {"answer": "nobody at all"} if "answer" in each.observation else each.observation
        for each in trace(rules, plan.message)
    ]
    result = judge(check, plan, seen, trusted=False)
    asked = [number for number, step in enumerate(check.scenario.steps, start=1) if "ask" in step]
    assert [each.step for each in result.mismatches] == asked
    assert result.independent == result.mismatches
    (cause,) = {each.kind: each for each in group_failures(suite, [result])}.values()
    context = failure.FailureContext(suite, "x", ["hoyle", "check"], [])
    said = failure.failure_view(context, cause.example, cause.cell).also
    assert f"and {asked[-1]} of {len(check.scenario.steps)} are wrong." in said


def test_a_hint_is_of_the_ruleset_that_fails(suite: Suite) -> None:
    """What a scenario says of several outcomes is not said of one ruleset; what happens by its rules is."""
    several = next(
        each
        for each in suite.index.checks.values()
        if each.scenario.why and len(each.scenario.outcomes) > 1 and any("scores" in x for x in each.expect.values())
    )
    step, _ = next((step, x) for step, x in several.expect.items() if "scores" in x)
    at = planner_of(suite).request(several).ends[step - 1] - 1
    result = Result(several, Status.FAIL, Mismatch(step, "scores", {"A": 1}, {"A": 2}, at))
    (cause,) = group_failures(suite, [result])
    said = failure.failure_view(failure.FailureContext(suite, "x", [], []), cause.example, cause.cell).hint
    assert "By the rules: " in said
    assert " ".join(several.scenario.why.split()) not in said


def test_a_failure_in_a_position_that_was_led_to_says_so(suite: Suite) -> None:
    right, name = Reference(suite), "reuse.fresh-marriage-after-the-sequence@bezique-hoyle"

    def respond(message: Message) -> Message:
        answer = right(message)
        if message["type"] == "hello":
            return {**answer, "position": "deal"}
        for each in answer["steps"]:
            each["score"] = {seat: points - 50 for seat, points in each["score"].items()}
        return answer

    report = printed(suite, held(suite, respond, list(select(suite, patterns=[name]))))
    assert "acts from a deal" in report
    assert f"hoyle explain {name} --prelude" in report


def test_on_the_screen_much_is_cut_and_all_of_it_is_there_if_asked_for(suite: Suite) -> None:
    def spoil(step: Message, seen: Message) -> None:
        if step.get("ask") == "winner":
            seen["answer"] = None

    done = held(suite, spoilt(Reference(suite), spoil), of_hoyle(suite, "melds", "tricks"))
    assert len(done.failures) > 15
    short, whole = printed(suite, done, failures=1), printed(suite, done, failures=1, verbose=True)
    assert "(-v names them)" in short
    assert "(-v names them)" not in whole
    assert all(f"  {result.check.id}" in whole for result in done.failures)
    assert len(short.splitlines()) < 60


def test_nothing_is_lost_of_a_check_that_the_reference_cannot_take(suite: Suite) -> None:
    check = of_hoyle(suite, "melds")[0]
    steps = ({"ask": "worth", "meld": "no-such", "cards": ["QS", "JD"]},)
    senseless = replace(check, scenario=replace(check.scenario, steps=steps))
    (cause,) = group_failures(suite, [Result(senseless, Status.FAIL, Mismatch(1, "answer", 1, 2))])
    assert cause.checks == (check.id,)
