"""The page that says how good the suite is, with the figures that were measured of this very suite."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ..adequacy.faults import MEASURES
from ..adequacy.measuring import Measured
from ..adequacy.shown import SAID, by_reason
from ..suite.value import Suite
from .page import Page
from .text import code, text

HERE = "adequacy.md"

_ABOUT = """# How good is the suite?

A suite of tests is as good as the mistakes that it finds. So it is held against engines that are wrong in one thing
each. They are asked as any engine is: no reasons for refusing are compared, and where a source does not decide they may
follow any reading.
"""
_NOT_MEASURED = """
This suite has not been measured as it stands: `make adequacy` does it, in a few minutes, and the figures appear here
when the site is built anew.
"""


def page(suite: Suite, measured: Sequence[Measured] | None) -> Page:
    """What is noticed of each kind of mistake, ruleset by ruleset, and what is not, with the reasons."""
    lines = [_ABOUT]
    if measured is None:
        return Page(HERE, "\n".join([*lines, _NOT_MEASURED]))
    lines += [f"- **{head[:1].upper()}{head[1:]}**: {said}." for head, said in SAID.values()]
    return Page(HERE, "\n".join([*lines, "", *_table(measured), "", *_missing(suite, measured)]))


def _table(measured: Sequence[Measured]) -> Iterator[str]:
    yield "Each place says how many are noticed, of how many that can be."
    yield ""
    yield f"| ruleset | {' | '.join(SAID[measure][0] for measure in MEASURES)} |"
    yield f"|---|{'---:|' * len(MEASURES)}"
    for ruleset, row in groupby(measured, lambda each: each.ruleset):
        yield f"| {code(ruleset)} | {' | '.join(map(_entry, row))} |"


def _entry(measured: Measured) -> str:
    return f"{measured.noticed} of {measured.noticed + len(measured.lacking)}"


def _missing(suite: Suite, measured: Sequence[Measured]) -> Iterator[str]:
    yield "## What nothing notices"
    yield ""
    for ruleset, row in groupby(measured, lambda each: each.ruleset):
        yield f"### {text(suite.title(ruleset))}"
        yield ""
        for each in row:
            for reason, things in by_reason(each.missing).items():
                shown = ", ".join(f"<code>{text(thing)}</code>" for thing in things)
                yield f"- {SAID[each.measure][0]}: {text(reason)}: {shown}"
        yield ""
