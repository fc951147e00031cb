"""A page, and the small pieces that pages are made of: cards as they are drawn, links, anchors."""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from hoyle_reference.table.cards import MOST_PACKS, RANKS, SUITS

from ..markup import NOTHING, Markup
from ..model import Scenario
from ..report import printed
from .text import code, text

#: How the copies of a card are told apart, beside the first.
COPIES: Final = tuple(f"#{copy}" for copy in range(2, MOST_PACKS + 1))
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the site: its path in the docs folder (with ``.md``), and its text in Markdown; or, where it is HTML
    already, its `body`, with its heading. Of the latter also its title in words, what it is about in a sentence, what
    kind of page it is (which decides on style and script), the door it lies behind, and the id that its foot shows."""

    path: str
    text: str = ""
    body: Markup = NOTHING
    title: str = ""
    about: str = ""
    kind: str = ""
    door: str = ""
    id: str = ""
    wide: bool = False


def card(name: str) -> str:
    """One card, drawn; its name for those who do not see it."""
    shown = printed.card(name)
    return (
        f'<span class="card {_SUITS[name[1]]}" role="img" aria-label="{printed.card_name(name)}">{shown}</span>'
        if name != "..."
        else '<span class="card any" role="img" aria-label="any cards">…</span>'
    )


def cards(texts: Iterable[str]) -> str:
    """Cards in a row, drawn."""
    drawn = "".join(map(card, texts))
    return f'<span class="cards">{drawn}</span>' if drawn else '<span class="none">none</span>'


def with_cards(sentence: str) -> str:
    """A sentence as HTML, with the cards in it drawn."""
    return " ".join(map(_drawn, text(sentence).split(" ")))


#: Every card as it is printed in words, and drawn.
_CARDS: Final = {
    printed.card(face): card(face)
    for face in (f"{rank}{suit}{copy}" for rank in RANKS for suit in SUITS for copy in ("", *COPIES))
}


def _drawn(word: str) -> str:
    core = word.strip("(),.;:?")
    return word.replace(core, _CARDS[core]) if core in _CARDS else word


def anchor(clause: str) -> str:
    """The anchor of a clause on the page of its source."""
    return clause.partition("/")[2].replace("/", "-")


def link(words: str, to: str, here: str) -> str:
    """A Markdown link to another page (a path in the docs folder, perhaps with an anchor), from the page `here`."""
    return _link(text(words), to, here)


def code_link(name: str, to: str, here: str) -> str:
    """The same, of a name that is set as code."""
    return _link(code(name), to, here)


def _link(shown: str, to: str, here: str) -> str:
    path, mark, fragment = to.partition("#")
    return f"[{shown}]({_from(path, posixpath.dirname(here))}{mark}{fragment})"


@cache
def _from(path: str, folder: str) -> str:
    """The way to a path from a folder; there are few of both, and many links."""
    return posixpath.relpath(path, folder)


def hand(texts: Iterable[str]) -> str:
    """Cards as a player sorts them, drawn."""
    return cards(printed.in_order(texts))


def href(to: str, here: str) -> str:
    """Where a page of the site is found from the page `here`, for HTML that Markdown does not read."""
    path, mark, fragment = to.partition("#")
    if not path:
        return to
    target, ending = posixpath.splitext(path)
    return f"{_from(target, posixpath.dirname(here))}{'.html' if ending == '.md' else ending}{mark}{fragment}"


def clause_link(clause: str, here: str) -> str:
    """A link to a clause in its ledger."""
    source = clause.partition("/")[0]
    return code_link(clause, f"sources/{source}.md#{anchor(clause)}", here)


def clause_anchor(clause: str, here: str) -> str:
    """The same, for HTML that Markdown does not read."""
    source = clause.partition("/")[0]
    return f'<a href="{href(f"sources/{source}.md#{anchor(clause)}", here)}">{text(clause)}</a>'


def scenario_path(scenario: Scenario) -> str:
    """Where a scenario's page lies."""
    return f"scenarios/{scenario.id.replace('.', '/')}.md"


def scenario_link(scenario: Scenario, here: str) -> str:
    """A link to a scenario's page, by its title."""
    return link(scenario.title, scenario_path(scenario), here)
