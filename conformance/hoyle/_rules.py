"""Rules: the cells of one rule table, as a value."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final

from hoyle._errors import UnknownNameError
from hoyle._notation import write_value
from hoyle._questions import Questions
from hoyle_reference import Cell, Cells, Table, compile_cells
from hoyle_reference import Rules as CompiledRules
from hoyle_reference.cells import LeftOpen, Reading
from hoyle_reference.table import new_table

#: The maximum number of compiled rules in a process.
_COMPILED: Final = 64


@dataclass(frozen=True, repr=False)
class Rules(Questions):
    """The rules of one game: a ruleset with its options, and the readings of its disputed rules.

    `hoyle.rules` returns rules. They are a value: rules are equal if they have the same names and the same cells.

    `name` is the ruleset with its options, `title` its title, `game` the game that it is a form of; `readings` are the
    chosen readings, by the paths of their rules.
    """

    name: str
    title: str
    game: str
    readings: tuple[tuple[str, str], ...]
    #: The cells as JSON, in the order of the table.
    _cells: str
    #: Whether they are house rules, which have no name in the suite.
    _house: bool = False

    @property
    def ruleset(self) -> str:
        """The name of the ruleset, without options."""
        return self.name.partition("+")[0]

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options."""
        return tuple(self.name.split("+")[1:])

    @property
    def players(self) -> tuple[str, ...]:
        """The seats of the players, in turn: A, B, and so on."""
        return tuple(self._compiled.letters)

    @property
    def packs(self) -> int:
        """How many packs of 32 cards are put together."""
        return self._compiled.packs

    def values(self) -> dict[str, Any]:
        """Return the value of every rule, by its path."""
        return {each["path"]: each["value"] for each in json.loads(self._cells)}

    def clauses(self, path: str) -> tuple[str, ...]:
        """Return the ids of the clauses behind a rule; raises UnknownNameError if there is no rule at this path."""
        if path not in self._compiled.cells:
            remedy = "values() has every path."
            raise UnknownNameError("unknown-rule", f"no rule '{path[:80]}'", self.name, remedy)
        return self._compiled.cells[path].cites

    @property
    def _compiled(self) -> CompiledRules:
        """The rules as the interpreter plays them."""
        return _compile(self.name, self._cells)

    @property
    def _table_asked(self) -> Table:
        return new_table(self._compiled)

    def __str__(self) -> str:
        return self.name + (write_value(dict(self.readings)) if self.readings else "")

    def __repr__(self) -> str:
        if self._house:
            return f"<Rules {self}>"
        return f"rules({self.name!r}{f', readings={dict(self.readings)}' if self.readings else ''})"

    def _written(self, thing: Any) -> str:
        """Return the expression that evaluates to a game or a position with these rules; with house rules it is none,
        since it needs them."""
        return f"{type(thing).__name__}.from_text({thing.to_text()!r}{f', {self!r}' if self._house else ''})"


def rules_of(name: str, title: str, game: str, readings: Mapping[str, str], cells: Cells) -> Rules:
    """Return the rules made from these cells."""
    text = json.dumps([asdict(cell) for cell in cells], separators=(",", ":"))
    return Rules(name, title, game, tuple(sorted(readings.items())), text)


@lru_cache(maxsize=_COMPILED)
def _compile(name: str, text: str) -> CompiledRules:
    return compile_cells(name, Cells({each["path"]: _cell(each) for each in json.loads(text)}))


def _cell(spelt: dict[str, Any]) -> Cell:
    """Return a cell from its JSON."""
    readings = tuple(Reading(**each) for each in spelt["readings"])
    left_open = LeftOpen(*spelt["open"]) if spelt["open"] else None
    return Cell(**{**spelt, "cites": tuple(spelt["cites"]), "readings": readings, "open": left_open})
