"""What the words after 'hoyle check' come to: which checks, how they are put, and with what the command ends."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from hoyle_conformance import cli
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.cli import options as common
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite


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


def test_what_repeats_a_check_asks_the_same_suite_and_turns_it_in_the_same_way(context: click.Context) -> None:
    plain: dict[str, Any] = {"as_written": False, "seed": "", "shard": None}
    assert check_command._words_again(None, plain) == ["hoyle", "check"]
    of_mine = check_command._words_again(Path("mine"), {**plain, "seed": "monday"})
    assert of_mine[2:] == ["--spec", "mine", "--seed", "monday"]
    context.meta[common._RULES] = Path("mine.yaml")
    house = check_command._words_again(None, {**plain, "as_written": True})
    assert house[2:] == ["--rules", "mine.yaml", "--as-written"]


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


def test_a_report_is_as_wide_as_the_terminal_and_no_word_in_it_becomes_a_picture(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "55")
    there = common.console(77)
    there.print("the :heart: of trumps")
    assert (there.width, capsys.readouterr().out) == (77, "the :heart: of trumps\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert common.console(77).width != 77
