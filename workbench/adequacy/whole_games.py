"""Whole games: recorded on the unchanged interpreter, and played again by a mutant that no check notices.

The games are those of the census, and random games with illegal and irregular acts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hoyle_conformance.runner.checker import claim_everything
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.campaign import setting_of
from hoyle_conformance.tools.games.census import replay as replay_census_game
from hoyle_conformance.tools.games.census import stored_table
from hoyle_conformance.tools.games.random_game import Recipe, Setting, message_of, play, replay
from hoyle_conformance.tools.games.shrink import first_difference, suits_better
from hoyle_reference import Rules

#: The random games of a plain ruleset, and of one with an option, and the games of the census of a plain ruleset.
RANDOM_GAMES: Final = 3
_GAMES_UNDER_AN_OPTION: Final = 1
_CENSUS_GAMES: Final = 1


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A whole game: its name, its setting, its `run` message, and the observations of the unchanged interpreter."""

    name: str
    setting: Setting
    message: Mapping[str, Any]
    observed: Sequence[Mapping[str, Any]]


def recorded_games(suite: Suite, ruleset: str) -> Iterator[RecordedGame]:
    """Yield the games of a ruleset: random ones first, then those of the census unless it has an option."""
    is_plain = "+" not in ruleset
    setting = setting_of(suite, claim_everything(suite), ruleset)
    for seed in range(1, (RANDOM_GAMES if is_plain else _GAMES_UNDER_AN_OPTION) + 1):
        game = play(setting, Recipe(seed))
        yield RecordedGame(f"random game {seed} of {ruleset}", setting, game.message, game.observed)
    table = stored_table(suite, ruleset) if is_plain else None
    for census_game in table.games[:_CENSUS_GAMES] if table else ():
        replayed = replay_census_game(setting.rules, census_game)
        message = message_of(setting, replayed.begins, [step.act for step in replayed.steps])
        name = f"game {census_game.game} of the census of {ruleset}"
        yield RecordedGame(name, setting, message, replay(setting, message))


def play_random_game(suite: Suite, ruleset: str, seed: int) -> None:
    """Play a random game for an engine that claims everything."""
    play(setting_of(suite, claim_everything(suite), ruleset), Recipe(seed))


def observe_game(game: RecordedGame, rules: Rules) -> Sequence[Mapping[str, Any]]:
    """Return the observations of a game under these rules, by the interpreter as it is now; raises Malformed if the
    game makes no sense then."""
    return replay(replace(game.setting, rules=rules), game.message)


def differs(suite: Suite, game: RecordedGame, observed: Sequence[Mapping[str, Any]], readings: dict[str, str]) -> bool:
    """Whether a game differs under every reading; a reading that explains it is added to `readings`, which are followed
    throughout."""
    if first_difference(game.observed, observed, game.setting.observe, deals=True) is None:
        return False
    taken, left = suits_better(suite, game.setting, readings, game.message, observed, deals=True)
    if left is None:
        readings |= taken
    return left is not None
