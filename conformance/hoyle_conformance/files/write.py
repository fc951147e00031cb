"""Write files as a whole, or line by line; no file is left half overwritten or written by two runs at once."""

import errno
import io
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from hoyle_conformance.system import words_of
from hoyle_conformance.system.files import WRITE, block, lock, remove_open, replace

#: The suffix of a file that is being written, until it is moved to its place.
_UNFINISHED: Final = ".part"


def write_whole(path: Path, text: str) -> None:
    """Write to a temporary file, and move it to its place when it is complete.

    Raises OSError if that fails, and leaves the old file unchanged. A link is followed. A pipe or a device is written
    directly, but a pipe without a reader is an error.
    """
    path = Path(os.path.realpath(path))
    if path.is_symlink():  # links that lead to each other
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if path.exists() and not path.is_file():
        with io.BufferedWriter(_opened(path)) as file:
            file.write(text.encode("utf-8"))
        return
    part = path.with_name(f".{path.name[:100]}.{os.getpid()}{_UNFINISHED}")
    try:
        part.write_bytes(text.encode("utf-8"))
        if path.exists():
            shutil.copymode(path, part)
        replace(part, path)
    except BaseException:  # also after an interruption
        with suppress(OSError):
            part.unlink()
        raise


def append(path: Path, text: str) -> None:
    """Append to a file; raises OSError if that fails, or if the file is a pipe without a reader."""
    with _opened(path) as file:
        if file.seekable():
            file.seek(0, os.SEEK_END)
        left = memoryview(text.encode("utf-8"))
        while left:
            left = left[file.write(left) or 0 :]


class LineFile:
    """A file or a stream to which each line is written at once. If a line cannot be written, the run goes on without
    the file; `failed` has the reason, and `error` its number."""

    def __init__(self, name: str, file: BinaryIO | io.FileIO) -> None:
        self.name, self.failed, self.error = name, "", 0
        self.plain: os.stat_result | None = None  # identifies a regular file
        self._file = file

    def close(self) -> None:
        """Stop writing; all lines have been written already."""

    def write(self, line: bytes) -> None:
        """Write one line."""
        left = memoryview(line)
        try:
            self._begin()
            while left and not self.failed:
                left = left[self._file.write(left) or 0 :]
        except OSError as error:
            self.failed, self.error = words_of(error), error.errno or 0

    def _begin(self) -> None:
        """Prepare for the next line."""


class _OwnFile(LineFile):
    """A file that was opened for these lines alone. Its old content is kept until the first line is written; a new file
    without lines is removed."""

    def __init__(self, path: Path) -> None:
        self._is_new, self._begun = not path.exists(), False
        self._path, own = path, _opened(path)
        super().__init__(str(path), own)
        seen = os.fstat(own.fileno())
        self.plain = seen if stat.S_ISREG(seen.st_mode) else None

    def close(self) -> None:
        if self._is_new and self.plain and not self._begun:
            remove_open(self._file, self._path)
        self._file.close()

    def _begin(self) -> None:
        if self.plain and not self._begun:
            self._file.truncate(0)
        self._begun = True


def lines_to(path: Path) -> LineFile:
    """Return a file to write line by line; raises OSError if it cannot be opened, or another run is writing it."""
    return _OwnFile(path)


def lines_to_stream(name: str, stream: BinaryIO | io.FileIO) -> LineFile:
    """Return an open stream to write line by line."""
    return LineFile(name, getattr(stream, "raw", stream))


def _opened(path: Path) -> io.FileIO:
    """Open a file for writing, locked against other runs, without waiting for the reader of a pipe."""
    try:
        opened = os.open(path, WRITE, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(error.errno, "nothing reads from it") from error
        raise
    file = io.FileIO(opened, "w")
    try:
        block(opened)
        if stat.S_ISREG(os.fstat(opened).st_mode) and not lock(opened):
            raise OSError(errno.EAGAIN, "another run is writing it")  # noqa: TRY301 -- as if it could not be opened
    except OSError:
        file.close()
        raise
    return file
