"""A page: its text, its small pieces, its chapters, and the scripts and styles of its kind."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.web.site.navigation import NavTab
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.html import NOTHING, Markup, drawn, tag
from hoyle_reference.cards import RANK_NAMES, RANKS

#: The files that browsers may load and run for a page of the site: only files of the site, and no inline code.
_POLICY: Final = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'"
#: The policy of the table, which runs the compiled interpreter in a worker of its own making.
_RUNS_PYTHON: Final = "; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:"
#: The scripts of the table, each after the scripts it depends on.
_TABLE: Final = ("store", "parts", "given", "acting", "laying", "answers", "playing")
#: The scripts of a kind of page; the search script is on all pages.
_SCRIPTS: Final[Mapping[str, tuple[str, ...]]] = {
    "home": ("cards",),
    "rules": ("rules",),
    "position": ("cards", "replay"),
    "positions": ("positions",),
    "comparison": ("comparison", "moved"),
    "learn": ("cards", "replay"),
    "source": ("moved",),
    "table": ("cards", *(f"table-{part}" for part in _TABLE), "table"),
}
#: A heading with its anchor, or with that of the section that it begins, but not headings for screen readers.
_HEADING: Final = re.compile(
    r'<section[^>]* id="(?P<section>[^"]+)"[^>]*>\s*<h2>(?P<first>.*?)</h2>'
    r'|<h2(?![^>]*class="unseen")[^>]* id="(?P<own>[^"]+)"[^>]*>(?P<title>.*?)</h2>',
    re.DOTALL,
)
#: The parts of a heading that its title omits: the link to itself, and tags.
_NOT_TITLE: Final = re.compile(r'<a class="headerlink".*?</a>|<[^>]*>', re.DOTALL)
#: The minimum number of chapters for a list of them.
_FEWEST: Final = 3


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the site: its path in the docs folder (``.md``, or another extension for a file for programs), and
    its Markdown text, or the `body` of an HTML page with its heading. An HTML page also has a title in words, a
    one-sentence description, its kind (which determines style and script), its tab, the id in its footer, and the pages
    of its book."""

    path: str
    text: str = ""
    body: Markup = NOTHING
    title: str = ""
    about: str = ""
    kind: str = ""
    tab: str = ""
    id: str = ""
    contents: NavTab | None = None


def card(name: str) -> Markup:
    """Return one card, drawn, with its name for those who do not see it."""
    return drawn(printed.card(name))


def cards(names: Iterable[str]) -> Markup:
    """Return cards in a row, drawn."""
    return tag("span", *map(card, names), class_="cards")


def ranks(names: Iterable[str]) -> Iterator[Markup]:
    """Yield ranks, drawn as cards without a suit."""
    for rank in names:
        shown = "10" if rank == "T" else rank
        yield tag("span", shown, class_="card", role="img", aria_label=RANK_NAMES[RANKS.index(rank)])


def anchor(clause: str) -> str:
    """Return the anchor of a clause on the page of its source."""
    return clause.partition("/")[2].replace("/", "-")


@cache
def _from(path: str, folder: str) -> str:
    """Return the relative path from a folder to a path; cached, since there are few of both and many links."""
    return posixpath.relpath(path, folder)


def href(to: str, here: str) -> str:
    """Return the link from the page `here` to a page of the site, for HTML that Markdown does not process."""
    path, mark, fragment = to.partition("#")
    if not path:
        return to
    target, ending = posixpath.splitext(path)
    page = f"{target}.html" if ending == ".md" else path
    return f"{_from(page, posixpath.dirname(here))}{mark}{fragment}"


def scenario_path(scenario: Scenario) -> str:
    """Return the path of a scenario's page."""
    return f"scenarios/{scenario.id.replace('.', '/')}.md"


def styles_of(kind: str) -> tuple[str, ...]:
    """Return the style sheets of a kind of page, by asset name."""
    return ("base", "table") if kind == "table" else ("base",)


def scripts_of(kind: str) -> tuple[str, ...]:
    """Return the scripts of a kind of page, by asset name, without those of every page."""
    return _SCRIPTS.get(kind, ())


def policy_of(kind: str) -> str:
    """Return the Content-Security-Policy of a kind of page."""
    return f"{_POLICY}{_RUNS_PYTHON}" if kind == "table" else _POLICY


# ---- list of chapters


@dataclass(frozen=True, slots=True)
class PageChapter:
    """A chapter of a page: its anchor, and its title without tags."""

    anchor: str
    title: str


def chapters_of(html: str) -> tuple[PageChapter, ...]:
    """Return the chapters of a page, in order; none if there are too few for a list, or if they are letters, which the
    page lists in a line."""
    found = tuple(
        PageChapter(
            unescape(each["section"] or each["own"]),
            unescape(_NOT_TITLE.sub("", each["first"] or each["title"])).strip(),
        )
        for each in _HEADING.finditer(html)
    )
    return found if len(found) >= _FEWEST and any(len(each.title) > 1 for each in found) else ()
