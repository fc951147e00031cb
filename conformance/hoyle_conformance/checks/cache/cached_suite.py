"""Open a suite: read it from the cache except for edited files, or load it and store it there for the next time.

The cached values of a scenario depend on its own file and on the rules, never on another scenario. So after scenarios
were edited, only these are read, linted and set up again.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.compiled import (
    Compiled,
    compiled,
    file_of,
    id_in,
    requests_from,
    suite_from,
    written_requests,
)
from hoyle_conformance.checks.cache.store import Snapshot, snapshot_of
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite, without_faulty

#: The kinds of values in the cache.
_RULES: Final = "rules"
_SCENARIO: Final = "scenario"
_DOCUMENT: Final = "document"
_REQUESTS: Final = "requests"


def open_suite(root: Path | None = None, *, drafts: bool = False, positions: bool = True) -> Suite:
    """Return the suite in a spec folder, by default that of this installation; raises Invalid.

    The links of the suite are linted, and its positions unless `positions` is false. With `drafts`, invalid scenarios
    are left out; such a suite is never cached.
    """
    root = root or find_spec()
    now = snapshot_of(root)
    suite = _cached(root, now, drafts=drafts) if now else None
    if suite is None:
        return _load(root, now, drafts=drafts, positions=positions)
    faults = validate_positions(suite) if positions else []
    if faults and not drafts:
        raise Invalid(faults)
    return without_faulty(suite, faults)


def _cached(root: Path, now: Snapshot, *, drafts: bool) -> Suite | None:
    """Return the suite with the same rules from the cache, with the scenarios that it lacks read from their files.
    Return None if the whole suite must be linted. Raises Invalid unless `drafts` leaves faulty scenarios out."""
    rules = store.read_one(_RULES, now.rules)
    scenarios, documents = _found(_SCENARIO, now.scenarios), _found(_DOCUMENT, now.documents)
    edited = [name for name in now.scenarios if name not in scenarios or name not in documents]
    if rules is None or now.documents.keys() - documents.keys() - {*edited}:
        return None
    if any(file_of(id_in(text)) != name for name, text in scenarios.items()):
        return None  # two files may have the same id
    texts, faults = Compiled(rules, scenarios, documents), list[Diagnostic]()
    if edited:
        from hoyle_conformance.checks.load import compile_edited  # imports all that reads and lints

        same = texts._replace(scenarios={name: scenarios[name] for name in scenarios if name not in edited})
        compiled_anew = compile_edited(suite_from(root, same), edited, drafts=drafts)
        if compiled_anew is None:
            return None
        faults = compiled_anew[1]
        if faults and not drafts:
            raise Invalid(faults)
        texts = _together(same, compiled_anew[0], now)
        if not faults and now == snapshot_of(root):  # the files have not changed meanwhile
            _store(compiled_anew[0], now)
    suite = suite_from(root, texts, tuple(faults))
    if not faults:
        _note(suite, now)
    return suite


def _found(kind: str, keys: Mapping[str, str]) -> dict[str, bytes]:
    """Return the values of a kind in the cache, by the names that `keys` has for them."""
    found = store.read(kind, keys.values())
    return {name: found[key] for name, key in keys.items() if key in found}


def _together(texts: Compiled, edited: Compiled, now: Snapshot) -> Compiled:
    """Return a compiled suite with edited scenarios, in the order of their files."""
    scenarios = {**texts.scenarios, **edited.scenarios}
    in_order = {name: scenarios[name] for name in now.scenarios if name in scenarios}
    return Compiled(texts.rules, in_order, {**texts.documents, **edited.documents})


def _load(root: Path, now: Snapshot | None, *, drafts: bool, positions: bool) -> Suite:
    """Load the suite from its files, and store it if it is valid; raises Invalid."""
    from hoyle_conformance.checks.load import (
        load_suite,  # imports all that reads and lints, which a cached suite does not need
    )

    known = {name: json.loads(text) for name, text in _found(_DOCUMENT, now.documents if now else {}).items()}
    suite = load_suite(root, drafts=drafts, positions=positions, known=known)
    if now and not suite.left_out and now == snapshot_of(root):  # the files have not changed meanwhile
        store_suite(suite, now, sound=positions)
    return suite


def compile_for_wheel(root: Path, place: Path) -> None:
    """Compile the suite in a spec folder and store it in `place`, for a wheel; raises Invalid."""
    from hoyle_conformance.checks.load import load_suite

    suite = load_suite(root)
    if now := snapshot_of(root):
        store_suite(suite, now, sound=True, place=place)


def store_suite(suite: Suite, now: Snapshot, *, sound: bool, place: Path | None = None) -> None:
    """Store a suite without faults, for this user or for a wheel; include the requests if its positions are `sound`."""
    _store(compiled(suite), now, place)
    _note(suite, now)
    if sound:
        _store_requests(suite, suite.scenarios, Relabeller(suite), place)
        planner_of(suite).sound = True


def _store(texts: Compiled, now: Snapshot, place: Path | None = None) -> None:
    store.write(_DOCUMENT, {now.documents[name]: text for name, text in texts.documents.items()}, place)
    store.write(_SCENARIO, {now.scenarios[name]: text for name, text in texts.scenarios.items()}, place)
    if texts.rules:
        store.write(_RULES, {now.rules: texts.rules}, place)


def _note(suite: Suite, now: Snapshot) -> None:
    """Record the keys under which the suite and the requests of its scenarios are cached."""
    planner = planner_of(suite)
    planner.cache_key = now.key
    planner.request_keys = {name: now.scenarios[file_of(name)] for name in suite.scenarios}


def validate_positions(suite: Suite) -> list[Diagnostic]:
    """Return the reasons why positions of a suite cannot be set up. If all can, the suite has cached requests
    afterwards.

    A position that was set up before, with the same rules, is not set up again.
    """
    if load_requests(suite):
        return []
    from hoyle_conformance.checks.load import lint_position

    planner, relabel = planner_of(suite), Relabeller(suite)
    scenarios = [each for each in suite.scenarios.values() if not planner.is_linted(each)]
    faults = [fault for each in scenarios for fault in lint_position(suite, each, relabel)]
    if faults:
        return [fault for each in scenarios for fault in lint_position(suite, each)] or faults  # cards as in the files
    more = _store_requests(suite, [each.id for each in scenarios], relabel)
    planner.cached_requests = {**planner.cached_requests, **more}
    planner.sound = True
    return []


def _store_requests(
    suite: Suite, scenarios: Iterable[str], relabel: Callable[[Any], Any], place: Path | None = None
) -> Mapping[str, Any]:
    """Store the relabelled requests of the checks of some scenarios, and return them by check id."""
    planner = planner_of(suite)
    requests = {
        name: {each.ruleset: planner.request(relabel(each)) for each in suite.index.checks_of(suite.scenarios[name])}
        for name in scenarios
    }
    keys = planner.request_keys
    if keys:
        store.write(_REQUESTS, {keys[name]: written_requests(of) for name, of in requests.items()}, place)
    return {f"{name}@{ruleset}": each for name, of in requests.items() for ruleset, each in of.items()}


def load_requests(suite: Suite, scenarios: Iterable[str] = ()) -> bool:
    """Read the requests for the checks of some scenarios of a suite, or of all, from the cache; return whether those of
    all scenarios were found."""
    planner = planner_of(suite)
    keys = planner.request_keys
    texts = _found(_REQUESTS, {name: keys[name] for name in scenarios or keys if name in keys})
    planner.cached_requests, planner.linted = requests_from(texts), frozenset(texts)
    planner.sound = bool(keys) and len(texts) == len(keys)
    return planner.sound
