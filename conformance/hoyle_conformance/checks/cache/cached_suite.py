"""The suite as it is loaded, read from the cache, or stored there for the next time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.key import cache_key_of
from hoyle_conformance.checks.cache.serialize import requests_from, suite_from, written_requests, written_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite, without_faulty

#: The kinds of files in the cache.
_SUITE: Final = "suite"
_REQUESTS: Final = "plans"


def open_suite(root: Path | None = None, *, drafts: bool = False, positions: bool = True) -> Suite:
    """Return the suite in a spec folder, by default that of this installation; raises Invalid.

    The links of the suite are linted, and its positions unless `positions` is false. With `drafts`, scenarios that are
    invalid are left out; such a suite is never cached.
    """
    root = root or find_spec()
    key = cache_key_of(root)
    lines = store.read(_SUITE, key) if key else None
    if lines is None:
        return _compile(root, key, drafts=drafts, positions=positions)
    suite = suite_from(root, lines)
    planner = planner_of(suite)
    planner.cache_key, planner.sound = key, store.has(_REQUESTS, key)  # requests are cached only of a sound suite
    faults = validate_positions(suite) if positions else []
    if faults and not drafts:
        raise Invalid(faults)
    return without_faulty(suite, faults)


def _compile(root: Path, key: str, *, drafts: bool, positions: bool) -> Suite:
    from hoyle_conformance.checks.load import (
        load_suite,  # needs all that reads and lints, which a cached suite does not
    )

    suite = load_suite(root, drafts=drafts, positions=positions)
    if key and not suite.left_out and key == cache_key_of(root):  # the files have not changed meanwhile
        _store(suite, key, sound=positions)
    return suite


def compile_for_wheel(root: Path, place: Path) -> None:
    """Compile the suite in a spec folder and store it in `place`, for a wheel; raises Invalid."""
    from hoyle_conformance.checks.load import load_suite

    _store(load_suite(root), cache_key_of(root), sound=True, place=place)


def _store(suite: Suite, key: str, *, sound: bool, place: Path | None = None) -> None:
    planner = planner_of(suite)
    planner.cache_key, planner.sound = key, sound
    store.write(_SUITE, key, list(written_suite(suite)), place)
    if sound:
        requests = _requests(suite, Relabeller(suite))
        store.write(_REQUESTS, key, list(written_requests(requests.values())), place)


def validate_positions(suite: Suite) -> list[Diagnostic]:
    """Return why positions of a suite cannot be set up. If all can, the suite has cached requests from then on."""
    if load_requests(suite):
        return []
    from hoyle_conformance.checks.lint_positions import lint_positions

    relabel = Relabeller(suite)
    faults = list(lint_positions(suite, relabel))
    if faults:
        return list(lint_positions(suite)) or faults  # name the cards as the files do
    planner, requests = planner_of(suite), _requests(suite, relabel)
    store.write(_REQUESTS, planner.cache_key, list(written_requests(requests.values())))
    planner.cached_requests, planner.sound = requests, True
    return []


def _requests(suite: Suite, relabel: Relabeller) -> Mapping[str, RunRequest]:
    """Return the requests of all checks, relabelled, by id."""
    planner = planner_of(suite)
    return {check.id: planner.request(relabel(check)) for check in suite.index.checks.values()}


def load_requests(suite: Suite) -> bool:
    """Read the requests of all checks of a suite from the cache; return whether they were there."""
    planner = planner_of(suite)
    lines = store.read(_REQUESTS, planner.cache_key)
    if lines is not None:
        planner.cached_requests, planner.sound = requests_from(suite, lines), True
    return lines is not None
