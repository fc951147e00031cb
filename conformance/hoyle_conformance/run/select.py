"""Selecting: which checks a run is to make."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Final

from ..files.names import did_you_mean, nearest
from ..model import Check, Heading
from ..suite.value import Suite

#: What makes a pattern of a name.
_WILD: Final = frozenset("*?[")


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
    return [suite.checks[heading.id] for heading in choose(suite, patterns, rulesets, topics, clauses)]


def choose(
    suite: Suite,
    patterns: Sequence[str] = (),
    rulesets: Sequence[str] = (),
    topics: Sequence[str] = (),
    clauses: Sequence[str] = (),
) -> list[Heading]:
    """The headings of the checks that fit, likewise."""
    headings = suite.headings.values()
    _known("ruleset", rulesets, (heading.ruleset for heading in headings))
    _known("topic", topics, (heading.topic for heading in headings))
    _known("clause", clauses, suite.clauses if clauses else ())
    named = _named(suite, patterns)
    chosen = [
        heading
        for heading in headings
        if (not patterns or heading.id in named)
        and (not rulesets or heading.ruleset in rulesets)
        and (not topics or heading.topic in topics)
        and (not clauses or not set(clauses).isdisjoint(heading.cites))
    ]
    if not chosen:
        raise NothingSelected("no check fits all of that together")
    return chosen


def _named(suite: Suite, patterns: Iterable[str]) -> set[str]:
    """The ids of the checks that fit one of the patterns; each of these must fit some."""
    named: set[str] = set()
    for pattern in patterns:
        fits = partial(fnmatchcase, pat=pattern) if _WILD.intersection(pattern) else pattern.__eq__
        fit = [
            name
            for name, heading in suite.headings.items()
            if fits(name) or fits(heading.scenario) or fits(heading.topic)
        ]
        if not fit:
            near = nearest(pattern, suite.scenarios)
            remedy = f"Did you mean '{near}'?" if near else "'hoyle list' shows them all."
            raise NothingSelected(f"no check fits '{pattern}'. {remedy}")
        named.update(fit)
    return named


def _known(what: str, words: Sequence[str], known: Iterable[str]) -> None:
    names = sorted(set(known)) if words else []
    for word in words:
        if word not in names:
            raise NothingSelected(f"no {what} '{word}'. {did_you_mean(word, names)}")
