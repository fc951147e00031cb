"""What LICENSES.md says, for the tests that hold what is shipped against it."""

import re
from fnmatch import fnmatchcase
from functools import cache

from conftest import ROOT


@cache
def licensed(part: str) -> tuple[str, ...]:
    """The files, and the parts of files, of which a part of the page gives the licence; `*` stands for anything."""
    page = (ROOT / "LICENSES.md").read_text("utf-8")
    text = page.partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    assert all(each.strip() for row in rows for each in row)
    return tuple(name for row in rows for name in re.findall(r"`([^`]+)`", row[0]))


def has_licence(file: str, part: str) -> bool:
    return any(fnmatchcase(file, pattern) for pattern in licensed(part))
