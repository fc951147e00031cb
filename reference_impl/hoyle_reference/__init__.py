"""The reference interpreter: a small machine that plays any ruleset written in the vocabulary of rule tables.

It reads a table (`compile_rules`), starts a game or sets up a position, lists the legal acts, gives the reasons against
others, and carries acts out as events that name the cells behind them. It draws no random numbers, reads no files and
contains no ruleset's name.

The public interface is the names listed here and the modules `acts`, `cards`, `cells`, `events`, `questions`,
`refusals`, `seats` and `table`. The other modules are internal.

A module is imported when one of its names is first used: looking up a cell needs no game.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .cells import Cell, Cells, lay_flat
    from .chapters.calling.classes import ClassRules
    from .chapters.declare.melds import Melds
    from .chapters.referee.rows import Irregularity
    from .machine import CHANCE, Game, LegalActions, new_game, replay
    from .notation.acts import ACTS, read_act, read_question, turn_act, write_act, write_answer
    from .notation.positions import read_position, write_places, write_position
    from .refusals import Malformed, Refusal, Refused
    from .rules import CHAPTERS, Rules, compile_cells, compile_rules, rules_of
    from .table import Phase, Table

__all__ = [
    "ACTS",
    "CHANCE",
    "CHAPTERS",
    "Cell",
    "Cells",
    "ClassRules",
    "Game",
    "Irregularity",
    "LegalActions",
    "Malformed",
    "Melds",
    "Phase",
    "Refusal",
    "Refused",
    "Rules",
    "Table",
    "compile_cells",
    "compile_rules",
    "lay_flat",
    "new_game",
    "read_act",
    "read_position",
    "read_question",
    "replay",
    "rules_of",
    "turn_act",
    "write_act",
    "write_answer",
    "write_places",
    "write_position",
]

#: The modules that define them, those with the fewest imports first.
_WHERE: Final = (
    *("refusals", "cells", "table", "chapters.calling.classes", "chapters.declare.melds", "chapters.referee.rows"),
    *("rules", "machine", "notation.acts", "notation.positions"),
)


def __getattr__(name: str) -> Any:
    for module in _WHERE if name in __all__ else ():
        found = vars(import_module(f".{module}", __name__)).get(name)
        if found is not None:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
