"""Records of engines: a run as the site's page of engines shows it."""

import gzip
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import ROOT
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.reports.engine_record import engine_of, read_engines
from hoyle_conformance.reports.load_record import read_record
from hoyle_conformance.reports.record import Record
from hoyle_conformance.runner.results import Status


def recorded(name: str) -> Record:
    return read_record(ROOT / f"tests/records/{name}.jsonl")


def test_a_run_has_every_count_and_every_failure() -> None:
    run = recorded("wrong")
    engine = engine_of("an-engine-1.0", run)
    assert engine.id == "an-engine-1.0"
    assert engine.record is run
    failed = [each for each in run.results if each.failed or each.status is Status.EXPECTED_FAILURE]
    assert [each.check for each in engine.failures] == [each.check for each in failed]
    assert engine.total.passed == run.count(Status.PASS, Status.UNEXPECTED_PASS)
    assert engine.total.failed == len(failed) > 0
    of_failures = [each for each in run.causes if run.by_check[each.checks[0]].failed]
    assert [each.says for each in engine.causes] == [each.says for each in of_failures]
    assert engine.failures[0].expected
    assert engine.failures[0].expected != engine.failures[0].observed


def test_a_run_that_is_not_whole_says_so() -> None:
    assert (
        "The deadline passed" in engine_of("x", replace(recorded("right"), stopped="the deadline passed")).record.broken
    )


def test_where_nothing_could_be_compared_there_is_the_reason_and_it_is_cut() -> None:
    run = recorded("broken")
    long = [replace(each, reason="word \n" * 1000) if each.failed else each for each in run.results]
    crashed = [each for each in engine_of("x", replace(run, results=long)).failures if each.reason]
    assert crashed
    assert not any(each.expected or each.observed for each in crashed)
    assert all(len(each.reason) == 300 and each.reason.endswith("…") and "\n" not in each.reason for each in crashed)


def test_a_folder_of_records_is_read_in_order_of_their_names(tmp_path: Path) -> None:
    for name, record in (("b-2.0", "right"), ("a", "wrong")):
        shutil.copy(ROOT / f"tests/records/{record}.jsonl", tmp_path / f"{name}.jsonl")
    compressed = gzip.compress((tmp_path / "a.jsonl").read_bytes())
    (tmp_path / "a.jsonl.gz").write_bytes(compressed)  # the same name: it is read once
    (tmp_path / "c.jsonl.gz").write_bytes(compressed[:-20])  # cut off: the complete lines are read
    engines = list(read_engines(tmp_path))
    assert [(each.id, bool(each.record.broken)) for each in engines] == [("a", False), ("b-2.0", False), ("c", True)]
    assert engines[2].failures == engines[0].failures
    assert list(read_engines(tmp_path / "none")) == []


def test_a_name_that_cannot_be_an_address_is_refused(tmp_path: Path) -> None:
    (tmp_path / "My Engine.jsonl").touch()
    with pytest.raises(Invalid) as caught:
        list(read_engines(tmp_path))
    assert "my-engine-1.0.jsonl" in str(caught.value.diagnostics[0].remedy)
