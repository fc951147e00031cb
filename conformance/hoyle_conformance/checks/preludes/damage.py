"""Damaged lines of the stored preludes, such as one that was cut short.

The test is a quick one: without a line everything comes out the same, only later, since the missing prelude is searched
for when it is needed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import LARGEST_OF_LINES, files_below, read_bytes
from hoyle_conformance.suite.paths import tree
from hoyle_conformance.suite.suite import Suite

#: The folder of a spec in which preludes are kept, and how their files are called.
FOLDER: Final = "preludes"
ENDING: Final = ".preludes.jsonl"
#: How to have whole ones again.
ANEW: Final = "Run 'hoyle suite preludes --write {}' to find them again; 'git diff spec/preludes' shows what changed."


def damaged(suite: Suite) -> Iterator[Diagnostic]:
    """Yield, for each file that cannot be read or has a damaged line, the first mistake."""
    folder = suite.root / FOLDER
    try:
        paths = list(files_below(folder, suite.shown(folder), within=tree(suite.root)))
    except Invalid as invalid:
        yield from invalid.diagnostics
        return
    for path in paths:
        try:
            yield from _first(suite, path)
        except Invalid as invalid:
            yield from invalid.diagnostics


def _first(suite: Suite, path: Path) -> Iterator[Diagnostic]:
    content = read_bytes(path, suite.shown(path), within=tree(suite.root), largest=LARGEST_OF_LINES)
    for number, line in enumerate(content.splitlines(), start=1):
        if not (line.startswith(b"{") and line.endswith(b"}")):
            message = "the preludes are damaged: this line is incomplete and is ignored"
            remedy = ANEW.format(path.name.removesuffix(ENDING))
            yield Diagnostic(suite.shown(path), number, 1, "damaged-preludes", message, remedy)
            return
