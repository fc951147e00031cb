"""The environments for PettingZoo, by its own tests. They need the extra `pettingzoo`."""

import warnings
from typing import Any

import pytest

import hoyle

pytest.importorskip("pettingzoo", reason="needs pettingzoo (make environments)")

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # if its own games are installed, it imports one the old way
    from pettingzoo.test import api_test, parallel_api_test, seed_test

from hoyle_environments.pettingzoo import env, parallel_env, raw_env


@pytest.fixture(autouse=True)
def _no_advice() -> Any:
    """PettingZoo's tests give advice by warnings, such as that observations are small pictures."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("ruleset", hoyle.rulesets())
def test_pettingzoo_accepts_every_ruleset(ruleset: str) -> None:
    api_test(env(ruleset, deals=1), num_cycles=300)
    seed_test(lambda: env(ruleset, deals=1), num_cycles=60)


@pytest.mark.parametrize("ruleset", ["bezique-hoyle", "piquet-hoyle", "three-handed-h2g2", "four-handed-h2g2"])
def test_pettingzoo_accepts_the_parallel_form(ruleset: str) -> None:
    parallel_api_test(parallel_env(ruleset, deals=1), num_cycles=200)


def test_a_game_is_played_by_the_mask() -> None:
    environment, rng = raw_env("piquet-hoyle", deals=1, render_mode="ansi"), np.random.default_rng(1)
    environment.reset(seed=3)
    for agent in environment.agent_iter():
        seen, _, ended, _, _ = environment.last()
        other = environment.observe("B" if agent == "A" else "A")
        assert not other["action_mask"].any(), "only one player is asked"
        action = None if ended else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        environment.step(action)
    assert sum(environment.game.returns().values()) == 0
    assert str(environment.render()).startswith("piquet-hoyle")
    environment.close()


def test_an_action_that_is_not_legal_is_an_error() -> None:
    environment = raw_env("bezique-hoyle")
    environment.reset(seed=1)
    with pytest.raises(hoyle.IllegalActionError):
        environment.step(environment.game.catalogue.number("draw"))


def test_a_new_game_goes_on_with_the_same_random_numbers() -> None:
    environment = raw_env(hoyle.rules("bezique-hoyle"))
    environment.reset(seed=1)
    first = str(environment.game)
    environment.reset()
    assert str(environment.game) != first
    environment.reset(seed=1)
    assert str(environment.game) == first
    assert environment.render() is None
