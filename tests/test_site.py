"""The site: its pages are made from the suite, it builds strictly, and nothing on it asks for anything elsewhere."""

import importlib.util
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from os.path import normpath
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest

from conftest import HANGS, ROOT, need
from hoyle_conformance.model import Outcome, Scenario
from hoyle_conformance.report.answers import differ
from hoyle_conformance.report.comparison import compared
from hoyle_conformance.report.rulebook import chapters
from hoyle_conformance.site.irregularities import PARTS
from hoyle_conformance.site.page import Page, anchor, card, with_cards
from hoyle_conformance.site.text import text as shown
from hoyle_conformance.suite.value import Suite

pytestmark = pytest.mark.slow


class Built(NamedTuple):
    """A site on disk, and those of its pages that were made anew in another process."""

    folder: Path
    pages: dict[str, Page]


@pytest.fixture(scope="session")
def built(
    tmp_path_factory: pytest.TempPathFactory, once: Callable[[str, Callable[[], Any]], Any], made: dict[str, Page]
) -> Built:
    """The site as `make site` builds it, strictly, but for most pages, which were made in this process; on the gate it
    stays there, and a browser looks at it."""
    need(importlib.util.find_spec("material"), "mkdocs-material (make site)")

    def build() -> Built:
        folder = tmp_path_factory.mktemp("site")
        record = folder / "pages.pickle"
        record.write_bytes(pickle.dumps(made))
        site = ROOT / "site" if os.environ.get("HOYLE_GATE") else folder / "site"
        words = ["build", "--strict", "--quiet", "--site-dir", str(site)]
        command = [sys.executable, str(ROOT / "tests/recorded_build.py"), str(record), *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANGS, check=False)
        assert done.returncode == 0, done.stderr
        return Built(site, pickle.loads(record.read_bytes()))  # noqa: S301 -- it was written just now

    site: Built = once("site", build)
    return site


def test_the_pages_are_a_pure_function_of_the_suite(built: Built, made: dict[str, Page]) -> None:
    """Another process, with other hashes, has made the same from it."""
    assert len(built.pages) > len(made) / 50
    assert built.pages == {path: made[path] for path in built.pages}


def test_every_scenario_ruleset_and_source_has_its_page(suite: Suite, made: dict[str, Page]) -> None:
    for scenario in suite.scenarios.values():
        page = made[f"scenarios/{scenario.id.replace('.', '/')}.md"]
        assert f"# {shown(scenario.title)}" in page.text
        assert scenario.id in page.text
    for ruleset in suite.rulesets.values():
        assert f"# {shown(ruleset.title)}" in made[f"rulesets/{ruleset.id}.md"].text
    for source in suite.sources.values():
        for clause in source.clauses:
            assert shown(clause.says) in made[f"sources/{source.id}.md"].text


def test_a_section_read_in_one_printing_alone_says_so_once_above_its_clauses(
    suite: Suite, made: dict[str, Page]
) -> None:
    sections = []
    for source in suite.sources.values():
        text = made[f"sources/{source.id}.md"].text
        sections += [(source, printing, each, text) for printing in source.printings for each in printing.alone]
    assert [(source.id, printing.id, each) for source, printing, each, _ in sections] == [
        ("hoyle", "revised-1909", "piquet")
    ]
    for source, printing, section, text in sections:
        title, first = shown(printing.title), next(each for each in source.clauses if each.section == section)
        above, note, below = text.partition(f"`{source.id}/{section}/` were read in {title} alone.\n")
        assert note
        assert text.count("` were read in ") == len([each for each in sections if each[0] is source])
        assert f"`{source.id}/{section}/" not in above.partition("\n## ")[2]
        assert shown(first.says) in below[: below.index("beside")]


def test_a_ledger_of_several_games_has_a_part_for_each(suite: Suite, made: dict[str, Page]) -> None:
    of_several = [source for source in suite.sources.values() if source.games]
    assert [source.id for source in of_several] == ["hoyle"]
    for source in of_several:
        _, *parts = re.split(r"^## (.*)$", made[f"sources/{source.id}.md"].text, flags=re.MULTILINE)
        assert parts[::2] == list(source.games)
        for game, part in zip(parts[::2], parts[1::2], strict=True):
            anchors = re.findall(r'class="clause" markdown id="([^"]*)"', part)
            assert anchors == [anchor(each.id) for each in source.clauses if source.is_about(game, each.section)]


def test_every_cell_of_a_table_stands_on_its_page_with_its_grounds(suite: Suite, made: dict[str, Page]) -> None:
    for ruleset in suite.rulesets:
        text = made[f"rulesets/{ruleset}.md"].text
        for cell in suite.rules(ruleset).cells:
            for clause in cell.cites:
                assert f"[`{clause}`]" in text
            assert shown(cell.because) in text


def test_every_clause_shows_its_tests(suite: Suite, made: dict[str, Page]) -> None:
    for check in suite.checks.values():
        for clause in check.cites:
            text = made[f"sources/{clause.partition('/')[0]}.md"].text
            assert f"- tested: [{shown(check.scenario.title)}]" in text


def test_every_disputed_cell_stands_among_the_disputes(suite: Suite, made: dict[str, Page]) -> None:
    for ruleset in suite.rulesets:
        for cell in suite.rules(ruleset).cells:
            if cell.readings:
                page = made[f"disputes/{cell.path.replace('.', '-')}.md"]
                assert shown(suite.rulesets[ruleset].title) in page.text
                assert all(shown(reading.argument) in page.text for reading in cell.readings)
                assert f"]({page.path})" in made["disputes.md"].text


def test_every_rule_of_every_ruleset_stands_side_by_side(suite: Suite, made: dict[str, Page]) -> None:
    text = made["rulesets/comparison.md"].text
    for ruleset in suite.rulesets:
        for chapter in chapters(suite, suite.rules(ruleset).cells):
            for entry in chapter.entries:
                assert re.search(rf"<td>([^<]+\. )?{re.escape(shown(entry.sentence))}", text), entry
    games = [[ruleset.id for ruleset in rulesets] for rulesets in suite.games.values()]
    differing = [line for names in games for line in compared(suite, names) if line.differs]
    assert text.count('<tr class="differs">') == len(differing) > 20


def test_every_ruling_stands_on_the_page_of_irregularities(suite: Suite, made: dict[str, Page]) -> None:
    text = made["irregularities.md"].text
    rows = {
        row.group(1): row.group(0) for row in re.finditer(r'<tr><th scope="row" id="([^"]+)".*?</tr>', text, re.DOTALL)
    }
    cells = [cell for name in suite.rulesets for cell in suite.rules(name).cells.rows("referee.irregularities")]
    assert (
        set(rows) == {cell.value["id"] for cell in cells} == {name for part in PARTS.values() for name in part.split()}
    )
    assert len(" ".join(PARTS.values()).split()) == len(rows)
    for cell in cells:
        row = rows[cell.value["id"]]
        assert shown(cell.value["title"]) in row
        assert shown(cell.value["ruling"]) in row
        assert all(f">{clause}</a>" in row for clause in cell.cites)


def test_every_ruleset_speaks_or_is_silent_on_the_page_of_irregularities(suite: Suite, made: dict[str, Page]) -> None:
    for part in made["irregularities.md"].text.split("\n## ")[1:]:
        before, _, table = part.partition("<tbody>")
        for name in suite.rulesets:
            assert before.count(f'href="rulesets/{name}.html"') == 1, (name, part)
        columns = before.count('<th scope="col">') - 1
        assert all(row.count("<td ") == columns for row in table.split("</tr>")[:-1])
        assert "{" not in part
        assert "None" not in part


def test_links_between_pages_lead_somewhere(made: dict[str, Page]) -> None:
    by_hand = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    for page in made.values():
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.text):
            path = (ROOT / "docs" / page.path).parent / target
            assert str(path.resolve().relative_to(ROOT / "docs")) in {*made, *by_hand}, (page.path, target)


def test_cards_are_drawn_with_their_names() -> None:
    assert card("TH#2") == '<span class="card hearts" role="img" aria-label="ten of hearts (copy 2)">10♥²</span>'
    assert with_cards("A plays K♠.") == f"A plays {card('KS')}."
    assert with_cards("A holds <b> & 9") == "A holds &#60;b&#62; &#38; 9"


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


def test_the_site_builds_strictly(built: Built, suite: Suite) -> None:
    for scenario in suite.scenarios.values():
        text = (built.folder / "scenarios" / f"{scenario.id.replace('.', '/')}.html").read_text("utf-8")
        assert text.count('class="step') >= len(scenario.steps)


def test_every_link_of_the_built_site_leads_somewhere(built: Built) -> None:
    anchors: dict[Path, set[str]] = {}
    links: dict[Path, list[str]] = {}
    for path in built.folder.rglob("*.html"):
        text = path.read_text("utf-8")
        anchors[path] = set(re.findall(r'\bid="?([^"\s>]+)', text))
        links[path] = re.findall(r'<a [^>]*?href="?([^"\s>]+)', text)
    for path, targets in links.items():
        for target in targets:
            if re.match(r"\w+:|//|/", target) or path.name == "404.html":
                continue
            file, _, fragment = unquote(target).partition("#")
            to = Path(normpath(path.parent / file)) if file else path
            to = to if to in anchors else to / "index.html"
            assert to in anchors, (path, target)
            assert not fragment or fragment in anchors[to], (path, target)


def test_no_page_loads_anything_from_elsewhere(built: Built) -> None:
    html = sorted(built.folder.rglob("*.html"))
    assert len(html) > 200
    for path in html:
        wanted = _Wanted()
        wanted.feed(
            "".join(re.findall(r"<(?:script|img|iframe|source|video|audio|link)\b[^>]*>", path.read_text("utf-8")))
        )
        elsewhere = [url for url in wanted.loads if re.match(r"(https?:)?//", url)]
        assert elsewhere == [], path
    for path in built.folder.rglob("*.css"):
        assert not re.findall(r"url\(['\"]?(?:https?:)?//", path.read_text("utf-8")), path


def test_every_ruleset_and_source_stands_in_the_navigation(suite: Suite) -> None:
    nav = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert [name for name in suite.rulesets if f": rulesets/{name}.md" not in nav] == []
    assert [name for name in suite.sources if f": sources/{name}.md" not in nav] == []


def test_scenarios_are_marked_whose_answers_differ(suite: Suite, made: dict[str, Page]) -> None:
    overview = made["scenarios/index.md"].text
    marked = {found.replace("/", ".") for found in re.findall(r"\(([a-z0-9/-]+)\.md\) ≠$", overview, re.MULTILINE)}
    assert "cut.equal-cards" in marked  # another answer in another ruleset
    assert "seven.exchanged-after-being-shown" in marked  # and in another reading
    assert "settlement.saved-by-brisques" not in marked  # one answer, in two entries
    assert "to-score.not-by-the-loser" not in marked  # refused by all, for different reasons
    for scenario in suite.scenarios.values():
        alike = len({repr(branch) for check in suite.checks_of(scenario) for branch in check.branches.values()}) == 1
        assert not alike or scenario.id not in marked


def test_answers_are_the_same_however_they_are_written(suite: Suite) -> None:
    scenario = suite.scenarios["game.a-thousand-in-mid-deal"]  # A has 960 and scores 40, which wins some of the games
    goes_on = scenario.outcomes[0]

    def under(ruleset: str, step: Mapping[str, Any]) -> Outcome:
        return replace(goes_on, rulesets=(ruleset,), expect={1: step})

    def told(*outcomes: Outcome) -> Scenario:
        return replace(scenario, outcomes=outcomes, readings=(), followed_by=())

    points, score = {"scores": {"A": 40}}, {"total": {"A": 1000}}
    assert not differ(suite, told(under("bezique-bicycle", points), under("rubicon-hoyle", score)))
    assert not differ(suite, told(under("bezique-bicycle", points), under("rubicon-hoyle", {"turn": "A"})))
    assert differ(
        suite, told(under("bezique-bicycle", {"trumps": "H", **points}), under("bezique-britannica+units", {}))
    )
    assert differ(suite, told(goes_on, under("bezique-britannica", points)))
