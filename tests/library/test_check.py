import json
import re
from pathlib import Path
from typing import Any

import pytest

import hoyle
from conftest import TIMES
from hoyle_conformance.reports.load_record import record_of

WHO_WINS = "tricks.identical-plain-cards@bezique-hoyle"


class FirstWins:
    """An engine in which the first card wins each trick."""

    name = "first wins"
    version = "2"
    rulesets = ("bezique-hoyle",)
    claims = ("winner",)

    def run(self, request: dict[str, Any]) -> Any:
        return [{"answer": step["by"]} for step in request["steps"]]


class Faulty(FirstWins):
    """An engine that fails in every run."""

    def run(self, request: dict[str, Any]) -> Any:
        return request["no such key"]


def first_wins(message: dict[str, Any]) -> dict[str, Any]:
    """The same engine as a function."""
    if message["type"] == "hello":
        ready = {"type": "ready", "protocol": 1, "name": "first wins", "version": "2", "language": "Python"}
        return {**ready, "rulesets": ["bezique-hoyle"], "claims": ["winner"]}
    return {"type": "observed", "seq": message["seq"], "steps": FirstWins().run(message)}


def lines_of(run: hoyle.Run) -> list[dict[str, Any]]:
    """The record without times, and without the name of the engine."""
    lines = [json.loads(line) for line in run.record.splitlines()]
    return [{key: each for key, each in line.items() if key not in TIMES} for line in lines]


def test_an_engine_that_passes() -> None:
    run = hoyle.check(FirstWins(), select=WHO_WINS)
    assert run.ok
    assert run.exit_code == 0
    assert run.totals == {"pass": 1}
    assert run.results == {WHO_WINS: "pass"}
    assert run.failures == ()
    assert repr(run) == "<Run of first wins: 1 pass>"
    report = run.report()
    assert "Checking: first wins 2 (Python), library.test_check:FirstWins\n" in report
    assert report.endswith("\n1 passed, 0 failed, 0 skipped\n")
    assert str(run) == report


@pytest.mark.whole
def test_an_engine_that_fails() -> None:
    run = hoyle.check(FirstWins(), "bezique-hoyle", select="tricks")
    assert not run.ok
    assert run.exit_code == 1
    assert set(run.totals) == {"fail", "pass", "unsupported"}
    assert run.failures == tuple(check for check, status in run.results.items() if status == "fail")
    report = run.report(failures=1)
    (repeated,) = re.findall(r"^  again     hoyle\.check\(engine, select=\['(.*)'\]\)$", report, re.MULTILINE)
    assert repeated in run.failures
    assert "Next: 'hoyle explain " in report
    assert "--write-baseline" not in report
    assert "hoyle check" not in report
    assert "\nexit 1: " in report
    assert len(run.report(verbose=True)) > len(report)


@pytest.mark.whole
def test_object_and_function_are_checked_alike() -> None:
    one, other = hoyle.check(FirstWins(), select="tricks"), hoyle.check(first_wins, select="tricks")
    header, *lines = lines_of(one)
    other_header, *other_lines = lines_of(other)
    assert lines == other_lines
    assert header["implementation"].pop("command") == ["library.test_check:FirstWins"]
    assert other_header["implementation"].pop("command") == ["library.test_check:first_wins"]
    assert header == other_header


@pytest.mark.whole
def test_record_is_one_that_reports_are_made_of() -> None:
    run = hoyle.check(FirstWins(), select=["tricks", "last-tricks"], rulesets=["bezique-hoyle"])
    record = record_of(run.record.encode(), "record")
    assert record.again == ("hoyle.check",)
    for kind, begins in {
        "junit": "<?xml",
        "markdown": "<!-- hoyle report -->",
        "html": "<!doctype html>",
        "endpoint": "{",
    }.items():
        assert run.report(kind).lower().lstrip().startswith(begins), kind
    with pytest.raises(hoyle.UnknownNameError, match="no report 'pdf'") as caught:
        run.report("pdf")
    assert "junit" in caught.value.remedy


# ---- engines that go wrong


def test_an_exception_is_an_error_of_that_check() -> None:
    run = hoyle.check(Faulty(), "bezique-hoyle", select="tricks")
    assert set(run.totals) == {"error", "unsupported"}
    assert run.exit_code == 1
    assert "KeyError: 'no such key' (test_check.py:" in run.report()


@pytest.mark.parametrize(
    ("observed", "said"),
    [
        ([], "does not have one observation for each step"),
        ([{"answer": object()}], "TypeError: Object of type object is not JSON serializable"),
        ([{"answer": float("nan")}], "not"),
    ],
    ids=["too-few", "no-json", "nan"],
)
def test_a_wrong_answer_is_an_error_of_that_check(observed: Any, said: str) -> None:
    class Wrong(FirstWins):
        def run(self, _request: dict[str, Any]) -> Any:
            return observed

    run = hoyle.check(Wrong(), select=WHO_WINS)
    assert run.results == {WHO_WINS: "error"}
    assert said in run.report()


def test_an_engine_may_decline() -> None:
    class Declines(FirstWins):
        def run(self, _request: dict[str, Any]) -> Any:
            return {"type": "skipped", "reason": "not today"}

    run = hoyle.check(Declines(), select=WHO_WINS)
    assert run.results == {WHO_WINS: "skipped"}
    assert not run.ok


@pytest.mark.whole
def test_an_engine_cannot_change_what_it_is_sent() -> None:
    class Changes(FirstWins):
        def run(self, request: dict[str, Any]) -> Any:
            observed = super().run(request)
            request["steps"][0]["by"] = "nobody"
            request.clear()
            return observed

    runs = [hoyle.check(engine, select="tricks").results for engine in (Changes(), FirstWins(), Changes())]
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("engine", [None, "command"])
def test_what_is_no_engine(engine: Any) -> None:
    with pytest.raises(hoyle.EngineError, match="is no engine") as caught:
        hoyle.check(engine)
    assert "rulesets, claims and run(request)" in caught.value.remedy


def test_a_class_is_no_engine() -> None:
    with pytest.raises(hoyle.EngineError, match="a class is no engine") as caught:
        hoyle.check(FirstWins)  # type: ignore[arg-type]
    assert caught.value.remedy == "Give FirstWins()."


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rulesets": None}, "TypeError: 'NoneType' object is not iterable"),
        ({"claims": ["sing"]}, "the adapter's response is not a message of the protocol"),
    ],
    ids=str,
)
def test_an_engine_that_does_not_introduce_itself(changed: dict[str, Any], said: str) -> None:
    engine = type("Engine", (FirstWins,), changed)()
    with pytest.raises(hoyle.EngineError) as caught:
        hoyle.check(engine, select=WHO_WINS)
    assert said in str(caught.value)
    assert caught.value.remedy


@pytest.mark.whole
def test_a_function_that_does_not_introduce_itself() -> None:
    def fails(_message: dict[str, Any]) -> dict[str, Any]:
        raise ValueError("not ready")

    with pytest.raises(hoyle.EngineError, match="ValueError: not ready"):
        hoyle.check(fails)


def test_ctrl_c_ends_the_run() -> None:
    class Interrupted(FirstWins):
        def run(self, _request: dict[str, Any]) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hoyle.check(Interrupted(), select="tricks")


# ---- which checks, and how


@pytest.mark.parametrize(
    "names", [{"rulesets": "bezique-hoyl"}, {"rulesets": "piquet-hoyle", "select": WHO_WINS}], ids=str
)
def test_nothing_is_selected(names: dict[str, Any]) -> None:
    with pytest.raises(hoyle.UnknownNameError) as caught:
        hoyle.check(FirstWins(), **names)
    assert caught.value.code == "nothing-selected"


@pytest.mark.whole
def test_baseline_expects_failures(tmp_path: Path) -> None:
    first = hoyle.check(FirstWins(), "bezique-hoyle", select="tricks")
    file = tmp_path / "known.txt"
    file.write_text("".join(f"{check} fail\n" for check in first.failures), "utf-8")
    run = hoyle.check(FirstWins(), "bezique-hoyle", select="tricks", baseline=file)
    assert run.ok
    assert run.failures == ()
    file.write_text("none@bezique-hoyle\n", "utf-8")
    with pytest.raises(hoyle.HoyleError, match=r"known\.txt:1:1: "):
        hoyle.check(FirstWins(), baseline=file)


@pytest.mark.whole
def test_house_rules_are_checked_by_their_own_name() -> None:
    house = {"id": "my-rules", "extends": "bezique-hoyle", "rules": {"tricks.identical_cards_won_by": "last-played"}}
    run = hoyle.check(FirstWins(), house=house, select="tricks.identical-plain-cards")
    assert run.results == {"tricks.identical-plain-cards@my-rules": "fail"}


def test_another_seed_relabels_otherwise() -> None:
    sent: list[Any] = []

    class Listens(FirstWins):
        def run(self, request: dict[str, Any]) -> Any:
            sent.append(request["steps"])
            return super().run(request)

    for seed in ("", "", "monday", "tuesday", "friday"):
        assert hoyle.check(Listens(), select=WHO_WINS, seed=seed).ok
    assert sent[0] == sent[1]
    assert len({json.dumps(steps) for steps in sent}) > 2
