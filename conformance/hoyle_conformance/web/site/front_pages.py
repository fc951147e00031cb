"""The first page of the site, the first page of each game, and the page of the table."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.games import inline
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import POSITIONS, TABLE, folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.scenario_pages import answers_by_book
from hoyle_conformance.wording import citations
from hoyle_conformance.wording.comparison import compare_rules
from hoyle_conformance.wording.html import Markup
from hoyle_conformance.wording.walkthrough import tracks, walk

HOME: Final = "index.md"
#: The position on the first page: the books themselves decide it, and differently.
EXAMPLE: Final = "reuse.four-kings-that-have-all-married"


def home(suite: Suite) -> Page:
    """Return the first page: a sentence about the site, a search, links, and a position with its answers."""
    about = "The rules of Bézique and Piquet in each printed book, where the books differ, and what they leave open."
    values: dict[str, Any] = {"folders": [(game, folder(game)) for game in suite.rules.games]}
    values["example"] = example = suite.scenarios.get(EXAMPLE)
    if example:
        checks = suite.index.checks_of(example)
        found = tracks(suite, [walk(suite, check) for check in checks])
        values["answers"] = answers_by_book(suite, checks, found, HOME)
    return links.page("home", suite, HOME, title="Hoyle", about=about, kind="home", **values)


def games(suite: Suite) -> Iterator[Page]:
    """Yield one page a game: each form with its books, and the number of rules on which they differ."""
    for game in suite.rules.games:
        here = f"{folder(game)}/index.md"
        about = f"The rules of {game} by book: every form of the game, and the books that describe it."
        forms = citations.by_form(suite, links.in_order(suite, game)).items()
        shown = [(title, [_book(suite, name) for name in names], _rules(suite, names)) for title, names in forms]
        values: dict[str, Any] = {"game": game, "folder": folder(game), "forms": shown}
        yield links.page("game", suite, here, title=game, about=about, kind="game", tab=game, **values)


def _rules(suite: Suite, names: Sequence[str]) -> tuple[int, int]:
    """Return the number of rules in several books, and of those on which they differ."""
    rows = list(compare_rules(suite, names)) if len(names) > 1 else []
    return len(rows), sum(row.differs for row in rows)


def _book(suite: Suite, name: str) -> tuple[str, str, str, Sequence[str]]:
    """Return a table with its title, a one-sentence description, and the titles of its options."""
    ruleset = suite.rulesets[name]
    return name, suite.sources[ruleset.sources[0]].title, ruleset.summary, list(suite.rules.options(name).values())


def table(suite: Suite) -> Page:
    """Return the page of the table: the parts that the scripts fill, and the data that they need initially, in a form
    that is safe inside a script element."""
    about = "Set up a position of Bézique or Piquet, play on from it, and see what each book says."
    data = json.dumps(inline(suite), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    values: dict[str, Any] = {"positions": POSITIONS.path, "forms": Markup(data)}
    title = TABLE.title
    return links.page("explorer", suite, "table.md", title=title, about=about, kind="table", tab=title, **values)
