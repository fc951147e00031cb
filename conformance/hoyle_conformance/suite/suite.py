"""The content of a spec folder as one value."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.capabilities import Capabilities
from hoyle_conformance.suite.index import CheckIndex
from hoyle_conformance.suite.model import Census, Check, Clause, Filed, Heading, Ruleset, Scenario, Source
from hoyle_conformance.suite.paths import shown
from hoyle_conformance.suite.rulebooks import Extension, RuleBooks

T = TypeVar("T")


class JoinedRules(Extension, Protocol):
    """House rules that are joined to a suite: their ruleset, and the one that it extends, with its options."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The paths of the cells that they change."""

    @property
    def written(self) -> Mapping[str, Any]:
        """The content of their file."""

    def check(self, suite: "Suite", base: Check) -> Check | None:
        """Return a check of the extended ruleset as it is under these rules, or None where it makes no sense."""

    def joined(self, suite: "Suite") -> "Suite":
        """Return a suite with these rules."""


@dataclass(frozen=True)
class Suite:
    """The files of a spec folder, and `house` rules that are joined to them.

    `lock` is the text of its ids.lock; `strays` are files in it that are never read; `left_out` says why scenarios are
    missing; `at_work_in` are the checks in which a clause that decides no outcome is at work, by clause.
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
        """The rule tables, compiled."""
        return RuleBooks(self.rulesets, self.house)

    @cached_property
    def index(self) -> CheckIndex:
        """The checks and their headings."""
        return self._index()

    def _index(self, headings: Callable[[], Mapping[str, Heading]] | None = None) -> CheckIndex:
        return CheckIndex(self.scenarios, self.rules, self.at_work_in, self._under_house_rules, headings)

    def _under_house_rules(self, checks: Sequence[Check]) -> Check | None:
        """Return the check under house rules that is made of one of the checks of a scenario, if there is one."""
        house = self.house
        base = next((check for check in checks if house and check.ruleset == house.base), None)
        return house.check(self, base) if house and base else None

    def preset(self, digest: str, headings: Callable[[], Mapping[str, Heading]] | None = None) -> "Suite":
        """Set the digest of a new suite, and a function for its headings, to ones that were computed before; return the
        suite."""
        vars(self)["digest"] = digest
        if headings:
            vars(self)["index"] = self._index(headings)
        return self

    def derived(self, make: Callable[["Suite"], T]) -> T:
        """Return what `make` returns for this suite, called once: a value of a layer above, with its own cache."""
        if make not in self._derived:
            self._derived[make] = make(self)
        made: T = self._derived[make]
        return made

    def shown(self, path: Path) -> str:
        """Return the path of a file of this spec as it is printed."""
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
        """SHA-256 of the content of the suite, whatever the layout of its files; without house rules."""
        return digest_of(
            {kind: {name: digest_of_filed(each) for name, each in table.items()} for kind, table in self.tables.items()}
        )

    @property
    def tables(self) -> Mapping[str, Mapping[str, Filed]]:
        """All that is in files, by kind and id."""
        return {
            "sources": self.sources,
            "rulesets": self.rulesets,
            "scenarios": self.scenarios,
            "census": self.censuses,
        }


def digest_of(digests: Mapping[str, Mapping[str, str]]) -> str:
    """Return the digest of a suite, from those of what is in its files, by kind and id."""
    return _sha256(digests)


def digest_of_filed(filed: Filed) -> str:
    """Return the digest of what is in a file: of its data, and of the rulesets that inherit outcomes of it."""
    return _sha256([filed.document.data, inherited_of(filed)])


def inherited_of(filed: Filed) -> Mapping[str, Sequence[str]]:
    """Return the rulesets that inherit outcomes of a scenario; empty for anything else."""
    return filed.inherited if isinstance(filed, Scenario) else {}


def _sha256(value: Any) -> str:
    canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def without_faulty(suite: Suite, faults: Iterable[Diagnostic]) -> Suite:
    """Return the suite without the scenarios that have faults in their files."""
    more = tuple(faults)
    if not more:
        return suite
    broken = {fault.file for fault in more}
    sound = {name: each for name, each in suite.scenarios.items() if each.file not in broken}
    return replace(suite, scenarios=sound, left_out=(*suite.left_out, *more))
