"""Selecting what to run: words, files, parts, and what failed the last time."""

import errno
import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, Done, the_suite
from hoyle_conformance.checks.cache import store
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.cli import options as common
from hoyle_conformance.cli import select_options as selecting
from hoyle_conformance.runner import select as naming
from hoyle_conformance.runner.interrupts import Stop
from hoyle_conformance.runner.results import Result, Run, Status
from hoyle_conformance.runner.select import (
    NothingSelected,
    Shard,
    address_of_command,
    choose,
    read_last_failed,
    store_last_failed,
    take_shard,
    update_last_failed,
    with_keywords,
)
from hoyle_conformance.suite.model import Check, Heading
from hoyle_conformance.suite.suite import Suite
from runner.test_run import READY

Hoyle = Callable[..., Done]
SCENARIO = "to-score.the-example"
FILE = "scenarios/to-score/the-example.scenario.yaml"


@pytest.fixture(scope="module")
def some(suite: Suite) -> list[Heading]:
    """Checks of two topics, under many rulesets."""
    return choose(suite, ["tricks", "to-score"])


# ---- a ruleset without checks


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("bezique-hoyle+a-new-one", "'hoyle validate --lock' lists"), ("a-new-one", "'hoyle new scenario ID'")],
)
def test_a_ruleset_without_checks_is_not_called_unknown(suite: Suite, name: str, remedy: str) -> None:
    """An option or a ruleset is often written before the first scenario that names it."""
    hoyle = suite.rulesets["bezique-hoyle"]
    option = {"a-new-one": {"title": "A new one", "cells": {}}}
    data = {**hoyle.document.data, "options": {**hoyle.document.data["options"], **option}}
    with_option = replace(hoyle, document=replace(hoyle.document, data=data))
    other = replace(hoyle, id="a-new-one", document=replace(hoyle.document, data={**data, "id": "a-new-one"}))
    written = replace(suite, rulesets={**suite.rulesets, "bezique-hoyle": with_option, "a-new-one": other})
    with pytest.raises(NothingSelected, match=f"^'{re.escape(name)}' exists, but has no checks yet\\. .*{remedy}"):
        choose(written, rulesets=[name])
    with pytest.raises(NothingSelected, match=r"^no ruleset 'bezique-hoyle\+a-neu-one'\. Did you mean"):
        choose(written, rulesets=["bezique-hoyle+a-neu-one"])


# ---- parts


@pytest.mark.slow
@given(of=st.integers(1, 12), every=st.sets(st.sampled_from(["cut", "draw", "point"]), min_size=1))
@settings(deadline=None, max_examples=10)
def test_every_check_is_in_one_part_and_the_parts_are_alike(of: int, every: set[str]) -> None:
    chosen = choose(the_suite(), sorted(every))
    parts = [take_shard(chosen, Shard(number, of)) for number in range(1, of + 1)]
    assert sorted(each.id for one in parts for each in one) == sorted(each.id for each in chosen)
    assert parts == [take_shard(chosen, Shard(number, of)) for number in range(1, of + 1)]
    order = {each.id: place for place, each in enumerate(chosen)}
    for counted in (None, *{each.ruleset for each in chosen}):
        sizes = [sum(counted in {None, each.ruleset} for each in one) for one in parts]
        assert max(sizes) - min(sizes) <= 1, counted
    for one in parts:
        assert [order[each.id] for each in one] == sorted(order[each.id] for each in one)


@pytest.mark.parametrize("written", ["0/5", "6/5", "2", "2/5/7", "two/5", "", "٢/5", "1" * 99])
def test_what_is_no_part_is_told(written: str) -> None:
    with pytest.raises(click.BadParameter, match=r"is not a part\. The second of five is 2/5\.$"):
        selecting._shard(click.Context(check_command.command), click.Option(["--shard"]), written)


def test_a_part_is_written_as_it_is_read() -> None:
    read = selecting._shard(click.Context(check_command.command), click.Option(["--shard"]), " 2/5 ")
    assert (read, str(read)) == (Shard(2, 5), "2/5")
    assert selecting._shard(click.Context(check_command.command), click.Option(["--shard"]), None) is None


# ---- words


WORDS = st.sampled_from(["marriage", "king", "trump", "example", "score", "hoyle", "trick"])


@pytest.mark.slow
@given(one=WORDS, other=WORDS)
@settings(deadline=None, max_examples=8)
def test_words_must_all_stand_there_and_groups_of_them_are_alternatives(one: str, other: str) -> None:
    suite = the_suite()
    every = choose(suite, ["to-score"])

    def ids(text: str) -> set[str]:
        with suppress(NothingSelected):
            return {each.id for each in with_keywords(suite, every, text)}
        return set()

    assert ids(f"{one} {other}") == ids(f"{one} and {other}") == ids(one) & ids(other)
    assert ids(f"{one} or {other}") == ids(one) | ids(other)
    assert ids(f"{one} not {other}") == ids(f"not {other} {one}") == ids(one) - ids(other)
    assert ids(f"{one.upper()}s") == ids(one)


def test_words_are_found_in_titles_and_ids_in_their_order(suite: Suite, some: list[Heading]) -> None:
    found = with_keywords(suite, some, "the-example rubicon")
    assert {each.scenario for each in found} == {SCENARIO}
    assert {each.ruleset for each in found} == {
        each.ruleset for each in some if each.scenario == SCENARIO and "rubicon" in each.ruleset
    }
    title = next(each.title for each in some if each.scenario == SCENARIO)
    assert SCENARIO in {each.scenario for each in with_keywords(suite, some, title)}
    either = {each.id for each in with_keywords(suite, some, "trick or score")}
    assert [each.id for each in with_keywords(suite, some, "trick or score")] == [
        each.id for each in some if each.id in either
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "-k needs a word"),
        ("or king", "-k needs a word"),
        ("king and not", "-k needs a word"),
        ("(king or queen) and trick", r"-k does not support brackets \('\('\)"),
        ("k" * 1_001, "-k takes 1,000 letters at most"),
        ("marrige", r"no title or id has 'marrige'\. Did you mean 'marriage'\?"),
        ("trick example marriage king queen", "no check has all these words in its title or id"),
    ],
)
def test_words_that_cannot_be_looked_for_are_told(suite: Suite, some: list[Heading], text: str, said: str) -> None:
    with pytest.raises(NothingSelected, match=said):
        with_keywords(suite, some, text)


# ---- names and files


def scenarios(found: set[str]) -> set[str]:
    return {each.partition("@")[0] for each in found}


@pytest.mark.parametrize(
    "word",
    [
        "the-example",
        f"spec/{FILE}",
        f"docs/../spec/{FILE}",
        f"spec/{FILE}:11:3",
        f".\\spec\\{FILE}".replace("/", "\\"),
        str(ROOT / "spec" / FILE),
    ],
)
def test_a_scenario_is_named_by_its_name_or_its_file(suite: Suite, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.chdir(ROOT)
    assert naming.checks_named(suite, word) == {check.id for check in suite.index.checks_of(suite.scenarios[SCENARIO])}


def test_a_folder_stands_for_what_lies_in_it(suite: Suite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT / "spec/scenarios")
    topic = {each.id for each in suite.index.headings.values() if each.topic == "to-score"}
    assert naming.checks_named(suite, "./to-score") == naming.checks_named(suite, "to-score/") == topic
    assert naming.checks_named(suite, ".") == naming.checks_named(suite, "..") == set(suite.index.headings)
    assert scenarios(naming.checks_named(suite, "to-score/the-example.scenario.yaml")) == {SCENARIO}
    monkeypatch.chdir(tmp_path)  # where a report prints the same name, and there is no such file
    assert scenarios(naming.checks_named(suite, f"spec/{FILE}")) == {SCENARIO}


def test_every_scenario_lies_where_its_id_says(suite: Suite) -> None:
    """A file is found by its name alone, and never opened."""
    for scenario in suite.scenarios.values():
        path = scenario.document.path
        assert path is not None
        assert path.relative_to(suite.root / "scenarios").parts == naming._path(scenario.id)


def test_a_bare_name_means_every_scenario_that_has_it(suite: Suite) -> None:
    bare: dict[str, set[str]] = {}
    for name in suite.scenarios:
        bare.setdefault(name.partition(".")[2], set()).add(name)
    several = next(name for name, those in bare.items() if len(those) > 1 and name not in suite.index.headings)
    assert scenarios(naming.checks_named(suite, several)) == bare[several]
    assert naming.checks_named(suite, "the-example@bezique-hoyle") == {f"{SCENARIO}@bezique-hoyle"}
    assert naming.checks_named(suite, "*" * naming._LONGEST) == set(suite.index.headings)
    assert naming.checks_named(suite, "*" * (naming._LONGEST + 1)) == set()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("spec/scenarios/to-score/the-exampel.scenario.yaml", "no such file: '{}'. Did you mean 'spec/" + FILE + "'?"),
        ("spec/scenarios/to-scor", "no such file: '{}'. The files of scenarios are below spec/scenarios."),
        ("README.md", "'{}' contains no scenario of this suite. Scenarios are below spec/scenarios; "),
        ("the-exampel", "no check matches '{}'. Did you mean 'to-score.the-example'?"),
        ("/\x1b[2J", "no such file: '/\\x1b[2J'."),
        ("/\0", "no such file: '/\\x00'."),
        ("/" + "x" * 9_000, "no such file: '/" + "x" * 99 + "…'."),
        ("zz*", "no check matches 'zz*'. 'hoyle suite list' shows them all."),
    ],
)
def test_a_word_that_means_nothing_is_told(suite: Suite, monkeypatch: pytest.MonkeyPatch, word: str, said: str) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(NothingSelected) as told:
        choose(suite, [word])
    assert str(told.value).startswith(said.replace("{}", word))


# ---- what failed the last time

NAMES = st.frozensets(st.sampled_from("abcdefgh"))


@given(before=NAMES, ran=NAMES, failing=NAMES)
def test_a_run_changes_what_is_known_of_the_checks_it_ran_and_nothing_else(
    before: frozenset[str], ran: frozenset[str], failing: frozenset[str]
) -> None:
    failed = ran & failing
    after = update_last_failed(before, ran, failed)
    assert after & ran == failed
    assert after - ran == before - ran
    assert update_last_failed(after, ran, failed) == after
    one, other = ran & before, ran - before  # of which each may run for itself, in whatever order
    in_turn = update_last_failed(update_last_failed(before, one, failed & one), other, failed & other)
    assert in_turn == after == update_last_failed(update_last_failed(before, other, failed & other), one, failed & one)


def test_what_has_failed_is_kept_for_this_command_alone(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    addresses = {
        address_of_command(*words)
        for words in (
            (("a", "b"), tmp_path, None),
            (("a b",), tmp_path, None),
            ((), tmp_path, None),
            (("a", "b"), tmp_path / "other", None),
            (("a", "b"), tmp_path, tmp_path / "mine.yaml"),
        )
    }
    assert len(addresses) == 5
    assert address_of_command((), Path(), None) in addresses  # which is the same folder
    monkeypatch.chdir("/")
    assert address_of_command((), tmp_path, None) not in addresses
    assert not kept.exists()
    store_last_failed("x", frozenset(), frozenset({"b", "a"}))
    assert read_last_failed("x") == {"a", "b"}
    assert read_last_failed("y") == frozenset()


@pytest.mark.parametrize("value", [b"{", b"[1, null]", b"[" * 100_000])
@pytest.mark.usefixtures("kept")
def test_what_is_damaged_was_never_kept(value: bytes) -> None:
    store_last_failed("x", frozenset(), frozenset({"a"}))
    store.write("failed", {"x": value})
    assert read_last_failed("x") == frozenset()


def test_where_nothing_can_be_written_nothing_is_kept(kept: Path) -> None:
    kept.write_text("a file in the way", "utf-8")
    store_last_failed("x", frozenset(), frozenset({"a"}))
    assert read_last_failed("x") == frozenset()


# ---- the command


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, hoyle: Hoyle, kept: Path) -> Callable[..., tuple[Done, list[str]]]:  # noqa: ARG001 -- where it keeps
    """`hoyle check` with these words, in which checks have these results, and all others pass; and what it ran."""

    def command(*words: str, becomes: dict[str, Status] | None = None, only: int | None = None) -> Any:
        ran: list[str] = []

        def run(_suite: Suite, checks: Sequence[Check], *_: object, **__: object) -> Run:
            done = checks[:only]
            ran.extend(each.id for each in done)
            results = [Result(each, (becomes or {}).get(each.id, Status.PASS)) for each in done]
            return Run(READY, (), checks, results, stopped=None if only is None else Stop())

        monkeypatch.setattr(check_command, "_run", run)
        monkeypatch.setattr(common, "sound_or_exit", lambda *_: None)
        monkeypatch.setattr("hoyle_conformance.reports.terminal.print_report", lambda *_, **__: None)
        return hoyle("check", *words), ran

    return command


CUT = [check.id for check in the_suite().index.checks.values() if check.scenario.topic == "cut"]
FAILS = {CUT[1]: Status.FAIL, CUT[3]: Status.CRASH}


def test_what_failed_last_is_run_again_until_it_passes(check: Callable[..., Any]) -> None:
    done, ran = check("-s", "cut", "--last-failed")
    assert ran == CUT
    assert done.stderr == f"No failures are recorded for these checks: running all {len(CUT):,}.\n"
    check("-s", "cut", becomes={**FAILS, CUT[0]: Status.EXPECTED_FAILURE, CUT[2]: Status.UNSUPPORTED})
    assert check("-s", "draw")[0].returncode == 0  # which says nothing of the others
    done, ran = check("--lf", becomes=FAILS)
    assert ran == [CUT[1], CUT[3]]
    assert done.stderr.startswith("Running the checks that failed last time: 2 of ")
    assert check("--lf", "--seed", "monday", becomes={CUT[3]: Status.FAIL})[1] == [CUT[1], CUT[3]]
    assert check("--lf")[1] == [CUT[3]]
    assert check("-s", "cut", "--lf")[1] == CUT


def test_what_an_interrupted_run_did_not_come_to_stays_known(check: Callable[..., Any]) -> None:
    check("-s", "cut", becomes=FAILS)
    check("-s", "cut", only=2)
    assert check("-s", "cut", "--lf")[1] == [CUT[3]]


@pytest.mark.usefixtures("kept")
def test_runs_of_the_same_command_at_the_same_time_do_not_undo_each_other(suite: Suite) -> None:
    checks = [suite.index.checks[name] for name in CUT]
    one, other = selecting.Memory("x", frozenset()), selecting.Memory("x", frozenset())
    one.keep(suite, Run(READY, (), checks, [Result(checks[0], Status.FAIL)]))
    other.keep(suite, Run(READY, (), checks, [Result(checks[1], Status.FAIL)]))
    assert read_last_failed("x") == set(CUT[:2])
    store_last_failed("x", frozenset(), frozenset({CUT[0], "of.another-version@rummy"}))
    one.keep(suite, Run(READY, (), checks, [Result(checks[2], Status.PASS)]))
    assert read_last_failed("x") == {CUT[0]}  # what is no check any more is not kept for ever


def test_what_cannot_be_read_now_stays_known(check: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = store._read

    def denied(path: Path, how: str, kind: str, keys: list[str]) -> dict[str, bytes]:
        if kind == "failed":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return plain(path, how, kind, keys)

    check("-s", "cut", becomes=FAILS)
    with monkeypatch.context() as patch:
        patch.setattr(store, "_read", denied)
        assert check("-s", "draw", becomes={CUT[0]: Status.FAIL})[0].returncode == 0
        assert check("-s", CUT[0], becomes={CUT[0]: Status.FAIL})[0].returncode == 1
        done, ran = check("-s", "cut", "--last-failed")
        assert (done.returncode, ran) == (74, [])
        assert done.stderr.startswith("Hoyle cannot continue: ")
    assert check("-s", "cut", "--last-failed")[1] == [CUT[1], CUT[3]]


def test_where_nothing_is_kept_nothing_is_known(
    check: Callable[..., Any], kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOYLE_NO_CACHE", "1")
    check("-s", "cut", becomes=FAILS)
    assert not kept.exists()
    done, ran = check("-s", "cut", "--last-failed")
    assert (done.returncode, ran) == (4, [])
    assert "unset HOYLE_NO_CACHE." in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["-s", "cut.equal-cards@bezique-hoyle", "--shard", "2/2"],
            "--shard 2/2 has nothing to run: 1 check cannot make so many",
        ),
        (
            ["--max-failures", "1", "--write-baseline", "new.txt"],
            "--write-baseline needs all failures of a run, but --max-failures",
        ),
    ],
)
def test_wrong_choices_end_with_4(check: Callable[..., Any], words: list[str], said: str) -> None:
    done, ran = check(*words)
    assert (done.returncode, ran, done.stdout) == (4, [], "")
    assert said in " ".join(done.stderr.split())


def test_the_help_shows_each_option_once_under_its_heading(hoyle: Hoyle) -> None:
    told = hoyle("check", "--help").stdout
    _, options = told.split("\n\nWhich checks run:\n")
    for option in check_command.command.params:
        if isinstance(option, click.Option):
            assert len(re.findall(rf"^  (?:\S+, )?{max(option.opts, key=len)}(?![\w-])", options, re.MULTILINE)) == 1, (
                option
            )
    named = [name for names in check_command._HEADINGS.values() for name in names]
    assert sorted(named) == sorted(
        each.name for each in check_command.command.params if each.name != "patterns" and each.name
    )
    for heading in check_command._HEADINGS:
        assert f"\n{heading}:\n" in told


def test_the_record_says_which_part_it_is(hoyle: Hoyle, suite: Suite, tmp_path: Path) -> None:
    record = tmp_path / "run.jsonl"
    for words, shard in ((["--shard", "2/3"], "2/3"), ([], None)):
        hoyle("check", "-s", "cut.equal-cards", "--record", str(record), *words)
        header, *results, footer = map(json.loads, record.read_text("utf-8").splitlines())
        assert (header.get("shard"), header["selected"]) == (shard, len(results))
        assert suite.schemas.complaint("record", header) == ""
        assert footer["exit"] == 0


# ---- what is written of it
