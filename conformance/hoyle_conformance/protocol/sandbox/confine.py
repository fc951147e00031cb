"""The last step before an adapter in a sandbox: give up rights, and then become the adapter.

``python -I -S confine.py STEPS COMMAND…``

STEPS are names with values, as `probe.py` makes them, written as hexadecimal digits of `marshal`. If one of them
fails, the command is not started. It is a script that imports little, and nothing of Hoyle.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import ctypes
import marshal
import os
import resource
import struct
import sys

assert sys.platform == "linux"  # only there are sandboxes

TYPE_CHECKING = False  # as that of `typing`, which takes longer to import than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

CANNOT_CONFINE = 126
CANNOT_START = 127
#: The variable in which the supervisor names the streams of the adapter, and where to report that it cannot be started.
STREAMS = "HOYLE_SANDBOX_STREAMS"

# Numbers of prctl, of the system calls of Landlock, and of the version of capabilities.
DROP_BOUNDING, NO_NEW_PRIVILEGES, SECCOMP, FILTER = 24, 38, 22, 2
CREATE_RULESET, ADD_RULE, RESTRICT_SELF, BENEATH = 444, 445, 446, 1
CAPABILITIES, MOST_CAPABILITIES = 0x20080522, 64

LIBC = ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """Return the result of a call of the system; raise OSError if it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def prctl(option: int, value: int, third: object = 0) -> None:
    """Change something of this process; raise OSError if that cannot be."""
    checked(LIBC.prctl(option, ctypes.c_ulong(value), third, 0, 0))


def set_limits(limits: list[tuple[int, int]]) -> None:
    """Lower limits of this process, which it cannot raise again."""
    for which, most in limits:
        hard = resource.getrlimit(which)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (value, value))


def limit_processes(more: int) -> None:
    """Let the user of this process have so many processes more than there are now, as far as this is less than
    before."""
    set_limits([(resource.RLIMIT_NPROC, threads_of_the_user() + more)])


def threads_of_the_user() -> int:
    """Return the number of threads that the user of this process has."""
    count = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue  # it has ended meanwhile
    return count


def drop_capabilities(_value: None) -> None:
    """Give up all capabilities, also those that a program of root would get."""
    for number in range(MOST_CAPABILITIES):
        try:
            prctl(DROP_BOUNDING, number)
        except OSError:  # there are no more, or there is none to drop
            break
    header, none = struct.pack("=Ii", CAPABILITIES, 0), bytes(24)
    checked(LIBC.capset(header, none))


def give_up_new_privileges(_value: None) -> None:
    """Get no privileges from programs that have them, such as sudo, from here on."""
    prctl(NO_NEW_PRIVILEGES, 1)


def give_up_files(rules: tuple[bytes, tuple[tuple[str, int], ...]]) -> None:
    """Give up rights to all files but those beneath some paths."""
    given_up, kept = rules
    ruleset = checked(LIBC.syscall(CREATE_RULESET, given_up, ctypes.c_size_t(len(given_up)), 0))
    for path, rights in kept:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", rights, place)
        checked(LIBC.syscall(ADD_RULE, ruleset, BENEATH, rule, 0))
        os.close(place)
    checked(LIBC.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def filter_calls(program: bytes) -> None:
    """Have the kernel refuse the system calls that this program refuses."""
    code = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    prctl(SECCOMP, FILTER, described)


def set_environment(values: dict[str, str | None]) -> None:
    """Set variables of the environment, and remove those without a value."""
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


#: The steps, by their names.
STEPS: dict[str, Callable[[Any], None]] = {
    "environment": set_environment,
    "limits": set_limits,
    "processes": limit_processes,
    "capabilities": drop_capabilities,
    "privileges": give_up_new_privileges,
    "files": give_up_files,
    "calls": filter_calls,
}


def take_streams() -> int | None:
    """Take the streams of the adapter from where the supervisor has put them; return where to report that the command
    cannot be started."""
    numbers = os.environ.pop(STREAMS, "")
    if not numbers:
        return None
    untold, *streams = map(int, numbers.split())
    os.set_inheritable(untold, False)
    for stream, kept in enumerate(streams):
        os.dup2(kept, stream)
        os.close(kept)
    return untold


def main(steps: str, command: list[str]) -> None:
    """Take the steps and become the command; end with 126 or 127 if that cannot be."""
    untold = take_streams()
    for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored_by_python, signal.SIG_DFL)
    step = "steps"
    try:
        for step, value in marshal.loads(bytes.fromhex(steps)):
            STEPS[step](value)
    except OSError as error:
        os.write(2, f"The sandbox could not be set up ({step}): {error.strerror}.\n".encode())
        os._exit(CANNOT_CONFINE)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        if untold is not None:
            os.write(untold, b"%d" % (error.errno or 0))
        os._exit(CANNOT_START)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
