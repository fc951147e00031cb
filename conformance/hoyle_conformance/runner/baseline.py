"""Baselines: files of known failures that let a run report only changes.

Each line names one check by its id, or several by a pattern, followed by the expected status (``fail`` by default).
``#`` begins a comment. A line that matches no check is an error; a check that passes, or has another status than
expected, is an unexpected result. A pattern can expect only the status of a check that was answered. The module reads
and checks a baseline, compares results with it, and writes it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic, Invalid, Suggestion, printable
from hoyle_conformance.files.read import read_text
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.results import FAILED, Result, Run, Status
from hoyle_conformance.runner.select import game_ids, is_pattern, matcher
from hoyle_conformance.suite.suite import Suite

#: The maximum number of lines with a pattern, since each pattern is compared with every check.
MOST_PATTERNS: Final = 200
#: The statuses of a check to which the adapter gave no valid answer. Only a line with the check's own id can expect
#: them.
NO_ANSWERS: Final = frozenset({Status.CRASH, Status.TIMEOUT, Status.ERROR})
#: The statuses that a baseline can expect.
EXPECTABLE: Final = (Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.ERROR, Status.UNSUPPORTED, Status.SKIPPED)
_COMMENT: Final = re.compile(r"#\s*(.*)$")
#: The header of a baseline file that Hoyle writes.
BEGINS: Final = "# Known failures of "
_HEAD: Final = """\
# Each line names a check and the status it must have: fail, crash, timeout, error, unsupported or skipped.
# Without a status, it is fail. A name with * matches several checks.
# 'hoyle check --baseline FILE' reads this file; with '--write-baseline FILE' as well, Hoyle updates it.
"""
#: The maximum number of characters of the adapter's name in the header.
_LONGEST: Final = 80


class BaselineLine(NamedTuple):
    """A line of a baseline: its name or pattern, the ids of the checks that match, their expected status, and the
    comment."""

    name: str
    checks: frozenset[str]
    status: Status = Status.FAIL
    comment: str = ""


#: The lines of a baseline file, by their name or pattern.
Baseline = Sequence[BaselineLine]


def read_baseline(path: Path, suite: Suite) -> Baseline:
    """Read the lines of a baseline file. Raises Invalid if a line matches no check, repeats a name, or has a status
    that it cannot expect."""
    text = read_text(path, str(path), what="baseline", within=path.parent)
    lines: dict[str, BaselineLine] = {}
    faults = list(islice(_faults(text, path, suite, lines), COUNTED))
    if faults:
        raise Invalid(faults)
    return tuple(lines.values())


def lines_by_check(baseline: Baseline) -> Mapping[str, BaselineLine]:
    """Map the id of each check in a baseline to its line; if several lines match, the one for the fewest checks."""
    widest_first = sorted(baseline, key=lambda line: (-len(line.checks), line.name))
    return {check: line for line in widest_first for check in line.checks}


def compare_with_baseline(result: Result, known: Mapping[str, BaselineLine]) -> Result:
    """Compare a result with the baseline line for its check, if there is one.

    A failure with the expected status becomes an expected failure, and a pass becomes an unexpected pass. Any other
    result keeps its status, and `known` says whether the line expects that status. A check that was not sent because a
    claim is missing is always known.
    """
    line = known.get(result.check.id)
    if line is None:
        return result
    result = replace(result, expected_status=line.status)
    if result.status is Status.PASS:
        return replace(result, status=Status.UNEXPECTED_PASS, expected_by=line.name)
    if not result.ran:
        return replace(result, known=not result.left_out or result.status is line.status)
    return replace(result, status=Status.EXPECTED_FAILURE, known=True) if result.status is line.status else result


def _faults(text: str, path: Path, suite: Suite, lines: dict[str, BaselineLine]) -> Iterator[Diagnostic]:
    """Yield the faults in the lines of a baseline, and add the valid lines to `lines` by name."""
    patterns = 0
    for number, line in enumerate(text.splitlines(), start=1):
        name, *statuses = line.partition("#")[0].split() or [""]
        if not name:
            continue
        patterns += is_pattern(name)
        if patterns > MOST_PATTERNS:
            message = f"more than {MOST_PATTERNS} lines have a pattern"
            yield Diagnostic(str(path), number, 1, "too-many", message, "Write broader patterns, or ids.", line)
            return
        checks, status = _checks(suite, name), Status.FAIL
        if not checks:
            what = "no check matches" if is_pattern(name) else "no check"
            yield Diagnostic(str(path), number, 1, "unknown-check", f"{what} '{name}'", _remedy(suite, name), line)
        elif name in lines:
            message = f"'{name}' appears a second time"
            yield Diagnostic(str(path), number, 1, "twice", message, "Remove one.", line)
        elif wrong := _wrong_status(name, statuses):
            column = line.index(statuses[0], line.index(name) + len(name)) + 1
            yield Diagnostic(str(path), number, column, "status", *wrong, line)
        elif statuses:
            status = Status(statuses[0])
        lines[name] = BaselineLine(name, checks, status, found[1].strip() if (found := _COMMENT.search(line)) else "")


def _wrong_status(name: str, statuses: Sequence[str]) -> tuple[str, str] | None:
    """Return the fault in the words after a name and the remedy; None if there is no fault."""
    if len(statuses) > 1:
        return (
            f"'{' '.join(statuses)}' is not a single status",
            "Write one word after the name. Begin a comment with #.",
        )
    if statuses and statuses[0] not in EXPECTABLE:
        return f"a baseline cannot expect '{statuses[0]}'", f"Write one of: {', '.join(EXPECTABLE)}."
    if statuses and statuses[0] in NO_ANSWERS and is_pattern(name):
        remedy = "Write a line for each check that has it, as 'hoyle check --write-baseline FILE' does."
        return f"a pattern cannot expect '{statuses[0]}', a status without a response", remedy
    return None


def _checks(suite: Suite, name: str) -> frozenset[str]:
    if not is_pattern(name):
        return frozenset({name} & (suite.index.headings.keys() | game_ids(suite, name)))
    return frozenset({*filter(matcher(name), suite.index.headings), *game_ids(suite, name)})


def _remedy(suite: Suite, name: str) -> "str | Suggestion":
    if is_pattern(name):
        return "Correct it, or remove it: the checks that it matched are gone."
    if name in suite.scenarios:
        return f"That is a scenario: '{name}@*' matches its checks under all rulesets."
    return Suggestion(name, suite.index.headings, "hoyle suite list --ids checks")


# ---- the updated baseline


def update_baseline(run: Run, before: Baseline) -> tuple[BaselineLine, ...]:
    """Return the baseline that expects the results of a run.

    It has the checks that failed, or were declined though claimed, with their statuses, and the checks known `before`
    that were not run. A pattern is kept as long as every check that it matches is known and at least one of them has
    the expected status. The checks that it does not describe get a line each. Each line keeps its comment.
    """
    expected = {name: line.status for name, line in lines_by_check(before).items()}
    for result in run.results:
        if result.left_out or result.observed_status in FAILED:
            expected[result.check.id] = result.observed_status
        elif result.ran:
            expected.pop(result.check.id, None)
    described = (line for line in before if is_pattern(line.name) and line.checks <= expected.keys())
    patterns = [line for line in described if any(expected[name] is line.status for name in line.checks)]
    named, by_pattern = {line.name: line for line in before}, lines_by_check(patterns)
    ids = [
        BaselineLine(name, frozenset({name}), status, named[name].comment if name in named else "")
        for name, status in expected.items()
        if name in named or name not in by_pattern or by_pattern[name].status is not status
    ]
    return tuple(sorted([*patterns, *ids], key=lambda line: line.name))


def baseline_text(baseline: Baseline, info: AdapterInfo, version: str) -> str:
    """Return the text of a baseline, headed by the adapter and the version of the suite."""
    of = printable(f"{info.name} {info.version} ({info.language})"[:_LONGEST]).replace("#", "")
    return "".join([f"{BEGINS}{of}, suite {version}\n", _HEAD, *map(_text, baseline)])


def _text(line: BaselineLine) -> str:
    return f"{line.name} {line.status}{f'  # {line.comment}' if line.comment else ''}\n"
