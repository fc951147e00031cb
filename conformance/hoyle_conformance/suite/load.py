"""Loading the suite: every file read, checked against its schema and against the others, then made into values."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from hoyle_reference import Malformed, Rules, compile_rules
from hoyle_reference.cells import offered_by

from ..files.diagnostics import Diagnostic, Invalid
from ..files.schemas import Schemas
from ..files.yaml_text import Document, read_file
from . import links
from .given import Incomplete
from .model import Check, Clause, Filed, Ruleset, Scenario, Source, checks_of, ruleset_from, scenario_from, source_from
from .plan import Capabilities, Plan, plan

Value = TypeVar("Value", bound=Filed)

#: The folders of a spec, the ending of their files and the schema for them.
KINDS: Final = (("sources", "source"), ("rulesets", "ruleset"), ("scenarios", "scenario"))


#: The lists of combinations that tables may have.
_ROWS: Final = ("classes.combinations", "classes.nought", "declare.melds")


class Suite:
    """A spec folder, loaded: all its sources, rulesets and scenarios, and the checks they make.

    Raises Invalid where something in it is; with `drafts`, scenarios that are invalid are `left_out` instead. Without
    `scenarios` only the rules are read: enough for an implementation, which is sent everything else. Without
    `positions` these are not set up to see whether they can be: whoever uses one asks `links.of_positions`.
    """

    def __init__(self, root: Path, *, drafts: bool = False, scenarios: bool = True, positions: bool = True) -> None:
        self.root = root
        self.version = (root / "VERSION").read_text("utf-8").strip()
        self.schemas = Schemas(root / "schemas")
        self.capabilities = Capabilities(self.schemas)
        self._rules: dict[tuple[str, tuple[tuple[str, str], ...]], Rules] = {}
        self._plans: dict[str, Plan] = {}
        self._cited: dict[str, frozenset[str]] = {}
        faults: list[Diagnostic] = []
        self.sources: dict[str, Source] = self._load("source", source_from, faults)
        self.rulesets: dict[str, Ruleset] = self._load("ruleset", ruleset_from, faults)
        self.scenarios: dict[str, Scenario] = self._load("scenario", scenario_from, faults) if scenarios else {}
        self.clauses: Mapping[str, Clause] = {
            clause.id: clause for source in self.sources.values() for clause in source.clauses
        }
        if not faults:
            faults += links.check(self, positions=positions)
        if faults and not (drafts and all(self._is_of_a_scenario(fault) for fault in faults)):
            raise Invalid(faults)
        self.left_out: Sequence[Diagnostic] = faults
        broken = {fault.file for fault in faults}
        self.scenarios = {key: each for key, each in self.scenarios.items() if each.document.file not in broken}

    def _is_of_a_scenario(self, fault: Diagnostic) -> bool:
        return fault.file.startswith(self.shown(self.root / "scenarios"))

    def _load(self, kind: str, make: Callable[[Document], Value], faults: list[Diagnostic]) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for path in files(self.root, kind):
            try:
                document = self.read(path, kind)
            except Invalid as invalid:
                faults += invalid.diagnostics
                continue
            here = document.data["id"]
            if here in found:
                first = found[here].document.file
                faults.append(
                    document.diagnose(
                        ["id"],
                        "id-in-use",
                        f"the id '{here}' is already in use",
                        f"It belongs to {first}: choose another.",
                    )
                )
                continue
            found[here] = make(document)
        return found

    def read(self, path: Path, kind: str) -> Document:
        """One file, checked against the schema of its kind; raises Invalid."""
        document = read_file(path, self.shown(path))
        faults = self.schemas.check(kind, document)
        if faults:
            raise Invalid(faults)
        return document

    def shown(self, path: Path) -> str:
        """The path of a file of this spec as it is printed: from the folder that holds the spec."""
        return (
            path.relative_to(self.root.parent).as_posix() if path.is_relative_to(self.root.parent) else path.as_posix()
        )

    def strays(self) -> Iterator[Path]:
        """YAML files in the folders of this spec that are of no known kind, and so would never be read."""
        for folder, kind in KINDS:
            paths = sorted((self.root / folder).rglob("*.y*ml"))
            yield from (path for path in paths if not path.name.endswith(f".{kind}.yaml"))

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """Every check of the suite, by id, in the order of the scenarios' ids."""
        return {check.id: check for key in sorted(self.scenarios) for check in self.checks_of(self.scenarios[key])}

    def checks_of(self, scenario: Scenario) -> tuple[Check, ...]:
        """The checks that a scenario makes, each resting on those clauses cited that its ruleset's table cites too."""
        return checks_of(scenario, lambda ruleset, clause: clause in self._cited_by(ruleset))

    def _cited_by(self, ruleset: str) -> frozenset[str]:
        """The clauses behind the cells of a table."""
        if ruleset not in self._cited:
            cells = self.rules(ruleset).cells
            self._cited[ruleset] = cells.clauses(cell.path for cell in cells)
        return self._cited[ruleset]

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

    def rules(self, ruleset: str, readings: Mapping[str, str] | None = None) -> Rules:
        """The compiled rules of a ruleset with its options; raises Malformed where there is none of that name."""
        key = ruleset, tuple(sorted((readings or {}).items()))
        if key not in self._rules:
            name, *options = ruleset.split("+")
            if name not in self.rulesets:
                raise Malformed(f"no ruleset '{name}' (there are: {', '.join(self.rulesets)})")
            in_order = [option for option in self.options(name) if option in options]
            if set(options) == set(in_order) and options != in_order:
                raise Malformed(f"'{ruleset}' is written '{'+'.join((name, *in_order))}'")
            self._rules[key] = compile_rules(self.table(name), options, readings)
        return self._rules[key]

    def options(self, name: str) -> Mapping[str, str]:
        """The options of a ruleset, with their titles: those it takes over from the one it extends, and its own."""
        return {option: each["title"] for option, each in offered_by(self.table(name)).items()}

    def table(self, name: str) -> Mapping[str, Any]:
        """The table of a ruleset as the interpreter reads it: with the whole table that it extends, if any."""
        data: Mapping[str, Any] = self.rulesets[name].document.data
        return {**data, "extends": self.table(data["extends"])} if "extends" in data else data

    def meld_names(self, ruleset: str) -> Mapping[str, str]:
        """The names of a ruleset's combinations, by id."""
        rows = (row for cells in _ROWS for row in self.rules(ruleset).cells.rows(cells))
        return {row.value["id"]: row.value["name"] for row in rows}

    def title(self, ruleset: str) -> str:
        """The title of a ruleset, with those of its options."""
        name, *options = ruleset.split("+")
        offered = self.options(name)
        return ", ".join([self.rulesets[name].title, *(offered[option].lower() for option in options)])

    def plan(self, check: Check) -> Plan:
        """What is sent to an implementation for a check; raises Incomplete where its position cannot be completed."""
        if check.id not in self._plans:
            self._plans[check.id] = plan(check, self.rules(check.ruleset), self.capabilities)
        return self._plans[check.id]

    def can_plan(self, check: Check) -> bool:
        """Whether the position of a check can be completed."""
        try:
            self.plan(check)
        except Incomplete:
            return False
        return True

    def cites(self, clause: str) -> list[Check]:
        """The checks that cite a clause."""
        return [check for check in self.checks.values() if clause in check.cites]

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
        tables: Mapping[str, Mapping[str, Filed]] = {
            "sources": self.sources,
            "rulesets": self.rulesets,
            "scenarios": self.scenarios,
        }
        content = {
            kind: {name: value.document.data for name, value in sorted(table.items())} for kind, table in tables.items()
        }
        return hashlib.sha256(canonical(content)).hexdigest()


def canonical(value: Any) -> bytes:
    """The one way to write a value as JSON, for digests."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def files(root: Path, kind: str) -> Iterator[Path]:
    """All files of a kind in a spec folder, in order of their paths."""
    folder = next(folder for folder, each in KINDS if each == kind)
    yield from sorted((root / folder).rglob(f"*.{kind}.yaml"))


def kind_of(path: Path) -> str | None:
    """What kind of file a path names, by its ending."""
    return next((kind for _, kind in KINDS if path.name.endswith(f".{kind}.yaml")), None)


def find_spec() -> Path:
    """The spec folder: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "spec", here.parents[1] / "spec"):
        if (folder / "VERSION").is_file():
            return folder
    raise FileNotFoundError("the spec folder is missing from this installation: install hoyle again")


def load_suite(
    root: Path | None = None, *, drafts: bool = False, scenarios: bool = True, positions: bool = True
) -> Suite:
    """The suite in a spec folder, by default the one that came with this installation; raises Invalid. With `drafts`,
    scenarios that are invalid are left out; without `scenarios`, all of them; without `positions`, these are not
    tried."""
    return Suite(root or find_spec(), drafts=drafts, scenarios=scenarios, positions=positions)
