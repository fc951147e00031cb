"""The figures of code mutants: noticed by checks, noticed only by whole games, excused, surviving."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from adequacy.code_mutants import CodeVerdict, Noticed
from adequacy.mutants import CODE
from adequacy.waivers import WaiverScope, fitting_waivers, waiver_reason, waivers

#: Waivers of code mutants are for all rulesets.
_ANY_RULESET: Final = "*"


@dataclass(frozen=True, slots=True)
class CodeFigures:
    """The verdicts on code mutants, sorted: every one is in one of the four, and `in_all` such mutants exist."""

    in_all: int
    by_checks: tuple[CodeVerdict, ...]
    by_games: tuple[CodeVerdict, ...]
    excused: tuple[CodeVerdict, ...]
    surviving: tuple[CodeVerdict, ...]

    @property
    def tried(self) -> int:
        """The number of mutants that were tried."""
        return len(self.by_checks) + len(self.by_games) + len(self.excused) + len(self.surviving)

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """The number of mutants tried, and the four figures."""
        return (self.tried, len(self.by_checks), len(self.by_games), len(self.excused), len(self.surviving))

    @property
    def unreached(self) -> list[str]:
        """The functions of mutants whose lines no check runs."""
        every = (*self.by_games, *self.excused, *self.surviving)
        return sorted({each.function for each in every if not each.reached})


def code_figures(verdicts: Iterable[CodeVerdict], in_all: int) -> CodeFigures:
    """Return the verdicts, sorted."""
    every = sorted(verdicts, key=lambda each: each.mutant)
    unnoticed = [each for each in every if each.noticed is Noticed.BY_NOTHING]
    return CodeFigures(
        in_all,
        tuple(each for each in every if each.noticed is Noticed.BY_CHECKS),
        tuple(each for each in every if each.noticed is Noticed.BY_GAMES),
        tuple(each for each in unnoticed if reason_for(each)),
        tuple(each for each in unnoticed if not reason_for(each)),
    )


def reason_for(verdict: CodeVerdict) -> str:
    """Return the reason of the waiver of a mutant; empty if it has none."""
    return waiver_reason(CODE, _ANY_RULESET, verdict.mutant)


def by_module(figures: CodeFigures) -> Mapping[str, CodeFigures]:
    """Return the figures of each module of the interpreter."""
    kinds = (figures.by_checks, figures.by_games, figures.excused, figures.surviving)
    modules = sorted({_module_of(each) for kind in kinds for each in kind})
    return {
        module: CodeFigures(0, *(tuple(each for each in kind if _module_of(each) == module) for kind in kinds))
        for module in modules
    }


def _module_of(verdict: CodeVerdict) -> str:
    return verdict.function.partition(" ")[0]


def unused_code_waivers(figures: CodeFigures) -> list[WaiverScope]:
    """Return the scopes of waivers that fit no mutant that is unnoticed; none unless every mutant was tried."""
    if figures.tried < figures.in_all:
        return []
    used = {scope for each in figures.excused for scope, _ in fitting_waivers(CODE, _ANY_RULESET, each.mutant)}
    return [scope for each in waivers() for scope in each.scopes if scope.measure == CODE and scope not in used]
