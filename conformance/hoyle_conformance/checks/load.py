"""Load a spec folder from its files, and lint it."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hoyle_conformance.checks.lint_positions import lint_positions
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.lint.references import lint_links
from hoyle_conformance.suite.load import read_suite
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite, without_faulty

Lint = Callable[[Suite], Iterable[Diagnostic]]


def load_suite(
    root: Path | None = None,
    *,
    drafts: bool = False,
    scenarios: bool = True,
    positions: bool = True,
    known: Mapping[str, Any] = MappingProxyType({}),
    position_lint: Lint = lint_positions,
) -> Suite:
    """Return the suite in a spec folder, by default the one that came with this installation; raises Invalid.

    With `drafts`, scenarios that are invalid are left out; without `scenarios`, all of them; without `positions`, those
    are not linted. `known` is the data of files that need not be read again, by their names in the folder.
    """
    suite, faults = read_suite(root or find_spec(), scenarios=scenarios, known=known)
    faults = faults or _found(suite, (lint_links, position_lint) if positions else (lint_links,))
    if faults and not (drafts and all(_is_of_a_scenario(suite, fault) for fault in faults)):
        raise Invalid(faults)
    return without_faulty(suite, faults)


def _is_of_a_scenario(suite: Suite, fault: Diagnostic) -> bool:
    """Whether the file of a fault is one of the scenarios."""
    return fault.file.startswith(suite.shown(suite.root / "scenarios"))


def _found(suite: Suite, lints: Iterable[Lint]) -> list[Diagnostic]:
    """Return the faults that these lints find, each in the scenarios that are valid so far, as long as the rules
    are."""
    faults: list[Diagnostic] = []
    for lint in lints:
        if all(_is_of_a_scenario(suite, fault) for fault in faults):
            faults += lint(without_faulty(suite, faults))
    return faults
