"""The configuration file: where it is found, what it may say, and what wins over it."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from conftest import ROOT, Done
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.cli.configuration import find_configuration, load_toml, read_configuration
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.tools.authoring.templates.templates import adapter_templates

Hoyle = Callable[..., Done]
#: An adapter that can be found only from its own folder, and claims who wins a trick.
ADAPTER = (ROOT / "conformance/adapters/python/tricks.py").read_text("utf-8")
COMMAND = shlex.join([sys.executable, "tricks.py"])
#: An adapter in which the first card wins every trick, and a check that notices it.
FIRST_WINS = adapter_templates()["python"].text
TRICK = "tricks.trump-beats-ace@bezique-hoyle"
SCHEMA = Schemas(ROOT / "spec/schemas").documents["configuration"]
#: The options that a project does not keep: they choose for one run, or are about the configuration itself.
FOR_ONE_RUN = {*("config", "help", "k", "last-failed", "lf", "shard", "transcript", "json", "write-baseline")}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with an adapter, and a folder in it."""
    (tmp_path / "tricks.py").write_text(ADAPTER, "utf-8")
    (tmp_path / "inner").mkdir()
    return tmp_path


def write(folder: Path, text: str, name: str = "hoyle.toml") -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


@pytest.mark.whole
@pytest.mark.parametrize(("name", "inner"), [("hoyle.toml", ""), ("pyproject.toml", "inner")])
def test_check_alone_runs_the_adapter_of_the_project(hoyle: Hoyle, project: Path, name: str, inner: str) -> None:
    """The adapter runs, and the record is written, in the folder of the file."""
    table = "[tool.hoyle]\n" if name == "pyproject.toml" else ""
    write(project, f"{table}command = {json.dumps(COMMAND)}\nruleset = 'bezique-hoyle'\nrecord = 'run.jsonl'\n", name)
    done = hoyle("check", "-s", "tricks", cwd=project / inner)
    assert done.returncode == 0, done
    assert done.stderr.splitlines()[0].endswith(name)
    assert "tricks.py" in done.stdout
    header = json.loads((project / "run.jsonl").read_text("utf-8").splitlines()[0])
    assert list(header["rulesets"]) == ["bezique-hoyle"]


def test_command_line_wins(hoyle: Hoyle, project: Path) -> None:
    write(project, "command = 'no-such-program'\nruleset = ['piquet-hoyle']\nas-written = true\nmax-failures = 1\n")
    words = ("-r", "bezique-hoyle", "--seed", "monday", "--write-baseline", "known.txt", "-s", "tricks")
    done = hoyle("check", *words, *shlex.split(COMMAND), cwd=project)
    assert done.returncode == 0, done
    assert "bezique-hoyle" in done.stdout
    assert "piquet-hoyle" not in done.stdout
    assert (project / "known.txt").is_file()


def test_an_empty_file_configures_nothing(hoyle: Hoyle, project: Path) -> None:
    write(project, "this is not TOML")
    empty = write(project, "", "empty.toml")
    done = hoyle("check", "--config", str(empty), "-s", "cut", cwd=project)
    assert (done.returncode, done.stderr.splitlines()) == (0, ["Configuration: empty.toml"])


def test_another_file_can_be_named(hoyle: Hoyle, project: Path) -> None:
    write(project, "select = 'cut'\n")
    other = write(project, "select = 'no-such-topic'\n", "other.toml")
    done = hoyle("check", "--config", str(other), cwd=project)
    assert done.returncode == 4
    assert "no check matches 'no-such-topic'" in done.stderr
    without = write(project, "[tool.other]\n", "pyproject.toml")
    assert "has no table [tool.hoyle]" in hoyle("check", "--config", str(without), cwd=project).stderr


@pytest.mark.whole
def test_failure_is_repeated_with_the_same_configuration(hoyle: Hoyle, project: Path) -> None:
    """The command of the file is not repeated: the file supplies it."""
    (project / "tricks.py").write_text(FIRST_WINS, "utf-8")
    other = write(project, f"command = {json.dumps(COMMAND)}\nrecord = 'run.jsonl'\n", "other.toml")
    chosen = f"-s {TRICK} --config {other}"
    words = ("check", "-s", TRICK)
    for more, again in (
        (("--config", str(other)), f"hoyle check {chosen}"),
        (("--config", str(other), *shlex.split(COMMAND)), f"hoyle check {chosen} {COMMAND}"),
    ):
        done = hoyle(*words, *more, cwd=project)
        assert done.returncode == 1, done
        assert f"again     {again}\n" in done.stdout
    result = json.loads((project / "run.jsonl").read_text("utf-8").splitlines()[1])
    assert result["told"]["again"] == f"hoyle check {chosen} {COMMAND}"


@pytest.mark.parametrize(
    ("text", "place", "code", "remedy"),
    [
        ("comand = 'x'", "1:1", "unknown-key", "Did you mean 'command'?"),
        ("jobs = '2'", "1:8", "wrong-type", "Write a whole number, without quotes."),
        ("jobs = 0", "1:8", "out-of-range", "at least 1"),
        ("x = ", "1:5", "not-toml", "text needs quotes"),
    ],
)
@pytest.mark.parametrize("name", ["hoyle.toml", "pyproject.toml"])
def test_mistake_is_told_with_its_place_and_a_remedy(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, place: str, code: str, remedy: str
) -> None:
    head, lines = ("[tool.hoyle]\n", 1) if name == "pyproject.toml" else ("", 0)
    monkeypatch.chdir(project)
    line, column = place.split(":")
    with pytest.raises(Invalid) as invalid:
        read_configuration(write(project, head + text, name))
    (fault,) = invalid.value.diagnostics
    assert (fault.place, fault.code) == (f"{name}:{int(line) + lines}:{column}", code)
    assert remedy in str(fault)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("baseline = 'nope.txt'", "hoyle.toml:1:12: File 'nope.txt' does not exist."),
        ("deadline = 'soon'", "hoyle.toml:1:12: soon is not a time."),
        ("command = './nope'", "Correct 'command' in hoyle.toml."),
    ],
)
def test_value_that_cannot_be_used_is_told(hoyle: Hoyle, project: Path, text: str, said: str) -> None:
    write(project, text)
    done = hoyle("check", "-s", "cut", cwd=project)
    assert done.returncode in {2, 4}
    assert said in done.stderr


#: A configuration with options that mean something else, or nothing, to other commands than `hoyle check`.
FOR_ALL = f"""\
command = {json.dumps(COMMAND)}
ruleset = 'bezique-hoyle'
timeout = 30
deadline = '1m'
jobs = 1
seed = 'monday'
record = 'run.jsonl'
log = 'log.jsonl'
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "said", "code"),
    [
        ("doctor", "Next: hoyle check\n", 0),
        ("identify", "Bézique for two, with 2 packs, sent as bezique-hoyle", 0),
        ("fuzz", "the adapter does not claim 'play'", 3),
    ],
)
def test_other_commands_examine_the_engine_of_the_project(
    hoyle: Hoyle, project: Path, command: str, said: str, code: int
) -> None:
    """The adapter is found only from its own folder."""
    write(project, FOR_ALL)
    done = hoyle(*command.split(), cwd=project / "inner")
    assert done.returncode == code, done
    assert done.stderr.splitlines()[0].endswith("hoyle.toml")
    assert said in done.stdout + done.stderr
    assert not {"run.jsonl", "log.jsonl"} & {each.name for each in project.iterdir()}


@pytest.mark.slow
def test_other_commands_take_the_limits_of_the_project(hoyle: Hoyle, project: Path) -> None:
    (project / "tricks.py").write_text("import time\ntime.sleep(60)\n", "utf-8")
    write(project, f"{FOR_ALL.replace('30', '0.2')}")
    done = hoyle("identify", cwd=project)
    assert done.returncode == 2
    assert "0.2 s" in done.stdout + done.stderr, done


@pytest.mark.slow
def test_games_are_those_of_the_rulesets_of_the_project(hoyle: Hoyle, project: Path) -> None:
    write(project, FOR_ALL.replace("tricks.py", str(ROOT / "tests/tools/games/other_engine.py")))
    done = hoyle("fuzz", "--games", "1", "--json", cwd=project)
    assert done.returncode == 0, done
    assert [each["ruleset"] for each in json.loads(done.stdout)["rulesets"]] == ["bezique-hoyle"]
    named = hoyle("fuzz", "--games", "1", "--json", "-r", "piquet-hoyle", cwd=project)
    assert [each["ruleset"] for each in json.loads(named.stdout)["rulesets"]] == ["piquet-hoyle"]


@pytest.mark.parametrize("command", ["doctor", "identify", "fuzz"])
def test_other_commands_need_an_engine(hoyle: Hoyle, project: Path, command: str) -> None:
    """The rulesets alone are no reason to examine the reference."""
    write(project, "ruleset = 'bezique-hoyle'\n")
    done = hoyle(command, cwd=project)
    assert done.returncode == 4
    assert "Name the command that starts" in done.stderr
    write(project, "command = './nope'\n")
    done = hoyle(command, cwd=project)
    assert done.returncode == 2
    assert "Correct 'command' in hoyle.toml." in done.stdout + done.stderr


def test_two_files_in_a_folder_are_a_mistake(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    write(project, "select = 'cut'\n")
    shared = write(project, "[project]\nname = 'x'\n", "pyproject.toml")
    assert find_configuration() is not None
    shared.write_text("[project]\nname = 'hoyle'\n\n[tool.hoyle]\n", "utf-8")
    with pytest.raises(Invalid, match=r"pyproject\.toml:4:2: hoyle\.toml in the same folder is a configuration too"):
        find_configuration()


def test_file_of_others_does_not_count(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one that is broken: the nearest with our table does."""
    write(project, "[tool.hoyle]\nselect = 'cut'\n", "pyproject.toml")
    write(project / "inner", "[broken\n", "pyproject.toml")
    monkeypatch.chdir(project / "inner")
    found = find_configuration()
    assert found is not None
    assert found.path == project / "pyproject.toml"
    assert found.folder == project.resolve()


def test_each_key_is_an_option_of_check_and_each_option_is_a_key() -> None:
    options = {name.lstrip("-") for each in check_command.command.params for name in each.opts if len(name) > 2}
    assert set(SCHEMA["properties"]) - {"command"} <= options
    assert options - set(SCHEMA["properties"]) <= FOR_ONE_RUN


def test_each_path_of_the_schema_is_one_of_the_command(project: Path) -> None:
    used = read_configuration(write(project, ""))
    assert used is not None
    named = {each.opts[-1].lstrip("-") for each in check_command.command.params if _takes_a_path(each)}
    assert set(used.paths) == named & set(SCHEMA["properties"])


def _takes_a_path(option: click.Parameter) -> bool:
    return isinstance(option.type, click.Path) or getattr(option.callback, "__name__", "") == "to_write"


def test_each_key_of_the_schema_has_examples_that_are_valid() -> None:
    schemas = Schemas(ROOT / "spec/schemas")
    for key, schema in SCHEMA["properties"].items():
        examples: Iterator[Any] = iter(schema.get("examples", [True]))
        for example in examples:
            assert schemas.complaints("configuration", {key: example}) == [], key


# ---- TOML, with the places of its keys and values


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("a = 1\nb = \n", "x.toml:2:5", "this is not TOML: invalid value"),
        (f"a = {'[' * 100_000}", "x.toml:1:1", "it is nested too deeply"),
        (f"a = 0x{'f' * 5_000}", "x.toml:1:1", "a number has too many digits"),
    ],
)
def test_broken_file_is_one_mistake_with_its_place(text: str, place: str, said: str) -> None:
    with pytest.raises(Invalid) as invalid:
        load_toml(text, "x.toml")
    (fault,) = invalid.value.diagnostics
    assert (fault.place, fault.code) == (place, "not-toml")
    assert fault.message.startswith(said)


def test_values_are_those_of_json() -> None:
    document = load_toml("a = 1979-05-27\nb = inf\nc = 1.5\nd = [nan, true, 1e999]\ne = {f = 'g'}\n", "x.toml")
    assert document.data == {
        "a": "1979-05-27",
        "b": "Infinity",
        "c": 1.5,
        "d": ["NaN", True, "Infinity"],
        "e": {"f": "g"},
    }
    assert document.diagnose(("e",), "code", "it is wrong").place == "x.toml:5:5"
