"""Reasons: why what no check notices is no fault of the suite."""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING, Final

from .faults import CELLS, MEMORY, REACH, REFUSALS, TOLD_APART

if TYPE_CHECKING:
    from .measuring import Measured

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


#: Where a reason stands: the kind of fault, and the patterns of rulesets and faults.
Place = tuple[str, str, str]


def reason(kind: str, ruleset: str, fault: str) -> str:
    """Why a fault goes unnoticed; empty where the suite lacks a check."""
    return next((why for _, why in _fitting(kind, ruleset, fault)), "")


def unused(measured: "Iterable[Measured]") -> list[Place]:
    """The reasons that nothing needs which was measured, so that they might excuse what comes later."""
    used = {
        place
        for each in measured
        for thing in each.missing
        for place, _ in islice(_fitting(each.measure, each.ruleset, thing.what), 1)
    }
    return [(kind, *row[:2]) for kind, rows in REASONS.items() for row in rows if (kind, *row[:2]) not in used]


def _fitting(kind: str, ruleset: str, fault: str) -> Iterator[tuple[Place, str]]:
    for rulesets, faults, why in REASONS[kind]:
        if fnmatchcase(ruleset, rulesets) and fnmatchcase(fault, faults):
            yield (kind, rulesets, faults), why
