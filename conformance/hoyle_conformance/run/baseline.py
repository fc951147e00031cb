"""The baseline: failures that are known, so that only changes are reported. It is strict both ways.

One check id a line, or a pattern of ids, which stands for every check that fits it; ``#`` begins a comment. A line
that names no check, and a check in it that passes, are errors. What is not done though it is claimed, or not claimed at
all, may stand in it too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Final, NamedTuple

from ..files.characters import printable
from ..files.diagnostics import COUNTED, Diagnostic, Invalid
from ..files.names import Suggestion
from ..files.opening import read_text
from ..protocol.messages import Ready
from ..suite.value import Suite
from .naming import fits, is_pattern
from .results import FAILED, Result, Run, Status

#: So many lines with a pattern; each is held against every check.
MOST_PATTERNS: Final = 200
_COMMENT: Final = re.compile(r"#\s*(.*)$")
#: How a baseline begins that Hoyle has written, and what it tells whoever reads it.
BEGINS: Final = "# Known failures of "
_HEAD: Final = """\
# One check a line; a name with * stands for all that fit it. What passes, and a line that fits nothing, is an error.
# Use it with 'hoyle check --baseline FILE'; '--baseline FILE --write-baseline FILE' writes it anew.
"""
#: So much of what an implementation calls itself.
_LONGEST: Final = 80


class Line(NamedTuple):
    """A line of a baseline: what it names, the checks that it stands for, and the comment behind it."""

    name: str
    checks: frozenset[str]
    comment: str = ""


#: Its lines that name something.
Baseline = Sequence[Line]


def read_baseline(path: Path, suite: Suite) -> Baseline:
    """The lines of a baseline file; raises Invalid where one of them names no check, or stands twice."""
    text = read_text(path, str(path), what="baseline", within=path.parent)
    lines: dict[str, Line] = {}
    faults = list(islice(_faults(text, path, suite, lines), COUNTED))
    if faults:
        raise Invalid(faults)
    return tuple(lines.values())


def foreseen(baseline: Baseline) -> Mapping[str, str]:
    """The ids of the checks that a baseline stands for, each with the line that names it: of several the closest."""
    widest_first = sorted(baseline, key=lambda line: (-len(line.checks), line.name))
    return {check: line.name for line in widest_first for check in line.checks}


def _faults(text: str, path: Path, suite: Suite, lines: dict[str, Line]) -> Iterator[Diagnostic]:
    """What is wrong with the lines of a baseline; those in order are added to `lines`, by what they name."""
    patterns = 0
    for number, line in enumerate(text.splitlines(), start=1):
        name = line.partition("#")[0].strip()
        if not name:
            continue
        patterns += is_pattern(name)
        if patterns > MOST_PATTERNS:
            message = f"more than {MOST_PATTERNS} lines have a pattern"
            yield Diagnostic(str(path), number, 1, "too-many", message, "Write wider ones, or the ids.", line)
            return
        checks = _checks(suite, name)
        if not checks:
            what = "no check fits" if is_pattern(name) else "no check"
            yield Diagnostic(str(path), number, 1, "unknown-check", f"{what} '{name}'", _remedy(suite, name), line)
        elif name in lines:
            message = f"'{name}' stands here a second time"
            yield Diagnostic(str(path), number, 1, "twice", message, "Remove one.", line)
        lines[name] = Line(name, checks, found[1].strip() if (found := _COMMENT.search(line)) else "")


def _checks(suite: Suite, name: str) -> frozenset[str]:
    if not is_pattern(name):
        return frozenset({name} & suite.headings.keys())
    return frozenset(filter(fits(name), suite.headings))


def _remedy(suite: Suite, name: str) -> "str | Suggestion":
    if is_pattern(name):
        return "Correct it, or take it out: the checks that it stood for are gone."
    if name in suite.scenarios:
        return f"That is a scenario: '{name}@*' stands for its checks under all rulesets."
    return Suggestion(name, suite.headings, "hoyle list --ids checks")


# ---- writing one


def known_from_now_on(run: Run, before: Baseline) -> tuple[Line, ...]:
    """The baseline under which a run like this one ends as expected: the checks that have failed or were not done
    though claimed, and of those known `before` all that have not passed since, and all that were not run.

    A pattern stays as long as all it stands for is known; otherwise what is left of it is named check by check.
    """
    result_of = {result.check.id: result for result in run.results}
    known = frozenset(chain.from_iterable(line.checks for line in before))
    new = {name for name, result in result_of.items() if _is_to_be_known(result)}
    every = new | {name for name in known if name not in result_of or _is_not_passed(result_of[name])}
    kept = [line for line in before if line.checks <= every]
    covered = frozenset(chain.from_iterable(line.checks for line in kept))
    rest = (Line(name, frozenset({name})) for name in every - covered)
    return tuple(sorted([*kept, *rest], key=lambda line: line.name))


def _is_to_be_known(result: Result) -> bool:
    """Whether a result keeps a run from ending as expected, for another reason than that it passes."""
    return result.left_out or (result.status in FAILED and _is_not_passed(result))


def _is_not_passed(result: Result) -> bool:
    return result.status not in {Status.PASS, Status.UNEXPECTED_PASS}


def written(baseline: Baseline, ready: Ready, version: str) -> str:
    """The text of a baseline, with what it is of: an implementation, and a version of the suite."""
    of = printable(f"{ready.name} {ready.version} ({ready.language})"[:_LONGEST]).replace("#", "")
    return "".join([f"{BEGINS}{of}, suite {version}\n", _HEAD, *map(_text, baseline)])


def _text(line: Line) -> str:
    return f"{line.name}  # {line.comment}\n" if line.comment else f"{line.name}\n"
