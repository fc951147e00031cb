"""No words of a spec become markup on the site: a spec whose every free text is hostile is shown as it is written."""

import importlib.util
import json
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import HANGS, ROOT, need
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.pages import pages
from licences import has_licence

pytestmark = pytest.mark.slow

#: What is not shown as it is written where it is taken for Markdown, HTML, a template or a list of attributes.
HOSTILE = (
    "<owned x=1> </title></script></p><script>alert(1)</script> <img src=x onerror=alert(1)> "
    "[x](javascript:alert(1)) ![y](javascript:1) <javascript:1> [z]: javascript:1 | a | `b` ``c` *d* __e__ ~~f~~ "
    "{{ g }} {% h %} {: .owned onclick=1 } {#owned} <!-- i --> ]]> &lt;j&gt; &#60; \\* \\< \"k\" 'l' --- [TOC] $m$ #"
)
#: The words of a ledger, a table and a scenario: whatever else a schema allows there is a name that the code knows.
WORDS = frozenset(
    {
        *("title", "why", "because", "argument", "summary", "ruling", "where", "says", "decided", "not_testable"),
        *("missing", "restored", "covers", "about", "reads"),
    }
)
#: Some scenarios: with readings, with options, with something irregular, of both games.
SCENARIOS = ("seven/the-seven-*", "cut/*", "to-score/the-example*", "irregular/rubicon-open-tricks*", "point/equal*")
#: A page of each kind, and all of those that have tables of everything.
PAGES = re.compile(
    r"scenarios/.*|sources/(index|bicycle)\.md|rulesets/(index|comparison|bezique-bicycle)\.md|index\.md|assets/.*"
    r"|(irregularities|claims|disputes)\.md|disputes/cut.*|(bezique|piquet)/.*"
)


class Shown(HTMLParser):
    """What a page shows, and whatever of it should not be there."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.unexpected: list[str] = []
        self._title = False
        self.feed(page)
        self.close()

    @property
    def shown(self) -> str:
        return " ".join("".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script" and not _is_ours(dict(attrs)):
            self.unexpected.append(f"<script {attrs}>")
        self.words += [" "] if tag in {"p", "li", "td", "th", "h1", "h2", "h3", "div", "br", "title"} else []
        for name, value in attrs:
            if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
                self.unexpected.append(f"<{tag} {name}>")
            leads = name in {"href", "src", "action", "formaction"} and "script:" in (value or "")
            marked = name in {"class", "id"} and "owned" in (value or "").split()
            if name.startswith("on") or name == "x" or "owned" in name or leads or marked:
                self.unexpected.append(f"<{tag} {name}={value}>")
        if tag in {"owned", "img", "del", "javascript:1"}:
            self.unexpected.append(f"<{tag}>")

    def handle_comment(self, data: str) -> None:
        self.unexpected += [f"<!--{data}-->"] if "Hostile" in data or data.strip() == "i" else []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def _is_ours(script: dict[str, str | None]) -> bool:
    """Whether it is one of the site's scripts, or data that no browser runs."""
    return bool(re.fullmatch(r"[./]*assets/[a-z-]+\.js", script.get("src") or "")) or script == {
        "type": "application/json"
    }


def spoilt(document: Any, number: Iterator[int], key: str = "") -> Any:
    """A document with something hostile in place of all its words."""
    if isinstance(document, dict):
        return {name: each if name == "steps" else spoilt(each, number, str(name)) for name, each in document.items()}
    if isinstance(document, list):
        return [spoilt(each, number, key) for each in document]
    return f"Hostile{next(number)}x {HOSTILE}" if key in WORDS and isinstance(document, str) else document


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """A suite in which every word is hostile."""
    whole, spec = ROOT / "spec", tmp_path_factory.mktemp("hostile") / "spec"
    shutil.copytree(whole / "schemas", spec / "schemas")
    shutil.copy(whole / "VERSION", spec)
    (spec / "ids.lock").touch()
    number = count()
    found = [*whole.glob("sources/*.yaml"), *whole.glob("rulesets/*.yaml")]
    for pattern in SCENARIOS:
        found += whole.glob(f"scenarios/{pattern}.scenario.yaml")
    for path in found:
        to = spec / path.relative_to(whole)
        to.parent.mkdir(parents=True, exist_ok=True)
        document = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        to.write_text(json.dumps(spoilt(document, number), ensure_ascii=False), "utf-8")
    return load_suite(spec, positions=False)


@pytest.fixture(scope="module")
def built(hostile: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its site."""
    need(importlib.util.find_spec("mkdocs"), "mkdocs (make site)")
    folder = tmp_path_factory.mktemp("hostile-site")
    made = [page for page in pages(hostile) if PAGES.fullmatch(page.path)]
    assert len(made) > 20
    (folder / "pages.pickle").write_bytes(pickle.dumps(made))
    words = [str(folder / "pages.pickle"), "build", "--quiet", "--site-dir", str(folder / "site")]
    command = [sys.executable, str(ROOT / "tests/given_build.py"), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def test_nothing_hostile_becomes_markup(built: Path) -> None:
    for path in sorted(built.rglob("*.html")):
        page = Shown(path.read_text("utf-8"))
        own = ["<script []>"] * (path.name == "404.html")  # it finds the folder of the site, and its policy names it
        assert page.unexpected == own, path.relative_to(built)


def test_whatever_is_hostile_is_shown_as_it_is_written(built: Path) -> None:
    places = 0
    for path in sorted(built.rglob("*.html")):
        # without files as they are written, which are JSON, and without the title, which is cut short
        text = re.sub(r"<(pre|title)>.*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL)
        shown = Shown(text).shown
        for found in re.finditer(r"hostile\d+x ", shown, re.IGNORECASE):
            then = shown[found.end() :][
                : len(HOSTILE)
            ].lower()  # the title of an option stands in the middle of another
            assert then == HOSTILE.lower(), path.relative_to(built)
            places += 1
    assert places > 500


def test_everything_on_the_site_has_a_licence(built: Path) -> None:
    files = [str(path.relative_to(built)) for path in built.rglob("*") if path.is_file()]
    assert [name for name in files if not has_licence(name, "The site")] == []
