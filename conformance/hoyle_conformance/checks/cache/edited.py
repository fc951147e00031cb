"""A suite after scenarios were edited: the lines of the last compiled suite, with new ones for the edited scenarios.

Whether a scenario is sound depends on the rules and on its own file, never on another scenario. So while every other
file is the same, only the edited scenarios are read and linted.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.key import SCENARIOS, Snapshot, snapshot_of
from hoyle_conformance.checks.cache.serialize import (
    digest_in,
    headings_by_scenario,
    suite_from,
    written_document,
    written_headings,
)
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.at_work import Inherited, known_names, read_at_work
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.scenarios import lint_of_suite
from hoyle_conformance.suite.load import existing, read_document
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.paths import tree
from hoyle_conformance.suite.suite import Suite, digest_of

_ENDING: Final = ".scenario.yaml"
#: The kinds of documents, as a suite's digest names them, in the order of the lines.
_KINDS: Final = ("sources", "rulesets", "scenarios", "census")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled suite in the cache: its lines, the first of them as data, and what it was made of."""

    lines: Sequence[bytes]
    first: Sequence[Any]
    made_of: Snapshot

    @property
    def checks(self) -> Sequence[Sequence[Any]]:
        """The scenarios that have checks, each with the rulesets of these."""
        found: Sequence[Sequence[Any]] = self.first[1]
        return found

    @property
    def scenario_ids(self) -> Sequence[str]:
        """The ids of the scenarios, in the order of their files."""
        ids: Sequence[str] = self.first[5]
        return ids

    @property
    def documents(self) -> Sequence[bytes]:
        """The lines of the documents."""
        return self.lines[1 + len(self.checks) :]

    @property
    def scenarios_at(self) -> slice:
        """The place of the scenarios among the documents."""
        begin = len(self.first[3]) + len(self.first[4])
        return slice(begin, begin + len(self.scenario_ids))

    def headings(self) -> Mapping[str, tuple[Sequence[str], bytes]]:
        """Return the rulesets and the line of the headings of each scenario that has checks."""
        return {name: (rulesets, self.lines[at]) for at, (name, rulesets) in enumerate(self.checks, start=1)}

    def scenarios(self) -> Mapping[str, bytes]:
        """Return the line of each scenario, by the name of its file."""
        return dict(zip(map(file_of, self.scenario_ids), self.documents[self.scenarios_at], strict=True))


class Edited(NamedTuple):
    """The suite after an edit, as lines of the cache, and the faults of scenarios, which are left out."""

    lines: Sequence[bytes]
    faults: Sequence[Diagnostic]


def compiled_suites(code: str) -> Iterator[Compiled]:
    """Yield the cached suites that this code has compiled, the last one first."""
    for lines in store.recent("suite"):
        match json.loads(lines[0]):
            case [*_, [made_by, files]] as first if made_by == code:
                yield Compiled(lines, first, Snapshot(code, files))


def last_compiled(now: Snapshot) -> Compiled | None:
    """Return the last suite that this code has compiled: if there is one, that with the same rules."""
    newest = None
    for each in compiled_suites(now.code):
        if each.made_of.rules == now.rules:
            return each
        newest = newest or each
    return newest


def file_of(scenario: str) -> str:
    """Return the name of the file that a scenario of the suite must be in, in the spec folder."""
    topic, _, name = scenario.partition(".")
    return f"{SCENARIOS}{topic}/{name}{_ENDING}"


def data_of_unchanged(root: Path) -> Mapping[str, Any]:
    """Return the data of the files in a spec folder that are as they were when this code last compiled the suite, by
    their names in the folder."""
    now = snapshot_of(root)
    before = last_compiled(now) if now else None
    return same_data(before, now) if now and before else {}


def same_data(before: Compiled, now: Snapshot) -> Mapping[str, Any]:
    """Return the data of the files that are the same, by their names in the spec folder."""
    documents = (json.loads(line) for line in before.documents)
    return {name: data for _, name, data, _ in documents if before.made_of.files.get(name) == now.files.get(name)}


def with_edits(root: Path, before: Compiled, now: Snapshot) -> Edited | None:
    """Return the suite with the edited scenarios; None where the rules are others, or two files have one id, so that
    all must be linted."""
    if before.made_of.rules != now.rules:
        return None
    suite, old = suite_from(root, before.lines), before.scenarios()
    files = [name for name in now.files if name.startswith(SCENARIOS)]
    edited = [name for name in files if before.made_of.files.get(name) != now.files[name]]
    same = {name: old[name] for name in files if name in old and name not in edited}
    scenarios, faults = _read(suite, edited, _heirs(suite, old))
    named = {file_of(each.id) for each in scenarios.values()}
    if (
        len(same) + len(edited) < len(files)  # a file lies deeper than its id tells
        or len(named) < len(scenarios)
        or not named.isdisjoint(same)
    ):
        return None
    faults = faults or [fault for name in scenarios for fault in lint_of_suite(suite, scenarios[name])]
    broken = {fault.file for fault in faults}
    sound = {name: each for name, each in scenarios.items() if each.file not in broken}
    return Edited(_lines(suite, before, now, same, sound), faults)


def _heirs(suite: Suite, lines: Mapping[str, bytes]) -> Callable[[str], Inherited]:
    """Return what returns the rulesets that inherit the outcomes of a scenario: from its line, or for a new scenario
    from the file of the spec, which is read once."""
    at_work = cache(lambda: read_at_work(suite.root, suite.schemas))

    def heirs(scenario: str) -> Inherited:
        if file_of(scenario) not in lines:
            return existing(at_work().of(scenario).checks, known_names(suite.rulesets))
        *_, inherited = json.loads(lines[file_of(scenario)])
        return {ruleset: tuple(names) for ruleset, names in inherited.items()}

    return heirs


def _in_order(name: str) -> list[str]:
    """Return the key by which files are in the order in which a suite has them."""
    return name.split("/")


def _read(
    suite: Suite, edited: Sequence[str], heirs: Callable[[str], Inherited]
) -> tuple[dict[str, Scenario], list[Diagnostic]]:
    """Return the edited scenarios by the names of their files, and the faults of those that cannot be used."""
    found: dict[str, Scenario] = {}
    faults: list[Diagnostic] = []
    for name in sorted(edited, key=_in_order):
        path = suite.root / name
        try:
            document = read_document(suite.schemas, "scenario", path, suite.shown(path), within=tree(suite.root))
        except Invalid as invalid:
            faults += invalid.diagnostics
        else:
            found[name] = scenario_from(document, heirs(document.data["id"]))
    return found, faults


def _lines(
    suite: Suite, before: Compiled, now: Snapshot, same: Mapping[str, bytes], edited: Mapping[str, Scenario]
) -> list[bytes]:
    """Return the lines of the suite with the same and the edited scenarios."""
    lines = {**same, **{name: store.line_of(written_document(suite.root, each)) for name, each in edited.items()}}
    ids = {file_of(name): name for name in before.scenario_ids} | {name: each.id for name, each in edited.items()}
    in_order = sorted(lines, key=_in_order)
    headings = {name: each for name, each in before.headings().items() if file_of(name) in same}
    headings |= _headings(replace(suite, scenarios={each.id: each for each in edited.values()}))
    at, documents = before.scenarios_at, before.documents
    documents = [*documents[: at.start], *(lines[name] for name in in_order), *documents[at.stop :]]
    _, _, at_work_in, sources, rulesets, _, censuses, _ = before.first
    tables = (sources, rulesets, [ids[name] for name in in_order], censuses)
    checks = sorted(headings)
    rulesets_of = [[name, headings[name][0]] for name in checks]
    first = store.line_of([_digest(tables, documents), rulesets_of, at_work_in, *tables, now])
    return [first, *(headings[name][1] for name in checks), *documents]


def _digest(tables: Sequence[Sequence[str]], documents: Sequence[bytes]) -> str:
    """Return the digest of a suite, from the ids in each of its tables and the lines of their documents."""
    digests = map(digest_in, documents)
    named = zip(_KINDS, tables, strict=True)
    return digest_of({kind: dict(zip(ids, islice(digests, len(ids)), strict=True)) for kind, ids in named})


def _headings(suite: Suite) -> dict[str, tuple[Sequence[str], bytes]]:
    """Return the rulesets and the line of the headings of each scenario that has checks."""
    return {
        name: ([each.ruleset for each in headings], store.line_of(written_headings(headings)))
        for name, headings in headings_by_scenario(suite).items()
    }
