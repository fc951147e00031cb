"""Lists of the files that a browser stores for when there is no network, each with a digest as its version.

There are two: the table with its interpreter, for `sw.js`, and the pages that one reads at a card table, for
`reading-sw.js`. A reader of a rule need not load the interpreter.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.web.site.browser_bundle import FOLDER, MANIFEST

#: The page of the table, and the list of all that is stored with it.
TABLE: Final = "table.html"
TABLE_LIST: Final = "table-files.js"
_WORKER: Final = "assets/table-worker.js"
_PICTURES: Final = "card-*.svg"
#: The kinds of pages that are stored for reading, the other files that they need, and their list.
READING_KINDS: Final = frozenset({"rules", "game", "terms", "term", "learn", "irregularities"})
READING_LIST: Final = "reading-files.js"
_SEARCH: Final = ("search.html", "assets/asking.js", "assets/search-index.js")
#: The styles, scripts and icon in the text of a page; the typefaces in a style; and the kind of a page.
_ASSETS: Final = re.compile(r'<(?:script|link)\b[^>]*\b(?:src|href)="(?:\.\.?/)*(assets/[\w./-]+)"')
_TYPEFACES: Final = re.compile(r'url\("([\w.-]+\.woff2)"\)')
_KIND: Final = re.compile(r'<body\b[^>]* class="([\w-]+)"')


def write_offline_lists(site: Path) -> None:
    """Write both lists into the folder of a built site; that of the table only if the site has the interpreter."""
    if (site / FOLDER / MANIFEST).is_file() and (site / TABLE).is_file():
        _write(site, TABLE_LIST, "tableFiles", list(_table(site)))
    _write(site, READING_LIST, "readingFiles", list(_reading(site)))


def _write(site: Path, name: str, variable: str, paths: list[str]) -> None:
    files, digest = list[dict[str, Any]](), hashlib.sha256()
    for path in paths:
        content = (site / path).read_bytes()
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
        files.append({"path": path, "lasts": path.startswith(f"{FOLDER}/") and not path.endswith(MANIFEST)})
    listed = {"version": digest.hexdigest()[:16], "files": files}
    (site / name).write_text(f"self.{variable} = {json.dumps(listed, indent=1)};\n", "utf-8", newline="\n")


def _table(site: Path) -> Iterator[str]:
    yield TABLE
    yield from _assets(site, [TABLE])
    yield _WORKER
    yield from _pictures(site)
    yield from sorted(f"{FOLDER}/{path.name}" for path in (site / FOLDER).iterdir())


def _reading(site: Path) -> Iterator[str]:
    pages = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html")) if _is_read(path)]
    yield from pages
    yield from _assets(site, pages)
    yield from _pictures(site)
    yield from (path for path in _SEARCH if (site / path).is_file())


def _pictures(site: Path) -> list[str]:
    """Return the pictures of the cards."""
    return sorted(f"assets/{path.name}" for path in (site / "assets").glob(_PICTURES))


def _is_read(page: Path) -> bool:
    found = _KIND.search(page.read_text("utf-8"))
    return found is not None and found[1] in READING_KINDS


def _assets(site: Path, pages: list[str]) -> list[str]:
    """Return the styles, scripts and typefaces of pages."""
    found = {asset for page in pages for asset in _ASSETS.findall((site / page).read_text("utf-8"))}
    styles = [site / path for path in found if path.endswith(".css") and (site / path).is_file()]
    return sorted(
        found | {f"assets/{name}" for style in styles for name in _TYPEFACES.findall(style.read_text("utf-8"))}
    )
