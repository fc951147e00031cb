"""A page that stands alone: its style and its few lines of script are in it, and it asks nobody for anything."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from hoyle_conformance.wording.html import Markup
from hoyle_conformance.wording.render import render

_HERE: Final = Path(__file__).parent
_ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Ctext y='14' font-size='16'%3E%E2%99%A0%3C/text%3E%3C/svg%3E"
)


def page(template: str, /, **values: object) -> str:
    """Return the whole text of a page whose template extends that of a page that stands alone."""
    style, script = _own("report.css"), _own("report.js")
    policy = _allowed(style, script)
    filled = render(f"reports/html/{template}", style=style, script=script, policy=policy, icon=_ICON, **values)
    return f"{filled}\n"


@cache
def _own(name: str) -> Markup:
    """Return one of the two files that are put into every page."""
    return Markup((_HERE / name).read_text("utf-8"))


def _allowed(style: str, script: str) -> str:
    """Return the policy for browsers: nothing runs but the page's own style and script, whatever words a record has."""
    own = "; ".join(f"{what}-src 'sha256-{_digest(text)}'" for what, text in (("style", style), ("script", script)))
    return f"default-src 'none'; img-src data:; {own}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
