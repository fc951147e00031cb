"""The first page of a game: its rules by book, form by form."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording import citations
from hoyle_conformance.wording.comparison import compare_rules


@dataclass(frozen=True, slots=True)
class FormBook:
    """A book of a form: its table, its title, what it is in a sentence, and the titles of its options."""

    ruleset: str
    title: str
    summary: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameForm:
    """A form of a game with its books, and how many of its rules differ among them."""

    title: str
    books: tuple[FormBook, ...]
    rules: int
    differing: int


def pages(suite: Suite) -> Iterator[Page]:
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
