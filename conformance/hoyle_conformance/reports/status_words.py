"""Words for what became of checks, alike in all that is made of a record."""

from collections.abc import Iterable, Iterator

from hoyle_conformance.reports.record import NOT_ASKED, Checked, Record
from hoyle_conformance.runner.results import Status
from hoyle_conformance.wording.failure_view import CauseView, failure_lines
from hoyle_conformance.wording.text import counted


def in_a_line(checked: Checked) -> str:
    """Why a check did not simply pass, on one line; nothing where it did."""
    if checked.failure and checked.failure.steps:
        said = f"expected {checked.failure.expected}; observed {checked.failure.observed}"
    else:
        said = checked.reason or ("" if checked.status is Status.PASS else "no reason given")
    line = " ".join(said.split())
    if checked.status is Status.EXPECTED_FAILURE:
        return f"expected {'failure' if checked.expected_status in {None, 'fail'} else checked.expected_status}: {line}"
    return f"{line} (the baseline expects {checked.expected_status})" if checked.expected_status else line


def whole(checked: Checked) -> str:
    """All that is told of a failure, as the terminal shows it; of what was not asked, why."""
    if checked.failure is None:
        return "\n".join(filter(None, (in_a_line(checked), checked.remedy)))
    return "\n".join(failure_lines(checked.failure))


def example(record: Record, cause: CauseView) -> str:
    """The same of the failure that stands for the others of its cause."""
    return "\n".join(failure_lines(cause.example)) if cause.example else whole(record.by_check[cause.checks[0]])


def title(cause: CauseView) -> str:
    """What went wrong, and how often, as a sentence."""
    return f"{cause.says[:1].upper()}{cause.says[1:]}: {counted(len(cause.checks), 'check')}"


def of_suite(record: Record) -> str:
    """Which suite it was held against, and which part of what was selected, where that was divided."""
    part = f", part {record.shard} of what was selected" if record.shard else ""
    return f"{record.suite} ({record.digest[:8]}){part}"


def totals(results: Iterable[Checked]) -> str:
    """How many passed, failed and so on, in a line: as the terminal says it."""
    return ", ".join(_totals(list(results)))


def _totals(results: list[Checked]) -> Iterator[str]:
    known = sum(each.status is Status.EXPECTED_FAILURE for each in results)
    not_asked = sum(each.status in NOT_ASKED for each in results)
    yield f"{sum(each.status is Status.PASS for each in results):,} passed"
    yield f"{sum(each.failed for each in results):,} failed"
    yield from [f"{known:,} failed as expected"] if known else []
    yield from [f"{not_asked:,} not asked"] if not_asked else []
