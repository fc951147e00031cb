"""A law of all commands with --json: the output is one JSON document that its schema accepts, and the command ends as
it does without."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest

from conftest import HANGS, ROOT, Done
from hoyle_conformance.cli import command_names, main
from hoyle_conformance.cli.group import LazyGroup
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.templates.templates import adapter_templates

Hoyle = Callable[..., Done]
SELFPLAY = ROOT / "conformance/adapters/transcripts/selfplay.py"
RECORDS = ROOT / "tests/records"
TRICK = "tricks.identical-plain-cards"
#: An adapter in which the first card wins every trick.
FIRST_WINS = ("python", "first_wins.py")
#: The reference, with 20 points for the seven of trumps.
OTHER_ENGINE = ("python", str(ROOT / "tests/tools/games/other_engine.py"), "--cell", "seven.points=20")
#: The schemas of the outputs of a command; the others have one, which is called like them.
SCHEMAS = {"report": ("report", "diff"), "rules": ("rules", "compare")}
#: Calls of each command, with the keys that show what is in the answer.
CALLS: dict[str, list[tuple[str, ...]]] = {
    "doctor": [FIRST_WINS, ("./no-such-adapter",)],
    "check": [
        ("-s", "tricks", "-r", "bezique-hoyle", *FIRST_WINS),
        ("-s", "tricks.lower-card-loses@bezique-hoyle", *FIRST_WINS),
        ("-s", "cut", "-r", "bezique-hoyle"),
        ("-s", "census.game-1", "-r", "bezique-hoyle", *OTHER_ENGINE),
        ("--transcript", "game.jsonl"),
    ],
    "fuzz": [("-r", "bezique-hoyle", "--games", "1", "-j", "1", *OTHER_ENGINE)],
    "identify": [("-r", "bezique-hoyle", *FIRST_WINS), ("--transcript", "game.jsonl")],
    "report": [
        *(("run.jsonl",), ("short.jsonl",), ("run.jsonl", "other.jsonl")),
        ("other.jsonl", "--since", "run.jsonl"),
    ],
    "ask": [("may a queen be married twice",), ("xyzzy",), ("how much", "-r", "bezique-hoyle")],
    "rules": [
        *(("rubicon-hoyle",), ("piquet-hoyle", "--chapter", "tricks"), ("bezique-hoyle+brisques-at-end",)),
        *(("bezique-hoyle", "bezique-britannica"), ("piquet-hoyle", "piquet-saunt-parlett", "-d")),
    ],
    "explain": [(TRICK,), ("to-score.the-example", "-r", "bezique-hoyle")],
    "validate": [(TRICK,), ("wrong.scenario.yaml", "broken.yaml")],
    "suite list": [
        ("checks", "cut"),
        ("clauses", "queen"),
        ("rulesets",),
        ("topics",),
        ("refusals", "card"),
        ("claims",),
        ("engines",),
    ],
    "suite what-if": [("bezique-hoyle", "settle.target=500")],
}


@pytest.fixture(scope="module")
def game() -> bytes:
    """A game that the example engine has written down, with a mistake in it."""
    return subprocess.run([sys.executable, SELFPLAY, "7"], stdout=subprocess.PIPE, timeout=HANGS, check=True).stdout


@pytest.fixture
def folder(tmp_path: Path, game: bytes) -> Path:
    """A folder with an adapter, records, a recorded game and files with mistakes."""
    (tmp_path / "first_wins.py").write_text(adapter_templates()["python"].text, "utf-8")
    for name, file in (("run", "right"), ("other", "wrong"), ("short", "short")):
        shutil.copy(RECORDS / f"{file}.jsonl", tmp_path / f"{name}.jsonl")
    (tmp_path / "game.jsonl").write_bytes(game)
    (tmp_path / "wrong.scenario.yaml").write_text("id: a.b\ntitel: x\n", "utf-8")
    (tmp_path / "broken.yaml").write_text("a: [\n", "utf-8")
    return tmp_path


def calls() -> Iterator[Any]:
    for name, some in CALLS.items():
        for words in some:
            yield pytest.param(name, words, id=" ".join((name, *words))[:60])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "words"), list(calls()))
def test_output_is_one_document_of_its_schema(
    hoyle: Hoyle, suite: Suite, folder: Path, name: str, words: tuple[str, ...]
) -> None:
    typed = [sys.executable if word == "python" else word for word in words]
    if words == ("engines",):  # each check is put to each kind
        some = replace(suite, scenarios=dict(list(suite.scenarios.items())[::20]))
        hoyle = partial(hoyle, installed=lambda: some)
    done = hoyle(*name.split(), "--json", *typed, cwd=folder)
    assert done.stdout, done.stderr
    data, schemas = json.loads(done.stdout), SCHEMAS.get(name, (name.rsplit(maxsplit=1)[-1],))
    assert "" in {suite.schemas.complaint(each, data, "the output") for each in schemas}
    assert done.returncode == hoyle(*name.split(), *typed, cwd=folder).returncode


def test_every_command_with_the_option_has_calls() -> None:
    having = {name for name in command_names() if any("--json" in each.opts for each in command_of(name).params)}
    assert having == set(CALLS)


def command_of(name: str) -> click.Command:
    group: Any = main
    for word in name.split():
        assert isinstance(group, LazyGroup)
        group = group.get_command(click.Context(group), word)
    assert isinstance(group, click.Command)
    return group


@pytest.mark.whole
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("explain", TRICK, "--json", "--prelude"), "--prelude and --json cannot be combined"),
        (("check", "--json", "--junit", "-"), "--json and --junit cannot both be standard output"),
        (("report", "run.jsonl", "--json", "--github"), "leave out --github"),
        (("report", "run.jsonl", "--json", "--html", "-"), "name a file for each report"),
        (("identify", "--json", "--write", "-", "./adapter"), "cannot both be standard output"),
        (("suite", "list", "--json", "--ids"), "--json and --ids cannot be combined"),
        (("doctor", "--json", "--log", "-", "./adapter"), "--json and --log cannot both be standard output"),
        (("suite", "list", "--json", "clauses", "xyzzy"), "no clause has 'xyzzy'"),
    ],
)
def test_options_that_print_something_else_are_refused(
    hoyle: Hoyle, folder: Path, words: tuple[str, ...], said: str
) -> None:
    done = hoyle(*words, cwd=folder)
    assert (done.returncode, done.stdout) == (4, "")
    assert said in " ".join(done.stderr.split())


@pytest.mark.whole
def test_json_of_a_run_agrees_with_its_record(hoyle: Hoyle, folder: Path) -> None:
    words = ("-s", "tricks", "-r", "bezique-hoyle", "--record", "mine.jsonl", sys.executable, "first_wins.py")
    done = hoyle("check", "--json", *words, cwd=folder)
    (again,) = json.loads(hoyle("report", "--json", "mine.jsonl", cwd=folder).stdout)["records"]
    assert again.pop("file") == "mine.jsonl"
    assert again == json.loads(done.stdout)
    assert again["totals"]["fail"] == len(again["failures"]) > 0
    assert again["failures"][0]["expected"]


def test_mistakes_have_their_places(hoyle: Hoyle, folder: Path) -> None:
    done = hoyle("validate", "--json", "broken.yaml", cwd=folder)
    data = json.loads(done.stdout)
    assert (done.returncode, data["valid"]) == (5, False)
    assert {each["file"] for each in data["mistakes"]} == {"broken.yaml"}
    assert hoyle("validate", "--json", TRICK).stdout == '{\n  "valid": true,\n  "mistakes": []\n}\n'
