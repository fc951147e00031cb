"""A suite after an edit: what the last compiled suite has of the files that are the same, and the others anew.

The data of a file is taken over where its digest, the schemas and the code are the same. Only the edited files are
linted, and the scenarios for which an edited rule table matters, or whose outcomes other rulesets inherit than before:
no other scenario takes part in that.
"""

import json
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.edited_rules import EditedRules, with_edited_rules
from hoyle_conformance.checks.cache.key import Snapshot, digest_of_file, snapshot_of
from hoyle_conformance.checks.cache.serialize import (
    digest_in,
    headings_by_scenario,
    suite_from,
    written_document,
    written_headings,
)
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.at_work import AtWork, Inherited, known_names, read_at_work
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.scenarios import lint_of_suite
from hoyle_conformance.suite.load import existing, read_document
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.paths import AT_WORK, LOCK, VERSION, tree
from hoyle_conformance.suite.suite import Suite, digest_of
from hoyle_reference.frozen import frozen

_FOLDER: Final = "scenarios/"
_ENDING: Final = ".scenario.yaml"
#: Files whose content is in no line of the cache.
_READ_EACH_TIME: Final = frozenset({LOCK, VERSION})
#: The kinds of documents, as a suite's digest names them, in the order of the lines.
_KINDS: Final = ("sources", "rulesets", "scenarios", "census")


@frozen
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

    def headings(self) -> Mapping[str, tuple[Sequence[str], bytes]]:
        """Return the rulesets and the line of the headings of each scenario that has checks."""
        return {name: (rulesets, self.lines[at]) for at, (name, rulesets) in enumerate(self.checks, start=1)}

    def scenarios(self) -> Mapping[str, bytes]:
        """Return the line of each scenario, by the name of its file."""
        _, _, _, sources, rulesets, *_ = self.first
        begin = len(sources) + len(rulesets)
        lines = self.documents[begin : begin + len(self.scenario_ids)]
        return dict(zip(map(file_of, self.scenario_ids), lines, strict=True))


class Edited(NamedTuple):
    """The suite after an edit, as lines of the cache; the faults of scenarios, which are left out; and whether a file
    was edited again before it was read."""

    lines: Sequence[bytes]
    faults: Sequence[Diagnostic]
    overtaken: bool


def compiled_suites(code: str) -> Iterator[Compiled]:
    """Yield the cached suites that this code has compiled, the last one first."""
    for lines in store.recent("suite"):
        match json.loads(lines[0]):
            case [*_, [made_by, files]] as first if made_by == code:
                yield Compiled(lines, first, Snapshot(code, files))


def file_of(scenario: str) -> str:
    """Return the name of the file that a scenario of the suite must be in, in the spec folder."""
    topic, _, name = scenario.partition(".")
    return f"{_FOLDER}{topic}/{name}{_ENDING}"


def data_of_unchanged(root: Path) -> Mapping[str, Any]:
    """Return the data of the files in a spec folder that are as they were when this code last compiled the suite, by
    their names in the folder."""
    now = snapshot_of(root)
    before = next(compiled_suites(now.code), None) if now else None
    return same_data(before, now) if now and before else {}


def same_data(before: Compiled, now: Snapshot) -> Mapping[str, Any]:
    """Return the data of the files that are the same, by their names in the spec folder."""
    documents = (json.loads(line) for line in before.documents)
    return {name: data for _, name, data, _ in documents if before.made_of.files.get(name) == now.files.get(name)}


def _edited_rules(before: Compiled, now: Snapshot) -> list[str] | None:
    """Return the files other than scenarios that were edited, but for those that are read each time; None where there
    are more or fewer of them."""
    old, new = (
        {name: files[name] for name in files if not _is_scenario(name)} for files in (before.made_of.files, now.files)
    )
    if old.keys() != new.keys():
        return None
    return [name for name in new if old[name] != new[name] and name not in _READ_EACH_TIME | {AT_WORK}]


def _is_scenario(name: str) -> bool:
    return name.startswith(_FOLDER) and name.endswith(_ENDING)


def with_edits(root: Path, before: Compiled, now: Snapshot) -> Edited | None:
    """Return the suite with the edited files; None where all must be read and linted: files of rules are new, gone or
    faulty, or two files have one id."""
    edited_rules = _edited_rules(before, now)
    rules = None if edited_rules is None else with_edited_rules(suite_from(root, before.lines), edited_rules)
    if edited_rules is None or rules is None:
        return None
    old = before.scenarios()
    heirs = Heirs(rules.suite, old)
    edited = _edited_scenarios(before, now, heirs)
    if edited is None:
        return None
    scenario_files = [name for name in now.files if _is_scenario(name)]
    scenarios, faults = _read(rules.suite, root, edited, heirs)
    same = {name: old[name] for name in scenario_files if name not in edited and name in old}
    if len(same) + len(edited) < len(scenario_files):  # a file lies deeper than its id tells
        return None
    named = {file_of(each.id) for each in scenarios.values()}
    if len(named) != len(scenarios) or not named.isdisjoint(same):
        return None
    scenarios |= {file_of(each): rules.suite.scenarios[each] for each in _under(before, rules.rulesets, same)}
    in_order = sorted(scenarios, key=_in_order)
    faults = faults or [fault for name in in_order for fault in lint_of_suite(rules.suite, scenarios[name])]
    broken = {fault.file for fault in faults}
    sound = {name: each for name, each in scenarios.items() if each.file not in broken}
    rest = {name: line for name, line in same.items() if name not in scenarios}
    lines = _lines(rules, before, now, rest, sound, heirs.at_work)
    overtaken = any(
        digest_of_file(str(root / name)) != now.files[name]
        for name in (*edited, *edited_rules, AT_WORK)
        if name in now.files
    )
    return Edited(lines, faults, overtaken)


def _edited_scenarios(before: Compiled, now: Snapshot, heirs: "Heirs") -> list[str] | None:
    """Return the files of the scenarios that were edited, or whose outcomes other rulesets inherit than before; None
    where it cannot be read which inherit them."""
    other_heirs: Collection[str] = ()
    if before.made_of.files.get(AT_WORK) != now.files.get(AT_WORK):
        if not heirs.read():
            return None
        other_heirs = {file_of(name) for name in before.scenario_ids if heirs.before(name) != heirs.of(name)}
    files = before.made_of.files
    return [
        name for name in now.files if _is_scenario(name) and (name in other_heirs or files.get(name) != now.files[name])
    ]


def _in_order(name: str) -> list[str]:
    """Return the key by which files are in the order in which a suite has them."""
    return name.split("/")


def _under(before: Compiled, rulesets: Collection[str], among: Container[str]) -> Iterator[str]:
    """Yield the scenarios among these files that have a check under one of these rulesets, with options or without."""
    for scenario, names in before.checks if rulesets else ():
        if file_of(scenario) in among and any(name.partition("+")[0] in rulesets for name in names):
            yield scenario


def _read(
    suite: Suite, root: Path, edited: Sequence[str], heirs: "Heirs"
) -> tuple[dict[str, Scenario], list[Diagnostic]]:
    """Return the edited scenarios by the names of their files, and the faults of those that cannot be used."""
    found: dict[str, Scenario] = {}
    faults: list[Diagnostic] = []
    for name in edited:
        path = root / name
        try:
            document = read_document(suite.schemas, "scenario", path, suite.shown(path), within=tree(root))
        except Invalid as invalid:
            faults += invalid.diagnostics
            continue
        scenario = document.data["id"]
        found[name] = scenario_from(document, heirs.of(scenario))
    return found, faults


class Heirs:
    """The rulesets that inherit the outcomes of scenarios, which do not depend on the files of these: from the lines of
    the cache, or from the file of the spec once that is read."""

    def __init__(self, suite: Suite, lines: Mapping[str, bytes]) -> None:
        self._lines, self._known = lines, known_names(suite.rulesets)
        self.at_work: AtWork | None = None
        self._in_file = cache(lambda: read_at_work(suite.root, suite.schemas))

    def read(self) -> bool:
        """Read the file of the spec; return whether it is sound."""
        try:
            self.at_work = self._in_file()
        except Invalid:
            return False
        return True

    def of(self, scenario: str) -> Inherited:
        """Return the rulesets that inherit the outcomes of a scenario; raises Invalid where a new scenario needs a file
        that is damaged."""
        if self.at_work is None and file_of(scenario) in self._lines:
            return self.before(scenario)
        at_work = self.at_work or self._in_file()
        return existing(at_work.of(scenario).checks, self._known)

    def before(self, scenario: str) -> Inherited:
        """Return what the cache has of a scenario."""
        *_, inherited = json.loads(self._lines[file_of(scenario)])
        return {ruleset: tuple(heirs) for ruleset, heirs in inherited.items()}


def _lines(
    rules: EditedRules,
    before: Compiled,
    now: Snapshot,
    same: Mapping[str, bytes],
    edited: Mapping[str, Scenario],
    at_work: AtWork | None,
) -> list[bytes]:
    """Return the lines of the suite with the edited rules, and the same and the edited scenarios."""
    suite = rules.suite
    documents = {**same, **{name: store.line_of(written_document(suite.root, each)) for name, each in edited.items()}}
    ids = {file_of(name): name for name in before.scenario_ids if file_of(name) in same}
    ids |= {name: each.id for name, each in edited.items()}
    in_order = sorted(documents, key=_in_order)
    headings = {name: each for name, each in before.headings().items() if file_of(name) in same}
    headings |= _headings(replace(suite, scenarios={each.id: each for each in edited.values()}))
    checks = sorted(headings)
    _, _, at_work_in, sources, rulesets, scenarios, censuses, _ = before.first
    at_work_in = at_work_in if at_work is None else at_work.clauses
    at = len(sources) + len(rulesets)
    rest = [
        *(headings[name][1] for name in checks),
        *_with_edited("sources", sources, before.documents, rules),
        *_with_edited("rulesets", rulesets, before.documents[len(sources) :], rules),
        *(documents[name] for name in in_order),
        *_with_edited("census", censuses, before.documents[at + len(scenarios) :], rules),
    ]
    tables = (sources, rulesets, [ids[name] for name in in_order], censuses)
    first = [_digest(tables, rest[len(checks) :]), [[name, headings[name][0]] for name in checks], at_work_in]
    return [store.line_of([*first, *tables, now]), *rest]


def _with_edited(folder: str, ids: Sequence[str], lines: Sequence[bytes], rules: EditedRules) -> Iterator[bytes]:
    """Yield the lines of these documents, and in place of an edited one its new line."""
    for name, line in zip(ids, lines, strict=False):
        yield rules.lines.get((folder, name), line)


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
