"""The page of claims: the words for each kind of engine, their meanings, and how many checks they bring."""

from collections.abc import Iterable, Sequence
from typing import Final

from hoyle_conformance.reports.claims import ALL_IT_DOES, KINDS, checks_by_kind, checks_needing, meanings
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.html import Markup, coded, joined, tag

HERE: Final = "claims.md"
_TITLE: Final = "What to claim"


def page(suite: Suite) -> Page:
    """Return the page: kinds of engine with how many checks each is asked, and every word with how many need it."""
    count_of_kinds = checks_by_kind(suite)
    by_ruleset = [
        [links.ruleset_a(suite, name, HERE, links.label(suite, name)), *(f"{of[name]:,}" for of in count_of_kinds)]
        for name in suite.rulesets
    ]
    known, needed = suite.capabilities, checks_needing(suite)
    shorthands = [
        [_code(name), coded(says), _codes(sorted(known.sets[name])), f"{needed[name]:,}"]
        for name, says in known.meanings.items()
    ]
    body = fill(
        "claims",
        suite,
        HERE,
        title=_TITLE,
        kinds=_kinds([of.total() for of in count_of_kinds]),
        numbers=[str(number) for number in range(1, len(KINDS) + 1)],
        by_ruleset=by_ruleset,
        shorthands=shorthands,
        words=[[_code(word), coded(says), f"{needed[word]:,}"] for word, says in meanings(suite.schemas).items()],
    )
    about = "The words that an engine can claim, and how many checks each adds."
    return Page(HERE, body=body, title=_TITLE, about=about, kind="claims")


def _kinds(totals: Sequence[int]) -> list[list[str]]:
    """Return a row for each kind of engine: its number, what it has, its claims, its position and its checks."""
    return [
        [str(number), kind.has, _codes(kind.claims) or ALL_IT_DOES, _code(kind.position), f"{total:,}"]
        for number, (kind, total) in enumerate(zip(KINDS, totals, strict=True), start=1)
    ]


def _code(word: str) -> Markup:
    return tag("code", word)


def _codes(words: Iterable[str]) -> Markup:
    return joined(map(_code, words), ", ")
