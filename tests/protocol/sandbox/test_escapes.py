"""Hostile adapters are held by the sandbox, whatever it is made of; without one, each of them does what it wants."""

import errno
import os
import platform
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import until
from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.process import Process
from hoyle_conformance.protocol.sandbox.protections import Protection, Sandbox, SandboxLimits
from protocol.sandbox.sandboxes import MEANS, sandbox_of, skip_without

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="only there are sandboxes")]

HOSTILE = [sys.executable, str(Path(__file__).with_name("hostile.py"))]
MIB = 1 << 20
WAITS = 30  # seconds
#: Small enough for a test, and large enough for Python.
LIMITS = SandboxLimits(memory=160 * MIB, folder=8 * MIB, processor=1, files=64, processes=24)
ANSWER = Any
Does = Callable[..., ANSWER]


@pytest.fixture(params=["none", *MEANS])
def sandbox(request: pytest.FixtureRequest) -> Sandbox | None:
    return None if request.param == "none" else sandbox_of(request.param, LIMITS)


@pytest.fixture
def started(sandbox: Sandbox | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # that of an adapter without a sandbox
    process = Process(HOSTILE, WAITS, lambda _line: None, sandbox=sandbox)
    yield process
    process.kill()


@pytest.fixture
def does(started: Process) -> Does:
    """Has the adapter do something, and returns its answer; the fault, where there is none."""

    def ask(name: str, /, **more: Any) -> ANSWER:
        try:
            return started.ask({"does": name, **more})
        except ProtocolError as fault:
            return {"ended": fault.detail, "why": fault.stderr}

    return ask


# -- network


def test_it_does_not_connect_by_tcp(does: Does, sandbox: Sandbox | None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        answer = does("connects-by-tcp", port=server.getsockname()[1])
        assert ("came" in answer) is (sandbox is None)
        if sandbox:
            with pytest.raises(TimeoutError):
                server.accept()
        else:
            connection, _ = server.accept()
            assert connection.recv(10) == b"secret"
            connection.close()


def test_it_does_not_send_by_udp(does: Does, sandbox: Sandbox | None) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(0.2)
        does("sends-by-udp", port=server.getsockname()[1])
        if sandbox:
            with pytest.raises(TimeoutError):
                server.recv(10)
        else:
            assert server.recv(10) == b"secret"


@pytest.mark.parametrize("abstract", [False, True], ids=["with a path", "abstract"])
def test_it_does_not_connect_to_a_unix_socket(
    does: Does, sandbox: Sandbox | None, tmp_path: Path, abstract: bool
) -> None:
    name = f"hoyle-{os.getpid()}" if abstract else str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(f"\0{name}" if abstract else name)
        server.listen()
        server.settimeout(0.2)
        if abstract:
            answer = does("connects-to-an-abstract-socket", name=name)
        else:
            answer = does("connects-to-a-unix-socket", path=name)
        assert answer == ({"error": "EACCES"} if sandbox else {"came": None})
        if sandbox:
            with pytest.raises(TimeoutError):
                server.accept()
        else:
            server.accept()[0].close()


def test_a_pair_of_sockets_does_not_send_to_others(does: Does, sandbox: Sandbox | None, tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(path)
        server.settimeout(0.2)
        assert does("sends-from-a-pair-to-a-unix-socket", path=path) == (
            {"error": "EACCES"} if sandbox else {"came": None}
        )
        if not sandbox:
            assert server.recv(10) == b"secret"


# -- files

CHANGES = [
    "writes-a-file",
    "writes-by-a-link",
    "writes-by-the-process-folder",
    "truncates-a-file",
    "removes-a-file",
    "renames-a-file",
    "changes-the-mode",
    "changes-the-times",
    "makes-a-folder",
    "writes-after-a-new-mount",
]


@pytest.mark.parametrize("change", CHANGES)
def test_it_changes_no_file(does: Does, sandbox: Sandbox | None, tmp_path: Path, change: str) -> None:
    skip_without(sandbox, Protection.FILES)
    file = tmp_path / "home" / "file"
    file.parent.mkdir()
    file.write_text("as it was")

    def seen() -> object:
        status = file.stat() if file.exists() else None
        text = file.read_text() if status and status.st_mode & 0o400 else ""
        return status and (status.st_mode, status.st_mtime), text, sorted(path.name for path in file.parent.iterdir())

    before, answer = seen(), does(change, path=str(file))
    if sandbox is None and answer == {"error": "EPERM"} and change == "writes-after-a-new-mount":
        pytest.skip("this system allows no new namespaces")
    assert (seen() == before) is (sandbox is not None), answer
    assert ("error" in answer) is (sandbox is not None)


@pytest.mark.parametrize("place", ["home", "suite"])
def test_it_writes_no_new_file(does: Does, sandbox: Sandbox | None, tmp_path: Path, place: str) -> None:
    skip_without(sandbox, Protection.FILES)
    path = tmp_path / place
    answer = does("writes-a-file", path=str(path))
    assert path.exists() is (sandbox is None), answer


# -- limits


def test_it_forks_within_bounds(does: Does, sandbox: Sandbox | None) -> None:
    skip_without(sandbox, Protection.PROCESSES)
    answer = does("forks-without-bound", most=60)
    assert (answer == {"came": 60}) is (sandbox is None), answer
    if sandbox and "why" in answer:
        assert "processes and threads, more than 24" in answer["why"]


def test_threads_count_as_processes(does: Does, sandbox: Sandbox | None) -> None:
    skip_without(sandbox, Protection.PROCESSES)
    answer = does("starts-threads-without-bound", most=60)
    assert (answer == {"came": 60}) is (sandbox is None), answer


@pytest.mark.parametrize(
    "how",
    [
        "allocates-without-bound",
        "allocates-shared-memory",
        "allocates-in-files-of-memory",
        "allocates-in-many-processes",
    ],
)
def test_it_allocates_within_bounds(does: Does, sandbox: Sandbox | None, how: str) -> None:
    size = 320 * MIB
    answer = does(how, size=size)
    assert (answer == {"came": size}) is (sandbox is None), answer


@pytest.mark.parametrize("how", ["burns-processor-time", "burns-time-in-children"])
def test_its_processor_time_ends(does: Does, sandbox: Sandbox | None, how: str) -> None:
    answer = does(how, seconds=2.5)
    if sandbox is None:
        assert answer["came"] >= 2.5
    else:
        assert answer["ended"] == "killed by signal 9"
        assert "more than 1 seconds of processor time" in answer["why"]


@pytest.mark.parametrize("how", ["fills-the-temporary-folder", "fills-it-with-many-files"])
def test_its_temporary_folder_has_a_limit(does: Does, sandbox: Sandbox | None, how: str) -> None:
    answer = does(how, size=32 * MIB)
    assert (answer == {"came": 32 * MIB}) is (sandbox is None), answer


def test_it_opens_files_within_bounds(does: Does, sandbox: Sandbox | None) -> None:
    answer = does("opens-files-beyond-its-limit", most=200)
    assert answer == ({"error": "EMFILE"} if sandbox else {"came": 200})


@pytest.mark.parametrize("name", ["RLIMIT_DATA", "RLIMIT_CPU", "RLIMIT_NOFILE", "RLIMIT_CORE"])
def test_it_does_not_raise_its_limits(does: Does, sandbox: Sandbox | None, name: str) -> None:
    import resource

    which = getattr(resource, name)
    if sandbox:
        assert does("raises-its-limits", which=which) in ({"error": "EPERM"}, {"error": "ValueError"})
    elif os.geteuid() == 0 and name != "RLIMIT_NOFILE":
        assert "came" in does("raises-its-limits", which=which)


# -- other processes


@pytest.fixture
def stranger() -> Iterator["subprocess.Popen[bytes]"]:
    """A process of the same user, outside."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def test_it_does_not_end_other_processes(
    does: Does, sandbox: Sandbox | None, stranger: "subprocess.Popen[bytes]"
) -> None:
    skip_without(sandbox, Protection.SIGNALS)
    answer = does("ends-a-process", number=stranger.pid)
    if sandbox:
        assert answer in ({"error": "EPERM"}, {"error": "ESRCH"})
        assert stranger.poll() is None
    else:
        assert stranger.wait(WAITS) == -signal.SIGKILL


@pytest.mark.parametrize("how", ["traces-a-process", "reads-the-memory-of-a-process"])
def test_it_does_not_see_into_other_processes(
    stranger: "subprocess.Popen[bytes]", does: Does, sandbox: Sandbox | None, how: str
) -> None:
    answer = does(how, number=stranger.pid)  # who traces is ended before it
    assert ("error" in answer) is (sandbox is not None), answer


def running(mark: str) -> list[int]:
    """The processes that were started with this word."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and f"\0{mark}\0".encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def test_it_leaves_no_daemon_behind(does: Does, sandbox: Sandbox | None, started: Process) -> None:
    """Without a sandbox it ends its supervisor, and then nobody finds the daemon."""
    skip_without(sandbox, Protection.SIGNALS)
    mark = f"598.{started._child.pid}"
    does("leaves-a-daemon-behind", supervisor=started._child.pid, mark=mark)
    started.kill()
    if sandbox:
        until(lambda: not running(mark))
    else:
        until(lambda: running(mark))
        for number in running(mark):
            os.kill(number, signal.SIGKILL)


def test_it_has_no_privileges(does: Does, sandbox: Sandbox | None) -> None:
    answer = does("gets-privileges")["came"].split()
    held = [int(answer[0], 16), int(answer[1], 16), int(answer[2])]
    if sandbox:
        assert held[2] == 1
        assert held[0] == 0
        assert held[1] == 0 or os.geteuid() != 0
    else:
        assert held[2] == 0


@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of calls")
@pytest.mark.parametrize(
    ("number", "values", "error"),
    [
        (425, [8, 0], errno.ENOSYS),  # io_uring, which opens sockets of its own
        (0x40000000 + 41, [2, 1, 0], errno.ENOSYS),  # socket, for x32
        (435, [0, 0], errno.ENOSYS),  # clone3, whose flags no filter sees
        (56, [0x10000000 | 17, 0, 0, 0, 0], errno.EPERM),  # clone with a namespace of users
        (272, [0x10000000], errno.EPERM),  # unshare, the same
    ],
)
def test_it_does_not_go_around_the_filter(
    does: Does, sandbox: Sandbox | None, number: int, values: list[int], error: int
) -> None:
    if sandbox:
        assert does("calls-the-system", number=number, values=values) == {"came": error}


# -- what is not hostile


@pytest.mark.parametrize("means", MEANS)
def test_its_home_is_a_folder_that_is_removed(means: str) -> None:
    command = ["sh", "-c", 'read x; mkdir -p "$HOME/.cache/a"; echo "\\"$HOME\\""; read y']
    process = Process(command, WAITS, lambda _line: None, sandbox=sandbox_of(means))
    home = Path(process.ask({}))
    assert home.is_dir()
    assert process.close() is None
    assert not home.exists()


ENDINGS = [("exit 7", "exit code 7"), ("kill -KILL $$", "killed by signal 9"), ("kill -SEGV $$", "killed by signal 11")]


@pytest.mark.parametrize("means", MEANS)
@pytest.mark.parametrize(("script", "message"), ENDINGS)
def test_how_it_has_ended_is_told_as_without_a_sandbox(means: str, script: str, message: str) -> None:
    process = Process(["sh", "-c", f"read x; {script}"], WAITS, lambda _line: None, sandbox=sandbox_of(means))
    with pytest.raises(ProtocolError, match=message):
        process.ask({})
    process.kill()


@pytest.mark.parametrize("means", MEANS)
def test_an_output_that_it_closes_is_closed(means: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle_conformance.protocol.process._GRACE", 0.01)
    command = ["sh", "-c", "read x; exec >&-; read forever"]
    process = Process(command, WAITS, lambda _line: None, sandbox=sandbox_of(means))
    with pytest.raises(ProtocolError, match="it closed its output"):
        process.ask({})
    process.kill()


@pytest.mark.parametrize("means", MEANS)
def test_a_command_that_cannot_be_started_is_told_at_once(means: str) -> None:
    with pytest.raises(ProtocolError, match="no such file") as told:
        Process(["no-such-command"], WAITS, lambda _line: None, sandbox=sandbox_of(means))
    assert told.value.code == "cannot-start"
