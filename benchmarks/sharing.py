"""Measures what a second job brings; all figures are ratios of one run."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from hoyle_conformance.load import load_suite
from hoyle_conformance.protocol import starting
from hoyle_conformance.run.jobs import helpers
from hoyle_conformance.run.runner import run
from measuring import line, seconds

#: An adapter that answers for a whole ruleset.
EXAMPLE = [sys.executable, str(Path(__file__).parents[1] / "conformance/adapters/python/rubicon.py")]


def main() -> None:
    """Print what two jobs need of the time of one."""
    print()
    print(line("a larger suite with two jobs, of the time of one", of_one_job(3), "%", 60, least=False))
    print(line("the same with adapters (the example of Rubicon)", of_one_job(10, EXAMPLE), "%", 60, least=False))


def of_one_job(larger: int, words: Sequence[str] = ()) -> float:
    """How long two jobs take for a suite so many times as large, in percent of what one needs, without loading it.

    The run is that of `hoyle check`, and includes that the second job is started and ended. Both are measured in turn,
    so that whatever else the machine does concerns both alike.
    """
    suite = load_suite()
    start = partial(starting.adapter, words, 100) if words else starting.built_in
    checks = [*suite.checks.values()] * larger

    def checked(jobs: int) -> float:
        fresh = replace(suite)  # nothing is planned yet
        return seconds(
            lambda: run(
                fresh,
                start(fresh, _unlogged),
                checks,
                helpers=helpers(fresh, start, _unlogged, checks, jobs) if jobs > 1 else (),
            )
        )

    tries = [(checked(2), checked(1)) for _ in range(3)]
    return 100 * min(two for two, _ in tries) / min(one for _, one in tries)


def _unlogged(_line: bytes) -> None:
    """Nothing is logged."""
