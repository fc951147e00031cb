"""The first page of the site, the first page of each game, and the page of the table."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.games import inline
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.navigation import POSITIONS, SOURCES, TABLE, folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.replay import of_tracks
from hoyle_conformance.web.site.scenario_pages import different
from hoyle_conformance.wording import citations
from hoyle_conformance.wording.comparison import compare_rules
from hoyle_conformance.wording.html import Markup
from hoyle_conformance.wording.walkthrough import tracks, walk

HOME: Final = "index.md"
#: The position on the first page: the books themselves decide it, and differently.
EXAMPLE: Final = "to-score.the-example"


# ---- first page of the site


@dataclass(frozen=True, slots=True)
class ExamplePosition:
    """A position with its answers and its replay."""

    scenario: Scenario
    answers: Markup
    replay: Markup


def home(suite: Suite) -> Page:
    """Return the first page: a sentence about the site, a search, links, a position with its answers, and figures."""
    about = "The rules of Bézique and Piquet in each printed book, where the books differ, and what they leave open."
    folders = [(game, folder(game)) for game in suite.rules.games]
    body = fill("home", suite, HOME, folders=folders, example=_example(suite), figures=list(_figures(suite)))
    return Page(HOME, body=body, title="Hoyle", about=about, kind="home")


def _example(suite: Suite) -> ExamplePosition | None:
    if EXAMPLE not in suite.scenarios:
        return None
    scenario = suite.scenarios[EXAMPLE]
    checks = suite.index.checks_of(scenario)
    found = tracks(suite, [walk(suite, check) for check in checks])
    answers = different(suite, checks, found, HOME, differ=True)
    return ExamplePosition(scenario, answers, of_tracks(suite, found, HOME))


def _figures(suite: Suite) -> Iterator[tuple[int, str, str]]:
    """Yield counts, each with its label and a page that shows the items."""
    yield len(suite.sources), "books", SOURCES.path
    yield len(suite.clauses), "statements", SOURCES.path
    yield len(suite.rulesets), "rulesets", "rulesets/index.html"
    yield sum(1 for name in suite.rulesets for _ in suite.rules.cells(name)), "rules", "rulesets/index.html"
    yield len(suite.scenarios), "positions", POSITIONS.path


# ---- first page of a game


@dataclass(frozen=True, slots=True)
class FormBook:
    """A book of a form: its table, title, a one-sentence description, and the titles of its options."""

    ruleset: str
    title: str
    summary: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameForm:
    """A form of a game with its books, and the number of rules on which they differ."""

    title: str
    books: tuple[FormBook, ...]
    rules: int
    differing: int


def games(suite: Suite) -> Iterator[Page]:
    """Yield one page a game."""
    for game in suite.rules.games:
        here = f"{folder(game)}/index.md"
        forms = citations.by_form(suite, links.in_order(suite, game))
        shown = [_form(suite, title, names) for title, names in forms.items()]
        body = fill("game", suite, here, game=game, folder=folder(game), forms=shown)
        about = f"The rules of {game} by book: every form of the game, and the books that describe it."
        yield Page(here, body=body, title=game, about=about, kind="game", tab=game)


def _form(suite: Suite, title: str, names: Sequence[str]) -> GameForm:
    rows = list(compare_rules(suite, names)) if len(names) > 1 else []
    return GameForm(title, tuple(_book(suite, name) for name in names), len(rows), sum(row.differs for row in rows))


def _book(suite: Suite, name: str) -> FormBook:
    ruleset = suite.rulesets[name]
    title = suite.sources[ruleset.sources[0]].title
    return FormBook(name, title, ruleset.summary, tuple(suite.rules.options(name).values()))


# ---- table


def table(suite: Suite) -> Page:
    """Return the page of the table: the parts that the scripts fill, and the data that they need initially."""
    here, about = "table.md", "Set up a position of Bézique or Piquet, play on from it, and see what each book says."
    body = fill("explorer", suite, here, title=TABLE.title, positions=POSITIONS.path, forms=_data(inline(suite)))
    return Page(here, body=body, title=TABLE.title, about=about, kind="table", tab=TABLE.title)


def _data(value: object) -> Markup:
    """Return data in a form that is safe inside a script element."""
    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
