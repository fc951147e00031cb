"""A game that is kept: as a link that opens it again, as a line of text, and as a transcript that can be checked."""

import json
from collections.abc import Iterator
from typing import Any, Final

from hoyle._actions import Action
from hoyle._game import Game
from hoyle_conformance.web.explorer.game_state import GameState
from hoyle_conformance.web.explorer.layout import HOUSE, Wrong, pack, unpack
from hoyle_conformance.web.explorer.sight import DoneAct, done_act, trick_won_by

#: What the link of a game begins with, after the #.
PREFIX: Final = "g="
_ENGINE: Final = "Hoyle's table"


def link_of(state: GameState) -> str:
    """Return the link of a game; raises Wrong if it is too long for one."""
    try:
        return PREFIX + pack(state.written)
    except Wrong:
        raise Wrong("This game is too long for a link.", "Save it as a transcript.") from None


def state_in(link: str) -> Any:
    """Return the state in what is after the # of the link of a game, as plain data; raises Wrong."""
    try:
        return unpack(link.removeprefix(PREFIX))
    except Wrong as wrong:
        raise Wrong(wrong.says, "Copy the whole link again.") from None


def transcript(state: GameState, game: Game) -> str:
    """Return a game as the lines of a transcript: each act, with the points scored and who won the trick."""
    rules = {} if state.asked.id == HOUSE else {"ruleset": state.asked.id}
    lines = [{"game": 1, **rules, "engine": _ENGINE}, *map(_line, _done(state, game))]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def _done(state: GameState, game: Game) -> Iterator[DoneAct]:
    """Yield the acts of a game, each as it is done."""
    again = Game(state.rules)
    for number, action in enumerate(game.actions, start=1):
        yield done_act(number, again, action)
        again.apply_action(action)


def _line(done: DoneAct) -> dict[str, Any]:
    act: Action = done.action
    letters = done.after.rules.side_letters
    points = zip(letters, done.before.score, done.after.score, strict=True)
    scored = {letter: after - before for letter, before, after in points if after != before}
    won_by = trick_won_by(done)
    return {**act.to_json(), "scored": scored, **({"trick_won_by": won_by} if won_by else {})}
