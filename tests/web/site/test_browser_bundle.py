"""The table in Python as browsers run it: the worker of the page, in Node, answers what the suite expects."""

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import browser_bundle as bundle
from conftest import HANGS, ROOT, need
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.engine import Engine
from licences import has_licence
from table_law import against

pytestmark = pytest.mark.slow

#: The rulesets of which a deal is played, one of each family of games.
PLAYED = ("bezique-hoyle", "piquet-hoyle")
#: Workers at a time: each takes a third of a gigabyte.
WORKERS = min(4, os.cpu_count() or 1)
#: A browser's Python answers every so manieth position of a topic, and takes ten times as long for it as Python here.
EVERY = 25


@pytest.fixture(scope="module")
def worker(table_files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The worker beside its files, as the site has them."""
    need(bundle.can_be_made() or None, "Node and Pyodide (make pyodide)")
    site = tmp_path_factory.mktemp("site")
    for path, content in table_files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(content)
    (site / "package.json").write_text('{"type": "module"}', "utf-8")  # Node takes a script for a module
    return Path(shutil.copy(ROOT / "docs/assets/table-worker.js", site / "assets"))


def ask(worker: Path, *requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    command = ["node", str(ROOT / "tests/pyodide/ask.mjs"), str(worker)]
    given = json.dumps(requests)
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@dataclass
class Told:
    """An engine that has been asked already, elsewhere."""

    suite: Suite
    told: dict[str, Any]

    def ask(self, request: dict[str, Any]) -> Any:
        if request["ask"] == "position":
            return self.told[request["id"]]["response"]
        return next(each["answer"] for each in self.told.values() if each["response"]["layout"] is request["layout"])


def test_positions_of_every_topic_are_answered_as_the_suite_expects(worker: Path, suite: Suite) -> None:
    """Python here answers others: tests/web/explorer/test_engine.py."""
    of_each_topic: dict[str, list[str]] = {}
    for name, scenario in sorted(suite.scenarios.items()):
        of_each_topic.setdefault(scenario.topic, []).append(name)
    names = [name for of_one in of_each_topic.values() for name in of_one[::EVERY]]
    shares = [[{"ask": "position", "id": name} for name in names[part::WORKERS]] for part in range(WORKERS)]
    told = {line["request"]["id"]: line for line in ask(worker, *shares) if "request" in line}
    assert sorted(told) == sorted(names)
    for name in names:
        assert list(against(Told(suite, {name: told[name]}), name)) == []


def test_what_is_asked_wrongly_is_answered_in_words(worker: Path) -> None:
    told = ask(worker, [{"ask": "nonsense"}, {"ask": "position", "id": "no.such"}, {}])
    answers = [line["response"]["error"] for line in told if "request" in line]
    assert len(answers) == 3
    assert all(each["says"] and each["remedy"] for each in answers)
    assert [line["progress"]["says"] for line in told if "progress" in line] == ["Starting Python", "Reading the books"]


def test_each_kind_of_request_needs_only_what_a_browser_has(worker: Path, suite: Suite) -> None:
    layout = Engine(suite).ask({"ask": "position", "id": "to-score.the-example"})["layout"]
    house = {"extends": "bezique-hoyle", "rules": {"settle.target": 500}}
    requests: list[dict[str, Any]] = [
        {"ask": "answer", "layout": {**layout, "house": house}},
        {"ask": "rules", "ruleset": "piquet-hoyle"},
        {"ask": "deal", "layout": layout, "seed": 1},
        {"ask": "file", "layout": layout, "title": "Does it?"},
    ]
    told = [line["response"] for line in ask(worker, requests) if "request" in line]
    assert told == json.loads(json.dumps([Engine(suite).ask(request) for request in requests]))


def test_a_deal_of_each_game_is_played_to_its_end(worker: Path, suite: Suite) -> None:
    """The page's own script plays, against opponents in a worker of their own: in the Python of browsers a game goes as
    here."""
    games = [{"ruleset": name, "deals": 1, "people": ["A"], "seed": 3} for name in PLAYED]
    command = ["node", str(ROOT / "tests/pyodide/games.mjs"), str(worker)]
    done = subprocess.run(command, input=json.dumps(games), capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    engine = Engine(suite)
    for name, line in zip(PLAYED, done.stdout.splitlines(), strict=True):
        told = json.loads(line)
        answer = told["answer"]
        assert (told["problem"], answer["waits_for"]) == (None, {"kind": "nobody"})
        assert [each["number"] for each in told["log"]] == list(range(1, answer["number"] + 1))
        here = engine.ask({"ask": "play", "game": answer["game"]})
        assert [here[key] for key in ("over", "game")] == [answer[key] for key in ("over", "game")]
        assert answer["game"]["ruleset"] == name
        assert engine.ask({"ask": "open", "link": answer["link"]}) == {"game": answer["game"]}


def test_a_site_without_the_interpreter_says_so(tmp_path: Path) -> None:
    need(which("node"), "node")
    shutil.copy(ROOT / "docs/assets/table-worker.js", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    command = ["node", str(ROOT / "tests/pyodide/ask.mjs"), str(tmp_path / "table-worker.js")]
    done = subprocess.run(
        command, input='[[{"ask": "nonsense"}]]', capture_output=True, text=True, timeout=HANGS, check=False
    )
    failed = json.loads(done.stdout)["failed"]
    assert failed["says"] == "This copy of the site was built without the interpreter."
    assert "make site" in failed["remedy"]


def test_every_file_is_named_by_what_is_in_it_and_has_a_licence(table_files: dict[str, bytes]) -> None:
    need(bundle.can_be_made() or None, "Node and Pyodide (make pyodide)")
    files = dict(table_files)
    manifest = json.loads(files.pop(f"{bundle.FOLDER}/{bundle.MANIFEST}"))
    assert sorted(files) == sorted(f"{bundle.FOLDER}/{each['name']}" for each in manifest["files"].values())
    for each in manifest["files"].values():
        content = files[f"{bundle.FOLDER}/{each['name']}"]
        assert each["bytes"] == len(content)
        assert hashlib.sha256(content).hexdigest()[:16] in each["name"]
        assert has_licence(f"{bundle.FOLDER}/{each['name']}", "The site")


def test_what_needs_more_than_a_browser_has_is_not_packed(table_files: dict[str, bytes]) -> None:
    need(bundle.can_be_made() or None, "Node and Pyodide (make pyodide)")
    packed = next(content for path, content in table_files.items() if "/hoyle.zip" in path)
    names = zipfile.ZipFile(io.BytesIO(gzip.decompress(packed))).namelist()
    assert {"start.pyc", "hoyle_reference/machine.pyc", "hoyle_conformance/web/explorer/engine.pyc", "suite.jsonl"} <= {
        *names
    }
    assert "hoyle/_opponents.pyc" in names
    unneeded = ("/cli/", "/site/", "/runner/runner", "pytest", "hoyle/_load", "hoyle/_check")
    assert [name for name in names if any(part in name for part in unneeded)] == []
