"""The page of the suite's adequacy, with the figures that were measured of this very suite."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.measure import Measurement
from hoyle_conformance.tools.adequacy.mutants import MEASURES
from hoyle_conformance.tools.adequacy.report import MEASURE_TEXTS, gaps_by_reason
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.fill import fill
from hoyle_conformance.web.site.page import Page
from hoyle_reference.frozen import frozen

HERE: Final = "adequacy.md"
_TITLE: Final = "How good is the suite?"
_ABOUT: Final = (
    "A test suite is as good as the mistakes it finds. Hoyle runs this suite against mutants: copies of the reference "
    "interpreter with one rule changed. Mutants are checked like any engine: the reasons for refusing an act are not "
    "compared, and where a book leaves a point open, any reading passes."
)


@frozen
class MissingMutants:
    """The mutants of a table that nothing notices: how many, and by kind and reason which."""

    title: str
    count: int
    reasons: tuple[tuple[str, str, Sequence[str]], ...]


def page(suite: Suite, measured: Sequence[Measurement] | None) -> Page:
    """Return the page: the mutants of each kind that are noticed, table by table, and the others, with the reasons."""
    by_ruleset = [(name, list(some)) for name, some in groupby(measured or (), lambda each: each.ruleset)]
    body = fill(
        "adequacy",
        suite,
        HERE,
        title=_TITLE,
        about=_ABOUT,
        measured=measured is not None,
        kinds=list(MEASURE_TEXTS.values()),
        head=["Rules of", *(MEASURE_TEXTS[measure][0] for measure in MEASURES)],
        rows=[[links.ruleset_a(suite, name, HERE), *map(_entry, some)] for name, some in by_ruleset],
        missing=[MissingMutants(suite.rules.title(name), *_missing(some)) for name, some in by_ruleset],
    )
    return Page(HERE, body=body, title=_TITLE, about=_ABOUT, kind="vocabulary")


def _entry(measured: Measurement) -> str:
    return f"{measured.noticed} of {measured.noticed + len(measured.lacking)}"


def _missing(some: Sequence[Measurement]) -> tuple[int, tuple[tuple[str, str, Sequence[str]], ...]]:
    return sum(len(each.missing) for each in some), tuple(_reasons(some))


def _reasons(some: Sequence[Measurement]) -> Iterator[tuple[str, str, Sequence[str]]]:
    for each in some:
        for reason, things in gaps_by_reason(each.missing).items():
            yield MEASURE_TEXTS[each.measure][0], reason, list(things)
