"""The record of a run in Markdown, for a merge request or the summary of a step: what passed, and what went wrong by
cause."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.summary import cause_title, count, example_text, suite_name
from hoyle_conformance.runner.results import Status
from hoyle_conformance.wording.failure_view import CauseView
from hoyle_conformance.wording.text import plural

#: By this it is known that Hoyle has written a page; it is not shown.
BEGINS: Final = "<!-- hoyle report -->"
#: So many causes are shown in full; the others by a line each, of which there are so many.
_IN_FULL: Final = 10
_IN_SHORT: Final = 50
#: So much of one failure is shown, and so many of its other checks are named.
_LONGEST: Final = 6_000  # characters
_OTHERS: Final = 12
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>&|#~$@]|:(?=//)|(?<=www)\.")
#: A name that needs no more than backticks around it to be set as code.
_PLAIN: Final = re.compile(r"[\w./+:@-]+")
_ROW: Final = "| {} | {} | {} | {} | {} | {} |"


def markdown(record: Record) -> str:
    """Return the whole page."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    of = record.implementation
    yield BEGINS
    yield f"## Results of Hoyle's suite for {text(of.title)}"
    yield ""
    yield f"Suite {text(suite_name(record))}, Hoyle {text(record.hoyle)}, {record.started}."
    if record.sandbox:
        yield f"\nSandbox: {text(record.sandbox['means'])}."
    if record.broken:
        yield f"\n**{text(record.broken)}**"
    yield ""
    yield from _table(record)
    if record.causes:
        yield f"\n### {_heading(record)}"
    for cause in record.causes[:_IN_FULL]:
        yield from _cause(record, cause)
    if more := record.causes[_IN_FULL:]:
        yield ""
        yield from (f"- {text(cause_title(each))}" for each in more[:_IN_SHORT])
    if len(more) > _IN_SHORT:
        yield f"- and {len(more) - _IN_SHORT} more"


def _heading(record: Record) -> str:
    """Return how many checks have a cause: failures, and known failures that pass."""
    checks = {check for each in record.causes for check in each.checks}
    failures = sum(record.by_check[check].failed for check in checks)
    fixed = f", {plural(len(checks) - failures, 'known failure')} fixed" if failures < len(checks) else ""
    return f"{plural(failures, 'failure')}{fixed}, {plural(len(record.causes), 'cause')}"


def _table(record: Record) -> Iterator[str]:
    yield _ROW.format("Ruleset", "Passed", "Failed", "Failed as expected", "Not sent", "Checks in the suite")
    yield _ROW.format("---", *["---:"] * 5)
    for name, results in record.claimed.items():
        named = record.rulesets[name]
        yield _ROW.format(f"{text(named.title)} ({code(name)})", *_counts(results), f"{named.checks:,}")
    if others := len(record.rulesets) - len(record.claimed):
        yield f"\n{plural(others, 'other ruleset')} not claimed, and so not sent."
    if fixed := record.count(Status.UNEXPECTED_PASS):
        yield f"\nAmong the passed: {plural(fixed, 'known failure')} of the baseline."


def _counts(results: Sequence[Checked]) -> Iterator[str]:
    counts = count(results)
    yield from (f"{number:,}" for number in (counts.passed, counts.failed, counts.known, counts.not_asked))


def _cause(record: Record, cause: CauseView) -> Iterator[str]:
    shown = example_text(record, cause)
    shown = shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
    yield f"\n#### {text(cause_title(cause))}"
    if cause.rule:
        yield f"\n{text(cause.rule.says)} ({code(cause.rule.cell)} of {code(cause.rule.ruleset)})"
    yield f"\n{fence}text\n{shown}\n{fence}"
    others = cause.checks[1:]
    if others:
        more = f" and {len(others) - _OTHERS} more" if len(others) > _OTHERS else ""
        yield f"\nAlso: {', '.join(map(code, others[:_OTHERS]))}{more}."


def code(name: str) -> str:
    """Return a name, set as code if it is a plain one."""
    return f"`{name}`" if _PLAIN.fullmatch(name) else text(name)


def text(words: str) -> str:
    """Return words on one line, none of which is markup, a mention or a link."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", " ".join(words.split()))
