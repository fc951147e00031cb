"""The fuzzers themselves: they run a target, save what fails so that it can be repeated, and add to a corpus."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import run_fuzzers
from conftest import HANGS, ROOT, need
from fuzzers import target as targets
from fuzzers.campaign import Campaign, Limits, repeat_command
from fuzzers.replay import kept, replay
from fuzzers.target import FAILING, Target, target_named

SETTINGS = target_named("settings")


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    need(find_spec("atheris"), "atheris (make .venv/ready-fuzz)")
    return Campaign(tmp_path / "found")


@pytest.mark.slow
def test_a_sound_target_runs_to_the_end(campaign: Campaign) -> None:
    outcome = campaign.run(SETTINGS, ["-runs=400", "-seed=1"])
    assert not outcome.failed, outcome.log
    name, inputs, *_ = outcome.row.split()
    assert (name, inputs) == ("settings", "400")


@pytest.mark.slow
def test_the_input_of_a_failure_is_saved_and_repeated(campaign: Campaign) -> None:
    outcome = campaign.run(FAILING, ["-runs=100000", "-seed=1"])
    assert outcome.failed
    assert "LookupError: the defect" in outcome.log
    assert outcome.saved
    assert outcome.saved.name.startswith("failing-crash-")
    with pytest.raises(LookupError, match="the defect"):
        replay(FAILING, [outcome.saved])
    assert repeat_command(FAILING, outcome.saved).startswith("python workbench/run_fuzzers.py repeat failing ")


@pytest.mark.slow
def test_a_corpus_keeps_what_reaches_something_new(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, found = kept(SETTINGS), tmp_path / "new"
    monkeypatch.setattr(targets, "CORPUS", tmp_path / "corpus")
    SETTINGS.corpus.mkdir(parents=True)
    (SETTINGS.corpus / "one").write_bytes(b"baseline.txt\n")
    found.mkdir()
    for path in before:
        shutil.copy(path, found)
    (found / "again").write_bytes(b"baseline.txt\n")
    was, now = campaign.keep(SETTINGS, [found])
    assert was == 1
    assert 1 < now == len(kept(SETTINGS)) <= len(before)


@pytest.mark.slow
def test_the_command_ends_with_1_and_the_words_that_repeat_a_failure(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_fuzzers, "Campaign", lambda: campaign)
    assert run_fuzzers.main(["run", "failing", "--inputs", "100000"]) == 1
    assert "To repeat: python workbench/run_fuzzers.py repeat failing " in capsys.readouterr().out


@pytest.mark.slow
def test_the_table_of_coverage_has_the_modules_of_a_target() -> None:
    command = [sys.executable, "workbench/run_fuzzers.py", "coverage", "settings"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=HANGS)
    first, _, heading, *rows = done.stdout.splitlines()
    assert first.split()[:2] == ["settings", str(len(kept(SETTINGS)))]
    assert heading.split() == ["module", "lines", "reached", "branches", "taken"]
    reached = {name: int(share.rstrip("%")) for name, _, share, *_ in map(str.split, rows[:-1])}
    assert reached["hoyle_conformance/runner/baseline.py"] > 50
    assert rows[-1].startswith("all of these")


def test_without_atheris_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_fuzzers, "find_spec", lambda _name: None)
    for words in (["run"], ["keep", "files", "folder"]):
        assert run_fuzzers.main(words) == 2
        assert "make .venv/ready-fuzz" in capsys.readouterr().err


def test_limits_are_shared_out_among_targets() -> None:
    target = Target("any", (), 10, 3)
    assert Limits(7, seconds=60).options(target, 4) == ["-max_total_time=15", "-seed=7"]
    assert Limits(7, seconds=60, inputs=100).options(target, 4) == ["-runs=300", "-seed=7"]


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("10m", 600), ("1h", 3600), ("5", 5)])
def test_a_time_has_a_unit(text: str, seconds: float) -> None:
    assert run_fuzzers._seconds(text) == seconds
