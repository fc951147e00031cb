"""The schemas as the site has them: every file as it lies in the spec, under the number of their form."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hoyle_conformance.web.site.page import Page

#: Where they lie on the site. The number rises when something is no longer valid that was.
FOLDER: Final = "schemas/1"


def published(spec: Path) -> Iterator[Page]:
    """Every schema of a spec folder, in order of their names."""
    for path in sorted((spec / "schemas").glob("*.schema.json")):
        yield Page(f"{FOLDER}/{path.name}", path.read_text("utf-8"))
