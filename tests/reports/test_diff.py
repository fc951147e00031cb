"""What has changed between two runs: nothing from a run to itself, and there and back is the same."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from conftest import ROOT, Done, golden
from hoyle_conformance.reports.diff import (
    WORSE,
    Changes,
    CheckChange,
    DiffKind,
    State,
    diff_lines,
    kind_of,
    markdown,
    state,
    worse_by_cause,
)
from hoyle_conformance.reports.load_record import read_record
from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.runner.results import Status
from recorded import records
from transcripts import Session, played

Hoyle = Callable[..., Done]
RECORDS = ROOT / "tests/records"
#: What a change is on the way back.
BACK = {
    DiffKind.BROKEN: {
        DiffKind.NO_LONGER_BROKEN,
        DiffKind.PASSING,
        DiffKind.NO_LONGER_DONE,
        DiffKind.NO_LONGER_ASKED,
        DiffKind.GONE,
    },
    DiffKind.FAILING: {DiffKind.PASSING, DiffKind.NO_LONGER_DONE, DiffKind.NO_LONGER_ASKED, DiffKind.GONE},
    DiffKind.OTHERWISE: {DiffKind.OTHERWISE},
    DiffKind.EXPECTED: {DiffKind.EXPECTED},
    DiffKind.NO_LONGER_DONE: {DiffKind.BROKEN, DiffKind.FAILING, DiffKind.ASKED, DiffKind.NO_LONGER_ASKED},
    DiffKind.NO_LONGER_ASKED: {DiffKind.BROKEN, DiffKind.FAILING, DiffKind.ASKED, DiffKind.NO_LONGER_DONE},
    DiffKind.PASSING: {DiffKind.BROKEN, DiffKind.FAILING},
    DiffKind.NO_LONGER_BROKEN: {DiffKind.BROKEN},
    DiffKind.READ: {DiffKind.READ},
    DiffKind.ASKED: {DiffKind.NO_LONGER_DONE, DiffKind.NO_LONGER_ASKED},
    DiffKind.BASELINE: {DiffKind.BASELINE},
    DiffKind.GONE: {DiffKind.NEW, DiffKind.BROKEN, DiffKind.FAILING},
    DiffKind.NEW: {DiffKind.GONE},
}


def read(name: str) -> Record:
    return read_record(RECORDS / f"{name}.jsonl")


def shown(changes: Changes) -> str:
    return "\n".join(diff_lines(changes))


def checked(status: Status, **more: Any) -> Checked:
    of = Checked("cut.a@bezique-hoyle", "Who cuts?", "spec/cut.yaml", (), status, 1)
    return replace(of, **more)


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(records())
def test_from_a_run_to_itself_nothing_changes(record: Record) -> None:
    changes = Changes(record, record)
    assert changes.nothing
    assert not changes.worse
    assert shown(changes).startswith("Nothing has changed: ")
    assert "Nothing has changed: " in markdown(changes)


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(records(), records())
def test_diff_in_reverse_swaps_its_kinds(one: Record, other: Record) -> None:
    there, back = Changes(one, other), Changes(other, one)
    found = {each.checked.check: (kind, each.now, each.was) for kind, some in back.checks.items() for each in some}
    assert len(found) == sum(map(len, there.checks.values()))
    for kind, some in there.checks.items():
        for each in some:
            on_the_way_back, *mirrored = found[each.checked.check]
            assert on_the_way_back in BACK[kind]
            assert mirrored == [each.was, each.now]
    assert [replace(each, was=each.now, now=each.was) for each in back.readings] == list(there.readings)
    assert {(each.what, each.now, each.was) for each in back.said} == {
        (each.what, each.was, each.now) for each in there.said
    }
    assert back.claims == (there.claims[1], there.claims[0])
    assert there.worse == any(kind in WORSE for kind in there.checks)
    by_cause = [each for _, some in worse_by_cause(there) for each in some]
    assert sorted(each.checked.check for each in by_cause) == sorted(
        each.checked.check for kind in WORSE for each in there.checks.get(kind, ())
    )
    said = shown(there)
    verbose = "\n".join(diff_lines(there, verbose=True))
    for each in by_cause:
        assert each.checked.check in verbose
    assert len(said) <= len(verbose)
    assert "<owned>" not in markdown(there)


STATES = {
    State.NOT_THERE: None,
    State.PASSES: checked(Status.PASS),
    State.FAILS: checked(Status.FAIL, mismatches=({"step": 1, "what": "answer", "expected": "A", "observed": "B"},)),
    State.BREAKS: checked(Status.CRASH, code="crashed"),
    State.NOT_DONE: checked(Status.SKIPPED),
    State.NOT_ASKED: checked(Status.UNSUPPORTED, lacks=("winner",)),
}


@pytest.mark.parametrize("now", STATES)
@pytest.mark.parametrize("was", STATES)
def test_what_fails_that_did_not_is_worse_and_nothing_else(was: State, now: State) -> None:
    assert (state(STATES[was]), state(STATES[now])) == (was, now)
    kind = kind_of(CheckChange(STATES[was], STATES[now]))
    wrong = {State.FAILS, State.BREAKS}
    assert (kind in WORSE) == (now in wrong and was is not now and (was not in wrong or now is State.BREAKS))
    assert (kind is None) == (was is now)


def test_a_baseline_excuses_nothing_and_a_reply_of_an_engine_breaks_nothing() -> None:
    known = checked(Status.EXPECTED_FAILURE, known=True)
    assert state(known) is state(checked(Status.FAIL)) is state(checked(Status.ERROR, code="")) is State.FAILS
    assert state(checked(Status.EXPECTED_FAILURE, code="crashed")) is State.BREAKS
    assert state(checked(Status.TIMEOUT)) is State.BREAKS
    assert state(checked(Status.UNEXPECTED_PASS)) is State.PASSES
    assert state(checked(Status.UNSUPPORTED)) is State.NOT_DONE
    assert kind_of(CheckChange(checked(Status.FAIL), known)) is DiffKind.BASELINE


def test_what_goes_wrong_otherwise_is_told_from_what_is_expected_otherwise() -> None:
    was = STATES[State.FAILS]
    assert was
    [mismatch] = was.mismatches
    other = replace(was, mismatches=({**mismatch, "observed": "C"},))
    asked = replace(was, mismatches=({**mismatch, "expected": "C"},))
    assert kind_of(CheckChange(was, other)) is DiffKind.OTHERWISE
    assert kind_of(CheckChange(was, asked)) is DiffKind.EXPECTED
    assert kind_of(CheckChange(STATES[State.PASSES], checked(Status.PASS, readings=("either",)))) is DiffKind.READ
    record = replace(read("right"), results=(was,))
    turned = replace(record, results=(other,), seed="monday")
    assert list(Changes(record, replace(turned, seed=record.seed)).checks) == [DiffKind.OTHERWISE]
    assert not Changes(record, turned).checks
    assert "Different relabelling: as usual before, by 'monday' now." in shown(Changes(record, turned))


def since(hoyle: Hoyle, new: str, old: str, *more: str) -> Done:
    return hoyle("report", new, "--since", old, *more, cwd=RECORDS)


def test_the_worst_comes_first_with_what_was_expected_and_observed(hoyle: Hoyle, tmp_path: Path) -> None:
    done = since(hoyle, "wrong.jsonl", "right.jsonl")
    assert done.returncode == 1
    newly, _, others = done.stdout.partition("Changed in the baseline: 1 check\n")
    assert "\n5 newly failing: the answer to 'winner' is wrong\n" in newly
    assert "    expected  A\n    observed  B\n" in newly
    assert "and 2 more (-v shows them)" in newly
    assert "New: 3 checks\n" in others
    assert done.stdout.endswith("\n6 newly failing and 3 new.\n")
    assert "more" not in since(hoyle, "wrong.jsonl", "right.jsonl", "-v").stdout
    file = tmp_path / "comment.md"
    for _ in range(2):  # its own comment may be overwritten
        assert since(hoyle, "right.jsonl", "wrong.jsonl", "--markdown", str(file)).returncode == 0
    assert "**3 newly passing and 6 gone.**" in file.read_text("utf-8")
    piped = since(hoyle, "right.jsonl", "wrong.jsonl", "--markdown", "-")
    assert (piped.stdout, piped.stderr) == (file.read_text("utf-8"), "")


def test_a_disputed_rule_that_is_read_otherwise_is_told_where_both_runs_are_whole() -> None:
    one = replace(read("right"), readings={"bezique-hoyle": {"settle.winner": ("first", "higher")}})
    two = replace(one, readings={"bezique-hoyle": {"settle.winner": ("first",), "seven.second": ("either",)}})
    said = shown(Changes(one, two))
    assert "2 disputed rules read differently:" in said
    assert "settle.winner of bezique-hoyle: first or higher before, first now" in said
    assert "seven.second of bezique-hoyle: not seen before, either now" in said
    assert "read differently" not in shown(Changes(one, replace(two, exit=None, readings=None)))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["right.jsonl", "--since", "make.py"], "Give the file that 'hoyle check --record FILE' has written."),
        (["right.jsonl", "wrong.jsonl", "--since", "right.jsonl"], "--since compares one record with another"),
        (
            ["wrong.jsonl", "--since", "right.jsonl", "--markdown", "right.jsonl"],
            "would overwrite the file of OLD, right.jsonl",
        ),
        (["wrong.jsonl", "--since", "right.jsonl", "--markdown", "make.py"], "make.py already exists"),
    ],
)
def test_wrong_usage_is_told(hoyle: Hoyle, words: list[str], says: str) -> None:
    done = hoyle("report", *words, cwd=RECORDS)
    assert done.returncode == 4
    assert says in done.stderr
    assert done.stdout == ""


def test_the_page_shows_what_is_said(hoyle: Hoyle, tmp_path: Path) -> None:
    page = ROOT / "docs/side-by-side.md"
    for name, record in {"mine": "right", "theirs": "wrong", "old": "right", "new": "wrong"}.items():
        (tmp_path / f"{name}.jsonl").write_bytes((RECORDS / f"{record}.jsonl").read_bytes())
    golden(page, played(page.read_text("utf-8"), Session(tmp_path, hoyle)))
