"""The table: the page on which a position is laid out and played, and every book is asked what it says of it."""

import json
from collections.abc import Iterator
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.games import inline
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import POSITIONS, TABLE
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.html import Markup, joined, tag

HERE: Final = "table.md"
_ABOUT: Final = "Lay out a position of Bézique or Piquet, play on from it, and see what each book says of it."
_LEAD: Final = (
    "Two of you disagree? Lay out the cards as they lie before you, play on, and see at once what each book says of it."
)
_WHAT: Final = (
    "The answers are worked out by the rules as this project has written them down from the books, each beside the "
    "rule that it rests on. They are proposals: what a book really says stands in the book. Nothing that you lay out "
    "here is sent anywhere."
)
#: The parts of the page, in the order in which one meets them, each with its name for those who hear it.
_PARTS: Final = (
    ("head", "The game and the books"),
    ("laying", "Lay out the cards"),
    ("felt", "The table after the last step"),
    ("acting", "Act and ask"),
    ("answers", "What the books say"),
    ("taking", "Take it away"),
)


def page(suite: Suite) -> Page:
    """The parts that the scripts fill, and what they need from the start."""
    return Page(HERE, body=joined(_page(suite)), title=TABLE.title, about=_ABOUT, kind="table", tab=TABLE.title)


def _page(suite: Suite) -> Iterator[Markup]:
    yield tag("h1", TABLE.title)
    yield tag("p", _LEAD, class_="lead")
    yield tag("noscript", tag("p", *_without_a_script()))
    parts = (tag("section", id=f"table-{name}", aria_label=says) for name, says in _PARTS)
    yield tag("div", *parts, id="table", hidden=True)
    yield tag("p", role="status", id="table-spoken", class_="unseen")
    yield tag("p", _WHAT, class_="small")
    yield tag("script", _data(inline(suite)), type="application/json", id="table-forms")


def _without_a_script() -> Iterator[str]:
    yield "Cards are laid out here with JavaScript, which is turned off or did not load. Without it you can read "
    yield links.a("the positions that are answered already", POSITIONS.path, HERE)
    yield ", with the books side by side."


def _data(value: object) -> Markup:
    """Data as it may stand in a script: nothing in it can end the script."""
    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
