"""One random game: its recipe, its `run` message, and the reference's observations after each act."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from hoyle_conformance.checks.request import under_the_name
from hoyle_conformance.checks.rewrites import not_in_the_game
from hoyle_conformance.checks.setup.trace import observation_of
from hoyle_conformance.runner.consensus import TELL_WHEN
from hoyle_conformance.suite.capabilities import Capabilities
from hoyle_conformance.tools.games.acts import ActChooser, start
from hoyle_reference import Game, Refusal, Rules, read_act, read_position, write_act, write_position
from hoyle_reference.acts import Deal

#: The maximum number of acts by the number of packs: the observations of a longer game would not fit into a line.
_MOST_CARDS_SEEN: Final = 1_600
_FEW_PACKS: Final = 4
#: The prefix of the cells that rule on irregularities.
_REFEREE: Final = "referee."
_RECIPE: Final = re.compile(r"\d+(/\d+:\d+)*")
#: The cell that decides an act, alone or with the cell of an irregularity earlier in the same deal.
Feature = tuple[str, ...]


def most_acts(rules: Rules) -> int:
    """Return the number of acts after which a game stops."""
    return _MOST_CARDS_SEEN // max(rules.packs, _FEW_PACKS)


@dataclass(frozen=True, slots=True)
class Recipe:
    """The recipe of a game: its seed, and the acts from which another seed decides the choices."""

    seed: int
    turns: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        return "/".join([str(self.seed), *(f"{act}:{seed}" for act, seed in self.turns)])

    @classmethod
    def read(cls, text: str) -> "Recipe":
        """Return the recipe that a text describes; raise ValueError if it describes none."""
        if not _RECIPE.fullmatch(text):
            raise ValueError(f"'{text}' does not name a game: write it as 17 or 17/42:5")
        seed, *turns = text.split("/")
        return cls(int(seed), tuple((int(act), int(other)) for act, other in (turn.split(":") for turn in turns)))


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting of a game: the rules, by a ruleset's name and some readings, and an engine's claims.

    The ruleset name to send may differ, since an engine may claim house rules under the name of the ruleset that they
    extend.
    """

    ruleset: str
    rules: Rules
    capabilities: Capabilities
    claims: frozenset[str]
    position: str
    sent_as: str = ""

    @property
    def observe(self) -> list[str]:
        """The observables that the engine claims and the game has."""
        return sorted((self.claims & self.capabilities.observables) - not_in_the_game(self.rules))


@dataclass(frozen=True, slots=True)
class FuzzGame:
    """A game: the body of its `run` message, the reference's observations after each act, and the
    features of each act."""

    recipe: Recipe
    message: Mapping[str, Any]
    observed: Sequence[Mapping[str, Any]]
    features: Sequence[frozenset[Feature]]


def play(setting: Setting, recipe: Recipe) -> FuzzGame:
    """Play the game of a recipe on the reference."""
    source, turns = random.Random(recipe.seed), dict(recipe.turns)  # noqa: S311 -- games, no secrets
    with_the_cut = setting.claims >= {"cut", "choose-deal"}
    game = start(setting.rules, source, with_scores=setting.position == "any", with_the_cut=with_the_cut)
    begins = write_position(game.table)
    chooser, log = ActChooser(setting.capabilities, setting.claims, source), _Log(setting.observe)
    while len(log.steps) < most_acts(setting.rules):
        if len(log.steps) in turns:
            chooser.source = random.Random(turns[len(log.steps)])  # noqa: S311 -- games, no secrets
        act = chooser.choose(game)
        if act is None:
            break
        log.take(game, write_act(act))
    return FuzzGame(recipe, message_of(setting, begins, log.steps), log.observed, log.features)


def message_of(setting: Setting, position: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the body of a `run` message."""
    message = {"position": position, "steps": list(steps), "observe": setting.observe}
    return dict(under_the_name(message, setting.sent_as or setting.ruleset))


def replay(setting: Setting, message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the reference's observations for a message; raise Malformed if it is invalid."""
    return replay_log(setting, message).observed


def replay_log(setting: Setting, message: Mapping[str, Any]) -> "_Log":
    """Return the log of the reference's play of a message; raise Malformed if it is invalid."""
    game, log = Game(read_position(setting.rules, message["position"])), _Log(setting.observe)
    for step in message["steps"]:
        log.take(game, step)
    return log


class _Log:
    """The acts of a game so far, with the observations and features of each."""

    def __init__(self, observe: Sequence[str]) -> None:
        self._observe = (*observe, *(key for key in TELL_WHEN if key not in observe))
        self.steps: list[Mapping[str, Any]] = []
        self.observed: list[Mapping[str, Any]] = []
        self.features: list[frozenset[Feature]] = []
        self.grounds: list[Sequence[str]] = []
        self._irregular = set[str]()

    def take(self, game: Game, step: Mapping[str, Any]) -> None:
        """Carry out or refuse an act, and record the result; raise Malformed if the act is invalid."""
        act = read_act(game.rules, step)
        outcome = game.attempt(act)
        refused = isinstance(outcome, Refusal)
        events = [] if isinstance(outcome, Refusal) else outcome
        grounds = (
            outcome.grounds if isinstance(outcome, Refusal) else [path for each in events for path in each.grounds]
        )
        if isinstance(act, Deal) and not refused:
            self._irregular.clear()
        self.steps.append(step)
        seen = {key: observation_of(game.table, events, key) for key in self._observe}
        self.observed.append({"accepted": not refused, **seen})
        self.grounds.append(list(dict.fromkeys(grounds)))
        paths = set(grounds)
        self.features.append(frozenset({*product([str(step["do"])], paths), *product(self._irregular, paths)}))
        if not refused:
            self._irregular.update(path for path in grounds if path.startswith(_REFEREE))
