"""The pages of engines: made from run records, each cell leading to its failures, and nothing hostile."""

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from conftest import ROOT
from hoyle_conformance.reports.engine_record import (
    EngineRecord,
    KnownCause,
    RulesetCounts,
    ShortFailure,
    engine_of,
)
from hoyle_conformance.reports.load_record import read_record
from hoyle_conformance.reports.summary import Count
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import engine_pages as pages
from hoyle_conformance.web.site.page import Page
from web.site.test_escaping import HOSTILE, Shown

RECORDS = ("right", "wrong", "broken")


@pytest.fixture(scope="module")
def engines() -> list[EngineRecord]:
    return [engine_of(name, read_record(ROOT / f"tests/records/{name}.jsonl")) for name in RECORDS]


@pytest.fixture(scope="module")
def site(suite: Suite, engines: list[EngineRecord]) -> Mapping[str, Page]:
    """The pages, by their addresses from the page of all engines."""
    return {
        "index.html": pages.overview(suite, engines),
        **{f"{each.id}.html": pages.page(suite, each) for each in engines},
    }


def rows(page: Page) -> list[str]:
    """The rows of a page's tables."""
    return re.findall(r"<tr>.*?</tr>", str(page.body), re.DOTALL)


def test_every_record_has_its_rows(engines: list[EngineRecord], site: Mapping[str, Page]) -> None:
    for each in engines:
        own = [row for row in rows(site["index.html"]) if f'href="{each.id}.html"' in row]
        games = {of.game for of in each.rulesets.values()}
        assert len(own) == len(games) + 1, each.id
        assert each.record.digest[:8] in own[-1]


def test_each_cell_with_failures_leads_to_them(site: Mapping[str, Page]) -> None:
    links = re.findall(r'<td class="cell (\w+)"><a href="([^"#]+)#([^"]+)">([^<]*)<', str(site["index.html"].body))
    assert links
    for color, address, anchor, figure in links:
        passed, asked = (int(each.replace(",", "")) for each in figure.split("/"))
        section = str(site[address].body).partition(f'<h3 id="{anchor}">')[2].partition("</section>")[0]
        assert f"{passed:,} of {asked:,} checks passed" in section, (address, anchor)
        shown = section.partition("<tbody>")[2].count("<tr>") + section.count("<li>")
        assert shown == asked - passed
        assert color in {"most", "half", "few"}


def test_nothing_of_a_hostile_record_becomes_markup(suite: Suite, engines: list[EngineRecord]) -> None:
    ruleset = f"x {HOSTILE}"
    failures = [ShortFailure(f"{HOSTILE} {at}@{ruleset}", HOSTILE, "", "", HOSTILE) for at in range(30)]
    implementation = replace(engines[0].record.implementation, name=HOSTILE, version=HOSTILE, language=HOSTILE)
    engine = replace(
        engines[0],
        record=replace(engines[0].record, implementation=implementation, stopped=HOSTILE),
        rulesets={ruleset: RulesetCounts(HOSTILE, "Bézique", {HOSTILE: Count(1, 30, not_asked=0)})},
        causes=[KnownCause(HOSTILE, 1, None)],
        failures=failures,
    )
    for page in (pages.overview(suite, [engine]), pages.page(suite, engine)):
        shown = Shown(f"<!doctype html><title>x</title>{page.body}")
        assert shown.unexpected == []
        assert HOSTILE.split("|", maxsplit=1)[0].strip() in shown.shown
