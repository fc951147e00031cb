"""The internals of games and actions, for the parts of Hoyle that explain them; not part of the interface."""

from collections.abc import Sequence

from hoyle._actions import Action
from hoyle._game import Game
from hoyle_reference import Game as Machine
from hoyle_reference import Table
from hoyle_reference.acts import Act, Discards


def machine_of(game: Game) -> Machine:
    """Return the interpreter's game, which callers must not change."""
    return game._machine


def table_of(game: Game) -> Table:
    """Return the present table, which callers must not change."""
    return game._machine.table


def table_after(game: Game, count: int) -> Table:
    """Return the table after a number of actions."""
    return game._table_after(count)


def act_of(action: Action) -> Act:
    """Return the interpreter's act."""
    return action._act


def exchanges_in(parts: Sequence[Sequence[Act]]) -> Discards | None:
    """Return the part of the legal acts with the exchanges, if there is one."""
    return next((part for part in parts if isinstance(part, Discards)), None)
