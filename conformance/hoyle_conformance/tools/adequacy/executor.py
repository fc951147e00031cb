"""Parallel execution of the measures: over the cores of this machine, or over a Dask cluster."""

import gc
import math
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

from hoyle_conformance.checks.cache.cached_suite import load_requests, open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.runner.work_queue import in_order
from hoyle_conformance.runner.workers import cluster_workers, workers
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.code_mutants import CodeMutant, CodeVerdict, verdicts
from hoyle_conformance.tools.adequacy.crossings import Crossing, CrossingRow, crossing_rows, in_checks, in_games
from hoyle_conformance.tools.adequacy.evidence import Evidence, collect_evidence
from hoyle_conformance.tools.adequacy.measure import Measurement, RulesetMutants, UnitResult, joined, measure_unit
from hoyle_conformance.tools.adequacy.mutant_bench import MutantBench
from hoyle_conformance.tools.adequacy.silence import Choice, choices
from hoyle_conformance.tools.adequacy.units import Unit, parts, shared_pieces, units_of

P = TypeVar("P")
T = TypeVar("T")
#: The code mutants, and the random games, of one piece of work.
MUTANTS_OF_A_PIECE: Final = 20
_GAMES_OF_A_PIECE: Final = 10
#: The names of the other measures of a ruleset, with the number of their parts.
_EVIDENCE, _SILENCE = ("evidence", 3), ("silence", 12)


class LostPieces(Exception):
    """Some pieces of the work have no result, since their workers were lost repeatedly; `pieces` has them."""

    def __init__(self, pieces: Sequence[Any]) -> None:
        super().__init__(f"{len(pieces)} pieces of the work have no result: their workers were lost repeatedly")
        self.pieces = pieces


def measure_all(
    root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[Measurement]]:
    """Yield the measures of each ruleset of a spec folder, in the order of `rulesets`.

    The work is shared by `jobs` processes (as many as there are cores, if 0), or by the workers of the Dask cluster at
    an address, which must have the folder too. Raises NoCluster (`runner.workers`), and LostPieces at the end if
    rulesets are missing.
    """
    return map(joined, _by_ruleset(partial(_measure, root), units_of, rulesets, jobs, cluster))


def collect_all_evidence(
    root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[Evidence]]:
    """Yield the evidence of each ruleset of a spec folder, shared in the same way; raises NoCluster and LostPieces."""
    found = _by_ruleset(partial(_collect_evidence, root), partial(_units, *_EVIDENCE), rulesets, jobs, cluster)
    return map(list, map(chain.from_iterable, found))


def find_all_choices(
    root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[Choice]]:
    """Yield the choices of each ruleset of a spec folder, shared in the same way; raises NoCluster and LostPieces."""
    found = _by_ruleset(partial(_find_choices, root), partial(_units, *_SILENCE), rulesets, jobs, cluster)
    return map(list, map(chain.from_iterable, found))


def try_all(
    root: Path, rulesets: Sequence[str], mutants: Sequence[CodeMutant], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[CodeVerdict]]:
    """Yield the verdicts on code mutants, piece by piece, shared in the same way; raises NoCluster and LostPieces."""
    starts = range(0, len(mutants), MUTANTS_OF_A_PIECE)
    pieces = [tuple(mutants[start : start + MUTANTS_OF_A_PIECE]) for start in starts]
    return (found for _, found in _results(partial(_try, root, tuple(rulesets)), pieces, jobs, cluster))


def meet_crossings(
    root: Path, rulesets: Sequence[str], seeds: range, *, jobs: int = 0, cluster: str = ""
) -> Sequence[CrossingRow]:
    """Return the crossings that random games of some rulesets meet, or checks of any ruleset; shared in the same way.

    Each seed gives one game of each of these rulesets. Raises NoCluster and LostPieces.
    """
    games, checks = Counter[Crossing](), Counter[Crossing]()
    some = [seeds[start : start + _GAMES_OF_A_PIECE] for start in range(0, len(seeds), _GAMES_OF_A_PIECE)]
    pieces: list[tuple[str, range | None]] = [(ruleset, few) for ruleset in rulesets for few in some]
    pieces += [(ruleset, None) for ruleset in dict.fromkeys((*rulesets, *_suite(root).rules.names))]
    for (_, few), met in _results(partial(_meet, root), pieces, jobs, cluster):
        (checks if few is None else games).update(met)
    return crossing_rows(games, checks)


def _by_ruleset(
    work: Callable[[Unit], T],
    units_of_one: Callable[[str], Iterable[Unit]],
    rulesets: Sequence[str],
    jobs: int,
    cluster: str,
) -> Iterator[list[T]]:
    """Yield the results of all units of each ruleset; raises LostPieces after the last if some are missing."""
    longest_first = sorted(dict.fromkeys(rulesets), key=lambda name: "+" in name)
    units = {ruleset: tuple(units_of_one(ruleset)) for ruleset in longest_first}
    pieces = shared_pieces(list(units.values()), math.inf if cluster else jobs or os.cpu_count() or 1)
    found, lost = defaultdict[str, list[T]](list), list[Unit]()
    try:
        for piece, results in _results(partial(_do, work), pieces, jobs, cluster):
            found[piece[0].ruleset] += results
    except LostPieces as error:
        lost += chain.from_iterable(error.pieces)
    yield from (found[name] for name in dict.fromkeys(rulesets) if len(found[name]) == len(units[name]))
    if lost:
        raise LostPieces(lost)


def _do(work: Callable[[Unit], T], piece: Sequence[Unit]) -> list[T]:
    return list(map(work, piece))


def _results(work: Callable[[P], T], pieces: Sequence[P], jobs: int, cluster: str) -> Iterator[tuple[P, T]]:
    """Yield each piece of the work with its result, in order; raises LostPieces after the last if some have none."""
    pool = partial(cluster_workers, cluster) if cluster else partial(workers, jobs or None)
    lost = []
    for piece, result in in_order(work, pieces, pool):
        if result is None:
            lost.append(piece)
        else:
            yield piece, result
    if lost:
        raise LostPieces(lost)


def _units(measure: str, count: int, ruleset: str) -> Iterator[Unit]:
    return (Unit(ruleset, measure, part) for part in parts(count))


def _measure(root: Path, unit: Unit) -> UnitResult:
    return measure_unit(_mutants(root, unit.ruleset), unit)


def _collect_evidence(root: Path, unit: Unit) -> list[Evidence]:
    return collect_evidence(_mutants(root, unit.ruleset).detector, unit.part)


def _find_choices(root: Path, unit: Unit) -> list[Choice]:
    return choices(_mutants(root, unit.ruleset).detector, unit.part)


def _meet(root: Path, piece: tuple[str, range | None]) -> Counter[Crossing]:
    """Return how many games of a ruleset with these seeds meet each crossing, or how many of its checks."""
    ruleset, seeds = piece
    return in_checks(_suite(root), ruleset) if seeds is None else in_games(_suite(root), ruleset, seeds)


def _try(root: Path, rulesets: tuple[str, ...], mutants: tuple[CodeMutant, ...]) -> list[CodeVerdict]:
    return list(verdicts(_bench(root, rulesets), mutants))


@lru_cache(maxsize=2)
def _mutants(root: Path, ruleset: str) -> RulesetMutants:
    """Return what the units of a ruleset share, prepared once in each process; they come one ruleset after another."""
    return RulesetMutants(_suite(root), ruleset)


@cache
def _bench(root: Path, rulesets: tuple[str, ...]) -> MutantBench:
    """Return the checks and games of some rulesets, recorded once in each process."""
    bench = MutantBench(_suite(root), rulesets)
    gc.freeze()  # copies of this process share what they do not collect
    return bench


@cache
def _suite(root: Path) -> Suite:
    """Return the suite, opened once in each process."""
    suite = open_suite(root, positions=False)
    if planner_of(suite).cache_key:
        load_requests(suite)
    return suite
