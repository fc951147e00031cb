"""Reasons: why what no check notices is no fault of the suite."""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from .faults import CELLS, MEMORY, REACH, REFUSALS, TOLD_APART

_NO_OTHER: Final = "no other row of this kind, or of one that is superior to it or inferior, could share its cards"
_A_SET: Final = "which ranks they are matters, and not their order"
_OF_THE_OTHER_READING: Final = "it is of the other reading of settle.winner"
_ALONE: Final = "nobody has a partner"

#: For each kind of fault: patterns of rulesets and of faults, with the reason.
REASONS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    CELLS: (),
    REFUSALS: (),
    MEMORY: (),
    REACH: (),
    TOLD_APART: (),
}


def reason(kind: str, ruleset: str, fault: str) -> str:
    """Why a fault goes unnoticed; empty where the suite lacks a check."""
    return next(_fitting(kind, ruleset, fault), "")


def _fitting(kind: str, ruleset: str, fault: str) -> Iterator[str]:
    for rulesets, faults, why in REASONS[kind]:
        if fnmatchcase(ruleset, rulesets) and fnmatchcase(fault, faults):
            yield why
