"""The suite as data, its scenarios, clauses and rulesets; and `explain`, a scenario step by step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from hoyle._errors import UnknownNameError
from hoyle._load import shipped_suite
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.runner.select import checks_named, explain_unknown
from hoyle_conformance.wording.explain import explanation


@dataclass(frozen=True)
class Clause:
    """One statement of a source, in Hoyle's own words: where it is in the source, and its kind (rule, example …)."""

    id: str
    source: str
    where: str
    kind: str
    says: str


@dataclass(frozen=True)
class Ruleset:
    """One form of a game after one book: `options` are the titles of its options, by name, and `extends` is the ruleset
    that it changes, or empty."""

    id: str
    title: str
    game: str
    summary: str
    extends: str
    options: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True)
class Scenario:
    """One question about the rules: `data` is the content of its file, as scenario.schema.json describes it, and
    `checks` are the ids of its checks, one for each ruleset that has an outcome."""

    id: str
    title: str
    checks: tuple[str, ...]
    data: Mapping[str, Any] = field(hash=False, repr=False)

    @property
    def topic(self) -> str:
        """The topic of the scenario: the part of the id before the dot."""
        return self.id.partition(".")[0]


@dataclass(frozen=True)
class Suite:
    """The suite of this installation: its version, and everything in it by id."""

    version: str
    digest: str
    rulesets: Mapping[str, Ruleset] = field(hash=False, repr=False)
    clauses: Mapping[str, Clause] = field(hash=False, repr=False)
    scenarios: Mapping[str, Scenario] = field(hash=False, repr=False)

    def checks(self, *rulesets: str) -> tuple[str, ...]:
        """Return the ids of all checks, or of those of some rulesets."""
        ids = (check for scenario in self.scenarios.values() for check in scenario.checks)
        return tuple(check for check in ids if not rulesets or check.partition("@")[2] in rulesets)


@cache
def suite() -> Suite:
    """Return the suite of this installation; it is read once in a process, and must not be changed."""
    loaded = shipped_suite()
    return Suite(
        version=loaded.version,
        digest=loaded.digest,
        rulesets={
            id_: Ruleset(id_, book.title, book.game, book.summary, book.extends, loaded.rules.options(id_))
            for id_, book in loaded.rulesets.items()
        },
        clauses={
            id_: Clause(id_, id_.partition("/")[0], each.where, each.kind, each.says)
            for id_, each in loaded.clauses.items()
        },
        scenarios={
            id_: Scenario(id_, each.title, tuple(f"{id_}@{ruleset}" for ruleset in each.rulesets), each.document.data)
            for id_, each in loaded.scenarios.items()
        },
    )


def explain(name: str, ruleset: str = "") -> str:
    """Return the explanation of a scenario, step by step, with the clauses behind each step.

    `name` is the id of a scenario or of a check, or the name of a scenario without its topic; `ruleset` chooses one
    ruleset, as the id of a check does. Raises UnknownNameError if there is no such scenario, or if several have the
    name.
    """
    loaded, (first, _, of_check) = shipped_suite(), name.partition("@")
    scenarios = sorted({check.partition("@")[0] for check in checks_named(loaded, first)})
    if not scenarios:
        raise UnknownNameError("unknown-scenario", explain_unknown(loaded, name))
    if len(scenarios) > 1:
        message = f"several scenarios are named '{name}': {', '.join(scenarios[:8])}"
        raise UnknownNameError("several-scenarios", message, "", "Name one.")
    wanted, checks = of_check or ruleset, loaded.index.checks_of(loaded.scenarios[scenarios[0]])
    chosen = [check for check in checks if wanted in {"", check.ruleset}]
    if not chosen:
        remedy = f"It has outcomes for: {', '.join(check.ruleset for check in checks)}."
        raise UnknownNameError("unknown-ruleset", f"no outcome for '{wanted}'", scenarios[0], remedy)
    return "\n".join(explanation(loaded, list(map(Relabeller(loaded), chosen)))) + "\n"
