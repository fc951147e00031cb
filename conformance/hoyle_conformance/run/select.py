"""Selecting: which checks a run is to make."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from ..files.names import did_you_mean
from ..model import Check
from ..suite.value import Suite


class NothingSelected(Exception):
    """What was asked for names nothing in the suite; the message says what, and the nearest name."""


def select(
    suite: Suite,
    patterns: Sequence[str] = (),
    rulesets: Sequence[str] = (),
    topics: Sequence[str] = (),
    clauses: Sequence[str] = (),
) -> list[Check]:
    """The checks that fit: their id (or scenario, or topic) one of the patterns, and so on; everything by default.

    Raises NothingSelected where one of the words fits nothing.
    """
    _known("ruleset", rulesets, {check.ruleset for check in suite.checks.values()})
    _known("topic", topics, {check.scenario.topic for check in suite.checks.values()})
    _known("clause", clauses, suite.clauses)
    for pattern in patterns:
        if not any(_fits(check, pattern) for check in suite.checks.values()):
            raise NothingSelected(f"no check fits '{pattern}'. {did_you_mean(pattern, suite.scenarios)}")
    chosen = [
        check
        for check in suite.checks.values()
        if (not patterns or any(_fits(check, pattern) for pattern in patterns))
        and (not rulesets or check.ruleset in rulesets)
        and (not topics or check.scenario.topic in topics)
        and (not clauses or not set(clauses).isdisjoint(check.cites))
    ]
    if not chosen:
        raise NothingSelected("no check fits all of that together")
    return chosen


def _fits(check: Check, pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in (check.id, check.scenario.id, check.scenario.topic))


def _known(what: str, words: Sequence[str], known: Iterable[str]) -> None:
    names = sorted(known)
    for word in words:
        if word not in names:
            raise NothingSelected(f"no {what} '{word}'. {did_you_mean(word, names)}")
