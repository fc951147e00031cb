"""PettingZoo environments for every ruleset: ``pip install './environments[pettingzoo]'``.

    from hoyle_environments.pettingzoo import env

    game = env("piquet-hoyle", deals=1)

`env` has PettingZoo's wrappers, and `raw_env` has none.
"""

from random import Random
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import hoyle
from hoyle import Rules
from hoyle_environments.numbered import NumberedGame

#: No number of an observation is greater, or less than minus this: scores have at most five digits.
_MOST: Final = 1_000_000


class HoyleEnv(AECEnv[str, dict[str, NDArray[Any]], int]):  # type: ignore[misc]  # PettingZoo has no complete types
    """A game of two, three or four players as PettingZoo's AEC environment.

    An action is a number of `game.catalogue`. An observation has the numbers of `game.planes` as ``observation``, and
    the legal actions as ``action_mask``. Chance is drawn from the seed of `reset`. The rewards come at the end: the
    returns of the game.
    """

    def __init__(self, rules: Rules, deals: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {"name": f"hoyle_{rules.name}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self._rules, self._deals = rules, deals
        self.game = NumberedGame(rules, deals)
        self.possible_agents = list(rules.players)
        size, numbers = sum(plane.size for plane in self.game.planes), len(self.game.catalogue)
        self._observed = spaces.Dict(
            {
                "observation": spaces.Box(-_MOST, _MOST, (size,), np.int32),
                "action_mask": spaces.Box(0, 1, (numbers,), np.int8),
            }
        )
        self._spaces = {agent: spaces.Discrete(numbers) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002 -- PettingZoo asks for each player
        """Return the space of observations, which is the same for all players."""
        return self._observed

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions of a player: the numbers of the catalogue."""
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 -- as PettingZoo has it
        """Begin a new game, with cards that the seed decides."""
        if seed is not None or not hasattr(self, "_chance"):
            self._chance = Random(seed)  # noqa: S311 -- cards, not secrets
        self.game = NumberedGame(self._rules, self._deals)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._let_chance_decide()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what a player sees, and that player's legal actions; none if another player is asked."""
        mask: NDArray[Any] = np.zeros(len(self.game.catalogue), np.int8)
        if agent == self.game.current_player():
            mask[self.game.legal_actions()] = 1
        return {"observation": np.array(self.game.observation(agent), np.int32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carry out the action of the player who is asked; raises IllegalActionError if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "a player who is asked has an action"
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.game.apply_action(int(action))
        self._let_chance_decide()
        self._accumulate_rewards()

    def _let_chance_decide(self) -> None:
        """Draw the cards of chance, and select the next player, or end the game."""
        self.game.sample_chance(self._chance)
        if self.game.is_terminal():
            self.rewards = dict(self.game.returns())
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            asked = self.game.current_player()
            assert asked is not None, "a game that is not over asks a player after chance"
            self.agent_selection = asked

    def render(self) -> str | None:
        """Return the position in the text notation, if the mode is ``ansi``."""
        return str(self.game.game.position()) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Close nothing: an environment holds nothing open."""


def raw_env(rules: Rules | str, deals: int | None = None, render_mode: str | None = None) -> HoyleEnv:
    """Return the environment of a game, by its rules or the name of a ruleset, without PettingZoo's wrappers."""
    return HoyleEnv(hoyle.rules(rules) if isinstance(rules, str) else rules, deals, render_mode)


def env(rules: Rules | str, deals: int | None = None, render_mode: str | None = None) -> AECEnv[str, Any, Any]:
    """Return the environment of a game; PettingZoo's wrappers refuse numbers out of bounds, and steps out of order."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(rules, deals, render_mode)))


def parallel_env(
    rules: Rules | str, deals: int | None = None, render_mode: str | None = None
) -> ParallelEnv[str, Any, Any]:
    """Return the environment of a game in which all players give an action at each step, and only that of the player
    who is asked counts."""
    return turn_based_aec_to_parallel(env(rules, deals, render_mode))
