"""Keywords: the checks with certain words in their titles or ids, in whatever form."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.files.safe_text import printable
from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.runner.select import NothingSelected
from hoyle_conformance.suite.model import Heading
from hoyle_conformance.suite.suite import Suite

_AND, _OR, _NOT = "and", "or", "not"
#: The most characters of a text.
_LONGEST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Keywords:
    """Words as they were written: those that must all be in a text, and those that must not."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]

    def fit(self, stems_of: frozenset[str]) -> bool:
        """Whether a text with these stems has all wanted words, and none of the others."""
        return stems_of.issuperset(map(stem, self.wanted)) and stems_of.isdisjoint(map(stem, self.unwanted))


def read_keywords(text: str) -> tuple[Keywords, ...]:
    """Read the groups of words between ``or``: ``trump and not king`` asks for the one word without the other.

    Raises NothingSelected if there is no word, or something that would be misunderstood.
    """
    if len(text) > _LONGEST:
        raise NothingSelected(f"-k takes {_LONGEST:,} letters at most.")
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
    """Return the checks that fit the keywords, in their order; raises NothingSelected if the text cannot be read, if a
    word is nowhere in the suite, and if no check fits."""
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
    """Return the stems of what each check is listed by, by its id."""
    of_titles: dict[str, frozenset[str]] = {}
    of_rulesets: dict[str, frozenset[str]] = {}
    for each in headings:
        if each.scenario not in of_titles:
            of_titles[each.scenario] = stems(f"{each.title} {each.scenario}")
        if each.ruleset not in of_rulesets:
            of_rulesets[each.ruleset] = stems(each.ruleset)
    return {each.id: of_titles[each.scenario] | of_rulesets[each.ruleset] for each in headings}


def _known_elsewhere(suite: Suite, word: str) -> None:
    """Raise NothingSelected if a word is in no title or id of the whole suite: it is misspelt then."""
    texts = {text for each in suite.index.headings.values() for text in (each.title, each.scenario, each.ruleset)}
    every = {known for text in texts for known in words(text)}
    if stem(word) in map(stem, every):
        return
    near = nearest(word, every)
    meant = f"Did you mean '{near}'? " if near else ""
    raise NothingSelected(f"-k: no title or id has '{word}'. {meant}'hoyle ask {word}' also knows players' words.")
