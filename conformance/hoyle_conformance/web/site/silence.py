"""Silence: why an engine with another value of a rule that its source does not state may fail; see `silence.yaml`."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

from hoyle_conformance.files.strict_yaml import read_file

FILE: Final = Path(__file__).with_name("silence.yaml")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why engines with another value of a rule may fail: patterns of rulesets, of cells, and of other values."""

    rulesets: Sequence[str]
    cells: Sequence[str]
    values: Sequence[str]
    because: str

    def concerns(self, ruleset: str, cell: str) -> bool:
        """Whether this is a reason for some value of a cell."""
        return _any_fits(ruleset, self.rulesets) and _any_fits(cell, self.cells)

    def fits(self, ruleset: str, cell: str, value: str) -> bool:
        """Whether this is the reason for another value of a cell."""
        return self.concerns(ruleset, cell) and _any_fits(value, self.values)


def _any_fits(word: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(word, each) for each in patterns)


@cache
def reasons() -> Sequence[Reason]:
    """Return all reasons, in the order of `silence.yaml`; the first that fits counts."""
    return [Reason(**{"rulesets": ["*"], "values": ["*"], **each}) for each in read_file(FILE, FILE.name).data]
