"""A page that stands alone: its style and its few lines of script are in it, and it asks nobody for anything."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from hoyle_conformance.wording.html import Markup, joined, tag

_HERE: Final = Path(__file__).parent
_ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Ctext y='14' font-size='16'%3E%E2%99%A0%3C/text%3E%3C/svg%3E"
)


def page(title: str, about: str, body: Markup, below: str) -> str:
    """The whole text of a page: its `title`, what it is `about` as the line at the top says it, and what stands
    `below` everything."""
    style, script = _own("report.css"), _own("report.js")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="generator", content="Hoyle"),
        tag("meta", http_equiv="Content-Security-Policy", content=_allowed(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("link", rel="icon", href=_ICON),
        tag("style", style),
    )
    top = tag("header", tag("p", "♠ Hoyle", tag("small", about)), class_="top")
    shown = joined([top, tag("main", body), tag("footer", tag("p", below)), tag("script", script)], "\n")
    return f"<!doctype html>\n{tag('html', head, tag('body', shown), lang='en')}\n"


@cache
def _own(name: str) -> Markup:
    """One of the two files that are put into every page."""
    return Markup((_HERE / name).read_text("utf-8"))


def _allowed(style: str, script: str) -> str:
    """What a browser may do with the page: nothing but what is in it, whatever words of a record come to be."""
    own = "; ".join(f"{what}-src 'sha256-{_digest(text)}'" for what, text in (("style", style), ("script", script)))
    return f"default-src 'none'; img-src data:; {own}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
