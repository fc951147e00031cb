"""Files: how they are opened, locked, replaced and removed, and to whom they belong."""

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


#: Byte for byte, because Windows otherwise changes line ends; and without waiting for the other end of a pipe.
_PLAIN: Final = _flags("BINARY", "NONBLOCK")
READ: Final = os.O_RDONLY | _PLAIN
WRITE: Final = os.O_WRONLY | os.O_CREAT | _PLAIN
#: Added to these, it refuses links. Windows lacks it.
NO_LINKS: Final = _flags("NOFOLLOW")
#: Windows locks bytes, and nobody else can read a locked byte: so the locked byte is far behind the end of a file.
_LOCKED_BYTE: Final = (1 << 31) - 2
_LOCKED_BY_ANOTHER: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})
#: Tries, and seconds between them, to replace a file that another program has open on Windows.
_TRIES, _PAUSE = 10, 0.1


def block(opened: int) -> None:
    """Let an open file wait when it is written. Windows does so already."""
    if sys.platform != "win32":
        os.set_blocking(opened, True)


def lock(opened: int) -> bool:
    """Lock a regular file that is open for writing until it is closed, and return False if another process has locked
    it.

    If the file system has no locks, the file counts as locked.
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

    Windows refuses while any program has one of the files open. Virus scanners do so for a moment, so on Windows this
    tries again for a second.
    """
    for _ in range(_TRIES if sys.platform == "win32" else 0):
        with suppress(PermissionError):
            part.replace(path)
            return
        time.sleep(_PAUSE)
    part.replace(path)


def remove_open(file: BinaryIO | io.FileIO, path: Path) -> None:
    """Remove a file that is open for writing, and close it. No other run can have begun to write it.

    Windows removes no file that is open, so there it is closed first; and it stays if another run has opened it.
    """
    if sys.platform == "win32":
        file.close()
    with suppress(OSError):
        path.unlink()
    file.close()


def is_ours(found: os.stat_result, others: int) -> bool:
    """Whether a file belongs to this user, and others, who are given by their bits, cannot write it. On Windows a
    profile's folder has such permissions, and the bits do not show them."""
    if sys.platform == "win32":
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & others
