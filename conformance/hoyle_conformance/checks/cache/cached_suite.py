"""Opening: a suite as loading gives it, taken from where it is kept, or kept there for the next time."""

from collections.abc import Mapping
from pathlib import Path

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.key import address_of
from hoyle_conformance.checks.cache.serialize import plans_from, suite_from, written_plans, written_suite
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite


def open_suite(root: Path | None = None, *, drafts: bool = False, positions: bool = True) -> Suite:
    """The suite in a spec folder, its links linted at the least; raises Invalid.

    With `drafts`, scenarios that are invalid are left out: such a suite is never kept.
    """
    root = root or find_spec()
    address = address_of(root)
    lines = store.read("suite", address) if address else None
    if lines is None:
        return _compile(root, address, drafts=drafts, positions=positions)
    suite = suite_from(root, lines)
    suite.known.address, suite.known.sound = address, store.has("plans", address)  # only of a sound one they are kept
    faults = settle(suite) if positions else []
    if faults and not drafts:
        raise Invalid(faults)
    return suite.without(faults)


def _compile(root: Path, address: str, *, drafts: bool, positions: bool) -> Suite:
    from hoyle_conformance.checks.load import (
        load_suite,  # which needs all that reads and lints: what is kept needs none of it
    )

    suite = load_suite(root, drafts=drafts, positions=positions)
    if address and not suite.left_out and address == address_of(root):  # nobody has written in it meanwhile
        suite.known.address, suite.known.sound = address, positions
        _keep(suite)
    return suite


def _keep(suite: Suite, place: Path | None = None) -> None:
    store.write("suite", suite.known.address, list(written_suite(suite)), place)
    if suite.known.sound:
        store.write("plans", suite.known.address, list(written_plans(_plans(suite, Relabeller(suite)).values())), place)


def make_ready(root: Path, place: Path) -> None:
    """Compile a suite to be brought by a wheel; raises Invalid."""
    from hoyle_conformance.checks.load import load_suite

    suite = load_suite(root)
    suite.known.address, suite.known.sound = address_of(root), True
    _keep(suite, place)


def settle(suite: Suite) -> list[Diagnostic]:
    """Why positions of a suite cannot be set up; where all can, their plans are as good as made from then on."""
    if not take_plans(suite):
        from hoyle_conformance.checks.lint_positions import lint_positions

        put = Relabeller(suite)
        faults = list(lint_positions(suite, put))
        if faults:
            return list(lint_positions(suite)) or faults  # which speak of what is written
        plans = _plans(suite, put)
        store.write("plans", suite.known.address, list(written_plans(plans.values())))
        suite.known.kept_plans, suite.known.sound = plans, True
    return []


def _plans(suite: Suite, put: Relabeller) -> Mapping[str, RunRequest]:
    """The plans of all checks as they are put, by their ids."""
    return {check.id: suite.plan(put(check)) for check in suite.checks.values()}


def take_plans(suite: Suite) -> bool:
    """Whether all plans of a suite are kept, and are now its plans."""
    lines = store.read("plans", suite.known.address)
    if lines is not None:
        suite.known.kept_plans, suite.known.sound = plans_from(suite, lines), True
    return lines is not None
