"""`make mutate-harness` tries mutants, also where signals are ignored, as in a script that starts it with `&`."""

import re
import subprocess
import sys

import pytest

from conftest import HANGS, ROOT

#: Runs a command with what a shell ignores for a command in the background.
IN_THE_BACKGROUND = ["sh", "-c", 'trap "" INT QUIT; exec "$@"', "sh"]


@pytest.mark.slow
@pytest.mark.posix
def test_mutants_are_tried_in_the_background() -> None:
    command = [sys.executable, str(ROOT / "workbench/mutate_harness.py"), "system/pipes.py"]
    words = ["--seed", "1", "--most", "3", "--tests", "system/pipes"]
    done = subprocess.run(
        [*IN_THE_BACKGROUND, *command, *words], cwd=ROOT, capture_output=True, text=True, timeout=HANGS, check=False
    )
    assert re.search(r"^3 mutants: .*\d noticed", done.stdout, re.MULTILINE), done.stdout + done.stderr
