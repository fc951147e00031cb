"""The faults of a whole suite: of its files, and of its scenarios, games and preludes when they are played.

A proof that found no fault is not repeated while all that it rests on is the same.
"""

from collections.abc import Iterator
from pathlib import Path

from hoyle_conformance.checks import load
from hoyle_conformance.checks.cache.cached_suite import data_of_unchanged
from hoyle_conformance.checks.cache.proofs import Proofs
from hoyle_conformance.checks.lint_positions import lint_position
from hoyle_conformance.checks.preludes.check_store import check_prelude_file, prelude_files
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.reports.progress import counted
from hoyle_conformance.suite.lint.grounds import lint_uncited
from hoyle_conformance.suite.lint.ids import lint_ids
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census import prove_censuses
from hoyle_conformance.tools.validate.inherit import lint_at_work
from hoyle_conformance.tools.validate.prove import prove_scenario


def read_and_lint(root: Path, proofs: Proofs) -> Suite:
    """Lint all files of a spec folder, and read those that have changed since the suite was compiled; raises
    Invalid."""

    def lint_positions(suite: Suite) -> Iterator[Diagnostic]:
        for scenario in counted(suite.scenarios.values(), "position"):
            yield from lint_position(suite, scenario, proofs=proofs)

    return load.load_suite(root, position_lint=lint_positions, known=data_of_unchanged(root))


def suite_faults(suite: Suite, proofs: Proofs) -> Iterator[Diagnostic]:
    """Yield the faults of a suite whose files are valid, but for those of inherited outcomes and of ids."""
    for scenario in counted(suite.scenarios.values(), "scenario"):
        yield from prove_scenario(suite, scenario, proofs)
    for source in suite.sources.values():
        yield from lint_uncited(suite, source)
    yield from prove_censuses(suite, proofs)
    for path in counted(prelude_files(suite), "prelude file"):
        yield from check_prelude_file(suite, path, proofs)


def locked_faults(suite: Suite, proofs: Proofs) -> Iterator[Diagnostic]:
    """Yield the faults of inherited outcomes and of the published ids."""
    yield from lint_at_work(suite, proofs)
    yield from lint_ids(suite)
