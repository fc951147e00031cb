"""The table in Python as browsers run it: the worker of the page, in Node, answers what the suite expects."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conftest import HANGS, ROOT, need
from hoyle_conformance.site import bundle
from hoyle_conformance.suite.value import Suite
from table_law import against

#: Workers at a time: each takes a third of a gigabyte.
WORKERS = min(4, os.cpu_count() or 1)


@pytest.fixture(scope="module")
def worker(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The worker beside its files, as the site has them."""
    need(bundle.can_be_made() or None, "Node and Pyodide (make pyodide)")
    site = tmp_path_factory.mktemp("site")
    for path, content in bundle.bundle(suite).items():
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


@pytest.mark.slow
def test_every_position_of_the_suite_is_answered_as_the_suite_expects(worker: Path, suite: Suite) -> None:
    names = sorted(suite.scenarios)
    shares = [[{"ask": "position", "id": name} for name in names[part::WORKERS]] for part in range(WORKERS)]
    told = {line["request"]["id"]: line for line in ask(worker, *shares) if "request" in line}
    assert sorted(told) == names
    for name in names:
        assert list(against(Told(suite, {name: told[name]}), name)) == []
