"""All targets in turn, each in a process of its own, on a copy of its corpus; and what is added to a corpus."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .replay import kept
from .target import Target
from .words import all_words

ROOT: Final = Path(__file__).resolve().parents[2]
SCRIPT: Final = "workbench/run_fuzzers.py"
#: Where the inputs, the logs and the copies of the corpora are.
FOLDER: Final = ROOT / "build" / "fuzzers"
HEADING: Final = f"{'target':<12} {'inputs':>8} {'a second':>8} {'corpus':>8} {'with new':>8} {'edges':>8}"
#: What libFuzzer prints at the end, and when it saves an input that failed.
_DONE: Final = re.compile(r"^#(\d+)\s+DONE\s+cov: (\d+) .*corp: (\d+)/", re.MULTILINE)
_SECONDS: Final = re.compile(r"^Done \d+ runs in (\d+) second", re.MULTILINE)
_SAVED: Final = re.compile(r"Test unit written to (\S+)")
_EXCEPTION: Final = "=== Uncaught Python exception: ==="
#: So many lines of a log are shown of a failure.
_SHOWN: Final = 30


@dataclass(frozen=True, slots=True)
class Limits:
    """How long fuzzers run: so many seconds together, or so many inputs of the slowest; and the seed."""

    seed: int
    seconds: float = 0
    inputs: int = 0

    def options(self, target: Target, targets: int) -> list[str]:
        """Return the limits of one of several targets, as options of libFuzzer."""
        limit = f"-runs={self.inputs * target.pace}" if self.inputs else f"-max_total_time={self.seconds / targets:.0f}"
        return [limit, f"-seed={self.seed}"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a target ended: a row of the table; and if it failed, the end of the log, and the input if one was saved."""

    row: str
    log: str = ""
    saved: Path | None = None

    @property
    def failed(self) -> bool:
        """Whether a defect was found, or the fuzzer itself failed."""
        return bool(self.log)


@dataclass(frozen=True, slots=True)
class Campaign:
    """A run of fuzzers, with the folder of what they find."""

    folder: Path = FOLDER

    def run(self, target: Target, options: Sequence[str]) -> Outcome:
        """Run one target on a copy of its corpus, and return how it ended."""
        copy = _empty(self.folder / target.name)
        for path in kept(target):
            shutil.copy(path, copy)
        code, log = self._start(target, [f"-artifact_prefix={self.folder / target.name}-", *options, str(copy)])
        return _outcome(target, code, log)

    def keep(self, target: Target, folders: Sequence[Path]) -> tuple[int, int]:
        """Keep in the corpus the fewest inputs that reach all that it and some folders reach; return how many inputs
        there were before, and how many there are."""
        before, merged = kept(target), _empty(self.folder / f"{target.name}-merged")
        # Without counters, an input is kept if it reaches new code, and not if it only reaches it more often.
        code, log = self._start(target, ["-merge=1", "-use_counters=0", *map(str, (merged, target.corpus, *folders))])
        found = sorted(merged.iterdir())
        if code or not found:
            raise RuntimeError(f"the inputs could not be merged:\n{_end(log)}")
        for path in before:
            path.unlink()
        for path in found:
            shutil.copy(path, target.corpus)
        return len(before), len(found)

    def _start(self, target: Target, arguments: Sequence[str]) -> tuple[int, str]:
        """Run a target with arguments of libFuzzer; return its exit code, and what it printed, which a file has too."""
        dictionary, path = self.folder / "words.dict", self.folder / f"{target.name}.log"
        dictionary.write_text(all_words().dictionary, "utf-8")
        command = [sys.executable, SCRIPT, "one", target.name, f"-dict={dictionary}", *arguments]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}  # with the same seed, sets have the same order
        with path.open("wb") as log:
            done = subprocess.run(command, cwd=ROOT, env=environment, stdout=log, stderr=log, check=False)
        return done.returncode, path.read_text("utf-8", "replace")


def _empty(folder: Path) -> Path:
    """Make an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _outcome(target: Target, code: int, log: str) -> Outcome:
    done, seconds, saved = _DONE.search(log), _SECONDS.search(log), _SAVED.search(log)
    if code or not done or saved:
        return Outcome(f"{target.name:<12}   failed", _end(log), Path(saved[1]) if saved else None)
    inputs, edges, corpus = map(int, done.groups())
    speed = inputs // max(1, int(seconds[1]) if seconds else 1)
    return Outcome(f"{target.name:<12} {inputs:>8} {speed:>8} {len(kept(target)):>8} {corpus:>8} {edges:>8}")


def _end(log: str) -> str:
    """Return the exception in a log, or its last lines."""
    return "\n".join(log[max(0, log.find(_EXCEPTION)) :].strip().splitlines()[-_SHOWN:])


def repeat_command(target: Target, saved: Path) -> str:
    """Return the command that runs a saved input again."""
    shown = saved.relative_to(ROOT) if saved.is_relative_to(ROOT) else saved
    return shlex.join(["python", SCRIPT, "repeat", target.name, str(shown)])
