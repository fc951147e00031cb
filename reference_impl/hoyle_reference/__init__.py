"""The reference interpreter: a small machine that plays any ruleset written in the vocabulary of rule tables.

It reads a table (`compile_rules`), starts a game or sets up a position, says which acts are legal and why others are
not, and carries acts out as events that name the cells behind them. It draws no random numbers, reads no files and
knows no ruleset by name.

A module is imported when something of it is first asked for: to look a cell up needs no game.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .cells import Cell, Cells, Reading, Rule, lay_flat
    from .machine import Game, LegalActions, new_game, replay
    from .notation.acts import read_act, read_question, write_act, write_answer
    from .notation.positions import read_position, write_places, write_position
    from .rules import CHAPTERS, Rules, compile_cells, compile_rules
    from .table.refusals import Malformed, Refusal, Refused
    from .table.states import Phase
    from .table.table import Table

__all__ = [
    "CHAPTERS",
    "Cell",
    "Cells",
    "Game",
    "LegalActions",
    "Malformed",
    "Phase",
    "Reading",
    "Refusal",
    "Refused",
    "Rule",
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
    "write_act",
    "write_answer",
    "write_places",
    "write_position",
]

#: The modules in which they are, and which of them is in each.
_WHERE: Final = (
    (".cells", ("Cell", "Cells", "Reading", "Rule", "lay_flat")),
    (".machine", ("Game", "LegalActions", "new_game", "replay")),
    (".rules", ("CHAPTERS", "Rules", "compile_cells", "compile_rules")),
    (".table.refusals", ("Malformed", "Refusal", "Refused")),
    (".table.states", ("Phase",)),
    (".table.table", ("Table",)),
    (".notation.acts", ("read_act", "read_question", "write_act", "write_answer")),
    (".notation.positions", ("read_position", "write_places", "write_position")),
)


def __getattr__(name: str) -> Any:
    for module, names in _WHERE:
        if name in names:
            return getattr(import_module(module, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
