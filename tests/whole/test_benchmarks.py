"""The benchmarks play what they say that they play. How fast that is, no test asserts."""

import sys

import pytest

import hoyle
from conftest import ROOT

sys.path.insert(0, str(ROOT / "workbench/benchmarks"))
import environments
import playing
from environments import KINDS, PEERS, Own

NEEDS = {"PettingZoo": "pettingzoo", "OpenSpiel": "pyspiel"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_request_plays_the_same_steps_of_an_environment(kind: str) -> None:
    pytest.importorskip(NEEDS[kind], reason="needs the extra packages (make environments)")
    play, game = playing.PROGRAMS[KINDS[kind]](), environments.game_of(kind, "piquet-hoyle")
    assert game
    (one, again), three = (play(game, 1) for _ in range(2)), play(game, 3)
    assert 1 < one == again < three


def test_every_ruleset_has_a_game_in_each_kind_of_environment_for_its_players() -> None:
    for ruleset in hoyle.rulesets():
        assert environments.game_of("PettingZoo", ruleset) == f"hoyle:{ruleset}"
        for_two = len(hoyle.rules(ruleset).players) == 2
        assert bool(environments.game_of("OpenSpiel", ruleset)) is for_two


def test_openspiel_has_the_games_that_are_measured() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra packages (make environments)")
    games = pytest.importorskip("hoyle.openspiel").GAMES
    named = [environments.game_of("OpenSpiel", ruleset) for ruleset in hoyle.rulesets()]
    assert [name.partition("(")[0] for name in named if name] == list(games)
    assert all(pyspiel.load_game(name) for name in named if name)


def test_table_compares_the_slowest_and_the_fastest_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    peer = PEERS[0]
    figures: dict[environments.Own | environments.Peer, float] = {peer: 1000.0}
    figures |= {Own(name, "PettingZoo"): 500.0 + at for at, name in enumerate(hoyle.rulesets())}
    figures |= {Own(name, "OpenSpiel"): 10.0 for name in hoyle.rulesets()}
    environments._print_own(figures)
    environments._print_peers(figures)
    printed = capsys.readouterr().out
    assert all(name in printed for name in hoyle.rulesets())
    row = next(line for line in printed.splitlines() if peer.game in line)
    assert row.split()[-3:] == ["0.50", "to", "0.51"]
    assert PEERS[1].game not in printed
