"""The position: everything that a table holds, field by field, and the states of its parts."""

from .fields import Turn
from .states import BlankState, Called, Cause, Combination, Phase
from .table import FIELDS, Table, new_table

__all__ = ["FIELDS", "BlankState", "Called", "Cause", "Combination", "Phase", "Table", "Turn", "new_table"]
