"""What the words after 'hoyle check' come to: which checks, how they are put, and with what the command ends."""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from conftest import Done
from hoyle_conformance import cli
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.cli import options as common
from hoyle_conformance.cli.adapter_options import ready_or_exit
from hoyle_conformance.cli.configuration import AdapterCall
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.protocol.messages import ProtocolError
from hoyle_conformance.runner import checker, jobs
from hoyle_conformance.runner.interrupts import INTERRUPTION
from hoyle_conformance.runner.results import Result, Run, Status
from hoyle_conformance.runner.run import HeldLog
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from runner.test_run import READY

Hoyle = Callable[..., Done]
#: Not a word that says how checks are put.
PLAIN: Mapping[str, Any] = {"as_written": False, "seed": "", "shard": None}


@pytest.fixture
def context() -> Iterator[click.Context]:
    """A command that is being carried out."""
    with click.Context(cli.main) as there:
        yield there


# ---- which checks, and how they are put


def test_the_checks_are_turned_as_it_is_asked(suite: Suite) -> None:
    checks = [check for check in suite.index.checks.values() if check.scenario.topic == "tricks"][:20]
    plain, again, other, written = (
        common.relabelled_or_exit(suite, checks, seed, as_written=as_written)
        for seed, as_written in (("", False), ("", False), ("monday", False), ("", True))
    )
    assert written == checks
    assert plain == again
    assert len({tuple(str(check.turned) for check in some) for some in (plain, other, written)}) == 3
    with pytest.raises(click.UsageError, match="--seed and --as-written cannot be combined"):
        common.relabelled_or_exit(suite, checks, "monday", as_written=True)


def test_cards_that_happen_to_matter_are_dealt_as_usual_by_whatever_seed(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where a seed deals them is that looked at: it takes time."""
    looked_at: list[str] = []
    monkeypatch.setattr(checker, "deal_by_seed", lambda _, check: looked_at.append(check.turned.seed) or check)
    checks = [suite.index.checks["cut.equal-cards@bezique-hoyle"]]
    common.relabelled_or_exit(suite, checks, "", as_written=False)
    assert looked_at == []
    common.relabelled_or_exit(suite, checks, "monday", as_written=False)
    assert looked_at == ["monday"]


def test_what_is_asked_again_is_asked_of_the_same_suite_and_turned_in_the_same_way(context: click.Context) -> None:
    assert check_command._words_again(None, {**PLAIN}) == ["hoyle", "check"]
    assert check_command._words_again(Path("mine"), {**PLAIN, "seed": "monday"})[2:] == [
        "--spec",
        "mine",
        "--seed",
        "monday",
    ]
    context.meta[common._RULES] = Path("mine.yaml")
    assert check_command._words_again(None, {**PLAIN, "as_written": True})[2:] == [
        "--rules",
        "mine.yaml",
        "--as-written",
    ]


def test_the_record_tells_how_the_checks_were_turned(suite: Suite) -> None:
    files: Any = SimpleNamespace(record=BytesIO(), reports={}, recorded=[])
    told = {"as_json": False, "sandbox": False, **PLAIN}
    seeds = [
        check_command._recorder(suite, files, told | more, [], AdapterCall())._call.seed
        for more in ({}, {"seed": "monday"}, {"as_written": True})
    ]
    assert seeds == ["", "monday", None]


def test_a_wrong_ruleset_is_told_with_the_nearest(suite: Suite) -> None:
    common.rulesets_or_exit(suite, ["bezique-hoyle", "bezique-hoyle+brisques-at-end"])
    for name, said in (
        ("bezique-hoile", r"^no ruleset 'bezique-hoile'.* Did you mean 'bezique-hoyle'\?$"),
        ("xyz", r"^no ruleset 'xyz'[^?]*$"),
        ("bezique-hoyle+brisques-at-end+ten-at-whist-rank", "has several options; here a ruleset can have one at most"),
    ):
        with pytest.raises(click.UsageError, match=said):
            common.rulesets_or_exit(suite, ["bezique-hoyle", name])
    assert common.similar_rulesets("bezique-hoyle", suite) == ""


# ---- a suite with mistakes


def unsound(suite: Suite) -> Scenario:
    """A scenario that holds a card which there is not."""
    scenario = suite.index.checks["declare.bezique@bezique-hoyle"].scenario
    return replace(scenario, given={**scenario.given, "hands": {"A": ["QS", "QS", "QS"], "B": ["..."]}})


@pytest.mark.usefixtures("context")
def test_a_position_that_cannot_be_is_a_mistake_of_the_suite(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    sound, wrong = suite.index.checks["cut.equal-cards@bezique-hoyle"].scenario, unsound(suite)
    spoilt = replace(suite, scenarios={**suite.scenarios, wrong.id: wrong})
    common.sound_or_exit(spoilt, [])
    common.sound_or_exit(spoilt, [sound, sound])
    with pytest.raises(click.exceptions.Exit) as ended:
        common.sound_or_exit(spoilt, [sound, wrong, wrong])
    assert ended.value.exit_code == 5
    assert capsys.readouterr().err.endswith("\n\nexit 5: 1 mistake found.\n")
    planner_of(spoilt).sound = True  # it was looked at before
    common.sound_or_exit(spoilt, [wrong])


@pytest.mark.usefixtures("context")
def test_a_folder_that_is_no_suite_is_told(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match="is not a spec folder: it has no VERSION"):
        common.suite_or_exit(tmp_path)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(("no_cache", "how"), [("1", "anew"), ("0", "kept"), ("", "kept")])
def test_the_cache_is_used_unless_the_environment_forbids_it(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, no_cache: str, how: str
) -> None:
    taken: list[str] = []

    def loading(how: str) -> Callable[..., Suite]:
        def load(_spec: Path | None, **_: bool) -> Suite:
            taken.append(how)
            return suite

        return load

    monkeypatch.setattr(common, "open_suite", loading("kept"))
    monkeypatch.setattr("hoyle_conformance.checks.load.load_suite", loading("anew"))
    monkeypatch.setenv("HOYLE_NO_CACHE", no_cache)
    assert common.suite_or_exit(None) is suite
    assert taken == [how]
    monkeypatch.setenv("HOYLE_NO_CACHE", "perhaps")
    with pytest.raises(click.UsageError, match="'perhaps' is not a valid boolean"):
        common.suite_or_exit(None)


@pytest.mark.usefixtures("context")
def test_what_is_left_out_is_mentioned_and_mistakes_end_the_command(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fault, other = (Diagnostic("one.yaml", line, 1, "code", "it is wrong", "Correct it.") for line in (1, 2))
    monkeypatch.setattr(common, "open_suite", lambda *_, **__: replace(suite, left_out=(fault, other)))
    common.suite_or_exit(None, mention=False)
    assert capsys.readouterr().err == ""
    common.suite_or_exit(None)
    assert capsys.readouterr().err == "Left out because of mistakes (see 'hoyle validate'): one.yaml\n\n"

    def invalid(*_: object, **__: object) -> Suite:
        raise Invalid([fault, other])

    monkeypatch.setattr(common, "open_suite", invalid)
    with pytest.raises(click.exceptions.Exit) as ended:
        common.suite_or_exit(None)
    assert ended.value.exit_code == 5
    assert capsys.readouterr().err.endswith("2 mistakes found.\n")


@pytest.mark.parametrize("address", ["", "x"])
def test_house_rules_are_joined_to_what_is_kept_of_the_suite(
    suite: Suite, context: click.Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str
) -> None:
    taken: list[Suite] = []
    there = replace(suite)
    planner_of(there).cache_key = address
    monkeypatch.setattr(common, "open_suite", lambda *_, **__: there)
    monkeypatch.setattr(common, "load_requests", taken.append)
    context.meta[common._RULES] = tmp_path / "mine.yaml"
    (tmp_path / "mine.yaml").write_text("id: mine\nextends: bezique-hoyle\n", "utf-8")
    joined = common.suite_or_exit(None)
    assert joined.house is not None
    assert "mine" in joined.rules.names
    assert taken == ([there] if address else [])


def test_house_rules_with_a_mistake_are_wrong_usage(
    suite: Suite,
    context: click.Context,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(common, "open_suite", lambda *_, **__: suite)
    context.meta[common._RULES] = tmp_path / "mine.yaml"
    (tmp_path / "mine.yaml").write_text("id: mine\nextends: rummy\n", "utf-8")
    with pytest.raises(click.exceptions.Exit) as ended:
        common.suite_or_exit(None)
    assert ended.value.exit_code == 4
    assert capsys.readouterr().err.endswith("\n\nexit 4: 1 mistake found.\n")


@pytest.mark.parametrize(
    ("kept", "more", "done"),
    [("", 0, []), ("x", 0, ["settle"]), ("x", 1, [{"cut.equal-cards", "tricks.ace-over-ten"}])],
)
def test_what_is_kept_of_these_checks_is_taken_and_all_is_kept_where_all_was_asked_for(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, kept: str, more: int, done: list[object]
) -> None:
    did: list[object] = []
    checks = [suite.index.checks[f"{name}@bezique-hoyle"] for name in ("cut.equal-cards", "tricks.ace-over-ten")]
    monkeypatch.setattr(check_command, "validate_positions", lambda _suite: did.append("settle"))
    monkeypatch.setattr(check_command, "load_requests", lambda _suite, scenarios: did.append(scenarios))
    there: Any = SimpleNamespace(
        derived=lambda _planner: SimpleNamespace(cache_key=kept),
        index=SimpleNamespace(headings=range(len(checks) + more)),
    )
    check_command._load_cached_requests(there, checks)
    assert did == done


# ---- the run


class Told:
    """What the command does, in which every check has this result, and nothing is run or reported."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, hoyle: Hoyle, *words: str, status: Status = Status.PASS
    ) -> None:
        self.selected: list[int] = []
        self.heeded: list[bool] = []
        self.sound: list[list[str]] = []
        self.reported: list[Mapping[str, Any]] = []

        def run(_suite: Suite, checks: list[Check], *_: object, **__: object) -> Run:
            self.checks = checks
            return Run(READY, (), checks, [Result(check, status) for check in checks])

        monkeypatch.setattr(check_command, "_run", run)
        monkeypatch.setattr(check_command, "_load_cached_requests", lambda _, of: self.selected.append(len(of)))
        monkeypatch.setattr(check_command, "sound_or_exit", lambda _, of: self.sound.append([each.id for each in of]))
        monkeypatch.setattr(type(INTERRUPTION), "heed", lambda _: self.heeded.append(True))
        monkeypatch.setattr(check_command, "print_report", lambda *_, **how: self.reported.append(how))
        self.done = hoyle("check", *words)


@pytest.mark.slow
def test_the_reference_is_asked_first_and_looked_after_where_it_fails(
    monkeypatch: pytest.MonkeyPatch, hoyle: Hoyle, suite: Suite
) -> None:
    right = Told(monkeypatch, hoyle, "-s", "cut.equal-cards")
    assert right.checks
    assert (right.sound, right.done.returncode) == ([[], []], 0)
    wrong = Told(monkeypatch, hoyle, "-s", "cut.equal-cards", status=Status.FAIL)
    assert (wrong.sound, wrong.done.returncode) == ([[], ["cut.equal-cards"] * len(wrong.checks)], 1)
    whole = Told(monkeypatch, hoyle)
    assert (right.selected, whole.selected, len(whole.checks)) == (
        [len(right.checks)],
        [len(suite.index.checks)],
        len(suite.index.checks),
    )
    assert right.heeded == wrong.heeded == [True]
    of_one = Told(monkeypatch, hoyle, "-s", "cut.equal-cards", "-r", "bezique-hoyle")
    assert [check.id for check in of_one.checks] == ["cut.equal-cards@bezique-hoyle"]


def test_without_a_baseline_no_failure_is_known(suite: Suite) -> None:
    assert check_command._baseline_or_exit(suite, None) == ()


def test_for_an_adapter_the_positions_are_looked_at_before(monkeypatch: pytest.MonkeyPatch, hoyle: Hoyle) -> None:
    told = Told(monkeypatch, hoyle, "-s", "cut.equal-cards", "--seed", "x", "--", "true")
    assert told.sound == [["cut.equal-cards"] * len(told.checks)]
    assert told.reported == [
        {
            "again": ["hoyle", "check", "--seed", "x"],
            "adapter": ("true",),
            "sandbox": False,
            "verbose": False,
            "code": 0,
        }
    ]
    assert told.done.returncode == 0


@pytest.mark.parametrize("number", [1, 2])
def test_only_several_jobs_share_and_wait_for_their_turn_in_the_log(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    given: list[Any] = []
    monkeypatch.setattr(jobs, "helpers", lambda *_: ["a helper"])
    monkeypatch.setattr(check_command, "run_checks", lambda *_, **named: given.append(named))
    logs: list[Any] = []
    check_command._run(suite, [], lambda _suite, log: logs.append(log), print, number, seconds=3.0)  # type: ignore[arg-type, func-returns-value]
    (named,) = given
    assert named.get("helpers", ()) == (["a helper"] if number > 1 else ())
    assert named["seconds"] == 3.0
    assert isinstance(logs[0], HeldLog) == (number > 1)
    assert logs == [named.get("log", print)]


@pytest.mark.usefixtures("context")
def test_an_adapter_that_cannot_be_spoken_to_has_broken() -> None:
    with pytest.raises(click.exceptions.Exit) as ended, ready_or_exit(AdapterCall()):
        raise ProtocolError("crashed", "exit code 1")
    assert ended.value.exit_code == 2


def test_a_report_is_as_wide_as_the_terminal_and_no_word_in_it_becomes_a_picture(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "55")
    there = common.console(77)
    there.print("the :heart: of trumps")
    assert (there.width, capsys.readouterr().out) == (77, "the :heart: of trumps\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert common.console(77).width != 77


def test_the_baseline_is_not_overwritten(hoyle: Hoyle, tmp_path: Path) -> None:
    known = tmp_path / "known"
    known.touch()
    done = hoyle("check", "-s", "cut.equal-cards", "--baseline", str(known), "--record", str(known))
    assert done.returncode == 4
    assert "--record would overwrite the file of --baseline" in " ".join(done.stderr.split())
