"""Parallel execution of the measures: over the cores of this machine, or over a Dask cluster."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from hoyle_conformance.checks.cache.cached_suite import load_requests, open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.runner.workers import cluster_workers, workers
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.evidence import Evidence, collect_evidence
from hoyle_conformance.tools.adequacy.measure import Measurement, measure

T = TypeVar("T")


def measure_all(
    root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[Measurement]]:
    """Yield the measures of each ruleset of a spec folder, in the order of `rulesets`.

    The work is shared by `jobs` processes (as many as there are cores, if 0), or by the workers of the Dask cluster at
    an address, which must have the folder too. Raises NoCluster (`runner.workers`).
    """
    return _run_all(_measure, root, rulesets, jobs, cluster)


def collect_all_evidence(
    root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[Evidence]]:
    """Yield the evidence of each ruleset of a spec folder, shared in the same way; raises NoCluster."""
    return _run_all(_collect_evidence, root, rulesets, jobs, cluster)


def _run_all(
    work: Callable[[Path, str], T], root: Path, rulesets: Sequence[str], jobs: int, cluster: str
) -> Iterator[T]:
    with cluster_workers(cluster) if cluster else workers(jobs or None) as pool:
        longest_first = sorted(rulesets, key=lambda name: "+" in name)
        waiting = {ruleset: pool.submit(work, root, ruleset) for ruleset in longest_first}
        for ruleset in rulesets:
            yield pool.result(waiting[ruleset])


def _measure(root: Path, ruleset: str) -> list[Measurement]:
    return measure(_suite(root), ruleset)


def _collect_evidence(root: Path, ruleset: str) -> list[Evidence]:
    return collect_evidence(_suite(root), ruleset)


@cache
def _suite(root: Path) -> Suite:
    """Return the suite, opened once in each process."""
    suite = open_suite(root, positions=False)
    if planner_of(suite).cache_key:
        load_requests(suite)
    return suite
