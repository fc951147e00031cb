"""The suite as a value: sources, rulesets and scenarios, and everything that follows from them."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.files.lazy import Lazily
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.model import (
    Census,
    Check,
    Clause,
    Filed,
    Heading,
    Relabelling,
    Ruleset,
    Scenario,
    Source,
    checks_of,
    topic_of,
)
from hoyle_conformance.suite.paths import shown
from hoyle_reference.cells import Cells, lay_flat, offered_by
from hoyle_reference.table.refusals import Malformed

if TYPE_CHECKING:
    from hoyle_conformance.checks.plan import Capabilities
    from hoyle_conformance.checks.setup.watched import Watched
    from hoyle_reference import Game, Rules

#: The lists of combinations that tables may have.
_ROWS: Final = ("classes.combinations", "classes.nought", "declare.melds")
#: A ruleset, with the readings of some of its cells by their paths.
_Read = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(slots=True)
class Known:
    """What has been worked out of a suite, and is the same if it is worked out anew: cells, rules, the same watched,
    games by them that nobody has begun, what they cite, what their combinations are called, checks and plans, each when
    it was first needed; or all headings, the digest and plans, where those were kept; and the checks as they are put,
    whose plans are those that are kept; the preludes read so far, by table; those proved, by check; and what all
    readings of a ruleset agree on when they are asked something.

    `sound` is set where the positions of all checks are known to be; `address` is where all this is kept, if anywhere.
    """

    cells: dict[_Read, Cells] = field(default_factory=dict)
    rules: dict[_Read, "Rules"] = field(default_factory=dict)
    watched: dict[str, "Watched"] = field(default_factory=dict)
    unbegun: dict[_Read, "Game"] = field(default_factory=dict)
    cited: dict[str, frozenset[str]] = field(default_factory=dict)
    melds: dict[str, Mapping[str, str]] = field(default_factory=dict)
    checks: dict[str, Check] = field(default_factory=dict)
    plans: dict[tuple[str, Relabelling], tuple[Check, RunRequest]] = field(default_factory=dict)
    headings: Callable[[], Mapping[str, Heading]] | None = None
    digest: str = ""
    kept_plans: Mapping[str, RunRequest] = field(default_factory=dict)
    put: dict[str, Check] = field(default_factory=dict)
    preludes: dict[str, Any] = field(default_factory=dict)
    proved: dict[str, tuple[Check, Any]] = field(default_factory=dict)
    agreed: dict[tuple[str, str], Any] = field(default_factory=dict)
    sound: bool = False
    address: str = ""


class JoinedRules(Protocol):
    """House rules that are joined to a suite: their ruleset, and the one that it extends, with its options."""

    @property
    def ruleset(self) -> Ruleset:
        """Their table."""

    @property
    def base(self) -> str:
        """The ruleset that they change."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The paths of the cells that they change."""

    @property
    def written(self) -> Mapping[str, Any]:
        """The file as it is written."""

    def check(self, suite: "Suite", base: Check) -> Check | None:
        """What a check of that ruleset is under these rules; nothing where it makes no sense under them."""

    def joined(self, suite: "Suite") -> "Suite":
        """A suite with these rules."""


@dataclass(frozen=True)
class Suite:
    """All that a spec folder holds: what its files say, and the checks that this makes; and `house` rules, where some
    are joined to it.

    `lock` is the text of its ids.lock; `strays` are files in it that are never read; `left_out` says why scenarios are
    missing, where some are; `at_work_in` are checks in which a clause is at work that decides no outcome, by clause.
    """

    root: Path
    version: str
    schemas: Schemas = field(repr=False)
    sources: Mapping[str, Source] = field(repr=False)
    rulesets: Mapping[str, Ruleset] = field(repr=False)
    scenarios: Mapping[str, Scenario] = field(repr=False)
    lock: str = field(repr=False)
    strays: tuple[Path, ...] = field(repr=False)
    censuses: Mapping[str, Census] = field(default_factory=dict, repr=False)
    left_out: tuple[Diagnostic, ...] = field(default=(), repr=False)
    at_work_in: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    house: JoinedRules | None = field(default=None, repr=False)
    known: Known = field(default_factory=Known, init=False, repr=False, compare=False)

    def without(self, faults: Iterable[Diagnostic]) -> "Suite":
        """The suite without the scenarios in whose files there are faults."""
        more = tuple(faults)
        if not more:
            return self
        broken = {fault.file for fault in more}
        sound = {name: each for name, each in self.scenarios.items() if each.file not in broken}
        return replace(self, scenarios=sound, left_out=(*self.left_out, *more))

    def with_games(self, census: Census) -> "Suite":
        """The suite with the games of a census that is none of its files."""
        other = replace(self, censuses={**self.censuses, census.id: census})
        other.known.digest, other.known.sound = self.digest, self.known.sound
        return other

    def is_of_a_scenario(self, fault: Diagnostic) -> bool:
        """Whether the file of a fault is one of the scenarios."""
        return fault.file.startswith(self.shown(self.root / "scenarios"))

    def shown(self, path: Path) -> str:
        """The path of a file of this spec as it is printed."""
        return shown(self.root, path)

    @cached_property
    def capabilities(self) -> "Capabilities":
        """The words that implementations claim, and which of them a check needs."""
        from hoyle_conformance.checks.plan import Capabilities

        return Capabilities(self.schemas)

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause of every ledger, by id."""
        return {clause.id: clause for source in self.sources.values() for clause in source.clauses}

    @cached_property
    def headings(self) -> Mapping[str, Heading]:
        """What every check of the suite is listed by, by its id, in the order of the scenarios' ids."""
        if self.known.headings:
            return self.known.headings()
        checks = [check for key in sorted(self.scenarios) for check in self.checks_of(self.scenarios[key])]
        self.known.checks |= {check.id: check for check in checks}
        return {check.id: check.heading._replace(also=self.also.get(check.id, ())) for check in checks}

    @cached_property
    def also(self) -> Mapping[str, tuple[str, ...]]:
        """The clauses that decide no outcome and are known to be at work in a check, by the check's id."""
        found: dict[str, tuple[str, ...]] = {}
        for clause, names in self.at_work_in.items():
            found |= {name: (*found.get(name, ()), clause) for name in names}
        return found

    @cached_property
    def checks_by_ruleset(self) -> Counter[str]:
        """How many checks there are under each ruleset that has some."""
        return Counter(name.partition("@")[2] for name in self.headings)

    @cached_property
    def checks_by_topic(self) -> Counter[str]:
        """How many checks there are of each topic."""
        return Counter(map(topic_of, self.headings))

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """Every check of the suite, by id, in the order of the scenarios' ids."""
        return Lazily(self.headings, self._check)

    def _check(self, name: str) -> Check:
        if name not in self.known.checks:
            scenario = self.scenarios[self.headings[name].scenario]
            cites = {ruleset: self.headings[f"{scenario.id}@{ruleset}"].cites for ruleset in scenario.rulesets}
            self.known.checks |= {
                check.id: check for check in checks_of(scenario, lambda ruleset, clause: clause in cites[ruleset])
            }
        return self.known.checks[name]

    def checks_of(self, scenario: Scenario) -> tuple[Check, ...]:
        """The checks that a scenario makes, each resting on those clauses cited that its ruleset's table cites too; and
        the one under house rules."""
        checks = checks_of(scenario, lambda ruleset, clause: clause in self.cited_by(ruleset))
        return (*checks, *self._of_the_house(checks))

    def _of_the_house(self, checks: Iterable[Check]) -> Iterator[Check]:
        """What the check of the ruleset that house rules extend is under them, if it is among these."""
        house = self.house
        base = next((check for check in checks if house and check.ruleset == house.base), None)
        own = house.check(self, base) if house and base else None
        if own:
            yield own

    def cited_by(self, ruleset: str) -> frozenset[str]:
        """The clauses behind the cells of a table."""
        if ruleset not in self.known.cited:
            cells = self.cells(ruleset)
            self.known.cited[ruleset] = cells.clauses(cell.path for cell in cells)
        return self.known.cited[ruleset]

    def known_as(self, ruleset: str) -> tuple[str, ...]:
        """The names under which an implementation may claim a ruleset: house rules also under the name, with or without
        its options, of the one that they extend."""
        house = self.house
        if house is None or ruleset != house.ruleset.id:
            return (ruleset,)
        return tuple(dict.fromkeys((ruleset, house.base, house.base.partition("+")[0])))

    @cached_property
    def games(self) -> Mapping[str, Sequence[Ruleset]]:
        """The rulesets of each game, those with fewer packs first."""
        in_order = sorted(self.rulesets.values(), key=lambda each: (self.rules(each.id).packs, each.id))
        names = dict.fromkeys(each.game for each in self.rulesets.values())
        return {game: [each for each in in_order if each.game == game] for game in names}

    @cached_property
    def ruleset_names(self) -> tuple[str, ...]:
        """Every ruleset, plain and with each of its options."""
        options = (f"{name}+{option}" for name in self.rulesets for option in self.options(name))
        return (*self.rulesets, *options)

    def cells(self, ruleset: str, readings: Mapping[str, str] | None = None) -> Cells:
        """The cells of a ruleset with its options; raises Malformed where there is none of that name."""
        key = _read(ruleset, readings)
        if key not in self.known.cells:
            self.known.cells[key] = self._laid_flat(ruleset, readings)
        return self.known.cells[key]

    def _laid_flat(self, ruleset: str, readings: Mapping[str, str] | None) -> Cells:
        name, *options = ruleset.split("+")
        if name not in self.rulesets:
            raise Malformed(f"no ruleset '{name}'")
        in_order = [option for option in self.options(name) if option in options]
        if set(options) == set(in_order) and options != in_order:
            raise Malformed(f"'{ruleset}' is written '{'+'.join((name, *in_order))}'")
        return lay_flat(self.table(name), options, readings)

    def other_readings(self, ruleset: str) -> list[tuple[str, str]]:
        """Every reading of a cell that a table does not follow, by the cell's path and the name of the reading."""
        cells = self.cells(ruleset)
        return [(cell.path, each.name) for cell in cells for each in cell.readings if each.name != cell.follows]

    def rules(self, ruleset: str, readings: Mapping[str, str] | None = None) -> "Rules":
        """The rules that these cells make, compiled once; raises Malformed likewise."""
        key = _read(ruleset, readings)
        if key not in self.known.rules:
            from hoyle_reference.rules import compile_cells  # to look something up needs no interpreter

            self.known.rules[key] = compile_cells(ruleset, self.cells(ruleset, readings))
        return self.known.rules[key]

    def watched(self, ruleset: str) -> "Watched":
        """The same rules, compiled once, noting which cells are read; raises Malformed likewise."""
        if ruleset not in self.known.watched:
            from hoyle_conformance.checks.setup.watched import Watched

            self.known.watched[ruleset] = Watched(ruleset, self.cells(ruleset))
        return self.known.watched[ruleset]

    def unbegun(self, ruleset: str, readings: Mapping[str, str] | None = None) -> "Game":
        """A game by these rules that nobody has begun: it can be asked what needs no position; raises Malformed
        likewise."""
        key = _read(ruleset, readings)
        if key not in self.known.unbegun:
            from hoyle_reference import new_game

            self.known.unbegun[key] = new_game(self.rules(ruleset, readings))
        return self.known.unbegun[key]

    def options(self, name: str) -> Mapping[str, str]:
        """The options of a ruleset, with their titles: those it takes over from the one it extends, and its own."""
        return {option: each["title"] for option, each in offered_by(self.table(name)).items()}

    def table(self, name: str) -> Mapping[str, Any]:
        """The table of a ruleset as the interpreter reads it: with the whole table that it extends, if any; with its
        options it is one that extends the plain one."""
        name, *options = name.split("+")
        table: Mapping[str, Any] = self.rulesets[name].document.data
        if "extends" in table:
            table = {**table, "extends": self.table(table["extends"])}
        for option in options:
            table = {"id": f"{table['id']}+{option}", "extends": table, "changes": offered_by(table)[option]}
        return table

    def meld_names(self, ruleset: str) -> Mapping[str, str]:
        """The names of a ruleset's combinations, by id."""
        if ruleset not in self.known.melds:
            self.known.melds[ruleset] = meld_names(self.cells(ruleset))
        return self.known.melds[ruleset]

    def title(self, ruleset: str) -> str:
        """The title of a ruleset, with those of its options."""
        name, *options = ruleset.split("+")
        offered = self.options(name)
        return ", ".join([self.rulesets[name].title, *(offered[option].lower() for option in options)])

    def plan(self, check: Check) -> RunRequest:
        """What is sent to an implementation for a check; raises Incomplete where its position cannot be completed."""
        known, planned = self.known.plans.get((check.id, check.turned), (None, None))
        if planned is None or known != check:  # a file meant for the suite may have the id of one that is in it
            kept = self.known.kept_plans[check.id] if self.known.put.get(check.id) is check else None
            planned = kept or self._new_plan(check)
            self.known.plans[check.id, check.turned] = check, planned
        return planned

    def kept_plan(self, check: Check) -> RunRequest | None:
        """The plan that is kept of a check of this suite, turned as it is sent, if there is one."""
        kept, name = self.known.kept_plans, check.id
        return kept[name] if name in kept and self.checks[name] is check else None

    def note(self, check: Check, put: Check) -> None:
        """Note how a check of this suite is put, if its plan is kept just so."""
        kept = self.kept_plan(check)
        if kept and kept.turned == put.turned:
            self.known.put[put.id] = put

    def _new_plan(self, check: Check) -> RunRequest:
        """A plan, whose message is held against its schema here, once, however often it is sent; or was, when the
        suite was found to be sound."""
        from hoyle_conformance.checks.plan import plan

        planned = plan(check, self.rules(check.ruleset), self.capabilities)
        if not self._was_linted(check):
            complaint = self.schemas.complaint("message-run", {"type": "run", "seq": 1, **planned.message})
            if complaint:
                raise ValueError(f"the harness built a bad message: {complaint}")
        return planned

    def _was_linted(self, check: Check) -> bool:
        """Whether a check is one of those whose positions were set up when the suite was found to be sound."""
        if not self.known.sound or check.computed or check.origins:
            return False
        own = self.scenarios.get(check.scenario.id)  # a file meant for the suite may have the id of one that is in it
        return own is not None and own.document is check.scenario.document

    def can_plan(self, check: Check) -> bool:
        """Whether the position of a check can be completed."""
        try:
            self.plan(check)
        except CannotSetUp:
            return False
        return True

    def cites(self, clause: str) -> list[Heading]:
        """The checks that test a clause."""
        return [heading for heading in self.headings.values() if clause in heading.clauses]

    def knows(self, ruleset: str) -> bool:
        """Whether there is such a ruleset, with such options."""
        try:
            self.rules(ruleset)
        except Malformed:
            return False
        return True

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content of the suite, whatever the layout of its files."""
        return self.known.digest or self._digest()

    def _digest(self) -> str:
        tables: Mapping[str, Mapping[str, Filed]] = {
            "sources": self.sources,
            "rulesets": self.rulesets,
            "scenarios": self.scenarios,
            "census": self.censuses,
        }
        content = {
            kind: {name: value.document.data for name, value in sorted(table.items())} for kind, table in tables.items()
        }
        content["inherited"] = {name: each.inherited for name, each in sorted(self.scenarios.items()) if each.inherited}
        return hashlib.sha256(_canonical(content)).hexdigest()


def _read(ruleset: str, readings: Mapping[str, str] | None) -> _Read:
    return ruleset, tuple(sorted(readings.items())) if readings else ()


def meld_names(cells: Cells) -> Mapping[str, str]:
    """The names of the combinations in these cells, by id."""
    rows = (row for path in _ROWS for row in cells.rows(path))
    return {row.value["id"]: row.value["name"] for row in rows}


def _canonical(value: Any) -> bytes:
    """The one way to write a value as JSON, for digests."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
