"""Reading records: all that Hoyle writes, whole or cut off; and whatever else is brought is told with its place."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.reports import load_record as reading
from hoyle_conformance.reports.html.run import run_page
from hoyle_conformance.reports.load_record import read_record
from hoyle_conformance.wording.text import sanitize

RECORDS = ROOT / "tests/records"
WRONG = (RECORDS / "wrong.jsonl").read_bytes()
LINES = WRONG.splitlines(keepends=True)

Line = dict[str, Any]


@pytest.fixture
def complaint(tmp_path: Path) -> Callable[[bytes], str]:
    """What is wrong with a record, as it is shown."""

    def of(content: bytes) -> str:
        path = tmp_path / "run.jsonl"
        path.write_bytes(content)
        with pytest.raises(Invalid) as found:
            read_record(path)
        (diagnostic,) = found.value.diagnostics
        assert diagnostic.remedy
        return f"{diagnostic.line}: {diagnostic.message}"

    return of


def changed(at: int, change: Callable[[Line], object]) -> bytes:
    """The record with one of its lines changed."""
    line = json.loads(LINES[at])
    change(line)
    there = at % len(LINES)
    return b"".join([*LINES[:there], json.dumps(line).encode() + b"\n", *LINES[there + 1 :]])


def nested(levels: int) -> bytes:
    """The record with a value in it that has so many levels."""
    deep = json.loads("[" * levels + "]" * levels)
    mismatch = {"step": 1, "what": "winner", "expected": deep, "observed": "A"}
    return changed(1, lambda line: line.update(mismatches=[mismatch]))


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_nothing_of_a_record_is_lost(path: Path) -> None:
    header, *results, footer = map(json.loads, path.read_text("utf-8").splitlines())
    record = read_record(path)
    assert [each.check for each in record.results] == [line["check"] for line in results]
    assert [str(each.status) for each in record.results] == [line["status"] for line in results]
    assert [each.failure is None for each in record.results] == ["told" not in line for line in results]
    assert [each.line for each in record.results] == [line.get("line", 0) for line in results]
    assert dict(record.totals) == footer["totals"]
    assert [each.id for each in record.causes] == [line["cause"] for line in footer["causes"]]
    assert record.rulesets.keys() == header["rulesets"].keys() == record.of_rulesets.keys()
    assert (record.exit, record.started, record.ended) == (footer["exit"], header["started"], footer["ended"])
    assert not record.cut_off


@pytest.mark.slow
def test_one_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    whole = read_record(RECORDS / "wrong.jsonl")
    ends = [sum(map(len, LINES[:number])) for number in range(1, len(LINES))]
    for end in (*ends, *(each + 20 for each in ends), *(each - 1 for each in ends)):
        path.write_bytes(WRONG[:end])
        record = read_record(path)
        assert record.cut_off
        assert record.exit is None
        assert list(record.results) == list(whole.results[: len(record.results)])
        assert record.not_run == record.selected - len(record.results)
    path.write_bytes(WRONG.rstrip(b"\n"))
    assert not read_record(path).cut_off


def test_its_numbers_may_have_a_fraction_of_zero() -> None:
    """A program that sorts or filters the lines may write 7 as 7.0."""
    with_fractions = re.sub(rb'("(?:milliseconds|line|step|checks)": ?\d+)(?=[,}])', rb"\1.0", WRONG)
    assert with_fractions != WRONG
    record = reading.record_of(with_fractions, "run.jsonl")
    assert record == reading.record_of(WRONG, "run.jsonl")
    assert run_page(record) == run_page(reading.record_of(WRONG, "run.jsonl"))


def test_what_an_adapter_said_is_harmless_in_it() -> None:
    record = read_record(RECORDS / "dangerous.jsonl")
    assert all(each.reason.replace("\n", "").isprintable() for each in record.results)
    assert record.implementation.title.isprintable()


def test_no_words_in_it_are_a_command_for_whoever_keeps_the_log(tmp_path: Path) -> None:
    evil = "\n::set-output name=a::b\n  ::error::c ::add-mask::d ##[add-mask]e"
    path = tmp_path / "run.jsonl"
    path.write_bytes(changed(1, lambda line: line.update(title=evil)))
    assert read_record(path).results[0].title == "\n�:set-output name=a::b\n  �:error::c �:add-mask::d �#[add-mask]e"
    assert sanitize(f"{'x' * 90}::error::y") == f"{'x' * 90}�:error�:y"  # where a line that is too long is divided
    assert sanitize("error in std::vector::at") == "error in std::vector::at"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "1: this is not the record of a run: no line in it is complete"),
        (b"ten years of work\n", "1: this is not a line of a record: it is not JSON"),
        (b"\xff\xfe{}\n", "1: this is not a line of a record: it is not UTF-8"),
        (b"[" * 100_000 + b"\n", "1: this is not a line of a record: it is nested too deeply"),
        (b'{"type": "header", "type": "footer"}\n', '1: this is not a line of a record: the key "type" appears twice'),
        (b"7\n", "1: this is not the record of a run: it does not begin with a header"),
        (LINES[1], "1: this is not the record of a run: it does not begin with a header"),
        (b"".join([*LINES[:2], b"\n", *LINES[2:]]), "3: this is not a line of a record: it is not JSON"),
        (WRONG + WRONG, f"{len(LINES) + 1}: a second record begins here"),
        (WRONG + LINES[-1], f"{len(LINES) + 1}: a footer follows the footer"),
        (WRONG + LINES[1], f"{len(LINES) + 1}: a result follows the footer"),
        (LINES[0] + LINES[1] + LINES[1], "3: melds.bezique@bezique-hoyle appears a second time"),
        (changed(1, lambda line: line.pop("title")), "2: 'title' is missing"),
        (changed(1, lambda line: line.update(status="perfect")), "2: 'perfect' is not a value for status."),
        (changed(1, lambda line: line.update(milliseconds=-1)), "2: "),
        (re.sub(rb'(?<="milliseconds": )\d+', b"1e400", WRONG, count=1), "2: "),
        (
            changed(0, lambda line: line.update(started="2026-02-30T00:00:00Z")),
            "1: '2026-02-30T00:00:00Z' is not a time",
        ),
        (
            changed(1, lambda line: line.update(check="x@unheard-of")),
            "2: x@unheard-of is under a ruleset that the header",
        ),
        (changed(-1, lambda line: line["totals"].update({"pass": 4})), "12: the counts in the footer differ"),
        (
            changed(-1, lambda line: line["causes"][0]["checks"].append("x@y")),
            "12: a cause names x@y, which has no result",
        ),
        (changed(0, lambda line: line.update(hoyle={"a": [1] * 2_000})), "1: "),
        *((nested(levels), "2: this is not a line of a record: it is nested too deeply") for levels in (60, 400, 900)),
    ],
)
def test_what_is_no_record_is_told_with_its_place(complaint: Callable[[bytes], str], content: bytes, says: str) -> None:
    assert complaint(content).startswith(says)


def test_no_more_is_read_than_a_record_can_have(
    complaint: Callable[[bytes], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_LONGEST", 1_000)
    assert complaint(WRONG) == f"1: the line is too long ({len(LINES[0]) - 1:,} bytes)"
    assert complaint(b"x" * 2_000) == "1: the line is too long (2,000 bytes)"
    monkeypatch.setattr(reading, "LARGEST", 1_000)
    assert complaint(WRONG) == f"1: the file is too large ({len(WRONG):,} bytes)"
