"""The first page: what this is, for whom, and where to go."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.answers import different
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.navigation import POSITIONS, SOURCES, folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.replay import of_tracks
from hoyle_conformance.wording.html import Markup
from hoyle_conformance.wording.walkthrough import tracks, walk

HERE: Final = "index.md"
#: The position on the first page: it is in the books themselves, and they answer it differently.
EXAMPLE: Final = "to-score.the-example"


@dataclass(frozen=True, slots=True)
class ExamplePosition:
    """A position with its answers and its replay."""

    scenario: Scenario
    answers: Markup
    replay: Markup


def page(suite: Suite) -> Page:
    """Return the page: this site in a sentence, a search, ways in, a position with its answers, and figures."""
    about = "The rules of Bézique and Piquet in each printed book, where the books differ, and what they leave open."
    folders = [(game, folder(game)) for game in suite.rules.games]
    body = fill("home", suite, HERE, folders=folders, example=_example(suite), figures=list(_figures(suite)))
    return Page(HERE, body=body, title="Hoyle", about=about, kind="home")


def _example(suite: Suite) -> ExamplePosition | None:
    if EXAMPLE not in suite.scenarios:
        return None
    scenario = suite.scenarios[EXAMPLE]
    checks = suite.index.checks_of(scenario)
    found = tracks(suite, [walk(suite, check) for check in checks])
    answers = different(suite, checks, found, HERE, differ=True)
    return ExamplePosition(scenario, answers, of_tracks(suite, found, HERE))


def _figures(suite: Suite) -> Iterator[tuple[int, str, str]]:
    """Yield counts, each with what is counted and a page that shows it."""
    yield len(suite.sources), "books", SOURCES.path
    yield len(suite.clauses), "statements", SOURCES.path
    yield len(suite.rulesets), "rulesets", "rulesets/index.html"
    yield sum(1 for name in suite.rulesets for _ in suite.rules.cells(name)), "rules", "rulesets/index.html"
    yield len(suite.scenarios), "positions", POSITIONS.path
