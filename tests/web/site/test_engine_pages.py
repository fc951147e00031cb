"""The pages of engines: made from the records that are kept, each cell leading to its failures, and nothing hostile."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from hoyle_conformance.reports.engine_record import EngineRecord, read_engine, read_engines
from hoyle_conformance.reports.summary import Count
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import engine_pages as pages
from hoyle_conformance.web.site.page import Page
from web.site.test_escaping import HOSTILE, Shown

sys.path.insert(0, str(ROOT / "workbench/benchmarks"))

from engines import EXAMPLE_ENGINES, FAULTY_ENGINES

pytestmark = pytest.mark.slow

FOLDER = ROOT / "docs/engines"


@pytest.fixture(scope="module")
def engines(suite: Suite) -> list[EngineRecord]:
    return pages.ordered(read_engines(suite.schemas, FOLDER))


@pytest.fixture(scope="module")
def site(suite: Suite) -> Mapping[str, Page]:
    """The pages, by their addresses from the page of all engines."""
    return {page.path.removeprefix("engines/").replace(".md", ".html"): page for page in pages.pages(suite)}


def rows(page: Page) -> list[str]:
    """The rows of a page's tables."""
    return re.findall(r"<tr>.*?</tr>", str(page.body), re.DOTALL)


def test_every_record_that_is_kept_has_its_page_and_its_rows(
    engines: list[EngineRecord], site: Mapping[str, Page]
) -> None:
    assert {*site} == {"index.html", *(f"{each.id}.html" for each in engines)}
    for each in engines:
        own = [row for row in rows(site["index.html"]) if f'href="{each.id}.html"' in row]
        games = {of.game for of in each.rulesets.values()}
        assert len(own) == len(games) + 1, each.id
        assert each.digest[:8] in own[-1]


def test_the_records_are_those_that_make_engines_writes(engines: list[EngineRecord]) -> None:
    groups = {"example": EXAMPLE_ENGINES, "faulty": FAULTY_ENGINES}
    for group, made in groups.items():
        assert {each.id for each in engines if each.group == group} == {*made}
    for each in engines:
        if about := {**EXAMPLE_ENGINES, **FAULTY_ENGINES}.get(each.id):
            assert each.about == about.about


def test_examples_pass_everything_and_engines_that_are_wrong_do_not(engines: list[EngineRecord]) -> None:
    for each in engines:
        assert each.total.asked > 20, each.id
        if each.group:
            assert bool(each.total.failed) == bool(each.failures) == (each.group == "faulty"), each.id


def test_each_cell_with_failures_leads_to_them(site: Mapping[str, Page]) -> None:
    links = re.findall(r'<td class="cell (\w+)"><a href="([^"#]+)#([^"]+)">([^<]*)<', str(site["index.html"].body))
    assert len(links) > 20
    for color, address, anchor, figure in links:
        passed, asked = (int(each.replace(",", "")) for each in figure.split("/"))
        section = str(site[address].body).partition(f'<h3 id="{anchor}">')[2].partition("</section>")[0]
        assert f"{passed:,} of {asked:,} checks passed" in section, (address, anchor)
        shown = section.partition("<tbody>")[2].count("<tr>") + section.count("<li>")
        assert shown == asked - passed
        assert color in {"most", "half", "few"}


def test_every_failure_of_the_suite_leads_to_its_position(site: Mapping[str, Page]) -> None:
    body = str(site["last-trick-twenty.html"].body)
    assert 'href="../scenarios/last-trick/ten-points.html"' in body
    assert 'href="../rulesets/bezique-hoyle.html#score.last_trick.points"' in body


def test_every_topic_belongs_to_a_chapter_of_each_of_its_games(suite: Suite) -> None:
    for heading in suite.index.headings.values():
        game = suite.rulesets[heading.ruleset.partition("+")[0]].game
        topic = suite.scenarios[heading.scenario].topic
        chapter = pages.chapter_of(game, topic)
        assert chapter in pages.chapters(game), (game, topic)
        assert chapter != "others", (game, topic)
    assert pages.chapter_of("Bézique", "no-such-topic") == "others"


@pytest.mark.parametrize(
    ("passed", "failed", "color"),
    [(0, 0, "none"), (7, 0, "all"), (199, 1, "most"), (9, 1, "most"), (89, 11, "half"), (1, 1, "half"), (0, 3, "few")],
)
def test_the_colour_of_a_cell_is_that_of_its_share(passed: int, failed: int, color: str) -> None:
    assert pages.ChapterCount("deal", "The deal", Count(passed, failed, not_asked=5)).color == color


def test_versions_of_one_engine_are_beside_each_other(suite: Suite, engines: list[EngineRecord]) -> None:
    one = replace(engines[0], group="", name="Mine")
    versions = [replace(one, id=f"mine-{version}", version=version) for version in ("2.0", "1.0")]
    ordered = pages.ordered(iter([*engines, *versions]))
    assert [each.id for each in ordered[:2]] == ["mine-1.0", "mine-2.0"]
    assert "<th" in pages.overview(suite, ordered).body


def spoilt(data: Any) -> Any:
    """A record in which every text is hostile but those that a schema bounds."""
    if isinstance(data, dict):
        kept = {"digest", "date", "type", "group", "game"}
        return {name: each if name in kept else spoilt(each) for name, each in data.items()}
    if isinstance(data, list):
        return [spoilt(each) for each in data]
    return f"Hostile {HOSTILE}" if isinstance(data, str) else data


def test_nothing_of_a_hostile_record_becomes_markup(suite: Suite, tmp_path: Path) -> None:
    data = spoilt(json.loads((FOLDER / "last-trick-twenty.json").read_text("utf-8")))
    of = data["rulesets"].pop("bezique-hoyle")
    ruleset = f"x {HOSTILE}"
    data["rulesets"] = {ruleset: {**of, "topics": {HOSTILE: {"passed": 1, "failed": 30, "not_sent": 0}}}}
    data["failures"] = {f"{HOSTILE} {at}@{ruleset}": {"title": HOSTILE, "reason": HOSTILE} for at in range(30)}
    data["broken"] = HOSTILE
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(data), "utf-8")
    engine = read_engine(suite.schemas, path)
    for page in (pages.overview(suite, [engine]), pages.page(suite, engine)):
        shown = Shown(f"<!doctype html><title>x</title>{page.body}")
        assert shown.unexpected == []
        assert HOSTILE.split("|", maxsplit=1)[0].strip() in shown.shown


def test_without_records_the_page_tells_how_to_send_one(suite: Suite) -> None:
    body = str(pages.overview(suite, []).body)
    assert "hoyle report run.jsonl --engine" in body
