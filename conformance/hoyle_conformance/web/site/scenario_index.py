"""The list of all positions: by game and topic, folded; with a script it is searched and filtered."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from string import ascii_letters

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.links import brief
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, href, scenario_path
from hoyle_conformance.wording.html import Markup, joined, tag, text

HERE = "scenarios/index.md"
#: The sign of a position to which not all books give one answer, and of one that a book leaves open.
DIFFERS, OPEN = "≠", "?"


def topic_title(topic: str) -> str:
    """Return a topic in words."""
    return topic.removeprefix("piquet-").replace("-", " ").capitalize()


def page(suite: Suite, differing: Collection[str]) -> Page:
    """Return the list of all positions, marked if the answers differ or a book does not decide."""
    about = f"{len(suite.scenarios):,} positions of Bézique and Piquet, with each book's answer."
    return Page(HERE, body=joined(_page(suite, differing)), title="Positions", about=about, kind="positions")


def _page(suite: Suite, differing: Collection[str]) -> Iterator[Markup]:
    yield tag("h1", "Positions")
    yield tag(
        "p",
        text(f"{len(suite.scenarios):,} positions, each with one question about the rules and each book's answer. "),
        tag("b", DIFFERS),
        text(" marks positions to which the books give different answers, "),
        tag("b", OPEN),
        text(" those that a book leaves open."),
    )
    sections = joined(_games(suite, differing))
    yield tag("hoyle-positions", sections, data_books=_codes(suite))


def _codes(suite: Suite) -> str:
    """Return the books with the letters by which entries name them: ``a=Bézique for two: Hoyle|b=…``."""
    return "|".join(f"{code}={name}={brief(suite, [name])}" for name, code in _letters(suite).items())


def _letters(suite: Suite) -> Mapping[str, str]:
    in_order = (ruleset.id for some in suite.rules.games.values() for ruleset in some)
    return {name: ascii_letters[at] for at, name in enumerate(in_order)}


def _games(suite: Suite, differing: Collection[str]) -> Iterator[Markup]:
    """Yield a section a game, in it a folded list a topic; a position of several games is under each of them."""
    by_game: dict[str, dict[str, list[Scenario]]] = {game: defaultdict(list) for game in suite.rules.games}
    for key in sorted(suite.scenarios):
        scenario = suite.scenarios[key]
        for game in dict.fromkeys(suite.rulesets[name.partition("+")[0]].game for name in scenario.rulesets):
            by_game[game][scenario.topic].append(scenario)
    letters = _letters(suite)
    for game, topics in by_game.items():
        lists = (_topic(topic, some, letters, differing) for topic, some in topics.items())
        yield tag("section", tag("h2", game), *lists, data_game=folder(game))


def _topic(topic: str, some: Sequence[Scenario], letters: Mapping[str, str], differing: Collection[str]) -> Markup:
    entries = "".join(_entry(each, letters, each.id in differing) for each in some)
    summary = tag("summary", text(topic_title(topic)), text(" "), tag("span", str(len(some)), class_="count"))
    return tag("details", summary, Markup(f"<ul>{entries}</ul>"), data_topic=topic)


def _entry(scenario: Scenario, letters: Mapping[str, str], differs: bool) -> str:
    """Return one position, with the letters of the books that answer it."""
    books = "".join(sorted({letters[name.partition("+")[0]] for name in scenario.rulesets}))
    marks = f"{DIFFERS * differs}{OPEN * bool(scenario.readings)}"
    shown = f" <b>{marks}</b>" if marks else ""
    to = href(scenario_path(scenario), HERE)
    return f'<li data-b="{books}"><a href="{text(to)}">{text(scenario.title)}</a>{shown}</li>'
