"""Wrong calls are answered with the one that was meant: a command in quotes, a name that is nearly one."""

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import READY_MESSAGE, ROOT, Done, the_suite
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.cli.adapter_options import how_to_start, is_a_program, shell_line
from hoyle_conformance.cli.options import join_first, matching_rulesets
from hoyle_conformance.runner.select import with_keywords
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.refusals import MESSAGES

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
        ("./adapter", [], ["./adapter"]),
        ("python adapter.py -v", [], ["python", "adapter.py", "-v"]),
        ("-r bezique-hoyle node a.js -r x", ["bezique-hoyle"], ["node", "a.js", "-r", "x"]),
        ("--seed python -v node 'a b.js'", [], ["node", "a b.js"]),
        ("-- ./adapter -- --fast", [], ["./adapter", "--", "--fast"]),
        ("-s cut -- python -u adapter.py", [], ["python", "-u", "adapter.py"]),
    ],
)
def test_the_command_begins_at_the_first_word_that_is_no_option(
    words: str, options: list[str], adapter: list[str]
) -> None:
    context = check_command.command.make_context("check", shlex.split(words))
    assert (list(context.params["rulesets"]), list(context.obj.words)) == (options, adapter)


@pytest.mark.posix
@pytest.mark.parametrize("words", [["./adapter"], ["adapter.py", "x"], ["bin/../adapter"], ["python", "-u", "a.js"]])
@pytest.mark.usefixtures("inside")
def test_a_command_in_the_place_of_a_name_is_known(words: list[str]) -> None:
    assert is_a_program(words)


@pytest.mark.posix
@pytest.mark.parametrize("words", [["zzz"], ["notes.md"], ["./bin"], ["cut"], ["zzz", "adapter.py"]])
@pytest.mark.usefixtures("inside")
def test_any_other_name_is_not_taken_for_a_command(words: list[str]) -> None:
    assert not is_a_program(words)


def test_a_command_is_printed_without_control_characters() -> None:
    assert "\x1b" not in shell_line(["./\x1b[31m"])


# ---- a command that cannot be started


@pytest.mark.posix
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            ["python adapter.py", "-v"],
            "all of it is the name of one program. Write: hoyle suite census python adapter.py -v",
        ),
        (["./program 'a b'"], "Write: hoyle suite census ./program 'a b'"),
        (["./adapter.py"], "Name the program that runs it: hoyle suite census python ./adapter.py"),
        (["a.js", "x"], "Name the program that runs it: hoyle suite census node a.js x"),
        (
            ["./adapter"],
            "chmod +x ./adapter; if not, begin the command with the program that runs it.",
        ),
        (["adapter"], "It is not executable. If it is a program: chmod +x ./adapter; "),
        (["program", "x"], "Programs are not looked up in this folder. Give its path: hoyle suite census ./program x"),
        (["./program"], "The system cannot run it. Check that the program on its first line exists."),
        (["bin"], "bin is a folder. Name the program in it, or the program that runs it."),
        (["./adaptr"], "There is no such file or program. Did you mean './adapter'?"),
        (["pyhton", "x"], "Did you mean 'python'?"),
        (["zzz"], "There is no such program. Check its spelling, and that it is installed."),
        (["./zzz/zzz"], "There is no such file. Paths are relative to this folder: "),
        (["zzz 'zzz"], "There is no such program."),
        (["x" * 10_000], "There is no such program."),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
@pytest.mark.usefixtures("inside")
def test_a_command_that_cannot_be_started_is_told_how_it_can(command: list[str], says: str) -> None:
    if os.geteuid() == 0 and says.startswith("It may not"):
        assert not os.access(command[0], os.X_OK)
    assert says in how_to_start(command, "hoyle suite census")


@pytest.mark.posix
def test_where_python_goes_by_another_name_that_is_named(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle_conformance.cli.adapter_options.which", {"python3": "/bin/python3"}.get)
    assert inside.is_dir()
    assert how_to_start(["adapter.py"]) == "Name the program that runs it: hoyle check python3 adapter.py"


@pytest.mark.posix
def test_it_is_said_where_the_adapter_was_to_be_started(hoyle: Hoyle, folder: Path) -> None:
    done = hoyle("check", "-s", "cut.equal-cards", "--", "./adapter", cwd=folder)
    assert done.returncode == 2
    assert "could not be started: ./adapter: permission denied.\nIt is not executable. " in done.stderr


# ---- a name that is none


@pytest.mark.parametrize(
    "words",
    [
        ["rules", "piquet"],
        ["rules", "piquet", "bezique"],
        ["check", "-r", "Piquet"],
        ["ask", "x", "-r", "piquet"],
        ["suite", "census", "-r", "piquet"],
        ["suite", "what-if", "piquet", "settle.target=1"],
        ["new", "rules", "--extends", "piquet", "-"],
    ],
    ids=" ".join,
)
def test_a_name_that_fits_several_rulesets_offers_them_with_their_titles(hoyle: Hoyle, words: list[str]) -> None:
    said = hoyle(*words).stderr
    offered = dict(re.findall(r"^  (\S+) +(.+)$", said, re.MULTILINE))
    assert offered == {each.id: each.title for each in the_suite().rulesets.values() if each.game == "Piquet"}


def test_a_ruleset_is_found_by_all_of_the_words(suite: Suite) -> None:
    assert (
        matching_rulesets(suite, "bézique HOYLE")
        == matching_rulesets(suite, "hoyle-bezique")
        == ["bezique-hoyle", "rubicon-hoyle"]
    )
    assert matching_rulesets(suite, "") == matching_rulesets(suite, "+") == []


def test_first_of_many_names_are_shown() -> None:
    names = [f"n{number}" for number in range(20)]
    assert join_first(names[:3]) == "n0, n1, n2"
    assert join_first(names).endswith("n7, and 12 more")
    assert join_first(names, "hoyle suite list rulesets").endswith(", and 12 more: 'hoyle suite list rulesets'")


# ---- what is looked up


def test_it_is_said_at_a_glance_who_says_what(hoyle: Hoyle) -> None:
    """Each answer once, with all who give it; a refusal by the word that a scenario has for it."""
    said = hoyle("explain", "to-score.lost-when-its-king-is-played").stdout
    glance, _, steps = said.partition("\nUnder ")
    told = glance.partition("Outcomes by ruleset:\n")[2].splitlines()
    assert "     A scores 40 · all" in told
    assert "     refused: nothing-is-kept · bezique-britannica" in told
    assert "     refused: card-not-held · all" in told
    assert any(line.startswith("     accepted · bezique-hoyle (reading 'laid-down") for line in told)
    assert "rubicon-hoyle (reading 'shown-by-the-cards-exposed')" in glance.partition("refused: not-shown-yet")[2]
    assert "(refused: card-not-held)" in steps
    alone = hoyle("explain", "to-score.lost-when-its-king-is-played", "-r", "bezique-h2g2").stdout
    assert "Outcomes by ruleset" not in alone


def test_a_reading_has_a_voice_of_its_own(hoyle: Hoyle, suite: Suite) -> None:
    check = next(each for each in suite.index.checks.values() if each.follows)
    said = " ".join(hoyle("explain", check.id).stdout.split())
    assert f"{check.ruleset} (reading '{check.follows}', followed)" in said


@pytest.mark.parametrize(
    "word",
    ["equal-cards", "spec/scenarios/cut/equal-cards.scenario.yaml", "cut.equal-cards@bezique-hoyle", "cut.equal-c*"],
)
def test_a_scenario_is_meant_by_its_name_or_its_file(hoyle: Hoyle, word: str) -> None:
    assert hoyle("explain", word).stdout.splitlines()[1].startswith("cut.equal-cards, ")


def sent(hoyle: Hoyle, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in hoyle("explain", *words, "--message").stdout.splitlines()]


@pytest.mark.slow
def test_what_an_adapter_is_sent_is_printed_as_it_is_sent(hoyle: Hoyle, tmp_path: Path) -> None:
    """The lines are those of the log of a run, for who has said the same of itself."""
    log, ready = tmp_path / "log", tmp_path / "ready.json"
    adapter = [sys.executable, str(ROOT / "tests/faulty_adapters/main.py"), "second-identical-card-wins"]
    words = ["tricks.identical-trumps", "--seed", "monday"]
    hoyle("check", "-s", *words, "-r", "bezique-hoyle", "--log", str(log), *adapter)
    logged = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    ready.write_text(json.dumps(logged[1]), "utf-8")
    ours = [each for each in logged if each["type"] in {"hello", "run", "bye"}]
    assert sent(hoyle, *words, "-r", "bezique-hoyle", "--ready", str(ready)) == ours


def test_who_claims_everything_is_sent_every_ruleset(hoyle: Hoyle, suite: Suite) -> None:
    messages = sent(hoyle, "tricks.identical-trumps")
    checks = suite.index.checks_of(suite.scenarios["tricks.identical-trumps"])
    assert [each["type"] for each in messages] == ["hello", *["run"] * len(checks), "bye"]
    assert [each["seq"] for each in messages[1:-1]] == list(range(1, len(checks) + 1))
    assert [each["ruleset"] for each in messages[1:-1]] == [check.ruleset.partition("+")[0] for check in checks]


def test_what_is_not_sent_is_told(hoyle: Hoyle, tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    ready.write_text(json.dumps(READY_MESSAGE), "utf-8")
    done = hoyle("explain", "tricks.identical-trumps", "--message", "--ready", str(ready))
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["hello", "run", "bye"]
    assert "tricks.identical-trumps@rubicon-hoyle is not sent: not claimed: ruleset rubicon-hoyle." in done.stderr
    nothing = hoyle("explain", "cut.equal-cards", "--message", "--ready", str(ready))
    assert (nothing.returncode, nothing.stdout) == (4, "")
    assert "Hoyle sends none of this to an engine that claims so little." in nothing.stderr


def test_clauses_and_refusals_are_listed_with_what_they_say(hoyle: Hoyle, suite: Suite) -> None:
    listed = hoyle("suite", "list", "clauses", "hoyle/bezique/", "QUEEN").stdout
    chosen = [
        each.id
        for each in suite.clauses.values()
        if "hoyle/bezique/" in each.id and "queen" in f"{each.id} {each.says}".lower()
    ]
    assert re.findall(r"^(\S+)", listed, re.MULTILINE) == chosen
    assert suite.clauses[chosen[0]].says in " ".join(listed.split())
    assert hoyle("suite", "list", "--ids", "clauses", "hoyle/bezique/", "queen").stdout.splitlines() == chosen
    refusals = hoyle("suite", "list", "refusals").stdout
    assert re.findall(r"^(\S+)", refusals, re.MULTILINE) == list(MESSAGES)
    count = sum(
        any("refused" in step and step["refused"] == "card-not-held" for step in each.values())
        for each in _expected(suite)
    )
    assert re.search(rf"^card-not-held +{count:,} checks  {MESSAGES['card-not-held']}$", refusals, re.MULTILINE)


def _expected(suite: Suite) -> list[dict[int, Any]]:
    """What each check expects; of one with readings, all that any of them does."""
    return [
        {(name, number): step for name, expected in check.branches.items() for number, step in expected.items()}  # type: ignore[misc]
        for check in suite.index.checks.values()
    ]


@pytest.mark.slow
def test_what_is_listed_can_be_chosen_by_words_as_what_is_checked(hoyle: Hoyle, suite: Suite) -> None:
    chosen = with_keywords(suite, list(suite.index.headings.values()), "marriage not royal")
    assert hoyle("suite", "list", "--ids", "-k", "marriage not royal").stdout.split() == [each.id for each in chosen]
    assert 0 < len(chosen) < len(suite.index.headings)
    assert "no title or id has 'xyzzy'" in hoyle("suite", "list", "-k", "xyzzy").stderr
    assert "do not apply to clauses" in hoyle("suite", "list", "clauses", "-k", "queen").stderr


@pytest.mark.slow
def test_the_other_lists_have_their_ids_too(hoyle: Hoyle, suite: Suite) -> None:
    assert hoyle("suite", "list", "--ids", "rulesets").stdout.splitlines() == sorted(
        suite.rules.names, key=lambda name: list(suite.rulesets).index(name.partition("+")[0])
    )
    assert hoyle("suite", "list", "--ids", "checks", "seven.exchanged").stdout.splitlines() == [
        name for name in suite.index.headings if name.startswith("seven.exchanged@")
    ]
    assert hoyle("suite", "list", "capabilities").stdout == hoyle("suite", "list", "claims").stdout


def test_chosen_chapters_of_a_rule_book_are_printed(hoyle: Hoyle, suite: Suite) -> None:
    whole = hoyle("rules", "bezique-hoyle").stdout
    winning = hoyle("rules", "bezique-hoyle", "--chapter", "winning").stdout
    assert winning == hoyle("rules", "bezique-hoyle", "--chapter", "settle").stdout
    assert re.findall(r"^[A-Z ]+$", winning, re.MULTILINE) == ["WINNING THE GAME"]
    assert winning.partition("WINNING")[2].strip() in whole
    bare = hoyle("rules", "bezique-hoyle", "--no-cites").stdout
    assert all(clause not in bare for clause in suite.clauses if f", {clause}]" in whole)
    compared = hoyle("rules", "bezique-hoyle", "bezique-britannica", "--chapter", "settle", "--chapter", "deal").stdout
    assert re.findall(r"^[A-Z][A-Z ]+$", compared, re.MULTILINE) == ["THE DEAL", "WINNING THE GAME"]


@pytest.mark.parametrize(
    ("adapter", "told"),
    [
        (["node", "a.js", "-k", "--lf", "-k"], ["-k", "--lf"]),
        (["./adapter", "--record=run.jsonl"], ["--record"]),
        (["bash", "-k", "adapter.sh"], []),
        (["./adapter", "-v", "--log", "x", "--seed"], []),
        (["-k"], ["-k"]),
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
