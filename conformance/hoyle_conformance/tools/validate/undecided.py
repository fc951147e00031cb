"""Undecided clauses: those that decide no outcome, and checks in which they are at work, so that they are tested too.

An outcome cites the clauses that decide it. Others are at work in it all the same: what a trick is worth decides few
outcomes, and is at work in hundreds. For a clause that no outcome cites, a few such checks are written down.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from hoyle_conformance.checks.setup.trace import taken
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

#: So many checks are written down for a clause, each of another scenario.
_ENOUGH: Final = 5


def clauses_at_work(suite: Suite, check: Check) -> frozenset[str]:
    """The clauses of the ruleset's own sources on which something rests in a check, as the reference takes it."""
    rules, sources = suite.rules(check.ruleset), suite.rulesets[check.ruleset.partition("+")[0]].sources
    grounds = {path for each in taken(rules, suite.plan(check).message) for path in each.grounds}
    return frozenset(each for each in rules.cells.clauses(grounds) if each.partition("/")[0] in sources)


def checks_of_undecided(suite: Suite, before: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The checks in which each clause that decides no outcome is at work: those that were written down `before`, as far
    as it still is; where some are missing, those in which least else is at work."""
    decided = {clause for check in suite.headings.values() for clause in check.cites}
    left = [name for name, each in suite.clauses.items() if not each.not_testable and name not in decided]
    found = {clause: _still(suite, clause, before.get(clause, ())) for clause in left}
    if any(not each or len(each) < len(before[clause]) for clause, each in found.items()):
        others = _simplest_first(suite, left)
        found = {clause: _filled(each, others[clause]) for clause, each in found.items()}
    return {clause: found[clause] for clause in sorted(found) if found[clause]}


def _still(suite: Suite, clause: str, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        name for name in names if name in suite.checks and clause in clauses_at_work(suite, suite.checks[name])
    )


def _simplest_first(suite: Suite, clauses: Iterable[str]) -> Mapping[str, list[str]]:
    """The checks in which each of these clauses is at work, those in which fewest others are before the rest."""
    wanted, found = frozenset(clauses), defaultdict[str, list[tuple[int, bool, str]]](list)
    for name, check in suite.checks.items():
        at_work = clauses_at_work(suite, check)
        for clause in wanted & at_work:
            found[clause].append((len(at_work), "+" in check.ruleset, name))
    return defaultdict(list, {clause: [name for _, _, name in sorted(each)] for clause, each in found.items()})


def _filled(kept: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    """Enough checks of different scenarios: those that are kept, then others."""
    found = list(kept)
    scenarios = {name.partition("@")[0] for name in kept}
    for name in others:
        if len(found) < _ENOUGH and name.partition("@")[0] not in scenarios:
            scenarios.add(name.partition("@")[0])
            found.append(name)
    return tuple(found)
