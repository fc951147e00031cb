"""The reference interpreter: a small machine that plays any ruleset written in the vocabulary of rule tables.

It reads a table (`compile_rules`), starts a game or sets up a position, says which acts are legal and why others are
not, and carries acts out as events that name the cells behind them. It draws no random numbers, reads no files and
knows no ruleset by name.
"""

from .cells import Cell, Cells, Reading, Rule, lay_flat
from .machine import Game, LegalActions, new_game, replay
from .rules import CHAPTERS, Rules, compile_cells, compile_rules
from .table.refusals import Malformed, Refusal, Refused
from .table.states import Phase
from .table.table import Table
from .written.acts import read_act, read_question, write_act, write_answer
from .written.positions import read_position, write_position

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
    "write_position",
]
