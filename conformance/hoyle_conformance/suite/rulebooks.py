"""The rule tables of a suite, compiled: cells, rules and titles, by ruleset and readings."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

from hoyle_conformance.suite.model import Ruleset
from hoyle_reference import Cells, Malformed, lay_flat
from hoyle_reference.cells import offered_by

if TYPE_CHECKING:
    from hoyle_reference import Game, Rules

#: The lists of combinations that tables may have.
_ROWS: Final = ("classes.combinations", "classes.nought", "declare.melds")
#: A ruleset with its options, and the readings of some of its cells, by path.
_Key = tuple[str, tuple[tuple[str, str], ...]]


class Extension(Protocol):
    """A ruleset that is joined to a suite, and the one that it extends, with its options."""

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is joined."""

    @property
    def base(self) -> str:
        """The ruleset that it extends."""


class RuleBooks:
    """The rules of every ruleset of a suite, with its options; each is compiled when it is first used."""

    def __init__(self, rulesets: Mapping[str, Ruleset], extension: Extension | None = None) -> None:
        self._rulesets, self._extension = rulesets, extension
        self._cells: dict[_Key, Cells] = {}
        self._rules: dict[_Key, Rules] = {}
        self._fresh_games: dict[_Key, Game] = {}
        self._cited: dict[str, frozenset[str]] = {}
        self._melds: dict[str, Mapping[str, str]] = {}

    def of(self, ruleset: str, readings: Mapping[str, str] | None = None) -> "Rules":
        """Return the compiled rules of a ruleset, with some cells in other readings; raises Malformed where there is no
        such ruleset."""
        key = _key(ruleset, readings)
        if key not in self._rules:
            from hoyle_reference import compile_cells  # a lookup needs no interpreter

            self._rules[key] = compile_cells(ruleset, self.cells(ruleset, readings))
        return self._rules[key]

    def knows(self, ruleset: str) -> bool:
        """Whether there is such a ruleset, with such options, and its rules can be compiled."""
        try:
            self.of(ruleset)
        except Malformed:
            return False
        return True

    def fresh_game(self, ruleset: str, readings: Mapping[str, str] | None = None) -> "Game":
        """Return a game before its first act, for questions that need no position; raises Malformed where there is no
        such ruleset."""
        key = _key(ruleset, readings)
        if key not in self._fresh_games:
            from hoyle_reference import new_game

            self._fresh_games[key] = new_game(self.of(ruleset, readings))
        return self._fresh_games[key]

    def cells(self, ruleset: str, readings: Mapping[str, str] | None = None) -> Cells:
        """Return the cells of a ruleset with its options; raises Malformed where there is no such ruleset."""
        key = _key(ruleset, readings)
        if readings and key not in self._cells:
            cells = self.cells(ruleset)
            self._cells[key] = cells.with_cells(cells[path].read_as(name) for path, name in readings.items())
        elif key not in self._cells:
            name, *options = ruleset.split("+")
            if name not in self._rulesets:
                raise Malformed(f"no ruleset '{name}'")
            in_order = [option for option in self.options(name) if option in options]
            if set(options) == set(in_order) and options != in_order:
                raise Malformed(f"'{ruleset}' is written '{'+'.join((name, *in_order))}'")
            self._cells[key] = lay_flat(self.table(name), options)
        return self._cells[key]

    def other_readings(self, ruleset: str) -> list[tuple[str, str]]:
        """Return every reading that a ruleset does not follow, as the path of its cell and the name of the reading."""
        cells = self.cells(ruleset)
        return [(cell.path, each.name) for cell in cells for each in cell.readings if each.name != cell.follows]

    def cited_by(self, ruleset: str) -> frozenset[str]:
        """Return the clauses behind the cells of a ruleset."""
        if ruleset not in self._cited:
            cells = self.cells(ruleset)
            self._cited[ruleset] = cells.clauses(cell.path for cell in cells)
        return self._cited[ruleset]

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the table of a ruleset as the interpreter reads it: the table that it extends is nested in it, and a
        table with options extends the plain one."""
        name, *options = name.split("+")
        table: Mapping[str, Any] = self._rulesets[name].document.data
        if "extends" in table:
            table = {**table, "extends": self.table(table["extends"])}
        for option in options:
            table = {"id": f"{table['id']}+{option}", "extends": table, "changes": offered_by(table)[option]}
        return table

    def options(self, name: str) -> Mapping[str, str]:
        """Return the titles of a ruleset's options, inherited ones first, by name."""
        return {option: each["title"] for option, each in offered_by(self.table(name)).items()}

    def title(self, ruleset: str) -> str:
        """Return the title of a ruleset, with those of its options."""
        name, *options = ruleset.split("+")
        offered = self.options(name)
        return ", ".join([self._rulesets[name].title, *(offered[option].lower() for option in options)])

    def meld_names(self, ruleset: str) -> Mapping[str, str]:
        """Return the names of a ruleset's combinations, by id."""
        if ruleset not in self._melds:
            self._melds[ruleset] = meld_names(self.cells(ruleset))
        return self._melds[ruleset]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every ruleset, plain and with each of its options."""
        options = (f"{name}+{option}" for name in self._rulesets for option in self.options(name))
        return (*self._rulesets, *options)

    def claimable_names(self, ruleset: str) -> tuple[str, ...]:
        """Return the names under which an engine can claim a ruleset. House rules can also be claimed under the name of
        the ruleset that they extend, with or without its options."""
        more = self._extension
        if more is None or ruleset != more.ruleset.id:
            return (ruleset,)
        return tuple(dict.fromkeys((ruleset, more.base, more.base.partition("+")[0])))

    @cached_property
    def games(self) -> Mapping[str, Sequence[Ruleset]]:
        """The rulesets of each game, those with fewer packs first."""
        in_order = sorted(self._rulesets.values(), key=lambda each: (self.of(each.id).packs, each.id))
        names = dict.fromkeys(each.game for each in self._rulesets.values())
        return {game: [each for each in in_order if each.game == game] for game in names}


def _key(ruleset: str, readings: Mapping[str, str] | None) -> _Key:
    return ruleset, tuple(sorted(readings.items())) if readings else ()


def meld_names(cells: Cells) -> Mapping[str, str]:
    """Return the names of the combinations in these cells, by id."""
    rows = (row for path in _ROWS for row in cells.rows(path))
    return {row.value["id"]: row.value["name"] for row in rows}
