"""Parallel execution of the measures: over the cores of this machine, or over a Dask cluster."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final, TypeVar

from hoyle_conformance.checks.cache.cached_suite import load_requests, open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.runner.workers import LostWorker, cluster_workers, workers
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.code_mutants import CodeMutant, CodeVerdict, verdicts
from hoyle_conformance.tools.adequacy.crossings import Crossing, CrossingRow, crossing_rows, in_checks, in_games
from hoyle_conformance.tools.adequacy.evidence import Evidence, collect_evidence
from hoyle_conformance.tools.adequacy.measure import Measurement, measure
from hoyle_conformance.tools.adequacy.mutant_bench import MutantBench

T = TypeVar("T")
P = TypeVar("P")
#: The code mutants that one worker tries at a time.
MUTANTS_OF_A_PIECE: Final = 20
#: How often in a row the workers may be lost before any of them has finished a piece.
_MOST_LOSSES: Final = 2


class LostPieces(Exception):
    """Some pieces of the work have no result, since their workers were lost repeatedly; `pieces` has them."""

    def __init__(self, pieces: Sequence[object]) -> None:
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
    return _in_order(_measure, root, rulesets, jobs, cluster)


def collect_all_evidence(
    root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[Evidence]]:
    """Yield the evidence of each ruleset of a spec folder, shared in the same way; raises NoCluster and LostPieces."""
    return _in_order(_collect_evidence, root, rulesets, jobs, cluster)


def try_all(
    root: Path, rulesets: Sequence[str], mutants: Sequence[CodeMutant], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[CodeVerdict]]:
    """Yield the verdicts on code mutants, piece by piece as they are finished, shared in the same way; raises NoCluster
    and LostPieces."""
    starts = range(0, len(mutants), MUTANTS_OF_A_PIECE)
    pieces = [tuple(mutants[start : start + MUTANTS_OF_A_PIECE]) for start in starts]
    work = partial(_try, tuple(rulesets))
    return (found for _, found in _as_finished(work, root, pieces, jobs, cluster))


def meet_crossings(
    root: Path, rulesets: Sequence[str], seeds: range, *, jobs: int = 0, cluster: str = ""
) -> Sequence[CrossingRow]:
    """Return the crossings that random games of some rulesets meet, or checks of any ruleset; shared in the same way.

    Each seed gives one game of each of these rulesets. Raises NoCluster and LostPieces.
    """
    games, checks = Counter[Crossing](), Counter[Crossing]()
    every = dict.fromkeys((*rulesets, *_suite(root).rules.names))
    work = partial(_meet, dict.fromkeys(rulesets, seeds))
    for own_games, own_checks in _in_order(work, root, tuple(every), jobs, cluster):
        games += own_games
        checks += own_checks
    return crossing_rows(games, checks)


def _in_order(
    work: Callable[[Path, str], T], root: Path, rulesets: Sequence[str], jobs: int, cluster: str
) -> Iterator[T]:
    """Yield the result for each ruleset; raises LostPieces after the last of them."""
    longest_first, found, lost = sorted(rulesets, key=lambda name: "+" in name), dict[str, T](), None
    try:
        found.update(_as_finished(work, root, longest_first, jobs, cluster))
    except LostPieces as error:
        lost = error
    yield from (found[ruleset] for ruleset in rulesets if ruleset in found)
    if lost:
        raise lost


def _as_finished(
    work: Callable[[Path, P], T], root: Path, pieces: Sequence[P], jobs: int, cluster: str
) -> Iterator[tuple[P, T]]:
    """Yield each piece with its result. The pieces of a lost worker are tried again by new workers; raises LostPieces
    if that does not help."""
    waiting, losses = list(pieces), 0
    while waiting and losses < _MOST_LOSSES:
        lost = []
        with cluster_workers(cluster) if cluster else workers(jobs or None) as pool:
            for piece, future in [(piece, pool.submit(work, root, piece)) for piece in waiting]:
                try:
                    yield piece, pool.result(future)
                except LostWorker:
                    lost.append(piece)
        losses = losses + 1 if len(lost) == len(waiting) else 0
        waiting = [*lost[1:], *lost[:1]]  # the first was probably in progress, and may be what ends the workers
    if waiting:
        raise LostPieces(waiting)


def _measure(root: Path, ruleset: str) -> list[Measurement]:
    return measure(_suite(root), ruleset)


def _collect_evidence(root: Path, ruleset: str) -> list[Evidence]:
    return collect_evidence(_suite(root), ruleset)


def _meet(seeds: Mapping[str, range], root: Path, ruleset: str) -> tuple[Counter[Crossing], Counter[Crossing]]:
    """Return how many of a ruleset's games, and of its checks, meet each crossing."""
    return in_games(_suite(root), ruleset, seeds.get(ruleset, ())), in_checks(_suite(root), ruleset)


def _try(rulesets: tuple[str, ...], root: Path, mutants: tuple[CodeMutant, ...]) -> list[CodeVerdict]:
    return list(verdicts(_bench(root, rulesets), mutants))


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
