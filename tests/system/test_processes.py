"""Child processes: how they are started and ended, on Windows too, as far as its part can be replaced."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import HANGS, until
from hoyle_conformance.system import processes
from hoyle_conformance.system import processes as signals
from hoyle_conformance.system.processes import (
    how_to_make_executable,
    is_executable,
    join_command,
    program_ending,
    split_command,
)

#: The system's own program, not one of this name in the working folder, where Windows looks first.
TASKKILL = r"D:\WinNT\System32\taskkill.exe"
SLEEP = [sys.executable, "-c", "import time; print(flush=True); time.sleep(900)"]


@pytest.fixture
def sleeping() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(SLEEP, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_a_process_ends_if_it_is_asked(sleeping: "subprocess.Popen[bytes]") -> None:
    processes.ask_to_end(sleeping.pid)
    assert sleeping.wait(HANGS) != 0
    processes.ask_to_end(sleeping.pid)  # nothing happens


@pytest.mark.posix
def test_a_process_that_is_stopped_ends_when_it_is_resumed(sleeping: "subprocess.Popen[bytes]") -> None:
    os.kill(sleeping.pid, signal.SIGSTOP)
    os.waitpid(sleeping.pid, os.WUNTRACED)
    processes.ask_to_end(sleeping.pid)
    processes.resume(sleeping.pid)
    assert sleeping.wait(HANGS) == -signal.SIGTERM


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that are run, of which there is none here, on what looks like Windows."""
    commands: list[list[str]] = []

    def run(command: list[str], **_options: Any) -> None:
        commands.append(command)
        raise FileNotFoundError(command[0])

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("SYSTEMROOT", r"D:\WinNT")
    monkeypatch.setattr(sys, "platform", "win32")
    return commands


def test_windows_ends_a_process_with_what_it_has_started(
    ran: list[list[str]], sleeping: "subprocess.Popen[bytes]"
) -> None:
    processes.ask_to_end(sleeping.pid)
    assert ran == [[TASKKILL, "/T", "/F", "/PID", str(sleeping.pid)]]
    assert sleeping.wait(HANGS) != 0


class Child:
    """A process, as far as it is ended."""

    pid = 4711

    def __init__(self, code: int | None) -> None:
        self.code, self.killed = code, False

    def poll(self) -> int | None:
        return self.code

    def kill(self) -> None:
        self.killed = True


@pytest.mark.parametrize(("code", "asked"), [(None, True), (0, False)])
def test_windows_ends_what_an_adapter_has_started_unless_the_adapter_has_ended(
    ran: list[list[str]], code: int | None, asked: bool
) -> None:
    child = Child(code)
    processes._end_tree_of(child)  # type: ignore[arg-type] -- as much of a process as is used
    assert ran == ([[TASKKILL, "/T", "/F", "/PID", "4711"]] if asked else [])
    assert child.killed


def test_windows_starts_a_command_in_a_group_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So Ctrl-C reaches Hoyle alone; and a program goes by its whole name, which may end with .cmd."""
    started: list[tuple[list[str], dict[str, Any]]] = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(processes, "which", {"npx": r"C:\node\npx.CMD"}.get)
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **options: started.append((command, options)))
    for command in (["npx", "tsx", "a.ts"], ["./engine"]):
        processes.start(command, None, "supervisor.py")
    assert [command for command, _ in started] == [[r"C:\node\npx.CMD", "tsx", "a.ts"], ["./engine"]]
    assert {options["creationflags"] for _, options in started} == {512}


def test_without_a_supervisor_a_process_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    child, end = processes.start(SLEEP, None, "supervisor.py")
    with child:
        end()
        assert child.wait(HANGS) != 0


LINES = {
    r"C:\Python\python.exe adapter.py": (r"C:\Python\python.exe", "adapter.py"),
    r'"C:\Program Files\nodejs\node.exe" a.js --name "my engine"': (
        r"C:\Program Files\nodejs\node.exe",
        "a.js",
        "--name",
        "my engine",
    ),
    'engine --name="my engine"': ("engine", "--name=my engine"),
    " \t": (),
}


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.posix
def test_a_command_line_is_read_as_a_shell_of_unix_does() -> None:
    assert split_command("python 'my adapter.py' a\\ b") == ("python", "my adapter.py", "a b")
    assert join_command(["python", "my adapter.py", "$x"]) == "python 'my adapter.py' '$x'"
    with pytest.raises(ValueError, match="closing"):
        split_command("python 'my")


@pytest.mark.usefixtures("windows")
def test_a_command_line_is_read_as_windows_does() -> None:
    for line, words in LINES.items():
        assert split_command(line) == words
        assert split_command(join_command(words)) == words
    with pytest.raises(ValueError, match="closing"):
        split_command('python "my')
    assert join_command(["python", "my adapter.py"]) == 'python "my adapter.py"'


@pytest.mark.posix
def test_a_file_may_be_run_if_its_permissions_say_so(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    path.touch(0o600)
    assert not is_executable(path)
    path.chmod(0o700)
    assert is_executable(path)
    assert how_to_make_executable("./engine") == "chmod +x ./engine"
    assert program_ending() == ""


@pytest.mark.usefixtures("windows")
def test_windows_runs_a_file_if_its_name_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHEXT", ".COM;.EXE;.CMD;")
    named = {name: is_executable(Path(name)) for name in ("engine", "engine.exe", "ENGINE.CMD", "engine.py", "a.b")}
    assert named == {"engine": False, "engine.exe": True, "ENGINE.CMD": True, "engine.py": False, "a.b": False}
    assert how_to_make_executable("engine") == "give it a name that ends with .exe"


either = pytest.mark.parametrize("system", [sys.platform, "win32"])


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_every_system_can_be_asked_to_end() -> None:
    assert {signal.SIGINT, signal.SIGTERM} < set(signals.ENDING)


class Rang(Exception):
    """The alarm rang."""


def ring() -> None:
    raise Rang


def unnoted() -> None:
    pass


@either
def test_an_alarm_breaks_off_what_is_waited_for(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    before = signal.getsignal(signal.SIGINT)
    noted: list[str] = []
    with pytest.raises(Rang), signals.alarm(0.01, lambda: noted.append("noted"), ring):
        until(lambda: False)
    assert noted == ["noted"]
    assert signal.getsignal(signal.SIGINT) is before


@either
def test_an_alarm_does_not_ring_after_the_end(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyError), signals.alarm(900, unnoted, ring):
        raise KeyError
    assert signal.getsignal(signal.SIGINT) is before


def test_while_a_timer_runs_ctrl_c_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _frame: taken.append(number))
    monkeypatch.setattr(sys, "platform", "win32")
    with signals.alarm(900, unnoted, ring):
        signal.raise_signal(signal.SIGINT)
    assert taken == [signal.SIGINT]


def test_windows_ends_by_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("that ends it without a word"))
    signals.end_by(signal.SIGTERM)
