"""Loading: a spec folder read, looked at, and used only if nothing is wrong with it."""

from collections.abc import Callable, Iterable
from pathlib import Path

from hoyle_conformance.checks.lint_positions import lint_positions
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.lint.references import lint_links
from hoyle_conformance.suite.load import read_suite
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite

Lint = Callable[[Suite], Iterable[Diagnostic]]


def load_suite(
    root: Path | None = None, *, drafts: bool = False, scenarios: bool = True, positions: bool = True
) -> Suite:
    """The suite in a spec folder, by default the one that came with this installation; raises Invalid.

    With `drafts`, scenarios that are invalid are left out; without `scenarios`, all of them; without `positions`, those
    are not linted.
    """
    suite, faults = read_suite(root or find_spec(), scenarios=scenarios)
    faults = faults or _found(suite, (lint_links, lint_positions) if positions else (lint_links,))
    if faults and not (drafts and all(map(suite.is_of_a_scenario, faults))):
        raise Invalid(faults)
    return suite.without(faults)


def _found(suite: Suite, lints: Iterable[Lint]) -> list[Diagnostic]:
    """What is found by each in the scenarios that are sound so far, as long as the rules are."""
    faults: list[Diagnostic] = []
    for lint in lints:
        if all(map(suite.is_of_a_scenario, faults)):
            faults += lint(suite.without(faults))
    return faults
