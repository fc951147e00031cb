"""What is made of a record: each is what its reader takes, holds every failure, and is harmless whatever was said."""

import errno
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import HANGS, ROOT, Done, golden
from hoyle_conformance.cli.outputs import Output, safe_or_exit
from hoyle_conformance.reports import badge
from hoyle_conformance.reports import load_record as reading
from hoyle_conformance.reports.junit import junit
from hoyle_conformance.reports.load_record import read_record
from hoyle_conformance.reports.markdown import MOST, _command, annotations, markdown, text
from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import count, summary_lines, totals_line
from hoyle_conformance.runner.results import Status
from transcripts import Session, played

Hoyle = Callable[..., Done]
RECORDS = ROOT / "tests/records"
WRONG = RECORDS / "wrong.jsonl"
#: What may stand in each element of JUnit XML: its attributes, those that must, and the elements in it. It is that of
#: Jenkins' xunit plugin (junit-10.xsd) and, of a case, the file, which GitLab shows.
JUNIT: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "time", "skipped", "timestamp"},
        {"name", "tests", "failures", "errors"},
        {"properties", "testcase"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, {"name", "value"}, set()),
    "testcase": ({"name", "time", "classname", "file"}, {"name"}, {"skipped", "error", "failure"}),
    **dict.fromkeys(("skipped", "error", "failure"), ({"type", "message"}, set(), set())),
}


@pytest.fixture(params=sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def record(request: pytest.FixtureRequest) -> Record:
    return read_record(request.param)


@pytest.fixture
def cut_off(tmp_path: Path) -> Record:
    """A record of which three results are there."""
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join(WRONG.read_bytes().splitlines(keepends=True)[:4]))
    return read_record(path)


def parsed(document: str) -> ET.Element:
    return ET.fromstring(document)  # noqa: S314 -- it has just been written


def shaped(element: ET.Element) -> None:
    """Holds an element, and all in it, against the shape of JUnit XML."""
    may, must, inside = JUNIT[element.tag]
    assert must <= set(element.keys()) <= may
    for each in element:
        assert each.tag in inside
        shaped(each)


# ---- JUnit


def test_junit_has_every_check_once_as_it_became(record: Record) -> None:
    suites = parsed(junit(record))
    shaped(suites)
    cases = {f"{case.get('name')}@{case.get('classname')}": case for case in suites.iter("testcase")}
    kinds = {
        **dict.fromkeys((Status.FAIL, Status.UNEXPECTED_PASS), "failure"),
        **dict.fromkeys((Status.ERROR, Status.CRASH, Status.TIMEOUT), "error"),
        **dict.fromkeys((Status.SKIPPED, Status.UNSUPPORTED, Status.EXPECTED_FAILURE), "skipped"),
    }
    for checked in record.results:
        case = cases.pop(f"{checked.check}.{checked.topic}")
        assert [each.tag for each in case] == ([] if checked.status is Status.PASS else [kinds[checked.status]])
        assert case.get("file") == checked.file
        assert case.get("time") == f"{checked.milliseconds / 1_000:.3f}"
    assert set(cases) == ({"the run as a whole@hoyle"} if record.broken else set())


def test_junit_counts_what_is_in_it(record: Record) -> None:
    suites = parsed(junit(record))
    for suite in suites:
        found = Counter(each.tag for case in suite.iter("testcase") for each in case)
        counted = (int(suite.get(key, "0")) for key in ("failures", "errors", "skipped"))
        assert tuple(counted) == (found["failure"], found["error"], found["skipped"])
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
    for key in ("tests", "failures", "errors"):
        assert int(suites.get(key, "")) == sum(int(suite.get(key, "")) for suite in suites)


# ---- GitHub


def test_github_is_told_of_every_cause_in_a_line_of_its_own(record: Record) -> None:
    told = list(annotations(record))
    assert len(told) == len(record.causes) + bool(record.broken)
    for line in told:
        assert re.fullmatch(r"::error (file=[^,:]+,line=\d+,)?title=[^,:\r\n]+::[^\r\n]+", line)


def test_no_more_is_told_than_github_shows() -> None:
    record = read_record(WRONG)
    many = [replace(record.causes[0], id=f"cause-{number}") for number in range(30)]
    told = list(annotations(replace(record, causes=many)))
    assert len(told) == MOST
    assert told[-1].startswith("::error title=21 causes more::")
    exactly = list(annotations(replace(record, causes=many[:MOST])))
    assert len(exactly) == MOST
    assert "causes more" not in exactly[-1]


def test_what_github_would_take_for_its_own_is_escaped() -> None:
    assert _command("a: b, 5%", "c: d, 5%\nand") == "::error title=a%3A b%2C 5%25::c: d, 5%25%0Aand"
    assert len(_command("a", "x" * 100_000)) < 5_000


# ---- Markdown


def test_markdown_has_the_table_and_every_cause(record: Record) -> None:
    page = markdown(record)
    for name, results in record.claimed.items():
        passed = sum(each.status in {Status.PASS, Status.UNEXPECTED_PASS} for each in results)
        assert f"(`{name}`) | {passed} |" in page
    assert len(re.findall("^#### ", page, re.MULTILINE)) == len(record.causes)


def test_what_was_said_is_no_markup() -> None:
    said = "# <b>*x*</b> [a](http://b) | `c` @d ~e~ https://f www.g"
    shown = text(said)
    assert not re.search(r"[<>*|`@\[\]#~](?!\d)|://|www\.", shown.replace("&#", ""))


def test_what_is_shown_whole_cannot_end_its_block() -> None:
    record = read_record(WRONG)
    cause = record.causes[0]
    assert cause.example
    evil = replace(cause, example=replace(cause.example, observed="```\n# mine\n````\n"))
    page = markdown(replace(record, causes=[evil]))
    assert page.count("\n`````") == 2


# ---- a known failure that passes


def test_known_failure_that_passes_counts_as_passed_in_every_report() -> None:
    """As in the totals of the run; but no build may pass until its line is removed from the baseline."""
    record = read_record(WRONG)
    assert (record.count(Status.PASS), record.count(Status.UNEXPECTED_PASS), record.count(Status.FAIL)) == (3, 1, 5)
    assert totals_line(record.results) == "4 passed (among them 1 known failure), 5 failed, 1 failed as expected"
    page = markdown(record)
    assert "Among the passed: 1 known failure of the baseline." in page
    assert "### 5 failures, 1 known failure fixed, 2 causes" in page
    claimed = [count(results) for results in record.claimed.values()]
    assert sum(each.passed for each in claimed) == 4
    assert re.fullmatch(r"bezique-bicycle 2 of \d+, bezique-hoyle 2 of \d+", badge.badge(record).message)
    assert record.exit == 1
    (fixed,) = (each.scenario for each in record.results if each.status is Status.UNEXPECTED_PASS)
    case = next(each for each in parsed(junit(record)).iter("testcase") if each.get("name") == fixed)
    assert [each.tag for each in case] == ["failure"]


# ---- the badge


def of_one_ruleset(record: Record, *, checks: int, known: bool = False) -> Record:
    """The record with the checks of one ruleset, all of which pass, but for one if that is known."""
    results = [replace(each, status=Status.PASS) for each in record.of_rulesets["bezique-hoyle"]]
    if known:
        results[0] = replace(results[0], status=Status.EXPECTED_FAILURE)
    named = {"bezique-hoyle": replace(record.rulesets["bezique-hoyle"], checks=checks)}
    return replace(record, results=results, rulesets=named, exit=0)


def test_a_badge_is_green_only_where_all_of_the_suite_has_passed(cut_off: Record) -> None:
    record = read_record(WRONG)
    assert badge.badge(of_one_ruleset(record, checks=5)) == badge.Badge("bezique-hoyle 5 of 5", "brightgreen")
    assert badge.badge(of_one_ruleset(record, checks=447)) == badge.Badge("bezique-hoyle 5 of 447", "yellowgreen")
    known = of_one_ruleset(record, checks=5, known=True)
    assert badge.badge(known) == badge.Badge("bezique-hoyle 4 of 5", "yellow")
    assert badge.badge(record).color == "red"
    assert badge.badge(cut_off) == badge.Badge("not finished", "lightgrey")
    assert badge.badge(replace(known, stopped="interrupted")).color == "red"
    assert badge.badge(replace(known, ending="it did not end")).color == "red"
    nothing = [replace(each, status=Status.UNSUPPORTED) for each in record.results]
    assert badge.badge(replace(record, results=nothing)) == badge.Badge("nothing ran", "lightgrey")
    every = [replace(each, status=Status.EXPECTED_FAILURE, known=True) for each in known.results]
    assert badge.badge(replace(known, results=every)) == badge.Badge("bezique-hoyle 0 of 5", "red")
    three = {f"{name}-{number}": of for number in range(3) for name, of in known.rulesets.items()}
    results = [replace(each, check=f"{each.check}-{number}") for number in range(3) for each in known.results]
    assert badge.badge(replace(known, rulesets=three, results=results)).message == "3 rulesets, 12 of 15"


def test_a_badge_is_json_for_shields_io(record: Record) -> None:
    end = json.loads(badge.endpoint(record))
    assert end.keys() == {"schemaVersion", "label", "message", "color"}
    assert end["schemaVersion"] == 1


# ---- a run that is not whole


def test_a_run_that_is_not_whole_passes_nowhere(cut_off: Record) -> None:
    passed = [replace(each, status=Status.PASS) for each in cut_off.results]
    record = replace(cut_off, results=passed)
    assert record.broken == "The record is cut off: 7 of 10 checks were not run."
    assert 'errors="1"' in junit(record)
    (told,) = annotations(record)
    assert told == f"::error title=The run did not go as expected::{record.broken}"
    assert f"**{record.broken}**" in markdown(record)
    assert record.broken in list(summary_lines(record))


def test_a_run_of_known_failures_alone_passes_nowhere() -> None:
    record = read_record(WRONG)
    known = [
        replace(each, status=Status.EXPECTED_FAILURE, known=True, expected_status="crash") for each in record.results
    ]
    nothing_passed = replace(record, results=known, causes=[], exit=2, explained="exit 2: nothing passed.")
    assert nothing_passed.broken == "exit 2: nothing passed."
    assert replace(nothing_passed, explained="").broken.startswith("Nothing passed: ")
    assert 'errors="1"' in junit(nothing_passed)
    assert list(annotations(nothing_passed)) == [
        "::error title=The run did not go as expected::exit 2: nothing passed."
    ]
    passed = replace(known[0], status=Status.PASS)
    assert replace(nothing_passed, results=[passed, *known[1:]], exit=0, explained="").broken == ""


# ---- whatever was said


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(said=st.text(st.characters(), min_size=1, max_size=40))
def test_whatever_an_adapter_says_every_report_can_be_read(tmp_path_factory: pytest.TempPathFactory, said: str) -> None:
    path = tmp_path_factory.getbasetemp() / "said.jsonl"
    header, failed, *_ = map(json.loads, (RECORDS / "dangerous.jsonl").read_text("utf-8").splitlines())
    header["implementation"] |= {"name": said, "version": said, "language": said}
    failed |= {"reason": said, "title": said}
    path.write_text("\n".join([json.dumps(header), json.dumps(failed), ""]), "utf-8")
    record = read_record(path)
    shaped(parsed(junit(record)))
    assert all(len(line.splitlines()) == 1 for line in annotations(record))
    assert all(char.isprintable() or char == "\n" for char in markdown(record))
    assert all(line.isprintable() for line in summary_lines(record))


# ---- the command


def test_one_call_writes_all_that_is_asked_for(hoyle: Hoyle, tmp_path: Path) -> None:
    words = [f"--{name}={tmp_path / name}" for name in ("junit", "markdown", "endpoint")]
    for _ in range(2):  # what it has written itself it may overwrite
        done = hoyle("report", str(WRONG), *words)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    record = read_record(WRONG)
    made = {"junit": junit, "markdown": markdown, "endpoint": badge.endpoint}
    for name, make in made.items():
        assert (tmp_path / name).read_text("utf-8") == make(record)


@pytest.mark.whole
def test_what_is_piped_on_is_utf_8_whatever_the_system_is_used_to(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "hoyle_conformance", "report", str(WRONG), "--junit", "-"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(words, capture_output=True, env=environment, cwd=tmp_path, timeout=HANGS, check=True)
    assert done.stdout.decode("utf-8") == junit(read_record(WRONG))


@pytest.mark.slow
def test_in_a_step_of_github_actions(hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary"
    summary.write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    done = hoyle("report", str(WRONG), "--github", "--junit", str(tmp_path / "junit.xml"))
    record = read_record(WRONG)
    assert done.stdout.splitlines() == list(annotations(record))
    assert summary.read_text("utf-8") == f"before\n{markdown(record)}"
    assert (tmp_path / "junit.xml").is_file()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    assert "--github: cannot write the summary" in hoyle("report", str(WRONG), "--github").stderr
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert "No summary was written: GITHUB_STEP_SUMMARY is not set" in hoyle("report", str(WRONG), "--github").stderr


@pytest.mark.posix
def test_a_summary_that_nobody_reads_is_not_waited_for(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")  # type: ignore[attr-defined,unused-ignore] -- of no concern on Windows
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "pipe"))
    done = hoyle("report", str(WRONG), "--github")
    assert (done.returncode, "cannot write the summary" in done.stderr) == (4, True)


def test_the_summary_is_no_record(hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "run.jsonl"
    record.write_bytes(WRONG.read_bytes())
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(record))
    done = hoyle("report", str(record), "--github")
    assert (done.returncode, done.stdout) == (4, "")
    assert "--github (GITHUB_STEP_SUMMARY) would overwrite the file of RECORD" in done.stderr
    assert record.read_bytes() == WRONG.read_bytes()


@pytest.mark.posix
def test_links_that_lead_nowhere_are_found_before_anything_is_done(hoyle: Hoyle, tmp_path: Path) -> None:
    one, other, away = tmp_path / "one", tmp_path / "other", tmp_path / "away"
    one.symlink_to(other)
    other.symlink_to(one)
    away.symlink_to(tmp_path / "no" / "folder")
    for link, why in {one: os.strerror(errno.ELOOP), away: os.strerror(errno.ENOENT)}.items():
        done = hoyle("report", str(WRONG), "--html", str(link))
        assert (done.returncode, done.stdout) == (4, "")
        with pytest.raises(click.UsageError, match=f"cannot write {re.escape(str(link))}: {why.lower()}"):
            safe_or_exit([Output("--write-baseline", str(link))], ROOT / "spec")
        assert link.is_symlink()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "Missing argument 'RECORD…'."),
        (("none.jsonl",), "none.jsonl:1:1: cannot read the record: no such file or directory"),
        (("mine.txt",), "mine.txt:1:1: this is not a line of a record: it is not JSON"),
        (("run.jsonl", "--junit", "run.jsonl"), "--junit would overwrite the file of RECORD run.jsonl"),
        (("run.jsonl", "--junit", "mine.txt"), "mine.txt already exists, and is not a report in JUnit XML"),
        (("run.jsonl", "--junit", "x", "--html", "./x"), "--junit and --html cannot be the same file."),
        (
            ("run.jsonl", "run.jsonl", "--junit", "x"),
            "--junit is made from one record: run the command once for each of them.",
        ),
        (("run.jsonl",) * 51, "51 records are too many for a comparison: name 50 at most."),
        (("run.jsonl", "--endpoint", str(ROOT / "spec/VERSION")), "VERSION, a file of the suite"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_what_is_wrong_with_the_call_is_said_and_nothing_is_written(
    hoyle: Hoyle, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    (tmp_path / "run.jsonl").write_bytes(WRONG.read_bytes())
    (tmp_path / "mine.txt").write_text("ten years of work\n", "utf-8")
    (tmp_path / "junit.xml").write_text(junit(read_record(WRONG)), "utf-8")
    (tmp_path / "folder").mkdir()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    done = hoyle("report", *words, cwd=tmp_path)
    assert says in " ".join(done.stderr.split())
    assert (done.returncode, done.stdout) == (4, "")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_records_that_are_together_too_large_are_refused(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run.jsonl").write_bytes(WRONG.read_bytes())
    monkeypatch.setattr(reading, "LARGEST", 2 * WRONG.stat().st_size)
    for number, code in ((2, 0), (3, 4)):
        done = hoyle("report", *["run.jsonl"] * number, cwd=tmp_path)
        assert done.returncode == code
    assert "bytes: name fewer." in done.stderr


# ---- the page


def test_the_page_shows_what_is_made(hoyle: Hoyle, tmp_path: Path) -> None:
    page = ROOT / "docs/reports.md"
    (tmp_path / "run.jsonl").write_bytes((RECORDS / "short.jsonl").read_bytes())
    golden(page, played(page.read_text("utf-8"), Session(tmp_path, hoyle)))
