"""The engines that play whole games: each passes everything that it claims, and the census that it confirms."""

import sys

import pytest

from conftest import ROOT
from hoyle_conformance.suite.suite import Suite
from runner.test_questions import answers_as_the_reference_does
from tools.games.test_census import agrees_on_every_act
from whole.test_example_adapters import EXAMPLES, asked, installed, passes_what_it_claims

ADAPTERS = ROOT / "workbench/adapters/python"
#: What each engine claims.
ENGINES = {
    "bezique_bicycle.py": {
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven", "counting"),
        *("score", "game_won_by", "deals_left", "settling", "table", "irregularities", "census", "report"),
    },
    "bezique_h2g2.py": {
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven"),
        *("counting", "score", "game_won_by", "settling", "table", "census", "report"),
        *("choices", "irregular", "claim", "ruling", "refuse-claim", "refuse-choose"),
    },
    "piquet_table.py": {
        *("dealing", "tricks", "legal-plays", "melds", "declarations", "talon", "calling"),
        *("piquet-declarations", "score", "game", "settling", "table", "census"),
    },
    "piquet_hoyle.py": {
        *("dealing", "tricks", "legal-plays", "melds", "declarations", "talon", "calling", "piquet-declarations"),
        *("counting", "score", "game", "settling", "table", "census", "report", "irregularities"),
    },
    "piquet_cavendish.py": {
        *("dealing", "tricks", "legal-plays", "melds", "declarations", "talon", "calling", "piquet-declarations"),
        *("counting", "score", "game", "settling", "table", "census", "report"),
        *("choices", "irregular", "mishap", "claim", "choose-remedy", "refuse-mishap", "refuse-claim"),
    },
    "rubicon.py": {
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations"),
        *("counting", "score", "game", "settling", "table", "census", "report"),
    },
    "rubicon_referee.py": {
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations"),
        *("counting", "score", "game", "settling", "table", "census", "report", "irregularities", "choose-rest"),
    },
    "bezique_britannica.py": {
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven", "counting"),
        *("score", "game", "settling", "table", "seen", "census", "report", "irregularities"),
    },
    "bezique_hoyle.py": {
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven", "counting"),
        *("score", "game", "settling", "table", "census", "report", "irregularities", "worth-of-cards"),
    },
}

#: The checks in which an engine follows its source and the table does not: by law 59 of Cavendish a revoke is replayed
#: with no penalty, even if a miscall has been ruled on since.
OTHER_READINGS = {
    "piquet_cavendish.py": frozenset({"irregular.a-revoke-found-after-a-miscall@piquet-rubicon-cavendish"})
}


def command_of(engine: str) -> list[str]:
    return [sys.executable, str(ADAPTERS / engine)]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_passes_everything_it_claims(suite: Suite, engine: str) -> None:
    done = asked(suite, command_of(engine), OTHER_READINGS.get(engine, frozenset()))
    passes_what_it_claims(suite, done, "Python", ENGINES[engine])


def test_together_the_engines_run_most_of_the_suite(suite: Suite) -> None:
    """Independent engines agree with the reference on most of what it claims: it does not merely agree with itself."""
    claimed = {check.id for check in suite.index.checks.values() if check.ruleset == "bezique-hoyle"}
    commands = [command for _, command, _ in EXAMPLES.values() if installed(command)] + [*map(command_of, ENGINES)]
    runs = (asked(suite, command) for command in commands)
    passed = claimed & {each.check.id for run in runs for each in run.results if each.status == "pass"}
    assert len(passed) > 0.8 * len(claimed)


def test_the_engines_do_not_use_the_reference() -> None:
    for path in ADAPTERS.glob("*.*"):
        assert "hoyle_" not in path.read_text("utf-8"), path


@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine != "rubicon_referee.py"])
def test_the_engines_that_confirm_a_census_agree_on_every_act(suite: Suite, engine: str) -> None:
    agrees_on_every_act(suite, f"python/{engine}", command_of(engine))


@pytest.mark.parametrize("engine", ["bezique_bicycle.py", "piquet_hoyle.py", "piquet_table.py", "rubicon.py"])
def test_the_engines_answer_as_the_reference_does(suite: Suite, engine: str) -> None:
    answers_as_the_reference_does(suite, command_of(engine))
