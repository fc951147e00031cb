"""The baseline: failures that are known, so that only changes are reported. It is strict both ways.

One check id a line; ``#`` begins a comment. A line that names no check, and a check in it that passes, are errors.
"""

from pathlib import Path

from ..files.diagnostics import Diagnostic, Invalid
from ..files.names import did_you_mean
from ..files.yaml_text import decode
from ..suite.value import Suite


def read_baseline(path: Path, suite: Suite) -> frozenset[str]:
    """The check ids in a baseline file; raises Invalid where one of them names no check, or stands twice."""
    try:
        text = decode(path.read_bytes(), str(path))
    except OSError as error:
        raise Invalid(
            [Diagnostic(str(path), 1, 1, "unreadable", f"cannot read the baseline: {(error.strerror or '').lower()}")]
        ) from error
    known: set[str] = set()
    faults = []
    for number, line in enumerate(text.splitlines(), start=1):
        name = line.partition("#")[0].strip()
        if not name:
            continue
        if name not in suite.checks:
            message, remedy = f"no check '{name}'", did_you_mean(name, suite.checks)
            faults.append(Diagnostic(str(path), number, 1, "unknown-check", message, remedy, line))
        elif name in known:
            faults.append(
                Diagnostic(str(path), number, 1, "twice", f"'{name}' stands here a second time", "Remove one.", line)
            )
        known.add(name)
    if faults:
        raise Invalid(faults)
    return frozenset(known)
