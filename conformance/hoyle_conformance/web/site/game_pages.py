"""The first page of a game: its rules by book, form by form."""

from collections.abc import Iterator, Sequence

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.comparison import compare_rules
from hoyle_conformance.wording.html import Markup, joined, tag
from hoyle_conformance.wording.text import plural


def pages(suite: Suite) -> Iterator[Page]:
    """One page a game."""
    for game in suite.rules.games:
        yield _game(suite, game)


def _game(suite: Suite, game: str) -> Page:
    here = f"{folder(game)}/index.md"
    parts = [tag("h1", game), *_way_in(game, here)]
    forms = books.by_form(suite, books.in_order(suite, game))
    for form, names in forms.items():
        parts += _form(suite, form, names, here)
    about = f"The rules of {game} by book: every form of the game, and the books that describe it."
    return Page(here, body=joined(parts), title=game, about=about, kind="game", tab=game)


def _way_in(game: str, here: str) -> Iterator[Markup]:
    learn = links.a("Learn the game", f"{folder(game)}/learn.html", here)
    differ = links.a("See where the books differ", f"{folder(game)}/differences.html", here)
    opened = links.a("what they leave open", f"{folder(game)}/open.html", here)
    wrong = links.a("what follows when something goes wrong", f"{folder(game)}/irregularities.html", here)
    called = links.a("what things are called", f"{folder(game)}/terms.html", here)
    yield tag("p", learn, ". ", differ, ", ", opened, ", ", wrong, ", ", called, ".")
    yield tag("p", "Or read the rules as one book gives them:")


def _form(suite: Suite, form: str, names: Sequence[str], here: str) -> Iterator[Markup]:
    yield tag("h2", form)
    if len(names) > 1:
        lines = list(compare_rules(suite, names))
        differ = sum(line.differs for line in lines)
        yield tag(
            "p",
            f"{plural(len(names), 'book')}; of {len(lines)} rules {differ} are not the same in all of them.",
            class_="small",
        )
    yield tag("ul", *(_book(suite, name, here) for name in names), class_="books")


def _book(suite: Suite, name: str, here: str) -> Markup:
    ruleset = suite.rulesets[name]
    title = tag("b", links.ruleset_a(suite, name, here, suite.sources[ruleset.sources[0]].title))
    offered = "; ".join(suite.rules.options(name).values())
    options = tag("span", f"It offers: {offered}.", class_="small") if offered else ""
    return tag("li", title, " ", links.linked(suite, ruleset.summary, here), " ", options)
