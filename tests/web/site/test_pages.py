"""The site: its pages are made from the suite, it builds strictly, and nothing on it asks for anything elsewhere."""

import importlib.util
import os
import pickle
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import unescape
from os.path import normpath
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest

import browser_bundle as bundle
from conftest import HANGS, ROOT, need
from hoyle_conformance.suite.model import Outcome, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.navigation import tabs
from hoyle_conformance.web.site.page import Page, href
from hoyle_conformance.web.site.pages import DOCUMENTS, GUIDE, page_at, sections
from hoyle_conformance.wording.html import drawn
from hoyle_conformance.wording.walkthrough import answers_differ

pytestmark = pytest.mark.slow

#: What a page shows; ids in code, in what may be copied and in links are where they belong.
_NOT_PROSE = re.compile(r"<(a|pre|code|script|style|summary)\b.*?</\1>", re.DOTALL)
_TAGS = re.compile(r"<[^>]+>")
#: What a page asks a browser to load.
_LOADS = re.compile(
    r'<(?:script|img|iframe|source|video|audio|link(?! rel="canonical"))\b[^>]*? (?:src|href)="([^"]+)"'
)
_COULD_BE_AN_ID = re.compile(r"[\w-]+(?:[./+][\w-]+)+")


class Built(NamedTuple):
    """A site on disk, and those of its pages that were made anew in another process."""

    folder: Path
    pages: dict[str, Page]


@pytest.fixture(scope="session")
def built(
    tmp_path_factory: pytest.TempPathFactory,
    once: Callable[[str, Callable[[], Any]], Any],
    made: dict[str, Page],
    table_files: dict[str, bytes],
) -> Built:
    """The site as `make site` builds it, strictly, but for most pages, which were made in this process; on the gate it
    stays there, and a browser looks at it."""
    assert table_files or not bundle.can_be_made()  # they are kept: the site takes them
    need(importlib.util.find_spec("mkdocs"), "mkdocs (make site)")

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


def test_a_page_made_alone_is_the_same(suite: Suite, made: dict[str, Page]) -> None:
    for path in ("scenarios/to-score/the-example.md", "rulesets/bezique-hoyle.md", "changelog.md"):
        assert page_at(suite, href(path, "")) == made[path]
    for path in ("scenarios/to-score/nothing.html", "terms/nothing.html", "nothing/at/all.html"):
        assert page_at(suite, path) is None


def test_a_page_made_alone_is_looked_for_where_it_is(suite: Suite, made: dict[str, Page]) -> None:
    """But for the positions, each lies in a folder in which a section is known to have pages."""
    lie = {path.rpartition("/")[0] for path in made if path.endswith(".md") and not path.startswith("scenarios/")}
    assert lie <= frozenset().union(*(section.folders for section in sections(suite)))


def test_every_page_is_whole(made: dict[str, Page]) -> None:
    """A title, a heading, a sentence on what it is about, and no id twice."""
    by_hand = {path for _, path in DOCUMENTS}
    written = {page.path for page in made.values() if page.path.endswith(".md")}
    assert {path for path in written if not made[path].body} == by_hand
    for page in (page for page in made.values() if page.body):
        assert page.title, page.path
        assert page.body.count("<h1") == 1, page.path
        assert page.about.endswith((".", "?")), (page.path, page.about)
        ids = Counter(re.findall(r'\bid="([^"]+)"', page.body))
        assert [name for name, times in ids.items() if times > 1] == [], page.path


def test_every_door_leads_to_a_page(suite: Suite, made: dict[str, Page]) -> None:
    paths = {href(path, "") for path in made}
    paths |= {f"{path.relative_to(ROOT / 'docs').with_suffix('')}.html" for path in (ROOT / "docs").rglob("*.md")}
    for tab in tabs(suite):
        assert {tab.path, *(item.path for item in tab.pages)} <= paths
    for page in made.values():
        assert not page.tab or page.tab in {tab.title for tab in tabs(suite)}, page.path


def test_every_ruleset_source_and_position_has_its_page(suite: Suite, made: dict[str, Page]) -> None:
    for scenario in suite.scenarios.values():
        page = made[f"scenarios/{scenario.id.replace('.', '/')}.md"]
        assert drawn(scenario.title) in page.body
        assert page.id == scenario.id
    assert {f"rulesets/{name}.md" for name in suite.rulesets} | {f"sources/{name}.md" for name in suite.sources} <= set(
        made
    )


def test_ids_that_stand_in_prose_are_links(suite: Suite, made: dict[str, Page]) -> None:
    known = {*suite.clauses, *suite.scenarios}
    for page in made.values():
        shown = unescape(_TAGS.sub(" ", _NOT_PROSE.sub(" ", page.body)))
        assert known.isdisjoint(_COULD_BE_AN_ID.findall(shown)), page.path


def test_every_link_of_the_built_site_leads_somewhere(built: Built) -> None:
    anchors: dict[Path, set[str]] = {}
    links: dict[Path, list[str]] = {}
    for path in built.folder.rglob("*.html"):
        text = path.read_text("utf-8")
        anchors[path] = set(map(unescape, re.findall(r'\bid="?([^"\s>]+)', text)))
        links[path] = re.findall(r'<a [^>]*?href="?([^"\s>]+)', text)
    assert len(links) > 2000
    for path, targets in links.items():
        for target in targets:
            if re.match(r"\w+:|//|/", target):
                continue
            file, _, fragment = unquote(unescape(target)).partition("#")
            to = Path(normpath(path.parent / file.partition("?")[0])) if file else path
            if to.suffix != ".html":
                assert to.is_file(), (path, target)
                continue
            assert to in anchors, (path, target)
            assert not fragment or "=" in fragment or fragment in anchors[to], (path, target)


def test_no_page_loads_anything_from_elsewhere(built: Built) -> None:
    html = sorted(built.folder.rglob("*.html"))
    assert len(html) > 200
    for path in html:
        for url in _LOADS.findall(path.read_text("utf-8")):
            assert not re.match(r"(https?:)?//", url), path
            assert (path.parent / url).is_file(), (path, url)
    for path in built.folder.rglob("*.css"):
        text = path.read_text("utf-8")
        assert "@import" not in text, path
        for url in re.findall(r"url\((.*?)\)", text):
            assert re.fullmatch(r'"[a-z0-9-]+\.woff2"', url), (path, url)
            assert (path.parent / url.strip('"')).is_file(), (path, url)


def test_every_page_says_what_it_is_about(built: Built) -> None:
    for path in built.folder.rglob("*.html"):
        head = path.read_text("utf-8").partition("</head>")[0]
        assert re.search(r'<meta name="description" content="[^"]{20,}">', head), path
        titles = re.findall(r"<title>([^<]+)</title>", head)
        assert [len(unescape(each)) <= 70 for each in titles] == [True], path  # as a list of pages found shows it


def test_machines_have_the_rules_the_checks_and_a_guide(suite: Suite, built: Built) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (built.folder / GUIDE).read_text("utf-8"))
    assert len(links) > len(suite.rulesets)
    for file in (*links, *(f"spec-json/suite/{name}.json.gz" for name in suite.rulesets)):
        assert (built.folder / file).is_file(), file


def test_answers_are_the_same_however_they_are_written(suite: Suite) -> None:
    scenario = suite.scenarios["game.a-thousand-in-mid-deal"]  # A has 960 and scores 40, which wins some of the games
    goes_on = scenario.outcomes[0]

    def under(ruleset: str, step: Mapping[str, Any]) -> Outcome:
        return replace(goes_on, rulesets=(ruleset,), expect={1: step})

    def told(*outcomes: Outcome) -> Scenario:
        return replace(scenario, outcomes=outcomes, readings=(), followed_by=())

    points, score = {"scores": {"A": 40}}, {"total": {"A": 1000}}
    assert not answers_differ(suite, told(under("bezique-bicycle", points), under("rubicon-hoyle", score)))
    assert not answers_differ(suite, told(under("bezique-bicycle", points), under("rubicon-hoyle", {"turn": "A"})))
    assert answers_differ(
        suite, told(under("bezique-bicycle", {"trumps": "H", **points}), under("bezique-britannica+units", {}))
    )
    assert answers_differ(suite, told(goes_on, under("bezique-britannica", points)))
