"""The faults of a whole suite: of its files, and of its scenarios, games and preludes in play.

A proof without faults is not repeated while its inputs are unchanged. Large numbers of proofs are divided among
processes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.cache.proofs import Proofs
from hoyle_conformance.checks.load import lint_position, load_suite
from hoyle_conformance.checks.preludes.store import check_prelude_file, prelude_files
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.reports.progress import counted
from hoyle_conformance.runner.jobs import workers
from hoyle_conformance.suite.lint.ids import lint_ids, lint_uncited
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census import prove_censuses
from hoyle_conformance.tools.validate.check_file import check_file
from hoyle_conformance.tools.validate.inherit import lint_at_work
from hoyle_conformance.tools.validate.prove import prove_scenario

#: A function that returns the faults of a scenario.
Prove = Callable[[Suite, Scenario, Proofs], Iterable[Diagnostic]]
#: The maximum number of scenarios to prove in this process, and the number in one batch for another.
_FEW: Final = 100
_AT_ONCE: Final = 20


def read_and_lint(root: Path, proofs: Proofs) -> Suite:
    """Read and lint all files of a spec folder, and the positions of the scenarios with sound links; raise Invalid if
    there are faults."""
    suite = _open(root, cached=bool(proofs.code))
    faults = [*suite.left_out, *_prove_all(_lint_position, "position", suite, proofs)]
    if faults:
        raise Invalid(faults)
    return suite


def suite_faults(suite: Suite, proofs: Proofs) -> Iterator[Diagnostic]:
    """Yield the faults of a suite whose files are valid, except those of inherited outcomes and of ids."""
    yield from _prove_all(prove_scenario, "scenario", suite, proofs)
    for source in suite.sources.values():
        yield from lint_uncited(suite, source)
    yield from prove_censuses(suite, proofs)
    for path in sorted(suite.root.glob("house/*")):
        yield from check_file(suite, path)
    for path in counted(prelude_files(suite), "prelude file"):
        yield from check_prelude_file(suite, path, proofs)


def locked_faults(suite: Suite, proofs: Proofs) -> Iterator[Diagnostic]:
    """Yield the faults of inherited outcomes and of the published ids."""
    yield from lint_at_work(suite, proofs)
    yield from lint_ids(suite)


def _lint_position(suite: Suite, scenario: Scenario, proofs: Proofs) -> Iterator[Diagnostic]:
    return lint_position(suite, scenario, proofs=proofs)


def _prove_all(prove: Prove, noun: str, suite: Suite, proofs: Proofs) -> Iterator[Diagnostic]:
    """Yield the faults of all scenarios; large numbers of proofs are divided among processes, one for each core."""
    rest = [each for each in suite.scenarios.values() if not proofs.are_stored(partial(prove, suite, each))]
    if len(rest) < _FEW:
        for scenario in counted(rest, noun):
            yield from prove(suite, scenario, proofs)
        return
    work = partial(_prove_some, prove, suite.root, proofs.code)
    names = [each.id for each in rest]
    some = [names[at : at + _AT_ONCE] for at in range(0, len(names), _AT_ONCE)]
    with workers() as pool:
        for _, (faults, digests) in zip(counted(some, f"group of {noun}s"), pool.map(work, some), strict=True):
            proofs.add(digests)
            yield from faults


def _prove_some(
    prove: Prove, root: Path, code: str, names: Sequence[str]
) -> tuple[Sequence[Diagnostic], Sequence[str]]:
    """Return, in a process of their own, the faults of some scenarios, and the digests of the proofs without faults."""
    suite, proofs = _open_once(root, cached=bool(code)), Proofs(code)
    return [fault for name in names for fault in prove(suite, suite.scenarios[name], proofs)], proofs.stored()


def _open(root: Path, *, cached: bool) -> Suite:
    """Return the suite in a spec folder without the scenarios that have faults, together with these faults."""
    return (open_suite if cached else load_suite)(root, drafts=True, positions=False)


_open_once = cache(_open)
