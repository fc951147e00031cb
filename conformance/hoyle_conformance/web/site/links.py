"""Links between pages: to a rule, a clause, a position, a source; and links in place of ids in prose."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import definitions
from hoyle_conformance.web.site.page import href, scenario_path
from hoyle_conformance.web.site.source_chapters import clause_path
from hoyle_conformance.wording.citations import grade, place, rule_path, ruleset_path
from hoyle_conformance.wording.html import Markup, drawn, joined, tag, text

__all__ = [
    "ParagraphPlace",
    "a",
    "clause_a",
    "code_a",
    "grade",
    "linked",
    "one_a_place",
    "paragraph_place",
    "place",
    "rule_a",
    "rule_path",
    "ruleset_a",
    "scenario_a",
]

#: Whatever could be an id: words with something between them.
_COULD_BE: Final = re.compile(r"[\w-]+(?:[./+][\w-]+)*")


def a(words: str, to: str, here: str, **attributes: str | bool) -> Markup:
    """Return a link to a page of the site (its path, perhaps with an anchor), from the page `here`."""
    return tag("a", words, href=href(to, here), **attributes)


def clause_a(suite: Suite, clause: str, here: str, words: str = "") -> Markup:
    """Return a link to a clause in its ledger, by its place; its id is shown when a pointer rests on it."""
    return a(words or place(suite, suite.clauses[clause]), clause_path(suite, clause), here, title=clause)


def one_a_place(suite: Suite, clauses: Sequence[str]) -> tuple[str, ...]:
    """Return clauses in their order, of those at one place in a book the first alone."""
    shown = {place(suite, suite.clauses[each]): each for each in reversed(clauses)}
    return tuple(reversed(shown.values()))


def rule_a(words: str, ruleset: str, cell: str, here: str) -> Markup:
    """Return a link to a rule on the page of a table."""
    return a(words, rule_path(ruleset, cell), here)


@dataclass(frozen=True, slots=True)
class ParagraphPlace:
    """A paragraph of the semantics: its id, and its path on the site."""

    id: str
    path: str


def paragraph_place(address: str) -> ParagraphPlace:
    """Return the place of a paragraph by its address, ``SEMANTICS.md#trick-3``."""
    document, _, id_ = address.partition("#")
    return ParagraphPlace(id_, f"{document.lower()}#{id_}")


def code_a(suite: Suite, cell: str, here: str) -> Markup:
    """Return the path of a cell as code, with a link to the paragraph of the semantics that defines it, if any."""
    defined = [paragraph_place(each) for each in definitions(suite, [cell])]
    return tag("code", a(cell, defined[0].path, here) if defined else text(cell), class_="code")


def ruleset_a(suite: Suite, ruleset: str, here: str, words: str = "") -> Markup:
    """Return a link to the page of a table, by its title."""
    return a(words or suite.rules.title(ruleset), ruleset_path(ruleset), here)


def scenario_a(scenario: Scenario, here: str) -> Markup:
    """Return a link to a position, by its title, with the cards in it drawn."""
    return a(drawn(scenario.title), scenario_path(scenario), here)


def linked(suite: Suite, words: str, here: str) -> Markup:
    """Return prose with its cards drawn, and with links in place of ids: a clause by its place in the book, a position
    by its title, a table by its own."""
    parts, end = [], 0
    for found in _COULD_BE.finditer(words):
        if link := _link(suite, found[0], here):
            parts += [drawn(words[end : found.start()]), link]
            end = found.end()
    return joined([*parts, drawn(words[end:])])


def _link(suite: Suite, word: str, here: str) -> Markup | None:
    if word in suite.clauses:
        return clause_a(suite, word, here)
    if word in suite.scenarios:
        return scenario_a(suite.scenarios[word], here)
    return ruleset_a(suite, word, here) if "-" in word and word in suite.rules.names else None
