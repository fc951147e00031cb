"""Adapters that misuse the rights of their user, to test the sandbox with: ``python hostile.py``.

It reads one message, ``{"does": NAME, …}``, does what its name says, and writes one message with what came of it. It
needs nothing of Hoyle, so that nothing of Hoyle can hold it back.
"""

import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206
NEW_MOUNTS, NEW_USERS = 0x00020000, 0x10000000
REMOUNT_WRITABLE = 32 | 4096  # MS_REMOUNT, MS_BIND
Deed = Callable[..., Any]
DEEDS: dict[str, Deed] = {}


def deed(do: Deed) -> Deed:
    DEEDS[do.__name__.replace("_", "-")] = do
    return do


# -- network


@deed
def connects_by_tcp(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=5).sendall(b"secret")


@deed
def sends_by_udp(port: int) -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"secret", ("127.0.0.1", port))


@deed
def connects_to_a_unix_socket(path: str) -> None:
    other = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    other.connect(path)
    other.sendall(b"secret")


@deed
def connects_to_an_abstract_socket(name: str) -> None:
    connects_to_a_unix_socket(f"\0{name}")


@deed
def sends_from_a_pair_to_a_unix_socket(path: str) -> None:
    """Of a pair, no end was made by `socket`."""
    one, _other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"secret", path)


# -- files


@deed
def writes_a_file(path: str) -> None:
    Path(path).write_text("changed")


@deed
def writes_by_a_link(path: str) -> None:
    link = Path(os.environ.get("TMPDIR", "/tmp")) / f"link-{os.getpid()}"  # noqa: S108 -- it is an intruder
    link.symlink_to(path)
    try:
        link.write_text("changed")
    finally:
        link.unlink()


@deed
def writes_by_the_process_folder(path: str) -> None:
    """By the name that a file has among those that a process has open."""
    with Path(path).open("rb") as file:
        Path(f"/proc/self/fd/{file.fileno()}").write_text("changed")


@deed
def truncates_a_file(path: str) -> None:
    os.truncate(path, 0)


@deed
def removes_a_file(path: str) -> None:
    Path(path).unlink()


@deed
def renames_a_file(path: str) -> None:
    Path(path).rename(f"{path}.gone")


@deed
def changes_the_mode(path: str) -> None:
    Path(path).chmod(0)


@deed
def changes_the_times(path: str) -> None:
    os.utime(path, (1, 1))


@deed
def makes_a_folder(path: str) -> None:
    Path(f"{path}.folder").mkdir()


@deed
def writes_after_a_new_mount(path: str) -> None:
    """In a namespace of its own, where mounts can be changed."""
    if LIBC.unshare(NEW_USERS | NEW_MOUNTS) or LIBC.mount(b"none", b"/", b"", REMOUNT_WRITABLE, b""):
        fail()
    writes_a_file(path)


# -- limits


@deed
def forks_without_bound(most: int) -> int:
    children = []
    while len(children) < most:
        if (child := os.fork()) == 0:
            time.sleep(60)
            os._exit(0)
        children.append(child)
    time.sleep(1)
    return len(children)


@deed
def starts_threads_without_bound(most: int) -> int:
    import threading

    waits = threading.Event()
    for _ in range(most):
        threading.Thread(target=waits.wait, daemon=True).start()
    time.sleep(1)
    return threading.active_count() - 1


PIECE = 4 << 20


def pieces(size: int) -> list[bytearray]:
    """Memory, piece by piece, each written to."""
    return [bytearray(b"x" * PIECE) for _ in range(size // PIECE)]


@deed
def allocates_without_bound(size: int) -> int:
    return len(pieces(size)) * PIECE


@deed
def allocates_shared_memory(size: int) -> int:
    shared = mmap.mmap(-1, size)
    for at in range(0, size, 4096):
        shared[at] = 1
    time.sleep(1)
    return size


@deed
def allocates_in_files_of_memory(size: int) -> int:
    file = os.memfd_create("secret")
    return sum(os.write(file, b"x" * (1 << 20)) for _ in range(size >> 20))


@deed
def allocates_in_many_processes(size: int) -> int:
    """Each takes little. All keep it for longer than the supervisor waits before it looks again."""
    for _ in range(4):
        if os.fork() == 0:
            kept = pieces(size // 4)
            time.sleep(60)
            del kept
            os._exit(0)
    time.sleep(4)
    return size


@deed
def burns_processor_time(seconds: float) -> float:
    while time.process_time() < seconds:
        pass
    return time.process_time()


@deed
def burns_time_in_children(seconds: float) -> float:
    """Each child takes little, and is waited for."""
    for _ in range(10):
        if (child := os.fork()) == 0:
            burns_processor_time(time.process_time() + seconds / 10)
            os._exit(0)
        os.waitpid(child, 0)
    return sum(os.times()[2:4])


@deed
def fills_the_temporary_folder(size: int) -> int:
    return _fill(size, size)


@deed
def fills_it_with_many_files(size: int) -> int:
    written = _fill(size, 1 << 20)
    time.sleep(1)
    return written


def _fill(size: int, each: int) -> int:
    folder = Path(os.environ["TMPDIR"]) / f"filled-{os.getpid()}"
    folder.mkdir()
    for number in range(size // each):
        (folder / str(number)).write_bytes(b"x" * each)
    return sum(file.stat().st_size for file in folder.iterdir())


@deed
def opens_files_beyond_its_limit(most: int) -> int:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most + 32, hard), hard))
    return len([Path(os.devnull).open("rb") for _ in range(most)])


@deed
def raises_its_limits(which: int) -> int:
    """As far as it may, and further."""
    hard = resource.getrlimit(which)[1]
    if hard == resource.RLIM_INFINITY:
        return hard
    resource.setrlimit(which, (hard + 1, hard + 1))
    return resource.getrlimit(which)[1]


# -- other processes


@deed
def ends_a_process(number: int) -> None:
    os.kill(number, signal.SIGKILL)


@deed
def traces_a_process(number: int) -> None:
    if LIBC.ptrace(PTRACE_SEIZE, number, 0, 0):
        fail()


@deed
def reads_the_memory_of_a_process(number: int) -> str:
    """Of its environment, which is kept in its memory."""
    return Path(f"/proc/{number}/environ").read_bytes()[:10].decode()


@deed
def leaves_a_daemon_behind(supervisor: int, mark: str) -> None:
    """In a session of its own; and ends who would look for it."""
    subprocess.Popen(["sleep", mark], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    os.kill(supervisor, signal.SIGKILL)


@deed
def gets_privileges() -> str:
    """How the kernel shows what this process may do."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return " ".join(line.split()[1] for line in lines if line.startswith(("NoNewPrivs", "CapEff", "CapBnd")))


@deed
def calls_the_system(number: int, values: list[int]) -> int:
    """The error of a call, by its number."""
    ctypes.set_errno(0)
    return 0 if LIBC.syscall(number, *map(ctypes.c_long, values)) >= 0 else ctypes.get_errno()


def fail() -> None:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))


def main() -> None:
    message = json.loads(sys.stdin.readline())
    try:
        answer = {"came": DEEDS[message.pop("does")](**message)}
    except (OSError, MemoryError, RuntimeError, ValueError) as error:  # RuntimeError: no thread can be started
        name = errno.errorcode.get(getattr(error, "errno", None) or 0, type(error).__name__)
        answer = {"error": name}
    print(json.dumps(answer), flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
