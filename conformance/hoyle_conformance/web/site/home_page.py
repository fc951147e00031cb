"""The first page: what this is, for whom, and where to go."""

from collections.abc import Iterator
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.answers import different
from hoyle_conformance.web.site.links import a, scenario_a
from hoyle_conformance.web.site.navigation import POSITIONS, SOURCES, TEST, folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.replay import of_tracks
from hoyle_conformance.wording.html import Markup, joined, tag
from hoyle_conformance.wording.walkthrough import tracks, walk

HERE: Final = "index.md"
#: The position that stands on the first page: it is in the books themselves, and they answer it differently.
ALIVE: Final = "to-score.the-example"


def page(suite: Suite) -> Page:
    """What this is in a sentence, a search, three doors, a position with its answers, and what there is in figures."""
    about = (
        "The rules of Bézique and Piquet as the printed books give them, where the books part, and what is left open."
    )
    return Page(HERE, body=joined(_page(suite)), title="Hoyle", about=about, kind="home")


def _page(suite: Suite) -> Iterator[Markup]:
    yield tag("h1", "What are the rules of Bézique? Of Piquet? It depends on the book you ask.")
    yield tag(
        "p",
        "Here is what each book says, rule by rule: where it says so, where the books part, and what they leave open.",
        class_="lead",
    )
    search = tag("label", "Look something up", for_="look", class_="unseen")
    field = tag("input", type="search", name="q", id="look", placeholder="revoke, carte blanche, “to score” …")
    yield tag("form", search, field, tag("button", "Search"), role="search", action="search.html", class_="look")
    yield tag("ul", *_doors(suite), class_="doors")
    yield from _alive(suite)
    yield _figures(suite)


def _doors(suite: Suite) -> Iterator[Markup]:
    games = [(game, folder(game)) for game in suite.rules.games]
    yield _door(
        "Look up a rule",
        "The rules by book, the books side by side, and what follows when something goes wrong.",
        [(game, f"{name}/index.html") for game, name in games],
    )
    yield _door(
        "Learn a game",
        "Two pages each for someone who has never played it, and a whole deal to watch.",
        [(game, f"{name}/learn.html") for game, name in games],
    )
    yield _door(
        "Test an engine",
        "Does your program play by the book? An adapter in any language, one command, and a report.",
        [("Begin", TEST.path)],
    )


def _door(title: str, says: str, links: list[tuple[str, str]]) -> Markup:
    shown = joined((a(words, to, HERE) for words, to in links), " ")
    return tag("li", tag("h2", title), tag("p", says), tag("p", shown, class_="where"))


def _alive(suite: Suite) -> Iterator[Markup]:
    if ALIVE in suite.scenarios:
        scenario = suite.scenarios[ALIVE]
        checks = suite.index.checks_of(scenario)
        yield tag("h2", "One position, several answers")
        yield tag("p", scenario_a(scenario, HERE))
        found = tracks(suite, [walk(suite, check) for check in checks])
        yield different(suite, checks, found, HERE, differ=True)
        yield of_tracks(suite, found, HERE)


def _figures(suite: Suite) -> Markup:
    """How much there is, counted."""
    rules = sum(1 for name in suite.rulesets for _ in suite.rules.cells(name))
    counts = (
        (len(suite.sources), "books", SOURCES.path),
        (len(suite.clauses), "statements in them", SOURCES.path),
        (len(suite.rulesets), "forms of the games, by book", "rulesets/index.html"),
        (rules, "rules", "rulesets/index.html"),
        (len(suite.scenarios), "positions", POSITIONS.path),
    )
    entries = (tag("li", tag("b", f"{count:,}"), " ", a(words, to, HERE)) for count, words, to in counts)
    return tag("ul", *entries, class_="figures")
