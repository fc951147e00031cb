"""The pages of engines: made from run records, each cell leading to its failures, and nothing hostile."""

import gzip
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import ROOT
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.reports.load_record import read_record
from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.summary import Count
from hoyle_conformance.runner.results import Status
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import engine_pages as pages
from hoyle_conformance.web.site.engine_pages import EngineRecord, RulesetCounts, engine_of, read_engines
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.failure_view import CauseView
from web.site.test_escaping import HOSTILE, Shown

RECORDS = ("right", "wrong", "broken")


def recorded(name: str) -> Record:
    return read_record(ROOT / f"tests/records/{name}.jsonl")


@pytest.fixture(scope="module")
def engines() -> list[EngineRecord]:
    return [engine_of(name, recorded(name)) for name in RECORDS]


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
    failures = [
        Checked(f"{HOSTILE} {at}@{ruleset}", HOSTILE, "", (), Status.FAIL, 0, reason=HOSTILE) for at in range(30)
    ]
    implementation = replace(engines[0].record.implementation, name=HOSTILE, version=HOSTILE, language=HOSTILE)
    engine = replace(
        engines[0],
        record=replace(engines[0].record, implementation=implementation, stopped=HOSTILE),
        rulesets={ruleset: RulesetCounts(HOSTILE, "Bézique", {HOSTILE: Count(1, 30, not_asked=0)})},
        causes=[CauseView(HOSTILE, HOSTILE, (HOSTILE,))],
        failures=failures,
    )
    for page in (pages.overview(suite, [engine]), pages.page(suite, engine)):
        shown = Shown(f"<!doctype html><title>x</title>{page.body}")
        assert shown.unexpected == []
        assert HOSTILE.split("|", maxsplit=1)[0].strip() in shown.shown


def test_a_run_has_every_count_and_every_failure() -> None:
    run = recorded("wrong")
    engine = engine_of("an-engine-1.0", run)
    assert engine.id == "an-engine-1.0"
    assert engine.record is run
    failed = [each for each in run.results if each.failed or each.status is Status.EXPECTED_FAILURE]
    assert [each.check for each in engine.failures] == [each.check for each in failed]
    assert engine.total.passed == run.count(Status.PASS, Status.UNEXPECTED_PASS)
    assert engine.total.failed == len(failed) > 0
    of_failures = [each for each in run.causes if run.by_check[each.checks[0]].failed]
    assert [each.says for each in engine.causes] == [each.says for each in of_failures]
    view = engine.failures[0].failure
    assert view
    assert "" != view.expected != view.observed


def test_a_run_that_is_not_whole_says_so() -> None:
    assert (
        "The deadline passed" in engine_of("x", replace(recorded("right"), stopped="the deadline passed")).record.broken
    )


def test_where_nothing_could_be_compared_there_is_the_reason_and_it_is_cut(suite: Suite) -> None:
    run = recorded("broken")
    long = [replace(each, reason="word \n" * 1000) if each.failed else each for each in run.results]
    shown = str(pages.page(suite, engine_of("x", replace(run, results=long))).body)
    (reason, *_), cells = set(re.findall(r'<td colspan="2">(.*?)</td>', shown)), shown.count('<td colspan="2">')
    assert cells == len(run.failures)
    assert len(reason) == 300
    assert reason.endswith("word…")


def test_a_folder_of_records_is_read_in_order_of_their_names(tmp_path: Path) -> None:
    for name, record in (("b-2.0", "right"), ("a", "wrong")):
        shutil.copy(ROOT / f"tests/records/{record}.jsonl", tmp_path / f"{name}.jsonl")
    compressed = gzip.compress((tmp_path / "a.jsonl").read_bytes())
    (tmp_path / "a.jsonl.gz").write_bytes(compressed)  # the same name: it is read once
    (tmp_path / "c.jsonl.gz").write_bytes(compressed[:-20])  # cut off: the complete lines are read
    engines = list(read_engines(tmp_path))
    assert [(each.id, bool(each.record.broken)) for each in engines] == [("a", False), ("b-2.0", False), ("c", True)]
    assert [each.check for each in engines[2].failures] == [each.check for each in engines[0].failures]
    assert list(read_engines(tmp_path / "none")) == []


def test_a_name_that_cannot_be_an_address_is_refused(tmp_path: Path) -> None:
    (tmp_path / "My Engine.jsonl").touch()
    with pytest.raises(Invalid) as caught:
        list(read_engines(tmp_path))
    assert "my-engine-1.0.jsonl" in str(caught.value.diagnostics[0].remedy)
