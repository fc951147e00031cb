"""The record of a run in Markdown, for a merge request or a job summary: the results, and the failures by cause.

The module also writes annotations for GitHub Actions, which are commands on standard output.
"""

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Final

from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.summary import cause_title, count, example_text, suite_name
from hoyle_conformance.reports.words import phrase
from hoyle_conformance.runner.results import Status
from hoyle_conformance.wording.failure_view import CauseView
from hoyle_conformance.wording.text import cut, plural

#: Marks a page as written by Hoyle; the mark is not displayed.
BEGINS: Final = "<!-- hoyle report -->"
#: The maximum number of causes shown in full, and that of the other causes, which have one line each.
_IN_FULL: Final = 10
_IN_SHORT: Final = 50
#: The maximum number of characters of one failure, and that of its other checks that are named.
_LONGEST: Final = 6_000  # characters
_OTHERS: Final = 12
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>&|#~$@]|:(?=//)|(?<=www)\.")
#: Match a name that only needs backticks to be formatted as code.
_PLAIN: Final = re.compile(r"[\w./+:@-]+")
#: The maximum number of errors that GitHub shows for a step.
MOST: Final = 10
_LONGEST_MESSAGE: Final = 4_000  # characters of a message, of which GitHub shows the first lines
_ROW: Final = "| {} | {} | {} | {} | {} | {} |"


def markdown(record: Record) -> str:
    """Return the whole page."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    of = record.implementation
    yield BEGINS
    yield phrase("markdown.heading", engine=text(of.title))
    yield ""
    about = {"suite": text(suite_name(record)), "hoyle": text(record.hoyle), "started": record.started}
    yield phrase("markdown.suite", **about)
    if record.sandbox:
        yield phrase("markdown.sandbox", sandbox=text(record.sandbox["means"]))
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
        yield phrase("markdown.more-causes", count=len(more) - _IN_SHORT)


def _heading(record: Record) -> str:
    """Return the number of checks with a cause: failures, and known failures that pass."""
    checks = {check for each in record.causes for check in each.checks}
    failures = sum(record.by_check[check].failed for check in checks)
    known = plural(len(checks) - failures, "known failure")
    fixed = phrase("markdown.fixed", failures=known) if failures < len(checks) else ""
    causes = plural(len(record.causes), "cause")
    return phrase("markdown.causes", failures=plural(failures, "failure"), fixed=fixed, causes=causes)


def _table(record: Record) -> Iterator[str]:
    yield _ROW.format(*phrase("markdown.columns").split("|"))
    yield _ROW.format("---", *["---:"] * 5)
    for name, results in record.claimed.items():
        named = record.rulesets[name]
        yield _ROW.format(f"{text(named.title)} ({code(name)})", *_counts(results), f"{named.checks:,}")
    if others := len(record.rulesets) - len(record.claimed):
        yield phrase("markdown.unclaimed", rulesets=plural(others, "other ruleset"))
    if fixed := record.count(Status.UNEXPECTED_PASS):
        yield f"\n{phrase('totals.among-passed', failures=plural(fixed, 'known failure'))}"


def _counts(results: Sequence[Checked]) -> Iterator[str]:
    counts = count(results)
    yield from (f"{number:,}" for number in (counts.passed, counts.failed, counts.known, counts.not_asked))


def _cause(record: Record, cause: CauseView) -> Iterator[str]:
    shown = cut(example_text(record, cause), _LONGEST)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
    yield f"\n#### {text(cause_title(cause))}"
    if cause.rule:
        yield f"\n{text(cause.rule.says)} ({code(cause.rule.cell)} of {code(cause.rule.ruleset)})"
    yield f"\n{fence}text\n{shown}\n{fence}"
    others = cause.checks[1:]
    if others:
        more = phrase("markdown.also-more", count=len(others) - _OTHERS) if len(others) > _OTHERS else ""
        yield phrase("markdown.also", checks=", ".join(map(code, others[:_OTHERS])), more=more)


def code(name: str) -> str:
    """Return a name, formatted as code if it is a plain one."""
    return f"`{name}`" if _PLAIN.fullmatch(name) else text(name)


def text(words: str) -> str:
    """Return a text on one line without markup, mentions or links."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", " ".join(words.split()))


# ---- annotations for GitHub Actions


def annotations(record: Record) -> Iterator[str]:
    """Yield a command for each annotation: first the faults of the run as a whole, then the causes.

    If there are more than GitHub shows, the last annotation has their number.
    """
    found = [*([_command(phrase("github.run"), record.broken)] if record.broken else [])]
    found += [_annotation(record, cause) for cause in record.causes]
    if len(found) > MOST:
        left = len(found) - MOST + 1
        found[MOST - 1 :] = [_command(phrase("github.more", count=left), phrase("github.see"))]
    yield from found


def _annotation(record: Record, cause: CauseView) -> str:
    checked = record.by_check[cause.checks[0]]
    place = f"file={_property(checked.file)},line={checked.line or 1},"
    return _command(cause_title(cause), dedent(example_text(record, cause)), place)


def _command(says: str, message: str, place: str = "") -> str:
    return f"::error {place}title={_property(says)}::{_data(cut(message, _LONGEST_MESSAGE))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
