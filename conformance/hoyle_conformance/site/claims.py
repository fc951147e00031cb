"""The page that says what to claim: for which kind of engine what, and how many checks that brings."""

from collections.abc import Iterator

from ..report.claims import ALL_IT_DOES, KINDS, asked, meanings, needing
from ..suite.value import Suite
from .page import Page
from .text import code, prose, text

HERE = "claims.md"

_ABOUT = """# What to claim

Claim the words for what your engine does, and it is asked for nothing else: see [the protocol](protocol.md). Here is
how many checks that brings. `hoyle list engines` and `hoyle list claims` print the same.

## Kinds of engine
"""
_BY_RULESET = """
Where a check cannot be put to an engine, the questions in it are, each once: which cards may be played, who wins, what
a combination scores. They come on top of these figures.

*All it does* is counted without the rulings on what is irregular, which few engines have. Of these checks, each ruleset
with its options has so many for an engine of the kind with this number:
"""
_WORDS = """
## Shorthands

A check is counted if it needs any of the words.
"""


def page(suite: Suite) -> Page:
    """Kinds of engine with how many checks each is asked; every word with its meaning and how many need it."""
    return Page(HERE, "\n".join([_ABOUT, *_kinds(suite), _WORDS, *_words(suite)]))


def _kinds(suite: Suite) -> Iterator[str]:
    counts = [asked(suite, kind) for kind in KINDS]
    yield "| | your engine has | claim | `position` | checks |"
    yield "|--:|---|---|---|--:|"
    for number, (kind, count) in enumerate(zip(KINDS, counts, strict=True), start=1):
        claims = ", ".join(f"`{word}`" for word in kind.claims) or ALL_IT_DOES
        yield f"| {number} | {kind.has} | {claims} | `{kind.position}` | {count.total():,} |"
    yield _BY_RULESET
    yield f"| ruleset | {' | '.join(str(number) for number in range(1, len(KINDS) + 1))} |"
    yield "|---" + "|--:" * len(KINDS) + "|"
    for ruleset in suite.rulesets:
        yield f"| {text(ruleset)} | {' | '.join(f'{count[ruleset]:,}' for count in counts)} |"


def _words(suite: Suite) -> Iterator[str]:
    known, needed = suite.capabilities, needing(suite)
    yield "| shorthand | what it is | words | checks |"
    yield "|---|---|---|--:|"
    for name, says in known.meanings.items():
        words = ", ".join(f"`{word}`" for word in sorted(known.sets[name]))
        yield f"| {code(name)} | {prose(says)} | {words} | {needed[name]:,} |"
    yield from ("", "## Words", "", "| word | what it is | checks |", "|---|---|--:|")
    for word, says in meanings(suite.schemas).items():
        yield f"| {code(word)} | {prose(says)} | {needed[word]:,} |"
