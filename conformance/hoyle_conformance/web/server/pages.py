"""The frame of a page that Hoyle serves by itself: without what the site has beside its pages."""

import posixpath
from collections.abc import Sequence
from typing import Final

from hoyle_conformance import __version__
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.explorer_styles import scripts_of, styles_of
from hoyle_conformance.web.site.navigation import CONTRIBUTE, TEST, NavTab, doors
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.html import Markup, joined, tag

#: The doors behind which pages lie that only the site has.
_ON_THE_SITE: Final = (TEST, CONTRIBUTE)


def framed(page: Page, path: str, suite: Suite, token: str) -> str:
    """A page as a browser is sent it, with the word by which it may ask."""
    here = posixpath.dirname(path)
    to = posixpath.relpath(".", here or ".") + "/"
    styles = ("base", "search", *styles_of(page.kind))
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{page.title} · Hoyle" if page.title else "Hoyle"),
        tag("link", rel="icon", href=f"{to}assets/favicon.svg"),
        *(tag("link", rel="stylesheet", href=f"{to}assets/{name}.css") for name in styles),
        tag("script", src=f"{to}assets/theme.js"),
        *(tag("script", src=f"{to}assets/{name}.js", defer=True) for name in ("search", *scripts_of(page.kind))),
    ]
    body = [
        tag("a", "Skip to the text", class_="skip", href="#content"),
        tag("header", *_top(doors(suite), page, to), class_="top"),
        tag("main", page.body, id="content"),
        tag("footer", tag("p", f"Hoyle {__version__}, served from this machine"), class_="foot"),
    ]
    given = {"data_base": to, "data_server": f"{to}ask", "data_token": token, "class_": page.kind}
    html = tag("html", tag("head", *head), tag("body", *body, **given), lang="en")
    return f"<!doctype html>\n{html}"


def _top(among: Sequence[NavTab], page: Page, to: str) -> list[Markup]:
    links = (
        tag("li", tag("a", door.title, href=f"{to}{door.path}", aria_current=door.title == page.door and "page"))
        for door in among
        if door not in _ON_THE_SITE
    )
    box = tag("input", id="search", type="search", name="q", placeholder="Search", autocomplete="off")
    label = tag("label", "Search the rules", class_="unseen", for_="search")
    return [
        tag("a", tag("span", "♠", aria_hidden="true"), " Hoyle", class_="wordmark", href=f"{to}index.html"),
        tag("nav", tag("ul", joined(links)), aria_label="The site"),
        tag("form", label, box, role="search", class_="search", action=f"{to}search.html"),
        tag("button", "Dark", type="button", class_="dark", hidden=True),
    ]


def mistaken(path: str, invalid: Invalid) -> Page:
    """The page that stands for any, as long as there are mistakes in the rules."""
    why = tag("p", "A file has changed, and cannot be used until this is mended. Then load the page again.")
    shown = tag("pre", "\n\n".join(invalid.shown()), tabindex="0")
    title = "There is a mistake in the rules"
    return Page(path, body=joined([tag("h1", title), why, shown]), title=title, kind="documents")
