"""The fuzzers themselves: they run a target, keep what they find, and save what fails so that it can be repeated."""

import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import run_fuzzers
from conftest import HANGS, ROOT, need
from fuzzers.campaign import run
from fuzzers.replay import corpus
from fuzzers.target import target_named

SETTINGS = target_named("settings")


@pytest.fixture
def atheris() -> None:
    need(find_spec("atheris"), "atheris (make .venv/ready-fuzz)")


@pytest.mark.slow
@pytest.mark.usefixtures("atheris")
def test_a_sound_target_runs_to_the_end_and_keeps_what_it_finds(tmp_path: Path) -> None:
    seeds = len(corpus(SETTINGS, folder=tmp_path))
    row, failure = run(SETTINGS, ["-runs=400", "-seed=1"], tmp_path)
    assert not failure
    assert row.split()[:2] == ["settings", "400"]
    assert len(corpus(SETTINGS, folder=tmp_path)) > seeds > 0


@pytest.mark.slow
@pytest.mark.usefixtures("atheris")
def test_an_input_that_fails_is_saved_and_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_fuzzers.main(["run", "failing"]) == 1
    printed = capsys.readouterr().out
    assert "LookupError: the defect" in printed
    *_, script, repeat, target, saved = shlex.split(printed.partition("To repeat: ")[2])
    assert (script, repeat, target) == ("workbench/run_fuzzers.py", "repeat", "failing")
    with pytest.raises(LookupError, match="the defect"):
        run_fuzzers.main(["repeat", "failing", saved])


@pytest.mark.slow
def test_the_table_of_coverage_has_the_modules_of_a_target() -> None:
    command = [sys.executable, "workbench/run_fuzzers.py", "coverage", "settings"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=HANGS)
    first, _, heading, *rows = done.stdout.splitlines()
    assert first.split()[:2] == ["settings", str(len(corpus(SETTINGS)))]
    assert heading.split() == ["module", "lines", "reached", "branches", "taken"]
    reached = {name: int(share.rstrip("%")) for name, _, share, *_ in map(str.split, rows[:-1])}
    assert reached["hoyle_conformance/runner/baseline.py"] > 50
    assert rows[-1].startswith("all of these")


def test_without_atheris_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_fuzzers, "find_spec", lambda _name: None)
    assert run_fuzzers.main(["run"]) == 2
    assert "make .venv/ready-fuzz" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("10m", 600), ("1h", 3600), ("5", 5)])
def test_a_time_has_a_unit(text: str, seconds: float) -> None:
    assert run_fuzzers._seconds(text) == seconds
