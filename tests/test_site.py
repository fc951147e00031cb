"""The site: its pages are made from the suite, it builds strictly, and nothing on it asks for anything elsewhere."""

import importlib.util
import re
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from conftest import ROOT, need
from hoyle_conformance.report.comparison import compared
from hoyle_conformance.report.rulebook import chapters
from hoyle_conformance.site.page import Page, card, with_cards
from hoyle_conformance.site.pages import pages
from hoyle_conformance.suite.value import Suite


@pytest.fixture(scope="module")
def made(suite: Suite) -> dict[str, Page]:
    return {page.path: page for page in pages(suite)}


def test_the_pages_are_a_pure_function_of_the_suite(suite: Suite, made: dict[str, Page]) -> None:
    assert {page.path: page for page in pages(suite)} == made


def test_every_scenario_ruleset_and_source_has_its_page(suite: Suite, made: dict[str, Page]) -> None:
    for scenario in suite.scenarios.values():
        page = made[f"scenarios/{scenario.id.replace('.', '/')}.md"]
        assert f"# {scenario.title}" in page.text
        assert scenario.id in page.text
    for ruleset in suite.rulesets.values():
        assert f"# {ruleset.title}" in made[f"rulesets/{ruleset.id}.md"].text
    for source in suite.sources.values():
        for clause in source.clauses:
            assert clause.says in made[f"sources/{source.id}.md"].text


def test_every_cell_of_a_table_stands_on_its_page_with_its_grounds(suite: Suite, made: dict[str, Page]) -> None:
    for ruleset in suite.rulesets:
        text = made[f"rulesets/{ruleset}.md"].text
        for cell in suite.rules(ruleset).cells:
            for clause in cell.cites:
                assert f"[`{clause}`]" in text
            assert cell.because in text


def test_every_clause_shows_its_tests(suite: Suite, made: dict[str, Page]) -> None:
    for check in suite.checks.values():
        for clause in check.cites:
            text = made[f"sources/{clause.partition('/')[0]}.md"].text
            assert f"- tested: [{check.scenario.title}]" in text


def test_every_disputed_cell_stands_among_the_disputes(suite: Suite, made: dict[str, Page]) -> None:
    for ruleset in suite.rulesets:
        for cell in suite.rules(ruleset).cells:
            if cell.readings:
                page = made[f"disputes/{cell.path.replace('.', '-')}.md"]
                assert suite.rulesets[ruleset].title in page.text
                assert all(reading.argument in page.text for reading in cell.readings)
                assert f"]({page.path})" in made["disputes.md"].text


def test_every_rule_of_every_ruleset_stands_side_by_side(suite: Suite, made: dict[str, Page]) -> None:
    text = made["rulesets/comparison.md"].text
    for ruleset in suite.rulesets:
        for chapter in chapters(suite, suite.rules(ruleset).cells):
            for entry in chapter.entries:
                assert f"<td>{escape(entry.sentence)}" in text
    games = [[ruleset.id for ruleset in rulesets] for rulesets in suite.games.values()]
    differing = [line for names in games for line in compared(suite, names) if line.differs]
    assert text.count('<tr class="differs">') == len(differing) > 20


def test_links_between_pages_lead_somewhere(made: dict[str, Page]) -> None:
    by_hand = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    for page in made.values():
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.text):
            path = (ROOT / "docs" / page.path).parent / target
            assert str(path.resolve().relative_to(ROOT / "docs")) in {*made, *by_hand}, (page.path, target)


def test_cards_are_drawn_with_their_names() -> None:
    assert card("TH#2") == '<span class="card hearts" role="img" aria-label="ten of hearts (copy 2)">10♥²</span>'
    assert with_cards("A plays K♠.") == f"A plays {card('KS')}."
    assert with_cards("A holds <b> & 9") == "A holds &lt;b&gt; &amp; 9"


class _Wanted(HTMLParser):
    """Collects what a page asks a browser to load."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.titles: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in {"script", "img", "iframe", "source", "video", "audio"} and found.get("src"):
            self.loads.append(str(found["src"]))
        if tag == "link" and found.get("rel") in {"stylesheet", "icon", "preload", "preconnect", "prefetch"}:
            self.loads.append(str(found["href"]))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need(importlib.util.find_spec("material"), "mkdocs-material (make site)")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_builds_strictly(built: Path, suite: Suite) -> None:
    for scenario in suite.scenarios.values():
        text = (built / "scenarios" / f"{scenario.id.replace('.', '/')}.html").read_text("utf-8")
        assert text.count('class="step') >= len(scenario.steps)


def test_every_link_of_the_built_site_leads_somewhere(built: Path) -> None:
    anchors: dict[Path, set[str]] = {}
    links: dict[Path, list[str]] = {}
    for path in built.rglob("*.html"):
        text = path.read_text("utf-8")
        anchors[path] = set(re.findall(r'\bid="?([^"\s>]+)', text))
        links[path] = re.findall(r'<a [^>]*?href="?([^"\s>]+)', text)
    for path, targets in links.items():
        for target in targets:
            if re.match(r"\w+:|//|/", target) or path.name == "404.html":
                continue
            file, _, fragment = unquote(target).partition("#")
            to = (path.parent / file).resolve() if file else path
            to = to / "index.html" if to.is_dir() else to
            assert to in anchors, (path, target)
            assert not fragment or fragment in anchors[to], (path, target)


def test_no_page_loads_anything_from_elsewhere(built: Path) -> None:
    html = sorted(built.rglob("*.html"))
    assert len(html) > 200
    for path in html:
        wanted = _Wanted()
        wanted.feed(path.read_text("utf-8"))
        elsewhere = [url for url in wanted.loads if re.match(r"(https?:)?//", url)]
        assert elsewhere == [], path
    for path in built.rglob("*.css"):
        assert not re.findall(r"url\(['\"]?(?:https?:)?//", path.read_text("utf-8")), path


def test_every_ruleset_and_source_stands_in_the_navigation(suite: Suite) -> None:
    nav = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert [name for name in suite.rulesets if f": rulesets/{name}.md" not in nav] == []
    assert [name for name in suite.sources if f": sources/{name}.md" not in nav] == []
