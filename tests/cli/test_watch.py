"""hoyle validate --watch: what changes is validated when it is at rest, and said in short."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Done, the_suite
from hoyle_conformance.cli import watch as watching
from hoyle_conformance.files.watch import Changed, Snapshot, changes, snapshot
from transcripts import Clone

SOUND = """\
id: tricks.mine
title: The king wins
given: {trumps: H, leads: A}
steps:
  - {ask: winner, by: A, cards: [KS, 9S]}
outcomes:
  - rulesets: [bezique-hoyle]
    cites: [hoyle/bezique/higher-card-wins]
    expect: {1: {answer: A}}
"""


class Enough(Exception):
    """There is nothing more to look at."""


def seen(*states: dict[str, int]) -> Iterator[Changed]:
    """What changes from one of these states of some files to the next, each looked at once."""
    left = iter(states)

    def look() -> Snapshot:
        try:
            return {Path(name): (written, 0, 0) for name, written in next(left).items()}
        except StopIteration:
            raise Enough from None

    return changes(look(), look, lambda: None)


def told(*states: dict[str, int]) -> list[Changed]:
    """All that is told of these states, until there is nothing more to look at."""
    some: list[Changed] = []
    with suppress(Enough):
        for each in seen(*states):
            some.append(each)  # noqa: PERF402 -- it ends by an error, and what was told before is wanted
    return some


def test_what_changes_is_told_once_it_is_at_rest() -> None:
    assert told(
        {"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 3}, {"a": 3}, {"a": 3}, {"a": 3, "c": 1}, {"a": 3, "c": 1}
    ) == [
        Changed((Path("a"),), (Path("b"),)),
        Changed((Path("c"),), ()),
    ]


def test_what_was_changed_and_changed_back_is_not_told() -> None:
    assert told({"a": 1}, {"a": 2}, {"a": 1}, {"a": 1}, {"a": 1}) == []


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(0, 2)), min_size=1, max_size=8))
def test_what_is_told_leads_from_what_was_to_what_is(states: list[dict[str, int]]) -> None:
    """Whatever changes, and however often: in the end everything that differs has been told."""
    now, known = states[-1], dict.fromkeys(states[0])
    for each in told(*states, now, now, now):
        known = {name: None for name in known if Path(name) not in each.gone}
        known |= {path.name: None for path in each.files}
    assert set(known) == set(now)


@pytest.mark.posix
def test_a_snapshot_survives_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("one.yaml", "sub/two.yaml", "sub/.two.yaml.7.part", "sub/.two.yaml", "three.txt"):
        (tmp_path / name).touch()
    (tmp_path / "four.yaml").symlink_to(tmp_path / "nowhere")
    found = snapshot([tmp_path, tmp_path / "three.txt", tmp_path / "gone.yaml"])
    assert {path.relative_to(tmp_path).as_posix() for path in found} == {"one.yaml", "sub/two.yaml", "three.txt"}


@pytest.fixture
def watched(hoyle: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """`hoyle validate --watch` of some files in a checkout; at each pause the next of these things is done, and then
    somebody has had enough."""
    clone = Clone.in_folder(tmp_path)
    (tmp_path / "spec/scenarios/tricks").mkdir()
    (tmp_path / "spec/rulesets").mkdir()

    def run(*files: str, doing: list[Callable[[Path], object]]) -> Done:
        todo = iter([step for each in doing for step in (each, lambda _path: None)])

        def pause(_seconds: float) -> None:
            try:
                next(todo)(tmp_path / "spec")
            except StopIteration:
                raise KeyboardInterrupt from None

        monkeypatch.setattr(watching.time, "sleep", pause)
        monkeypatch.setattr(watching.time, "strftime", lambda _form: "12:00:00")
        return hoyle("validate", "--watch", *files, cwd=tmp_path, installed=clone.suite)

    return run


def mine(spec: Path) -> Path:
    return spec / "scenarios/tricks/mine.scenario.yaml"


def write(text: str) -> Callable[[Path], object]:
    return lambda spec: mine(spec).write_text(text, encoding="utf-8")


FILE = "spec/scenarios/tricks/mine.scenario.yaml"


def test_a_file_is_validated_whenever_it_changes(watched: Callable[..., Done]) -> None:
    wrong = SOUND.replace("answer: A", "answer: B")
    done = watched(
        FILE,
        doing=[write(SOUND), write(wrong), write(f"{wrong}# x\n"), write("id: ["), lambda spec: mine(spec).unlink()],
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if line.startswith("12:00:00")] == [
        f"12:00:00  {FILE}: not found",
        f"12:00:00  {FILE}: valid",
        f"12:00:00  {FILE}: 1 mistake",
        f"12:00:00  {FILE}: still 1 mistake, as before",
        f"12:00:00  {FILE}: 1 mistake",
        f"12:00:00  {FILE}: not found",
    ]
    assert "  Find out from the source which of the two is wrong before changing either" in done.stdout


def test_without_a_file_whatever_changes_is_validated(watched: Callable[..., Done]) -> None:
    done = watched(doing=[write(SOUND)])
    assert done.stdout.splitlines() == [
        "Watching 0 files, and validating those that change. Ctrl-C ends it.",
        f"12:00:00  {FILE}: valid",
        "",
    ]


def test_sound_files_among_many_are_counted(watched: Callable[..., Done]) -> None:
    def write_many(spec: Path) -> None:
        for number in range(20):
            name, answer = f"mine-{number}", "B" if number == 7 else "A"
            text = SOUND.replace("tricks.mine", f"tricks.{name}").replace("answer: A", f"answer: {answer}")
            (spec / f"scenarios/tricks/{name}.scenario.yaml").write_text(text, encoding="utf-8")

    said = [line for line in watched(doing=[write_many]).stdout.splitlines() if line.startswith("12:00:00")]
    assert said == [
        "12:00:00  spec/scenarios/tricks/mine-7.scenario.yaml: 1 mistake",
        "12:00:00  20 files, 19 of them valid",
    ]


def test_when_the_rules_change_what_was_named_is_validated_again(watched: Callable[..., Done]) -> None:
    def rules(text: str) -> Callable[[Path], object]:
        return lambda spec: (spec / "rulesets/x.ruleset.yaml").write_text(text, encoding="utf-8")

    done = watched("spec/scenarios", doing=[write(SOUND), rules("a: 1"), rules("a: 12")])
    said = done.stdout.splitlines()
    assert done.returncode == 0
    assert any("the rules cannot be used: " in line for line in said)
    assert sum(line == f"12:00:00  {FILE}: valid" for line in said) == 1


def test_the_rules_that_have_changed_are_those_that_judge(
    watched: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    from hoyle_conformance.checks import load

    def change(spec: Path) -> None:
        monkeypatch.setattr(load, "load_suite", lambda *_words, **_how: the_suite())
        (spec / "rulesets/x.ruleset.yaml").write_text("a: 1", encoding="utf-8")

    done = watched("spec/scenarios", doing=[write(SOUND), change])
    said = [line for line in done.stdout.splitlines() if line.startswith("12:00:00")]
    assert said[:1] == [f"12:00:00  {FILE}: valid"]
    assert max(said[1:]) == f"12:00:00  {FILE}: valid"
    assert any("spec/rulesets/x.ruleset.yaml: " in line for line in said)
