"""Selecting: which checks a run is to make."""

from collections.abc import Iterable, Sequence

from hoyle_conformance.files.suggest import did_you_mean
from hoyle_conformance.runner.check_names import named, why_not
from hoyle_conformance.suite.model import Check, Heading
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.frozen import frozen


class NothingSelected(Exception):
    """What was asked for names nothing in the suite; the message says what, and the nearest name; `word` is the pattern
    that fits no check, if it is one."""

    def __init__(self, message: str, word: str = "") -> None:
        self.word = word
        super().__init__(message)


def select(
    suite: Suite,
    patterns: Sequence[str] = (),
    rulesets: Sequence[str] = (),
    topics: Sequence[str] = (),
    clauses: Sequence[str] = (),
) -> list[Check]:
    """The checks that fit: meant by one of the patterns (`naming`), and so on; everything by default.

    Raises NothingSelected where one of the words fits nothing.
    """
    return [suite.index.checks[heading.id] for heading in choose(suite, patterns, rulesets, topics, clauses)]


def choose(
    suite: Suite,
    patterns: Sequence[str] = (),
    rulesets: Sequence[str] = (),
    topics: Sequence[str] = (),
    clauses: Sequence[str] = (),
) -> list[Heading]:
    """The headings of the checks that fit, likewise."""
    headings = suite.index.headings
    _known("ruleset", rulesets, suite.index.checks_by_ruleset if rulesets else ())
    _known("topic", topics, suite.index.checks_by_topic if topics else ())
    _known("clause", clauses, suite.clauses if clauses else ())
    meant = _named(suite, patterns)
    chosen = [
        heading
        for heading in (headings[name] for name in headings if not patterns or name in meant)
        if (not rulesets or heading.ruleset in rulesets)
        and (not topics or heading.topic in topics)
        and (not clauses or not set(clauses).isdisjoint(heading.clauses))
    ]
    if not chosen:
        raise NothingSelected("no check fits all of that together")
    return chosen


def _named(suite: Suite, words: Iterable[str]) -> set[str]:
    """The ids of the checks that one of the words means; each of these must mean some."""
    found: set[str] = set()
    for word in words:
        meant = named(suite, word)
        if not meant:
            raise NothingSelected(why_not(suite, word), word)
        found.update(meant)
    return found


def _known(what: str, words: Sequence[str], known: Iterable[str]) -> None:
    names = sorted(set(known)) if words else []
    for word in words:
        if word not in names:
            raise NothingSelected(f"no {what} '{word}'. {did_you_mean(word, names)}")


@frozen
class Shard:
    """The part of a selection that one of several machines runs: the `number`-th, counted from 1, `of` so many."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def part(headings: Sequence[Heading], shard: Shard) -> list[Heading]:
    """A part of these, in their order: together the parts are all of them, no check is in two, and of each ruleset, as
    of all, the parts have equally many but for one."""
    by_ruleset = sorted(headings, key=lambda heading: heading.ruleset)
    ours = {heading.id for heading in by_ruleset[shard.number - 1 :: shard.of]}
    return [heading for heading in headings if heading.id in ours]
