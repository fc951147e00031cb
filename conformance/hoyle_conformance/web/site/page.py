"""A page, and the small pieces that pages are made of: cards as they are drawn, links, anchors."""

import posixpath
from collections.abc import Iterable, Iterator
from functools import cache

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.html import NOTHING, Markup, drawn, tag
from hoyle_reference.frozen import frozen
from hoyle_reference.table.cards import RANK_NAMES, RANKS


@frozen
class Page:
    """One page of the site: its path in the docs folder (with ``.md``; with another ending it is a file for machines),
    and its text, of a page in Markdown; or, where it is HTML already, its `body`, with its heading. Of the latter also
    its title in words, what it is about in a sentence, what kind of page it is (which decides on style and script), the
    door it lies behind, and the id that its foot shows."""

    path: str
    text: str = ""
    body: Markup = NOTHING
    title: str = ""
    about: str = ""
    kind: str = ""
    door: str = ""
    id: str = ""


def card(name: str) -> Markup:
    """One card, drawn; its name for those who do not see it."""
    return drawn(printed.card(name))


def cards(names: Iterable[str]) -> Markup:
    """Cards in a row, drawn."""
    return tag("span", *map(card, names), class_="cards")


def ranks(names: Iterable[str]) -> Iterator[Markup]:
    """Ranks, drawn as cards without a suit."""
    for rank in names:
        shown = "10" if rank == "T" else rank
        yield tag("span", shown, class_="card", role="img", aria_label=RANK_NAMES[RANKS.index(rank)])


def anchor(clause: str) -> str:
    """The anchor of a clause on the page of its source."""
    return clause.partition("/")[2].replace("/", "-")


@cache
def _from(path: str, folder: str) -> str:
    """The way to a path from a folder; there are few of both, and many links."""
    return posixpath.relpath(path, folder)


def href(to: str, here: str) -> str:
    """Where a page of the site is found from the page `here`, for HTML that Markdown does not read."""
    path, mark, fragment = to.partition("#")
    if not path:
        return to
    target, ending = posixpath.splitext(path)
    return f"{_from(target, posixpath.dirname(here))}{'.html' if ending == '.md' else ending}{mark}{fragment}"


def scenario_path(scenario: Scenario) -> str:
    """Where a scenario's page lies."""
    return f"scenarios/{scenario.id.replace('.', '/')}.md"
