"""Records of engines: a run in short, written from its record, and read again if it is as its schema has it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.reports.engine_record import EngineRecord, engine_record, read_engine, read_engines
from hoyle_conformance.reports.load_record import read_record
from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import Count
from hoyle_conformance.runner.results import Status

SCHEMAS = Schemas(ROOT / "spec/schemas")


def recorded(name: str) -> Record:
    return read_record(ROOT / f"tests/records/{name}.jsonl")


def read_again(text: str, folder: Path, name: str = "an-engine-1.0") -> EngineRecord:
    path = folder / f"{name}.json"
    path.write_text(text, "utf-8")
    return read_engine(SCHEMAS, path)


def test_a_run_in_short_has_every_count_and_every_failure(tmp_path: Path) -> None:
    run = recorded("wrong")
    engine = read_again(engine_record(run), tmp_path)
    assert (engine.id, engine.title) == ("an-engine-1.0", run.implementation.title)
    assert (engine.suite, engine.digest, engine.date) == (run.suite, run.digest, run.started[:10])
    failed = [each for each in run.results if each.failed or each.status is Status.EXPECTED_FAILURE]
    assert [each.check for each in engine.failures] == [each.check for each in failed]
    assert engine.total.passed == run.count(Status.PASS, Status.UNEXPECTED_PASS)
    assert engine.total.failed == len(failed) > 0
    of_failures = [each for each in run.causes if run.by_check[each.checks[0]].failed]
    assert [each.says for each in engine.causes] == [each.says for each in of_failures]
    assert engine.failures[0].expected
    assert engine.failures[0].expected != engine.failures[0].observed


def test_rules_of_causes_are_counted_once_and_the_other_causes_apart(tmp_path: Path) -> None:
    data = json.loads(engine_record(recorded("wrong")))
    rule = {"says": "The ten ranks second.", "cell": "cards.rank", "ruleset": "bezique-hoyle"}
    data["causes"] = [{"says": "a", "checks": 1, "rule": rule}, {"says": "b", "checks": 2, "rule": rule}]
    data["causes"] += [{"says": "c", "checks": 3}]
    engine = read_again(json.dumps(data), tmp_path)
    assert engine.broken_rules == ["cards.rank"]
    assert [each.says for each in engine.unexplained] == ["c"]


def test_the_nearest_rulesets_are_those_of_which_the_largest_share_passed(tmp_path: Path) -> None:
    data = json.loads(engine_record(recorded("wrong")))
    some = {"title": "", "game": "Bézique"}
    passed = {
        "few": (1, 9),
        "most": (90, 10),
        "all": (5, 0),
        "all-of-more": (6, 0),
        "all-of-more+option": (6, 0),
        "nothing": (0, 0),
    }
    data["rulesets"] = {}
    for name, (passes, fails) in passed.items():
        data["rulesets"][name] = {**some, "topics": {"t": {"passed": passes, "failed": fails, "not_sent": 100}}}
    engine = read_again(json.dumps(data), tmp_path)
    assert engine.nearest == ["all", "all-of-more"]
    assert engine.rulesets["most"].total == Count(passed=90, failed=10, not_asked=100)
    data["rulesets"]["all-of-more+option"]["topics"]["t"]["failed"] = 2
    assert read_again(json.dumps(data), tmp_path).nearest == ["all"]
    del data["rulesets"]["all"], data["rulesets"]["all-of-more"]
    assert read_again(json.dumps(data), tmp_path).nearest == ["most"]
    data["rulesets"] = {}
    assert read_again(json.dumps(data), tmp_path).nearest == []


def test_rulesets_of_which_nothing_was_sent_are_left_out() -> None:
    run = recorded("right")
    unsent = tuple(replace(each, status=Status.UNSUPPORTED) for each in run.results)
    assert json.loads(engine_record(run))["rulesets"]
    assert json.loads(engine_record(replace(run, results=unsent)))["rulesets"] == {}


def test_a_run_that_is_not_whole_says_so(tmp_path: Path) -> None:
    assert not read_again(engine_record(recorded("right")), tmp_path).broken
    stopped = replace(recorded("right"), stopped="the deadline passed")
    assert "The deadline passed" in read_again(engine_record(stopped), tmp_path).broken


def test_where_nothing_could_be_compared_there_is_the_reason(tmp_path: Path) -> None:
    engine = read_again(engine_record(recorded("broken")), tmp_path)
    crashed = [each for each in engine.failures if each.reason]
    assert crashed
    assert not any(each.expected or each.observed for each in crashed)


def test_what_an_engine_reports_at_length_is_cut(tmp_path: Path) -> None:
    run = recorded("broken")
    long = [replace(each, reason="word \n" * 1000) if each.failed else each for each in run.results]
    engine = read_again(engine_record(replace(run, results=long)), tmp_path)
    reasons = [each.reason for each in engine.failures if each.reason]
    assert reasons
    assert all(len(each) == 300 and each.endswith("…") and "\n" not in each for each in reasons)


def test_dangerous_text_is_sanitized_when_it_is_read(tmp_path: Path) -> None:
    data = json.loads(engine_record(recorded("right")))
    engine = read_again(json.dumps({**data, "about": "red \x1b[31m"}), tmp_path)
    assert "\x1b" not in engine.about


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda data: data.pop("name"), "'name'"),
        (lambda data: data.update(name="x" * 5000), "name"),
        (lambda data: data.update(more=1), "'more'"),
        (lambda data: data.update(date="today"), "date"),
        (lambda data: data["causes"].append({"says": "x", "checks": -1}), "checks"),
    ],
)
def test_a_file_that_is_no_record_of_an_engine_is_refused(
    tmp_path: Path, spoil: Callable[[Any], object], complaint: str
) -> None:
    data = json.loads(engine_record(recorded("wrong")))
    spoil(data)
    with pytest.raises(Invalid) as caught:
        read_again(json.dumps(data), tmp_path)
    assert complaint in caught.value.diagnostics[0].message
    assert "--engine FILE" in caught.value.diagnostics[0].remedy


def test_text_that_is_not_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="it is not JSON"):
        read_again("{", tmp_path)


@pytest.mark.parametrize("name", ["My engine", "engine_1", "-engine", "a..b", "über"])
def test_a_file_is_named_as_its_page_can_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(Invalid) as caught:
        read_again(engine_record(recorded("right")), tmp_path, name)
    assert "my-engine-1.0.json" in caught.value.diagnostics[0].remedy


def test_engines_are_read_from_a_folder_in_order_of_their_files(tmp_path: Path) -> None:
    assert list(read_engines(SCHEMAS, tmp_path / "nothing")) == []
    for name in ("b", "a"):
        read_again(engine_record(recorded("right")), tmp_path, name)
    assert [each.id for each in read_engines(SCHEMAS, tmp_path)] == ["a", "b"]
