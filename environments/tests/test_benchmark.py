"""The benchmark plays what it says that it plays. How fast that is, no test asserts."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo", reason="needs the extras (make environments)")
pytest.importorskip("pyspiel", reason="needs the extras (make environments)")
BENCHMARK = runpy.run_path(str(Path(__file__).parents[1] / "benchmark.py"))


@pytest.mark.parametrize("name", ["PettingZoo piquet-hoyle", "OpenSpiel hoyle_piquet_hoyle"])
def test_same_episodes_have_the_same_steps(name: str) -> None:
    play = BENCHMARK["all_plays"]()[name]
    one, again, three = play(1), play(1), play(3)
    assert 1 < one == again < three


def test_every_environment_has_a_rate() -> None:
    plays = {name: play for name, play in BENCHMARK["all_plays"]().items() if "piquet_hoyle" in name or "own" in name}
    assert len(plays) == 1 + len(BENCHMARK["PEERS"])
    assert all(rate > 0 for rate in BENCHMARK["rates"](plays, rounds=1).values())
