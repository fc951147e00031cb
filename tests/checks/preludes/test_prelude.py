"""Preludes: legal histories from a deal to the positions of scenarios, in which nothing disputed decides."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from conftest import ROOT, Done
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.preludes.check_store import check_preludes
from hoyle_conformance.checks.preludes.damage import damaged
from hoyle_conformance.checks.preludes.format import History, course, history, line
from hoyle_conformance.checks.preludes.prelude import NoPrelude, Prelude, Why
from hoyle_conformance.checks.preludes.search import FoundHistory, find
from hoyle_conformance.checks.preludes.store import ENDING, FOLDER, again, kept, path_of, prelude_of
from hoyle_conformance.checks.preludes.target import wanted
from hoyle_conformance.checks.preludes.verify import differs, disputed
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.preludes import positions, reachable_shares
from hoyle_reference import Game, read_act, read_position, write_position

FILES = sorted((ROOT / "spec" / FOLDER).glob(f"*{ENDING}"))
TABLES = [path.name.removesuffix(ENDING) for path in FILES]
#: Every so manieth history is looked at: all of them are proved by `hoyle validate`.
EVERY = 60
#: Of each hundred positions of a ruleset so many have a prelude, at the least.
LEAST = json.loads((ROOT / "tests/preludes.json").read_text("utf-8"))


def some(suite: Suite, table: str) -> list[Check]:
    """Some checks of a table that have a prelude, with its options."""
    lines = [json.loads(text) for text in path_of(suite, table).read_text("utf-8").splitlines()]
    with_one = [each for each in lines if "acts" in each][::EVERY]
    return [suite.index.checks[f"{each['scenario']}@{name}"] for each in with_one for name in each["rulesets"][-1:]]


def prelude(suite: Suite, check: Check) -> Prelude:
    found = prelude_of(suite, check)
    assert isinstance(found, Prelude), check.id
    return found


def comes_out(suite: Suite, check: Check, found: Prelude) -> bool:
    """Whether the check's steps, taken from where a prelude leads, come out as the scenario expects."""
    rules, plan = suite.rules.of(check.ruleset), planner_of(suite).request(check)
    there = replace(plan, message={**plan.message, "position": found.reached})
    own = replace(check, branches={check.follows: check.expect})
    return judge(own, there, observations(rules, there.message), trusted=True).status is Status.PASS


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_a_prelude_is_legal_leads_there_and_rests_on_nothing_it_does_not_say(suite: Suite, table: str) -> None:
    for check in some(suite, table):
        line_ = kept(suite, check)
        assert line_ is not None
        assert isinstance(line_.found, History), check.id
        found = again(suite, check, line_.found)
        assert isinstance(found, FoundHistory), check.id
        assert disputed(suite, check, found.played) == found.rests_on, check.id
        assert comes_out(suite, check, found.prelude), check.id


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_a_prelude_is_turned_with_its_check(suite: Suite, table: str) -> None:
    put, turned = Relabeller(suite, "another seed"), 0
    for check in map(put, some(suite, table)):
        turned += bool(check.turned.seats)
        found, rules = prelude(suite, check), suite.rules.of(check.ruleset)
        for begins, acts in ((found.before, (found.deal, *found.acts)), (found.start, found.acts)):
            game = Game(read_position(rules, begins))
            for act in acts:
                game.apply(read_act(rules, act))
            assert write_position(game.table) == write_position(read_position(rules, found.reached)), check.id
        as_sent = planner_of(suite).request(replace(check, turned=replace(check.turned, seed="")))
        then = read_position(rules, as_sent.message["position"])
        assert differs(wanted(then, check.scenario.given).table, check.scenario.given, game.table) in {"", "hands"}
        assert comes_out(suite, check, found), check.id
    assert turned


@pytest.mark.slow
def test_a_new_game_s_deck_begins_a_new_game(suite: Suite) -> None:
    seen = set()
    for table in TABLES:
        for check in some(suite, table):
            found = prelude(suite, check)
            seen.add(found.from_new_game)
            if found.from_new_game:
                assert set(found.before["score"].values()) == {0}, check.id
                assert found.before.get("deals", 0) == 0, check.id
    assert seen == {True, False}


def test_the_same_scenario_has_the_same_prelude(suite: Suite) -> None:
    for name in ("draw.last-two-cards@bezique-hoyle", "calling.elder-declares-before-calling-on@piquet-saunt-parlett"):
        if name in suite.index.checks:
            one, other = (find(suite, suite.index.checks[name]) for _ in range(2))
            assert isinstance(one, FoundHistory)
            assert isinstance(other, FoundHistory)
            assert one.prelude == other.prelude


def test_what_is_irregular_already_or_not_dealt_has_none(suite: Suite) -> None:
    whys = {}
    for check in suite.index.checks.values():
        given = check.scenario.given
        if "surplus" in given or "before" in given:
            found = prelude_of(suite, check)
            assert isinstance(found, NoPrelude)
            whys["surplus" in given] = found.why
    assert whys == {True: Why.IRREGULAR, False: Why.BEFORE_THE_DEAL}


@pytest.mark.slow
def test_a_history_is_written_and_read_alike(suite: Suite) -> None:
    for table in TABLES:
        for check in some(suite, table):
            there = kept(suite, check)
            assert there is not None
            assert isinstance(there.found, History)
            assert line(json.loads(there.written())) == there
            found = again(suite, check, there.found)
            assert isinstance(found, FoundHistory)
            assert history(found) == there.found
            assert course(suite.rules.of(check.ruleset), there.found).script == found.played.acts


@pytest.mark.slow
def test_no_fewer_positions_have_a_prelude(suite: Suite) -> None:
    """`LEAST` says how many of each hundred; where it has become more, write it down there."""
    for table, least in LEAST.items():
        found = [kept(suite, check) for name in named(suite, table) for check in positions(suite, name)]
        there = sum(each is not None and isinstance(each.found, History) for each in found)
        assert 100 * there // len(found) >= least, table


def named(suite: Suite, table: str) -> list[str]:
    return [name for name in suite.rules.names if name.partition("+")[0] == table]


def test_the_table_is_printed(hoyle: Callable[..., Done], suite: Suite) -> None:
    name = TABLES[0]
    done = hoyle("suite", "preludes", name)
    assert done.returncode == 0
    assert list(reachable_shares(suite, [name])) == done.stdout.splitlines()
    assert hoyle("suite", "preludes", "no-such").returncode == 4
    assert "surplus" in hoyle("suite", "preludes", "bezique-britannica", "--none").stdout


def _other_digest(text: str) -> str:
    at = text.index('"of": "') + len('"of": "')
    return f"{text[:at]}{'0' * 12}{text[at + 12 :]}"


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (lambda text: text[:-40] + "\n", "damaged-preludes", "damaged"),
        (lambda text: text.replace('"deck"', '"dekc"'), "damaged-preludes", "damaged"),
        (_other_digest, "stale-prelude", "has changed since"),
        (
            lambda text: text.replace('"beside": [', '"beside": ["a.b=c", ', 1),
            "stale-prelude",
            "readings of the disputed cells",
        ),
        (
            lambda text: text.replace('"beside": ["', '"beside": ["x', 1),
            "stale-prelude",
            "readings of the disputed cells",
        ),
        (lambda text: text.replace('"scenario": "', '"scenario": "no.', 1), "stale-prelude", "no longer exists"),
        (lambda text: text.replace("draw-all; ", "draw-all; A draw-all; ", 1), "stale-prelude", "no longer leads"),
    ],
)
def test_a_fault_is_one_clear_message(
    suite: Suite, tmp_path: Path, change: Callable[[str], str], code: str, says: str
) -> None:
    file = tmp_path / "spec" / FOLDER / f"bezique-hoyle{ENDING}"
    file.parent.mkdir(parents=True)
    lines = path_of(suite, "bezique-hoyle").read_text("utf-8").splitlines(keepends=True)
    heads = [each for each in lines if "beside" in each]
    shortly = next(each for each in lines if "draw-all; " in each)
    file.write_text(change("".join([*heads, shortly])), "utf-8")
    (fault,) = check_preludes(replace(suite, root=tmp_path / "spec"))
    assert fault.code == code
    assert says in fault.message
    assert "hoyle suite preludes --write bezique-hoyle" in fault.remedy


def test_a_file_of_no_ruleset_is_named(suite: Suite, tmp_path: Path) -> None:
    folder = tmp_path / "spec" / FOLDER
    folder.mkdir(parents=True)
    copy(FILES[0], folder / f"no-such{ENDING}")
    (fault,) = check_preludes(replace(suite, root=tmp_path / "spec"))
    assert fault.code == "surplus-preludes"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [("suite", "list", "rulesets"), ("explain", "melds.bezique"), ("check", "-s", "melds.bezique@bezique-hoyle")],
)
@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-40], lambda text: f"<<<<<<< HEAD\n{text}"], ids=["cut", "merged"]
)
def test_a_line_that_is_not_whole_is_told_by_every_command(
    suite: Suite,
    hoyle: Callable[..., Done],
    tmp_path: Path,
    spoil: Callable[[str], str],
    words: Sequence[str],
) -> None:
    whole, folder = path_of(suite, "bezique-hoyle"), tmp_path / "spec" / FOLDER
    folder.mkdir(parents=True)
    copy(path_of(suite, "bezique-bicycle"), folder)
    text = spoil(whole.read_text("utf-8"))
    (folder / whole.name).write_text(text, "utf-8")
    assert not list(damaged(suite))
    there = replace(suite, root=tmp_path / "spec")
    (fault,) = damaged(there)
    assert fault.line == (1 if text.startswith("<") else text.count("\n") + 1)
    done = hoyle(*words, installed=lambda: there)
    assert done.stderr == f"{fault}\n\n"
    assert "spec/preludes/bezique-hoyle.preludes.jsonl:" in done.stderr
    assert "'hoyle suite preludes --write bezique-hoyle' to find them again" in done.stderr
    assert done.returncode == 0  # nothing rests on it but time


@pytest.mark.posix
def test_a_folder_of_preludes_that_cannot_be_read_is_told(suite: Suite, tmp_path: Path) -> None:
    folder = tmp_path / "spec" / FOLDER
    folder.mkdir(parents=True)
    (folder / f"bezique-hoyle{ENDING}").symlink_to(path_of(suite, "bezique-hoyle"))
    there = replace(suite, root=tmp_path / "spec")
    assert [fault.code for fault in damaged(there)] == ["leads-out"]
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert [fault.code for fault in damaged(there)] == ["leads-out"]


def test_what_is_damaged_is_found_anew(suite: Suite, tmp_path: Path) -> None:
    check = suite.index.checks["draw.last-two-cards@bezique-hoyle"]
    assert prelude_of(replace(suite, root=tmp_path), check) == prelude(suite, check)
