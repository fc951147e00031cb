"""Wrong calls are answered with the one that was meant: a command in quotes, a name that is nearly one."""

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import Done
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.cli.adapter_options import how_to_start, shell_line

Hoyle = Callable[..., Done]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with programs, and files that are none."""
    here = tmp_path_factory.mktemp("here")
    for name in ("adapter.py", "a.js", "adapter", "program", "notes.md"):
        (here / name).write_text("#!/no/such/program\n", "utf-8")
    (here / "program").chmod(0o755)
    (here / "bin").mkdir()
    return here


@pytest.fixture
def inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """That folder, which one is in; of programs there are a few."""
    monkeypatch.chdir(folder)
    programs = {name: f"/bin/{name}" for name in ("python", "node", "cut", "sort")}
    monkeypatch.setattr("hoyle_conformance.cli.adapter_options.which", programs.get)
    return folder


# ---- the command of an adapter


@pytest.mark.parametrize(
    ("words", "options", "adapter"),
    [
        ("python adapter.py -v", [], ["python", "adapter.py", "-v"]),
        ("-r bezique-hoyle node a.js -r x", ["bezique-hoyle"], ["node", "a.js", "-r", "x"]),
        ("-- ./adapter -- --fast", [], ["./adapter", "--", "--fast"]),
    ],
)
def test_the_command_begins_at_the_first_word_that_is_no_option(
    words: str, options: list[str], adapter: list[str]
) -> None:
    context = check_command.command.make_context("check", shlex.split(words))
    assert (list(context.params["rulesets"]), list(context.obj.words)) == (options, adapter)


def test_a_command_is_printed_without_control_characters() -> None:
    assert "\x1b" not in shell_line(["./\x1b[31m"])


# ---- a command that cannot be started


@pytest.mark.posix
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["python adapter.py", "-v"], "all of it is the name of one program. Write: hoyle check python adapter.py -v"),
        (["a.js", "x"], "Name the program that runs it: hoyle check node a.js x"),
        (["./adapter"], "chmod +x ./adapter; if not, begin the command with the program that runs it."),
        (["program", "x"], "Programs are not looked up in this folder. Give its path: hoyle check ./program x"),
        (["./program"], "The system cannot run it. Check that the program on its first line exists."),
        (["bin"], "bin is a folder. Name the program in it, or the program that runs it."),
        (["./adaptr"], "There is no such file or program. Did you mean './adapter'?"),
        (["pyhton", "x"], "Did you mean 'python'?"),
        (["./zzz/zzz"], "There is no such file. Paths are relative to this folder: "),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
@pytest.mark.usefixtures("inside")
def test_a_command_that_cannot_be_started_is_told_how_it_can(command: list[str], says: str) -> None:
    if os.geteuid() == 0 and says.startswith("It may not"):
        assert not os.access(command[0], os.X_OK)
    assert says in how_to_start(command, "hoyle check")


# ---- a name that is none


# ---- what is looked up


@pytest.mark.slow
def test_messages_are_those_that_check_sends(hoyle: Hoyle, tmp_path: Path) -> None:
    log, words = tmp_path / "log", ["tricks.identical-trumps", "--seed", "monday", "-r", "bezique-hoyle"]
    adapter = [sys.executable, "-m", "hoyle_conformance", "suite", "serve"]
    hoyle("check", "-s", *words, "--log", str(log), *adapter)
    logged = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    printed = [json.loads(line) for line in hoyle("explain", *words, "--message").stdout.splitlines()]
    assert printed == [each for each in logged if each["type"] in {"hello", "run", "bye"}]


def test_chosen_chapters_of_a_rule_book_are_printed(hoyle: Hoyle) -> None:
    winning = hoyle("rules", "bezique-hoyle", "--chapter", "winning").stdout
    assert winning == hoyle("rules", "bezique-hoyle", "--chapter", "settle").stdout
    compared = hoyle("rules", "bezique-hoyle", "bezique-britannica", "--chapter", "settle", "--chapter", "deal").stdout
    assert re.findall(r"^[A-Z][A-Z ]+$", compared, re.MULTILINE) == ["THE DEAL", "WINNING THE GAME"]


@pytest.mark.parametrize(
    ("adapter", "told"),
    [
        (["node", "a.js", "-k", "--lf", "-k"], ["-k", "--lf"]),
        (["bash", "-k", "adapter.sh"], []),
        (["./adapter", "-v", "--log", "x", "--seed"], []),
    ],
)
def test_an_option_of_hoyle_behind_the_adapter_is_pointed_out(
    capsys: pytest.CaptureFixture[str], adapter: list[str], told: list[str]
) -> None:
    check_command.command.make_context("check", ["-s", "cut", "--", *adapter])
    lines = [
        f"{name} comes after your command, so your command gets it. To give it to Hoyle, put it before the command."
        for name in told
    ]
    assert capsys.readouterr().err.splitlines() == lines
