"""The file of a table's preludes, all found anew."""

import json
from collections.abc import Iterator

from hoyle_conformance.checks.preludes.format import History, PreludeLine, digest, history
from hoyle_conformance.checks.preludes.prelude import NoPrelude
from hoyle_conformance.checks.preludes.search import FoundHistory, find, never
from hoyle_conformance.checks.preludes.store import again
from hoyle_conformance.checks.preludes.verify import beside, disputed
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite


def rulesets_of(suite: Suite, table: str) -> list[str]:
    """Return a ruleset, and those of its options for which there are checks."""
    return sorted(name for name in suite.index.checks_by_ruleset if name.partition("+")[0] == table)


def text(suite: Suite, table: str) -> str:
    """Return the file of a table: the readings it was found under, and a line for each history."""
    heads = ({"ruleset": name, "beside": beside(suite, name)} for name in rulesets_of(suite, table))
    rows = [*map(json.dumps, heads), *(line.written() for line in found_anew(suite, table))]
    return "".join(f"{row}\n" for row in rows)


def found_anew(suite: Suite, table: str) -> Iterator[PreludeLine]:
    """Yield the lines of a table, in the order of the scenarios' ids; rulesets with the same history share a line."""
    rulesets = rulesets_of(suite, table)
    for name in sorted(suite.scenarios):
        checks = [check for check in suite.index.checks_of(suite.scenarios[name]) if check.ruleset in rulesets]
        yield from _of_a_scenario(suite, sorted((c for c in checks if not never(c)), key=lambda c: c.ruleset))


def _of_a_scenario(suite: Suite, checks: list[Check]) -> Iterator[PreludeLine]:
    shared: dict[History | NoPrelude, list[Check]] = {}
    for check in checks:
        shared.setdefault(_found(suite, check, list(shared)), []).append(check)
    for found, those in shared.items():
        yield PreludeLine(those[0].scenario.id, tuple(each.ruleset for each in those), digest(those[0]), found)


def _found(suite: Suite, check: Check, known: list[History | NoPrelude]) -> History | NoPrelude:
    """Return the history of a check: one that was found for another ruleset, if it serves this one too."""
    for each in known:
        played = again(suite, check, each) if isinstance(each, History) else None
        if isinstance(played, FoundHistory) and disputed(suite, check, played.played) == played.rests_on:
            return each
    found = find(suite, check)
    return history(found) if isinstance(found, FoundHistory) else found
