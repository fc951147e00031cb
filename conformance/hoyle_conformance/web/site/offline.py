"""Offline: what a browser keeps of the table, as it was built, for when there is no network."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hoyle_conformance.web.site.browser_bundle import FOLDER, MANIFEST

#: The page that is kept, and where all that is kept with it is listed for `sw.js`.
PAGE: Final = "table.html"
LIST: Final = "table-files.js"
#: What a page takes with it: its styles, its scripts and its icon.
_TAKEN: Final = re.compile(r'<(?:script|link)\b[^>]*\b(?:src|href)="(?:\./)?(assets/[\w./-]+)"')
_WORKER: Final = "assets/table-worker.js"


def kept_offline(site: Path) -> None:
    """List it, in the folder of a site that is built; nothing is where the site was built without the interpreter."""
    if not (site / FOLDER / MANIFEST).is_file() or not (site / PAGE).is_file():
        return
    files, digest = [], hashlib.sha256()
    for path in _files(site):
        content = (site / path).read_bytes()
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
        files.append({"path": path, "lasts": path.startswith(f"{FOLDER}/") and not path.endswith(MANIFEST)})
    listed = {"version": digest.hexdigest()[:16], "files": files}
    (site / LIST).write_text(f"self.tableFiles = {json.dumps(listed, indent=1)};\n", "utf-8")


def _files(site: Path) -> Iterator[str]:
    yield PAGE
    yield from sorted(set(_TAKEN.findall((site / PAGE).read_text("utf-8"))))
    yield _WORKER
    yield from sorted(f"{FOLDER}/{path.name}" for path in (site / FOLDER).iterdir())
