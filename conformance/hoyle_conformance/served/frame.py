"""The frame of a page that Hoyle serves by itself: without what the site has beside its pages."""

import posixpath
from collections.abc import Sequence
from typing import Final

from .. import __version__
from ..markup import Markup, joined, tag
from ..site.doors import CONTRIBUTE, TEST, Door
from ..site.page import Page
from ..site.styles import scripts_of, styles_of

#: The doors behind which pages lie that only the site has.
_ON_THE_SITE: Final = (TEST, CONTRIBUTE)


def framed(page: Page, path: str, doors: Sequence[Door], token: str) -> str:
    """A page as a browser is sent it, with the word by which it may ask."""
    here = posixpath.dirname(path)
    to = posixpath.relpath(".", here or ".") + "/"
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{page.title} · Hoyle" if page.title else "Hoyle"),
        tag("link", rel="icon", href=f"{to}assets/favicon.svg"),
        *(tag("link", rel="stylesheet", href=f"{to}assets/{name}.css") for name in ("base", *styles_of(page.kind))),
        tag("script", src=f"{to}assets/theme.js"),
        *(tag("script", src=f"{to}assets/{name}.js", defer=True) for name in scripts_of(page.kind)),
    ]
    body = [
        tag("a", "Skip to the text", class_="skip", href="#content"),
        tag("header", *_top(doors, page, to), class_="top"),
        tag("main", page.body, id="content"),
        tag("footer", tag("p", f"Hoyle {__version__}, served from this machine"), class_="foot"),
    ]
    given = {"data_base": to, "data_server": f"{to}ask", "data_token": token, "class_": page.kind}
    html = tag("html", tag("head", *head), tag("body", *body, **given), lang="en")
    return f"<!doctype html>\n{html}"


def _top(doors: Sequence[Door], page: Page, to: str) -> list[Markup]:
    links = (
        tag("li", tag("a", door.title, href=f"{to}{door.path}", aria_current=door.title == page.door and "page"))
        for door in doors
        if door not in _ON_THE_SITE
    )
    return [
        tag("a", tag("span", "♠", aria_hidden="true"), " Hoyle", class_="wordmark", href=f"{to}table.html"),
        tag("nav", tag("ul", joined(links)), aria_label="Pages"),
        tag("button", "Dark", type="button", class_="dark", hidden=True),
    ]


def not_there(path: str, why: str) -> Page:
    """The page that stands for one which is not there."""
    words = tag("p", why), tag("p", tag("a", "To the table", href="/table.html"))
    return Page(
        path, body=joined([tag("h1", "There is no such page here"), *words]), title="No such page", kind="documents"
    )
