"""Missed scores: acts of a player that were legal and would have scored, and are legal no more."""

from typing import Any, Final

from hoyle._actions import Action
from hoyle._game import Game
from hoyle._inside import act_of, machine_of, table_of
from hoyle_conformance.web.explorer.actions import acts_of
from hoyle_conformance.web.explorer.game_state import GameState
from hoyle_reference import CHANCE
from hoyle_reference.acts import Announce, Discard, Draw, Play

#: The acts with which a player lets a moment pass.
_PASSING: Final = (Play, Draw, Discard)


def let_pass(state: GameState, before: Game, after: Game, action: Action) -> list[dict[str, Any]]:
    """Return the acts that the player of an act could have scored before it and not after it, or could have announced;
    none if the act itself scores."""
    if action.player is None or action.player not in state.people:
        return []
    machine, melds, act = machine_of(before), state.asked.melds, act_of(action)
    if isinstance(act, _PASSING):
        found = [each for each in acts_of(machine, melds, action.player) if each.get("points", 0) > 0]
        return [each for each in found if not _is_open(after, each["step"])]
    if isinstance(act, Announce) and act.count == 0:
        found = acts_of(machine, melds, action.player)
        return [each for each in found if each["step"]["do"] == action.kind and each["step"].get("count")]
    return []


def _is_open(game: Game, step: Any) -> bool:
    return table_of(game).phase not in CHANCE and game.is_legal(step)
