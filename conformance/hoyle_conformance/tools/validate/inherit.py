"""Inheriting: which options and extending rulesets have their cells at work in a scenario, and come to its outcome.

An outcome that is given for a ruleset holds for its options and for the rulesets that extend it, unless its file says
otherwise. Here that is proved, and written to the file from which loading takes which of them are checks.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import taken
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.at_work import AtWork, Inherited, OfScenario, bases, read_at_work, written
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.paths import AT_WORK, kind_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.prove import entry_of, faults_of
from hoyle_conformance.tools.validate.undecided import checks_of_undecided
from hoyle_reference import Malformed

_ANEW = "Run 'hoyle validate --lock' and commit the file."


class InheritedStatus(StrEnum):
    """What an outcome is to a ruleset that may inherit it."""

    IMPOSSIBLE = "its position cannot be set up, or a step makes no sense"
    NOT_AT_WORK = "none of the changed cells is at work"
    HOLDS = "changed cells are at work, and the outcome is the same"
    DIFFERS = "the outcome is another"


class InheritedOutcome(NamedTuple):
    """What an outcome is to a ruleset, and what is another then."""

    status: InheritedStatus
    fault: Diagnostic | None = None


#: The cells that a ruleset has otherwise than the one from which it inherits.
Changes = Callable[[str, str], frozenset[str]]


def _changes(suite: Suite) -> Changes:
    @cache
    def changed(base: str, name: str) -> frozenset[str]:
        old, new = ({cell.path: (cell.value, cell.readings) for cell in suite.cells(each)} for each in (base, name))
        return frozenset(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))

    return changed


class Inheriting:
    """The rulesets that may inherit an outcome of a scenario: each with the one that the file names."""

    def __init__(self, suite: Suite, scenario: Scenario, changes: Changes) -> None:
        self.scenario, self.from_ = scenario, dict[str, str]()
        self._suite, self._changes = suite, changes
        self.named = {check.ruleset: check for check in suite.checks_of(scenario) if check.ruleset in scenario.named}
        data = scenario.document.data
        entries = [*data.get("outcomes", ()), *data.get("followed_by", ())]
        ends = {*self.named, *(name for each in entries for name in each.get("but_not", ()))}
        for name in suite.ruleset_names:
            first = next((each for each in (name, *bases(suite.rulesets, name)) if each in ends), name)
            if first in self.named and first != name:
                self.from_[name] = first
        self._grounds = cache(self._at_work)

    def found(self, name: str, was: str = "") -> InheritedOutcome:
        """What the outcome is to one of these rulesets. What it `was`, by the list of the file, is not proved again if
        the steps show as much."""
        base = self.named[self.from_[name]]
        check = self._inherited(base, name)
        try:
            plan = self._suite.plan(check)
            all_taken = taken(self._suite.rules(name), plan.message, plan.message["observe"])
            is_same = not judge(check, plan, [each.observation for each in all_taken], trusted=True).mismatch
            changed = self._changes(base.ruleset, name)
            grounds = self._grounds(base.ruleset).union(path for each in all_taken for path in each.grounds)
            if is_same and changed.isdisjoint(grounds):
                return InheritedOutcome(InheritedStatus.NOT_AT_WORK)
            if was == ("holds" if is_same else "differs"):
                return InheritedOutcome(InheritedStatus.HOLDS if is_same else InheritedStatus.DIFFERS)
            faults = faults_of(self._suite, check)
        except (CannotSetUp, Malformed, LookupError):  # the last of a reading that the ruleset has not
            return InheritedOutcome(InheritedStatus.IMPOSSIBLE)
        return (
            InheritedOutcome(InheritedStatus.DIFFERS, faults[0]) if faults else InheritedOutcome(InheritedStatus.HOLDS)
        )

    def _inherited(self, base: Check, name: str) -> Check:
        """The check of a ruleset that inherits the outcome of another."""
        scenario = _also_for(self.scenario, base.ruleset, name)
        return next(each for each in self._suite.checks_of(scenario) if each.ruleset == name)

    def _at_work(self, named: str) -> frozenset[str]:
        """The cells at work under a ruleset that the file names."""
        came = taken(self._suite.rules(named), self._suite.plan(self.named[named]).message)
        return frozenset(path for each in came for path in each.grounds)


def _also_for(scenario: Scenario, named: str, name: str) -> Scenario:
    """A scenario in which a ruleset inherits the outcome of another, and nothing else is inherited."""

    def rulesets(before: tuple[str, ...]) -> tuple[str, ...]:
        own = tuple(each for each in before if each in scenario.named)
        return (*own, name) if named in own else own

    return replace(
        scenario,
        outcomes=tuple(replace(each, rulesets=rulesets(each.rulesets)) for each in scenario.outcomes),
        followed_by=tuple(replace(each, rulesets=rulesets(each.rulesets)) for each in scenario.followed_by),
        inherited={named: (name,)},
    )


class Updated(NamedTuple):
    """The line of a scenario as it should be; the faults of rulesets that inherit an outcome and do not come to it, by
    ruleset; and how the line differs from the one before, if it does."""

    line: OfScenario
    faults: Mapping[str, Diagnostic]
    changed: str


def updated_line(suite: Suite, scenario: Scenario, at_work: AtWork, changes: Changes | None = None) -> Updated:
    """The line of a scenario, by what was in the file: a check stays one, a ruleset whose changed cells are at work
    becomes one, and that an outcome does not hold is written only for rulesets that the file did not know.
    """
    before, those = at_work.of(scenario.id), Inheriting(suite, scenario, changes or _changes(suite))
    was = {
        (named, name): key
        for key in ("checks", "holds", "differs")
        for named, names in getattr(before, key).items()
        for name in names
    }
    lists: dict[str, dict[str, list[str]]] = {"checks": {}, "holds": {}, "differs": {}}
    faults: dict[str, Diagnostic] = {}
    stopped: set[str] = set()
    for name, named in those.from_.items():
        old = was.get((named, name), "")
        if old != "checks" and not stopped.isdisjoint(bases(suite.rulesets, name)):
            continue  # it would inherit by way of a ruleset that does not
        found = InheritedOutcome(InheritedStatus.HOLDS) if old == "checks" else those.found(name, old)
        if found.status in {InheritedStatus.DIFFERS, InheritedStatus.IMPOSSIBLE}:
            stopped.add(name)
        key = ""
        if found.status is InheritedStatus.HOLDS:
            key = old if old == "holds" else "checks"
        elif found.status is InheritedStatus.DIFFERS:
            key = "differs"
            if old != "differs" and name in at_work.rulesets and found.fault:
                faults[name] = _not_inherited(those.named[named], name, found.fault)
        if key:
            lists[key].setdefault(named, []).append(name)
    line = OfScenario(scenario.id, *(_frozen(lists[key]) for key in ("checks", "holds", "differs")))
    return Updated(line, faults, "" if line == before else _why(before, line))


def _frozen(lists: Mapping[str, list[str]]) -> Inherited:
    return {named: tuple(names) for named, names in lists.items()}


def _why(before: OfScenario, now: OfScenario) -> str:
    """What is first in one line of a scenario and not in the other, in words."""
    for key, says in (("checks", "is checked under"), ("holds", "holds for"), ("differs", "does not hold for")):
        old, new = ({name for names in getattr(each, key).values() for name in names} for each in (before, now))
        for name in sorted(new - old):
            return f"{now.scenario} {says} {name}, and {AT_WORK} does not have it there"
        for name in sorted(old - new):
            return f"{AT_WORK} has {now.scenario} under '{key}' for {name}, and should not"
    return f"the line of {now.scenario} is written in another way"


def _not_inherited(base: Check, name: str, fault: Diagnostic) -> Diagnostic:
    key, at = entry_of(base)
    return base.scenario.document.diagnose(
        [key, at, "rulesets"],
        "not-inherited",
        f"the outcome does not hold for {name}, which inherits it: {fault.message}",
        f"Give {name} an outcome of its own, or name it under 'but_not'.",
        key=True,
    )


def not_inheriting(suite: Suite, path: Path) -> Mapping[str, Diagnostic]:
    """The faults of rulesets that inherit an outcome of the scenario in a sound file and do not come to it, by ruleset;
    none for another file, or for one that only proposes."""
    if kind_of(path) != "scenario":
        return {}
    document = read_file(path, shown_path(path))
    at_work = _read(suite)
    scenario = scenario_from(document, at_work.of(document.data["id"]).checks)
    return {} if scenario.proposals else updated_line(suite, scenario, at_work).faults


def lint_at_work(suite: Suite) -> Iterator[Diagnostic]:
    """What the file of what is at work does not say as it is, once; and outcomes that do not hold where they are
    inherited."""
    text, faults, changed = updated_at_work(suite)
    yield from faults
    if not faults and text is not None and changed:
        yield Diagnostic(suite.shown(suite.root / AT_WORK), 1, 1, "at-work-stale", changed, _ANEW)


def updated_at_work(suite: Suite, only: frozenset[str] | None = None) -> tuple[str, list[Diagnostic], str]:
    """The text of the file as it should be, or with the lines of `only` some scenarios anew; the faults found; and what
    is another than before, if anything is."""
    at_work = _read(suite)
    lines = dict(at_work.lines)
    faults: list[Diagnostic] = []
    changed, changes = "", _changes(suite)
    for name, scenario in suite.scenarios.items():
        if only is not None and name not in only:
            continue
        updated = updated_line(suite, scenario, at_work, changes)
        faults += updated.faults.values()
        changed = changed or updated.changed
        lines[name] = updated.line
    if only is None:
        gone = [name for name in lines if name not in suite.scenarios]
        if gone:
            changed = changed or f"there is no scenario {gone[0]} any more"
        lines = {name: line for name, line in lines.items() if name in suite.scenarios}
        if at_work.rulesets != set(suite.ruleset_names):
            changed = changed or "there are other rulesets and options than when it was written"
    clauses = checks_of_undecided(suite, at_work.clauses)
    if clauses != at_work.clauses:
        name = min(
            clause for clause in {*clauses, *at_work.clauses} if clauses.get(clause) != at_work.clauses.get(clause)
        )
        changed = changed or f"the checks in which {name} is at work are others"
    names = suite.ruleset_names if only is None else [each for each in suite.ruleset_names if each in at_work.rulesets]
    return written(names, lines.values(), clauses), faults, changed


def _read(suite: Suite) -> AtWork:
    try:
        return read_at_work(suite.root, suite.schemas)
    except Invalid:  # which was told when the suite was loaded
        return AtWork()
