"""A scenario to begin with: its file explains what to write, and has no outcome."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from conftest import Done, the_suite
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import scenario_text
from transcripts import Clone

Said = Callable[..., Done]


@pytest.fixture
def new(hoyle: Said, tmp_path: Path) -> Said:
    """`hoyle new scenario` in a checkout."""
    clone = Clone.in_folder(tmp_path)
    return lambda *words: hoyle("new", "scenario", *words, cwd=tmp_path, installed=clone.suite)


def test_what_is_laid_out_is_what_was_said(suite: Suite) -> None:
    for said in (each.document.data for each in [*suite.scenarios.values()][::14] if not each.readings):
        assert load(scenario_text(said), "it").data == said


def test_file_is_written_with_explanations_and_without_an_outcome(new: Said, tmp_path: Path) -> None:
    file = "spec/scenarios/tricks/my-question.scenario.yaml"
    done = new("tricks.my-question", "--like", "tricks.ace-over-ten")
    assert done == Done(0, f"Wrote {file}. Fill it in, then: hoyle validate {file}\n", "")
    written, other = (tmp_path / file).read_text("utf-8"), the_suite().scenarios["tricks.ace-over-ten"]
    data = load(written, "it").data
    assert (data["id"], data["title"], data["given"]) == ("tricks.my-question", "", other.given)
    assert data["steps"] == [dict(each) for each in other.steps]
    assert data["outcomes"] == [{"rulesets": list(other.named), "cites": [], "expect": {}}]
    assert all(name in written for name in the_suite().rulesets)


def test_file_waits_to_be_written(new: Said, hoyle: Said, tmp_path: Path) -> None:
    done = new("trick.my-question")
    assert done.stdout.splitlines()[1].startswith("It begins the topic 'trick'. Did you mean 'tricks'")
    left = hoyle("validate", "spec/scenarios/trick", cwd=tmp_path)
    assert left.returncode == 5
    for key in ("title", "given", "steps", "rulesets"):
        assert key in left.stderr
    assert new("tricks.my-question", "-").stdout.startswith("# yaml-language-server")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["tricks.ace-over-ten"], "There is a scenario 'tricks.ace-over-ten' already."),
        (["Tricks"], "ID: 'Tricks' does not fit id."),
        (["tricks.mine", "--like", "tricks.ace-over-tem"], "Did you mean 'tricks.ace-over-ten'?"),
    ],
)
def test_what_cannot_be_begun_is_not_and_says_why(new: Said, tmp_path: Path, options: Sequence[str], why: str) -> None:
    done = new(*options)
    assert done.returncode == 4
    assert why in " ".join(done.stderr.split())
    assert list((tmp_path / "spec/scenarios").iterdir()) == []


def test_without_a_checkout_it_says_what_to_do(new: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle_conformance.suite.paths._HERE", tmp_path)
    done = new("tricks.mine")
    assert done.returncode == 4
    assert "installed without the repository" in " ".join(done.stderr.split())
    assert new("tricks.mine", "mine.yaml").returncode == 0
