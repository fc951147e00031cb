"""The page that says how good the suite is, with the figures that were measured of this very suite."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.measure import Measurement
from hoyle_conformance.tools.adequacy.mutants import MEASURES
from hoyle_conformance.tools.adequacy.report import MEASURE_TEXTS, gaps_by_reason
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.html_tables import coded, table
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.html import Markup, joined, tag

HERE: Final = "adequacy.md"
_TITLE: Final = "How good is the suite?"
_ABOUT: Final = (
    "A suite of tests is as good as the mistakes that it finds. So it is held against engines that are wrong in one "
    "thing each. They are asked as any engine is: no reasons for refusing are compared, and where a book does not "
    "decide they may follow any reading."
)
_NOT_MEASURED: Final = (
    "This suite has not been measured as it stands: `make adequacy` does it, in a few minutes, and the figures appear "
    "here when the site is built anew."
)


def page(suite: Suite, measured: Sequence[Measurement] | None) -> Page:
    """What is noticed of each kind of mistake, table by table, and what is not, with the reasons."""
    parts = [tag("h1", _TITLE), tag("p", _ABOUT)]
    parts += [tag("p", coded(_NOT_MEASURED))] if measured is None else _figures(suite, measured)
    return Page(HERE, body=joined(parts), title=_TITLE, about=_ABOUT, kind="vocabulary")


def _figures(suite: Suite, measured: Sequence[Measurement]) -> Iterator[Markup]:
    kinds = [
        tag("li", tag("b", f"{head[:1].upper()}{head[1:]}"), f": {said}.") for head, said in MEASURE_TEXTS.values()
    ]
    yield tag("ul", *kinds)
    yield tag("p", "Each place says how many are noticed, of how many that can be.")
    head = ["Rules of", *(MEASURE_TEXTS[measure][0] for measure in MEASURES)]
    rows = [
        [links.ruleset_a(suite, ruleset, HERE), *map(_entry, row)]
        for ruleset, row in groupby(measured, lambda each: each.ruleset)
    ]
    yield table("What is noticed", head, rows, numbers=len(MEASURES))
    yield tag("h2", "What nothing notices")
    for ruleset, some in groupby(measured, lambda each: each.ruleset):
        yield _missing(suite.rules.title(ruleset), list(some))


def _entry(measured: Measurement) -> str:
    return f"{measured.noticed} of {measured.noticed + len(measured.lacking)}"


def _missing(of: str, row: Sequence[Measurement]) -> Markup:
    """What nothing notices under one table, by the reasons, folded with its number."""
    count = sum(len(each.missing) for each in row)
    reasons = [
        tag(
            "li",
            f"{MEASURE_TEXTS[each.measure][0]}: {reason}: ",
            joined((tag("code", thing) for thing in things), ", "),
        )
        for each in row
        for reason, things in gaps_by_reason(each.missing).items()
    ]
    return tag("details", tag("summary", f"{of}: {count}"), tag("ul", *reasons)) if count else tag("p", f"{of}: none")
