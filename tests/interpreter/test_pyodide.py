"""The interpreter in Pyodide, the Python of browsers."""

import json
import subprocess
from shutil import which

import pytest

from conftest import HANGS, ROOT, need
from games import tables
from pyodide.played import played

PLAYED = ROOT / "tests/pyodide"
PYODIDE = ROOT / "conformance/pyodide/node_modules/pyodide"


@pytest.mark.slow
def test_whole_games_go_as_here_with_the_standard_library_alone() -> None:
    need(which("node"), "node")
    need(PYODIDE.is_dir(), "pyodide (make pyodide)")
    given = tables()
    done = subprocess.run(
        ["node", PLAYED / "play.mjs"],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        timeout=HANGS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]  # the first lines are Pyodide itself
    told = json.loads(done.stdout)
    assert told["games"] == played(given)
    assert told["foreign"] == []
