"""The baseline: failures that are known, so that only changes are reported. It is strict both ways.

One check id a line; ``#`` begins a comment. A line that names no check, and a check in it that passes, are errors.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ..files.diagnostics import COUNTED, Diagnostic, Invalid
from ..files.names import Suggestion
from ..files.opening import read_text
from ..suite.value import Suite


def read_baseline(path: Path, suite: Suite) -> frozenset[str]:
    """The check ids in a baseline file; raises Invalid where one of them names no check, or stands twice."""
    known: set[str] = set()
    text = read_text(path, str(path), what="baseline", within=path.parent)
    faults = list(islice(_faults(text, path, suite, known), COUNTED))
    if faults:
        raise Invalid(faults)
    return frozenset(known)


def _faults(text: str, path: Path, suite: Suite, known: set[str]) -> Iterator[Diagnostic]:
    """What is wrong with the lines of a baseline; the checks in it are added to those `known`."""
    for number, line in enumerate(text.splitlines(), start=1):
        name = line.partition("#")[0].strip()
        if not name:
            continue
        if name not in suite.checks:
            message, remedy = f"no check '{name}'", Suggestion(name, suite.checks)
            yield Diagnostic(str(path), number, 1, "unknown-check", message, remedy, line)
        elif name in known:
            message = f"'{name}' stands here a second time"
            yield Diagnostic(str(path), number, 1, "twice", message, "Remove one.", line)
        known.add(name)
