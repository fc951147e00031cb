"""Waivers: the reasons why no check can detect a mutant. `waivers.yaml` lists them, rule by rule."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import product, starmap
from pathlib import Path
from typing import Final, NamedTuple

from hoyle_conformance.files.strict_yaml import read_file

FILE: Final = Path(__file__).with_name("waivers.yaml")


class WaiverScope(NamedTuple):
    """The scope of a waiver: a measure, and patterns of the rulesets and of the mutants."""

    measure: str
    ruleset: str
    what: str

    def fits(self, measure: str, ruleset: str, what: str) -> bool:
        """Whether the waiver applies to this mutant."""
        return measure == self.measure and fnmatchcase(ruleset, self.ruleset) and fnmatchcase(what, self.what)


@dataclass(frozen=True, slots=True)
class Waiver:
    """The reason why some mutants of some rulesets need no check."""

    scopes: tuple[WaiverScope, ...]
    because: str


@cache
def waivers() -> Sequence[Waiver]:
    """Return all waivers, in the order of their file."""
    return [
        Waiver(tuple(starmap(WaiverScope, product([each["measure"]], each["rulesets"], each["what"]))), each["because"])
        for each in read_file(FILE, FILE.name).data
    ]


def waiver_reason(measure: str, ruleset: str, what: str) -> str:
    """Return the reason why a mutant needs no check; empty if the suite lacks one."""
    return next((because for _, because in fitting_waivers(measure, ruleset, what)), "")


def fitting_waivers(measure: str, ruleset: str, what: str) -> Iterator[tuple[WaiverScope, str]]:
    """Yield the scopes that fit a mutant, with their reasons; the first decides."""
    for each in waivers():
        yield from ((scope, each.because) for scope in each.scopes if scope.fits(measure, ruleset, what))
