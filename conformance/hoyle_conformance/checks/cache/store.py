"""The cache folder: files of JSON lines, each found by its key and verified by a checksum.

Nothing here waits or fails: a file that cannot be read is computed anew, one that cannot be written is not cached. A
file is written beside its place and moved there, so that the last of two processes wins and no reader sees half a file.
"""

import hashlib
import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

#: The version of the format; files of another version are not read.
FORM: Final = 4
#: The environment variable that names another folder than the user's cache folder.
FOLDER: Final = "HOYLE_CACHE_DIR"
#: The number of cached suites; the oldest are removed first.
MOST: Final = 6
#: Other numbers for some kinds: the last failures are stored for each command.
_MOST_OF: Final = MappingProxyType({"failed": 100})
#: The folder of the cached suite that comes with a wheel.
READY: Final = Path(__file__).parent / "ready"
_UNFINISHED: Final = ".part"
_LEFT_BEHIND: Final = 3600  # seconds after which nobody is writing a file any more


def folder() -> Path:
    """Return the folder of the cache."""
    if named := os.environ.get(FOLDER):
        return Path(named)
    from platformdirs import user_cache_path  # only where it is asked

    return user_cache_path("hoyle", appauthor=False)


def read(kind: str, key: str) -> Sequence[bytes] | None:
    """Return the lines stored under a key, or None where there are none or the file is damaged."""
    for place in (READY, folder()):
        with suppress(OSError):
            path = place / _name(kind, key)
            if not path.is_file():  # a pipe would be waited for
                continue
            content = path.read_bytes()
            header, *lines = content.split(b"\n")
            if lines and header == _header(kind, key, memoryview(content)[len(header) + 1 :]):
                return lines
    return None


def has(kind: str, key: str) -> bool:
    """Whether something is stored under a key, damaged or not."""
    with suppress(OSError):
        return any((place / _name(kind, key)).is_file() for place in (READY, folder()))
    return False


def write(kind: str, key: str, values: Sequence[Any], place: Path | None = None) -> None:
    """Store values under a key, one on each line; do nothing where that is impossible."""
    body = b"\n".join(json.dumps(value, separators=(",", ":")).encode() for value in values)
    with suppress(OSError):
        here = place or folder()
        here.mkdir(parents=True, exist_ok=True)
        _write(here / _name(kind, key), _header(kind, key, body) + b"\n" + body)
        _tidy(here, kind)


def _name(kind: str, key: str) -> str:
    return f"{kind}-{key[:32]}.jsonl"


def _header(kind: str, key: str, body: bytes | memoryview) -> bytes:
    checksum = hashlib.sha256(body).hexdigest()
    return f'{{"hoyle":"{kind}","form":{FORM},"address":"{key}","sha256":"{checksum}"}}'.encode()


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}{_UNFINISHED}")
    try:
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
