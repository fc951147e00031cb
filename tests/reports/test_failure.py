"""A failure as a value: the terminal prints it, and a record keeps it and gives it back."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest

from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.reports import failure
from hoyle_conformance.reports.failure import recorded_words, what_went_wrong
from hoyle_conformance.runner.features import reference_steps
from hoyle_conformance.runner.group_failures import group_failures
from hoyle_conformance.runner.record import Call, Recorder
from hoyle_conformance.runner.results import Failure, Mismatch, Result, Run, Status
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import failure_view

READY = AdapterInfo("engine", "1", "Go", frozenset({"bezique-hoyle"}), frozenset({"winner"}))
HEADING: dict[str, Any] = {"status": "fail", "check": "x.y@z", "title": "A title", "file": "x.yaml", "line": 7}
MORE: dict[str, Any] = {"expected_status": "error", "reason": "It is wrong.", "remedy": "Look."}
WHOLE = failure_view.FailureView(
    **HEADING,
    **MORE,
    turned=("clubs for hearts",),
    given=("A leads.", "Trumps: hearts."),
    reached="By 3 acts from a deal.",
    steps=(
        failure_view.FailureStep("A plays K♦", 4),
        failure_view.FailureStep("B plays 8♦", 5, wrong=True, asked="as the question of step 2", act="B draws"),
    ),
    in_file="A leads. Step 5: A plays 8♥",
    expected="B",
    observed="A",
    also="Steps 5 and 6 of 7 are wrong.",
    hint="Look again.",
    house=failure_view.HouseRulesView(
        "Your rules are at work in it",
        (failure_view.RuleLine("The last wins.", cell="tricks.x", because="so we play"),),
    ),
    rules=(failure_view.RuleLine("The first wins.", clause="a/b/c", where="A Book, paragraph 1"),),
    defined="spec/SEMANTICS.md#trick-5",
    readings="Any would do.",
    again="hoyle check x",
    page="scenarios/x.html",
)


def test_what_is_recorded_is_given_back_as_it_was_written() -> None:
    assert all(getattr(WHOLE, each.name) for each in fields(failure_view.FailureView))
    for failed in (
        WHOLE,
        failure_view.FailureView(**HEADING, again="x", page="y"),
        failure_view.FailureView(
            **HEADING, steps=(failure_view.FailureStep("and then", wrong=True),), again="x", page="y"
        ),
    ):
        result = {name: getattr(failed, name) for name in (*HEADING, *MORE)}
        recorded = failure_view.to_record(failed)
        assert not recorded.keys() & result.keys()
        assert failure_view.from_record(result, json.loads(json.dumps(recorded))) == failed


def test_every_part_of_a_failure_is_shown() -> None:
    shown = " ".join("\n".join(failure_view.failure_lines(WHOLE)).split())
    words = re.findall(r'"said": "([^"]*)"|: "([^"]*)"', json.dumps(failure_view.to_record(WHOLE), ensure_ascii=False))
    for word in filter(None, (one or other for one, other in words)):
        assert word in shown
    assert "FAIL x.y@z A title x.yaml:7 The baseline expects: error" in shown
    assert "before 3 steps; 'hoyle explain x.y' shows them all." in shown


def one_that_fails(suite: Suite) -> list[Result]:
    """Two checks that fail for one cause, and one that was never answered."""
    names = ("identical-plain-cards", "identical-trumps", "identical-aces-led-by-the-dealer")
    one, other, third = (suite.index.checks[f"tricks.{name}@bezique-hoyle"] for name in names)
    return [
        Result(one, Status.FAIL, Mismatch(1, "answer", "A", "B")),
        Result(other, Status.EXPECTED_FAILURE, Mismatch(1, "answer", "A", "B"), known=True),
        Result(third, Status.CRASH, code="crashed", reason="it is gone", remedy="Look."),
    ]


@pytest.fixture
def record(suite: Suite) -> Callable[..., list[dict[str, Any]]]:
    def of(results: Sequence[Result], teller: Any = None) -> list[dict[str, Any]]:
        lines: list[bytes] = []
        again = ("hoyle", "check", "--seed", "x")
        recorder = Recorder(suite, lines.append, Call(again, "x"), teller or recorded_words(suite, again))
        selected = [each.check for each in results]
        recorder.begin(READY, ("./engine",), selected)
        for each in results:
            recorder.add(each)
        recorder.end(Run(READY, ("./engine",), selected, results, causes=group_failures(suite, results)))
        found = [json.loads(line) for line in lines]
        assert [suite.schemas.complaint("record", line) for line in found] == [""] * len(found)
        return found

    return of


def test_the_record_tells_what_the_terminal_shows(suite: Suite, record: Any) -> None:
    results = one_that_fails(suite)
    header, failed, known, crashed, _footer = record(results)
    context = failure.FailureContext(suite, "engine", header["again"], ["./engine"], READY)
    for line, result in zip((failed, known, crashed), results, strict=True):
        shown = failure.failure_view(context, Failure(result, result.mismatch))
        assert replace(failure_view.from_record(line, line["told"]), file=shown.file) == shown
        assert line["told"]["again"] == f"hoyle check --seed x -s {line['check']} ./engine"
    assert failed["told"]["expected"] == "A"
    assert failed["told"]["observed"] == "B"
    assert [rule["clause"] for rule in failed["told"]["rules"]] == ["hoyle/bezique/identical-cards"]
    assert crashed["told"].keys() == {"again", "page"}
    assert (crashed["reason"], crashed["remedy"]) == ("it is gone", "Look.")


def test_a_cause_says_what_went_wrong_and_by_which_rule(suite: Suite, record: Any) -> None:
    results = one_that_fails(suite)
    *_, footer = record(results)
    found = group_failures(suite, results)
    assert [each["says"] for each in footer["causes"]] == [what_went_wrong(suite, each) for each in found]
    last = footer["causes"][-1]
    assert last["rule"]["cell"] == last["cell"]
    assert last["rule"]["ruleset"] == "bezique-hoyle"
    assert last["rule"]["says"]
    assert last["told"]["expected"] == "A"
    assert "rule" not in footer["causes"][0]
    assert footer["explained"].startswith("exit 2: the conversation broke in 1 check")


def test_where_hoyle_fails_in_telling_the_rest_of_the_record_is_there(suite: Suite, record: Any) -> None:
    class Fails:
        def failure(self, _failure: Failure) -> Mapping[str, Any]:
            raise ValueError("a fault of its own")

        result = stopped = cause = run = failure

    def fails(_ready: AdapterInfo, _command: Sequence[str]) -> Any:
        return Fails()

    _, failed, *_, footer = record(one_that_fails(suite), fails)
    assert "told" not in failed
    assert failed["line"] > 1
    assert footer["causes"]
    assert "says" not in footer["causes"][0]


def test_the_line_is_that_of_the_step_that_went_wrong(suite: Suite) -> None:
    check = next(each for each in suite.index.checks.values() if len(reference_steps(suite, each)) > 2)
    lines = (suite.root.parent / check.scenario.file).read_text("utf-8").splitlines()
    second = Failure(Result(check, Status.FAIL), Mismatch(2, "answer", "A", "B")).line
    assert lines[second - 1].lstrip().startswith("-")
    assert Failure(Result(check, Status.ERROR)).line < second
