"""What is to blame: which rule is taken for the cause of failures, and which failures may come from others.

Made of runs that never were: each check is a course of acts, and what went wrong and right in it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle_conformance.runner import group_failures as module
from hoyle_conformance.runner.features import Single
from hoyle_conformance.runner.group_failures import ExplainedFailure, ExplainedFailures
from hoyle_conformance.runner.readings import ANOTHER_READING
from hoyle_conformance.runner.results import Contradiction, FailureGroup, Mismatch, Result, Status
from hoyle_conformance.runner.rule_changes import CellValue, RuleChange
from hoyle_reference import Refusal

#: A course of a check: its acts.
Course = Sequence[Single]


def act(word: str, *rules: str, refused: str = "") -> Single:
    """An act in which these rules are at work, and after which everything is compared."""
    refusal = Refusal(refused) if refused else None
    taken: Any = SimpleNamespace(grounds=rules, events=(), refusal=refusal)
    return Single({"do": word}, taken, frozenset({"turn", "score", "trumps"}))


def ask(word: str, *rules: str) -> Single:
    """A question, likewise."""
    taken: Any = SimpleNamespace(grounds=rules, events=(), refusal=None)
    return Single({"ask": word}, taken, frozenset({"answer"}))


class Cited:
    """A table with every rule, and a clause of the same name for each."""

    clauses = frozenset

    def __contains__(self, _rule: str) -> bool:
        return True


class Made:
    """A run of checks: `suite` is all that is known of them."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.courses: dict[str, Course] = {}
        rules = SimpleNamespace(cells=lambda _ruleset: Cited())
        self.suite: Any = SimpleNamespace(scenarios=self.courses, rules=rules, house=None)

    def _check(self, course: Course, cites: Sequence[str]) -> Any:
        name = f"check-{len(self.courses) + 1}"
        self.courses[name] = course
        return SimpleNamespace(id=name, scenario=SimpleNamespace(id=name), ruleset="rules", cites=tuple(cites))

    def right(self, *course: Single, times: int = 1) -> None:
        """So many checks in which all is as it should be."""
        self.results += [Result(self._check(course, ()), Status.PASS) for _ in range(times)]

    def wrong_at(self, whats: Mapping[int, str], *course: Single) -> None:
        """A check in which these are wrong in these steps."""
        first, *later = [*(Mismatch(at, what, 1, 2) for at, what in sorted(whats.items())), None]
        check, status = self._check(course, ()), Status.FAIL if first else Status.PASS
        self.results.append(Result(check, status, first, later=tuple(filter(None, later))))

    def wrong(self, what: str, *course: Single, cites: Sequence[str] = (), reason: str = "", times: int = 1) -> None:
        """So many checks in which this is wrong in the last act."""
        mismatch = Mismatch(len(course), what, 1, 2, reason=reason)
        self.results += [Result(self._check(course, cites), Status.FAIL, mismatch) for _ in range(times)]

    @property
    def causes(self) -> tuple[FailureGroup, ...]:
        return module.group_failures(self.suite, self.results)

    @property
    def blamed(self) -> Mapping[str, int]:
        """How many failures are laid to each rule."""
        found: Counter[str] = Counter()
        for each in self.causes:
            found[each.cell] += len(each.failures)
        return found

    def sources(self, kind: str) -> list[str]:
        """The kinds of what the only cause of this kind may come from."""
        kinds = {each.id: each.kind for each in self.causes}
        (cause,) = (each for each in self.causes if each.kind == kind)
        return [kinds[name] for name in cause.comes_from]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    return made_with(monkeypatch)


def made_with(monkeypatch: pytest.MonkeyPatch) -> Made:
    one = Made()
    monkeypatch.setattr(module, "reference_steps", lambda _suite, check: one.courses[check.id])
    monkeypatch.setattr(
        module, "single_of", lambda _suite, _check, singles, wrong: (wrong.step - 1, singles[wrong.step - 1])
    )
    return one


# ---- each failing check has one cause

RULES = ("leads", "follows", "wins", "scores")
QUESTIONS = st.builds(ask, st.sampled_from(["winner", "worth"]), st.sampled_from(RULES), st.sampled_from(RULES))
ACTS = st.builds(act, st.sampled_from(["play", "draw"]), st.sampled_from(RULES), st.sampled_from(RULES))
KINDS = ("score", "turn", "trumps", "accepted")
CHANGES = [RuleChange((CellValue("wins", "", "last"),)), RuleChange((CellValue("scores", "", 20),))]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_numbers_of_causes_sum_to_the_failures_and_each_failing_check_is_in_one(data: st.DataObject) -> None:
    """Whichever answers and acts are wrong, and whichever of them another value of a rule explains."""
    with pytest.MonkeyPatch.context() as patch:
        made, explained = made_with(patch), ExplainedFailures()
        for _ in range(data.draw(st.integers(1, 12))):
            course = data.draw(st.lists(QUESTIONS | ACTS, min_size=1, max_size=4))
            wrong, kinds = data.draw(st.sets(st.integers(1, len(course)))), st.sampled_from(KINDS)
            made.wrong_at({at: "answer" if course[at - 1].asks else data.draw(kinds) for at in wrong}, *course)
            if changes := data.draw(st.lists(st.sampled_from(CHANGES), unique=True)):
                explained.by_check[made.results[-1].check.id] = ExplainedFailure(tuple(changes), 0)
        patch.setattr(module, "explain_failures", lambda _suite, _results: explained)
        checks = [check for each in made.causes for check in each.checks]
        assert sorted(checks) == sorted(each.check.id for each in made.results if each.status is Status.FAIL)
        assert len({each.id for each in made.causes}) == len(made.causes)
        perhaps = [bool(each.comes_from) for each in made.causes]
        assert perhaps == sorted(perhaps), "what may follow comes last"
        assert not any(each.change and each.comes_from for each in made.causes)


# ---- which rule tells best what failed from what did not


def test_a_rule_that_is_at_work_where_all_is_right_tells_less(made: Made) -> None:
    made.wrong("score", act("draw", "taken", "drawn"), times=3)
    made.right(act("draw", "drawn"))
    assert made.blamed == {"taken": 3}


def test_where_nothing_of_a_rule_is_right_few_failures_tell_more_than_many(made: Made) -> None:
    """Two of two failures are 2; three that stand against two that are right are 9/5, and no more than 2."""
    made.wrong("score", act("draw", "always-wrong", "often-right"), times=2)
    made.wrong("score", act("draw", "often-right"))
    made.right(act("draw", "often-right"), times=2)
    assert made.blamed == {"always-wrong": 2, "often-right": 1}


def test_what_is_right_in_another_kind_of_thing_does_not_speak_for_a_rule(made: Made) -> None:
    """The answers are right; the scores are not."""
    made.wrong("score", act("draw", "one", "two"))
    made.right(ask("winner", "one"), times=9)
    made.right(act("draw", "two"))
    assert made.blamed == {"one": 1}


def test_what_came_right_before_it_went_wrong_speaks_for_a_rule(made: Made) -> None:
    made.wrong("score", act("draw", "before"), act("draw", "here", "before"), times=3)
    assert made.blamed == {"here": 3}


def test_of_rules_that_tell_as_well_the_one_is_named_that_the_checks_cite(made: Made) -> None:
    made.wrong("score", act("draw", "first", "cited"), cites=["cited"])
    assert made.blamed == {"cited": 1}


def test_under_house_rules_the_rule_is_named_that_the_check_of_the_source_cites(made: Made) -> None:
    made.wrong("score", act("declare", "bezique", "four-knaves"))
    made.results[0].check.ruleset = "mine"  # type: ignore[misc]  # it is no real check
    made.suite.house = SimpleNamespace(ruleset=SimpleNamespace(id="mine"), checked_as=("book+option", "book"))
    headings = {"check-1@book": SimpleNamespace(ruleset="book", cites=("four-knaves",))}
    made.suite.index = SimpleNamespace(headings=headings)
    assert made.blamed == {"four-knaves": 1}


def test_the_example_is_the_one_with_fewest_rules_at_work(made: Made) -> None:
    made.wrong("score", act("draw", "wins", "aside"), act("play", "wins"))
    made.wrong("score", act("play", "wins"))
    assert [each.example.result.check.id for each in made.causes] == ["check-2"]


def test_of_rules_that_nothing_tells_apart_the_main_one_is_named(made: Made) -> None:
    made.wrong("score", act("draw", "main", "aside", "zero"))
    assert made.blamed == {"main": 1}


def test_a_reason_that_is_given_for_some_tells_them_apart_and_the_rule_they_share_is_named_beside_it(
    made: Made,
) -> None:
    for reason, rules in (("not your turn", ("turns", "leads")), ("no such card", ("cards",))):
        made.wrong("accepted", act("draw", *rules), reason=reason, times=2)
    made.right(act("draw", "turns", "cards"), times=5)
    made.right(act("draw", "turns", "leads", "cards"), times=5)
    assert {(each.reason, each.cell, len(each.failures)) for each in made.causes} == {
        ("not your turn", "leads", 2),
        ("no such card", "cards", 2),
    }


def test_who_always_gives_the_same_reason_or_none_has_told_nothing_by_it(made: Made) -> None:
    made.wrong("accepted", act("draw", "turns"), reason="no", times=2)
    made.wrong("accepted", act("draw", "turns"))
    made.right(act("draw", "turns"), times=5)
    assert [(each.reason, each.cell, len(each.failures)) for each in made.causes] == [("", "turns", 3)]


def test_why_the_rules_refuse_an_act_tells_even_where_it_is_the_same_throughout(made: Made) -> None:
    made.wrong("refused", act("play", "while-drawing", refused="must-win"))
    made.wrong("refused", act("play", "without-drawing", refused="must-win"))
    made.right(act("play", "free", refused="card-not-held"))
    assert [(each.refusal, len(each.failures)) for each in made.causes] == [("must-win", 2)]


def test_positions_that_are_read_in_two_ways_are_put_together_by_the_rule(made: Made) -> None:
    for rule, other in (("score.when", "one"), ("score.when", "two"), ("score.who", "three")):
        made.right(act("draw"))
        check = made.results.pop().check
        found = Contradiction(rule, ("a",), ("b",), other)
        made.results.append(Result(check, Status.FAIL, code=ANOTHER_READING, contradiction=found))
    assert {(each.reason, len(each.failures)) for each in made.causes} == {("score.when", 2), ("score.who", 1)}


# ---- which of them may follow from which


def test_a_cause_may_come_from_what_went_before_it_in_most_of_its_failures(made: Made) -> None:
    made.wrong("turn", act("draw", "drawn"))
    made.wrong("score", act("draw", "drawn"), act("declare", "declared"))
    made.wrong("score", act("declare", "declared"))
    assert made.sources("score") == ["turn"]
    assert made.sources("turn") == []


def test_what_went_before_in_few_of_its_failures_is_no_source(made: Made) -> None:
    made.wrong("turn", act("draw", "drawn"))
    made.wrong("score", act("draw", "drawn"), act("declare", "declared"), times=2)
    made.wrong("score", act("play", "played"), act("declare", "declared"), times=3)
    assert made.sources("score") == []


def test_a_source_comes_before_what_comes_from_it_however_few_its_failures(made: Made) -> None:
    made.wrong("trumps", act("draw", "drawn"))
    made.wrong("turn", act("draw", "drawn"), act("play", "played"), times=2)
    made.wrong("score", act("play", "played"), act("declare", "declared"), times=3)
    assert [each.kind for each in made.causes] == ["trumps", "turn", "score"]
    assert (made.sources("turn"), made.sources("score")) == (["trumps"], ["turn"])


def test_in_one_act_what_stands_first_may_bring_the_rest_and_not_the_other_way_round(made: Made) -> None:
    both = act("draw", "turns", "scores")
    made.wrong("turn", both)
    made.wrong("turn", act("draw", "turns"))
    made.wrong("score", both)
    made.wrong("score", act("draw", "scores"))
    assert made.sources("score") == ["turn"]
    assert made.sources("turn") == []


def test_an_answer_comes_from_no_act_that_it_is_not_asked_after(made: Made) -> None:
    made.wrong("turn", act("draw", "drawn"))
    made.wrong("answer", ask("winner", "told", "drawn"))
    made.wrong("answer", ask("winner", "told"))
    assert made.sources("answer") == []


def test_one_rule_that_shows_in_several_ways_is_one_cause_named_by_what_is_asked(made: Made) -> None:
    made.wrong("score", act("play", "wins"))
    made.wrong("turn", act("play", "wins"))
    made.wrong("answer", ask("winner", "wins"))
    assert [(each.kind, len(each.checks)) for each in made.causes] == [("answer", 3)]
