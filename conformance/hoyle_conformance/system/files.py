"""Files: opening, locking, replacing and removing them, and their owners."""

import errno
import io
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final


def _flags(*words: str) -> int:
    """Return these flags of `os.open`, without those that the system lacks."""
    return sum(getattr(os, f"O_{word}", 0) for word in words)


#: Binary mode, because Windows otherwise changes line ends; and without waiting for the other end of a pipe.
_PLAIN: Final = _flags("BINARY", "NONBLOCK")
READ: Final = os.O_RDONLY | _PLAIN
WRITE: Final = os.O_WRONLY | os.O_CREAT | _PLAIN
#: In addition to the flags above, this refuses links. Windows lacks it.
NO_LINKS: Final = _flags("NOFOLLOW")
#: Windows locks bytes, and no other program can read a locked byte, so the locked byte is far beyond the end of a file.
_LOCKED_BYTE: Final = (1 << 31) - 2
_LOCKED_BY_ANOTHER: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})
#: The number of tries, and the seconds between them, to replace a file that another program has open on Windows.
_TRIES, _PAUSE = 10, 0.1


def block(opened: int) -> None:
    """Make writes to an open file wait; on Windows they already do."""
    if sys.platform != "win32":
        os.set_blocking(opened, True)


def lock(opened: int) -> bool:
    """Lock a regular file that is open for writing until it is closed; return False if another process has locked it.

    If the file system has no locks, the file counts as locked by this process.
    """
    try:
        _lock(opened)
    except OSError as error:
        return error.errno not in _LOCKED_BY_ANOTHER
    return True


def _lock(opened: int) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 -- only Windows has it

        os.lseek(opened, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(opened, 0, os.SEEK_SET)
    else:
        import fcntl  # noqa: PLC0415 -- Windows lacks it

        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def replace(part: Path, path: Path) -> None:
    """Move a file to the place of another; raises OSError if that fails.

    Windows refuses this while any program has one of the files open. Virus scanners do so for a moment, so on Windows
    this function tries again for a second.
    """
    for _ in range(_TRIES if sys.platform == "win32" else 0):
        with suppress(PermissionError):
            part.replace(path)
            return
        time.sleep(_PAUSE)
    part.replace(path)


def remove_open(file: BinaryIO | io.FileIO, path: Path) -> None:
    """Remove a file that is open for writing, and close it.

    No other run can have begun to write to it. Windows does not remove open files, so there the file is closed first,
    and it stays if another run has opened it.
    """
    if sys.platform == "win32":
        file.close()
    with suppress(OSError):
        path.unlink()
    file.close()


def is_ours(found: os.stat_result, others: int) -> bool:
    """Return whether a file belongs to this user and cannot be written by `others`, given as permission bits. On
    Windows the folder of a profile has such permissions, which the bits do not show."""
    if sys.platform == "win32":
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & others
