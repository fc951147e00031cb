"""The page of the table, on which a position is set up and played, and every book answers."""

import json
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.games import inline
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.navigation import POSITIONS, TABLE
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.html import Markup

HERE: Final = "table.md"
_ABOUT: Final = "Set up a position of Bézique or Piquet, play on from it, and see what each book says."


def page(suite: Suite) -> Page:
    """Return the page: the parts that the scripts fill, and what they need from the start."""
    body = fill("explorer", suite, HERE, title=TABLE.title, positions=POSITIONS.path, forms=_data(inline(suite)))
    return Page(HERE, body=body, title=TABLE.title, about=_ABOUT, kind="table", tab=TABLE.title)


def _data(value: object) -> Markup:
    """Return data as it may be in a script: nothing in it can end the script."""
    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
