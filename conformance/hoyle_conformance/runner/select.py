"""Select the checks of a run: by name, clause, file, part of a suite, last failures, or words in their titles.

The parts are: words of the command line, games of the census, messages about unknown words, the selection and its
shards, the checks that failed last, and keywords.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path
from typing import Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.files.diagnostics import did_you_mean, nearest, printable
from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_conformance.suite.model import Check, Heading, topic_of
from hoyle_conformance.suite.paths import SCENARIO_FILE, shown
from hoyle_conformance.suite.suite import Suite

# ---- words of the command line
#
# A word may be the id of a check, a scenario or a topic, or a pattern of ids; a clause, for the checks that cite it;
# the name of a scenario without its topic; or a file or folder of the suite, as typed or as printed in reports.


#: The characters that make a name a pattern.
_WILD: Final = frozenset("*?[")
#: The maximum number of characters of a pattern; one of ten thousand stars takes a second to read.
_LONGEST: Final = 200
#: Match the line, and perhaps the column, after the name of a file in a report.
_LINE: Final = re.compile(r"(:\d+){1,2}$")
#: The maximum number of characters of an unknown word that a message repeats.
_REPEATED: Final = 100
#: The similarity, from 0 to 1, that a word needs to be taken for a topic; a topic is a short word.
_SURELY: Final = 0.8


def is_pattern(word: str) -> bool:
    """Return whether a word is a pattern, which stands for every name that matches it."""
    return not _WILD.isdisjoint(word)


def matcher(pattern: str) -> Callable[[str], object]:
    """Return a predicate for names: true for this name, or for every name that matches the pattern."""
    if not is_pattern(pattern):
        return pattern.__eq__
    return re.compile(translate(pattern)).match if len(pattern) <= _LONGEST else lambda _: None


def checks_named(suite: Suite, word: str) -> set[str]:
    """Return the ids of the checks that a word selects; empty if it selects none."""
    if word in suite.clauses:
        return {each.id for each in suite.index.headings.values() if word in each.clauses}
    return _by_id(suite, word) or _by_bare_name(suite, word) or set(_by_place(suite, word))


def _by_id(suite: Suite, word: str) -> set[str]:
    if word in suite.index.headings:
        return {word}
    fit = matcher(word)
    scenarios = [each for each in suite.scenarios if fit(each) or fit(topic_of(each))]
    found = {f"{each}@{ruleset}" for each in scenarios for ruleset in suite.index.checks_by_ruleset}
    return (found & suite.index.headings.keys()).union(filter(fit, suite.index.headings) if is_pattern(word) else ())


def _by_bare_name(suite: Suite, word: str) -> set[str]:
    """Return the ids of the checks of every scenario with this name, given without its topic, with or without a
    ruleset."""
    named = (each.partition(".") for each in suite.index.headings)
    return {f"{topic}.{bare}" for topic, _, bare in named if word in {bare, bare.partition("@")[0]}}


def _by_place(suite: Suite, word: str) -> Iterator[str]:
    """Yield the ids of the checks whose file is in the folder with this name, or is the file with this name."""
    scenarios = Path(os.path.realpath(suite.root / "scenarios"))
    for place in _places(suite, word):
        within = place.relative_to(scenarios).parts if place.is_relative_to(scenarios) else ()
        for each in suite.index.headings.values() if within or scenarios.is_relative_to(place) else ():
            if _path(each.scenario)[: len(within)] == within:
                yield each.id


def _path(scenario: str) -> tuple[str, ...]:
    """Return the path of a scenario's file among the others, which corresponds to its id."""
    topic, _, name = scenario.partition(".")
    return topic, f"{name}{SCENARIO_FILE}"


def _places(suite: Suite, word: str) -> Iterator[Path]:
    """Yield the path with this name, relative to the working folder and to the folder that holds the spec, as reports
    print it."""
    for written in dict.fromkeys((word, _LINE.sub("", word), _LINE.sub("", word).replace("\\", "/"))):
        for path in (Path(written), suite.root.parent / written):
            if written and is_there(path):
                yield _real(path)
                return


def _real(path: Path) -> Path:
    """Return the real path of a file or folder, since an installer may have made each file of a spec a link."""
    return Path(os.path.realpath(path)) if path.is_dir() else Path(os.path.realpath(path.parent)) / path.name


def is_there(path: Path) -> bool:
    """Return whether a path exists, also for a name that no file can have."""
    try:
        return path.exists()
    except (OSError, ValueError):  # not a valid name of a file
        return False


# ---- games of the census
#
# A game is a check with the topic `census`. It runs only if a word of the selection begins with this topic.


#: The topic of the games.
CENSUS: Final = "census"


def is_game(check: Check | Heading) -> bool:
    """Return whether a check is a game of the census."""
    return names_games(check.id)


def names_games(word: str) -> bool:
    """Return whether a word of a selection names games of the census."""
    return word.partition(".")[0] == CENSUS


def game_ids(suite: Suite, word: str) -> set[str]:
    """Return the ids of the games that a word selects: the topic, an id with or without a ruleset, or a pattern of
    ids."""
    if not names_games(word):
        return set()
    fit, tables = matcher(word), [table for census in suite.censuses.values() for table in census.tables]
    games = {(f"{CENSUS}.game-{game.game}", table.ruleset) for table in tables for game in table.games}
    return {f"{game}@{ruleset}" for game, ruleset in games if word == CENSUS or fit(game) or fit(f"{game}@{ruleset}")}


# ---- messages about unknown words


def explain_unknown(suite: Suite, word: str) -> str:
    """Return the reason why a word selects no check, with the nearest name."""
    quoted = printable(word[:_REPEATED] + "…" * (len(word) > _REPEATED))
    if word in suite.clauses:
        return f"no check cites {quoted}. 'hoyle suite list clauses {quoted}' shows why."
    if clause := nearest(word, suite.clauses, cutoff=_SURELY):
        return f"no check matches '{quoted}'. {_perhaps(clause)}"
    below = printable(shown(suite.root, suite.root / "scenarios"))
    if next(_places(suite, word), None):
        return (
            f"'{quoted}' contains no scenario of this suite. Scenarios are below {below}; 'hoyle suite "
            "list' shows their ids."
        )
    if not _is_place(word):
        if topic := nearest(word, suite.index.checks_by_topic, cutoff=_SURELY):
            return f"no check matches '{quoted}'. {_perhaps(topic)}"
        name, at, ruleset = word.partition("@")
        near = nearest(name, suite.scenarios) if not _by_bare_name(suite, name) else name
        checks = (_by_bare_name(suite, near) or _by_id(suite, near)) if at and near else ()
        if of := nearest(ruleset, {each.partition("@")[2] for each in checks}):
            near = f"{near}@{of}"
        return f"no check matches '{quoted}'. {_perhaps(near)}"
    file = _LINE.sub("", word)
    topic_and_name = file.removesuffix(SCENARIO_FILE).replace("\\", "/").split("/")[-2:]
    near = nearest(".".join(topic_and_name), suite.scenarios) if file.endswith(SCENARIO_FILE) else ""
    meant = _perhaps("/".join((below, *_path(near)))) if near else f"The files of scenarios are below {below}."
    return f"no such file: '{quoted}'. {meant}"


def _is_place(word: str) -> bool:
    """Return whether a word looks like the name of a file; no id has a slash."""
    return "/" in word or "\\" in word or _LINE.sub("", word).endswith((".yaml", ".yml"))


def _perhaps(near: str) -> str:
    return f"Did you mean '{near}'?" if near else "'hoyle suite list' shows them all."


# ---- selection


_KIND: Final = "failed"


class NothingSelected(Exception):
    """The words of a selection match nothing in the suite. The message has the nearest name; `word` is the pattern that
    matches no check, if there is one."""

    def __init__(self, message: str, word: str = "") -> None:
        self.word = word
        super().__init__(message)


def select(suite: Suite, patterns: Sequence[str] = (), rulesets: Sequence[str] = ()) -> list[Check]:
    """Return the checks that are under one of these rulesets and match one of the patterns; without rulesets or
    patterns, all checks.

    Raises NothingSelected if one of the words matches nothing.
    """
    return [suite.index.checks[heading.id] for heading in choose(suite, patterns, rulesets)]


def choose(suite: Suite, patterns: Sequence[str] = (), rulesets: Sequence[str] = ()) -> list[Heading]:
    """Return the headings of the checks that are under one of these rulesets and match one of the patterns. Raises
    NothingSelected if one of the words matches nothing."""
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
    """Return the ids of the checks that any of the words selects; raises NothingSelected if a word selects none."""
    found: set[str] = set()
    for word in words:
        meant = checks_named(suite, word)
        if not meant:
            raise NothingSelected(explain_unknown(suite, word), word)
        found.update(meant)
    return found


def _has_checks(suite: Suite, ruleset: str) -> None:
    """Raise NothingSelected unless the ruleset exists and has checks."""
    if ruleset in suite.index.checks_by_ruleset:
        return
    if ruleset not in suite.rules.names:
        raise NothingSelected(f"no ruleset '{ruleset}'. {did_you_mean(ruleset, sorted(suite.rules.names))}")
    remedy = (
        "'hoyle validate --lock' lists, in spec/at-work.jsonl, the scenarios in which it changes the outcome. "
        "Give it an outcome in one of them."
        if "+" in ruleset
        else "Give it an outcome in a scenario, or write one: 'hoyle new scenario ID'."
    )
    raise NothingSelected(f"'{ruleset}' exists, but has no checks yet. {remedy}")


@dataclass(frozen=True, slots=True)
class Shard:
    """The part of a selection that one of several machines runs: the `number`-th part, counted from 1, `of` this
    many."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def take_shard(headings: Sequence[Heading], shard: Shard) -> list[Heading]:
    """Return one part of these checks, in their order.

    The parts are disjoint and together contain all checks. Their sizes differ by at most one, both in all and for each
    ruleset.
    """
    by_ruleset = sorted(headings, key=lambda heading: heading.ruleset)
    ours = {heading.id for heading in by_ruleset[shard.number - 1 :: shard.of]}
    return [heading for heading in headings if heading.id in ours]


# ---- checks that failed last
#
# Failures are stored for each command, identified by the words that start the adapter, its working folder, the suite
# and the house rules. A run of some checks changes only what is stored about these checks.


def address_of_command(adapter: Sequence[str], spec: Path, rules: Path | None) -> str:
    """Return the cache address of the failures of this adapter, in this folder."""
    where = [str(path.resolve()) if path else "" for path in (Path(), spec, rules)]
    return hashlib.sha256(json.dumps([list(adapter), where]).encode()).hexdigest()


def read_last_failed(address: str) -> frozenset[str]:
    """Return the ids of the checks that failed when they last ran; none if nothing is stored or the stored file is
    damaged.

    Raises OSError if the file cannot be read now.
    """
    stored = store.read_to_change(_KIND, [address])
    try:
        names = json.loads(stored.get(address, b"[]"))
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()


def update_last_failed(before: frozenset[str], ran: Iterable[str], failed: Iterable[str]) -> frozenset[str]:
    """Return the updated set of failed checks: those of `ran` that `failed`, and those of `before` that did not run."""
    return before.difference(ran).union(failed)


def store_last_failed(address: str, before: frozenset[str], failed: frozenset[str]) -> None:
    """Store the failed checks if they have changed; nothing is stored if the file cannot be written."""
    if failed != before:
        store.write(_KIND, {address: json.dumps(sorted(failed)).encode()})


# ---- keywords


_AND, _OR, _NOT = "and", "or", "not"
#: The most characters of a text.
_LONGEST_TEXT: Final = 1_000


@dataclass(frozen=True, slots=True)
class Keywords:
    """Words as written: those that a text must contain, and those that it must not."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]

    def fit(self, stems_of: frozenset[str]) -> bool:
        """Return whether a text with these stems has all wanted words and none of the unwanted ones."""
        return stems_of.issuperset(map(stem, self.wanted)) and stems_of.isdisjoint(map(stem, self.unwanted))


def read_keywords(text: str) -> tuple[Keywords, ...]:
    """Return the groups of words separated by ``or``: ``trump and not king`` requires the first word and excludes the
    second.

    Raises NothingSelected if there is no word, or if the text is ambiguous.
    """
    if len(text) > _LONGEST_TEXT:
        raise NothingSelected(f"-k takes {_LONGEST_TEXT:,} letters at most.")
    if found := re.search(r"[()]", text):
        raise NothingSelected(
            f"-k does not support brackets ('{found[0]}'). Write words that must all be there, and 'or' "
            "between groups of them."
        )
    groups: list[list[str]] = [[]]
    for word in words(text):
        if word == _OR:
            groups.append([])
        else:
            groups[-1].append(word)
    return tuple(map(_read, groups))


def _read(group: Sequence[str]) -> Keywords:
    wanted: list[str] = []
    unwanted: list[str] = []
    into = wanted
    for word in group:
        if word == _NOT:
            into = unwanted
        elif word != _AND:
            into.append(word)
            into = wanted
    if into is unwanted or not (wanted or unwanted):
        raise NothingSelected("-k needs a word, as in -k 'trump not king' or -k 'king or queen'.")
    return Keywords(tuple(wanted), tuple(unwanted))


def with_keywords(suite: Suite, headings: Sequence[Heading], text: str) -> list[Heading]:
    """Return the checks that match the keywords, in their order. Raises NothingSelected if the text cannot be read, if
    a word is nowhere in the suite, or if no check matches."""
    groups, stems_of = read_keywords(text), _stems(headings)
    found = [each for each in headings if any(group.fit(stems_of[each.id]) for group in groups)]
    known = frozenset[str]().union(*stems_of.values())
    for word in (word for group in groups for word in (*group.wanted, *group.unwanted)):
        if stem(word) not in known:
            _known_elsewhere(suite, word)
    if not found:
        raise NothingSelected(f"no check has all these words in its title or id: -k '{printable(text)}'.")
    return found


def _stems(headings: Iterable[Heading]) -> dict[str, frozenset[str]]:
    """Return the stems of each check's title and id, by check id."""
    of_titles: dict[str, frozenset[str]] = {}
    of_rulesets: dict[str, frozenset[str]] = {}
    for each in headings:
        if each.scenario not in of_titles:
            of_titles[each.scenario] = stems(f"{each.title} {each.scenario}")
        if each.ruleset not in of_rulesets:
            of_rulesets[each.ruleset] = stems(each.ruleset)
    return {each.id: of_titles[each.scenario] | of_rulesets[each.ruleset] for each in headings}


def _known_elsewhere(suite: Suite, word: str) -> None:
    """Raise NothingSelected if a word is in no title or id of the whole suite, because it is then probably misspelt."""
    texts = {text for each in suite.index.headings.values() for text in (each.title, each.scenario, each.ruleset)}
    every = {known for text in texts for known in words(text)}
    if stem(word) in map(stem, every):
        return
    near = nearest(word, every)
    meant = f"Did you mean '{near}'? " if near else ""
    raise NothingSelected(f"-k: no title or id has '{word}'. {meant}'hoyle ask {word}' also knows players' words.")
