"""The sandbox holds hostile adapters; without it, each of them does what it wants."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import need_sandbox, until
from hoyle_conformance.protocol import sandbox
from hoyle_conformance.protocol.messages import ProtocolError
from hoyle_conformance.protocol.process import Process

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="only there is a sandbox")]

HOSTILE = [sys.executable, str(Path(__file__).with_name("hostile.py"))]
MIB = 1 << 20
WAITS = 30  # seconds
#: Small enough for a test, and large enough for Python.
LIMITS = {"data": 160 * MIB, "cpu": 1, "nofile": 64, "nproc": 24, "core": 0}
Answer = dict[str, Any]
Does = Callable[..., Answer]


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "LIMITS", LIMITS)
    monkeypatch.setattr(sandbox, "FOLDER_SIZE", 8 * MIB)


@pytest.fixture
def in_a_sandbox() -> None:
    need_sandbox()


@pytest.fixture(params=[False, True], ids=["free", "held"])
def held(request: pytest.FixtureRequest) -> bool:
    if request.param:
        request.getfixturevalue("in_a_sandbox")
    return bool(request.param)


@pytest.fixture
def started(held: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # that of an adapter without a sandbox
    process = Process(HOSTILE, WAITS, lambda _line: None, sandbox=held)
    yield process
    process.kill()


@pytest.fixture
def does(started: Process) -> Does:
    """Has the adapter do something, and returns its answer; the fault, where there is none."""

    def ask(name: str, /, **more: Any) -> Answer:
        try:
            answer: Answer = started.ask({"does": name, **more})
        except ProtocolError as fault:
            return {"error": fault.detail}
        return answer

    return ask


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder that the adapter sees."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


# -- network


def test_it_does_not_connect_by_tcp(does: Does, held: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert ("error" in does("connects-by-tcp", port=server.getsockname()[1])) is held


@pytest.mark.parametrize("begins", ["/tmp/", "\0"])  # noqa: S108 -- it is they that are hidden
def test_it_reaches_no_socket_of_another_program(does: Does, held: bool, begins: str) -> None:
    name = f"{begins}hoyle-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(name)
        server.listen()
        assert ("error" in does("connects-to-a-unix-socket", name=name)) is held
    if begins != "\0":
        Path(name).unlink()


# -- files


@pytest.mark.parametrize(
    "change", ["writes-by-a-link", "writes-by-the-process-folder", "writes-after-a-new-mount", "removes-a-file"]
)
def test_it_changes_no_file(does: Does, held: bool, outside: Path, change: str) -> None:
    file = outside / "file"
    file.write_text("as it was")

    def seen() -> object:
        return [(each.name, each.stat().st_mode, each.is_file() and each.stat().st_mtime) for each in outside.iterdir()]

    before, answer = seen(), does(change, path=str(file))
    if not held and answer == {"error": "EPERM"} and change == "writes-after-a-new-mount":
        pytest.skip("this system allows no new namespaces")
    assert ("error" in answer) is held
    assert (seen() == before) is held


def test_it_changes_no_setting_of_the_kernel(does: Does, held: bool) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can change them without a sandbox")
    assert ("error" in does("writes-back-a-setting-of-the-kernel", path="/proc/sys/kernel/core_pattern")) is held


@pytest.mark.usefixtures("in_a_sandbox")
def test_of_folders_with_temporary_files_it_sees_its_own_alone() -> None:
    script = 'read x; ls . .. "$HOME" > "$TMPDIR/seen"; echo "\\"$(pwd) $(cat /tmp/seen | tr "\\n" " ")\\""; read y'
    with tempfile.TemporaryDirectory(dir="/tmp") as above:
        folder = Path(above, "here")
        folder.mkdir()
        (folder / "mine").touch()
        Path(above, "not-mine").touch()
        process = Process(["sh", "-c", script], WAITS, lambda _line: None, folder, sandbox=True)
        said = process.ask({})
        assert said.split()[0] == str(folder)
        assert "mine" in said.split()
        assert "not-mine" not in said
        assert process.close() is None
        assert not Path("/tmp/seen").exists()  # noqa: S108 -- likewise


@pytest.mark.usefixtures("in_a_sandbox")
def test_it_does_not_know_the_sockets_of_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, "secret")
    process = Process(["sh", "-c", "read x; echo $(env | grep -c secret)"], WAITS, lambda _line: None, sandbox=True)
    assert process.ask({}) == 0
    process.kill()


# -- limits


def test_it_allocates_within_bounds(does: Does, held: bool) -> None:
    assert does("allocates-without-bound", size=320 * MIB) == (
        {"error": "MemoryError"} if held else {"came": 320 * MIB}
    )


def test_its_processor_time_ends(does: Does, held: bool) -> None:
    answer = does("burns-processor-time", seconds=2.5)
    assert answer["error"].startswith("killed by signal 9") if held else answer["came"] >= 2.5


def test_its_temporary_folder_has_a_limit(does: Does, held: bool) -> None:
    assert does("fills-the-temporary-folder", size=32 * MIB) == ({"error": "ENOSPC"} if held else {"came": 32 * MIB})


def test_it_opens_files_within_bounds(does: Does, held: bool) -> None:
    assert does("opens-files-beyond-its-limit", most=200) == ({"error": "EMFILE"} if held else {"came": 200})


@pytest.mark.usefixtures("in_a_sandbox")
@pytest.mark.parametrize("name", ["data", "cpu"])
def test_it_does_not_raise_its_limits(name: str) -> None:
    import resource

    process = Process(HOSTILE, WAITS, lambda _line: None, sandbox=True)
    which = getattr(resource, f"RLIMIT_{name.upper()}")
    assert process.ask({"does": "raises-its-limit", "which": which}) in ({"error": "EPERM"}, {"error": "ValueError"})
    process.kill()


def test_it_starts_processes_within_bounds(held: bool) -> None:
    """As a user who is not root, whom Linux sets no such limit."""
    command = ["sh", "-c", "for i in $(seq 60); do sleep 5 & done; echo started"]
    words = [*sandbox.sandboxed(command, Path("/"))] if held else command
    if os.geteuid() == 0:
        words = ["setpriv", "--reuid", "65534", "--clear-groups", *words]
    done = subprocess.run(words, capture_output=True, cwd="/", text=True, timeout=WAITS, check=False)
    assert ("started" not in done.stdout) is held, done.stderr


# -- other processes


@pytest.fixture
def stranger() -> Iterator["subprocess.Popen[bytes]"]:
    """A process of the same user, outside."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("how", ["ends-a-process", "traces-a-process", "reads-the-memory-of-a-process"])
def test_it_does_nothing_to_other_processes(
    stranger: "subprocess.Popen[bytes]", does: Does, held: bool, how: str
) -> None:
    answer = does(how, number=stranger.pid)  # who traces is ended before it
    assert ("error" in answer) is held
    if how == "ends-a-process":
        assert (stranger.poll() is None) is held or stranger.wait(WAITS) == -signal.SIGKILL


def test_it_leaves_no_daemon_behind(does: Does, held: bool, started: Process) -> None:
    """Without a sandbox it ends its supervisor, and then nobody finds the daemon."""
    mark = f"598.{started._child.pid}"
    does("leaves-a-daemon-behind", supervisor=started._child.pid, mark=mark)
    started.kill()
    if held:
        until(lambda: not running(mark))
    else:
        until(lambda: running(mark))
        for number in running(mark):
            os.kill(number, signal.SIGKILL)


def running(mark: str) -> list[int]:
    """The processes that were started with this word."""
    done = subprocess.run(["pgrep", "-f", f"^sleep {mark}$"], capture_output=True, check=False)
    return list(map(int, done.stdout.split()))


def test_it_has_no_privileges(does: Does, held: bool) -> None:
    effective, _bound, no_new = does("gets-privileges")["came"]
    assert no_new == held
    assert effective == 0 or not held


# -- what is not hostile


@pytest.mark.usefixtures("in_a_sandbox")
@pytest.mark.parametrize(
    ("script", "message"), [("exit 200", "exit code 200"), ("kill -SEGV $$", "killed by signal 11")]
)
def test_how_it_has_ended_is_told_as_without_a_sandbox(script: str, message: str) -> None:
    process = Process(["sh", "-c", f"read x; {script}"], WAITS, lambda _line: None, sandbox=True)
    with pytest.raises(ProtocolError, match=message):
        process.ask({})
    process.kill()


def test_a_command_that_cannot_be_started_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ProtocolError, match="permission denied") as told:
        Process(["./file"], WAITS, lambda _line: None, tmp_path, sandbox=True)
    assert told.value.code == "cannot-start"


# -- where there is none


def test_elsewhere_than_on_linux_a_container_is_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "freebsd14")
    assert "only on Linux: run the adapter in a container" in sandbox.problem()


def test_where_a_program_is_missing_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "prlimit" else f"/usr/bin/{name}")
    assert "install them, for example with 'apt install bubblewrap util-linux'" in sandbox.problem()


def test_where_bubblewrap_does_not_work_the_reason_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("bwrap", "prlimit"):
        (tmp_path / name).write_text("#!/bin/sh\necho no namespaces >&2; exit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert "bubblewrap does not work here (no namespaces): allow it to create user namespaces" in sandbox.problem()
