"""However Hoyle ends, its adapters end, what was measured is recorded and reported once, and the exit code says how."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from conftest import HANGS, ROOT
from hoyle_conformance.protocol.faults import Fault
from hoyle_conformance.protocol.process import Process
from hoyle_conformance.run.results import Exit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only there orphans are found")

HOYLE = [sys.executable, "-m", "hoyle_conformance"]
READY = json.dumps(
    {
        "type": "ready",
        "protocol": 1,
        "name": "a shell",
        "version": "1",
        "language": "sh",
        "rulesets": ["bezique-hoyle"],
        "claims": ["winner", "census"],
        "position": "any",
    }
)
#: What an adapter does at the beginning: its number is the name of a file in the folder here, and it says hello.
BEGIN = f"""echo > $here/$$; read hello; echo '{READY}'; read run"""


def until(what: Callable[[], object]) -> None:
    """Wait for something that must come."""
    end = time.monotonic() + HANGS
    while not what():
        assert time.monotonic() < end
        time.sleep(0.01)


def alive(number: int) -> bool:
    """Whether a process is there, and is not one that has ended and waits for its parent to notice."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    try:
        return not status.is_file() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Here:
    """A folder in which adapters leave their numbers."""

    def __init__(self, path: Path) -> None:
        self.path = path / "here"
        self.path.mkdir()

    @property
    def numbers(self) -> list[int]:
        return [int(path.name) for path in self.path.iterdir() if path.name.isdigit()]

    def has(self, count: int) -> Callable[[], bool]:
        """Whether there are so many."""
        return lambda: len(self.numbers) == count

    def empty(self) -> bool:
        """Whether none of them is alive."""
        return not any(map(alive, self.numbers))

    def shell(self, script: str) -> list[str]:
        """The command of an adapter."""
        return ["sh", "-c", f"here={self.path}; {script}"]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    folder = Here(tmp_path)
    yield folder
    for number in folder.numbers:
        if alive(number):
            os.kill(number, signal.SIGKILL)


@pytest.fixture
def talk(here: Here) -> Iterator[Callable[[str], Process]]:
    started: list[Process] = []

    def start(script: str) -> Process:
        started.append(Process(here.shell(script), HANGS, lambda _line: None))
        return started[-1]

    yield start
    for each in started:
        each.kill()


def running(*words: str, adapter: Sequence[str], **more: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*HOYLE, *words, "--timeout", str(HANGS), "--", *adapter],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **more,  # type: ignore[call-overload]
    )


# -- what an adapter has started ends with it


ORPHANS = {
    "a child": "sleep 900 & echo > $here/$!",
    "a child in a session of its own": "setsid sh -c 'echo > $0/$$; exec sleep 900' $here &",
    "an orphan in a session of its own": "(setsid sh -c 'echo > $0/$$; trap \"\" TERM HUP; exec sleep 900' $here &) &",
    "one that is stopped": "setsid sh -c 'echo > $0/$$; kill -STOP $$' $here &",
}


@linux
@pytest.mark.parametrize("left", ORPHANS.values(), ids=ORPHANS)
@pytest.mark.parametrize(
    "ending", ["exit", "kill -SEGV $$", "kill -STOP $$", "trap '' TERM HUP; while :; do sleep 900; done"]
)
def test_what_an_adapter_has_started_ends_with_it(
    talk: Callable[[str], Process], here: Here, left: str, ending: str
) -> None:
    process = talk(f"{left}\nread hello; echo '{{}}'; {ending}")
    until(here.has(1))
    assert process.ask({}) == {}
    process.kill()
    assert here.empty()


@linux
def test_where_it_has_ended_by_itself_what_it_leaves_behind_ends_too(
    talk: Callable[[str], Process], here: Here
) -> None:
    process = talk(f"{ORPHANS['an orphan in a session of its own']} read hello; exit 7")
    until(here.has(1))
    with pytest.raises(Fault, match="exit code 7"):
        process.ask({})
    until(here.empty)


@pytest.mark.parametrize(
    ("script", "message"),
    [("exit 7", "exit code 7"), ("kill -KILL $$", "killed by signal 9"), ("kill -SEGV $$", "killed by signal 11")],
)
def test_how_an_adapter_has_ended_is_told(talk: Callable[[str], Process], script: str, message: str) -> None:
    with pytest.raises(Fault, match=message) as told:
        talk(f"read hello; {script}").ask({})
    assert told.value.code == "crashed"


def test_an_adapter_that_closes_its_output_has_closed_it(talk: Callable[[str], Process]) -> None:
    with pytest.raises(Fault, match="it closed its output"):
        talk("read hello; exec >&-; read forever").ask({})


@pytest.mark.parametrize(
    ("mode", "why"), [(0o600, "permission denied"), (0o700, "exec format error"), (0, "no such file")]
)
def test_a_command_that_cannot_be_started_is_told_at_once(tmp_path: Path, mode: int, why: str) -> None:
    command = tmp_path / "command"
    if mode:
        command.write_bytes(b"\0")
        command.chmod(mode)
    with pytest.raises(Fault, match=why) as told:
        Process([str(command)], HANGS, lambda _line: None)
    assert told.value.code == "cannot-start"


@linux
def test_an_adapter_is_started_with_signals_as_they_are(talk: Callable[[str], Process]) -> None:
    own = Path("/proc/self/status").read_text()
    process = talk("exec grep -E 'Sig(Blk|Ign)' /proc/self/status")
    process._readers[0].join(HANGS)
    seen = process._lines.get().decode() + process._lines.get().decode()
    assert "SigBlk:\t0000000000000000" in seen
    ignored = {line.split()[0]: int(line.split()[1], 16) for line in own.splitlines() if line.startswith("SigIgn")}
    for name in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these, and no adapter inherits that
        ignored["SigIgn:"] &= ~(1 << (name - 1))
    assert f"SigIgn:\t{ignored['SigIgn:']:016x}" in seen


@linux
def test_an_adapter_that_ends_its_supervisor_ends_with_it(talk: Callable[[str], Process], here: Here) -> None:
    process = talk("echo > $here/$$; read hello; kill -KILL $PPID; exec sleep 900")
    with pytest.raises(Fault, match="killed by signal 9"):
        process.ask({})
    until(here.empty)


@linux
def test_an_adapter_that_stops_its_supervisor_is_ended(talk: Callable[[str], Process], here: Here) -> None:
    process = talk("echo > $here/$$; read hello; kill -STOP $PPID; echo '{}'; exec sleep 900")
    assert process.ask({}) == {}
    process.kill()
    assert here.empty()
