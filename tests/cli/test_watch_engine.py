"""hoyle check --watch: a run at each change of the engine, but not of what the run writes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import HANGS, ROOT, Done, until
from hoyle_conformance.cli import watch_engine
from hoyle_conformance.cli.watch_engine import paths_to_watch, run_at_each_change, without_watch
from hoyle_conformance.files.watch import Snapshot
from hoyle_conformance.tools.authoring.templates.templates import adapter_templates

Hoyle = Callable[..., Done]


class Enough(Exception):
    """There is nothing more to look at."""


def runs(*states: str) -> list[int]:
    """After how many looks each run took place, where each look shows the next of these states of a file."""
    left, looks, found = iter(states), [0], list[int]()

    def look() -> Snapshot:
        looks[0] += 1
        try:
            return {Path("engine.py"): (ord(next(left)), 0, 0)}
        except StopIteration:
            raise Enough from None

    with pytest.raises(Enough):
        run_at_each_change(look, lambda: found.append(looks[0]), lambda: None)
    return found


@pytest.mark.parametrize(
    ("states", "expected"),
    [("aaaa", [1]), ("abb", [1, 3]), ("abbccdd", [1, 3, 5, 7]), ("abcdd", [1, 5]), ("aba", [1])],
)
def test_each_change_runs_the_checks_once_it_is_at_rest(states: str, expected: list[int]) -> None:
    assert runs(*states) == expected


def test_a_change_during_a_run_is_not_lost() -> None:
    file, now = Path("engine.py"), [1]
    seen: list[int] = []

    def run() -> None:
        seen.append(now[0])
        now[0] = min(now[0] + 1, 3)

    def wait() -> None:
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        run_at_each_change(lambda: {file: (now[0], 0, 0)}, run, wait)
    assert seen == [1, 2, 3]


def test_what_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder in (here, elsewhere):
        folder.mkdir()
        (folder / "adapter.py").write_text("", "utf-8")
    monkeypatch.chdir(here)
    assert paths_to_watch(["python", "adapter.py"], None, ()) == [here]
    assert paths_to_watch(["python", str(elsewhere / "adapter.py")], None, ()) == [here, elsewhere / "adapter.py"]
    assert paths_to_watch(["python", "adapter.py"], elsewhere, ()) == [elsewhere]
    assert paths_to_watch(["python", "adapter.py"], elsewhere, [Path("src")]) == [Path("src")]


def test_files_that_programs_write_are_not_watched(tmp_path: Path) -> None:
    for name in ("a.py", "deep/b.txt", "deep/.hidden", ".git/c", "__pycache__/a.pyc", "node_modules/d.js", "run.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", "utf-8")
    seen = watch_engine._look([tmp_path], frozenset({(tmp_path / "run.jsonl").resolve()}))
    assert set(seen) == {tmp_path / "a.py", tmp_path / "deep/b.txt"}


def test_words_of_a_run_are_those_of_the_call() -> None:
    words = ["--watch", "-s", "tricks", "./adapter", "--watch"]
    assert without_watch(words, words[3:]) == ["-s", "tricks", "./adapter", "--watch"]
    assert without_watch(words[:3], ()) == ["-s", "tricks"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--watch",), "--watch runs again when an engine changes: give the COMMAND"),
        (("--watch", "--transcript", "x.jsonl"), "--transcript and --watch cannot be combined"),
        (("--watch-path", "no-such-folder", "--watch", "./adapter"), "'no-such-folder' does not exist"),
    ],
)
def test_a_call_that_cannot_watch_is_refused(hoyle: Hoyle, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    (tmp_path / "x.jsonl").write_text("", "utf-8")
    done = hoyle("check", *words, cwd=tmp_path)
    assert done.returncode == 4
    assert said in done.stderr


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[tuple[Path, "subprocess.Popen[str]", Path]]:
    """An adapter, a command that watches it, and its output."""
    adapter, output = tmp_path / "my_adapter.py", tmp_path / "output" / "lines.txt"
    adapter.write_text(adapter_templates()["python"].text, "utf-8")
    output.parent.mkdir()
    words = ("check", "--watch", "--watch-path", str(adapter), "--failures", "0", "--record", str(tmp_path / "r.jsonl"))
    select = ("-s", "tricks.higher-trump-on-trump", "-r", "bezique-hoyle")
    command = [sys.executable, "-m", "hoyle_conformance", *words, *select, sys.executable, str(adapter)]
    with output.open("w") as file:
        hoyle = subprocess.Popen(
            command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
    yield adapter, hoyle, output
    if hoyle.poll() is None:
        hoyle.kill()
        hoyle.wait()


@pytest.mark.slow
@pytest.mark.posix
def test_an_engine_that_is_corrected_is_checked_again_until_ctrl_c(
    watching: tuple[Path, "subprocess.Popen[str]", Path],
) -> None:
    adapter, hoyle, output = watching
    until(lambda: "exit 1: 1 check failed" in output.read_text("utf-8"), hoyle)
    text = adapter.read_text("utf-8")
    changed = text.replace("    return 0", "    return 1")
    assert changed != text
    adapter.write_text(changed, "utf-8")
    until(lambda: "1 passed, 0 failed" in output.read_text("utf-8"), hoyle)
    os.killpg(hoyle.pid, signal.SIGINT)
    assert hoyle.wait(HANGS) == -signal.SIGINT
    printed = output.read_text("utf-8")
    assert printed.startswith("Watching 1 file in ")
    assert printed.count("my_adapter.py changed.") == 1
    assert "Traceback" not in printed
