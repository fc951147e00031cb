"""Preludes: legal histories from a deal to the positions of scenarios, in which nothing disputed decides."""

from collections.abc import Callable
from dataclasses import replace
from gzip import compress, decompress
from pathlib import Path
from shutil import copy

import pytest

from conftest import ROOT, Done
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.preludes import store
from hoyle_conformance.checks.preludes.follow import FoundHistory, differs, wanted
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import NOT_STORED, NoPrelude, Prelude, Why
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import read_house_rules
from hoyle_reference import Game, read_act, read_position, write_position

FILES = sorted((ROOT / "spec" / store.FOLDER).glob(f"*{store.ENDING}"))
TABLES = [path.name.removesuffix(store.ENDING) for path in FILES]
#: Every so manieth history is looked at: all of them are proved by `hoyle validate`.
EVERY = 60


def some(suite: Suite, table: str) -> list[Check]:
    """Some checks of a table that have a prelude, with its options."""
    with_one = [each for each in store.lines_of(suite, store.path_of(suite, table)) if "acts" in each][::EVERY]
    return [suite.index.checks[f"{each['scenario']}@{name}"] for each in with_one for name in each["rulesets"][-1:]]


def prelude(suite: Suite, check: Check) -> Prelude:
    found = store.prelude_of(suite, check)
    assert isinstance(found, Prelude), check.id
    return found


def comes_out(suite: Suite, check: Check, found: Prelude) -> bool:
    """Whether the check's steps, taken from where a prelude leads, come out as the scenario expects."""
    rules, plan = suite.rules.of(check.ruleset), planner_of(suite).request(check)
    there = replace(plan, message={**plan.message, "position": found.reached})
    own = replace(check, branches={check.follows: check.expect})
    return judge(own, there, observations(rules, there.message), trusted=True).status is Status.PASS


def faults_of(suite: Suite) -> list[Diagnostic]:
    """The mistakes in all stored preludes of a suite."""
    return [fault for path in store.prelude_files(suite) for fault in store.check_prelude_file(suite, path)]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_a_prelude_is_legal_and_leads_there(suite: Suite, table: str) -> None:
    for check in some(suite, table):
        line_ = store.kept(suite, check)
        assert line_ is not None
        assert isinstance(line_.found, store.History), check.id
        found = store.again(suite, check, line_.found)
        assert isinstance(found, FoundHistory), check.id
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


def test_what_is_irregular_already_or_not_dealt_has_none(suite: Suite) -> None:
    whys = {}
    for check in suite.index.checks.values():
        given = check.scenario.given
        if "surplus" in given or "before" in given:
            found = store.prelude_of(suite, check)
            assert isinstance(found, NoPrelude)
            whys["surplus" in given] = found.why
    assert whys == {True: Why.IRREGULAR, False: Why.BEFORE_THE_DEAL}


def _other_digest(text: str) -> str:
    at = text.index('"of": "') + len('"of": "')
    return f"{text[:at]}{'0' * 12}{text[at + 12 :]}"


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (lambda text: text.replace('"deck"', '"dekc"'), "damaged-preludes", "damaged"),
        (_other_digest, "stale-prelude", "has changed since"),
        (
            lambda text: text.replace('"beside": [', '"beside": ["a.b=c", ', 1),
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
    file = tmp_path / "spec" / store.FOLDER / f"bezique-hoyle{store.ENDING}"
    file.parent.mkdir(parents=True)
    lines = decompress(store.path_of(suite, "bezique-hoyle").read_bytes()).decode().splitlines(keepends=True)
    heads = [each for each in lines if "beside" in each]
    shortly = next(each for each in lines if "draw-all; " in each)
    file.write_bytes(compress(change("".join([*heads, shortly])).encode()))
    (fault,) = faults_of(replace(suite, root=tmp_path / "spec"))
    assert fault.code == code
    assert says in fault.message
    assert "make preludes RULESETS=bezique-hoyle" in fault.remedy


def test_a_file_of_no_ruleset_is_named(suite: Suite, tmp_path: Path) -> None:
    folder = tmp_path / "spec" / store.FOLDER
    folder.mkdir(parents=True)
    copy(FILES[0], folder / f"no-such{store.ENDING}")
    (fault,) = faults_of(replace(suite, root=tmp_path / "spec"))
    assert fault.code == "surplus-preludes"


@pytest.mark.parametrize(
    "content", [b"{}\n", compress(b"{}\n")[:-9], compress(b"\xff")], ids=["no archive", "cut off", "no text"]
)
def test_what_cannot_be_read_is_no_missing_prelude(
    suite: Suite, hoyle: Callable[..., Done], tmp_path: Path, content: bytes
) -> None:
    check = suite.index.checks["draw.last-two-cards@bezique-hoyle"]
    assert store.prelude_of(replace(suite, root=tmp_path), check) == NOT_STORED
    file = tmp_path / store.FOLDER / f"bezique-hoyle{store.ENDING}"
    file.parent.mkdir()
    file.write_bytes(content)
    done = hoyle("explain", check.id, "--prelude", installed=lambda: replace(suite, root=tmp_path))
    assert done.returncode == 5
    assert "the preludes are damaged: " in done.stderr


def test_house_rules_have_the_preludes_of_what_they_extend(suite: Suite, tmp_path: Path) -> None:
    """Each is played and verified under the house rules."""
    file = tmp_path / "mine.yaml"
    file.write_text("id: mine\ntitle: Ours\nextends: bezique-hoyle\nrules: {deal.cut_winner: chooses}\n", "utf-8")
    ours = read_house_rules(suite, file).joined(suite)
    check = ours.index.checks["draw.last-two-cards@mine"]
    assert prelude(ours, check).acts == prelude(suite, suite.index.checks["draw.last-two-cards@bezique-hoyle"]).acts


@pytest.mark.posix
def test_a_folder_of_preludes_that_leads_out_is_reported(suite: Suite, tmp_path: Path) -> None:
    folder = tmp_path / "spec" / store.FOLDER
    folder.mkdir(parents=True)
    (folder / f"bezique-hoyle{store.ENDING}").symlink_to(store.path_of(suite, "bezique-hoyle"))
    there = replace(suite, root=tmp_path / "spec")
    assert [fault.code for fault in faults_of(there)] == ["leads-out"]
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Invalid) as raised:
        faults_of(there)
    assert [fault.code for fault in raised.value.diagnostics] == ["leads-out"]
