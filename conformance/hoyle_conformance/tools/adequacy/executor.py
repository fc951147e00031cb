"""Spreading: many independent pieces of work over the cores of this machine, or over a cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from hoyle_conformance.checks.cache.cached_suite import open_suite, take_plans
from hoyle_conformance.runner.workers import workers
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.evidence import Evidence, evidence
from hoyle_conformance.tools.adequacy.measure import Measured, measure

T = TypeVar("T")
#: How long a cluster may take to answer at all, in seconds.
_CLUSTER_ANSWERS: Final = 30


class NoCluster(Exception):
    """There is no cluster to be used; the message says why, and what to do."""


def measured(root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = "") -> Iterator[list[Measured]]:
    """What is measured of each ruleset of a spec folder, in their order: by so many processes (as many as there are
    cores, if 0), or by the workers of the Dask cluster at an address, which must have the folder too.

    Raises NoCluster.
    """
    return _spread(_measure, root, rulesets, jobs, cluster)


def weighed(root: Path, rulesets: Sequence[str], *, jobs: int = 0, cluster: str = "") -> Iterator[list[Evidence]]:
    """The evidence for the rules of each ruleset of a spec folder, spread likewise; raises NoCluster."""
    return _spread(_weigh, root, rulesets, jobs, cluster)


def _spread(
    work: Callable[[Path, str], T], root: Path, rulesets: Sequence[str], jobs: int, cluster: str
) -> Iterator[T]:
    with _on_a_cluster(cluster) if cluster else workers(jobs or None) as executor:
        longest_first = sorted(rulesets, key=lambda name: "+" in name)
        waiting = {ruleset: executor.submit(work, root, ruleset) for ruleset in longest_first}
        for ruleset in rulesets:
            yield waiting[ruleset].result()


def _measure(root: Path, ruleset: str) -> list[Measured]:
    return measure(_suite(root), ruleset)


def _weigh(root: Path, ruleset: str) -> list[Evidence]:
    return evidence(_suite(root), ruleset)


@cache
def _suite(root: Path) -> Suite:
    """The suite, opened once in every process."""
    suite = open_suite(root, positions=False)
    if suite.known.address:
        take_plans(suite)
    return suite


@contextmanager
def _on_a_cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client  # an extra, which few have
    except ImportError as error:
        raise NoCluster("a cluster needs Dask: pip install distributed") from error
    try:
        client = Client(address, timeout=_CLUSTER_ANSWERS)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoCluster(f"nothing answers as a Dask scheduler at {address}") from error
    with client:
        yield client.get_executor()
