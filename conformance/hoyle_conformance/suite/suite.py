"""The content of a spec folder as one value.

The parts are: the rulesets that inherit outcomes, the rule tables, the index of checks, and the suite.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import LARGEST_OF_LINES, read_json, read_text
from hoyle_conformance.files.schemas import Lazily, Schemas
from hoyle_conformance.suite.capabilities import Capabilities
from hoyle_conformance.suite.model import (
    Census,
    Check,
    Clause,
    Filed,
    Heading,
    Ruleset,
    Scenario,
    Source,
    checks_of,
    topic_of,
)
from hoyle_conformance.suite.paths import AT_WORK, shown, tree
from hoyle_reference import Cells, Malformed, lay_flat
from hoyle_reference.cells import offered_by

if TYPE_CHECKING:
    from hoyle_reference import Game, Rules


# ---- rulesets that inherit outcomes
#
# The file `spec/at-work.jsonl` has, by scenario, the options and extending rulesets under which an outcome is also
# checked.
#
# `hoyle suite validate --lock` writes the file. Its first line names the rulesets that were considered. Each other line
# belongs to a scenario, and has three lists under each ruleset that the scenario's file names: `checks`, the rulesets
# under which the outcome is also checked; `holds`, the rulesets in which a changed cell is at work and the outcome
# still holds but is not checked; and `differs`, the rulesets in which the outcome does not hold and the file gives no
# other. After these lines, one line for each clause that decides no outcome names checks in which it is at work.


#: The inheriting rulesets, by the ruleset from which they inherit.
Inherited = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class OfScenario:
    """The line of a scenario: the inheriting rulesets, by the ruleset that its file names."""

    scenario: str
    checks: Inherited = field(default_factory=dict)
    holds: Inherited = field(default_factory=dict)
    differs: Inherited = field(default_factory=dict)

    def written(self) -> str:
        """Return the line as JSON; empty if it would have no lists."""
        lists = {"checks": self.checks, "holds": self.holds, "differs": self.differs}
        filled = {key: each for key, each in lists.items() if each}
        return json.dumps({"scenario": self.scenario, **filled}) if filled else ""


@dataclass(frozen=True, slots=True)
class AtWork:
    """The whole file: the rulesets considered, the lines of scenarios, and the checks in which each clause that decides
    no outcome is at work."""

    rulesets: frozenset[str] = frozenset()
    lines: Mapping[str, OfScenario] = field(default_factory=dict)
    clauses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, scenario: str) -> OfScenario:
        """Return the line of a scenario, or an empty line."""
        return self.lines.get(scenario) or OfScenario(scenario)


def read_at_work(root: Path, schemas: Schemas, only: str = "") -> AtWork:
    """Read the file of a spec folder, or `only` the lines that may be about one scenario; return an empty value if
    there is no file. Raises Invalid if a line that is read is damaged."""
    file = shown(root, root / AT_WORK)
    if not os.path.lexists(root / AT_WORK):
        return AtWork()
    text = read_text(root / AT_WORK, file, within=tree(root), largest=LARGEST_OF_LINES)
    considered: set[str] = set()
    lines: dict[str, OfScenario] = {}
    clauses: dict[str, tuple[str, ...]] = {}
    for number, each in enumerate(text.splitlines(), start=1):
        if not each.strip() or (only and not _may_be_about(only, each)):
            continue
        data = _data(schemas, file, number, each)
        if "rulesets" in data:
            considered.update(data["rulesets"])
        elif "clause" in data:
            clauses[data["clause"]] = tuple(data["checks"])
        elif data["scenario"] in lines:
            raise Invalid([_damaged(file, number, f"{data['scenario']} has a line already")])
        else:
            lines[data["scenario"]] = _line(data)
    return AtWork(frozenset(considered), lines, clauses)


def _may_be_about(scenario: str, line: str) -> bool:
    """Return whether a line may be about a scenario or about the rulesets; its letters may be escaped."""
    return scenario in line or '"rulesets"' in line or "\\" in line


def _data(schemas: Schemas, file: str, number: int, text: str) -> Any:
    try:
        data = read_json(text)
    except ValueError as error:
        raise Invalid([_damaged(file, number, f"this line cannot be read: {error}")]) from error
    if complaint := schemas.complaint("at-work", data, "the line"):
        raise Invalid([_damaged(file, number, complaint)])
    return data


def _damaged(file: str, number: int, why: str) -> Diagnostic:
    return Diagnostic(
        file, number, 1, "damaged-at-work", f"the file is damaged: {why}", "Restore it as it was committed."
    )


def _line(data: Mapping[str, Any]) -> OfScenario:
    checks, holds, differs = (
        {named: tuple(each) for named, each in data.get(key, {}).items()} for key in ("checks", "holds", "differs")
    )
    return OfScenario(data["scenario"], checks, holds, differs)


def written(rulesets: Iterable[str], lines: Iterable[OfScenario], clauses: Mapping[str, Sequence[str]]) -> str:
    """Return the text of the file."""
    rows = (line.written() for line in sorted(lines, key=lambda line: line.scenario))
    last = (json.dumps({"clause": clause, "checks": checks}) for clause, checks in sorted(clauses.items()))
    return "".join(f"{row}\n" for row in (json.dumps({"rulesets": list(rulesets)}), *rows, *last) if row)


def known_names(rulesets: Mapping[str, Ruleset]) -> frozenset[str]:
    """Return every ruleset, plain and with each of its options, even if a table extends a ruleset that does not
    exist."""
    return frozenset(name for each in rulesets for name in (each, *(f"{each}+{o}" for o in _offered(rulesets, each))))


def _offered(rulesets: Mapping[str, Ruleset], name: str) -> Iterator[str]:
    dropped: set[str] = set()
    for each in _line_of(rulesets, name):
        yield from each.options.keys() - dropped
        dropped.update(each.document.data.get("changes", {}).get("without_options", ()))


def _line_of(rulesets: Mapping[str, Ruleset], name: str) -> Iterator[Ruleset]:
    """Yield a ruleset, the one that it extends, and so on."""
    seen: set[str] = set()
    while name in rulesets and name not in seen:
        seen.add(name)
        yield rulesets[name]
        name = rulesets[name].extends


def bases(rulesets: Mapping[str, Ruleset], name: str) -> list[str]:
    """Return the rulesets from which a ruleset can inherit outcomes, the nearest first: those that it extends, with the
    same option; then itself and those rulesets without the option."""
    plain, *options = name.split("+")
    chain = [each.id for each in _line_of(rulesets, plain)]
    if not options:
        return chain[1:]
    with_option = (f"{each}+{options[0]}" for each in chain[1:] if options[0] in set(_offered(rulesets, each)))
    return [*with_option, *chain]


# ---- rule tables


#: The lists of combinations that tables may have.
COMBINATIONS: Final = ("classes.combinations", "classes.nought", "declare.melds")
#: A ruleset with its options, and the readings of some of its cells, by path.
_Key = tuple[str, tuple[tuple[str, str], ...]]


class Extension(Protocol):
    """A ruleset joined to a suite, and the ruleset, with its options, that it extends."""

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is joined."""

    @property
    def base(self) -> str:
        """The ruleset that it extends."""

    @property
    def other_names(self) -> tuple[str, ...]:
        """The names under which an engine can also claim it, the preferred one first."""


class RuleBooks:
    """The rules of every ruleset of a suite, with its options; each is compiled on first use."""

    def __init__(self, rulesets: Mapping[str, Ruleset], extension: Extension | None = None) -> None:
        self._rulesets, self._extension = rulesets, extension
        self._cells: dict[_Key, Cells] = {}
        self._rules: dict[_Key, Rules] = {}
        self._fresh_games: dict[_Key, Game] = {}
        self._cited: dict[str, frozenset[str]] = {}
        self._melds: dict[str, Mapping[str, str]] = {}

    def of(self, ruleset: str, readings: Mapping[str, str] | None = None) -> "Rules":
        """Return the compiled rules of a ruleset, with other readings of some cells; raises Malformed if there is no
        such ruleset."""
        key = _key(ruleset, readings)
        if key not in self._rules:
            from hoyle_reference import compile_cells  # a lookup needs no interpreter

            self._rules[key] = compile_cells(ruleset, self.cells(ruleset, readings))
        return self._rules[key]

    def knows(self, ruleset: str) -> bool:
        """Return whether there is a ruleset with such options, and its rules can be compiled."""
        try:
            self.of(ruleset)
        except Malformed:
            return False
        return True

    def fresh_game(self, ruleset: str, readings: Mapping[str, str] | None = None) -> "Game":
        """Return a game before its first act, for questions that need no position; raises Malformed if there is no such
        ruleset."""
        key = _key(ruleset, readings)
        if key not in self._fresh_games:
            from hoyle_reference import new_game

            self._fresh_games[key] = new_game(self.of(ruleset, readings))
        return self._fresh_games[key]

    def cells(self, ruleset: str, readings: Mapping[str, str] | None = None) -> Cells:
        """Return the cells of a ruleset with its options; raises Malformed if there is no such ruleset."""
        key = _key(ruleset, readings)
        if readings and key not in self._cells:
            cells = self.cells(ruleset)
            self._cells[key] = cells.with_cells(cells[path].read_as(name) for path, name in readings.items())
        elif key not in self._cells:
            name, *options = ruleset.split("+")
            if name not in self._rulesets:
                raise Malformed(f"no ruleset '{name}'")
            in_order = [option for option in self.options(name) if option in options]
            if set(options) == set(in_order) and options != in_order:
                raise Malformed(f"'{ruleset}' is written '{'+'.join((name, *in_order))}'")
            self._cells[key] = lay_flat(self.table(name), options)
        return self._cells[key]

    def other_readings(self, ruleset: str) -> list[tuple[str, str]]:
        """Return every reading that a ruleset does not follow, as the path of its cell and the name of the reading."""
        cells = self.cells(ruleset)
        return [(cell.path, each.name) for cell in cells for each in cell.readings if each.name != cell.follows]

    def cited_by(self, ruleset: str) -> frozenset[str]:
        """Return the clauses behind the cells of a ruleset."""
        if ruleset not in self._cited:
            cells = self.cells(ruleset)
            self._cited[ruleset] = cells.clauses(cell.path for cell in cells)
        return self._cited[ruleset]

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the table of a ruleset in the form that the interpreter reads: the table that it extends is nested in
        it, and a table with options extends the plain one."""
        name, *options = name.split("+")
        table: Mapping[str, Any] = self._rulesets[name].document.data
        if "extends" in table:
            table = {**table, "extends": self.table(table["extends"])}
        for option in options:
            table = {"id": f"{table['id']}+{option}", "extends": table, "changes": offered_by(table)[option]}
        return table

    def options(self, name: str) -> Mapping[str, str]:
        """Return the titles of a ruleset's options by name, inherited options first."""
        return {option: each["title"] for option, each in offered_by(self.table(name)).items()}

    def title(self, ruleset: str) -> str:
        """Return the title of a ruleset, followed by those of its options."""
        name, *options = ruleset.split("+")
        return ", ".join([self._rulesets[name].title, *(self.options(name)[option].lower() for option in options)])

    def meld_names(self, ruleset: str) -> Mapping[str, str]:
        """Return the names of a ruleset's combinations and the titles of its irregularities, by id."""
        if ruleset not in self._melds:
            self._melds[ruleset] = meld_names(self.cells(ruleset))
        return self._melds[ruleset]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every ruleset, plain and with each of its options."""
        return (*self._rulesets, *(f"{name}+{option}" for name in self._rulesets for option in self.options(name)))

    def claimable_names(self, ruleset: str) -> tuple[str, ...]:
        """Return the names under which an engine can claim a ruleset; house rules have several."""
        more = self._extension
        return (ruleset, *more.other_names) if more and ruleset == more.ruleset.id else (ruleset,)

    @cached_property
    def games(self) -> Mapping[str, Sequence[Ruleset]]:
        """The rulesets of each game, sorted by number of packs."""
        in_order = sorted(self._rulesets.values(), key=lambda each: (self.of(each.id).packs, each.id))
        return {of.game: [each for each in in_order if each.game == of.game] for of in self._rulesets.values()}


def _key(ruleset: str, readings: Mapping[str, str] | None) -> _Key:
    return ruleset, tuple(sorted(readings.items())) if readings else ()


def meld_names(cells: Cells) -> Mapping[str, str]:
    """Return the names of the combinations and the titles of the irregularities in these cells, by id."""
    rows = (row.value for path in (*COMBINATIONS, "referee.irregularities") for row in cells.rows(path))
    return {"blank": "carte blanche", **{row["id"]: row.get("name") or row["title"] for row in rows}}


# ---- index of checks


def clauses_by_check(at_work_in: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    """Return the clauses that are at work in each check but decide no outcome, by check id."""
    found: dict[str, tuple[str, ...]] = {}
    for clause, names in at_work_in.items():
        found |= {name: (*found.get(name, ()), clause) for name in names}
    return found


class CheckIndex:
    """The checks of a suite and their headings.

    `under_house_rules` takes the checks of a scenario and returns the check under house rules, if there is one.
    `headings` returns headings computed earlier; without it, they are computed from the scenarios.
    """

    def __init__(
        self,
        scenarios: Mapping[str, Scenario],
        rules: RuleBooks,
        at_work_in: Mapping[str, Sequence[str]],
        under_house_rules: Callable[[Sequence[Check]], Check | None],
        headings: Callable[[], Mapping[str, Heading]] | None = None,
    ) -> None:
        self._scenarios, self._rules, self._at_work_in = scenarios, rules, at_work_in
        self._under_house_rules, self._computed_headings = under_house_rules, headings
        self._checks: dict[str, Check] = {}

    @cached_property
    def headings(self) -> Mapping[str, Heading]:
        """The heading of every check by id, in the order of the scenarios' ids."""
        if self._computed_headings:
            return self._computed_headings()
        checks = [check for key in sorted(self._scenarios) for check in self.checks_of(self._scenarios[key])]
        self._checks |= {check.id: check for check in checks}
        also = clauses_by_check(self._at_work_in)
        return {check.id: check.heading._replace(also=also.get(check.id, ())) for check in checks}

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """Every check by id, in the order of the scenarios' ids; each is made on first use."""
        return Lazily(self.headings, self._check)

    def _check(self, name: str) -> Check:
        if name not in self._checks:
            scenario = self._scenarios[self.headings[name].scenario]
            cites = {ruleset: self.headings[f"{scenario.id}@{ruleset}"].cites for ruleset in scenario.rulesets}
            self._checks |= {
                check.id: check for check in checks_of(scenario, lambda ruleset, clause: clause in cites[ruleset])
            }
        return self._checks[name]

    def checks_under(self, ruleset: str) -> Iterator[Check]:
        """Yield the checks under one ruleset, without making others."""
        return (self.checks[name] for name in self.headings if name.partition("@")[2] == ruleset)

    def checks_of(self, scenario: Scenario) -> tuple[Check, ...]:
        """Return the checks of a scenario, including the one under house rules. Each check cites the clauses of the
        outcome that its ruleset cites too."""
        checks = checks_of(scenario, lambda ruleset, clause: clause in self._rules.cited_by(ruleset))
        own = self._under_house_rules(checks)
        return (*checks, own) if own else checks

    def cites(self, clause: str) -> list[Heading]:
        """Return the headings of the checks that test a clause."""
        return [heading for heading in self.headings.values() if clause in heading.clauses]

    @cached_property
    def checks_by_ruleset(self) -> Counter[str]:
        """The number of checks under each ruleset that has any."""
        return Counter(name.partition("@")[2] for name in self.headings)

    @cached_property
    def checks_by_topic(self) -> Counter[str]:
        """The number of checks of each topic."""
        return Counter(map(topic_of, self.headings))


# ---- the suite


T = TypeVar("T")


class JoinedRules(Extension, Protocol):
    """House rules joined to a suite."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The paths of the cells that the rules change."""

    @property
    def changes(self) -> tuple[str, ...]:
        """These paths, and those of the cells, chapters and fields that the rules leave out."""

    @property
    def checked_as(self) -> tuple[str, ...]:
        """The rulesets whose checks these rules take over, the nearest first."""

    @property
    def written(self) -> Mapping[str, Any]:
        """The content of the file of the rules."""

    def check(self, suite: "Suite", base: Check) -> Check | None:
        """Return a check of the extended ruleset as it is under these rules; None if it makes no sense."""

    def joined(self, suite: "Suite") -> "Suite":
        """Return a suite with these rules."""


@dataclass(frozen=True)
class Suite:
    """The content of a spec folder, with `house` rules joined to it.

    `lock` is the text of its ids.lock, `strays` are files that are never read, and `left_out` has the reasons why
    scenarios are missing. `at_work_in` has, by clause, the checks in which a clause that decides no outcome is at work.
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
    _derived: dict[Callable[["Suite"], Any], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def rules(self) -> RuleBooks:
        """The compiled rule tables."""
        return RuleBooks(self.rulesets, self.house)

    @cached_property
    def index(self) -> CheckIndex:
        """The checks and their headings."""
        return self._index()

    def _index(self, headings: Callable[[], Mapping[str, Heading]] | None = None) -> CheckIndex:
        return CheckIndex(self.scenarios, self.rules, self.at_work_in, self._under_house_rules, headings)

    def _under_house_rules(self, checks: Sequence[Check]) -> Check | None:
        """Return the check under house rules made from one of the checks of a scenario; None if there is none."""
        house, of = self.house, {check.ruleset: check for check in checks}
        base = next((of[name] for name in house.checked_as if name in of), None) if house else None
        return house.check(self, base) if house and base else None

    def preset(self, digest: str, headings: Callable[[], Mapping[str, Heading]] | None = None) -> "Suite":
        """Set the digest of a new suite, and a function for its headings, from values computed earlier; return the
        suite."""
        vars(self)["digest"] = digest
        if headings:
            vars(self)["index"] = self._index(headings)
        return self

    def derived(self, make: Callable[["Suite"], T]) -> T:
        """Return what `make` returns for this suite, called only once; it is a value of a higher layer with a cache of
        its own."""
        if make not in self._derived:
            self._derived[make] = make(self)
        made: T = self._derived[make]
        return made

    def shown(self, path: Path) -> str:
        """Return the printed path of a file of this spec."""
        return shown(self.root, path)

    @cached_property
    def capabilities(self) -> Capabilities:
        """The words that adapters can claim."""
        return Capabilities(self.schemas)

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause of every ledger, by id."""
        return {clause.id: clause for source in self.sources.values() for clause in source.clauses}

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the content of the suite, independent of the layout of its files and of house rules."""
        return digest_of(
            {kind: {name: digest_of_filed(each) for name, each in table.items()} for kind, table in self.tables.items()}
        )

    @property
    def tables(self) -> Mapping[str, Mapping[str, Filed]]:
        """All values from files, by kind and id."""
        return {
            "sources": self.sources,
            "rulesets": self.rulesets,
            "scenarios": self.scenarios,
            "census": self.censuses,
        }


def digest_of(digests: Mapping[str, Mapping[str, str]]) -> str:
    """Return the digest of a suite from the digests of the values in its files, by kind and id."""
    return _sha256(digests)


def digest_of_filed(filed: Filed) -> str:
    """Return the digest of a value in a file: of its data, and of the rulesets that inherit outcomes of a scenario."""
    return _sha256([filed.document.data, filed.inherited if isinstance(filed, Scenario) else {}])


def _sha256(value: Any) -> str:
    canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def without_faulty(suite: Suite, faults: Iterable[Diagnostic]) -> Suite:
    """Return the suite without the scenarios whose files have faults."""
    more = tuple(faults)
    if not more:
        return suite
    broken = {fault.file for fault in more}
    sound = {name: each for name, each in suite.scenarios.items() if each.file not in broken}
    return replace(suite, scenarios=sound, left_out=(*suite.left_out, *more))
