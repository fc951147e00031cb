"""Parallel execution of the measures: over the cores of this machine, or over a Dask cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from hoyle_conformance.checks.cache.cached_suite import load_requests, open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.runner.workers import workers
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.evidence import Evidence, collect_evidence
from hoyle_conformance.tools.adequacy.measure import Measurement, measure

T = TypeVar("T")
#: Seconds for a cluster to answer.
_CLUSTER_TIMEOUT: Final = 30


class NoCluster(Exception):
    """The cluster cannot be used; the message gives the reason and the remedy."""


def measure_all(
    root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = ""
) -> Iterator[list[Measurement]]:
    """Yield the measures of each ruleset of a spec folder, in the order of `rulesets`.

    The work is shared by `jobs` processes (as many as there are cores, if 0), or by the workers of the Dask cluster at
    an address, which must have the folder too. Raises NoCluster.
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
    with _cluster_executor(cluster) if cluster else workers(jobs or None) as executor:
        longest_first = sorted(rulesets, key=lambda name: "+" in name)
        waiting = {ruleset: executor.submit(work, root, ruleset) for ruleset in longest_first}
        for ruleset in rulesets:
            yield waiting[ruleset].result()


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


@contextmanager
def _cluster_executor(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client  # an optional dependency
    except ImportError as error:
        raise NoCluster("a cluster needs Dask: pip install distributed") from error
    try:
        client = Client(address, timeout=_CLUSTER_TIMEOUT)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoCluster(f"nothing answers as a Dask scheduler at {address}") from error
    with client:
        yield client.get_executor()
