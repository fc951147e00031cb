"""Inheritance: the options and extending rulesets whose cells affect a scenario and that share its outcome; and checks
for the clauses that decide no outcome.

An outcome given for a ruleset holds for its options and for the rulesets that extend it, unless its file says
otherwise. This module proves it, and writes a file from which the loader takes the inherited checks. An outcome cites
the clauses that decide it; for a clause that decides none, the same file lists a few checks that it affects.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import trace_acts
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.reports.progress import counted
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.paths import AT_WORK, kind_of
from hoyle_conformance.suite.suite import AtWork, OfScenario, Suite, bases, read_at_work, written
from hoyle_conformance.tools.validate.prove import check_faults, not_inherited
from hoyle_reference import Malformed

#: The number of checks for a clause, each of another scenario.
_ENOUGH: Final = 5
_REMEDY = "Run 'hoyle validate --lock' and commit the file."
#: A function that returns the cells in which a ruleset differs from the one it inherits from.
Changes = Callable[[str, str], frozenset[str]]


def clauses_at_work(suite: Suite, check: Check) -> frozenset[str]:
    """Return the clauses of the ruleset's own sources that affect a check."""
    rules, sources = suite.rules.of(check.ruleset), suite.rulesets[check.ruleset.partition("+")[0]].sources
    grounds = {path for each in trace_acts(rules, planner_of(suite).request(check).message) for path in each.grounds}
    return frozenset(each for each in rules.cells.clauses(grounds) if each.partition("/")[0] in sources)


def undecided_checks(suite: Suite, before: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the checks affected by each clause that decides no outcome: those in the file `before`, as far as they
    still are, supplemented with those that have the fewest other clauses."""
    decided = {clause for check in suite.index.headings.values() for clause in check.cites}
    left = [name for name, each in suite.clauses.items() if not each.not_testable and name not in decided]
    found = {clause: _still_at_work(suite, clause, before.get(clause, ())) for clause in left}
    if any(not each or len(each) < len(before[clause]) for clause, each in found.items()):
        others = _simplest_first(suite, left)
        found = {clause: _fill_up(each, others[clause]) for clause, each in found.items()}
    return {clause: found[clause] for clause in sorted(found) if found[clause]}


def _still_at_work(suite: Suite, clause: str, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        name
        for name in names
        if name in suite.index.checks and clause in clauses_at_work(suite, suite.index.checks[name])
    )


def _simplest_first(suite: Suite, clauses: Iterable[str]) -> Mapping[str, list[str]]:
    """Return the checks affected by each of these clauses, those with the fewest other clauses first."""
    wanted, found = frozenset(clauses), defaultdict[str, list[tuple[int, bool, str]]](list)
    for name, check in suite.index.checks.items():
        at_work = clauses_at_work(suite, check)
        for clause in wanted & at_work:
            found[clause].append((len(at_work), "+" in check.ruleset, name))
    return defaultdict(list, {clause: [name for _, _, name in sorted(each)] for clause, each in found.items()})


def _fill_up(present: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    """Return enough checks of different scenarios: the present ones, then others."""
    found = list(present)
    scenarios = {name.partition("@")[0] for name in present}
    for name in others:
        if len(found) < _ENOUGH and name.partition("@")[0] not in scenarios:
            scenarios.add(name.partition("@")[0])
            found.append(name)
    return tuple(found)


class InheritedStatus(StrEnum):
    """The status of an outcome under a ruleset that may inherit it."""

    IMPOSSIBLE = "its position cannot be set up, or a step makes no sense"
    NOT_AT_WORK = "none of the changed cells is at work"
    HOLDS = "changed cells are at work, but the outcome is the same"
    DIFFERS = "the outcome is different"


class InheritedOutcome(NamedTuple):
    """The status of an outcome under a ruleset, and the fault if the outcome differs."""

    status: InheritedStatus
    fault: Diagnostic | None = None


def _changed_cells(suite: Suite) -> Changes:
    @cache
    def changed(base: str, name: str) -> frozenset[str]:
        old, new = (
            {cell.path: (cell.value, cell.readings) for cell in suite.rules.cells(each)} for each in (base, name)
        )
        return frozenset(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))

    return changed


class Inheritance:
    """The rulesets that may inherit an outcome of a scenario, each with the ruleset named in the file."""

    def __init__(self, suite: Suite, scenario: Scenario, changes: Changes) -> None:
        self.scenario, self.from_ = scenario, dict[str, str]()
        self._suite, self._changes = suite, changes
        self.named = {
            check.ruleset: check for check in suite.index.checks_of(scenario) if check.ruleset in scenario.named
        }
        data = scenario.document.data
        entries = [*data.get("outcomes", ()), *data.get("followed_by", ())]
        ends = {*self.named, *(name for each in entries for name in each.get("but_not", ()))}
        for name in suite.rules.names:
            first = next((each for each in (name, *bases(suite.rulesets, name)) if each in ends), name)
            if first in self.named and first != name:
                self.from_[name] = first
        self._grounds = cache(self._at_work)

    def outcome(self, name: str, was: str = "") -> InheritedOutcome:
        """Return the status of the outcome under one of these rulesets. `was` is the status in the file: if the steps
        confirm it, the proof is not repeated."""
        base = self.named[self.from_[name]]
        scenario = _also_for(self.scenario, base.ruleset, name)
        check = next(each for each in self._suite.index.checks_of(scenario) if each.ruleset == name)
        try:
            plan = planner_of(self._suite).request(check)
            all_taken = trace_acts(self._suite.rules.of(name), plan.message, plan.message["observe"])
            is_same = not judge(check, plan, [each.observation for each in all_taken], trusted=True).mismatch
            changed = self._changes(base.ruleset, name)
            grounds = self._grounds(base.ruleset).union(path for each in all_taken for path in each.grounds)
            if is_same and changed.isdisjoint(grounds):
                return InheritedOutcome(InheritedStatus.NOT_AT_WORK)
            if was == ("holds" if is_same else "differs"):
                return InheritedOutcome(InheritedStatus.HOLDS if is_same else InheritedStatus.DIFFERS)
            faults = check_faults(self._suite, check)
        except (CannotSetUp, Malformed, LookupError):  # the last: the ruleset lacks a reading
            return InheritedOutcome(InheritedStatus.IMPOSSIBLE)
        return (
            InheritedOutcome(InheritedStatus.DIFFERS, faults[0]) if faults else InheritedOutcome(InheritedStatus.HOLDS)
        )

    def _at_work(self, named: str) -> frozenset[str]:
        """Return the cells that affect the outcome under a ruleset named in the file."""
        steps = trace_acts(self._suite.rules.of(named), planner_of(self._suite).request(self.named[named]).message)
        return frozenset(path for each in steps for path in each.grounds)


def _also_for(scenario: Scenario, named: str, name: str) -> Scenario:
    """Return a scenario in which one ruleset inherits the outcome of another, without other inheritance."""

    def rulesets(before: tuple[str, ...]) -> tuple[str, ...]:
        own = tuple(each for each in before if each in scenario.named)
        return (*own, name) if named in own else own

    return replace(
        scenario,
        outcomes=tuple(replace(each, rulesets=rulesets(each.rulesets)) for each in scenario.outcomes),
        followed_by=tuple(replace(each, rulesets=rulesets(each.rulesets)) for each in scenario.followed_by),
        inherited={named: (name,)},
    )


class UpdatedLine(NamedTuple):
    """The correct line of a scenario, the faults of rulesets that inherit an outcome wrongly, and the line's difference
    from the previous one, if any."""

    line: OfScenario
    faults: Mapping[str, Diagnostic]
    changed: str


def updated_line(suite: Suite, scenario: Scenario, at_work: AtWork, changes: Changes | None = None) -> UpdatedLine:
    """Return the line of a scenario, starting from the file. A check remains one, and a ruleset whose changed cells
    affect the outcome becomes one. Only for new rulesets does the line state that an outcome does not hold."""
    before, inheritance = at_work.of(scenario.id), Inheritance(suite, scenario, changes or _changed_cells(suite))
    was = {
        (named, name): key
        for key in ("checks", "holds", "differs")
        for named, names in getattr(before, key).items()
        for name in names
    }
    lists: dict[str, dict[str, list[str]]] = {"checks": {}, "holds": {}, "differs": {}}
    faults: dict[str, Diagnostic] = {}
    stopped: set[str] = set()
    for name, named in inheritance.from_.items():
        old = was.get((named, name), "")
        if old != "checks" and not stopped.isdisjoint(bases(suite.rulesets, name)):
            continue  # it would inherit through a ruleset that does not inherit
        found = InheritedOutcome(InheritedStatus.HOLDS) if old == "checks" else inheritance.outcome(name, old)
        if found.status in {InheritedStatus.DIFFERS, InheritedStatus.IMPOSSIBLE}:
            stopped.add(name)
        key = ""
        if found.status is InheritedStatus.HOLDS:
            key = old if old == "holds" else "checks"
        elif found.status is InheritedStatus.DIFFERS:
            key = "differs"
            if old != "differs" and name in at_work.rulesets and found.fault:
                faults[name] = not_inherited(inheritance.named[named], name, found.fault)
        if key:
            lists[key].setdefault(named, []).append(name)
    inherited = ({named: tuple(names) for named, names in lists[key].items()} for key in ("checks", "holds", "differs"))
    line = OfScenario(scenario.id, *inherited)
    return UpdatedLine(line, faults, "" if line == before else _difference(before, line))


def _difference(before: OfScenario, now: OfScenario) -> str:
    """Return in words the first difference between two lines of a scenario."""
    for key, says in (("checks", "is checked under"), ("holds", "holds for"), ("differs", "does not hold for")):
        old, new = ({name for names in getattr(each, key).values() for name in names} for each in (before, now))
        for name in sorted(new - old):
            return f"{now.scenario} {says} {name}, but {AT_WORK} does not list it there"
        for name in sorted(old - new):
            return f"{AT_WORK} lists {now.scenario} under '{key}' for {name}, but should not"
    return f"the line of {now.scenario} is not in the usual form"


def inheritance_faults(suite: Suite, path: Path) -> Mapping[str, Diagnostic]:
    """Return the faults of rulesets that inherit an outcome of a valid file wrongly, by ruleset; none for a file that
    is not a scenario or only proposes outcomes."""
    if kind_of(path) != "scenario":
        return {}
    document = read_file(path, shown_path(path))
    at_work = _read_at_work(suite, document.data["id"])
    scenario = scenario_from(document, at_work.of(document.data["id"]).checks)
    return {} if scenario.proposals else updated_line(suite, scenario, at_work).faults


def lint_at_work(suite: Suite, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield the faults of inherited outcomes; if there are none, a fault if the file of inherited outcomes is stale."""
    text, faults, changed = updated_at_work(suite, proofs=proofs)
    yield from faults
    if not faults and text is not None and changed:
        yield Diagnostic(suite.shown(suite.root / AT_WORK), 1, 1, "at-work-stale", changed, _REMEDY)


def updated_at_work(
    suite: Suite, only: frozenset[str] | None = None, proofs: Proofs = ALL_ANEW
) -> tuple[str, list[Diagnostic], str]:
    """Return the correct text of the file, or the text with only the lines of the scenarios `only` updated; the faults;
    and the first difference, if any."""
    at_work = _read_at_work(suite)
    lines = dict(at_work.lines)
    faults: list[Diagnostic] = []
    changed, changes = "", _changed_cells(suite)
    selected = [name for name in suite.scenarios if only is None or name in only]
    for name in counted(selected, "inherited outcome"):
        scenario = suite.scenarios[name]
        inputs = partial(_inputs, suite, scenario, at_work)
        if proofs.holds(inputs):
            continue  # its line is already correct
        updated = updated_line(suite, scenario, at_work, changes)
        if not updated.faults and not updated.changed:
            proofs.note(inputs)
        faults += updated.faults.values()
        changed = changed or updated.changed
        lines[name] = updated.line
    if only is None:
        gone = [name for name in lines if name not in suite.scenarios]
        if gone:
            changed = changed or f"scenario {gone[0]} no longer exists"
        lines = {name: line for name, line in lines.items() if name in suite.scenarios}
        if at_work.rulesets != set(suite.rules.names):
            changed = changed or "the rulesets and options have changed since it was written"
    clauses = undecided_checks(suite, at_work.clauses)
    if clauses != at_work.clauses:
        name = min(
            clause for clause in {*clauses, *at_work.clauses} if clauses.get(clause) != at_work.clauses.get(clause)
        )
        changed = changed or f"the checks in which {name} is at work have changed"
    names = suite.rules.names if only is None else [each for each in suite.rules.names if each in at_work.rulesets]
    return written(names, lines.values(), clauses), faults, changed


def _inputs(suite: Suite, scenario: Scenario, at_work: AtWork) -> Sequence[Any]:
    """Return the files on which the line of a scenario depends, including all rulesets that can inherit an outcome."""
    chains, data = suite.derived(_chains), scenario.document.data
    entries = [*data.get("outcomes", ()), *data.get("followed_by", ())]
    ends = {name for each in entries for name in (*each["rulesets"], *each.get("but_not", ()))}
    heirs = {name: chain for name, chain in chains.items() if not ends.isdisjoint(chain)}
    line, inputs = at_work.of(scenario.id).written(), inputs_of(suite)
    return "inheritance", inputs.scenario(scenario), line, sorted(at_work.rulesets), heirs, inputs.rules(heirs)


def _chains(suite: Suite) -> Mapping[str, Sequence[str]]:
    """Return each ruleset, plain and with each of its options, followed by those whose outcomes it can inherit."""
    return {name: [name, *bases(suite.rulesets, name)] for name in suite.rules.names}


def _read_at_work(suite: Suite, only: str = "") -> AtWork:
    try:
        return read_at_work(suite.root, suite.schemas, only)
    except Invalid:  # loading the suite has reported this
        return AtWork()
