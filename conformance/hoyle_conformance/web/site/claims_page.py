"""The page that says what to claim: for which kind of engine what, and how many checks that brings."""

from collections.abc import Iterator
from typing import Final

from hoyle_conformance.reports.claims import ALL_IT_DOES, KINDS, EngineKind, checks_by_kind, checks_needing, meanings
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.html_tables import coded, table
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.html import Markup, joined, tag

HERE: Final = "claims.md"
_TITLE: Final = "What to claim"
_BY_RULESET: Final = (
    "Where a check cannot be put to an engine, the questions in it are, each once: which cards may be played, who "
    "wins, what a combination scores. They come on top of these figures."
)
_ALL: Final = (
    "All it does is counted without the rulings on what is irregular, which few engines have. Of these checks, each "
    "game with its options has so many for an engine of the kind with this number:"
)


def page(suite: Suite) -> Page:
    """Kinds of engine with how many checks each is asked; every word with its meaning and how many need it."""
    protocol = links.a("the protocol", "protocol.html", HERE)
    about = tag("p", "Claim the words for what your engine does, and it is asked for nothing else: see ", protocol, ".")
    printed = tag(
        "p", coded("It brings so many checks, as `hoyle suite list engines` and `hoyle suite list claims` print too.")
    )
    words = "What an engine claims to do, and how many checks it is asked for that."
    body = joined([tag("h1", _TITLE), about, printed, *_kinds(suite), *_words(suite)])
    return Page(HERE, body=body, title=_TITLE, about=words, kind="vocabulary")


def _kinds(suite: Suite) -> Iterator[Markup]:
    found = checks_by_kind(suite)
    rows = [
        [str(number), kind.has, _claims(kind), tag("code", kind.position), f"{count.total():,}"]
        for number, (kind, count) in enumerate(zip(KINDS, found, strict=True), start=1)
    ]
    yield tag("h2", "Kinds of engine")
    yield table("Kinds of engine", ["Kind", "Your engine has", "Claim", coded("`position`"), "Checks"], rows, numbers=1)
    yield tag("p", _BY_RULESET)
    yield tag("p", _ALL)
    numbers = [str(number) for number in range(1, len(KINDS) + 1)]
    by_table = [
        [links.ruleset_a(suite, name, HERE, books.label(suite, name)), *(f"{count[name]:,}" for count in found)]
        for name in suite.rulesets
    ]
    yield table("Checks by game and kind of engine", ["Rules of", *numbers], by_table, numbers=len(KINDS))


def _claims(kind: EngineKind) -> Markup:
    return joined((tag("code", word) for word in kind.claims), ", ") if kind.claims else Markup(ALL_IT_DOES)


def _words(suite: Suite) -> Iterator[Markup]:
    known, needed = suite.capabilities, checks_needing(suite)
    shorthands = [
        [tag("code", name), coded(says), _of(known.sets[name]), f"{needed[name]:,}"]
        for name, says in known.meanings.items()
    ]
    yield tag("h2", "Shorthands")
    yield tag("p", "A check is counted if it needs any of the words.")
    yield table("Shorthands", ["Shorthand", "What it is", "Words", "Checks"], shorthands, numbers=1)
    words = [[tag("code", word), coded(says), f"{needed[word]:,}"] for word, says in meanings(suite.schemas).items()]
    yield tag("h2", "Words")
    yield table("Words", ["Word", "What it is", "Checks"], words, numbers=1)


def _of(words: frozenset[str]) -> Markup:
    return joined((tag("code", word) for word in sorted(words)), ", ")
