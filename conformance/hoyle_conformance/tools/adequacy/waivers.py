"""Reasons: why what no check notices is no fault of the suite; `reasons.yaml` has them, rule by rule."""

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hoyle_conformance.files.strict_yaml import read_file
from hoyle_reference.frozen import frozen

if TYPE_CHECKING:
    from hoyle_conformance.tools.adequacy.measure import Measured

FILE: Final = Path(__file__).with_name("reasons.yaml")


class WaiverScope(NamedTuple):
    """What a reason is given for: a measure, and patterns of the rulesets and of what goes unnoticed."""

    measure: str
    ruleset: str
    what: str

    def fits(self, measure: str, ruleset: str, what: str) -> bool:
        """Whether the reason is given for this."""
        return measure == self.measure and fnmatchcase(ruleset, self.ruleset) and fnmatchcase(what, self.what)


@frozen
class Reason:
    """Why some things need not be noticed under some rulesets."""

    places: tuple[WaiverScope, ...]
    because: str


@cache
def reasons() -> Sequence[Reason]:
    """All reasons, in the order of their file."""
    return [_reason(each) for each in read_file(FILE, FILE.name).data]


def _reason(data: dict[str, Any]) -> Reason:
    places = product([data["measure"]], data["rulesets"], data["what"])
    return Reason(tuple(WaiverScope(*place) for place in places), data["because"])


def reason(measure: str, ruleset: str, what: str) -> str:
    """Why something goes unnoticed; empty where the suite lacks a check."""
    return next((because for _, because in _fitting(measure, ruleset, what)), "")


def unused(measured: "Iterable[Measured]") -> list[WaiverScope]:
    """The places of reasons that nothing needs which was measured: they might excuse what comes later."""
    used = {
        place
        for each in measured
        for thing in each.missing
        for place, _ in islice(_fitting(each.measure, each.ruleset, thing.what), 1)
    }
    return [place for each in reasons() for place in each.places if place not in used]


def _fitting(measure: str, ruleset: str, what: str) -> Iterator[tuple[WaiverScope, str]]:
    for each in reasons():
        yield from ((place, each.because) for place in each.places if place.fits(measure, ruleset, what))
