"""The page of the suite's adequacy, with the figures that were measured of this very suite."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.code_figures import CodeFigures, by_module
from hoyle_conformance.tools.adequacy.measure import Measurement
from hoyle_conformance.tools.adequacy.mutants import MEASURES
from hoyle_conformance.tools.adequacy.report import FIGURES, MEASURE_TEXTS, gaps_by_reason, total
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


def page(suite: Suite, measured: Sequence[Measurement] | None, code: CodeFigures | None = None) -> Page:
    """Return the page: the four figures of each kind of mutant, the mutants that checks notice, table by table, and the
    others, with the reasons; and the figures of code mutants, if they were tried."""
    by_ruleset = [(name, list(some)) for name, some in groupby(measured or (), lambda each: each.ruleset)]
    body = fill(
        "adequacy",
        suite,
        HERE,
        title=_TITLE,
        about=_ABOUT,
        measured=measured is not None,
        kinds=list(MEASURE_TEXTS.values()),
        figures=["Mutants", *FIGURES],
        totals=list(_totals([some for _, some in by_ruleset])),
        head=["Rules of", *(MEASURE_TEXTS[measure][0] for measure in MEASURES)],
        rows=[[links.ruleset_a(suite, name, HERE), *map(_entry, some)] for name, some in by_ruleset],
        missing=[MissingMutants(suite.rules.title(name), *_missing(some)) for name, some in by_ruleset],
        code=code,
        code_rows=list(_code_rows(code)) if code else [],
    )
    return Page(HERE, body=body, title=_TITLE, about=_ABOUT, kind="vocabulary")


def _totals(rows: Sequence[Sequence[Measurement]]) -> Iterator[list[str]]:
    """Yield a row of figures for each measure, all rulesets together."""
    if rows:
        yield from ([MEASURE_TEXTS[measure][0], *map(str, total(rows, measure))] for measure in MEASURES)


def _entry(measured: Measurement) -> str:
    return f"{measured.noticed} of {measured.of}"


def _code_rows(code: CodeFigures) -> Iterator[list[str]]:
    for module, some in by_module(code).items():
        yield [module, *map(str, some.counts)]
    yield ["all", *map(str, code.counts)]


def _missing(some: Sequence[Measurement]) -> tuple[int, tuple[tuple[str, str, Sequence[str]], ...]]:
    return sum(len(each.missing) for each in some), tuple(_reasons(some))


def _reasons(some: Sequence[Measurement]) -> Iterator[tuple[str, str, Sequence[str]]]:
    for each in some:
        for reason, things in gaps_by_reason(each.missing).items():
            yield MEASURE_TEXTS[each.measure][0], reason, list(things)
