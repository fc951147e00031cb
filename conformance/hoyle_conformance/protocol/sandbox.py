"""The sandbox of an adapter on Linux: the words of bubblewrap and prlimit that precede its command."""

import errno
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

#: The name of the sandbox in records and reports.
NAME: Final = "bubblewrap"
#: The limits of each process, by their names in prlimit: bytes of memory, seconds of processor time, open files,
#: processes and threads of the user in the sandbox, and bytes of a core dump.
LIMITS: Final = MappingProxyType({"data": 4 << 30, "cpu": 3_600, "nofile": 1_024, "nproc": 256, "core": 0})
#: The size of the temporary folder, in bytes.
FOLDER_SIZE: Final = 256 << 20
_TEMPORARY: Final = "/tmp"  # noqa: S108 -- a file system of its own
_FOLDERS: Final = ("HOME", "TMPDIR", "TEMP", "TMP")
#: Folders with files and sockets of other programs. The adapter sees nothing of them except its own folder.
_HIDDEN: Final = frozenset({Path(_TEMPORARY), Path("/run")})
#: The prefixes of variables that name sockets of other programs, or folders that cannot be written.
_UNSET: Final = ("DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "XDG_")
_BY_A_SIGNAL: Final = 128  # bubblewrap adds it to the number of a signal
_TRIVIAL: Final = ("sh", "-c", ": & wait")  # starts a process, so that a limit already reached is noticed
_SECONDS: Final = 20.0


def problem() -> str:
    """Return the reason why this system cannot set up the sandbox, with the remedy; empty if it can."""
    if sys.platform != "linux":
        return "Hoyle has a sandbox only on Linux: run the adapter in a container or a virtual machine"
    if not all(map(shutil.which, ("bwrap", "prlimit"))):
        return (
            "the sandbox needs the programs bwrap and prlimit: install them, for example with "
            "'apt install bubblewrap util-linux'"
        )
    import subprocess  # most commands start no process

    try:
        done = subprocess.run(sandboxed(_TRIVIAL), capture_output=True, check=False, timeout=_SECONDS)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here: {error}"
    if done.returncode == 0:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}"
    return (
        f"bubblewrap does not work here ({said}): allow it to create user namespaces, on Ubuntu with "
        "'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'"
    )


def sandboxed(command: Sequence[str], folder: Path | None = None) -> list[str]:
    """Return the words that start a command in the sandbox, in the working folder or in `folder`; raises OSError if
    there is no such program."""
    here = (folder or Path()).resolve()
    _find(here / command[0] if os.sep in command[0] else Path(command[0]))
    return [
        "bwrap",
        *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--die-with-parent", "--cap-drop", "ALL"),
        *("--ro-bind", "/", "/"),
        *("--dev", "/dev", "--remount-ro", "/dev"),
        *("--proc", "/proc", "--remount-ro", "/proc"),  # otherwise root could change the kernel's settings in /proc/sys
        *("--size", str(FOLDER_SIZE), "--tmpfs", _TEMPORARY),
        *("--tmpfs", "/run", "--ro-bind-try", "/run/current-system", "/run/current-system"),
        *(("--ro-bind", str(here), str(here)) if _HIDDEN & {*here.parents} else ()),
        *("--remount-ro", "/run"),
        *(word for name in _FOLDERS for word in ("--setenv", name, _TEMPORARY)),
        *(word for name in os.environ if name.startswith(_UNSET) for word in ("--unsetenv", name)),
        *("--", "prlimit", *_limits(), "--"),
        *command,
    ]


def _find(program: Path) -> None:
    """Raise OSError, as the system does, if there is no such program or it is not executable."""
    if not shutil.which(program):
        number = errno.EACCES if program.exists() else errno.ENOENT
        raise OSError(number, os.strerror(number))


def _limits() -> Iterator[str]:
    """Yield the limits as options of prlimit; lower existing limits are kept."""
    if sys.platform == "win32":
        raise NotImplementedError
    import resource

    for name, most in LIMITS.items():
        hard = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))[1]
        yield f"--{name}={most if hard == resource.RLIM_INFINITY else min(most, hard)}"


def ending(code: int) -> int:
    """Return how an adapter ended, from the exit code of bubblewrap; negative if a signal ended it."""
    return _BY_A_SIGNAL - code if code - _BY_A_SIGNAL in signal.valid_signals() else code
