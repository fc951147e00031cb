"""OpenSpiel games for every ruleset of two players: ``pip install './environments[openspiel]'``.

    import hoyle_environments.openspiel
    import pyspiel

    game = pyspiel.load_game("hoyle_piquet_hoyle")

Importing this module registers the games. The name of a game is that of its ruleset, after ``hoyle_`` and with ``_``
for ``-``. With the parameter ``deals`` a game ends after so many deals; 0 plays to the end.
"""

from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

import hoyle
from hoyle_environments.numbered import NumberedGame
from hoyle_reference.cards import Card
from hoyle_reference.cards import name as card_name

#: More decisions and cards of chance than a game can have.
_LONGEST: Final = 1_000_000
#: More points than a game is settled for.
_MOST_POINTS: Final = 1_000_000.0
_PLAYERS: Final = 2


class HoyleGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of two players as OpenSpiel's Python game. Chance takes one card at a time, each with the same
    probability. There is a class for each ruleset, since OpenSpiel keeps it until Python has ended."""

    ruleset: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.start = NumberedGame(hoyle.rules(self.ruleset), deals=given.get("deals", 0) or None)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.start.catalogue),
            max_chance_outcomes=len(self.start.chance_outcomes()),
            num_players=_PLAYERS,
            min_utility=-_MOST_POINTS,
            max_utility=_MOST_POINTS,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_type_of(self.ruleset), info, given)

    def new_initial_state(self) -> "HoyleState":
        """Return the state before the cut."""
        return HoyleState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "HoyleObserver":
        """Return what observes a state for one player."""
        if params:
            raise ValueError(f"an observer has no parameters, and was given {params}")
        return HoyleObserver(self.start, perfect_recall=bool(iig_obs_type and iig_obs_type.perfect_recall))


class HoyleState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A node of the tree of a game: a player's decision, a card that chance takes, or the end."""

    def __init__(self, game: HoyleGame) -> None:
        super().__init__(game)
        self.numbered = game.start.clone()

    def current_player(self) -> int:
        """Return the number of the player who is asked, or OpenSpiel's number for chance or the end."""
        if self.numbered.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        asked = self.numbered.current_player()
        return int(pyspiel.PlayerId.CHANCE) if asked is None else self.numbered.rules.players.index(asked)

    def _legal_actions(self, _player: int) -> list[int]:
        return self.numbered.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that chance may take next, each with its probability."""
        cards = self.numbered.chance_outcomes()
        return [(card, 1 / len(cards)) for card in cards]

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.numbered.apply_chance(action)
        else:
            self.numbered.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return card_name(Card(action))
        return self.numbered.catalogue.names[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over, or the last of its deals."""
        return self.numbered.is_terminal()

    def returns(self) -> list[float]:
        """Return what each player has won or lost."""
        return [float(points) for points in self.numbered.returns().values()]

    def __str__(self) -> str:
        return str(self.numbered)


class HoyleObserver:
    """The view that one player has of a state: the numbers of all planes, or a text; with perfect recall, all that the
    player has seen and done, as a text."""

    def __init__(self, start: NumberedGame, *, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self.tensor: Any = np.zeros(sum(plane.size for plane in start.planes), np.float32)
        ends = np.cumsum([plane.size for plane in start.planes])[:-1]
        parts = np.split(self.tensor, ends)
        self.dict = {plane.name: part for plane, part in zip(start.planes, parts, strict=True)}

    def set_from(self, state: HoyleState, player: int) -> None:
        """Write what a player sees into `tensor`, and so into the planes of `dict`."""
        self.tensor[:] = state.numbered.observation(state.numbered.rules.players[player])

    def string_from(self, state: HoyleState, player: int) -> str:
        """Return what a player sees, or has seen and done, as one line of JSON."""
        numbered, seat = state.numbered, state.numbered.rules.players[player]
        return numbered.information_state(seat) if self._perfect_recall else numbered.observation_text(seat)


def _type_of(ruleset: str) -> pyspiel.GameType:
    """Return OpenSpiel's description of the game of a ruleset."""
    return pyspiel.GameType(
        short_name=f"hoyle_{ruleset.replace('-', '_')}",
        long_name=hoyle.rules(ruleset).title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=_PLAYERS,
        min_num_players=_PLAYERS,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"deals": 0},
        default_loadable=True,
    )


def _register() -> tuple[str, ...]:
    """Register the game of every ruleset of two players, and return their names."""
    names = []
    for ruleset in hoyle.rulesets():
        if len(hoyle.rules(ruleset).players) == _PLAYERS:
            kind = _type_of(ruleset)
            pyspiel.register_game(kind, type(kind.short_name, (HoyleGame,), {"ruleset": ruleset}))
            names.append(kind.short_name)
    return tuple(names)


#: The names of the games that are registered.
GAMES: Final = _register()
