"""Baselines: written so that the next run ends as expected, and strict both ways, whatever their lines stand for."""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, Done, the_suite
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.cli import options as common
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.reports import words
from hoyle_conformance.runner import baseline
from hoyle_conformance.runner.baseline import (
    EXPECTABLE,
    NO_ANSWERS,
    Baseline,
    baseline_text,
    compare_with_baseline,
    lines_by_check,
    read_baseline,
    update_baseline,
)
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.results import Exit, Result, Run, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from runner.test_run import READY

Hoyle = Callable[..., Done]
#: What an implementation may make of a check.
BECOMES = (Status.PASS, Status.FAIL, Status.ERROR, Status.TIMEOUT, Status.CRASH, Status.SKIPPED, Status.UNSUPPORTED)
IDS = [name for name, heading in the_suite().index.headings.items() if heading.topic == "cut"][:8]
CHECKS = [the_suite().index.checks[name] for name in IDS]
PATTERNS = ["cut.*", *sorted({f"{check.scenario.id}@*" for check in CHECKS}), f"{IDS[0][:-1]}?"]


def read(text: str) -> Baseline:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "known.txt"
        path.write_text(text, "utf-8")
        return read_baseline(path, the_suite())


def rewritten(done: Run, before: Baseline) -> str:
    return baseline_text(update_baseline(done, before), done.ready, "1.0")


def a_run(became: Mapping[str, Status], known_before: Baseline) -> Run:
    known = lines_by_check(known_before)
    results = [compare_with_baseline(Result(check, became[check.id]), known) for check in CHECKS if check.id in became]
    return Run(READY, (), [each.check for each in results], results)


def without_a_pass(became: Iterable[Status]) -> Exit:
    """How a run ends in which the baseline expects everything that happens, and nothing passes."""
    if {Status.CRASH, Status.TIMEOUT}.intersection(became):
        return Exit.ADAPTER_BROKE
    ran = {Status.FAIL, Status.ERROR}.intersection(became)  # an adapter may answer with an error of its own
    return Exit.UNEXPECTED_RESULT if ran else Exit.TOO_LITTLE_RAN


@pytest.mark.slow
@given(
    became=st.dictionaries(st.sampled_from(IDS), st.sampled_from(BECOMES), min_size=1),
    ids=st.dictionaries(st.sampled_from(IDS), st.sampled_from(EXPECTABLE)),
    patterns=st.dictionaries(st.sampled_from(PATTERNS), st.sampled_from(sorted(set(EXPECTABLE) - NO_ANSWERS))),
)
@settings(deadline=None, max_examples=40)
def test_a_run_under_the_baseline_that_it_wrote_ends_as_expected(
    became: dict[str, Status], ids: dict[str, Status], patterns: dict[str, Status]
) -> None:
    old = read("\n".join(f"{name} {status}" for name, status in {**ids, **patterns}.items()))
    first = a_run(became, old)
    new = read(rewritten(first, old))
    again = a_run(became, new)
    passed = Status.PASS in became.values()
    assert passed or first.exit is not Exit.AS_EXPECTED  # whatever the baseline expects
    assert again.exit is (Exit.AS_EXPECTED if passed else without_a_pass(became.values()))
    assert update_baseline(again, new) == new  # and there is nothing more to write
    before, after = ({name: line.status for name, line in lines_by_check(each).items()} for each in (old, new))
    not_run = before.keys() - became.keys()
    assert {name: before[name] for name in not_run} == {name: after[name] for name in after.keys() - became.keys()}
    assert {name: became[name] for name in after.keys() & became.keys()} == {
        name: status for name, status in became.items() if status is not Status.PASS
    }
    assert [line.name for line in new] == sorted(line.name for line in new)


@given(pattern=st.sampled_from(PATTERNS), passes=st.sampled_from(IDS))
@settings(deadline=None, max_examples=20)
def test_every_check_that_a_pattern_stands_for_must_fail(pattern: str, passes: str) -> None:
    (line,) = read(pattern)
    assert line.checks == {name for name in the_suite().index.headings if fnmatchcase(name, pattern)}
    became = {name: Status.FAIL if name in line.checks else Status.PASS for name in IDS}
    done = a_run({**became, passes: Status.PASS}, (line,))
    if passes not in line.checks:
        assert done.exit is Exit.AS_EXPECTED
        return
    (noticed,) = done.failures
    assert (noticed.check.id, noticed.status, done.exit) == (passes, Status.UNEXPECTED_PASS, Exit.UNEXPECTED_RESULT)
    assert words.remedy(noticed).startswith(f"'{pattern}' in the baseline matches it")


def test_a_pattern_stays_whole_or_is_written_out_and_a_comment_stays_with_its_line() -> None:
    old = read(f"{IDS[0]}  # no second seven yet\ncut.*\n")
    every = dict.fromkeys(IDS, Status.FAIL)
    assert update_baseline(a_run(every, old), old) == tuple(sorted(old))
    text = rewritten(a_run({**every, IDS[3]: Status.PASS}, old), old)
    assert f"\n{IDS[0]} fail  # no second seven yet\n" in text
    assert "\ncut.*" not in text
    assert lines_by_check(read(text)).keys() == lines_by_check(old).keys() - {IDS[3]}
    text = rewritten(a_run({**every, IDS[0]: Status.CRASH, IDS[3]: Status.TIMEOUT}, old), old)
    assert [line for line in text.splitlines() if line[:1] != "#"] == [
        *(f"{line.name} {line.status}" for line in old if line.name == "cut.*"),
        *sorted([f"{IDS[0]} crash  # no second seven yet", f"{IDS[3]} timeout"]),
    ]


def test_closest_of_several_lines_is_named() -> None:
    known = lines_by_check(read(f"cut.*\n{IDS[0]}\n"))
    assert (known[IDS[0]].name, known[IDS[1]].name) == (IDS[0], "cut.*")


@pytest.mark.parametrize(
    ("line", "code", "message", "remedy"),
    [
        ("cut.no-such-*", "unknown-check", "no check matches 'cut.no-such-*'", "Correct it, or remove it"),
        (
            "cut.equal-cards",
            "unknown-check",
            "no check 'cut.equal-cards'",
            "That is a scenario: 'cut.equal-cards@*' matches",
        ),
        ("cut.* fail\ncut.*", "twice", "'cut.*' appears a second time", "Remove one."),
        (
            f"{IDS[0]} fails",
            "status",
            "a baseline cannot expect 'fails'",
            "Write one of: fail, crash, timeout, error, ",
        ),
        (f"{IDS[0]} fail crash", "status", "'fail crash' is not a single status", "Write one word after the name"),
        (
            "cut.* crash",
            "status",
            "a pattern cannot expect 'crash', a status without a response",
            "Write a line for each check",
        ),
    ],
)
def test_a_line_that_is_wrong_is_told(line: str, code: str, message: str, remedy: str) -> None:
    with pytest.raises(Invalid) as raised:
        read(line)
    fault = raised.value.diagnostics[-1]
    assert (fault.code, fault.message[: len(message)]) == (code, message)
    assert str(fault.remedy).startswith(remedy)


def test_a_wrong_status_is_shown_where_it_is() -> None:
    with pytest.raises(Invalid) as raised:
        read(f"# known\n  {IDS[0]}\t crash\ncut.*  crash  # crash")
    assert [(each.line, each.column) for each in raised.value.diagnostics] == [(3, 8)]


@pytest.mark.parametrize("status", EXPECTABLE)
@pytest.mark.parametrize("line", [IDS[0], f"{IDS[0]} {{}}", "cut.*"])
def test_a_line_excuses_its_own_status_and_no_other(line: str, status: Status) -> None:
    expected = status if "{}" in line else Status.FAIL
    known = lines_by_check(read(line.format(status)))
    for became in EXPECTABLE:
        seen = compare_with_baseline(Result(CHECKS[0], became), known)
        assert (seen.expected_status, seen.observed_status) == (expected, became)
        assert seen.known is (became is expected)
        assert seen.differs_from_baseline is not seen.known
        ran = became not in {Status.UNSUPPORTED, Status.SKIPPED}
        assert seen.status is (Status.EXPECTED_FAILURE if seen.known and ran else became)


def test_baseline_has_a_limit_of_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline, "MOST_PATTERNS", 3)
    lines = ["# known", "cut.*", IDS[0], "cut.e*", "", "cut.eq*"]
    assert len(read("\n".join(lines))) == 4
    with pytest.raises(Invalid) as raised:
        read("\n".join([*lines, "cut.n*", "cut.nothing"]))
    assert [(each.line, each.column, each.code) for each in raised.value.diagnostics] == [(7, 1, "too-many")]
    assert raised.value.diagnostics[0].message == "more than 3 lines have a pattern"


def test_what_an_adapter_calls_itself_stays_in_its_line() -> None:
    text = baseline_text((), replace(READY, name="x\ncut.*\n\x1b#", version="1" * 99), "1.0")
    assert read(text) == ()
    assert max(map(len, text.splitlines())) < 130


# ---- the command

FAULTY = ["--", sys.executable, str(ROOT / "tests/faulty_adapters/main.py"), "second-identical-card-wins"]
TRICKS = [
    "check",
    "--select=tricks.identical-trumps",
    "--select=tricks.identical-plain-cards",
    "--select=tricks.need-not-win",
    "-r",
    "bezique-hoyle",
]
FAILING = ["tricks.identical-plain-cards@bezique-hoyle fail", "tricks.identical-trumps@bezique-hoyle fail"]


@pytest.mark.slow
def test_the_next_run_ends_with_0_and_the_file_is_brought_up_to_date(hoyle: Hoyle, tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    first = hoyle(*TRICKS, "--write-baseline", str(file), *FAULTY)
    assert (first.returncode, first.stderr) == (1, f"2 known failures written to {file}.\n")
    text = file.read_text("utf-8")
    assert text.startswith("# Known failures of reference interpreter ")
    assert [line for line in text.splitlines() if not line.startswith("#")] == FAILING
    assert hoyle(*TRICKS, "--baseline", str(file), "--max-failures", "1", *FAULTY).returncode == 0
    of_the_reference = hoyle(*TRICKS[:2], *TRICKS[-2:], "--baseline", str(file), "--write-baseline", str(file))
    assert "Among the passed: 1 known failure of the baseline." in of_the_reference.stdout
    assert [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")] == FAILING[:1]


def test_what_is_written_goes_to_standard_output_too(hoyle: Hoyle) -> None:
    done = hoyle("check", "-s", "cut.equal-cards@bezique-hoyle", "--write-baseline", "-")
    assert done.returncode == 0
    assert read(done.stdout) == ()
    assert "1 passed" in done.stderr


@pytest.mark.parametrize(
    ("how", "said", "is_there"),
    [
        ({"stopped": Stop()}, "No baseline was written to {}: the run was not finished.\n", False),
        (
            {"stopped": Stop(StopCode.BROKE_IN_ALL, 100)},
            "1 known failure written to {}. The run was aborted: the next run, with",
            True,
        ),
    ],
)
def test_no_baseline_is_written_of_half_a_run(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, str], said: str, is_there: bool
) -> None:
    def run(_suite: Suite, checks: list[Check], *_: object, **__: object) -> Run:
        return Run(READY, (), checks, [Result(checks[0], Status.FAIL)], **how)

    monkeypatch.setattr(check_command, "_run", run)
    monkeypatch.setattr(common, "sound_or_exit", lambda *_: None)
    monkeypatch.setattr(check_command, "print_report", lambda *_, **__: None)
    file = tmp_path / "known.txt"
    done = hoyle("check", "-s", "cut", "--write-baseline", str(file))
    assert said.replace("{}", str(file)) in done.stderr
    assert file.exists() is is_there


def test_a_baseline_that_a_person_wrote_is_read_and_not_overwritten(hoyle: Hoyle, tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text("# by hand\n", "utf-8")
    done = hoyle("check", "-s", "cut", "--baseline", str(file), "--write-baseline", str(file))
    assert done.returncode == 4
    assert "is not a baseline that Hoyle wrote" in " ".join(done.stderr.split())
    assert file.read_text("utf-8") == "# by hand\n"
