"""The gain of a second job; all figures are ratios of one run."""

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from commands import as_installed, process
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.runner import reference_adapter as starting
from hoyle_conformance.runner.jobs import helpers
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from measuring import line, seconds

#: An adapter that answers for a whole ruleset, and which that is.
RULESET = "rubicon-hoyle"
EXAMPLE = [sys.executable, str(Path(__file__).parents[1] / "adapters/python/rubicon.py")]
#: The same, but that it works longer than Hoyle does.
THINKING = [sys.executable, str(Path(__file__).parent / "thinking.py")]


def main() -> None:
    """Print what two jobs need of the time of one."""
    print()
    with as_installed():
        process("check")  # compiles bytecode and suite
        tries = [(process("check", "--jobs", "2"), process("check")) for _ in range(5)]
    two, one = map(min, zip(*tries, strict=True))
    print(line("hoyle check --jobs 2, of the time of hoyle check", 100 * two / one, "%", 65, least=False))
    suite = open_suite()
    put = list(map(Relabeller(suite), suite.index.checks.values()))
    claimed = [check for check in put if check.ruleset == RULESET]
    print(line("a larger suite with two jobs, of the time of one", of_one_job(suite, put * 3), "%", 60, least=False))
    told = "the same with adapters (the example of Rubicon)"
    print(line(told, of_one_job(suite, claimed * 40, EXAMPLE), "%", 60, least=False))
    told = "the same with one that thinks for 5 ms a check"
    print(line(told, of_one_job(suite, claimed * 2, THINKING), "%", 60, least=False))
    print("  One job and its adapter work at the same time already: a second brings more the longer the adapter takes.")
    print(f"  This machine has {os.cpu_count()} processors.")


def of_one_job(suite: Suite, checks: Sequence[Check], words: Sequence[str] = ()) -> float:
    """Return how long two jobs take for these checks, in percent of what one needs, without opening their suite.

    The run is that of `hoyle check`, and includes starting and ending the second job. Both are measured in turn, so
    that whatever else the machine does concerns both alike.
    """
    start = partial(starting.start_command, words, 100) if words else starting.start_reference

    def checked(jobs: int) -> float:
        return seconds(
            lambda: run(
                suite,
                start(suite, _unlogged),
                checks,
                helpers=helpers(suite, start, _unlogged, checks, jobs) if jobs > 1 else (),
            )
        )

    tries = [(checked(2), checked(1)) for _ in range(3)]
    return 100 * min(two for two, _ in tries) / min(one for _, one in tries)


def _unlogged(_line: bytes) -> None:
    """Log nothing."""
