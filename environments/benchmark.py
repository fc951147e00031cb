"""Prints the steps a second of the environments in random play, in one run with OpenSpiel's own games.

    python environments/benchmark.py

The same is timed for all: an episode is reset, and before each random legal action of a player the position is
observed. A step is an action of a player. An episode of Hoyle is one deal. All play in turn; a figure is the best of
several rounds, in processor time.
"""

import random
import time
from collections.abc import Callable, Mapping

import numpy as np
import open_spiel.python.games  # noqa: F401 -- registers the Python games
import pyspiel
from open_spiel.python.observation import make_observation

import hoyle
from hoyle_environments.openspiel import GAMES
from hoyle_environments.pettingzoo import env

SEED = 20
ROUNDS, EPISODES = 5, 3
#: OpenSpiel's own games: two in Python, and one in C++.
PEERS = ("python_kuhn_poker", "python_liars_poker", "gin_rummy")

#: Plays so many episodes, and returns the number of steps.
Play = Callable[[int], int]


def pettingzoo(ruleset: str) -> Play:
    """Return how the environment of a ruleset for PettingZoo is played."""
    environment = env(ruleset, deals=1)

    def play(episodes: int) -> int:
        chance, steps = random.Random(SEED), 0
        environment.reset(seed=SEED)
        for _ in range(episodes):
            environment.reset()
            for _agent in environment.agent_iter():
                seen, _reward, terminated, truncated, _info = environment.last()
                if terminated or truncated:
                    environment.step(None)
                    continue
                environment.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
                steps += 1
        return steps

    return play


def openspiel(name: str) -> Play:
    """Return how a game of OpenSpiel is played."""
    game = pyspiel.load_game(name)
    observer = make_observation(game)

    def play(episodes: int) -> int:
        chance, steps = random.Random(SEED), 0
        for _ in range(episodes):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chance.choice(state.chance_outcomes())[0])
                    continue
                observer.set_from(state, state.current_player())
                state.apply_action(chance.choice(state.legal_actions()))
                steps += 1
        return steps

    return play


def all_plays() -> dict[str, Play]:
    """Return every environment by its name."""
    plays = {f"PettingZoo {ruleset}": pettingzoo(ruleset) for ruleset in hoyle.rulesets()}
    plays |= {f"OpenSpiel {name}": openspiel(f"{name}(deals=1)") for name in GAMES}
    return plays | {f"OpenSpiel's own {name}": openspiel(name) for name in PEERS}


def rates(plays: Mapping[str, Play], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the steps a second of each."""
    best = dict.fromkeys(plays, 0.0)
    for _ in range(rounds):
        for name, play in plays.items():
            began = time.process_time()
            steps = play(EPISODES)
            best[name] = max(best[name], steps / (time.process_time() - began))
    return best


def main() -> None:
    """Print a row for each environment."""
    for name, rate in rates(all_plays()).items():
        print(f"{name:<40}{rate:>10,.0f}")


if __name__ == "__main__":
    main()
