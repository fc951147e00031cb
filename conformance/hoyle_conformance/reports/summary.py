"""The summary of a record: counts by ruleset and topic, results in words, and the short report for the terminal.

Checks that were not sent are counted separately, not as failures.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from itertools import chain
from operator import add
from types import MappingProxyType
from typing import Final

from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.words import phrase
from hoyle_conformance.runner.results import FAILED, Status
from hoyle_conformance.wording.failure_view import CauseView, failure_lines
from hoyle_conformance.wording.text import cut, plural, wrap


@dataclass(frozen=True, slots=True)
class Count:
    """The number of checks that passed, failed, failed as expected (`known`), and were not sent (`not_asked`); `fixed`
    counts the known failures among those that passed."""

    passed: int = 0
    failed: int = 0
    known: int = 0
    not_asked: int = 0
    fixed: int = 0

    @property
    def asked(self) -> int:
        """The number of checks that were sent."""
        return self.passed + self.failed + self.known

    def __add__(self, other: "Count") -> "Count":
        return Count(*map(add, astuple(self), astuple(other)))

    def __str__(self) -> str:
        return f"{self.passed:,} of {self.asked:,}"


NOTHING: Final = Count()
_KNOWN: Final = Count(known=1)
_NOT_ASKED: Final = Count(not_asked=1)
_OF: Final = MappingProxyType(
    {
        "pass": Count(passed=1),
        "unexpected-pass": Count(passed=1, fixed=1),
        "expected-failure": _KNOWN,
        "skipped": _NOT_ASKED,
        "unsupported": _NOT_ASKED,
        **{str(status): Count(failed=1) for status in FAILED},
    }
)


def count(results: Iterable[Checked]) -> Count:
    """Return the count of these results."""
    return sum((_OF[each.status] for each in results), NOTHING)


def table_place(result: Checked) -> tuple[str, str]:
    """Return the ruleset under which a check is counted, without its option; and its row, which is the topic or the
    option."""
    ruleset, plus, option = result.ruleset.partition("+")
    return ruleset, plus + option or result.topic


def count_by_topic(record: Record) -> Mapping[str, Mapping[str, Count]]:
    """Return the counts of each claimed ruleset, by topic and then by option, sorted by name."""
    counts: dict[str, dict[str, Count]] = {}
    for result in chain.from_iterable(record.claimed.values()):
        ruleset, row = table_place(result)
        rows = counts.setdefault(ruleset, {})
        rows[row] = rows.get(row, NOTHING) + _OF[result.status]
    return {
        name: dict(sorted(counts[name].items(), key=lambda row: (row[0].startswith("+"), row[0])))
        for name in sorted(counts)
    }


# ---- results in words


def reason_line(checked: Checked) -> str:
    """Return one line with the reason why a check did not simply pass; empty if it did."""
    if checked.failure and checked.failure.steps:
        said = phrase("record.reason-compared", expected=checked.failure.expected, observed=checked.failure.observed)
    else:
        said = checked.reason or ("" if checked.status is Status.PASS else phrase("result.no-reason"))
    line = " ".join(said.split())
    if checked.status is Status.EXPECTED_FAILURE:
        status = phrase("record.failure") if checked.expected_status in {None, "fail"} else checked.expected_status
        return phrase("record.expected-failure", status=status, reason=line)
    return phrase("record.expects", reason=line, status=checked.expected_status) if checked.expected_status else line


def failure_text(checked: Checked) -> str:
    """Return a failure as the terminal shows it, or the reason if the check was not sent."""
    if checked.failure is None:
        return "\n".join(filter(None, (reason_line(checked), checked.remedy)))
    return "\n".join(failure_lines(checked.failure))


def example_text(record: Record, cause: CauseView) -> str:
    """Return the failure that is the example of a cause, as the terminal shows it."""
    return "\n".join(failure_lines(cause.example)) if cause.example else failure_text(record.by_check[cause.checks[0]])


def cause_title(cause: CauseView) -> str:
    """Return a sentence with a cause and its number of checks."""
    return f"{cause.says[:1].upper()}{cause.says[1:]}: {plural(len(cause.checks), 'check')}"


def suite_name(record: Record) -> str:
    """Return the suite's version, and the part of the selection if it was divided."""
    suite = f"{record.suite} ({record.digest[:8]})"
    return phrase("record.part", suite=suite, shard=record.shard) if record.shard else suite


def totals_line(results: Iterable[Checked]) -> str:
    """Return the number of checks that passed, failed and so on, on one line."""
    counts = count(results)
    fixed = phrase("record.known-passed", failures=plural(counts.fixed, "known failure")) if counts.fixed else ""
    parts = [phrase("record.passed", count=counts.passed, known=fixed), phrase("record.failed", count=counts.failed)]
    parts += [phrase("record.known", count=counts.known)] if counts.known else []
    parts += [phrase("record.not-sent", count=counts.not_asked)] if counts.not_asked else []
    return ", ".join(parts)


# ---- the short report


_SHORT: Final = 94  # characters


def summary_lines(record: Record) -> Iterator[str]:
    """Yield the adapter and the time, the totals of each ruleset, and the failures by cause."""
    of = record.implementation
    about = {"file": record.file, "engine": of.title, "language": " ".join(of.language.split())}
    yield phrase("summary.heading", **about, started=record.started)
    yield phrase("summary.suite", hoyle=record.hoyle, suite=suite_name(record))
    if record.sandbox:
        yield phrase("heading.sandbox", sandbox=record.sandbox["means"])
    yield ""
    width = max(map(len, record.claimed), default=0)
    for name, results in record.claimed.items():
        checks = plural(record.rulesets[name].checks, "check")
        yield phrase("summary.ruleset", ruleset=f"{name:<{width}}", totals=totals_line(results), checks=checks)
    if others := len(record.rulesets) - len(record.claimed):
        yield phrase("summary.others", rulesets=plural(others, "other ruleset"))
    if record.causes:
        yield ""
    for number, cause in enumerate(record.causes, start=1):
        yield f"  {number:>3}. {cut(cause_title(cause), _SHORT)}"
        yield phrase("summary.example", check=cause.checks[0])
    if record.broken or record.explained:
        yield ""
        yield from wrap(record.broken)
    if record.explained:  # the exit code of the run, not of this command
        yield from wrap(phrase("summary.ended", explained=record.explained))
