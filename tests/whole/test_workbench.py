"""The tools of the workbench start and find what they are for; their own tests run nightly, by `make workbench`."""

import subprocess
import sys

import pytest

from conftest import HANGS, ROOT
from hoyle_conformance.checks.preludes.follow import FoundHistory
from hoyle_conformance.checks.preludes.store import kept
from hoyle_conformance.suite.suite import Suite
from preludes.find import find
from preludes.write import history

pytestmark = pytest.mark.slow


def printed(*words: str, folder: str = ".") -> str:
    """What a tool prints, which must end with 0."""
    command = [sys.executable, *words]
    done = subprocess.run(
        command, cwd=ROOT / folder, capture_output=True, text=True, timeout=HANGS, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_corrupted_files_are_diagnosed() -> None:
    assert "10 mutants" in printed("workbench/fuzz_files.py", "--mutants", "10", "--seed", "7")


def test_fuzzers_read_their_seeds() -> None:
    assert "settings" in printed("workbench/run_fuzzers.py", "coverage", "settings")


def test_the_prelude_that_is_found_is_the_one_that_is_stored(suite: Suite) -> None:
    for name in ("draw.last-two-cards@bezique-hoyle", "calling.asked-once@piquet-hoyle"):
        check = suite.index.checks[name]
        found, stored = find(suite, check), kept(suite, check)
        assert isinstance(found, FoundHistory)
        assert stored is not None
        assert history(found) == stored.found
