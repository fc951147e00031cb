"""An adapter that misuses the rights of its user, to test the sandbox with: ``python hostile.py``.

It reads one message, ``{"does": NAME, …}``, does what its name says, and writes one message with what came of it. It
needs nothing of Hoyle, so that nothing of Hoyle can hold it back.
"""

import ctypes
import errno
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206
NEW_MOUNTS, NEW_USERS = 0x00020000, 0x10000000
REMOUNT_WRITABLE = 32 | 4096  # MS_REMOUNT, MS_BIND
PIECE = 4 << 20
Deed = Callable[..., Any]
DEEDS: dict[str, Deed] = {}


def deed(do: Deed) -> Deed:
    DEEDS[do.__name__.replace("_", "-")] = do
    return do


# -- network


@deed
def connects_by_tcp(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=5).close()


@deed
def connects_to_a_unix_socket(name: str) -> None:
    socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect(name)


# -- files


@deed
def writes_a_file(path: str) -> None:
    Path(path).write_text("changed")


@deed
def writes_by_a_link(path: str) -> None:
    link = Path(os.environ["TMPDIR"]) / f"link-{os.getpid()}"
    link.symlink_to(path)
    writes_a_file(str(link))


@deed
def writes_by_the_process_folder(path: str) -> None:
    """By the name that a file has among those that a process has open."""
    with Path(path).open("rb") as file:
        writes_a_file(f"/proc/self/fd/{file.fileno()}")


@deed
def writes_after_a_new_mount(path: str) -> None:
    """In a namespace of its own, where mounts can be changed."""
    if LIBC.unshare(NEW_USERS | NEW_MOUNTS) or LIBC.mount(b"none", b"/", b"", REMOUNT_WRITABLE, b""):
        fail()
    writes_a_file(path)


@deed
def removes_a_file(path: str) -> None:
    Path(path).unlink()


@deed
def writes_back_a_setting_of_the_kernel(path: str) -> None:
    """What it has read, so that nothing changes."""
    Path(path).write_text(Path(path).read_text())


# -- limits


@deed
def allocates_without_bound(size: int) -> int:
    return len([bytearray(b"x" * PIECE) for _ in range(size // PIECE)]) * PIECE


@deed
def burns_processor_time(seconds: float) -> float:
    while time.process_time() < seconds:
        pass
    return time.process_time()


@deed
def fills_the_temporary_folder(size: int) -> int:
    return (Path(os.environ["TMPDIR"]) / "filled").write_bytes(b"x" * size)


@deed
def opens_files_beyond_its_limit(most: int) -> int:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most + 32, hard), hard))
    return len([Path(os.devnull).open("rb") for _ in range(most)])


@deed
def raises_its_limit(which: int) -> None:
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (hard + 1, hard + 1))


# -- other processes


@deed
def ends_a_process(number: int) -> None:
    os.kill(number, signal.SIGKILL)


@deed
def traces_a_process(number: int) -> None:
    if LIBC.ptrace(PTRACE_SEIZE, number, 0, 0):
        fail()


@deed
def reads_the_memory_of_a_process(number: int) -> None:
    """Of its environment, which is kept in its memory."""
    Path(f"/proc/{number}/environ").read_bytes()


@deed
def leaves_a_daemon_behind(supervisor: int, mark: str) -> None:
    """In a session of its own; and ends who would look for it."""
    if os.fork() == 0:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        os.execvp("sleep", ["sleep", mark])  # noqa: S606 -- an intruder
    os.kill(supervisor, signal.SIGKILL)


@deed
def gets_privileges() -> list[int]:
    """How the kernel shows what this process may do."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return [int(line.split()[1], 16) for line in lines if line.startswith(("CapEff", "CapBnd", "NoNewPrivs"))]


def fail() -> None:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))


def main() -> None:
    message = json.loads(sys.stdin.readline())
    try:
        answer = {"came": DEEDS[message.pop("does")](**message)}
    except (OSError, MemoryError, ValueError) as error:
        name = errno.errorcode.get(getattr(error, "errno", None) or 0, type(error).__name__)
        answer = {"error": name}
    print(json.dumps(answer), flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
