"""Documents of the project, which its site sets as pages: here they are shown as they are written, where they are at
hand, or it is said where they are."""

import re
from pathlib import Path
from typing import Final

from hoyle_conformance.web.site.navigation import CONTRIBUTE, TEST
from hoyle_conformance.web.site.page import Page, href
from hoyle_conformance.web.site.pages import DOCUMENTS
from hoyle_conformance.wording.html import Markup, joined, tag

_FILES: Final = {href(address, ""): source for source, address in DOCUMENTS}
_IN_THE_DOCS: Final = re.compile(r"(?:[a-z0-9-]+/)?[a-z0-9-]+\.html")
#: The documents that pages lead to: an installed Hoyle brings none of them.
_KNOWN: Final = frozenset(room.path for door in (TEST, CONTRIBUTE) for room in door.rooms)
_HEADING: Final = re.compile(r"^# (.+)$", re.MULTILINE)
TO_THE_TABLE: Final = tag("p", tag("a", "To the table", href="/table.html"))


def document(root: Path, path: str) -> Page | None:
    """The document at an address of the site, as it is written in a clone; nothing where it is not at hand."""
    file = _file(path)
    if not file or not (root / file).is_file():
        return None
    text = (root / file).read_text("utf-8")
    found = _HEADING.search(text)
    about = tag("p", f"This is {file} as it is written. The project's site shows it with its links.", class_="small")
    title = found[1] if found else file
    return _page(
        path, title, about, tag("pre", _HEADING.sub("", text, count=1).strip(), tabindex="0", class_="written")
    )


def not_at_hand(path: str) -> Page:
    """The page that stands for one which is not there; of a document it says where that is."""
    if path not in _KNOWN:
        why = tag(
            "p", "Some pages are on the project's site only: what is told of the project, and of testing engines."
        )
        return _page(path, "There is no such page here", why, TO_THE_TABLE)
    why = tag("p", "This document does not come with an installed Hoyle.")
    where = tag(
        "p", f"In the project's repository it is the file {_file(path)}; on the project's site, the page {path}."
    )
    return _page(path, "There is no such page here", why, where, TO_THE_TABLE)


def _file(path: str) -> str:
    """The file of a document in a clone, by its address on the site."""
    in_the_docs = f"docs/{path.removesuffix('.html')}.md" if _IN_THE_DOCS.fullmatch(path) else ""
    return _FILES.get(path, in_the_docs)


def _page(path: str, title: str, *inside: Markup) -> Page:
    return Page(path, body=joined([tag("h1", title), *inside]), title=title, kind="documents")
