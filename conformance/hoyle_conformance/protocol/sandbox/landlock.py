"""Landlock, with which Linux lets a process give up rights to files for good, and what its versions can do."""

import ctypes
import struct
import sys
from typing import Final, NamedTuple

#: The numbers of its system calls, the same in all families of processors.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
_ASKS_FOR_VERSION: Final = 1

# Rights to files: to write to one, to remove folders and files, and to make each kind of file.
_WRITE: Final = 1 << 1
_CHANGE_FOLDERS: Final = sum(1 << bit for bit in range(4, 13))
_MOVE, _TRUNCATE, _DEVICE = 1 << 13, 1 << 14, 1 << 15
#: The version that brought each of these rights.
_LATER: Final = ((2, _MOVE), (3, _TRUNCATE), (5, _DEVICE))
_RIGHTS_TO_A_FILE: Final = _WRITE | _TRUNCATE | _DEVICE
#: The version with which a process can give up signals to others, and sockets without a file.
SCOPES_SINCE: Final = 6
_SCOPES: Final = 3
_NETWORK_SINCE: Final = 4

#: Files that anybody may write to: nothing is kept in them.
_HARMLESS: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class LandlockRules(NamedTuple):
    """What a process gives up, as the kernel takes it, and the paths beneath which it keeps rights."""

    given_up: bytes
    kept: tuple[tuple[str, int], ...]


def landlock_version() -> int:
    """Return the version of Landlock on this system; 0 if it has none."""
    if sys.platform != "linux":
        return 0
    found: int = ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, _ASKS_FOR_VERSION)
    return max(found, 0)


def landlock_rules(version: int, folder: str) -> LandlockRules:
    """Return the rules under which a process writes only in a folder, as far as this version can."""
    rights = _WRITE | _CHANGE_FOLDERS | sum(right for since, right in _LATER if version >= since)
    given_up = struct.pack("=Q", rights)
    if version >= _NETWORK_SINCE:
        given_up += struct.pack("=Q", 0)  # the network is closed by other means
    if version >= SCOPES_SINCE:
        given_up += struct.pack("=Q", _SCOPES)
    to_files = rights & _RIGHTS_TO_A_FILE
    return LandlockRules(given_up, ((folder, rights), *((path, to_files) for path in _HARMLESS)))
