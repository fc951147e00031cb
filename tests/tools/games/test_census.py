"""The census: decks that anybody can make, games that are the same for ever, in which nothing disputed decides."""

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from shutil import copytree, ignore_patterns, which
from typing import Any

import pytest

import spec_json
from conftest import HANGS, ROOT, Done, golden, need
from faulty_adapters.slow_start import SlowStart
from games import acts as random_acts
from hoyle_conformance.protocol import process
from hoyle_conformance.protocol.adapters import Command, InProcess
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import STALE_CENSUS, Exit, Status
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.model import Census, CensusGame
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games import census as tables
from hoyle_conformance.tools.games.census import CensusGames, CensusPlay, games_named, replay, stored_table
from hoyle_reference import Rules, new_game, write_act
from hoyle_reference.acts import Act
from hoyle_reference.machine import CHANCE
from hoyle_reference.seats import Seat
from write_census import GAMES, census_text, write

#: A table of each family, small enough to be played again and again.
A_FEW = ["rubicon-hoyle", "piquet-saunt-parlett", "bezique-britannica+units"]
ADAPTERS = ROOT / "conformance/adapters"
#: The engines that play whole games: one is an example, and the tests of the others run nightly.
ENGINE, BENCH = "javascript/declarations.js", ROOT / "workbench/adapters"
TABLES = sorted(
    re.findall(
        r"^  - ruleset: (\S+)$",
        "".join(path.read_text("utf-8") for path in sorted((ROOT / "spec/census").glob("*.census.yaml"))),
        re.MULTILINE,
    )
)


def games(suite: Suite, ruleset: str) -> tuple[CensusGame, ...]:
    table = stored_table(suite, ruleset)
    assert table is not None
    return table.games


# ---- Decks and choices


def test_the_protocol_says_how_decks_are_made(suite: Suite) -> None:
    said = (ROOT / "spec/CENSUS.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(def deck\(.*?)```", said, re.DOTALL)
    made: dict[str, Any] = {"sha256": sha256}
    exec(code, made)  # noqa: S102 -- it is our own text that is held to be true
    for name in A_FEW:
        table = suite.rules.of(name)
        game = games(suite, name)[0]
        course = replay(table, game)
        at, dealt = next((at, act) for at, (act, _) in enumerate(course.steps, start=1) if act["do"] == "deal")
        number = 1 + game.passed_over.get(at, 0)  # a deck may be passed over too
        assert dealt["deck"] == made["deck"](sorted(dealt["deck"]), name, course.number, number)


# ---- Games


def test_a_census_is_written_as_it_is_read(suite: Suite) -> None:
    for name, census in suite.censuses.items():
        assert census_text(name, census.tables) == (ROOT / f"spec/census/{name}.census.yaml").read_text("utf-8")


def test_every_ruleset_and_option_has_its_games(suite: Suite) -> None:
    assert set(suite.censuses) == set(suite.rulesets)
    for name, census in suite.censuses.items():
        assert [table.ruleset for table in census.tables] == tables.tables_of(suite, name)
        for table in census.tables:
            assert len(table.games) == GAMES
            assert all(game.deals > 1 or game.ends != "after-a-deal" for game in table.games)
    assert sorted(suite.rules.names) == TABLES


@dataclass(frozen=True)
class Proved:
    """The mistakes that the proof of all censuses finds, and the acts of each game that it plays without an option."""

    mistakes: list[str]
    acts: dict[tuple[str, int], list[Mapping[str, Any]]]


@pytest.fixture(scope="session")
def proved(suite: Suite, once: Callable[[str, Callable[[], Any]], Any]) -> Proved:
    """The proof of all censuses, made once for all tests."""

    def prove() -> Proved:
        acts: dict[tuple[str, int], list[Mapping[str, Any]]] = {}

        def replay_and_note(rules: Rules, game: CensusGame) -> CensusPlay:
            course = replay(rules, game)
            if "+" not in rules.id:
                acts[rules.id, game.game] = [act for act, _ in course.steps]
            return course

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tables, "replay", replay_and_note)
            return Proved([str(fault) for fault in tables.prove_censuses(suite)], acts)

    found: Proved = once("censuses", prove)
    return found


@pytest.mark.slow
def test_the_rules_give_the_games_that_are_written_down(proved: Proved) -> None:
    assert proved.mistakes == []


@pytest.mark.slow
def test_all_that_can_be_done_is_done_somewhere(suite: Suite, proved: Proved) -> None:
    assert proved.acts.keys() == {(ruleset, game.game) for ruleset in suite.rulesets for game in games(suite, ruleset)}
    acts = [act for of_a_game in proved.acts.values() for act in of_a_game]
    never = {"mishap", "claim", "choose-remedy"}
    assert {suite.capabilities.word(act) for act in acts} == suite.capabilities.acts - never
    assert {act["says"] for act in acts if "says" in act} == {"good", "not-good", "equal", "making", "how-high"}
    assert any(act.get("class") == "blank" for act in acts)
    assert not any("irregular" in act for act in acts)
    assert all(len(of_a_game) <= 1000 for of_a_game in proved.acts.values())


# ---- The number of open acts


def bare(act: Act) -> str:
    """An act without the copies of its cards."""
    spelt = write_act(act)
    if "cards" in spelt:
        spelt["cards"] = sorted(card[:2] for card in spelt["cards"])
    return re.sub(r"#\d", "", json.dumps(spelt, sort_keys=True))


@pytest.mark.interpreter
@pytest.mark.parametrize("ruleset", ["bezique-hoyle", "eight-deck-h2g2", "four-handed-h2g2", "piquet-saunt-parlett"])
def test_acts_that_differ_in_the_copy_of_a_card_count_once(suite: Suite, ruleset: str) -> None:
    game = new_game(suite.rules.of(ruleset))
    compared = 0
    for number, act in enumerate(random_acts(game, 5, bytes(range(7, 250, 3)), most_deals=1)):
        if game.table.phase not in CHANCE and number % 3 == 0:
            everything = list(game.legal_actions)
            for seat, letter in enumerate(game.rules.letters):
                own = {bare(each) for each in everything if write_act(each)["by"] == letter}
                assert game.legal_actions.open_to(Seat(seat)) == len(own)
                compared += 1
        game.apply(act)
    assert compared > 20


# ---- faults of a census


def reference(suite: Suite) -> InProcess:
    return InProcess(Wire(suite.schemas, suite.version), Reference(suite))


def with_game(suite: Suite, ruleset: str, **changes: Any) -> tuple[Suite, Census]:
    """The suite with another first game in a census."""
    census = suite.censuses[ruleset]
    first = census.tables[0]
    other = replace(first, games=(replace(first.games[0], **changes), *first.games[1:]))
    spoilt = replace(census, tables=(other, *census.tables[1:]))
    return replace(suite, censuses={**suite.censuses, ruleset: spoilt}), spoilt


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"digest": "0" * 16}, "game 1: 'digest' is 0000000000000000 in the file, but "),
        ({"score": {"A": 1, "B": 2}}, "game 1: 'score' is A 1, B 2 in the file, but "),
        ({"acts": 900}, "game 1: no legal act is left after act "),
    ],
)
def test_a_stale_game_is_one_clear_mistake(suite: Suite, changes: Mapping[str, Any], said: str) -> None:
    spoilt, census = with_game(suite, "rubicon-hoyle", **changes)
    (fault,) = tables.prove_census(spoilt, census)
    assert fault.message.startswith(said)
    assert "'make census RULESETS=rubicon-hoyle' to write it again" in fault.remedy
    done = run(spoilt, reference(spoilt), games_named(spoilt, ["census.game-1@rubicon-hoyle"]), with_games=CensusGames)
    assert (done.results[0].code, done.exit) == (STALE_CENSUS, Exit.SUITE_INVALID)
    assert done.results[0].reason.startswith(said)


def test_a_census_that_is_missing_or_of_nothing_is_a_mistake(suite: Suite) -> None:
    rubicon = suite.censuses["rubicon-hoyle"]
    alone = replace(suite, censuses={}, rulesets={"rubicon-hoyle": suite.rulesets["rubicon-hoyle"]})
    (missing,) = tables.prove_censuses(alone)
    assert (missing.code, missing.file) == ("no-census", "spec/census/rubicon-hoyle.census.yaml")
    assert "make census RULESETS=rubicon-hoyle" in missing.remedy
    (unknown,) = tables.prove_census(replace(suite, rulesets={}), rubicon)
    assert (unknown.code, unknown.remedy) == ("unknown-ruleset", "Remove the file.")
    surplus = replace(rubicon.tables[0], ruleset="rubicon-hoyle+nothing")
    codes = [fault.code for fault in tables.prove_census(suite, replace(rubicon, tables=(surplus,)))]
    assert codes == ["surplus-table", "missing-table"]


def test_another_reading_makes_a_census_stale(suite: Suite) -> None:
    census = suite.censuses["rubicon-hoyle"]
    fewer = replace(census.tables[0], beside=census.tables[0].beside[1:])
    (fault,) = tables.prove_census(suite, replace(census, tables=(fewer,)))
    assert (fault.code, "readings of the disputed cells" in fault.message) == ("stale-census", True)


# ---- Held against implementations


def test_the_compiled_games_tell_what_has_changed(suite: Suite) -> None:
    """Taken up one after the other, the changes make what the reference observes."""
    game = spec_json.game_data(suite, games_named(suite, ["census.game-2@piquet-saunt-parlett"])[0])
    steps = Reference(suite)({"type": "run", "seq": 1, **game["run"]})["steps"]
    last: dict[str, Any] = {}
    for expected, seen in zip(game["expect"], steps, strict=True):
        last |= {key: value for key, value in expected.items() if key != "open"}
        for key in set(game["run"]["observe"]).difference(expected.get("open", ())):
            cards = key in {"hands", "shown"}
            got = {seat: sorted(hand) for seat, hand in seen[key].items()} if cards else seen[key]
            assert got == last[key], key


@pytest.mark.slow
def test_the_engine_that_confirms_a_census_agrees_on_every_act(suite: Suite) -> None:
    need(which("node"), "node")
    agrees_on_every_act(suite, ENGINE, ["node", str(ADAPTERS / ENGINE)])


def agrees_on_every_act(suite: Suite, engine: str, command: list[str]) -> None:
    adapter = Command(Wire(suite.schemas, suite.version), command, timeout=HANGS)
    done = run(suite, adapter, games_named(suite, ["census"]), with_games=CensusGames)
    assert [(result.check.id, result.mismatch, result.reason) for result in done.failures] == []
    played = {result.check.ruleset for result in done.results if result.status is Status.PASS}
    every = (table for each in suite.censuses.values() for table in each.tables)
    confirmed = {table.ruleset for table in every if engine in table.confirmed_by}
    assert played == confirmed != set()


def test_no_other_engine_is_said_to_confirm(suite: Suite) -> None:
    named = {engine for each in suite.censuses.values() for table in each.tables for engine in table.confirmed_by}
    engines = {path.relative_to(BENCH).as_posix() for path in BENCH.glob("python/*.py")}
    assert named == {ENGINE, *engines} - {"python/rubicon_referee.py"}


# ---- The command


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (("census",), len(TABLES) * GAMES),
        (("census.game-3",), len(TABLES)),
        (("census.game-3@rubicon-hoyle", "census.*@rubicon-hoyle"), GAMES),
        (("census.game-77",), 0),
        (("cens*",), 0),
    ],
)
def test_games_are_selected_like_checks(suite: Suite, words: tuple[str, ...], count: int) -> None:
    assert len(games_named(suite, words)) == count


def test_games_run_with_other_checks(hoyle: Callable[..., Done], tmp_path: Path) -> None:
    """A game is recorded and excused like any check, whichever process plays it."""
    known = tmp_path / "known.txt"
    known.write_text("census.game-3@rubicon-hoyle fail\n", "utf-8")
    words = ["-s", "census.game-1", "-s", "census.game-3", "-s", "cut", "-r", "rubicon-hoyle", "-j", "2"]
    adapter = ["--timeout", str(HANGS), "--", sys.executable, str(FAULTY_ADAPTERS), "counts-both-copies"]
    done = hoyle("check", *words, "--baseline", str(known), "--record", "-", *adapter)
    results = {each["check"]: each for each in map(json.loads, done.stdout.splitlines()) if each["type"] == "result"}
    assert results["census.game-3@rubicon-hoyle"]["status"] == "expected-failure"
    (mismatch,) = results["census.game-1@rubicon-hoyle"]["mismatches"]
    assert (mismatch["what"], mismatch["step"]) == ("legal_acts", 3)
    assert any(name.startswith("cut.") for name in results)
    again = hoyle("check", "--last-failed", "--record", "-", *adapter).stdout
    assert "census.game-1@rubicon-hoyle" in re.findall(r'"check": ?"([^"]*)"', again)


@pytest.mark.slow
def test_a_stale_census_is_written_anew(hoyle: Callable[..., Done], tmp_path: Path) -> None:
    spec = tmp_path / "spec"
    copytree(ROOT / "spec", spec, ignore=ignore_patterns("*.scenario.yaml", "preludes"))
    path = spec / "census/rubicon-hoyle.census.yaml"
    was = path.read_text("utf-8")
    path.write_text(was.replace("legal_acts: 1", "legal_acts: 9"), "utf-8")
    stale = hoyle("check", "-s", "census.game-1", "-r", "rubicon-hoyle", "--spec", str(spec))
    assert stale.returncode == 5
    assert "the census does not match the rules" in stale.stdout + stale.stderr
    assert list(write(spec, ["rubicon-hoyle"])) == [
        "Wrote spec/census/rubicon-hoyle.census.yaml.",
        "  rubicon-hoyle is no longer confirmed by python/rubicon.py: play it again.",
    ]
    assert path.read_text("utf-8") == was.replace("[python/rubicon.py]", "[]")


# ---- Faulty adapters

FAULTY_ADAPTERS = ROOT / "tests/faulty_adapters/main.py"
REPORTS = ROOT / "tests/faulty_adapters/census"
#: Engines that are wrong in the games of a ruleset.
FOUND_IN = {"remembers-the-sevens": "bezique-bicycle", "counts-both-copies": "rubicon-hoyle"}
#: Those that pass every check of it.
ALONE = {"counts-both-copies"}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FOUND_IN)
def test_census_finds_a_faulty_adapter(hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    monkeypatch.setattr(process, "Process", SlowStart)
    adapter = ["--timeout", str(HANGS), "--", sys.executable, str(FAULTY_ADAPTERS.relative_to(ROOT)), fault]
    assert hoyle("check", "-r", FOUND_IN[fault], *adapter).returncode == (0 if fault in ALONE else 1)
    done = hoyle("check", "-s", "census", "-r", FOUND_IN[fault], *adapter)
    assert done.returncode == 1
    report = f"{done.stdout}{done.stderr}".replace(sys.executable, "python").replace(str(ROOT), ".")
    report = re.sub(r"^Hoyle \S+, suite \S+ \(\w+\)", "Hoyle VERSION, suite VERSION (DIGEST)", report)
    golden(REPORTS / f"{fault}.txt", report)


def test_every_report_of_the_census_belongs_to_a_faulty_adapter() -> None:
    assert {path.stem for path in REPORTS.glob("*.txt")} == set(FOUND_IN)
