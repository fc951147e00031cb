"""The file `spec/at-work.jsonl`: the options and extending rulesets that an outcome is also checked under, by scenario.

`hoyle suite validate --lock` writes the file. Its first line names the rulesets that were considered. Each other line
belongs to a scenario, and has three lists under each ruleset that the scenario's file names: `checks`, the rulesets
that the outcome is also checked under; `holds`, where a changed cell is at work and the outcome holds, but is not
checked; and `differs`, where the outcome does not hold and the file gives no other.
After them, a line for each clause that decides no outcome names checks in which it is at work.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import LARGEST_OF_LINES, read_text
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.files.strict_json import read_json
from hoyle_conformance.suite.model import Ruleset
from hoyle_conformance.suite.paths import AT_WORK, shown, tree

#: Rulesets by the ruleset from which they inherit.
Inherited = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class OfScenario:
    """The line of a scenario: the inheriting rulesets, by the ruleset that its file names."""

    scenario: str
    checks: Inherited = field(default_factory=dict)
    holds: Inherited = field(default_factory=dict)
    differs: Inherited = field(default_factory=dict)

    def written(self) -> str:
        """Return the line as JSON; empty where it would have no lists."""
        lists = {"checks": self.checks, "holds": self.holds, "differs": self.differs}
        filled = {key: each for key, each in lists.items() if each}
        return json.dumps({"scenario": self.scenario, **filled}) if filled else ""


@dataclass(frozen=True, slots=True)
class AtWork:
    """The whole file: the rulesets that were considered, the lines of scenarios, and the checks in which a clause is at
    work that decides no outcome."""

    rulesets: frozenset[str] = frozenset()
    lines: Mapping[str, OfScenario] = field(default_factory=dict)
    clauses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, scenario: str) -> OfScenario:
        """Return the line of a scenario, or an empty line."""
        return self.lines.get(scenario) or OfScenario(scenario)


def read_at_work(root: Path, schemas: Schemas, only: str = "") -> AtWork:
    """Read the file of a spec folder, or of its lines `only` those that may be about one scenario; return an empty
    value where there is none. Raises Invalid where a line that is read is damaged."""
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
    """Whether a line may be that of a scenario, or of the rulesets; letters in it may be escaped."""
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
    """Return every ruleset, plain and with each of its options, also where a table extends one that does not exist."""
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
    """Return the rulesets whose outcomes a ruleset can inherit, the nearest first: with the same option those that it
    extends, then itself and these without the option."""
    plain, *options = name.split("+")
    chain = [each.id for each in _line_of(rulesets, plain)]
    if not options:
        return chain[1:]
    with_option = (f"{each}+{options[0]}" for each in chain[1:] if options[0] in set(_offered(rulesets, each)))
    return [*with_option, *chain]
