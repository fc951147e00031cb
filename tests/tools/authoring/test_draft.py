"""A scenario to begin with: its file in the editor, with explanations and mistakes; what it shows is not filled in."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from conftest import Done, the_suite
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import scenario_text
from transcripts import Clone

Said = Callable[..., Done]


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone.in_folder(tmp_path)


@pytest.fixture(scope="module")
def some(suite: Suite) -> list[Scenario]:
    """Some scenarios of every topic, for laws that hold for all of them."""
    return sorted(suite.scenarios.values(), key=lambda each: each.id)[::7]


def test_what_is_laid_out_is_what_was_said(some: list[Scenario]) -> None:
    for said in (each.document.data for each in some[::2] if not each.readings):
        assert load(scenario_text(said), "it").data == said


#: An editor that saves, each time it is called, the next of the texts in its folder, with what it was given beside it.
EDITOR = """
import shutil, sys
from pathlib import Path

folder, file = map(Path, sys.argv[1:])
number = len(list(folder.glob("given-*")))
shutil.copyfile(file, folder / f"given-{number}")
if (folder / f"save-{number}").exists():
    shutil.copyfile(folder / f"save-{number}", file)
sys.exit((folder / "fail").exists())
"""
SOUND = """\
# yaml-language-server: $schema=../../schemas/scenario.schema.json
id: tricks.my-question
title: Does the king win?
given: {leads: A, trumps: H, hands: {A: [KS, ...], B: [9S, ...]}}
steps:
  - {by: A, do: trick, cards: [KS, 9S]}  # the nine is lower
outcomes:
  - rulesets: [bezique-hoyle]
    cites: [hoyle/bezique/higher-card-wins]
    expect:
      1: {trick_won_by: A}
"""


@dataclass
class Edited:
    """`hoyle new scenario` on a terminal, with an editor that saves these texts one after another."""

    hoyle: Said
    clone: Clone
    folder: Path

    def __call__(self, *saved: str, options: Sequence[str] = ()) -> Done:
        for number, text in enumerate(saved):
            (self.folder / f"save-{number}").write_text(text, "utf-8")
        return self.hoyle("new", "scenario", *options, cwd=self.clone.folder, installed=self.clone.suite)

    def given(self, number: int) -> str:
        """What the editor was given the first time, or one of the next."""
        return (self.folder / f"given-{number}").read_text("utf-8")

    def times(self) -> int:
        """How often the editor was opened."""
        return len(list(self.folder.glob("given-*")))

    def file(self, name: str = "tricks/my-question") -> Path:
        return self.clone.folder / f"spec/scenarios/{name}.scenario.yaml"


@pytest.fixture
def edited(hoyle: Said, clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Edited:
    folder = tmp_path / "editor"
    folder.mkdir()
    (folder / "editor.py").write_text(EDITOR, "utf-8")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", " ".join(f"'{each}'" for each in (sys.executable, folder / "editor.py", folder)))
    monkeypatch.setattr("hoyle_conformance.cli.new.scenario.is_interactive", lambda: True)
    return Edited(hoyle, clone, folder)


def test_file_from_the_editor_is_written_without_explanations(edited: Edited) -> None:
    explained = SOUND.replace("    expect:\n", "## explained\n    expect:  # to be written: x\n")
    done = edited(f"## on top\n{explained}")
    assert done.stdout == (
        "Wrote spec/scenarios/tricks/my-question.scenario.yaml.\n"
        "The scenario is valid, and the reference interpreter agrees with it.\n"
        "Next: hoyle explain tricks.my-question\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert edited.file().read_text("utf-8") == SOUND.replace("expect:\n", "expect:  # to be written: x\n")


def test_file_in_the_editor_explains_all_that_can_be_written(edited: Edited) -> None:
    edited()
    given = edited.given(0)
    scenario = the_suite().schemas.documents["scenario"]["$defs"]
    for each in (*scenario["given"]["properties"], *scenario["expectation"]["properties"]):
        assert f"##   {each}: " in given
    for each in (*the_suite().rulesets, "to-score", "QS#2", 'id: ""', 'title: ""', "\nsteps:\n", "\ngiven:\n"):
        assert each in given
    assert "##   {by: A, do: declare, meld: …, cards: …, irregular: …?}: " in given


def test_file_with_mistakes_opens_again_with_them_on_top(edited: Edited) -> None:
    done = edited(SOUND.replace("trumps: H", "trumps: X"), SOUND.replace("my-question", "ace-over-ten"), SOUND)
    assert done.returncode == 0
    assert edited.times() == 3
    second = edited.given(1).splitlines()
    assert second[0].startswith("## 1 mistake. ")
    number = next(number for number, line in enumerate(second, start=1) if line.startswith("given:"))
    assert second[1].startswith(f"## Line {number}: 'X' does not fit given.trumps")
    assert second[2] == f"##   {number} | {second[number - 1]}"
    assert "already" in edited.given(2).splitlines()[1]
    assert "'X'" not in edited.given(2)


def test_mistakes_are_those_of_validate(edited: Edited) -> None:
    done = edited(
        "id: [",
        "- a list",
        SOUND.replace("{trick_won_by: A}", "{trick_won_by: B}"),
        SOUND.replace("    cites: [hoyle/bezique/higher-card-wins]\n", "    cites: [hoyle/bezique/no]\n"),
        SOUND.replace("expect:\n      1: {trick_won_by: A}", "expect: {}"),
        SOUND,
    )
    assert done.returncode == 0
    for number, why in enumerate(("the structure is broken", "mapping", "the reference interpreter gives: A wins"), 1):
        assert why in edited.given(number), number
    assert "no clause 'hoyle/bezique/no'" in edited.given(4)
    assert "Write the outcome of the steps after the source" in edited.given(5)
    assert "wins the trick" not in edited.given(5)


def test_one_may_begin_with_another_position_whose_outcomes_are_not_filled_in(edited: Edited) -> None:
    done = edited(options=["tricks.my-question", "--like", "tricks.ace-over-ten"])
    assert (done.returncode, done.stderr) == (4, "Nothing was written: you left the file unchanged or empty.\n")
    given, other = load(edited.given(0), "it").data, the_suite().scenarios["tricks.ace-over-ten"]
    assert (given["id"], given["title"], given["given"]) == ("tricks.my-question", "", other.given)
    assert [dict(each) for each in given["steps"]] == [dict(each) for each in other.steps]
    assert given["outcomes"] == [{"rulesets": list(other.named), "cites": [], "expect": {}}]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["tricks.ace-over-ten"], "there is a scenario 'tricks.ace-over-ten' already"),
        (["Tricks"], "ID: "),
        (["--like", "tricks.ace-over-tem"], "Did you mean 'tricks.ace-over-ten'?"),
    ],
)
def test_what_cannot_be_begun_is_not_and_says_why(edited: Edited, options: Sequence[str], why: str) -> None:
    done = edited(SOUND, options=options)
    assert done.returncode == 4
    assert why in " ".join(done.stderr.split())
    assert edited.times() == 0


def test_without_a_checkout_it_says_what_to_do(edited: Edited, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle_conformance.suite.paths._HERE", edited.clone.folder)
    done = edited(SOUND)
    assert done.returncode == 4
    assert "installed without the repository" in " ".join(done.stderr.split())
    assert edited(SOUND, options=["-o", "-"]) == Done(0, SOUND, "")


@pytest.mark.parametrize("saved", ["", "\n \n# only comments\n"])
def test_empty_file_writes_nothing(edited: Edited, saved: str) -> None:
    done = edited(SOUND.replace("trumps: H", "trumps: X"), saved)
    assert (done.returncode, done.stdout) == (4, "")
    assert list((edited.clone.folder / "spec/scenarios").iterdir()) == []


def test_file_left_with_mistakes_is_written_as_it_is(edited: Edited) -> None:
    contradicted = SOUND.replace("{trick_won_by: A}", "{trick_won_by: B}")
    done = edited(contradicted, contradicted)
    assert done.returncode == 5
    assert "The file is as you wrote it. Next: hoyle validate spec/scenarios/tricks/" in done.stderr
    assert edited.file().read_text("utf-8") == contradicted


def test_file_that_no_name_fits_is_printed_and_not_written(edited: Edited) -> None:
    broken = SOUND.replace("id: tricks.my-question\n", "")
    done = edited(broken, broken)
    assert (done.returncode, done.stdout) == (4, broken)
    assert "has no id that names it" in done.stderr


def test_new_topic_is_begun_if_the_file_is_left_so(edited: Edited) -> None:
    new_topic = SOUND.replace("tricks.my", "trick.my")
    assert edited(new_topic, new_topic).returncode == 0
    assert "there is no topic 'trick' yet" in edited.given(1)
    assert "To begin this topic, leave the file as it is." in edited.given(1)
    assert edited.file("trick/my-question").is_file()


def test_file_from_the_editor_may_be_printed(edited: Edited) -> None:
    assert edited(SOUND, options=["-o", "-"]) == Done(0, SOUND, "")


def test_file_that_cannot_be_written_is_printed(edited: Edited) -> None:
    done = edited(SOUND, options=["-o", "yours.yaml"])
    assert (done.returncode, done.stdout) == (4, SOUND)
    assert "must be named tricks/my-question.scenario.yaml" in " ".join(done.stderr.split())


def test_editor_that_fails_writes_nothing(edited: Edited, monkeypatch: pytest.MonkeyPatch) -> None:
    (edited.folder / "fail").touch()
    assert "Editing failed. Nothing was written." in edited(SOUND).stderr
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    done = edited(SOUND)
    assert done.returncode == 4
    assert "The variable EDITOR names the editor" in " ".join(done.stderr.split())


def test_no_editor_opens_without_a_terminal(edited: Edited, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert "needs a terminal" in edited(SOUND).stderr
    assert edited.times() == 0
