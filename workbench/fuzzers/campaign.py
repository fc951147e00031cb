"""All targets in turn, each in a process of its own, which adds what it finds to its corpus."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .replay import corpus
from .target import FOLDER, Target
from .words import all_words

ROOT: Final = Path(__file__).resolve().parents[2]
SCRIPT: Final = "workbench/run_fuzzers.py"
HEADING: Final = f"{'target':<12} {'inputs':>8} {'a second':>8} {'corpus':>8} {'with new':>8} {'edges':>8}"
#: What libFuzzer prints at the end, and when it saves an input that failed.
_DONE: Final = re.compile(r"^#(\d+)\s+DONE\s+cov: (\d+) .*corp: (\d+)/", re.MULTILINE)
_SECONDS: Final = re.compile(r"^Done \d+ runs in (\d+) second", re.MULTILINE)
_SAVED: Final = re.compile(r"Test unit written to (\S+)")
_EXCEPTION: Final = "=== Uncaught Python exception: ==="
#: So many lines of a log are shown of a failure.
_SHOWN: Final = 30


def run(target: Target, options: Sequence[str], folder: Path = FOLDER) -> tuple[str, str]:
    """Run one target on its corpus; return its row of the table, and what is said of a failure."""
    before, found = len(corpus(target, folder=folder)), str(folder / target.name)
    code, log = _start(target, [f"-artifact_prefix={found}-", *options, found], folder)
    done, seconds, saved = _DONE.search(log), _SECONDS.search(log), _SAVED.search(log)
    if code or not done or saved:
        return f"{target.name:<12}   failed", _failure(target, log, saved)
    inputs, edges, now = map(int, done.groups())
    speed = inputs // max(1, int(seconds[1]) if seconds else 1)
    return f"{target.name:<12} {inputs:>8} {speed:>8} {before:>8} {now:>8} {edges:>8}", ""


def _start(target: Target, arguments: Sequence[str], folder: Path) -> tuple[int, str]:
    """Run a target with arguments of libFuzzer; return its exit code, and what it printed, which a file has too."""
    dictionary, path = folder / "words.dict", folder / f"{target.name}.log"
    dictionary.write_text(all_words().dictionary, "utf-8")
    command = [sys.executable, SCRIPT, "one", target.name, f"-dict={dictionary}", *arguments]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}  # with the same seed, sets have the same order
    with path.open("wb") as log:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=log, stderr=log, check=False)
    return done.returncode, path.read_text("utf-8", "replace")


def _failure(target: Target, log: str, saved: re.Match[str] | None) -> str:
    """Return the exception in a log, or its last lines, and the command that runs a saved input again."""
    lines = log[max(0, log.find(_EXCEPTION)) :].strip().splitlines()[-_SHOWN:]
    if saved:
        lines.append(f"To repeat: {shlex.join(['python', SCRIPT, 'repeat', target.name, saved[1]])}")
    return "\n".join(lines)
