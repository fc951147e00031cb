"""The cache folder: files of JSON lines, each found by its key and verified by a checksum.

Nothing here waits or fails: a file that cannot be read is computed anew, one that cannot be written is not cached, and
a folder or a file that others can write is not used. A file is written beside its place and moved there, so that the
last of two processes wins and no reader sees half a file.
"""

import errno
import hashlib
import json
import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.system.files import NO_LINKS, READ, is_ours

#: The version of the format; files of another version are not read.
FORM: Final = 5
#: The environment variable that names another folder than the user's cache folder.
FOLDER: Final = "HOYLE_CACHE_DIR"
#: The number of cached suites; the oldest are removed first.
MOST: Final = 6
#: Other numbers for some kinds: the last failures are stored for each command.
_MOST_OF: Final = MappingProxyType({"failed": 100})
#: The folder of the cached suite that comes with a wheel.
READY: Final = Path(__file__).parent / "ready"
#: The permissions of files in the user's folder, and of those for a wheel.
_OURS_ALONE: Final = 0o600
_FOR_ALL: Final = 0o644
_UNFINISHED: Final = ".part"
_LONGEST_HEADER: Final = 1_000  # bytes
#: The errors that say nothing about a file: the disk, or the number of open files, or memory.
_FOR_NOW: Final = frozenset({errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
_LEFT_BEHIND: Final = 3600  # seconds after which nobody is writing a file any more


def folder() -> Path:
    """Return the folder of the cache."""
    if named := os.environ.get(FOLDER):
        return Path(named)
    from platformdirs import user_cache_path  # only where it is asked

    return user_cache_path("hoyle", appauthor=False)


def _places() -> Sequence[Path]:
    """Return the folders that are read: that of the wheel and, unless somebody else can write in it, the user's."""
    here = folder()
    return (READY, here) if _is_ours(here) else (READY,)


def _is_ours(here: Path) -> bool:
    """Whether a folder belongs to this user, and not everybody can write in it; also where there is none yet."""
    try:
        return is_ours(here.stat(), stat.S_IWOTH)
    except OSError:
        return True


def is_private() -> bool:
    """Whether nobody but this user can write in the user's folder, not even a group; also where there is none yet."""
    try:
        return is_ours(folder().stat(), stat.S_IWGRP | stat.S_IWOTH)
    except OSError:
        return True


def _content(path: Path) -> bytes:
    """Return the content of a file; empty unless it can be read without waiting, and nobody else can have written it.
    The check and the reading are of one opened file, so nobody can replace it between them. Raises OSError if there is
    no such file, or if it is a link in the user's folder."""
    of_a_wheel = path.parent == READY
    with open(path, "rb", opener=None if of_a_wheel else _without_links) as file:
        found = os.fstat(file.fileno())
        by_us = of_a_wheel or is_ours(found, stat.S_IWGRP | stat.S_IWOTH)
        return file.read() if stat.S_ISREG(found.st_mode) and by_us else b""


def _without_links(path: str, flags: int) -> int:
    """Open a file, without waiting for a pipe; raise OSError for a link."""
    return os.open(path, flags | READ | NO_LINKS)


def read(kind: str, key: str) -> Sequence[bytes] | None:
    """Return the lines stored under a key, or None where there are none, or the file is damaged or cannot be read."""
    for place in _places():
        with suppress(OSError):
            if lines := _read(place / _name(kind, key), kind, key):
                return lines
    return None


def read_to_change(kind: str, key: str) -> Sequence[bytes] | None:
    """Return the lines stored under a key, or None where there are none or the file is damaged; raises OSError if the
    system denies a file that may be sound, and so must not be replaced."""
    for place in _places():
        if lines := _read(place / _name(kind, key), kind, key):
            return lines
    return None


def _read(path: Path, kind: str, key: str) -> Sequence[bytes] | None:
    """Return the lines in a file, or None where there are none, or it is damaged or not ours; raises OSError if the
    system denies it for now."""
    try:
        content = _content(path)
    except OSError as error:
        if error.errno in _FOR_NOW:
            raise
        return None
    header, *lines = content.split(b"\n")
    is_sound = lines and header == _header(kind, key, memoryview(content)[len(header) + 1 :])
    return lines if is_sound else None


def recent(kind: str) -> Iterator[Sequence[bytes]]:
    """Yield the lines of each sound file of a kind, the newest first, and last that of the wheel."""
    for place in reversed(_places()):
        with suppress(OSError):
            for path in sorted(place.glob(f"{kind}-*.jsonl"), key=_written, reverse=True):
                key = _key_in(path)
                if path.name == _name(kind, key) and (lines := _read(path, kind, key)):
                    yield lines


def _key_in(path: Path) -> str:
    """Return the key in the header of a file; empty where there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        header = file.readline(_LONGEST_HEADER)
    try:
        key = json.loads(header)["address"]
    except (ValueError, RecursionError, TypeError, KeyError):
        return ""
    return key if isinstance(key, str) else ""


def has(kind: str, key: str) -> bool:
    """Whether something is stored under a key, damaged or not."""
    with suppress(OSError):
        return any((place / _name(kind, key)).is_file() for place in _places())
    return False


def line_of(value: Any) -> bytes:
    """Return the line of a value in a file."""
    return json.dumps(value, separators=(",", ":")).encode()


def write(kind: str, key: str, values: Sequence[Any], place: Path | None = None) -> None:
    """Store values under a key, one on each line; do nothing where that is impossible."""
    write_lines(kind, key, list(map(line_of, values)), place)


def write_lines(kind: str, key: str, lines: Sequence[bytes], place: Path | None = None) -> None:
    """Store lines under a key; do nothing where that is impossible."""
    body = b"\n".join(lines)
    with suppress(OSError):
        here = place or folder()
        if place is None and not _is_ours(here):
            return
        here.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = _OURS_ALONE if place is None else _FOR_ALL
        _write(here / _name(kind, key), _header(kind, key, body) + b"\n" + body, mode)
        _tidy(here, kind)


def _name(kind: str, key: str) -> str:
    return f"{kind}-{key[:32]}.jsonl"


def _header(kind: str, key: str, body: bytes | memoryview) -> bytes:
    checksum = hashlib.sha256(body).hexdigest()
    return f'{{"hoyle":"{kind}","form":{FORM},"address":"{key}","sha256":"{checksum}"}}'.encode()


def _write(path: Path, content: bytes, mode: int) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}{_UNFINISHED}")
    try:
        part.touch(mode)
        part.write_bytes(content)
        part.replace(path)
    except BaseException:  # also where it is interrupted
        part.unlink(missing_ok=True)
        raise


def _tidy(here: Path, kind: str) -> None:
    """Remove all but the newest files, and unfinished files of processes that were ended."""
    newest_first = sorted(here.glob(f"{kind}-*.jsonl"), key=_written, reverse=True)
    unfinished = [path for path in here.glob(f"*{_UNFINISHED}") if time.time() - _written(path) > _LEFT_BEHIND]
    for path in (*newest_first[_MOST_OF.get(kind, MOST) :], *unfinished):
        path.unlink(missing_ok=True)


def _written(path: Path) -> float:
    """Return the time when a file was written; long ago where another process has removed it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
