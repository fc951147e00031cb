"""The figures of code mutants: noticed by checks, noticed only by whole games, excused, surviving; and where they are
stored."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.key import cache_key_of
from hoyle_conformance.tools.adequacy.code_mutants import CodeVerdict, Noticed
from hoyle_conformance.tools.adequacy.mutants import CODE
from hoyle_conformance.tools.adequacy.waivers import WaiverScope, fitting_waivers, waiver_reason, waivers
from hoyle_reference.frozen import frozen

#: Waivers of code mutants are for all rulesets.
_ANY_RULESET: Final = "*"
_KIND: Final = "adequacy-code"


@frozen
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


def verdict_row(verdict: CodeVerdict) -> dict[str, Any]:
    """Return a verdict as plain data."""
    return {
        "mutant": verdict.mutant,
        "function": verdict.function,
        "noticed": str(verdict.noticed),
        "where": verdict.where,
        "breaks": verdict.breaks,
        "reached": verdict.reached,
        "reason": reason_for(verdict) if verdict.noticed is Noticed.BY_NOTHING else "",
    }


def store_verdicts(root: Path, verdicts: Sequence[CodeVerdict], in_all: int) -> None:
    """Store the verdicts under the digest of the spec folder and of the code."""
    if address := cache_key_of(root, all_code=True):
        store.write(_KIND, address, [{"in_all": in_all}, *map(verdict_row, verdicts)])


def stored_figures(root: Path) -> CodeFigures | None:
    """Return the stored figures of this spec folder and this code; None if there are none."""
    lines = store.read(_KIND, cache_key_of(root, all_code=True))
    if lines is None:
        return None
    head, *rows = map(json.loads, lines)
    return code_figures(map(_verdict_of, rows), head["in_all"])


def _verdict_of(row: Mapping[str, Any]) -> CodeVerdict:
    return CodeVerdict(
        row["mutant"], row["function"], Noticed(row["noticed"]), row["where"], row["breaks"], row["reached"]
    )
