"""Selection: the checks of a run."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.files.suggest import did_you_mean
from hoyle_conformance.runner.check_names import checks_named, explain_unknown
from hoyle_conformance.suite.model import Check, Heading
from hoyle_conformance.suite.suite import Suite

_KIND: Final = "failed"


class NothingSelected(Exception):
    """The words of a selection name nothing in the suite; the message has the nearest name, and `word` is the pattern
    that fits no check, if there is one."""

    def __init__(self, message: str, word: str = "") -> None:
        self.word = word
        super().__init__(message)


def select(
    suite: Suite,
    patterns: Sequence[str] = (),
    rulesets: Sequence[str] = (),
) -> list[Check]:
    """Return the checks under one of these rulesets that one of the patterns means; without either, all.

    Raises NothingSelected if one of the words fits nothing.
    """
    return [suite.index.checks[heading.id] for heading in choose(suite, patterns, rulesets)]


def choose(
    suite: Suite,
    patterns: Sequence[str] = (),
    rulesets: Sequence[str] = (),
) -> list[Heading]:
    """Return the headings of the checks that fit; raises NothingSelected likewise."""
    headings = suite.index.headings
    for name in rulesets:
        _has_checks(suite, name)
    meant = _named(suite, patterns)
    named = [headings[name] for name in headings if not patterns or name in meant]
    chosen = [heading for heading in named if not rulesets or heading.ruleset in rulesets]
    if not chosen:
        raise NothingSelected("no check matches all of these together")
    return chosen


def _named(suite: Suite, words: Iterable[str]) -> set[str]:
    """Return the ids of the checks that one of the words means; raises NothingSelected if one of them means none."""
    found: set[str] = set()
    for word in words:
        meant = checks_named(suite, word)
        if not meant:
            raise NothingSelected(explain_unknown(suite, word), word)
        found.update(meant)
    return found


def _has_checks(suite: Suite, ruleset: str) -> None:
    """Raise NothingSelected unless there is such a ruleset, and it has checks."""
    if ruleset in suite.index.checks_by_ruleset:
        return
    if ruleset not in suite.rules.names:
        raise NothingSelected(f"no ruleset '{ruleset}'. {did_you_mean(ruleset, sorted(suite.rules.names))}")
    remedy = (
        "'hoyle validate --lock' lists, in spec/at-work.jsonl, the scenarios in which it changes the outcome. "
        "Give it an outcome in one of them."
        if "+" in ruleset
        else "Give it an outcome in a scenario, or write one: 'hoyle new scenario'."
    )
    raise NothingSelected(f"'{ruleset}' exists, but has no checks yet. {remedy}")


@dataclass(frozen=True, slots=True)
class Shard:
    """The part of a selection that one of several machines runs: the `number`-th, counted from 1, `of` so many."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def take_shard(headings: Sequence[Heading], shard: Shard) -> list[Heading]:
    """Return a part of these checks, in their order.

    Together the parts are all of them, no check is in two, and of each ruleset, as of all, the parts have equally many
    but for one.
    """
    by_ruleset = sorted(headings, key=lambda heading: heading.ruleset)
    ours = {heading.id for heading in by_ruleset[shard.number - 1 :: shard.of]}
    return [heading for heading in headings if heading.id in ours]


# ---- the checks that failed last
#
# They are stored for each command, which is known by the words that start the adapter, the folder in which it is run,
# the suite and the house rules. A run of some checks changes only what is stored of these.


def address_of_command(adapter: Sequence[str], spec: Path, rules: Path | None) -> str:
    """Return the cache address of the failures of this adapter, in this folder."""
    where = [str(path.resolve()) if path else "" for path in (Path(), spec, rules)]
    return hashlib.sha256(json.dumps([list(adapter), where]).encode()).hexdigest()


def read_last_failed(address: str) -> frozenset[str]:
    """Return the ids of the checks that failed when they were last run; none if nothing is stored, or it is damaged.

    Raises OSError if they cannot be read now.
    """
    stored = store.read_to_change(_KIND, [address])
    try:
        names = json.loads(stored.get(address, b"[]"))
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()


def update_last_failed(before: frozenset[str], ran: Iterable[str], failed: Iterable[str]) -> frozenset[str]:
    """Return the checks that have failed from now on: those that `failed` of those that `ran`, and of the rest those
    before."""
    return before.difference(ran).union(failed)


def store_last_failed(address: str, before: frozenset[str], failed: frozenset[str]) -> None:
    """Store the failed checks if they have changed; nothing is stored if that cannot be written."""
    if failed != before:
        store.write(_KIND, {address: json.dumps(sorted(failed)).encode()})
