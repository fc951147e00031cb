"""A command is run in its folder with a fault, and what it has printed, written and left behind is returned."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import uuid4

from fault_injection.commands import CACHE, RECORD, Command, write_small_spec
from fault_injection.shim import NOTHING, Counts, Fault, compile_shim, environment, read_counts
from fault_injection.talk import Answer, talk

LAUNCH: Final = Path(__file__).with_name("launch.py")
#: Seconds after which a command is taken to hang, and those in which what it has started must end after it.
HANGS, ENDS_WITHIN = 600, 60
_MARK: Final = "HOYLE_FAULT_RUN"
#: The keys of a record that the clock decides.
_TIMES: Final = frozenset({"started", "ended", "milliseconds"})

#: The content of each file in a folder, by its name there.
Contents = Mapping[str, bytes]


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, None if it hung; what it printed; the answers of a server; the files in its
    folder; its counts; and the processes that it left behind."""

    code: int | None
    output: str
    errors: str
    files: Contents
    counts: Counts
    left: tuple[int, ...] = ()
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class Workplace:
    """A folder with the shim, the small spec, and a folder `here` in which commands run."""

    folder: Path
    library: Path
    spec: Path

    @classmethod
    def made(cls, folder: Path) -> "Workplace":
        """Compile the shim and write the spec, and lock its ids."""
        place = cls(folder, compile_shim(folder), folder / "spec")
        write_small_spec(place.spec)
        place.empty()
        for _ in range(2):  # the first time adds checks, and the second time the clauses at work in them
            locked = place.run(Command("lock", ("validate", "--spec", str(place.spec), "--lock")))
            assert locked.code == 0, locked.errors
        return place

    @property
    def here(self) -> Path:
        """The folder in which commands run."""
        return self.folder / "here"

    def empty(self) -> None:
        """Empty the folder in which commands run."""
        shutil.rmtree(self.here, ignore_errors=True)
        self.here.mkdir()

    def prepare(self, command: Command) -> Contents:
        """Run what comes before a command, and return the files that it finds."""
        self.empty()
        for words in command.before:
            done = self.run(Command("before", words))
            assert done.code == 0, done.errors
        return contents(self.here)

    def restore(self, files: Contents) -> None:
        """Put files into the folder, and nothing else."""
        self.empty()
        for name, content in files.items():
            (self.here / name).parent.mkdir(parents=True, exist_ok=True)
            (self.here / name).write_bytes(content)
            (self.here / name).chmod(0o600)  # as the cache has it

    def run(self, command: Command, fault: Fault = NOTHING) -> Ended:
        """Run a command in the folder as it is."""
        mark, counts = uuid4().hex, self.folder / "counts"
        variables = os.environ | environment(self.library, fault, counts) | self._variables(fault) | {_MARK: mark}
        output, errors = self.folder / "output", self.folder / "errors"
        with output.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, str(LAUNCH), *command.words],
                cwd=self.here,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        try:
            answers = tuple(talk(process, output)) if command.serves else ()
            code = _code(process)
        finally:
            process.kill()  # also where a campaign is interrupted
        left = tuple(_left(mark))
        printed, said = (each.read_text("utf-8", "replace") for each in (output, errors))
        return Ended(code, printed, said, contents(self.here), read_counts(counts), left, answers)

    def _variables(self, fault: Fault) -> dict[str, str]:
        """Return the variables of a command, which caches bytecode in a folder of its own, but not with a fault."""
        plain = {"COLUMNS": "100", "NO_COLOR": "1", "HOYLE_NO_PROGRESS": "1", "PYTHONHASHSEED": "0"}
        bytecode = {"PYTHONPYCACHEPREFIX": str(self.folder / "bytecode")}
        cached = {"PYTHONDONTWRITEBYTECODE": "" if fault == NOTHING else "1", "HOYLE_CACHE_DIR": str(self.here / CACHE)}
        return plain | bytecode | cached


def _code(process: "subprocess.Popen[bytes]") -> int | None:
    """Return the exit code of a process; None if it hangs, and then it is ended."""
    try:
        return process.wait(HANGS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def _left(mark: str) -> Iterator[int]:
    """Yield the processes that a command has started and that do not end after it, and end them."""
    until = time.monotonic() + ENDS_WITHIN
    while (left := list(_marked(mark))) and time.monotonic() < until:
        time.sleep(0.01)
    for each in left:
        os.kill(each, signal.SIGKILL)
        yield each


def _marked(mark: str) -> Iterator[int]:
    """Yield the living processes whose environment has a mark."""
    wanted = f"{_MARK}={mark}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            variables = (process / "environ").read_bytes()
        except OSError:  # it has ended, or belongs to somebody else
            continue
        if wanted in variables:
            yield int(process.name)


def contents(folder: Path) -> Contents:
    """Return the content of every file below a folder."""
    paths = (each for each in sorted(folder.rglob("*")) if each.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def timeless(files: Contents) -> Contents:
    """Return files with a record without what the clock has put into it, except in a line that was cut off."""
    record = {RECORD: b"\n".join(map(_timeless_line, files[RECORD].split(b"\n")))} if RECORD in files else {}
    return {**files, **record}


def _timeless_line(line: bytes) -> bytes:
    try:
        data = json.loads(line)
    except ValueError:
        return line
    return json.dumps({key: each for key, each in data.items() if key not in _TIMES}).encode()
