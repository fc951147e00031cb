"""The suite as it is loaded, read from the cache, or stored there for the next time."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.key import Snapshot, snapshot_of
from hoyle_conformance.checks.cache.serialize import requests_from, suite_from, written_requests, written_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite, without_faulty

if TYPE_CHECKING:
    from hoyle_conformance.checks.cache.edited import Edited

#: The kinds of files in the cache.
_SUITE: Final = "suite"
_REQUESTS: Final = "plans"


def open_suite(root: Path | None = None, *, drafts: bool = False, positions: bool = True) -> Suite:
    """Return the suite in a spec folder, by default that of this installation; raises Invalid.

    The links of the suite are linted, and its positions unless `positions` is false. With `drafts`, scenarios that are
    invalid are left out; such a suite is never cached.
    """
    root = root or find_spec()
    now = snapshot_of(root)
    key = now.key if now else ""
    lines = store.read(_SUITE, key) if key else None
    if lines is None:
        return _compile(root, now, drafts=drafts, positions=positions)
    suite = suite_from(root, lines)
    planner = planner_of(suite)
    planner.cache_key, planner.sound = key, store.has(_REQUESTS, key)  # requests are cached only of a sound suite
    faults = validate_positions(suite) if positions else []
    if faults and not drafts:
        raise Invalid(faults)
    return without_faulty(suite, faults)


def _compile(root: Path, now: Snapshot | None, *, drafts: bool, positions: bool) -> Suite:
    """Compile the suite from its files, or from the last compiled suite and the files edited since."""
    from hoyle_conformance.checks.cache.edited import last_compiled, same_data, with_edits  # likewise

    before = last_compiled(now) if now else None
    if now and before and (edited := with_edits(root, before, now)):
        return _edited(root, now, edited, drafts=drafts, positions=positions)
    known = same_data(before, now) if now and before else {}
    from hoyle_conformance.checks.load import (
        load_suite,  # needs all that reads and lints, which a cached suite does not
    )

    suite = load_suite(root, drafts=drafts, positions=positions, known=known)
    if now and not suite.left_out and now == snapshot_of(root):  # the files have not changed meanwhile
        _store(suite, now, sound=positions)
    return suite


def _edited(root: Path, now: Snapshot, edited: "Edited", *, drafts: bool, positions: bool) -> Suite:
    """Return the suite after an edit, and cache it if it has no faults; raises Invalid unless `drafts` leaves them
    out."""
    if edited.faults and not drafts:
        raise Invalid(edited.faults)
    suite = suite_from(root, edited.lines, tuple(edited.faults))
    if not edited.faults and now == snapshot_of(root):  # the files have not changed meanwhile
        store.write_lines(_SUITE, now.key, edited.lines)
        planner_of(suite).cache_key = now.key
    faults = validate_positions(suite) if positions else []
    if faults and not drafts:
        raise Invalid(faults)
    return without_faulty(suite, faults)


def compile_for_wheel(root: Path, place: Path) -> None:
    """Compile the suite in a spec folder and store it in `place`, for a wheel; raises Invalid."""
    from hoyle_conformance.checks.load import load_suite

    suite = load_suite(root)
    if now := snapshot_of(root):
        _store(suite, now, sound=True, place=place)


def _store(suite: Suite, now: Snapshot, *, sound: bool, place: Path | None = None) -> None:
    planner, key = planner_of(suite), now.key
    planner.cache_key, planner.sound = key, sound
    store.write(_SUITE, key, list(written_suite(suite, now)), place)
    if sound:
        requests = _requests(suite, Relabeller(suite), {})
        store.write(_REQUESTS, key, list(written_requests(requests.values())), place)


def validate_positions(suite: Suite) -> list[Diagnostic]:
    """Return why positions of a suite cannot be set up. If all can, the suite has cached requests from then on.

    A position that was set up before, with the same rules, is not set up again.
    """
    if load_requests(suite):
        return []
    from hoyle_conformance.checks.lint_positions import lint_position

    relabel, known = Relabeller(suite), _known_requests(suite)
    known_scenarios = {name.partition("@")[0] for name in known}
    scenarios = [each for name, each in suite.scenarios.items() if name not in known_scenarios]
    faults = [fault for each in scenarios for fault in lint_position(suite, each, relabel)]
    if faults:
        return [fault for each in scenarios for fault in lint_position(suite, each)] or faults  # cards as in the files
    planner, requests = planner_of(suite), _requests(suite, relabel, known)
    if planner.cache_key:
        store.write(_REQUESTS, planner.cache_key, list(written_requests(requests.values())))
    planner.cached_requests, planner.sound = requests, True
    return []


def _known_requests(suite: Suite) -> Mapping[str, RunRequest]:
    """Return the requests of the checks whose scenarios are as in a suite before with the same rules, by id."""
    from hoyle_conformance.checks.cache.edited import compiled_suites, file_of

    now = snapshot_of(suite.root)
    for before in compiled_suites(now.code) if now else ():
        lines = store.read(_REQUESTS, before.made_of.key) if now and before.made_of.rules == now.rules else None
        if now and lines is not None:
            files, requests = before.made_of.files, requests_from(suite_from(suite.root, before.lines), lines)
            return {
                name: requests[name]
                for name in suite.index.headings.keys() & requests.keys()
                if files.get(file := file_of(name.partition("@")[0])) == now.files.get(file, "")
            }
    return {}


def _requests(suite: Suite, relabel: Relabeller, known: Mapping[str, RunRequest]) -> Mapping[str, RunRequest]:
    """Return the requests of all checks, relabelled, by id: those known before, and the others."""
    planner, checks = planner_of(suite), suite.index.checks
    return {name: known.get(name) or planner.request(relabel(checks[name])) for name in suite.index.headings}


def load_requests(suite: Suite) -> bool:
    """Read the requests of all checks of a suite from the cache; return whether they were there."""
    planner = planner_of(suite)
    lines = store.read(_REQUESTS, planner.cache_key) if planner.cache_key else None
    if lines is not None:
        planner.cached_requests, planner.sound = requests_from(suite, lines), True
    return lines is not None
