"""Child processes: how they are started and ended, on Windows too, as far as its part can be replaced."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import HANGS
from hoyle_conformance.system import processes

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
