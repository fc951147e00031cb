"""Pages of the local server: the frame of all, documents as they are written in a clone, and pages of what is wrong."""

import posixpath
import re
from pathlib import Path
from typing import Final
from urllib.parse import quote

from hoyle_conformance import __version__
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.navigation import CONTRIBUTE, TEST, tabs
from hoyle_conformance.web.site.page import Page, href, scripts_of, styles_of
from hoyle_conformance.web.site.pages import DOCUMENTS
from hoyle_conformance.wording.render import render

#: The tabs with pages that only the site has.
_ON_THE_SITE: Final = (TEST, CONTRIBUTE)
#: The documents that pages link to, by their addresses; an installed Hoyle brings none of them.
_KNOWN: Final = frozenset(item.path for tab in _ON_THE_SITE for item in tab.pages)
_FILES: Final = {href(address, ""): source for source, address in DOCUMENTS}
_IN_THE_DOCS: Final = re.compile(r"(?:[a-z0-9-]+/)?[a-z0-9-]+\.html")
_HEADING: Final = re.compile(r"^# (.+)$", re.MULTILINE)


def framed(page: Page, path: str, suite: Suite) -> str:
    """Return a page as a browser is sent it."""
    to = posixpath.relpath(".", posixpath.dirname(path) or ".") + "/"
    return render(
        "web/server/frame.html.jinja",
        page=page,
        to=to,
        tabs=[tab for tab in tabs(suite) if tab not in _ON_THE_SITE],
        styles=("base", "search", *styles_of(page.kind)),
        scripts=("search", *scripts_of(page.kind)),
        version=__version__,
    )


def bare(template: str, path: str) -> str:
    """Return a page that stands alone: `enter`, for a browser that has just been given the token, which then goes on to
    the path; or `no-access`, for one that has none."""
    return render(f"web/server/{template}.html.jinja", path=quote(path))


def document(root: Path, path: str) -> Page | None:
    """Return the document at an address of the site, as it is written in a clone; None where it is not at hand."""
    file = _file(path)
    if not file or not (root / file).is_file():
        return None
    text = (root / file).read_text("utf-8")
    found = _HEADING.search(text)
    return _page(path, "document", found[1] if found else file, file=file, text=_HEADING.sub("", text, count=1).strip())


def not_at_hand(path: str) -> Page:
    """Return the page in place of one that is not here; of a document it says where that is."""
    return _page(path, "missing", "There is no such page here", file=_file(path) if path in _KNOWN else "")


def mistaken(path: str, invalid: Invalid) -> Page:
    """Return the page in place of any, as long as there are mistakes in the rules."""
    return _page(path, "mistaken", "There is an error in the rules", mistakes="\n\n".join(invalid.shown()))


def _file(path: str) -> str:
    """Return the file of a document in a clone, by its address on the site; "" if no document can have it."""
    in_the_docs = f"docs/{path.removesuffix('.html')}.md" if _IN_THE_DOCS.fullmatch(path) else ""
    return _FILES.get(path, in_the_docs)


def _page(path: str, template: str, title: str, **values: str) -> Page:
    body = render(f"web/server/{template}.html.jinja", path=path, title=title, **values)
    return Page(path, body=body, title=title, kind="documents")
